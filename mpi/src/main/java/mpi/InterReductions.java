package mpi;

import java.util.Arrays;

/** Collective calls between two groups that combine data. All are started; who wants to wait waits. */
final class InterReductions {
    private InterReductions() {}

    static Request reduce(CommHandle on, Object in, int inOffset, Object out, int outOffset, int count, Datatype type,
            Op op, int root) {
        InterSide from = root < 0 ? InterSide.NOTHING : InterSide.elements(in, inOffset, count, type, true);
        InterSide to = root == MPI.ROOT
                ? InterSide.elements(out, outOffset, count, type, false) : InterSide.NOTHING;
        int number = root == MPI.ROOT ? to.count() : from.count();
        return to.filledBy(on, on.inter.ireduce(
                from.base, from.offset(), to.base, to.offset(), number, Op.core(op, type), root));
    }

    static Request allreduce(CommHandle on, Object in, int inOffset, Object out, int outOffset, int count,
            Datatype type, Op op) {
        InterSide from = given(in, inOffset, count, type);
        InterSide to = InterSide.elements(out, outOffset, count, type, false);
        return to.filledBy(on, on.inter.iallreduce(
                from.base, from.offset(), to.base, to.offset(), to.count(), Op.core(op, type)));
    }

    static Request reduceScatterBlock(CommHandle on, Object in, Object out, int count, Datatype type, Op op) {
        InterSide from = given(in, 0, Math.multiplyExact(count, on.inter.size()), type);
        InterSide to = InterSide.elements(out, 0, count, type, false);
        return to.filledBy(on, on.inter.ireduceScatterBlock(
                from.base, from.offset(), to.base, to.offset(), to.count(), Op.core(op, type)));
    }

    static Request reduceScatter(CommHandle on, Object in, int inOffset, Object out, int outOffset, int[] counts,
            Datatype type, Op op) {
        if (counts == null || counts.length < on.inter.size()) {
            throw new MPIException(MPI.ERR_ARG, "argument recvcounts: one for each of " + on.inter.size()
                    + " ranks is needed");
        }
        int[] used = Arrays.copyOf(counts, on.inter.size());
        int total = 0;
        for (int each : used) {
            total = Math.addExact(total, each);
        }
        // Core's call takes rows that begin with their buffers.
        InterSide from = given(in, inOffset, total, type).fromBegin(true);
        int own = used[on.inter.rank()];
        InterSide to = InterSide.elements(out, outOffset, own, type, false).fromBegin(false);
        int unit = total == 0 ? 1 : from.count() / total;
        for (int i = 0; i < used.length; i++) {
            used[i] *= unit;
        }
        return to.filledBy(on, on.inter.ireduceScatter(from.base, to.base, used, Op.core(op, type)));
    }

    private static InterSide given(Object in, int offset, int count, Datatype type) {
        if (in == CommCollectives.IN_PLACE) {
            throw new MPIException(MPI.ERR_BUFFER, "between two groups nothing is done in place");
        }
        return InterSide.elements(in, offset, count, type, true);
    }
}
