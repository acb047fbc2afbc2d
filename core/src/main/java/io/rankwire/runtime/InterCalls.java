package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.CrossAlltoall;
import io.rankwire.collective.Schedule;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/** The arguments of collective calls between two groups, checked and bound to a compiled program. */
public final class InterCalls extends CollectiveCalls {
    private final Endpoint on;
    private final int rank;
    private final int near;
    private final int far;
    private final InterPrograms inter;

    public InterCalls(Endpoint on) {
        super(on, on.peers().size(), new InterPrograms(on));
        this.on = on;
        this.rank = on.rank();
        this.near = on.size();
        this.far = on.peers().size();
        this.inter = (InterPrograms) programs;
    }

    @Override
    public Collective broadcast(Object buffer, long offset, long count, int root, boolean fresh) {
        checkRoot(root);
        if (root == Endpoint.NONE) {
            return idle(CollectiveKind.BROADCAST, fresh);
        }
        ElementType type = part(buffer, offset, count, root != Endpoint.ROOT);
        Collective call = inter.find(CollectiveKind.BROADCAST, inter.placeOf(root), count * type.bytes(), type, null,
                false, fresh);
        call.bind(null, 0, Buffers.base(buffer), at(buffer, type, offset));
        return call;
    }

    /** Gather and scatter. */
    public Collective rooted(CollectiveKind kind, Object in, long inOffset, Object out, long outOffset, long count, int root,
            boolean fresh) {
        checkRoot(root);
        if (root == Endpoint.NONE) {
            return idle(kind, fresh);
        }
        boolean isRoot = root == Endpoint.ROOT;
        boolean reads = kind == CollectiveKind.GATHER != isRoot;
        Object buffer = reads ? in : out;
        long offset = reads ? inOffset : outOffset;
        ElementType type = part(buffer, offset, isRoot ? times(count) : count, !reads);
        Collective call = inter.find(kind, inter.placeOf(root), count * type.bytes(), type, null, false, fresh);
        bind(call, reads, buffer, at(buffer, type, offset));
        return call;
    }

    public Collective reduce(Object in, long inOffset, Object out, long outOffset, long count, Operator op, int root,
            boolean fresh) {
        checkRoot(root);
        if (root == Endpoint.NONE) {
            return idle(CollectiveKind.REDUCE, fresh);
        }
        boolean reads = root != Endpoint.ROOT;
        Object buffer = reads ? in : out;
        long offset = reads ? inOffset : outOffset;
        ElementType given = part(buffer, offset, count, !reads);
        ElementType type = element(op, given, given, null);
        long bytes = count * given.bytes();
        checkGroups(on, op, type, bytes);
        Collective call = inter.find(CollectiveKind.REDUCE, inter.placeOf(root), bytes, type, op, false, fresh);
        bind(call, reads, buffer, at(buffer, given, offset));
        return call;
    }

    public Collective allreduce(Object in, long inOffset, Object out, long outOffset, long count, Operator op, boolean fresh) {
        ElementType inType = part(in, inOffset, count, false);
        ElementType outType = part(out, outOffset, count, true);
        ElementType type = element(op, together(inType, outType), inType, outType);
        long bytes = count * inType.bytes();
        checkGroups(on, op, type, bytes);
        Collective call = inter.find(CollectiveKind.ALLREDUCE, 0, bytes, type, op, false, fresh);
        call.bind(Buffers.base(in), at(in, inType, inOffset), Buffers.base(out), at(out, outType, outOffset));
        return call;
    }

    /** The two sides agree about the whole vector, which is as many blocks as each side has ranks. */
    @Override
    public Collective reduceScatterBlock(
            Object in, long inOffset, Object out, long outOffset, long count, Operator op, boolean fresh) {
        ElementType inType = part(in, inOffset, Math.multiplyExact(count, (long) near), false);
        ElementType outType = part(out, outOffset, count, true);
        ElementType type = element(op, together(inType, outType), inType, outType);
        checkGroups(on, op, type, count * outType.bytes());
        Collective call = inter.find(CollectiveKind.REDUCE_SCATTER_BLOCK, 0, count * outType.bytes() * near, type, op,
                false, fresh);
        call.bind(Buffers.base(in), at(in, inType, inOffset), Buffers.base(out), at(out, outType, outOffset));
        return call;
    }

    @Override
    public Collective reduceScatter(Object in, Object out, int[] counts, Operator op) {
        Blocks elements = row(counts, near);
        ElementType inType = part(in, 0, elements.total(), false);
        ElementType outType = part(out, 0, counts[rank], true);
        ElementType type = element(op, together(inType, outType), inType, outType);
        long[] units = new long[near];
        for (int i = 0; i < near; i++) {
            checkGroups(on, op, type, (long) counts[i] * outType.bytes());
            units[i] = (long) counts[i] * outType.bytes() / ((long) type.bytes() * op.group());
        }
        Shape shape = new Shape(
                CollectiveKind.REDUCE_SCATTER, 0, elements.total() * outType.bytes(), type, op, false);
        Collective call = inter.reduceScatter(shape, Blocks.row(units));
        call.bind(Buffers.base(in), at(in, inType, 0), Buffers.base(out), at(out, outType, 0));
        return call;
    }

