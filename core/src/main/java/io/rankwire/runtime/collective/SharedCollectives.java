package io.rankwire.runtime.collective;

import io.rankwire.RankwireException;
import io.rankwire.collective.Cost;
import io.rankwire.memory.MeetingLines;
import io.rankwire.memory.Words;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.type.Combination;
import io.rankwire.type.Copy;
import java.lang.foreign.MemorySegment;

/**
 * Collective calls of ranks that share memory, without messages: each rank writes what it gives into its own memory and
 * reads that of the others, so that a call is one crossing of lines, or two, whatever the number of ranks. Only calls
 * that return when they are done come here; the others go on without their caller, and need the device.
 *
 * <pre>
 *   up to 1 KiB   give, arrive                    wait for those whose lines are needed, read them
 *   one piece     give (in wide memory), arrive   the same
 *     combined    give, arrive, wait for all      combine one part of all vectors, arrive again, read all parts
 *   beyond        the same for piece after piece, each in the next room of the wide memory
 * </pre>
 *
 * <p>The longest piece depends on the number of ranks ({@link SharedSlots#wide}). What a rank has for itself it copies
 * from its input to its output, and not through shared memory, except where it is combined.
 *
 * <p>Memory outside the heap can be read by the other ranks themselves, in one copy: long calls in which no rank has an
 * array of the heap are left to messages.
 */
public final class SharedCollectives {
    /** Where one rank writes and others only read: the next piece is written while the one before is read. */
    private static final long LEAST_PIECE = 16 << 10;
    private static final int FEW_PIECES = 4;
    /** Bytes that a rank gives: from here on it matters which memory they are in. */
    private static final long LONG = 64 << 10;
    /** Writes of fewer bytes are not measured. */
    private static final long MEASURED = 8 << 10;
    /** Pieces begin on lines. */
    private static final int LINE = 64;

    private final Endpoint on;
    private final int rank;
    private final int size;
    public final SharedSlots slots;
    private Collective call;
    /** Bytes that a rank gives in a piece of this call, if they need wide memory; else 0. */
    private long wide;
    /** Whether messages are better for this call if no rank has an array of the heap. */
    private boolean isLong;
    /** Most bytes of a block in one piece. */
    private long piece;
    /** The piece that is under way: where it begins in each block, and its bytes. */
    private long at;
    private long bytes;
    /** What the call's operation has thrown, or null. All steps are made all the same: others count on them. */
    private Throwable thrown;
    /** The error of this call because of an operation on another rank, or null. */
    private RankwireException spoiled;

    public SharedCollectives(Endpoint on) {
        this.on = on;
        this.rank = on.rank();
        this.size = on.size();
        this.slots = new SharedSlots(on);
    }

    /** The calls that can be made here. */
    static boolean serves(Shape shape) {
        return shape.size() > 1 && blocks(shape) > 0 && !isInOrderOfTrees(shape)
                && (piece(shape) > 0 || shape.bytes() == 0);
    }

    /** What the model says that a call costs. */
    static double costNs(Cost cost, Shape shape) {
        long others = (shape.size() - 1) * shape.bytes();
        long takes = shape.kind() == Kind.BROADCAST || shape.kind() == Kind.SCATTER ? shape.bytes() : others;
        return Cost.lines(
                cost, shape.size(), gives(shape), takes, piece(shape) * blocks(shape), shape.op() != null);
    }

    /** Whether a call must combine in the order that all its algorithms with messages have. */
    static boolean isInOrderOfTrees(Shape shape) {
        return shape.op() != null && shape.op().isReproducible();
    }

    /** Blocks that a rank gives at most; 0 for calls that cannot be made here. */
    private static int blocks(Shape shape) {
        return switch (shape.kind()) {
            case BARRIER, BROADCAST, GATHER, ALLGATHER, REDUCE, ALLREDUCE, SCAN, EXSCAN -> 1;
            case SCATTER, ALLTOALL -> shape.size() - 1;
            case REDUCE_SCATTER_BLOCK -> shape.size();
            default -> 0;
        };
    }

