package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.Exchange;
import io.rankwire.collective.Exchange.End;
import io.rankwire.collective.RingAllgather;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.Step.Part;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.ProgramBuilder;
import io.rankwire.type.TypedBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collective calls with datatypes, checked and bound. The schedules are those of calls without: they count in bytes of
 * the packed stream, and the device copies from and to it as the datatypes say. Blocks of calls that name each one
 * become buffers of their own, so that each goes as it lies if it can.
 */
public class TypedCalls {
    /** The blocks of one side, in a row of bytes or of a packed stream that begins at a byte of the base. */
    public record Row(Object base, long at, Blocks blocks) {}

    private final Endpoint on;
    private final int rank;
    /** Blocks of a buffer that holds them all. */
    private final int size;
    private final CollectivePrograms programs;

    public TypedCalls(Endpoint on, CollectivePrograms programs) {
        this(on, on.size(), programs);
    }

    public TypedCalls(Endpoint on, int size, CollectivePrograms programs) {
        this.on = on;
        this.rank = on.rank();
        this.size = size;
        this.programs = programs;
    }

    public Collective broadcast(Object buffer, long offset, long count, Layout type, int root, boolean fresh) {
        checkRoot(root);
        Block block = block(buffer, offset, 0, count, type, rank != root);
        Collective call = programs.find(
                CollectiveKind.BROADCAST, root, block.bytes(), block.element(), null, false, fresh);
        call.bind(null, 0, block.base(), block.at());
        return call;
    }

    /** Gather, allgather, scatter and alltoall: blocks of one length. */
    public Collective blocks(CollectiveKind kind, Object in, long inOffset, long inCount, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, int root, boolean fresh) {
        checkRoot(root);
        boolean scatter = kind == CollectiveKind.SCATTER;
        boolean inPlace = (scatter ? out : in) == Buffers.IN_PLACE;
        boolean reads = !scatter || rank == root;
        boolean writes = kind != CollectiveKind.GATHER || rank == root;
        checkRootInPlace(inPlace, reads && writes);
        boolean readsAll = scatter || kind == CollectiveKind.ALLTOALL;
        Block from = !reads || inPlace && !scatter ? null
                : block(in, inOffset, 0, readsAll ? times(inCount, size) : inCount, inType, false);
        Block to = !writes || inPlace && scatter ? null
                : block(out, outOffset, 0, scatter ? outCount : times(outCount, size), outType, true);
        if (from != null && to != null) {
            checkSame(inCount, inType, outCount, outType);
        }
        long bytes = from != null ? inType.bytes(inCount) : outType.bytes(outCount);
        ElementType element = (from != null ? from : to).element();
        Collective call = programs.find(kind, root, bytes, element, null, inPlace, fresh);
        bind(call, from, to);
        return call;
    }

    /** Reduce, allreduce, scan and exscan: vectors of one length. */
    public Collective vectors(CollectiveKind kind, Object in, long inOffset, long inCount, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, Operator op, int root, boolean fresh) {
        checkRoot(root);
        boolean inPlace = in == Buffers.IN_PLACE;
        boolean writes = kind != CollectiveKind.REDUCE || rank == root;
        checkRootInPlace(inPlace, writes);
        Block from = inPlace ? null : block(in, inOffset, 0, inCount, inType, false);
        Block to = writes ? block(out, outOffset, 0, outCount, outType, true) : null;
        if (from != null && to != null) {
            checkSame(inCount, inType, outCount, outType);
        }
        Block either = from != null ? from : to;
        Operator used = used(op, from != null ? inType : outType);
        ElementType element = combined(used, either.element(), either.bytes());
        Collective call = programs.find(kind, root, either.bytes(), element, used, inPlace, fresh);
        bind(call, from, to);
        return call;
    }

