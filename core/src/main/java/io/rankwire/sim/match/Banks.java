package io.rankwire.sim.match;

import java.util.Arrays;

/**
 * Which banks of the header store are read in which cycle; as many cycles are kept as requests reach ahead, within
 * bounds.
 */
final class Banks {
    private static final int MOST_CYCLES = 1 << 16;

    private final int banks;
    private final int words;
    private long[] cycles = new long[8];
    private long[] taken;

    Banks(int banks) {
        this.banks = banks;
        words = banks + 63 >> 6;
        taken = new long[words * cycles.length];
        Arrays.fill(cycles, -1);
    }

    /**
     * Reads from the bank of a header in a cycle, unless that bank is read then; whether it did.
     *
     * @param floor cycles before this one will not be asked for any more
     */
    boolean read(long number, long cycle, long floor) {
        int at = (int) cycle & cycles.length - 1;
        while (cycles[at] != cycle) {
            if (cycles[at] < floor || cycles.length == MOST_CYCLES) {
                cycles[at] = cycle;
                Arrays.fill(taken, at * words, (at + 1) * words, 0);
            } else {
                grow(floor);
                at = (int) cycle & cycles.length - 1;
            }
        }
        int bank = (int) (number % banks);
        int word = at * words + (bank >> 6);
        long bit = 1L << bank;
        if ((taken[word] & bit) != 0) {
            return false;
        }
        taken[word] |= bit;
        return true;
    }

    private void grow(long floor) {
        long[] oldCycles = cycles;
        long[] oldTaken = taken;
        cycles = new long[2 * oldCycles.length];
        taken = new long[2 * oldTaken.length];
        Arrays.fill(cycles, -1);
        for (int i = 0; i < oldCycles.length; i++) {
            if (oldCycles[i] >= floor) {
                int at = (int) oldCycles[i] & cycles.length - 1;
                cycles[at] = oldCycles[i];
                System.arraycopy(oldTaken, i * words, taken, at * words, words);
            }
        }
    }
}