    /** Bytes that a rank gives at most. */
    private static long gives(Shape shape) {
        return shape.bytes() * blocks(shape);
    }

    /** Most bytes of a block in one piece: whole groups of elements where they are combined. */
    private static long piece(Shape shape) {
        long room = SharedSlots.wide(shape.size()) / blocks(shape);
        boolean oneWay = switch (shape.kind()) {
            case BROADCAST, GATHER, SCATTER -> true;
            default -> false;
        };
        long wanted = oneWay ? Math.clamp(shape.bytes() / FEW_PIECES, Math.min(LEAST_PIECE, room), room) : room;
        if (shape.bytes() <= wanted) {
            return shape.bytes();
        }
        long grain = shape.op() == null ? LINE : shape.unit();
        long most = wanted / grain;
        if (most == 0) {
            return 0;
        }
        // As few as can be, and all of a length.
        long grains = (shape.bytes() + grain - 1) / grain;
        long pieces = (grains + most - 1) / most;
        return (grains + pieces - 1) / pieces * grain;
    }

    /** Makes a call; the caller has the lock. Returns false if all ranks had better make it with messages. */
    boolean run(Collective made, int callTag) {
        Shape shape = made.shape;
        if (call != made) {
            call = made;
            piece = piece(shape);
            wide = gives(shape) > MeetingLines.ROOM ? piece * blocks(shape) : 0;
            isLong = gives(shape) > Math.min(LONG, SharedSlots.wide(size));
        }
        if (isLong && !areThereArrays(shape, callTag)) {
            return false;
        }
        at = 0;
        do {
            bytes = Math.min(piece, shape.bytes() - at);
            runPiece(shape, callTag);
            at += piece;
        } while (at < shape.bytes());
        if (thrown != null || spoiled != null) {
            throw failed();
        }
        return true;
    }

    private RankwireException failed() {
        Throwable cause = thrown;
        RankwireException ofAnother = spoiled;
        thrown = null;
        spoiled = null;
        return cause == null ? ofAnother : Mismatch.threw(on, call.call, call.shape.op(), cause);
    }

    /**
     * Whether an array of the heap is among the buffers: those of the root if it alone gives data, else those of all
     * ranks. A rank that has one need not wait for the others to know it.
     */
    private boolean areThereArrays(Shape shape, int callTag) {
        slots.begin(call, callTag, 0);
        long here = isArray(call.input) || isArray(call.output) ? 1 : 0;
        Words.storeUnaligned(slots.memory(), slots.given(rank), here);
        slots.arrive();
        boolean rootGives = shape.kind() == Kind.BROADCAST || shape.kind() == Kind.SCATTER;
        if (here != 0 && (!rootGives || rank == shape.root())) {
            return true;
        }
        int from = rootGives ? shape.root() : 0;
        int to = rootGives ? shape.root() + 1 : size;
        slots.await(from, to);
        long there = 0;
        for (int r = from; r < to; r++) {
            there |= Words.loadUnaligned(slots.memory(), slots.given(r));
        }
        return there != 0;
    }

    private static boolean isArray(Object buffer) {
        return buffer != null && !(buffer instanceof MemorySegment segment && segment.isNative());
    }

    private void runPiece(Shape shape, int callTag) {
        slots.begin(call, callTag, wide);
        switch (shape.kind()) {
            case BARRIER -> {
                slots.arrive();
                slots.awaitAll();
            }
            case BROADCAST -> {
                if (rank == shape.root()) {
                    give(call.output, call.outputAt + at, 0, bytes);
                    slots.arrive();
                } else {
                    slots.arrive();
                    slots.await(shape.root(), shape.root() + 1);
                    take(shape.root(), 0, at, bytes);
                }
            }
            case GATHER -> gather(shape);
            case SCATTER -> scatter(shape);
            case ALLGATHER -> {
                giveOwn(shape, rank * shape.bytes());
                slots.arrive();
                keep(shape, 0);
                slots.awaitAll();
                takeOthers(shape, false);
            }
            case ALLTOALL -> {
                giveBlocks(shape, rank);
                slots.arrive();
                keep(shape, rank * shape.bytes());
                slots.awaitAll();
                takeOthers(shape, true);
            }
            case REDUCE, ALLREDUCE -> reduce(shape);
            case REDUCE_SCATTER_BLOCK -> {
                giveBlocks(shape, -1);
                slots.arrive();
                slots.awaitAll();
                fold(size, rank * bytes, rank * shape.bytes() + at, call.output, call.outputAt + at, bytes);
            }
            case SCAN, EXSCAN -> {
                int count = shape.kind() == Kind.SCAN ? rank + 1 : rank;
                giveOwn(shape, 0);
                slots.arrive();
                slots.await(0, count);
                if (count > 0) {
                    fold(count, 0, at, call.output, call.outputAt + at, bytes);
                }
            }
            default -> throw new AssertionError(shape);
        }
    }

