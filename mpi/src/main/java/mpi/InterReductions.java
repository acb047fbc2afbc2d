package mpi;

/** Collective calls between two groups that combine data. All are started; who wants to wait waits. */
final class InterReductions {
    private InterReductions() {}

    static Request reduce(CommCollectives on, Object in, int inOffset, Object out, int outOffset, int count,
            Datatype type, Op op, int root) {
        boolean idle = root == MPI.PROC_NULL;
        io.rankwire.Datatype layout = CommCollectives.layout(!idle, type);
        return on.request(on.inter.ireduce(Memory.base(in, type), Memory.at(in, inOffset, type), count, layout,
                Memory.base(out, type), Memory.at(out, outOffset, type), count, layout,
                idle ? null : Op.core(op, type), root));
    }

    static Request allreduce(CommCollectives on, Object in, int inOffset, Object out, int outOffset, int count,
            Datatype type, Op op) {
        io.rankwire.Datatype layout = Datatype.core(type);
        return on.request(on.inter.iallreduce(given(in, type), Memory.at(in, inOffset, type), count, layout,
                Memory.base(out, type), Memory.at(out, outOffset, type), count, layout, Op.core(op, type)));
    }

    static Request reduceScatterBlock(CommCollectives on, Object in, Object out, int count, Datatype type, Op op) {
        io.rankwire.Datatype layout = Datatype.core(type);
        return on.request(on.inter.ireduceScatterBlock(given(in, type), Memory.at(in, 0, type), count, layout,
                Memory.base(out, type), Memory.at(out, 0, type), count, layout, Op.core(op, type)));
    }

    static Request reduceScatter(CommCollectives on, Object in, int inOffset, Object out, int outOffset, int[] counts,
            Datatype type, Op op) {
        io.rankwire.Datatype layout = Datatype.core(type);
        int own = counts == null || counts.length <= on.inter.rank() ? 0 : counts[on.inter.rank()];
        return on.request(on.inter.ireduceScatter(given(in, type), Memory.at(in, inOffset, type), counts, layout,
                Memory.base(out, type), Memory.at(out, outOffset, type), own, layout, Op.core(op, type)));
    }

    private static Object given(Object in, Datatype type) {
        if (in == CommCollectives.IN_PLACE) {
            throw new MPIException(MPI.ERR_BUFFER, "between two groups nothing is done in place");
        }
        return Memory.base(in, type);
    }
}
