package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.LinearGather;
import io.rankwire.collective.LinearScatter;
import io.rankwire.collective.PairwiseAlltoall;
import io.rankwire.collective.RingAllgather;
import io.rankwire.collective.Schedule;
import io.rankwire.type.ElementType;

/**
 * The arguments of collective calls, checked and bound to a compiled program. Every call that errs throws before
 * anything is sent. A fresh program is the caller's own; others are used again by the next call of the same shape.
 */
public class CollectiveCalls {
    public static final byte[] NOTHING = {};

    private final Endpoint on;
    private final int rank;
    /** Blocks of a buffer that holds them all. */
    private final int size;
    public final CollectivePrograms programs;
    private final RepeatedCall repeated = new RepeatedCall();

    public CollectiveCalls(Endpoint on) {
        this(on, on.size(), new CollectivePrograms(on));
    }

    public CollectiveCalls(Endpoint on, int size, CollectivePrograms programs) {
        this.on = on;
        this.rank = on.rank();
        this.size = size;
        this.programs = programs;
    }

    public Collective barrier(boolean fresh) {
        Collective call = programs.find(CollectiveKind.BARRIER, 0, 0, ElementType.BYTE, null, false, fresh);
        call.bind(NOTHING, 0, NOTHING, 0);
        return call;
    }

    public Collective broadcast(Object buffer, long offset, long count, int root, boolean fresh) {
        ElementType type = part(buffer, offset, count, rank != root);
        checkRoot(root);
        Collective call = programs.find(
                CollectiveKind.BROADCAST, root, count * type.bytes(), type, null, false, fresh);
        call.bind(null, 0, Buffers.base(buffer), at(buffer, type, offset));
        return call;
    }

    /** Gather, allgather, scatter and alltoall: blocks of one length. */
    public Collective blocks(CollectiveKind kind, Object in, long inOffset, Object out, long outOffset, long count, int root,
            boolean fresh) {
        if (!fresh && repeated.is(kind, in, inOffset, out, outOffset, count, null, root)) {
            return repeated.bound();
        }
        checkRoot(root);
        boolean reads = kind != CollectiveKind.SCATTER || rank == root;
        boolean writes = kind != CollectiveKind.GATHER || rank == root;
        Object spare = kind == CollectiveKind.SCATTER ? out : in;
        boolean inPlace = spare == Buffers.IN_PLACE;
        if (inPlace && !(reads && writes)) {
            throw argument("IN_PLACE is for the root alone");
        }
        boolean readsAll = kind == CollectiveKind.SCATTER || kind == CollectiveKind.ALLTOALL;
        boolean writesAll = kind != CollectiveKind.SCATTER;
        boolean skipIn = !reads || inPlace && kind != CollectiveKind.SCATTER;
        boolean skipOut = !writes || inPlace && kind == CollectiveKind.SCATTER;
        ElementType inType = skipIn ? null : part(in, inOffset, readsAll ? times(count) : count, false);
        ElementType outType = skipOut ? null : part(out, outOffset, writesAll ? times(count) : count, true);
        ElementType type = together(inType, outType);
        long bytes = count * type.bytes();
        if (inType != null && outType != null && inType.bytes() != outType.bytes()) {
            throw argument("the buffers are of " + inType + " and " + outType);
        }
        Collective call = programs.find(kind, root, bytes, type, null, inPlace, fresh);
        call.bind(skipIn ? null : Buffers.base(in), skipIn ? 0 : at(in, inType, inOffset),
                skipOut ? null : Buffers.base(out), skipOut ? 0 : at(out, outType, outOffset));
        if (!fresh) {
            repeated.keep(call, in, inOffset, out, outOffset, count, null, root);
        }
        return call;
    }