    private void gather(Shape shape) {
        if (rank != shape.root()) {
            give(call.input, call.inputAt + at, 0, bytes);
            slots.arrive();
            return;
        }
        slots.arrive();
        keep(shape, 0);
        slots.awaitAll();
        takeOthers(shape, false);
    }

    /** The block of this rank for itself, while the others are on their way. */
    private void keep(Shape shape, long block) {
        if (!shape.inPlace()) {
            Copy.between(call.input, call.inputAt + block + at, call.output, call.outputAt + rank * shape.bytes() + at,
                    bytes);
        }
    }

    /**
     * @param blocks whether each rank gives one block for each other rank; else one for all
     */
    private void takeOthers(Shape shape, boolean blocks) {
        for (int i = 1; i < size; i++) {
            int r = rank + i < size ? rank + i : rank + i - size;
            take(r, blocks ? place(rank, r) * bytes : 0, r * shape.bytes() + at, bytes);
        }
    }

    /** Where the block for a rank is among those that another gives, which has none for itself there. */
    private static long place(int of, int giver) {
        return of < giver ? of : of - 1;
    }

    private void scatter(Shape shape) {
        int root = shape.root();
        if (rank != root) {
            slots.arrive();
            slots.await(root, root + 1);
            take(root, place(rank, root) * bytes, at, bytes);
            return;
        }
        giveBlocks(shape, root);
        slots.arrive();
        if (!shape.inPlace()) {
            Copy.between(
                    call.input, call.inputAt + rank * shape.bytes() + at, call.output, call.outputAt + at, bytes);
        }
    }

    private void reduce(Shape shape) {
        boolean takes = shape.kind() == Kind.ALLREDUCE || rank == shape.root();
        if (slots.isWide() && size > 2) {
            reduceInParts(shape, takes);
            return;
        }
        giveOwn(shape, 0);
        if (thrown != null && slots.isWide()) {
            slots.spoil(thrown);
        }
        slots.arrive();
        if (takes) {
            slots.awaitAll();
            if (isWhole()) {
                fold(size, 0, at, call.output, call.outputAt + at, bytes);
            }
        }
    }

    /** Whether no operation has failed in this call, as far as is known here. */
    private boolean isWhole() {
        if (spoiled == null && slots.spoiled() != null) {
            spoiled = slots.spoiled();
        }
        return thrown == null && spoiled == null;
    }

    /** Each rank combines one part of all vectors into the place of that part of its own, which no other rank reads. */
    private void reduceInParts(Shape shape, boolean takes) {
        long unit = shape.unit();
        long units = bytes / unit;
        long from = units * rank / size * unit;
        long to = units * (rank + 1) / size * unit;
        if (shape.inPlace()) {
            give(call.output, call.outputAt + at, 0, bytes);
        } else {
            give(call.input, call.inputAt + at, 0, from);
            give(call.input, call.inputAt + at, to, bytes);
        }
        slots.arrive();
        slots.awaitAll();
        Object target = takes ? call.output : call.scratch(bytes / size + unit);
        long targetAt = takes ? call.outputAt + at : -from;
        if (to > from && isWhole()) {
            fold(size, from, at + from, target, targetAt + from, to - from);
            give(target, targetAt, from, to);
        }
        slots.again();
        if (thrown != null) {
            slots.spoil(thrown);
        }
        slots.arrive();
        if (takes) {
            slots.awaitAll();
            for (int r = 0; r < size && isWhole(); r++) {
                long part = units * r / size * unit;
                if (r != rank) {
                    take(r, part, at + part, units * (r + 1) / size * unit - part);
                }
            }
        }
    }

