package io.rankwire.runtime;

import io.rankwire.RankwireException;
import io.rankwire.collective.Cost;
import io.rankwire.memory.MeetingLines;
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
 *   beyond        of two ranks alone: see PairCalls
 * </pre>
 */
public final class LineCalls {
    private final Endpoint on;
    private final int rank;
    private final int size;
    public final Meeting meeting;
    private final PairCalls pairs;
    private Collective call;
    /** Bytes that a rank gives in this call. */
    private long gives;
    /** What the call's operation has thrown, or null. All steps are made all the same: others count on them. */
    private Throwable thrown;

    public LineCalls(Endpoint on) {
        this.on = on;
        this.rank = on.rank();
        this.size = on.size();
        this.meeting = new Meeting(on);
        this.pairs = new PairCalls(on, meeting);
    }

    /** What the model says that a call of this shape costs here; infinitely much when it cannot be made so. */
    public static double costNs(Shape shape, int size, Cost cost) {
        long give = gives(shape, size);
        boolean asInTrees = shape.op() != null && shape.op().isReproducible();
        if (size == 1 || asInTrees) {
            return Double.POSITIVE_INFINITY;
        }
        return give > Meeting.WIDE
                ? PairCalls.costNs(shape, size, cost) : Cost.lines(cost, size, give, shape.op() != null);
    }

    /** Bytes that a rank gives at most. */
    private static long gives(Shape shape, int size) {
        return switch (shape.kind()) {
            case BARRIER -> 0;
            case BROADCAST, GATHER, ALLGATHER, REDUCE, ALLREDUCE, SCAN, EXSCAN -> shape.bytes();
            case SCATTER, ALLTOALL, REDUCE_SCATTER_BLOCK -> shape.bytes() * size;
            default -> Long.MAX_VALUE;
        };
    }

    /** Makes a call, or returns false if all ranks had better make it with messages; the caller has the lock. */
    public boolean run(Collective made, int callTag) {
        if (call != made) {
            call = made;
            gives = gives(made.shape, size);
        }
        if (gives > Meeting.WIDE) {
            return pairs.run(made, callTag);
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
        return CollectiveMismatch.threw(on, call.call, call.shape.op(), cause);
    }

    private void runWhole(Collective made, int callTag) {
        Shape shape = made.shape;
        meeting.begin(made, callTag, gives > MeetingLines.ROOM);
        long bytes = shape.bytes();
        switch (shape.kind()) {
            case BARRIER -> {
                meeting.arrive();
                meeting.awaitAll();
            }
            case BROADCAST -> {
                if (rank == shape.root()) {
                    give(made.output, made.outputAt, bytes);
                    meeting.arrive();
                } else {
                    meeting.arrive();
                    meeting.await(shape.root(), shape.root() + 1);
                    take(shape.root(), 0, 0, bytes);
                }
            }
            case GATHER -> gather(shape, bytes);
            case SCATTER -> scatter(shape, bytes);
            case ALLGATHER -> {
                giveVector(shape, (long) rank * bytes, bytes);
                meeting.arrive();
                keep(shape, 0, bytes);
                meeting.awaitAll();
                takeOthers(0, bytes);
            }
            case ALLTOALL -> {
                Object from = shape.inPlace() ? made.output : made.input;
                long at = shape.inPlace() ? made.outputAt : made.inputAt;
                give(from, at, 0, rank * bytes);
                give(from, at, (rank + 1) * bytes, size * bytes);
                meeting.arrive();
                keep(shape, rank * bytes, bytes);
                meeting.awaitAll();
                takeOthers(rank * bytes, bytes);
            }
            case REDUCE, ALLREDUCE -> reduce(shape, bytes);
            case REDUCE_SCATTER_BLOCK -> {
                giveVector(shape, 0, bytes * size);
                meeting.arrive();
                meeting.awaitAll();
                fold(size, rank * bytes, made.output, made.outputAt, bytes);
            }
            case SCAN, EXSCAN -> {
                int count = shape.kind() == CollectiveKind.SCAN ? rank + 1 : rank;
                giveVector(shape, 0, bytes);
                meeting.arrive();
                meeting.await(0, count);
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
            meeting.arrive();
            return;
        }
        meeting.arrive();
        keep(shape, 0, bytes);
        meeting.awaitAll();
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
            meeting.arrive();
            meeting.await(root, root + 1);
            take(root, rank * bytes, 0, bytes);
            return;
        }
        give(call.input, call.inputAt, bytes * size);
        meeting.arrive();
        if (!shape.inPlace()) {
            take(root, rank * bytes, 0, bytes);
        }
    }

    private void reduce(Shape shape, long bytes) {
        boolean takes = shape.kind() == CollectiveKind.ALLREDUCE || rank == shape.root();
        if (meeting.isWide()) {
            reduceInParts(shape, bytes, takes);
            return;
        }
        giveVector(shape, 0, bytes);
        meeting.arrive();
        if (takes) {
            meeting.awaitAll();
            fold(size, 0, call.output, call.outputAt, bytes);
        }
    }

    /** Each rank combines one part of all vectors, into the place of that part of its own: nobody else reads it. */
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
        meeting.arrive();
        meeting.awaitAll();
        Object target = takes ? call.output : call.scratch(bytes / size + unit);
        long targetAt = takes ? call.outputAt : -from;
        if (to > from) {
            fold(size, from, target, targetAt + from, to - from);
            give(target, targetAt, from, to);
        }
        meeting.again();
        if (thrown != null) {
            meeting.spoil(thrown);
        }
        meeting.arrive();
        if (takes) {
            meeting.awaitAll();
            if (thrown == null && meeting.spoiled() != null) {
                throw meeting.spoiled();
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
        Copy.out(from, at + part, meeting.memory(), meeting.given(rank) + part, (int) (partEnd - part));
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
        Copy.in(meeting.memory(), meeting.given(from) + part, call.output, call.outputAt + to, (int) bytes);
    }

    /** Combines a part of what the first ranks have given, in their order. */
    private void fold(int count, long part, Object target, long targetAt, long bytes) {
        if (count == 1) {
            Copy.in(meeting.memory(), meeting.given(0) + part, target, targetAt, (int) bytes);
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
        return of == rank && !call.shape.inPlace() ? call.input : meeting.memory();
    }

    private long operandAt(int of, long part) {
        return part + (of == rank && !call.shape.inPlace() ? call.inputAt : meeting.given(of));
    }
}