    /** Reduce, allreduce, scan and exscan: vectors of one length. */
    public Collective vectors(CollectiveKind kind, Object in, long inOffset, Object out, long outOffset, long count, Operator op,
            int root, boolean fresh) {
        if (!fresh && repeated.is(kind, in, inOffset, out, outOffset, count, op, root)) {
            return repeated.bound();
        }
        checkRoot(root);
        boolean writes = kind != CollectiveKind.REDUCE || rank == root;
        boolean inPlace = in == Buffers.IN_PLACE;
        if (inPlace && !writes) {
            throw argument("IN_PLACE is for the root alone");
        }
        ElementType inType = inPlace ? null : part(in, inOffset, count, false);
        ElementType outType = writes ? part(out, outOffset, count, true) : null;
        ElementType buffer = together(inType, outType);
        ElementType type = element(op, buffer, inType, outType);
        long bytes = count * buffer.bytes();
        checkGroups(on, op, type, bytes);
        Collective call = programs.find(kind, root, bytes, type, op, inPlace, fresh);
        call.bind(inPlace ? null : Buffers.base(in), inPlace ? 0 : at(in, inType, inOffset),
                writes ? Buffers.base(out) : null, writes ? at(out, outType, outOffset) : 0);
        if (!fresh) {
            repeated.keep(call, in, inOffset, out, outOffset, count, op, root);
        }
        return call;
    }

    public Collective reduceScatterBlock(
            Object in, long inOffset, Object out, long outOffset, long count, Operator op, boolean fresh) {
        boolean inPlace = in == Buffers.IN_PLACE;
        ElementType inType = inPlace ? null : part(in, inOffset, times(count), false);
        ElementType outType = part(out, outOffset, inPlace ? times(count) : count, true);
        ElementType type = element(op, together(inType, outType), inType, outType);
        long bytes = count * outType.bytes();
        checkGroups(on, op, type, bytes);
        Collective call = programs.find(
                CollectiveKind.REDUCE_SCATTER_BLOCK, 0, bytes, type, op, inPlace, fresh);
        call.bind(inPlace ? null : Buffers.base(in), inPlace ? 0 : at(in, inType, inOffset), Buffers.base(out),
                at(out, outType, outOffset));
        return call;
    }

    public Collective reduceScatter(Object in, Object out, int[] counts, Operator op) {
        boolean inPlace = in == Buffers.IN_PLACE;
        Blocks elements = row(counts, size);
        ElementType inType = inPlace ? null : part(in, 0, elements.total(), false);
        ElementType outType = part(out, 0, inPlace ? elements.total() : counts[rank], true);
        ElementType buffer = together(inType, outType);
        ElementType type = element(op, buffer, inType, outType);
        int unit = type.bytes() * op.group();
        long[] units = new long[size];
        for (int i = 0; i < size; i++) {
            checkGroups(on, op, type, (long) counts[i] * buffer.bytes());
            units[i] = (long) counts[i] * buffer.bytes() / unit;
        }
        Shape shape = new Shape(
                CollectiveKind.REDUCE_SCATTER, 0, elements.total() * buffer.bytes(), type, op, inPlace);
        Collective call = programs.reduceScatter(shape, Blocks.row(units));
        call.bind(inPlace ? null : Buffers.base(in), inPlace ? 0 : at(in, inType, 0), Buffers.base(out),
                at(out, outType, 0));
        return call;
    }

    public Collective gatherv(Object in, long inOffset, long inCount, Object out, int[] counts, int[] offsets, int root) {
        checkRoot(root);
        boolean inPlace = in == Buffers.IN_PLACE;
        if (inPlace && rank != root) {
            throw argument("IN_PLACE is for the root alone");
        }
        ElementType inType = inPlace ? null : part(in, inOffset, inCount, false);
        ElementType outType = rank == root ? parts(out, counts, offsets, true) : null;
        ElementType type = together(inType, outType);
        Blocks blocks = rank == root ? bytes(counts, offsets, outType) : null;
        long own = inPlace ? 0 : inCount * inType.bytes();
        checkOwn(inPlace || rank != root, own, blocks);
        Schedule schedule = LinearGather.of(rank, size, root, blocks, own, inPlace);
        Shape shape = new Shape(CollectiveKind.GATHERV, root, 0, type, null, inPlace);
        Collective call = programs.make(shape, schedule, 1, own, rank == root ? extent(blocks) : 0);
        call.bind(inPlace ? null : Buffers.base(in), inPlace ? 0 : at(in, inType, inOffset),
                rank == root ? Buffers.base(out) : null, rank == root ? at(out, outType, 0) : 0);
        return call;
    }

