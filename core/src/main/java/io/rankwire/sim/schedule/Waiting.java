package io.rankwire.sim.schedule;

import java.util.Arrays;

/**
 * Receives without a message and messages without a receive, in lines by rank. A line is a ring of records of which the
 * last is known; records are used again.
 */
final class Waiting {
    private final int[] last;
    private int[] next = new int[64];
    private int[] peer = new int[64];
    private int[] what = new int[64];
    private long[] bytes = new long[64];
    private int free = -1;
    private int made;

    Waiting(int lines) {
        last = new int[lines];
        Arrays.fill(last, -1);
    }

    void add(int line, int from, int id, long size) {
        int record = free;
        if (record < 0) {
            record = make();
        } else {
            free = next[record];
        }
        peer[record] = from;
        what[record] = id;
        bytes[record] = size;
        int end = last[line];
        if (end < 0) {
            next[record] = record;
        } else {
            next[record] = next[end];
            next[end] = record;
        }
        last[line] = record;
    }

    /** Takes the first of a peer out of a line; its record is valid until the next is added. Or -1. */
    int take(int line, int from) {
        int end = last[line];
        if (end < 0) {
            return -1;
        }
        int before = end;
        do {
            int record = next[before];
            if (peer[record] == from) {
                next[before] = next[record];
                if (record == end) {
                    last[line] = before == record ? -1 : before;
                }
                next[record] = free;
                free = record;
                return record;
            }
            before = record;
        } while (before != end);
        return -1;
    }

    boolean isEmpty(int line) {
        return last[line] < 0;
    }

    int what(int record) {
        return what[record];
    }

    long bytes(int record) {
        return bytes[record];
    }

    private int make() {
        if (made == next.length) {
            next = Arrays.copyOf(next, 2 * made);
            peer = Arrays.copyOf(peer, 2 * made);
            what = Arrays.copyOf(what, 2 * made);
            bytes = Arrays.copyOf(bytes, 2 * made);
        }
        return made++;
    }
}
