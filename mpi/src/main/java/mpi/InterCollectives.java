package mpi;

/** Collective calls between two groups that move data. All are started; who wants to wait waits. */
final class InterCollectives {
    private InterCollectives() {}

    static Request broadcast(CommHandle on, Object buf, int offset, int count, Datatype type, int root) {
        boolean gives = root == MPI.ROOT;
        InterSide side = root == MPI.PROC_NULL ? InterSide.NOTHING : InterSide.of(buf, offset, count, type, gives);
        return side.filledBy(on, on.inter.ibroadcast(side.base, side.offset(), side.count(), root));
    }

    static Request gather(CommHandle on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        InterSide from = root < 0 ? InterSide.NOTHING : InterSide.of(in, inOffset, inCount, inType, true);
        int blocks = on.inter.remoteSize();
        InterSide to = root != MPI.ROOT ? InterSide.NOTHING
                : InterSide.of(out, outOffset, Math.multiplyExact(outCount, blocks), outType, false);
        int count = root == MPI.ROOT ? to.count() / blocks : from.count();
        return to.filledBy(on,
                on.inter.igather(from.base, from.offset(), to.base, to.offset(), count, root));
    }

    static Request gatherv(CommHandle on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType, int root) {
        InterSide from = root < 0 ? InterSide.NOTHING : InterSide.of(in, inOffset, inCount, inType, true);
        InterSide to = root != MPI.ROOT ? InterSide.NOTHING
                : InterSide.of(out, outOffset, outCounts, displs, outType, false);
        return to.filledBy(on,
                on.inter.igatherv(from.base, from.offset(), from.count(), to.base, to.counts, to.offsets, root));
    }

    static Request scatter(CommHandle on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        int blocks = on.inter.remoteSize();
        InterSide from = root != MPI.ROOT ? InterSide.NOTHING
                : InterSide.of(in, inOffset, Math.multiplyExact(inCount, blocks), inType, true);
        InterSide to = root < 0 ? InterSide.NOTHING : InterSide.of(out, outOffset, outCount, outType, false);
        int count = root == MPI.ROOT ? from.count() / blocks : to.count();
        return to.filledBy(on,
                on.inter.iscatter(from.base, from.offset(), to.base, to.offset(), count, root));
    }

    static Request scatterv(CommHandle on, Object in, int inOffset, int[] inCounts, int[] displs, Datatype inType,
            Object out, int outOffset, int outCount, Datatype outType, int root) {
        InterSide from = root != MPI.ROOT ? InterSide.NOTHING
                : InterSide.of(in, inOffset, inCounts, displs, inType, true);
        InterSide to = root < 0 ? InterSide.NOTHING : InterSide.of(out, outOffset, outCount, outType, false);
        return to.filledBy(on,
                on.inter.iscatterv(from.base, from.counts, from.offsets, to.base, to.offset(), to.count(), root));
    }

    static Request allgather(CommHandle on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        int blocks = on.inter.remoteSize();
        InterSide from = InterSide.of(in, inOffset, inCount, inType, true);
        InterSide to = InterSide.of(out, outOffset, Math.multiplyExact(outCount, blocks), outType, false);
        return to.filledBy(on, on.inter.iallgather(
                from.base, from.offset(), from.count(), to.base, to.offset(), to.count() / blocks));
    }

    static Request allgatherv(CommHandle on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType) {
        InterSide from = InterSide.of(in, inOffset, inCount, inType, true);
        InterSide to = InterSide.of(out, outOffset, outCounts, displs, outType, false);
        return to.filledBy(on, on.inter.iallgatherv(
                from.base, from.offset(), from.count(), to.base, to.counts, to.offsets));
    }

    static Request alltoall(CommHandle on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        int blocks = on.inter.remoteSize();
        InterSide from = InterSide.of(in, inOffset, Math.multiplyExact(inCount, blocks), inType, true);
        InterSide to = InterSide.of(out, outOffset, Math.multiplyExact(outCount, blocks), outType, false);
        return to.filledBy(on, on.inter.ialltoall(from.base, from.offset(), from.count() / blocks, to.base,
                to.offset(), to.count() / blocks));
    }

    static Request alltoallv(CommHandle on, Object in, int inOffset, int[] inCounts, int[] inDispls, Datatype inType,
            Object out, int outOffset, int[] outCounts, int[] outDispls, Datatype outType) {
        InterSide from = InterSide.of(in, inOffset, inCounts, inDispls, inType, true);
        InterSide to = InterSide.of(out, outOffset, outCounts, outDispls, outType, false);
        return exchange(on, from, to);
    }

    static Request alltoallw(CommHandle on, Object in, int[] inCounts, int[] inDispls, Datatype[] inTypes, Object out,
            int[] outCounts, int[] outDispls, Datatype[] outTypes) {
        return exchange(on, InterSide.of(in, inCounts, inDispls, inTypes, true),
                InterSide.of(out, outCounts, outDispls, outTypes, false));
    }

    private static Request exchange(CommHandle on, InterSide from, InterSide to) {
        return to.filledBy(on, on.inter.ialltoallv(
                from.base, from.counts, from.offsets, to.base, to.counts, to.offsets));
    }
}
