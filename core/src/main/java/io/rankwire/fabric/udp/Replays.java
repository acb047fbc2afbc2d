package io.rankwire.fabric.udp;

import java.util.Arrays;

/**
 * Which numbered datagrams of a peer have come, so that none is taken twice. Those far below the highest count as come.
 * Of a peer that is silent only the highest number is kept: then all up to that count as come.
 */
final class Replays {
    /**
     * How far below the highest a datagram may be. The flow layer has 1,024 frames under way, each of which may go in
     * two pieces; acknowledgements and probes come between them.
     */
    static final int WINDOW = 4_096;

    private long highest;
    /** A bit for each of the last numbers, at its place modulo the window; null if all of them count as come. */
    private long[] come = new long[WINDOW / Long.SIZE];

    /** The highest number that has come, 0 before the first. */
    long highest() {
        return highest;
    }

    /** Whether a datagram with this number may be taken. Numbers begin with 1. */
    boolean isNew(long number) {
        if (number > highest) {
            return true;
        }
        return number > 0 && come != null && highest - number < WINDOW && (come[word(number)] & 1L << number) == 0;
    }

    /** A datagram has come whose number is new. */
    void add(long number) {
        if (come == null) {
            come = new long[WINDOW / Long.SIZE];
            Arrays.fill(come, -1);
        }
        if (number - highest >= WINDOW) {
            Arrays.fill(come, 0);
        } else {
            for (long between = number - 1; between > highest; between--) {
                come[word(between)] &= ~(1L << between);
            }
        }
        highest = Math.max(highest, number);
        come[word(number)] |= 1L << number;
    }

    /** Keeps the highest number alone. */
    void forget() {
        come = null;
    }

    private static int word(long number) {
        return (int) number / Long.SIZE & WINDOW / Long.SIZE - 1;
    }
}