    public Collective reduceScatterBlock(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            long outCount, Layout outType, Operator op, boolean fresh) {
        boolean inPlace = in == Buffers.IN_PLACE;
        Block from = inPlace ? null : block(in, inOffset, 0, times(inCount, size), inType, false);
        Block to = block(out, outOffset, 0, inPlace ? times(outCount, size) : outCount, outType, true);
        if (!inPlace) {
            checkSame(inCount, inType, outCount, outType);
        }
        long bytes = outType.bytes(outCount);
        Operator used = used(op, outType);
        ElementType element = combined(used, to.element(), bytes);
        Collective call = programs.find(CollectiveKind.REDUCE_SCATTER_BLOCK, 0, bytes, element, used, inPlace, fresh);
        bind(call, from, to);
        return call;
    }

    /** In place, the counts are of the datatype that the output has. */
    public Collective reduceScatter(Object in, long inOffset, int[] inCounts, Layout inType, Object out, long outOffset,
            long outCount, Layout outType, Operator op) {
        boolean inPlace = in == Buffers.IN_PLACE;
        Layout counted = inPlace ? outType : inType;
        long total = total(inCounts);
        Block from = inPlace ? null : block(in, inOffset, 0, total, inType, false);
        Block to = block(out, outOffset, 0, inPlace ? total : outCount, outType, true);
        if (!inPlace) {
            checkSame(inCounts[rank], inType, outCount, outType);
        }
        Operator used = used(op, counted);
        ElementType element = combined(used, counted.element(), 0);
        long unit = (long) element.bytes() * used.group();
        long[] units = new long[size];
        for (int i = 0; i < size; i++) {
            long bytes = counted.bytes(inCounts[i]);
            CollectiveCalls.checkGroups(on, used, element, bytes);
            units[i] = bytes / unit;
        }
        Shape shape = new Shape(
                CollectiveKind.REDUCE_SCATTER, 0, counted.bytes(total), element, used, inPlace);
        Collective call = programs.reduceScatter(shape, Blocks.row(units));
        bind(call, from, to);
        return call;
    }

    public Collective gatherv(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            int[] counts, int[] displacements, Layout outType, int root) {
        checkRoot(root);
        boolean inPlace = in == Buffers.IN_PLACE;
        checkRootInPlace(inPlace, rank == root);
        Block[] from = inPlace ? new Block[0] : new Block[] {block(in, inOffset, 0, inCount, inType, false)};
        Block[] to = rank != root ? new Block[0] : each(out, outOffset, counts, displacements, outType, true);
        Shape shape = shape(CollectiveKind.GATHERV, root, inPlace);
        return exchange(shape, from, new int[] {root}, to, ranks(inPlace), in, out, true);
    }

    public Collective scatterv(Object in, long inOffset, int[] counts, int[] displacements, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, int root) {
        checkRoot(root);
        boolean inPlace = out == Buffers.IN_PLACE;
        checkRootInPlace(inPlace, rank == root);
        Block[] from = rank != root ? new Block[0] : each(in, inOffset, counts, displacements, inType, false);
        Block[] to = inPlace ? new Block[0] : new Block[] {block(out, outOffset, 0, outCount, outType, true)};
        Shape shape = shape(CollectiveKind.SCATTERV, root, inPlace);
        return exchange(shape, from, ranks(inPlace), to, new int[] {root}, in, out, true);
    }

    public Collective allgatherv(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            int[] counts, int[] displacements, Layout outType) {
        boolean inPlace = in == Buffers.IN_PLACE;
        Block from = inPlace ? null : block(in, inOffset, 0, inCount, inType, false);
        Row row = row(out, outOffset, counts, displacements, outType, true);
        if (!inPlace) {
            checkSame(inCount, inType, counts[rank], outType);
        }
        long own = row.blocks.units(rank);
        Shape shape = new Shape(CollectiveKind.ALLGATHERV, 0, 0, outType.element(), null, inPlace);
        Collective call = programs.make(
                shape, RingAllgather.of(rank, size, row.blocks, inPlace), 1, own, CollectiveCalls.extent(row.blocks));
        call.bind(inPlace ? null : from.base(), inPlace ? 0 : from.at(), row.base, row.at);
        return call;
    }

