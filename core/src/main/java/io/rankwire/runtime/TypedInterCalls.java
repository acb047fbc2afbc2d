package io.rankwire.runtime;

import io.rankwire.collective.Blocks;
import io.rankwire.collective.CrossAlltoall;
import io.rankwire.type.ElementType;
import io.rankwire.type.ProgramBuilder;
import io.rankwire.type.TypedBuffer;
import java.util.Arrays;

/**
 * Collective calls with datatypes between two groups, checked and bound. As within one group, schedules count in bytes
 * of packed streams.
 */
public final class TypedInterCalls extends TypedCalls {
    private final Endpoint on;
    private final InterCalls plain;
    private final InterPrograms inter;
    private final int rank;
    private final int near;
    private final int far;

    public TypedInterCalls(Endpoint on, InterCalls plain) {
        super(on, on.peers().size(), plain.programs);
        this.on = on;
        this.plain = plain;
        this.inter = (InterPrograms) plain.programs;
        this.rank = on.rank();
        this.near = on.size();
        this.far = on.peers().size();
    }

    @Override
    public Collective broadcast(Object buffer, long offset, long count, Layout type, int root, boolean fresh) {
        plain.checkRoot(root);
        if (root == Endpoint.NONE) {
            return plain.idle(CollectiveKind.BROADCAST, fresh);
        }
        Block block = block(buffer, offset, 0, count, type, root != Endpoint.ROOT);
        Collective call = inter.find(CollectiveKind.BROADCAST, inter.placeOf(root), block.bytes(), block.element(),
                null, false, fresh);
        call.bind(null, 0, block.base(), block.at());
        return call;
    }

    @Override
    public Collective blocks(CollectiveKind kind, Object in, long inOffset, long inCount, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, int root, boolean fresh) {
        return switch (kind) {
            case ALLGATHER -> allgather(in, inOffset, inCount, inType, out, outOffset, outCount, outType);
            case ALLTOALL -> alltoall(in, inOffset, inCount, inType, out, outOffset, outCount, outType);
            default -> rooted(kind, in, inOffset, inCount, inType, out, outOffset, outCount, outType, root, fresh);
        };
    }

