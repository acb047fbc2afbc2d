package io.rankwire;

import io.rankwire.collective.Cost;
import io.rankwire.memory.MeetingLines;
import io.rankwire.memory.Words;
import io.rankwire.type.Combination;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * Small collective calls of ranks that share memory, without messages: each rank writes what it gives into its own
 * lines and reads those of the others, so that a call is one crossing of lines, or two, whatever the number of ranks.
 * Only calls that return when they are done come here; the others go on without their caller, and need the device.
 *
 * <pre>
 *   up to 1 KiB   give, arrive                    wait for those whose lines are needed, read them
 *   up to 64 KiB  give (in wide memory), arrive   the same
 *     combined    give, arrive, wait for all      combine one part of all vectors, arrive again, read all parts
 * </pre>
 *
 * The word of a step holds tag and element type of its call, and beside it is the signature of the shape: ranks that
 * make different calls are told apart at the first look.
 */
final class LineCalls implements BooleanSupplier, Host.Waiting {
    private static final int DEPTH = MeetingLines.DEPTH;
    private static final int WIDE = 64 << 10;
    private static final int TYPE_SHIFT = 31;
    private static final long TAG_MASK = (1L << TYPE_SHIFT) - 1;

    private final Communicator on;
    private final Host host;
    private final int rank;
    private final int size;
    private final MeetingLines lines;
    /** Two rooms a rank, used in turn; made at the first call that needs them. */
    private MemorySegment wideOwner;
    private MemorySegment wide;
    private long wideOrigin;
    private int wideCalls;
    private final int[] lastWideStep = new int[2];

    private int step;
    /** A step at which all ranks are known to have arrived. */
    private int allArrived;

    // the call under way
    private Collective call;
    private int tag;
    private long word;
    private MemorySegment given;
    private boolean isWide;

    // what is waited for: ranks from next up to before end, in a step; exactly there, or anywhere beyond
    private int next;
    private int end;
    private int awaited;
    private boolean exactly;

    LineCalls(Communicator on) {
        this.on = on;
        this.host = on.host();
        this.rank = on.rank();
        this.size = on.size();
        this.lines = new MeetingLines(
                host.device.memory().common(key(on.context(), false), MeetingLines.bytes(size)), rank);
    }

    private static long key(int context, boolean wide) {
        return (context & 0xFFFFFFFFL) << 1 | (wide ? 1 : 0);
    }

    /** A context has ended for all its ranks. */
    static void end(Host host, int context) {
        host.device.memory().endCommon(key(context, false));
        host.device.memory().endCommon(key(context, true));
    }