    public Collective alltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Layout inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Layout outType) {
        boolean inPlace = in == Buffers.IN_PLACE;
        Block[] from = inPlace ? null : each(in, inOffset, inCounts, inDisplacements, inType, false);
        Block[] to = each(out, outOffset, outCounts, outDisplacements, outType, true);
        return alltoall(shape(CollectiveKind.ALLTOALLV, 0, inPlace), from, to, in, out, true);
    }

    public Collective alltoallw(Object in, int[] inCounts, long[] inDisplacements, Layout[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Layout[] outTypes) {
        boolean inPlace = in == Buffers.IN_PLACE;
        Block[] from = inPlace ? null : each(size, in, inCounts, inDisplacements, inTypes, false);
        Block[] to = each(size, out, outCounts, outDisplacements, outTypes, true);
        return alltoall(shape(CollectiveKind.ALLTOALLW, 0, inPlace), from, to, in, out, false);
    }

    private Collective alltoall(Shape shape, Block[] from, Block[] to, Object in, Object out, boolean pieces) {
        int[] ahead = new int[size];
        int[] behind = new int[size];
        Block[] sent = new Block[size];
        Block[] received = new Block[size];
        for (int far = 0; far < size; far++) {
            ahead[far] = (rank + far) % size;
            behind[far] = (rank - far + size) % size;
            sent[far] = from == null ? null : from[ahead[far]];
            received[far] = to[behind[far]];
        }
        return exchange(shape, from == null ? null : sent, ahead, received, behind, in, out, pieces);
    }

    /**
     * Blocks straight to and from peers, in the order given; those to and from this rank are copied.
     *
     * @param from null if what is received takes the place of what is sent
     * @param pieces whether long messages are cut: alike in all calls that can meet this one
     */
    public Collective exchange(Shape shape, Block[] from, int[] to, Block[] into, int[] sources, Object in, Object out,
            boolean pieces) {
        List<End> sent = new ArrayList<>();
        List<End> received = new ArrayList<>();
        List<Block> given = new ArrayList<>();
        for (int i = 0; from != null && i < from.length; i++) {
            sent.add(end(to[i], from[i], given));
        }
        for (int i = 0; i < into.length; i++) {
            received.add(end(sources[i], into[i], given));
        }
        checkOwn(from, to, into, sources);
        long[] bytes = new long[given.size()];
        ElementType[] types = new ElementType[from == null ? 2 * bytes.length : bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = given.get(i).bytes();
            types[i] = given.get(i).element();
            types[types.length - bytes.length + i] = types[i];
        }
        Schedule schedule = from == null
                ? Exchange.inPlace(rank, received, bytes) : Exchange.of(rank, sent, received, bytes);
        Collective call = programs.make(shape, pieces ? programs.inPieces(shape, schedule, 1) : schedule, types);
        for (int i = 0; i < bytes.length; i++) {
            call.bindGiven(i, given.get(i).base(), given.get(i).at());
        }
        call.bind(memory(in), 0, memory(out), 0);
        return call;
    }

    private static End end(int peer, Block block, List<Block> given) {
        given.add(block);
        return new End(peer, new Part(Schedule.TEMPORARY + given.size() - 1, 0, block.bytes()));
    }

    /** What the device must be able to reach; the blocks are parts of it. */
    private static Object memory(Object buffer) {
        return buffer == null || buffer == Buffers.IN_PLACE ? null : Buffers.base(buffer);
    }

    /** What this rank gives itself must be what it takes. */
    private void checkOwn(Block[] from, int[] to, Block[] into, int[] sources) {
        int next = 0;
        for (int i = 0; from != null && i < into.length; i++) {
            if (sources[i] != rank) {
                continue;
            }
            while (next < from.length && to[next] != rank) {
                next++;
            }
            if (next == from.length || !from[next].matches(into[i])) {
                throw on.error(ErrorClass.COUNT, on.name() + ": this rank takes "
                        + into[i].describe() + " from itself and gives itself "
                        + (next == from.length ? "nothing" : from[next].describe()));
            }
            next++;
        }
        for (; from != null && next < from.length; next++) {
            if (to[next] == rank) {
                throw on.error(ErrorClass.COUNT, on.name() + ": this rank gives itself "
                        + from[next].describe() + " and takes nothing");
            }
        }
    }

    /** All ranks in their order; in place, this one is left out. */
    private int[] ranks(boolean inPlace) {
        int[] ranks = new int[size];
        for (int i = 0; i < size; i++) {
            ranks[i] = inPlace && i == rank ? Endpoint.NONE : i;
        }
        return ranks;
    }

    private Block[] each(
            Object buffer, long offset, int[] counts, int[] displacements, Layout type, boolean write) {
        return each(size, buffer, offset, counts, displacements, type, write);
    }

    /** Blocks at distances in extents of their datatype. */
    public Block[] each(int number, Object buffer, long offset, int[] counts, int[] displacements, Layout type,
            boolean write) {
        checkLength("counts", number, counts == null ? -1 : counts.length);
        checkLength("displacements", number, displacements == null ? -1 : displacements.length);
        Block[] blocks = new Block[number];
        for (int i = 0; i < number; i++) {
            try {
                blocks[i] = Block.of(buffer, offset, far(displacements[i], type), counts[i], type, write);
            } catch (RankwireException e) {
                throw on.located(ofBlock(i, e));
            }
        }
        return blocks;
    }

    /** Blocks at distances in bytes, each of its own datatype. */
    public Block[] each(
            int number, Object buffer, int[] counts, long[] displacements, Layout[] types, boolean write) {
        checkLength("counts", number, counts == null ? -1 : counts.length);
        checkLength("displacements", number, displacements == null ? -1 : displacements.length);
        checkLength("types", number, types == null ? -1 : types.length);
        Block[] blocks = new Block[number];
        for (int i = 0; i < number; i++) {
            try {
                blocks[i] = Block.of(buffer, 0, displacements[i], counts[i], types[i], write);
            } catch (RankwireException e) {
                throw on.located(ofBlock(i, e));
            }
        }
        return blocks;
    }

    /** As {@link Block#of}; an error names rank, call and line. */
    public final Block block(Object buffer, long offset, long count, boolean write) {
        try {
            return Block.of(buffer, offset, count, write);
        } catch (RankwireException e) {
            throw on.located(e);
        }
    }

    public final Block block(Object buffer, long offset, long further, long count, Layout type, boolean write) {
        try {
            return Block.of(buffer, offset, further, count, type, write);
        } catch (RankwireException e) {
            throw on.located(e);
        }
    }

    private static RankwireException ofBlock(int i, RankwireException e) {
        return new RankwireException(e.errorClass(), "block " + i + ": " + e.getMessage(), e);
    }

    private static long far(int displacement, Layout type) {
        if (type == null) {
            return 0;
        }
        long extent = type.extent();
        long far = displacement * extent;
        boolean fits = Math.multiplyHigh(displacement, extent) == (far < 0 ? -1 : 0);
        return fits ? far : Long.MAX_VALUE;
    }

    /** All blocks as one packed stream in the order of ranks; in a row of bytes they stay as they lie. */
    public final Row row(Object out, long offset, int[] counts, int[] displacements, Layout type, boolean write) {
        Block[] each = each(out, offset, counts, displacements, type, write);
        long[] bytes = new long[size];
        long least = Long.MAX_VALUE;
        for (int i = 0; i < size; i++) {
            bytes[i] = each[i].bytes();
            least = bytes[i] == 0 ? least : Math.min(least, far(displacements[i], type));
        }
        if (least == Long.MAX_VALUE) {
            return new Row(Buffers.base(out), 0, Blocks.row(bytes));
        }
        long origin = Buffers.start(out) + offset * Buffers.type(out).bytes();
        if (type.isContiguous()) {
            Blocks blocks = Blocks.row(bytes);
            for (int i = 0; i < size; i++) {
                blocks.offsets()[i] = bytes[i] == 0 ? 0 : far(displacements[i], type) - least;
            }
            return new Row(Buffers.base(out), origin + least + type.trueLowerBound(), blocks);
        }
        ProgramBuilder builder = new ProgramBuilder();
        for (int i = 0; i < size; i++) {
            builder.add(far(displacements[i], type), type.repeated(counts[i]));
        }
        CopyProgram program = builder.build();
        return new Row(new TypedBuffer(Buffers.base(out), origin, program), 0, Blocks.row(bytes));
    }

    public static void bind(Collective call, Block in, Block out) {
        call.bind(in == null ? null : in.base(), in == null ? 0 : in.at(), out == null ? null : out.base(),
                out == null ? 0 : out.at());
    }

    private static Shape shape(CollectiveKind kind, int root, boolean inPlace) {
        return new Shape(kind, root, 0, ElementType.MIXED, null, inPlace);
    }

    public void checkSame(long inCount, Layout inType, long outCount, Layout outType) {
        if (!inType.elementTypes().repeated(inCount).matches(outType.elementTypes().repeated(outCount))) {
            throw on.error(ErrorClass.TYPE, inCount + " × " + inType + " is "
                    + inType.elementTypes().repeated(inCount) + ", but " + outCount + " × " + outType + " is "
                    + outType.elementTypes().repeated(outCount));
        }
    }

    public static Operator used(Operator op, Layout type) {
        return op == null ? null : op.forElements(type);
    }

    /** What an operation combines of so many bytes; of a datatype without elements, whatever it can. */
    public final ElementType combined(Operator op, ElementType element, long bytes) {
        if (op == null) {
            throw on.error(ErrorClass.ARGUMENT, "op is null");
        }
        ElementType type = element == ElementType.RAW ? ElementType.BYTE : element;
        if (!op.supports(type) && element != ElementType.RAW) {
            throw on.error(ErrorClass.TYPE, "argument op: " + op + " does not combine " + element);
        }
        CollectiveCalls.checkGroups(on, op, type, bytes);
        return type;
    }

    private void checkRootInPlace(boolean inPlace, boolean root) {
        if (inPlace && !root) {
            throw on.error(ErrorClass.ARGUMENT, "IN_PLACE is for the root alone");
        }
    }

    private void checkRoot(int root) {
        if (root < 0 || root >= size) {
            throw on.error(ErrorClass.RANK, "argument root: " + root + " is not a rank of " + on.name()
                    + ", which has " + size);
        }
    }

    public void checkLength(String name, int wanted, int found) {
        if (found != wanted) {
            throw on.error(ErrorClass.ARGUMENT, name + " must have one entry for each of " + wanted
                    + " blocks, and " + (found < 0 ? "is null" : "has " + found));
        }
    }

    private long total(int[] counts) {
        return total(counts, size);
    }

    public final long total(int[] counts, int blocks) {
        checkLength("counts", blocks, counts == null ? -1 : counts.length);
        long total = 0;
        for (int i = 0; i < blocks; i++) {
            if (counts[i] < 0) {
                throw on.error(ErrorClass.COUNT, "counts[" + i + "] is " + counts[i]);
            }
            total += counts[i];
        }
        return total;
    }

    /** Beyond 64 bits, a number that fits no buffer. */
    public static long times(long count, int blocks) {
        return Math.multiplyHigh(count, blocks) == (count < 0 ? -1 : 0) ? count * blocks : Long.MAX_VALUE;
    }
}
