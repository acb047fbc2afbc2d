package mpi;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Collective calls with {@link MPI#OBJECT} that combine objects by a function of the program: a rank that needs
 * the result receives the objects of all ranks and combines them in the order of ranks.
 */
final class ObjectReductions {
    private final CommHandle on;
    private final ObjectCollectives calls;

    ObjectReductions(CommHandle on, ObjectCollectives calls) {
        this.on = on;
        this.calls = calls;
    }

    void reduce(Object in, int inOffset, Object out, int outOffset, int count,
            Datatype type, Op op, int root) {
        checkOwn(op);
        boolean gives = on.isRoot(root) && on.intra != null || root >= 0;
        ObjectFormat.Encoded mine = gives ? given(in, inOffset, out, outOffset, count, type) : null;
        ObjectCollectives.Blocks all = calls.gather(mine, root);
        if (all != null) {
            put(fold(all, all.lengths().length, count, type, op, out), 0, out, outOffset, count, type);
        }
    }

    void allreduce(Object in, int inOffset, Object out, int outOffset, int count,
            Datatype type, Op op) {
        ObjectCollectives.Blocks all = all(in, inOffset, out, outOffset, count, type, op);
        put(fold(all, all.lengths().length, count, type, op, out), 0, out, outOffset, count, type);
    }

    void scan(Object in, int inOffset, Object out, int outOffset, int count, Datatype type,
            Op op) {
        int rank = on.intra().rank();
        ObjectCollectives.Blocks all = all(in, inOffset, out, outOffset, count, type, op);
        put(fold(all, rank + 1, count, type, op, out), 0, out, outOffset, count, type);
    }

    /** The output of the first rank does not change. */
    void exscan(Object in, Object out, int count, Datatype type, Op op) {
        int rank = on.intra().rank();
        ObjectCollectives.Blocks all = all(in, 0, out, 0, count, type, op);
        if (rank > 0) {
            put(fold(all, rank, count, type, op, out), 0, out, 0, count, type);
        }
    }

    /** {@code inOut[i] = in[i] op inOut[i]}, of one rank. */
    static void combine(Object in, Object inOut, int count, Datatype type, Op op) {
        checkOwn(op);
        op.apply(in, inOut, count, type);
    }

    void reduceScatter(Object in, int inOffset, Object out, int outOffset, int[] counts,
            Datatype type, Op op) {
        int rank = on.core().rank();
        int[] starts = ObjectCollectives.places(counts);
        int total = starts[starts.length - 1] + counts[counts.length - 1];
        ObjectCollectives.Blocks all = all(in, inOffset, out, outOffset, total, type, op);
        Object[] whole = fold(all, all.lengths().length, total, type, op, out);
        put(whole, starts[rank] * type.Extent(), out, outOffset, counts[rank], type);
    }

    void reduceScatterBlock(Object in, Object out, int count, Datatype type, Op op) {
        int[] counts = new int[on.core().size()];
        Arrays.fill(counts, count);
        reduceScatter(in, 0, out, 0, counts, type, op);
    }

    private ObjectCollectives.Blocks all(
            Object in, int inOffset, Object out, int outOffset, int count, Datatype type, Op op) {
        checkOwn(op);
        return calls.allgather(given(in, inOffset, out, outOffset, count, type));
    }

    /** Encodes this rank's objects, which in place lie in the output. */
    private static ObjectFormat.Encoded given(
            Object in, int inOffset, Object out, int outOffset, int count, Datatype type) {
        boolean inPlace = in == Collectives.IN_PLACE;
        return ObjectFormat.encode(inPlace ? out : in, inPlace ? outOffset : inOffset, count, type);
    }

    private static void checkOwn(Op op) {
        if (op == null || op.isNull() || !op.isOwn()) {
            throw new MPIException(MPI.ERR_OP, "argument op: " + (op == null || op.isNull() ? "null"
                    : op + " does not combine objects"));
        }
    }

    /** Combines the objects of the first ranks into an array of the class of the output. */
    private static Object[] fold(
            ObjectCollectives.Blocks all, int ranks, int count, Datatype type, Op op, Object out) {
        Object[] result = row(all, 0, count, type, out);
        for (int i = 1; i < ranks; i++) {
            Object[] next = row(all, i, count, type, out);
            op.apply(result, next, count, type);
            result = next;
        }
        return result;
    }

    private static Object[] row(ObjectCollectives.Blocks all, int rank, int count, Datatype type, Object out) {
        io.rankwire.Datatype layout = Datatype.core(type);
        long end = layout.extent() * Math.max(0, count - 1) + layout.trueLowerBound() + layout.trueExtent();
        Class<?> element = out instanceof Object[] objects ? objects.getClass().getComponentType() : Object.class;
        Object[] row = (Object[]) Array.newInstance(element, Math.toIntExact(end / type.base.bytes));
        ObjectFormat.decode(all.bytes(), all.places()[rank], all.lengths()[rank], row, 0, count, type);
        return row;
    }

    private static void put(Object[] row, int at, Object out, int outOffset, int count, Datatype type) {
        ObjectFormat.Encoded result = ObjectFormat.encode(row, at, count, type);
        ObjectFormat.decode(result.bytes(), 0, result.length(), out, outOffset, count, type);
    }
}
