package io.rankwire.collective;

import io.rankwire.collective.Step.Part;

/** A vector cut into blocks, one for each rank: where each begins, and how long it is. */
public record Blocks(long[] offsets, long[] units) {
    /** Blocks of one length, one after another. */
    public static Blocks even(int size, long each) {
        Blocks blocks = new Blocks(new long[size], new long[size]);
        for (int i = 0; i < size; i++) {
            blocks.offsets[i] = i * each;
            blocks.units[i] = each;
        }
        return blocks;
    }

    /** A vector cut into blocks that differ by one unit at most. */
    public static Blocks cut(int size, long total) {
        Blocks blocks = new Blocks(new long[size], new long[size]);
        for (int i = 0; i < size; i++) {
            blocks.offsets[i] = total * i / size;
            blocks.units[i] = total * (i + 1) / size - blocks.offsets[i];
        }
        return blocks;
    }

    /** Blocks of different lengths, one after another. */
    public static Blocks row(long... units) {
        Blocks blocks = new Blocks(new long[units.length], units.clone());
        long at = 0;
        for (int i = 0; i < units.length; i++) {
            blocks.offsets[i] = at;
            at += units[i];
        }
        return blocks;
    }

    /** The blocks as parts of a buffer. */
    public Part[] parts(int buffer) {
        Part[] parts = new Part[size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part(buffer, offsets[i], units[i]);
        }
        return parts;
    }

    public int size() {
        return offsets.length;
    }

    public long offset(int i) {
        return offsets[i];
    }

    public long units(int i) {
        return units[i];
    }

    /** Units of all. */
    public long total() {
        long total = 0;
        for (long each : units) {
            total += each;
        }
        return total;
    }
}
