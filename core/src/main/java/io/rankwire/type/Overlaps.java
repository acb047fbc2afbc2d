package io.rankwire.type;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * Whether a program names a byte twice: then it can be sent but not received into. Regular patterns are decided by
 * their strides, lists by sorting; what is left is marked on a map of its extent, as long as that has fewer than 2^31
 * places.
 */
public final class Overlaps {
    private Overlaps() {}

    public static boolean in(CopyProgram program) {
        return !areApart(program) && marksTwice(program);
    }

    /** True if certainly no byte is named twice. */
    private static boolean areApart(CopyProgram program) {
        return switch (program) {
            case Runs runs -> rowsAreApart(runs);
            case Sequence sequence -> partsAreApart(sequence);
            default -> levelsAreApart(program);
        };
    }

    private static boolean rowsAreApart(Runs runs) {
        Integer[] order = new Integer[runs.places.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingLong(i -> runs.places[i]));
        for (int i = 1; i < order.length; i++) {
            if (runs.places[order[i - 1]] + runs.bytes(order[i - 1]) > runs.places[order[i]]) {
                return false;
            }
        }
        return true;
    }

    private static boolean partsAreApart(Sequence sequence) {
        CopyProgram[] parts = sequence.parts.clone();
        Arrays.sort(parts, Comparator.comparingLong(part -> part.low));
        for (int i = 0; i < parts.length; i++) {
            if (i > 0 && parts[i - 1].high > parts[i].low || !areApart(parts[i])) {
                return false;
            }
        }
        return true;
    }

    /** Which loop is inside which does not matter for what a nest touches, so the narrowest is taken first. */
    private static boolean levelsAreApart(CopyProgram nest) {
        long[][] levels = new long[4][];
        int depth = 0;
        CopyProgram inner = nest;
        while (inner instanceof Loop loop) {
            levels = depth + 1 < levels.length ? levels : Arrays.copyOf(levels, 2 * depth);
            levels[depth++] = new long[] {Math.abs(loop.stride), loop.count};
            inner = loop.body;
        }
        long span = inner.high - inner.low;
        if (inner instanceof Strided strided) {
            levels[depth++] = new long[] {Math.abs(strided.stride), strided.count};
            span = strided.block;
        } else if (!areApart(inner)) {
            return false;
        }
        Arrays.sort(levels, 0, depth, Comparator.comparingLong(level -> level[0]));
        for (int i = 0; i < depth; i++) {
            if (levels[i][1] > 1 && levels[i][0] < span) {
                return false;
            }
            span += (levels[i][1] - 1) * levels[i][0];
        }
        return true;
    }

    private static boolean marksTwice(CopyProgram program) {
        long grain = Math.max(1, Long.lowestOneBit(program.bits));
        long places = (program.high - program.low) / grain;
        if (places > Integer.MAX_VALUE) {
            return false;
        }
        BitSet marks = new BitSet((int) places);
        boolean[] twice = {false};
        program.visit(-program.low, (at, bytes) -> {
            int from = (int) (at / grain);
            int to = (int) ((at + bytes) / grain);
            int marked = marks.nextSetBit(from);
            twice[0] |= marked >= 0 && marked < to;
            marks.set(from, to);
        });
        return twice[0];
    }
}