    public Collective scatterv(Object in, int[] counts, int[] offsets, Object out, long outOffset, long outCount, int root) {
        checkRoot(root);
        boolean inPlace = out == Buffers.IN_PLACE;
        if (inPlace && rank != root) {
            throw argument("IN_PLACE is for the root alone");
        }
        ElementType inType = rank == root ? parts(in, counts, offsets, false) : null;
        ElementType outType = inPlace ? null : part(out, outOffset, outCount, true);
        ElementType type = together(inType, outType);
        Blocks blocks = rank == root ? bytes(counts, offsets, inType) : null;
        long own = inPlace ? 0 : outCount * outType.bytes();
        checkOwn(inPlace || rank != root, own, blocks);
        Schedule schedule = LinearScatter.of(rank, size, root, blocks, own, inPlace);
        Shape shape = new Shape(CollectiveKind.SCATTERV, root, 0, type, null, inPlace);
        Collective call = programs.make(shape, schedule, 1, rank == root ? extent(blocks) : 0, own);
        call.bind(rank == root ? Buffers.base(in) : null, rank == root ? at(in, inType, 0) : 0,
                inPlace ? null : Buffers.base(out), inPlace ? 0 : at(out, outType, outOffset));
        return call;
    }

    public Collective allgatherv(Object in, long inOffset, long inCount, Object out, int[] counts, int[] offsets) {
        boolean inPlace = in == Buffers.IN_PLACE;
        ElementType inType = inPlace ? null : part(in, inOffset, inCount, false);
        ElementType outType = parts(out, counts, offsets, true);
        ElementType type = together(inType, outType);
        Blocks blocks = bytes(counts, offsets, outType);
        long own = inPlace ? blocks.units(rank) : inCount * inType.bytes();
        checkOwn(inPlace, own, blocks);
        Shape shape = new Shape(CollectiveKind.ALLGATHERV, 0, 0, type, null, inPlace);
        Collective call = programs.make(shape, RingAllgather.of(rank, size, blocks, inPlace), 1, own, extent(blocks));
        call.bind(inPlace ? null : Buffers.base(in), inPlace ? 0 : at(in, inType, inOffset), Buffers.base(out),
                at(out, outType, 0));
        return call;
    }

    public Collective alltoallv(
            Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts, int[] outOffsets) {
        boolean inPlace = in == Buffers.IN_PLACE;
        ElementType inType = inPlace ? null : parts(in, inCounts, inOffsets, false);
        ElementType outType = parts(out, outCounts, outOffsets, true);
        ElementType type = together(inType, outType);
        Blocks to = bytes(outCounts, outOffsets, outType);
        Blocks from = inPlace ? to : bytes(inCounts, inOffsets, inType);
        checkOwn(inPlace, from.units(rank), to);
        Shape shape = new Shape(CollectiveKind.ALLTOALLV, 0, 0, type, null, inPlace);
        Schedule schedule = inPlace
                ? PairwiseAlltoall.inPlace(rank, size, to) : PairwiseAlltoall.of(rank, size, from, to);
        Collective call = programs.make(shape, schedule, 1, inPlace ? 0 : extent(from), extent(to));
        call.bind(inPlace ? null : Buffers.base(in), inPlace ? 0 : at(in, inType, 0), Buffers.base(out),
                at(out, outType, 0));
        return call;
    }

    private void checkOwn(boolean notHere, long own, Blocks blocks) {
        if (!notHere && own != blocks.units(rank)) {
            throw on.error(ErrorClass.COUNT, on.name() + ": this rank gives " + own
                    + " bytes to itself and takes " + blocks.units(rank));
        }
    }

