package io.rankwire.runtime.collective;

import io.rankwire.RankwireException;
import io.rankwire.collective.Cost;
import io.rankwire.memory.MeetingLines;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.type.Combination;
import io.rankwire.type.Copy;

/**
 * Small collective calls of ranks that share memory, without messages: each rank writes what it gives into its own
 * lines and reads those of the others, so that a call is one crossing of lines, or two, whatever the number of ranks.
 * Only calls that return when they are done come here; the others go on without their caller, and need the device.
 *
 * <pre>
 *   up to 1 KiB   give, arrive                    wait for those whose lines are needed, read them
 *   up to 64 KiB  give (in wide memory), arrive   the same
 *     combined    give, arrive, wait for all      combine one part of all vectors, arrive again, read all parts
 *   beyond        of two ranks alone: see TwoRankPipeline
 * </pre>
 */
public final class SharedCollectives {
    private final Endpoint on;
    private final int rank;
    private final int size;
    public final SharedSlots slots;
    private final TwoRankPipeline pipeline;
    private Collective call;
    /** Bytes that a rank gives in this call. */
    private long gives;
    /** What the call's operation has thrown, or null. All steps are made all the same: others count on them. */
    private Throwable thrown;

    public SharedCollectives(Endpoint on) {
        this.on = on;
        this.rank = on.rank();
        this.size = on.size();
        this.slots = new SharedSlots(on);
        this.pipeline = new TwoRankPipeline(on, slots);
    }

    /** The calls that are small enough. */
    static boolean serves(Shape shape) {
        return shape.size() > 1 && gives(shape) <= SharedSlots.WIDE && !isInOrderOfTrees(shape);
    }

    /** What the model says that a call costs. */
    static double costNs(Cost cost, Shape shape) {
        return Cost.lines(cost, shape.size(), gives(shape), shape.op() != null);
    }

    /** Whether a call must combine in the order that all its algorithms with messages have. */
    static boolean isInOrderOfTrees(Shape shape) {
        return shape.op() != null && shape.op().isReproducible();
    }

    /** Bytes that a rank gives at most. */
    static long gives(Shape shape) {
        return switch (shape.kind()) {
            case BARRIER -> 0;
            case BROADCAST, GATHER, ALLGATHER, REDUCE, ALLREDUCE, SCAN, EXSCAN -> shape.bytes();
            case SCATTER, ALLTOALL, REDUCE_SCATTER_BLOCK -> shape.bytes() * shape.size();
            default -> Long.MAX_VALUE;
        };
    }

    TwoRankPipeline pipeline() {
        return pipeline;
    }

    /** Makes a call; the caller has the lock. */
    boolean run(Collective made, int callTag) {
        if (call != made) {
            call = made;
            gives = gives(made.shape);
        }
        runWhole(made, callTag);
        if (thrown != null) {
            throw failed();
        }
        return true;
    }

    private RankwireException failed() {
        Throwable cause = thrown;
        thrown = null;
        return Mismatch.threw(on, call.call, call.shape.op(), cause);
    }

    private void runWhole(Collective made, int callTag) {
        Shape shape = made.shape;
        slots.begin(made, callTag, gives > MeetingLines.ROOM);
        long bytes = shape.bytes();
        switch (shape.kind()) {
            case BARRIER -> {
                slots.arrive();
                slots.awaitAll();
            }
            case BROADCAST -> {
                if (rank == shape.root()) {
                    give(made.output, made.outputAt, bytes);
                    slots.arrive();
                } else {
                    slots.arrive();
                    slots.await(shape.root(), shape.root() + 1);
                    take(shape.root(), 0, 0, bytes);
                }
            }
            case GATHER -> gather(shape, bytes);
            case SCATTER -> scatter(shape, bytes);
            case ALLGATHER -> {
                giveVector(shape, (long) rank * bytes, bytes);
                slots.arrive();
                keep(shape, 0, bytes);
                slots.awaitAll();
                takeOthers(0, bytes);
            }
            case ALLTOALL -> {
                Object from = shape.inPlace() ? made.output : made.input;
                long at = shape.inPlace() ? made.outputAt : made.inputAt;
                give(from, at, 0, rank * bytes);
                give(from, at, (rank + 1) * bytes, size * bytes);
                slots.arrive();
                keep(shape, rank * bytes, bytes);
                slots.awaitAll();
                takeOthers(rank * bytes, bytes);
            }
            case REDUCE, ALLREDUCE -> reduce(shape, bytes);
            case REDUCE_SCATTER_BLOCK -> {
                giveVector(shape, 0, bytes * size);
                slots.arrive();
                slots.awaitAll();
                fold(size, rank * bytes, made.output, made.outputAt, bytes);
            }
            case SCAN, EXSCAN -> {
                int count = shape.kind() == Kind.SCAN ? rank + 1 : rank;
                giveVector(shape, 0, bytes);
                slots.arrive();
                slots.await(0, count);
                if (count > 0) {
                    fold(count, 0, made.output, made.outputAt, bytes);
                }
            }
            default -> throw new AssertionError(shape);
        }
    }

