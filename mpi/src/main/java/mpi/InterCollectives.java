package mpi;

/** Collective calls between two groups that move data. All are started; who wants to wait waits. */
final class InterCollectives {
    private InterCollectives() {}

    static Request broadcast(CommCollectives on, Object buf, int offset, int count, Datatype type, int root) {
        return on.request(on.inter.ibroadcast(Memory.base(buf, type), Memory.at(buf, offset, type), count,
                CommCollectives.layout(root != MPI.PROC_NULL, type), root));
    }

    static Request gather(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        return on.request(on.inter.igather(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                CommCollectives.layout(root >= 0, inType), Memory.base(out, outType),
                Memory.at(out, outOffset, outType), outCount, CommCollectives.layout(root == MPI.ROOT, outType), root));
    }

    static Request gatherv(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType, int root) {
        return on.request(on.inter.igatherv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                CommCollectives.layout(root >= 0, inType), Memory.base(out, outType),
                Memory.at(out, outOffset, outType), outCounts, displs,
                CommCollectives.layout(root == MPI.ROOT, outType), root));
    }

    static Request scatter(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType, int root) {
        return on.request(on.inter.iscatter(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                CommCollectives.layout(root == MPI.ROOT, inType), Memory.base(out, outType),
                Memory.at(out, outOffset, outType), outCount, CommCollectives.layout(root >= 0, outType), root));
    }

    static Request scatterv(CommCollectives on, Object in, int inOffset, int[] inCounts, int[] displs, Datatype inType,
            Object out, int outOffset, int outCount, Datatype outType, int root) {
        return on.request(on.inter.iscatterv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCounts,
                displs, CommCollectives.layout(root == MPI.ROOT, inType), Memory.base(out, outType),
                Memory.at(out, outOffset, outType), outCount, CommCollectives.layout(root >= 0, outType), root));
    }

    static Request allgather(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        return on.request(on.inter.iallgather(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                Datatype.core(outType)));
    }

    static Request allgatherv(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] displs, Datatype outType) {
        return on.request(on.inter.iallgatherv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), outCounts,
                displs, Datatype.core(outType)));
    }

    static Request alltoall(CommCollectives on, Object in, int inOffset, int inCount, Datatype inType, Object out,
            int outOffset, int outCount, Datatype outType) {
        return on.request(on.inter.ialltoall(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount,
                Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                Datatype.core(outType)));
    }

    static Request alltoallv(CommCollectives on, Object in, int inOffset, int[] inCounts, int[] inDispls,
            Datatype inType, Object out, int outOffset, int[] outCounts, int[] outDispls, Datatype outType) {
        return on.request(on.inter.ialltoallv(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCounts,
                inDispls, Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType),
                outCounts, outDispls, Datatype.core(outType)));
    }

    static Request alltoallw(CommCollectives on, Object in, int[] inCounts, int[] inDispls, Datatype[] inTypes,
            Object out, int[] outCounts, int[] outDispls, Datatype[] outTypes) {
        return on.request(on.inter.ialltoallw(Memory.base(in, MPI.BYTE), inCounts, CommExchanges.bytes(in, inDispls),
                CommExchanges.cores(inTypes), Memory.base(out, MPI.BYTE), outCounts,
                CommExchanges.bytes(out, outDispls), CommExchanges.cores(outTypes)));
    }
}