    public static long extent(Blocks blocks) {
        long extent = 0;
        for (int i = 0; i < blocks.size(); i++) {
            extent = Math.max(extent, blocks.offset(i) + blocks.units(i));
        }
        return extent;
    }

    public Blocks row(int[] counts, int ranks) {
        checkLength("counts", counts, ranks);
        long[] units = new long[ranks];
        for (int i = 0; i < ranks; i++) {
            if (counts[i] < 0) {
                throw argument("counts[" + i + "] is " + counts[i]);
            }
            units[i] = counts[i];
        }
        return Blocks.row(units);
    }

    public ElementType parts(Object buffer, int[] counts, int[] offsets, boolean write) {
        checkLength("counts", counts, size);
        checkLength("offsets", offsets, size);
        ElementType type = null;
        for (int i = 0; i < size; i++) {
            type = part(buffer, offsets[i], counts[i], write);
        }
        return type;
    }

    public Blocks bytes(int[] counts, int[] offsets, ElementType type) {
        Blocks blocks = new Blocks(new long[size], new long[size]);
        for (int i = 0; i < size; i++) {
            blocks.offsets()[i] = (long) offsets[i] * type.bytes();
            blocks.units()[i] = (long) counts[i] * type.bytes();
        }
        return blocks;
    }

    private void checkLength(String name, int[] values, int ranks) {
        if (values == null || values.length != ranks) {
            throw argument(name + " must have one entry for each of " + ranks + " ranks, and "
                    + (values == null ? "is null" : "has " + values.length));
        }
    }

    public long times(long count) {
        return Math.multiplyExact(count, (long) size);
    }

    public ElementType part(Object buffer, long offset, long count, boolean write) {
        if (buffer == Buffers.IN_PLACE) {
            throw argument("IN_PLACE cannot stand for this buffer");
        }
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        if (write) {
            on.checkWritable(buffer);
        }
        return type;
    }

    public static long at(Object buffer, ElementType type, long offset) {
        return Buffers.start(buffer) + offset * type.bytes();
    }

    /** The type of the messages of a call with one or two buffers here. */
    public ElementType together(ElementType in, ElementType out) {
        if (in == null || out == null || in == out) {
            return in == null ? out : in;
        }
        if (!ElementType.compatible(in.code(), out.code())) {
            throw on.error(ErrorClass.TYPE, "the buffers are of " + in + " and of " + out);
        }
        return ElementType.RAW;
    }

    /** What an operation combines in buffers of these types. */
    public ElementType element(Operator op, ElementType together, ElementType in, ElementType out) {
        if (op == null) {
            throw argument("op is null");
        }
        if (in != null && out != null && in.bytes() != out.bytes()) {
            throw on.error(ErrorClass.TYPE, "the buffers are of " + in + " and of " + out);
        }
        ElementType type = op.elementOf(together);
        if (!op.supports(type)) {
            String hint = type == ElementType.RAW ? "; say what raw memory holds: Op.as(double.class)" : "";
            throw on.error(ErrorClass.TYPE, "argument op: " + op + " does not combine " + type + hint);
        }
        return type;
    }

    public static void checkGroups(Endpoint on, Operator op, ElementType type, long bytes) {
        long unit = (long) type.bytes() * op.group();
        if (bytes % unit != 0) {
            throw on.error(ErrorClass.COUNT, "argument count: " + bytes + " bytes are no whole number of "
                    + op.group() + " × " + type + ", which " + op + " combines");
        }
    }

    private void checkRoot(int root) {
        if (root < 0 || root >= size) {
            throw on.error(ErrorClass.RANK, "argument root: " + root + " is not a rank of " + on.name()
                    + ", which has " + size);
        }
    }

    public RankwireException argument(String what) {
        return on.error(ErrorClass.ARGUMENT, what);
    }
}
