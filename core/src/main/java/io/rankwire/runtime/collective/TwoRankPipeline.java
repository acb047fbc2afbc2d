package io.rankwire.runtime.collective;

import io.rankwire.RankwireException;
import io.rankwire.collective.Cost;
import io.rankwire.memory.Words;
import io.rankwire.runtime.Endpoint;
import io.rankwire.type.Copy;
import java.lang.foreign.MemorySegment;

/**
 * Large calls of two ranks through wide shared memory, piece by piece, where one of them gives or takes arrays of the
 * heap: no other process can reach those, so all is copied twice, and this is the shortest way to do it. Both work in
 * step, on pieces that stay in a near cache, and what is to be combined is so as it is read.
 *
 * <pre>
 *   arrays here?   give piece 1, meet, take piece 1   give piece 2 (in the other room), meet, take piece 2   ...
 * </pre>
 *
 * <p>Memory outside the heap can be read by the other rank itself, in one copy: such calls are left to messages.
 */
public final class TwoRankPipeline {
    private final Endpoint on;
    private final int rank;
    private final SharedSlots slots;

    public TwoRankPipeline(Endpoint on, SharedSlots slots) {
        this.on = on;
        this.rank = on.rank();
        this.slots = slots;
    }

    /** The calls of two ranks that are too large for {@link SharedCollectives}. */
    static boolean serves(Shape shape) {
        return shape.size() == 2 && SharedCollectives.gives(shape) > SharedSlots.WIDE
                && !SharedCollectives.isInOrderOfTrees(shape) && switch (shape.kind()) {
                    case ALLGATHER, ALLTOALL, ALLREDUCE -> piece(shape) > 0;
                    default -> false;
                };
    }

    /** What the model says that a call costs. */
    static double costNs(Cost cost, Shape shape) {
        return Cost.pieces(cost, shape.bytes(), piece(shape), shape.op() != null);
    }

    /** Bytes of a piece: whole groups of elements where they are combined. */
    private static long piece(Shape shape) {
        return SharedSlots.WIDE / shape.unit() * shape.unit();
    }

    /** Makes a call, unless no rank has arrays: then it returns false, on both. */
    public boolean run(Collective made, int callTag) {
        if (!areThereArrays(made, callTag)) {
            return false;
        }
        Shape shape = made.shape;
        boolean inPlace = shape.inPlace();
        Object from = inPlace ? made.output : made.input;
        long fromAt = inPlace ? made.outputAt : made.inputAt;
        long bytes = shape.bytes();
        long own = rank * bytes;
        long others = (1 - rank) * bytes;
        switch (shape.kind()) {
            case ALLGATHER -> exchange(
                    made, callTag, from, inPlace ? fromAt + own : fromAt, made.inputAt, made.outputAt + others);
            case ALLTOALL -> exchange(
                    made, callTag, from, fromAt + others, made.inputAt + own, made.outputAt + others);
            case ALLREDUCE -> combine(made, callTag, from, fromAt);
            default -> throw new AssertionError(shape);
        }
        return true;
    }

    private boolean areThereArrays(Collective made, int callTag) {
        slots.begin(made, callTag, false);
        long here = isArray(made.input) || isArray(made.output) ? 1 : 0;
        Words.storeUnaligned(slots.memory(), slots.given(rank), here);
        slots.arrive();
        slots.awaitAll();
        return (here | Words.loadUnaligned(slots.memory(), slots.given(1 - rank))) != 0;
    }

    private static boolean isArray(Object buffer) {
        return buffer != null && !(buffer instanceof MemorySegment segment && segment.isNative());
    }

    /**
     * @param keptAt where in the input the block lies that stays here
     * @param takenAt where in the output that of the other rank goes
     */
    private void exchange(Collective made, int callTag, Object from, long fromAt, long keptAt, long takenAt) {
        long bytes = made.shape.bytes();
        boolean keeps = !made.shape.inPlace();
        for (long at = 0; at < bytes; at += SharedSlots.WIDE) {
            int length = (int) Math.min(SharedSlots.WIDE, bytes - at);
            give(made, callTag, from, fromAt + at, length);
            if (keeps) {
                Copy.between(made.input, keptAt + at, made.output, made.outputAt + rank * bytes + at, length);
            }
            slots.awaitAll();
            Copy.in(slots.memory(), slots.given(1 - rank), made.output, takenAt + at, length);
        }
    }

    private void combine(Collective made, int callTag, Object from, long fromAt) {
        long bytes = made.shape.bytes();
        long piece = piece(made.shape);
        // Both ranks make all steps, also when an operation has thrown something: the next call begins behind them.
        Throwable thrown = null;
        RankwireException spoiled = null;
        for (long at = 0; at < bytes; at += piece) {
            int length = (int) Math.min(piece, bytes - at);
            slots.begin(made, callTag, true);
            Copy.out(from, fromAt + at, slots.memory(), slots.given(rank), length);
            if (thrown != null) {
                slots.spoil(thrown);
            }
            slots.arrive();
            slots.awaitAll();
            spoiled = spoiled != null ? spoiled : slots.spoiled();
            if (thrown != null || spoiled != null) {
                continue;
            }
            MemorySegment memory = slots.memory();
            long given = slots.given(1 - rank);
            try {
                if (rank == 0) {
                    made.combination().combine(
                            from, fromAt + at, memory, given, made.output, made.outputAt + at, length);
                } else {
                    made.combination().combine(
                            memory, given, from, fromAt + at, made.output, made.outputAt + at, length);
                }
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
        }
        if (thrown != null || spoiled != null) {
            throw thrown != null ? Mismatch.threw(on, made.call, made.shape.op(), thrown) : spoiled;
        }
    }

    private void give(Collective made, int callTag, Object from, long at, int length) {
        slots.begin(made, callTag, true);
        Copy.out(from, at, slots.memory(), slots.given(rank), length);
        slots.arrive();
    }
}