    private void gather(Shape shape, long bytes) {
        boolean atRoot = rank == shape.root();
        if (!atRoot) {
            give(call.input, call.inputAt, bytes);
            slots.arrive();
            return;
        }
        slots.arrive();
        keep(shape, 0, bytes);
        slots.awaitAll();
        takeOthers(0, bytes);
    }

    /** The block of this rank for itself, while the others are on their way. */
    private void keep(Shape shape, long part, long bytes) {
        if (!shape.inPlace()) {
            Copy.between(call.input, call.inputAt + part, call.output, call.outputAt + rank * bytes, bytes);
        }
    }

    private void takeOthers(long part, long bytes) {
        for (int r = 0; r < size; r++) {
            if (r != rank) {
                take(r, part, r * bytes, bytes);
            }
        }
    }

    private void scatter(Shape shape, long bytes) {
        int root = shape.root();
        if (rank != root) {
            slots.arrive();
            slots.await(root, root + 1);
            take(root, rank * bytes, 0, bytes);
            return;
        }
        give(call.input, call.inputAt, bytes * size);
        slots.arrive();
        if (!shape.inPlace()) {
            take(root, rank * bytes, 0, bytes);
        }
    }

    private void reduce(Shape shape, long bytes) {
        boolean takes = shape.kind() == Kind.ALLREDUCE || rank == shape.root();
        if (slots.isWide()) {
            reduceInParts(shape, bytes, takes);
            return;
        }
        giveVector(shape, 0, bytes);
        slots.arrive();
        if (takes) {
            slots.awaitAll();
            fold(size, 0, call.output, call.outputAt, bytes);
        }
    }

    /** Each rank combines one part of all vectors into the place of that part of its own, which no other rank reads. */
    private void reduceInParts(Shape shape, long bytes, boolean takes) {
        long unit = (long) shape.type().bytes() * shape.op().group();
        long units = bytes / unit;
        long from = units * rank / size * unit;
        long to = units * (rank + 1) / size * unit;
        if (shape.inPlace()) {
            give(call.output, call.outputAt, 0, bytes);
        } else {
            give(call.input, call.inputAt, 0, from);
            give(call.input, call.inputAt, to, bytes);
        }
        slots.arrive();
        slots.awaitAll();
        Object target = takes ? call.output : call.scratch(bytes / size + unit);
        long targetAt = takes ? call.outputAt : -from;
        if (to > from) {
            fold(size, from, target, targetAt + from, to - from);
            give(target, targetAt, from, to);
        }
        slots.again();
        if (thrown != null) {
            slots.spoil(thrown);
        }
        slots.arrive();
        if (takes) {
            slots.awaitAll();
            if (thrown == null && slots.spoiled() != null) {
                throw slots.spoiled();
            }
            for (int r = 0; r < size; r++) {
                long at = units * r / size * unit;
                if (r != rank) {
                    take(r, at, at, units * (r + 1) / size * unit - at);
                }
            }
        }
    }

    private void give(Object from, long at, long bytes) {
        give(from, at, 0, bytes);
    }

    /** A part of what this rank gives, from that part of a buffer. */
    private void give(Object from, long at, long part, long partEnd) {
        Copy.out(from, at + part, slots.memory(), slots.given(rank) + part, (int) (partEnd - part));
    }

    /** From the buffer that is read, or from a part of the other one. */
    private void giveVector(Shape shape, long part, long bytes) {
        if (shape.inPlace()) {
            give(call.output, call.outputAt + part, bytes);
        } else {
            give(call.input, call.inputAt, bytes);
        }
    }

    private void take(int from, long part, long to, long bytes) {
        Copy.in(slots.memory(), slots.given(from) + part, call.output, call.outputAt + to, (int) bytes);
    }

    /** Combines a part of what the first ranks have given, in their order. */
    private void fold(int count, long part, Object target, long targetAt, long bytes) {
        if (count == 1) {
            Copy.in(slots.memory(), slots.given(0) + part, target, targetAt, (int) bytes);
            return;
        }
        Combination combination = call.combination();
        try {
            combination.combine(
                    operand(0), operandAt(0, part), operand(1), operandAt(1, part), target, targetAt, bytes);
            for (int r = 2; r < count; r++) {
                combination.combine(target, targetAt, operand(r), operandAt(r, part), target, targetAt, bytes);
            }
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
    }

    /** Its own part a rank need not read from its lines, unless it may be overwritten. */
    private Object operand(int of) {
        return of == rank && !call.shape.inPlace() ? call.input : slots.memory();
    }

    private long operandAt(int of, long part) {
        return part + (of == rank && !call.shape.inPlace() ? call.inputAt : slots.given(of));
    }
}