    /** Allgather: the same block for all. */
    public Collective allgather(Object in, long inOffset, long inCount, Object out, long outOffset, long outCount) {
        ElementType inType = part(in, inOffset, inCount, false);
        ElementType outType = part(out, outOffset, times(outCount), true);
        return pairwise(CollectiveKind.ALLGATHER, in, inOffset, inType, sameForAll(inCount * inType.bytes()), out,
                outOffset, outType, Blocks.even(far, outCount * outType.bytes()));
    }

    @Override
    public Collective allgatherv(Object in, long inOffset, long inCount, Object out, int[] counts, int[] offsets) {
        ElementType inType = part(in, inOffset, inCount, false);
        ElementType outType = parts(out, counts, offsets, true);
        return pairwise(CollectiveKind.ALLGATHERV, in, inOffset, inType, sameForAll(inCount * inType.bytes()), out, 0,
                outType, bytes(counts, offsets, outType));
    }

    public Collective alltoall(Object in, long inOffset, long inCount, Object out, long outOffset, long outCount) {
        ElementType inType = part(in, inOffset, times(inCount), false);
        ElementType outType = part(out, outOffset, times(outCount), true);
        return pairwise(CollectiveKind.ALLTOALL, in, inOffset, inType, Blocks.even(far, inCount * inType.bytes()), out,
                outOffset, outType, Blocks.even(far, outCount * outType.bytes()));
    }

    @Override
    public Collective alltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts, int[] outOffsets) {
        ElementType inType = parts(in, inCounts, inOffsets, false);
        ElementType outType = parts(out, outCounts, outOffsets, true);
        return pairwise(CollectiveKind.ALLTOALLV, in, 0, inType, bytes(inCounts, inOffsets, inType), out, 0, outType,
                bytes(outCounts, outOffsets, outType));
    }

    @Override
    public Collective gatherv(Object in, long inOffset, long inCount, Object out, int[] counts, int[] offsets, int root) {
        checkRoot(root);
        if (root == Endpoint.NONE) {
            return idle(CollectiveKind.GATHERV, true);
        }
        boolean isRoot = root == Endpoint.ROOT;
        ElementType type = isRoot ? parts(out, counts, offsets, true) : part(in, inOffset, inCount, false);
        Shape shape = new Shape(CollectiveKind.GATHERV, inter.placeOf(root), 0, type, null, false);
        Collective call = inter.gather(shape, isRoot ? bytes(counts, offsets, type) : null,
                isRoot ? 0 : inCount * type.bytes());
        bind(call, !isRoot, isRoot ? out : in, isRoot ? at(out, type, 0) : at(in, type, inOffset));
        return call;
    }

    @Override
    public Collective scatterv(Object in, int[] counts, int[] offsets, Object out, long outOffset, long outCount, int root) {
        checkRoot(root);
        if (root == Endpoint.NONE) {
            return idle(CollectiveKind.SCATTERV, true);
        }
        boolean isRoot = root == Endpoint.ROOT;
        ElementType type = isRoot ? parts(in, counts, offsets, false) : part(out, outOffset, outCount, true);
        Shape shape = new Shape(CollectiveKind.SCATTERV, inter.placeOf(root), 0, type, null, false);
        Collective call = inter.scatter(shape, isRoot ? bytes(counts, offsets, type) : null,
                isRoot ? 0 : outCount * type.bytes());
        bind(call, isRoot, isRoot ? in : out, isRoot ? at(in, type, 0) : at(out, type, outOffset));
        return call;
    }

    private Collective pairwise(CollectiveKind kind, Object in, long inOffset, ElementType inType, Blocks from,
            Object out, long outOffset, ElementType outType, Blocks to) {
        Shape shape = new Shape(kind, 0, 0, together(inType, outType), null, false);
        Schedule schedule = CrossAlltoall.of(rank, near, far, from, to);
        Collective call = inter.make(shape, schedule, 1, extent(from), extent(to));
        call.bind(Buffers.base(in), at(in, inType, inOffset), Buffers.base(out), at(out, outType, outOffset));
        return call;
    }

    private Blocks sameForAll(long bytes) {
        Blocks blocks = Blocks.even(far, bytes);
        Arrays.fill(blocks.offsets(), 0);
        return blocks;
    }

    /** A call in which another rank of this side is the root. */
    public Collective idle(CollectiveKind kind, boolean fresh) {
        Collective call = inter.find(kind, inter.placeOf(Endpoint.NONE), 0, ElementType.BYTE, null, false, fresh);
        call.bind(NOTHING, 0, NOTHING, 0);
        return call;
    }

    private static void bind(Collective call, boolean reads, Object buffer, long at) {
        Object base = Buffers.base(buffer);
        call.bind(reads ? base : null, reads ? at : 0, reads ? null : base, reads ? 0 : at);
    }

    public void checkRoot(int root) {
        if (root != Endpoint.ROOT && root != Endpoint.NONE && (root < 0 || root >= far)) {
            throw on.error(ErrorClass.RANK, "argument root: " + root
                    + " is neither ROOT nor NONE nor a rank of the other side of " + on.name() + ", which has " + far);
        }
    }
}