    /** A part of what this rank gives, from that part of a buffer. */
    private void give(Object from, long start, long part, long partEnd) {
        long count = partEnd - part;
        boolean isMeasured = count >= MEASURED;
        long began = isMeasured ? System.nanoTime() : 0;
        Copy.out(from, start + part, slots.memory(), slots.given(rank) + part, (int) count);
        if (isMeasured) {
            slots.gave(System.nanoTime() - began, count);
        }
    }

    /**
     * The piece of the one block that this rank gives.
     *
     * @param inOutput where that block is in the output, if it is in its place already
     */
    private void giveOwn(Shape shape, long inOutput) {
        if (shape.inPlace()) {
            give(call.output, call.outputAt + inOutput + at, 0, bytes);
        } else {
            give(call.input, call.inputAt + at, 0, bytes);
        }
    }

    /** The pieces of all blocks that this rank gives but one, one behind another. */
    private void giveBlocks(Shape shape, int without) {
        boolean inOutput = shape.inPlace() && shape.kind() != Kind.SCATTER;
        Object from = inOutput ? call.output : call.input;
        long start = (inOutput ? call.outputAt : call.inputAt) + at;
        if (bytes == shape.bytes()) {
            // The blocks lie one behind another already.
            long end = (without < 0 ? size : without) * bytes;
            give(from, start, 0, end);
            if (without >= 0) {
                give(from, start + bytes, end, (size - 1) * bytes);
            }
            return;
        }
        long to = 0;
        for (int r = 0; r < size; r++) {
            if (r != without) {
                give(from, start + r * shape.bytes() - to, to, to + bytes);
                to += bytes;
            }
        }
    }

    private void take(int from, long part, long to, long count) {
        Copy.in(slots.memory(), slots.given(from) + part, call.output, call.outputAt + to, (int) count);
        if (slots.isWide() && hasOneReader()) {
            slots.taken(from, part, count);
        }
    }

    /** Whether a part that this rank takes from another is read by no other rank, nor by its owner. */
    private boolean hasOneReader() {
        return switch (call.shape.kind()) {
            case GATHER, SCATTER, ALLTOALL -> true;
            default -> size == 2;
        };
    }

    /**
     * Combines a part of what the first ranks have given, in their order.
     *
     * @param own where that part is in the input of this rank
     */
    private void fold(int count, long part, long own, Object target, long targetAt, long length) {
        if (count == 1) {
            Copy.in(slots.memory(), slots.given(0) + part, target, targetAt, (int) length);
            return;
        }
        Combination combination = call.combination();
        try {
            combination.combine(operand(0), operandAt(0, part, own), operand(1), operandAt(1, part, own), target,
                    targetAt, length);
            for (int r = 2; r < count; r++) {
                combination.combine(target, targetAt, operand(r), operandAt(r, part, own), target, targetAt, length);
            }
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        for (int r = 0; r < count && slots.isWide() && combinesAlone(); r++) {
            if (r != rank) {
                slots.taken(r, part, length);
            }
        }
    }

    /**
     * Whether what this rank combines of another is read by no other rank, nor by its owner: of two ranks, each may
     * read its own.
     */
    private boolean combinesAlone() {
        return switch (call.shape.kind()) {
            case ALLREDUCE, REDUCE -> size > 2;
            case REDUCE_SCATTER_BLOCK -> true;
            default -> false;
        };
    }

    /** Its own part a rank need not read from its lines, unless it may be overwritten. */
    private Object operand(int of) {
        return of == rank && !call.shape.inPlace() ? call.input : slots.memory();
    }

    private long operandAt(int of, long part, long own) {
        return of == rank && !call.shape.inPlace() ? own + call.inputAt : part + slots.given(of);
    }
}