    @Override
    public Collective vectors(CollectiveKind kind, Object in, long inOffset, long inCount, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, Operator op, int root, boolean fresh) {
        return kind == CollectiveKind.REDUCE
                ? reduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, root, fresh)
                : allreduce(in, inOffset, inCount, inType, out, outOffset, outCount, outType, op, fresh);
    }

    /** Gather and scatter. */
    private Collective rooted(CollectiveKind kind, Object in, long inOffset, long inCount, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, int root, boolean fresh) {
        plain.checkRoot(root);
        if (root == Endpoint.NONE) {
            return plain.idle(kind, fresh);
        }
        boolean isRoot = root == Endpoint.ROOT;
        boolean reads = kind == CollectiveKind.GATHER != isRoot;
        long count = reads ? inCount : outCount;
        long all = isRoot ? times(count, far) : count;
        Block block = reads ? block(in, inOffset, 0, all, inType, false)
                : block(out, outOffset, 0, all, outType, true);
        Collective call = inter.find(kind, inter.placeOf(root), (reads ? inType : outType).bytes(count),
                block.element(), null, false, fresh);
        bind(call, reads ? block : null, reads ? null : block);
        return call;
    }

    private Collective reduce(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            long outCount, Layout outType, Operator op, int root, boolean fresh) {
        plain.checkRoot(root);
        if (root == Endpoint.NONE) {
            return plain.idle(CollectiveKind.REDUCE, fresh);
        }
        boolean reads = root != Endpoint.ROOT;
        Block block = reads ? block(in, inOffset, 0, inCount, inType, false)
                : block(out, outOffset, 0, outCount, outType, true);
        Operator used = used(op, reads ? inType : outType);
        ElementType element = combined(used, block.element(), block.bytes());
        Collective call = inter.find(CollectiveKind.REDUCE, inter.placeOf(root), block.bytes(), element, used, false,
                fresh);
        bind(call, reads ? block : null, reads ? null : block);
        return call;
    }

    private Collective allreduce(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            long outCount, Layout outType, Operator op, boolean fresh) {
        Block from = block(in, inOffset, 0, inCount, inType, false);
        Block to = block(out, outOffset, 0, outCount, outType, true);
        checkSame(inCount, inType, outCount, outType);
        Operator used = used(op, inType);
        ElementType element = combined(used, from.element(), from.bytes());
        Collective call = inter.find(CollectiveKind.ALLREDUCE, 0, from.bytes(), element, used, false, fresh);
        bind(call, from, to);
        return call;
    }

    @Override
    public Collective reduceScatterBlock(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            long outCount, Layout outType, Operator op, boolean fresh) {
        Block from = block(in, inOffset, 0, times(inCount, near), inType, false);
        Block to = block(out, outOffset, 0, outCount, outType, true);
        checkSame(inCount, inType, outCount, outType);
        Operator used = used(op, inType);
        ElementType element = combined(used, to.element(), to.bytes());
        Collective call = inter.find(
                CollectiveKind.REDUCE_SCATTER_BLOCK, 0, from.bytes(), element, used, false, fresh);
        bind(call, from, to);
        return call;
    }

    @Override
    public Collective reduceScatter(Object in, long inOffset, int[] inCounts, Layout inType, Object out, long outOffset,
            long outCount, Layout outType, Operator op) {
        Block from = block(in, inOffset, 0, total(inCounts, near), inType, false);
        Block to = block(out, outOffset, 0, outCount, outType, true);
        checkSame(inCounts[rank], inType, outCount, outType);
        Operator used = used(op, inType);
        ElementType element = combined(used, inType.element(), 0);
        long[] units = new long[near];
        for (int i = 0; i < near; i++) {
            long bytes = inType.bytes(inCounts[i]);
            CollectiveCalls.checkGroups(on, used, element, bytes);
            units[i] = bytes / ((long) element.bytes() * used.group());
        }
        Shape shape = new Shape(CollectiveKind.REDUCE_SCATTER, 0, from.bytes(), element, used, false);
        Collective call = inter.reduceScatter(shape, Blocks.row(units));
        bind(call, from, to);
        return call;
    }

    private Collective allgather(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            long outCount, Layout outType) {
        return pairwise(CollectiveKind.ALLGATHER, same(in, inOffset, inCount, inType), inType,
                even(out, outOffset, outCount, outType, true), outType);
    }

    @Override
    public Collective allgatherv(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            int[] counts, int[] displacements, Layout outType) {
        return pairwise(CollectiveKind.ALLGATHERV, same(in, inOffset, inCount, inType), inType,
                row(out, outOffset, counts, displacements, outType, true), outType);
    }

    private Collective alltoall(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            long outCount, Layout outType) {
        return pairwise(CollectiveKind.ALLTOALL, even(in, inOffset, inCount, inType, false), inType,
                even(out, outOffset, outCount, outType, true), outType);
    }

    @Override
    public Collective alltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Layout inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Layout outType) {
        return pairwise(CollectiveKind.ALLTOALLV, row(in, inOffset, inCounts, inDisplacements, inType, false), inType,
                row(out, outOffset, outCounts, outDisplacements, outType, true), outType);
    }

    @Override
    public Collective alltoallw(Object in, int[] inCounts, long[] inDisplacements, Layout[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Layout[] outTypes) {
        Row from = row(in, inCounts, inDisplacements, inTypes, false);
        Row to = row(out, outCounts, outDisplacements, outTypes, true);
        return pairwise(CollectiveKind.ALLTOALLW, from, to, ElementType.RAW);
    }

    @Override
    public Collective gatherv(Object in, long inOffset, long inCount, Layout inType, Object out, long outOffset,
            int[] counts, int[] displacements, Layout outType, int root) {
        plain.checkRoot(root);
        if (root == Endpoint.NONE) {
            return plain.idle(CollectiveKind.GATHERV, true);
        }
        if (root == Endpoint.ROOT) {
            Row row = row(out, outOffset, counts, displacements, outType, true);
            Collective call = inter.gather(shape(CollectiveKind.GATHERV, root, outType), row.blocks(), 0);
            call.bind(null, 0, row.base(), row.at());
            return call;
        }
        Block own = block(in, inOffset, 0, inCount, inType, false);
        Collective call = inter.gather(shape(CollectiveKind.GATHERV, root, inType), null, own.bytes());
        bind(call, own, null);
        return call;
    }

    @Override
    public Collective scatterv(Object in, long inOffset, int[] counts, int[] displacements, Layout inType, Object out,
            long outOffset, long outCount, Layout outType, int root) {
        plain.checkRoot(root);
        if (root == Endpoint.NONE) {
            return plain.idle(CollectiveKind.SCATTERV, true);
        }
        if (root == Endpoint.ROOT) {
            Row row = row(in, inOffset, counts, displacements, inType, false);
            Collective call = inter.scatter(shape(CollectiveKind.SCATTERV, root, inType), row.blocks(), 0);
            call.bind(row.base(), row.at(), null, 0);
            return call;
        }
        Block own = block(out, outOffset, 0, outCount, outType, true);
        Collective call = inter.scatter(shape(CollectiveKind.SCATTERV, root, outType), null, own.bytes());
        bind(call, null, own);
        return call;
    }

    private Shape shape(CollectiveKind kind, int root, Layout type) {
        return new Shape(kind, inter.placeOf(root), 0, type.element(), null, false);
    }

    private Collective pairwise(CollectiveKind kind, Row from, Layout inType, Row to, Layout outType) {
        return pairwise(kind, from, to,
                inType.element() == outType.element() ? inType.element() : ElementType.RAW);
    }

    private Collective pairwise(CollectiveKind kind, Row from, Row to, ElementType element) {
        Collective call = inter.make(new Shape(kind, 0, 0, element, null, false),
                CrossAlltoall.of(rank, near, far, from.blocks(), to.blocks()), 1,
                CollectiveCalls.extent(from.blocks()), CollectiveCalls.extent(to.blocks()));
        call.bind(from.base(), from.at(), to.base(), to.at());
        return call;
    }

    /** Blocks of one length, one behind the other. */
    private Row even(Object buffer, long offset, long count, Layout type, boolean write) {
        Block all = block(buffer, offset, 0, times(count, far), type, write);
        return new Row(all.base(), all.at(), Blocks.even(far, type.bytes(count)));
    }

    /** The same block for all. */
    private Row same(Object buffer, long offset, long count, Layout type) {
        Block block = block(buffer, offset, 0, count, type, false);
        Blocks blocks = Blocks.even(far, block.bytes());
        Arrays.fill(blocks.offsets(), 0);
        return new Row(block.base(), block.at(), blocks);
    }

    /** Blocks of a datatype each, as one packed stream. */
    private Row row(Object buffer, int[] counts, long[] displacements, Layout[] types, boolean write) {
        Block[] each = each(far, buffer, counts, displacements, types, write);
        long[] bytes = new long[far];
        ProgramBuilder builder = new ProgramBuilder();
        for (int i = 0; i < far; i++) {
            bytes[i] = each[i].bytes();
            if (bytes[i] > 0) {
                builder.add(displacements[i], types[i].repeated(counts[i]));
            }
        }
        return new Row(new TypedBuffer(Buffers.base(buffer), Buffers.start(buffer), builder.build()), 0,
                Blocks.row(bytes));
    }
}
