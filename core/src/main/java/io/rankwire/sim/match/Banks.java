package io.rankwire.sim.match;

/**
 * Which banks of the header store are read in which cycle; as many cycles are kept as requests reach ahead, within
 * bounds. The first word of a row is its cycle plus one, the others a bit for each bank.
 */
final class Banks {
    private static final int MOST_CYCLES = 1 << 16;

    private final int banks;
    private final int row;
    private int cycles = 8;
    private long[] table;

    Banks(int banks) {
        this.banks = banks;
        row = 1 + (banks + 63 >> 6);
        table = new long[row * cycles];
    }

    /**
     * Reads from the bank of a place in a cycle, unless that bank is read then; whether it did.
     *
     * @param floor cycles before this one will not be asked for any more
     */
    boolean read(long place, long cycle, long floor) {
        int at = ((int) cycle & cycles - 1) * row;
        while (table[at] != cycle + 1) {
            if (table[at] <= floor || cycles == MOST_CYCLES) {
                table[at] = cycle + 1;
                for (int i = 1; i < row; i++) {
                    table[at + i] = 0;
                }
            } else {
                grow(floor);
                at = ((int) cycle & cycles - 1) * row;
            }
        }
        int bank = (int) (place % banks);
        int word = at + 1 + (bank >> 6);
        long bit = 1L << bank;
        if ((table[word] & bit) != 0) {
            return false;
        }
        table[word] |= bit;
        return true;
    }

    private void grow(long floor) {
        long[] old = table;
        cycles *= 2;
        table = new long[row * cycles];
        for (int from = 0; from < old.length; from += row) {
            if (old[from] > floor) {
                System.arraycopy(old, from, table, ((int) (old[from] - 1) & cycles - 1) * row, row);
            }
        }
    }
}
