package io.rankwire.wire;

/**
 * CRC-32C (Castagnoli), which finds any three changed bits of a frame. {@link java.util.zip.CRC32C} has no method for
 * memory segments that allocates nothing.
 */
final class Crc32c {
    /** The state before the first byte; the checksum is the complement of the state after the last one. */
    static final int BEGIN = -1;

    private static final int POLYNOMIAL = 0x82F6_3B78;
    /** What a byte does to the state when this many zero bytes follow: row times 256, plus the byte. */
    private static final int[] ROWS = new int[8 * 256];

    static {
        for (int value = 0; value < 256; value++) {
            int state = value;
            for (int bit = 0; bit < 8; bit++) {
                state = state >>> 1 ^ POLYNOMIAL & -(state & 1);
            }
            ROWS[value] = state;
        }
        for (int i = 256; i < ROWS.length; i++) {
            ROWS[i] = next(ROWS[i - 256], 0);
        }
    }

    private Crc32c() {}

    /** The state after a byte. */
    static int next(int state, int value) {
        return ROWS[(state ^ value) & 0xFF] ^ state >>> 8;
    }

    /** The state after the eight bytes of a word, the lowest first. */
    static int word(int state, long word) {
        int low = state ^ (int) word;
        int high = (int) (word >>> 32);
        return ROWS[7 << 8 | low & 0xFF] ^ ROWS[6 << 8 | low >>> 8 & 0xFF] ^ ROWS[5 << 8 | low >>> 16 & 0xFF]
                ^ ROWS[4 << 8 | low >>> 24] ^ ROWS[3 << 8 | high & 0xFF] ^ ROWS[2 << 8 | high >>> 8 & 0xFF]
                ^ ROWS[1 << 8 | high >>> 16 & 0xFF] ^ ROWS[high >>> 24];
    }
}