    /** What the model says that a call of this shape costs here; infinitely much when it cannot be made so. */
    static double costNs(Shape shape, int size, Cost cost) {
        long give = gives(shape, size);
        boolean asInTrees = shape.op() != null && shape.op().isReproducible();
        return size == 1 || asInTrees || give > WIDE ? Double.POSITIVE_INFINITY
                : Cost.lines(cost, size, give, shape.op() != null);
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

    /** Makes a call; the caller has the lock. */
    void run(Collective made, int callTag) {
        call = made;
        tag = callTag;
        Shape shape = made.shape;
        begin(gives(shape, size) > MeetingLines.ROOM);
        long bytes = shape.bytes();
        switch (shape.kind()) {
            case BARRIER -> {
                arrive();
                awaitAll();
            }
            case BROADCAST -> {
                if (rank == shape.root()) {
                    give(made.output, made.outputAt, bytes);
                    arrive();
                } else {
                    arrive();
                    await(shape.root(), shape.root() + 1);
                    take(shape.root(), 0, 0, bytes);
                }
            }
            case GATHER -> gather(shape, bytes);
            case SCATTER -> scatter(shape, bytes);
            case ALLGATHER -> {
                giveVector(shape, (long) rank * bytes, bytes);
                arrive();
                awaitAll();
                for (int r = 0; r < size; r++) {
                    take(r, 0, r * bytes, bytes);
                }
            }
            case ALLTOALL -> {
                giveVector(shape, 0, bytes * size);
                arrive();
                awaitAll();
                for (int r = 0; r < size; r++) {
                    take(r, rank * bytes, r * bytes, bytes);
                }
            }
            case REDUCE, ALLREDUCE -> reduce(shape, bytes);
            case REDUCE_SCATTER_BLOCK -> {
                giveVector(shape, 0, bytes * size);
                arrive();
                awaitAll();
                fold(size, rank * bytes, made.output, made.outputAt, bytes);
            }
            case SCAN, EXSCAN -> {
                int count = shape.kind() == CollectiveKind.SCAN ? rank + 1 : rank;
                giveVector(shape, 0, bytes);
                arrive();
                await(0, count);
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
            arrive();
            return;
        }
        arrive();
        awaitAll();
        for (int r = 0; r < size; r++) {
            if (r != rank) {
                take(r, 0, r * bytes, bytes);
            } else if (!shape.inPlace()) {
                Copy.between(call.input, call.inputAt, call.output, call.outputAt + r * bytes, bytes);
            }
        }
    }

    private void scatter(Shape shape, long bytes) {
        int root = shape.root();
        if (rank != root) {
            arrive();
            await(root, root + 1);
            take(root, rank * bytes, 0, bytes);
            return;
        }
        give(call.input, call.inputAt, bytes * size);
        arrive();
        if (!shape.inPlace()) {
            take(root, rank * bytes, 0, bytes);
        }
    }

    private void reduce(Shape shape, long bytes) {
        boolean takes = shape.kind() == CollectiveKind.ALLREDUCE || rank == shape.root();
        giveVector(shape, 0, bytes);
        arrive();
        if (isWide) {
            reduceWide(shape, bytes, takes);
        } else if (takes) {
            awaitAll();
            fold(size, 0, call.output, call.outputAt, bytes);
        }
    }

    /** Each rank combines one part of all vectors, in place of that part of its own; nobody else reads it there. */
    private void reduceWide(Shape shape, long bytes, boolean takes) {
        long unit = (long) shape.type().bytes() * shape.op().group();
        long from = part(rank, bytes / unit) * unit;
        long length = part(rank + 1, bytes / unit) * unit - from;
        awaitAll();
        Object target = takes ? call.output : call.scratch(bytes / size + unit);
        long targetAt = takes ? call.outputAt + from : 0;
        int used = step;
        if (length > 0) {
            fold(size, from, target, targetAt, length);
            Copy.out(target, targetAt, given, giving() + from, (int) length);
        }
        step++;
        word = MeetingLines.word(step, MeetingLines.call(word));
        awaitBeyond(step - DEPTH + 1);
        arrive();
        lastWideStep[wideCalls - 1 & 1] = step;
        if (takes) {
            awaitAll();
            for (int r = 0; r < size; r++) {
                long at = part(r, bytes / unit) * unit;
                if (r != rank) {
                    Copy.in(given, given(r, used) + at, call.output, call.outputAt + at,
                            (int) (part(r + 1, bytes / unit) * unit - at));
                }
            }
        }
    }

    private long part(int number, long units) {
        return units * number / size;
    }

    /** The next step: what this rank has written there before must not be needed by anyone. */
    private void begin(boolean large) {
        step++;
        long type = call.shape.type().code();
        word = MeetingLines.word(step, type << TYPE_SHIFT | tag & TAG_MASK);
        isWide = large;
        if (large) {
            beginWide();
        } else {
            given = lines.memory();
        }
        awaitBeyond(step - DEPTH + 1);
    }

    private void beginWide() {
        if (wide == null) {
            wideOwner = host.device.memory().common(key(on.context(), true), 2L * size * WIDE);
            wide = Words.reach(wideOwner);
            wideOrigin = Words.origin(wideOwner);
            lastWideStep[0] = step - DEPTH;
            lastWideStep[1] = step - DEPTH;
        }
        given = wide;
        int room = wideCalls++ & 1;
        awaitBeyond(lastWideStep[room] + 1);
        lastWideStep[room] = step;
    }

    private long giving() {
        return isWide ? given(rank, step) : lines.giving(step);
    }

    private long given(int of, int at) {
        return isWide ? wideOrigin + (2L * of + (wideCalls - 1 & 1)) * WIDE : lines.given(of, at);
    }

    private void give(Object from, long at, long bytes) {
        Copy.out(from, at, given, giving(), (int) bytes);
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
        Copy.in(given, given(from, step) + part, call.output, call.outputAt + to, (int) bytes);
    }

    /** Combines what the first ranks have given, in their order. */
    private void fold(int count, long part, Object target, long targetAt, long bytes) {
        Copy.in(given, given(0, step) + part, target, targetAt, (int) bytes);
        Combination combination = call.combination();
        for (int r = 1; r < count; r++) {
            combination.combine(target, targetAt, given, given(r, step) + part, target, targetAt, bytes);
        }
    }

    private void arrive() {
        lines.arrive(step, word, call.signature);
    }

    private void awaitAll() {
        await(0, size);
        allArrived = step;
    }

    /** Waits until some ranks are at this step, and in the same call. */
    private void await(int from, int to) {
        next = from;
        end = to;
        awaited = step;
        exactly = true;
        host.await(this);
    }

    /** Waits until all ranks have come to an earlier step, or further. */
    private void awaitBeyond(int earlier) {
        if (allArrived - earlier >= 0) {
            return;
        }
        next = 0;
        end = size;
        awaited = earlier;
        exactly = false;
        host.await(this);
        allArrived = earlier;
    }

    /** Looks so many times whether all that is waited for is there. */
    boolean isMet(int looks) {
        for (int i = 0; i < looks; i++) {
            if (getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean getAsBoolean() {
        while (next < end) {
            long seen = lines.look(next, awaited);
            if (exactly && seen == word) {
                if (lines.signature(next, awaited) != call.signature) {
                    throw different(next, seen);
                }
            } else if (MeetingLines.ahead(seen, awaited) < 0) {
                return false;
            } else if (exactly) {
                checkAlike(next, seen);
            }
            next++;
        }
        return true;
    }

    /** A word that is not the expected one: of another call, or of the same and another type. */
    private void checkAlike(int other, long seen) {
        long what = MeetingLines.call(seen);
        boolean same = (what & TAG_MASK) == (word & TAG_MASK) && MeetingLines.ahead(seen, awaited) == 0
                && lines.signature(other, awaited) == call.signature;
        if (!same) {
            throw different(other, seen);
        }
        ElementType theirs = typeOf(seen);
        if (!ElementType.compatible(theirs.code(), call.shape.type().code())) {
            long bytes = call.shape.bytes();
            throw CollectiveMismatch.failed(on, call, on.group().worldRankOf(other), "rank " + other + " gives "
                    + bytes + " bytes of " + theirs + " where " + bytes + " bytes of " + call.shape.type()
                    + " were expected; the ranks do not agree about counts or types");
        }
    }

    private static ElementType typeOf(long seen) {
        return ElementType.of((int) (MeetingLines.call(seen) >>> TYPE_SHIFT));
    }

    private RankwireException different(int other, long seen) {
        return CollectiveMismatch.different(on, call.call, on.group().worldRankOf(other),
                (int) (MeetingLines.call(seen) & TAG_MASK), "");
    }

    /** Throws if a rank is at the next step here, in a call that this rank makes with messages. */
    void look(String made, int callTag) {
        for (int r = 0; r < size; r++) {
            long seen = lines.look(r, step + 1);
            int theirs = (int) (MeetingLines.call(seen) & TAG_MASK);
            if (MeetingLines.ahead(seen, step + 1) == 0 && theirs >>> CollectivePrograms.SEQUENCE_SHIFT
                    == callTag >>> CollectivePrograms.SEQUENCE_SHIFT) {
                throw CollectiveMismatch.different(on, made, on.group().worldRankOf(r), theirs, "");
            }
        }
    }

    @Override
    public String describe() {
        return call.call + ", on " + on.name() + CallSite.find();
    }

    @Override
    public int peer() {
        return next < end ? on.group().worldRankOf(next) : -1;
    }

    @Override
    public void suspect() {
        CollectiveMismatch.lookBeside(on, call.call, tag);
    }
}
