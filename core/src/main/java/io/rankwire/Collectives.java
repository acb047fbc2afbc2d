package io.rankwire;

/**
 * Calls that all ranks of a {@link Communicator} make together, in the same order. Each comes in three forms: one that
 * returns when this rank's part is done, one ({@code i…}) that returns a {@link Request} at once, and one ({@code
 * …Init}) whose request can be started over and over. Counts are of one block, that is what one rank gives to or gets
 * from another; the forms without them take whole buffers. The work is handed to the device once and goes on by
 * itself.
 *
 * <p>With {@link #IN_PLACE} for the buffer that is read ({@code in}; of {@code scatter}, at the root, {@code out}),
 * what it would hold lies in the other buffer already, where it belongs. Operations that do not commute are applied in
 * the order of ranks. The result of a reduction is the same, to the last bit, on every rank and in every run of the
 * same ranks: what is combined with what is settled before the first message, and the order in which messages come
 * does not matter. {@link Op#reproducible} promises more.
 *
 * <p>Ranks that do not make the same call get an error that names both, at the latest when the communicator is freed or
 * the world ends: some calls return on some ranks before the others have come.
 */
public abstract sealed class Collectives extends TypedCollectives permits Communicator {
    /** Stands for a buffer whose content is in the other one already. */
    public static final Object IN_PLACE = new Object() {
        @Override
        public String toString() {
            return "IN_PLACE";
        }
    };

    private CollectiveCalls calls;
    private TypedCalls typed;
    private LineCalls lines;

    Collectives(World world, Group group, Group peers, int context, String name) {
        super(world, group, peers, context, name);
    }

    /** Returns when all ranks have come here. */
    public void barrier() {
        run(calls().barrier(false));
    }

    public Request ibarrier() {
        return start(calls().barrier(false));
    }

    public Request barrierInit() {
        return persistent(calls().barrier(true));
    }

    /** The root's buffer goes to all. */
    public void broadcast(Object buffer, int root) {
        broadcast(buffer, 0, elements(buffer, buffer), root);
    }

    public void broadcast(Object buffer, int offset, int count, int root) {
        run(calls().broadcast(buffer, offset, count, root, false));
    }

    public Request ibroadcast(Object buffer, int root) {
        return ibroadcast(buffer, 0, elements(buffer, buffer), root);
    }

    public Request ibroadcast(Object buffer, int offset, int count, int root) {
        return start(calls().broadcast(buffer, offset, count, root, false));
    }

    public Request broadcastInit(Object buffer, int offset, int count, int root) {
        return persistent(calls().broadcast(buffer, offset, count, root, true));
    }

    /** Blocks of all ranks come together at the root, in their order; other ranks' {@code out} may be null. */
    public void gather(Object in, Object out, int root) {
        gather(in, 0, out, 0, elements(in, out, false), root);
    }

    public void gather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(calls().blocks(CollectiveKind.GATHER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request igather(Object in, Object out, int root) {
        return igather(in, 0, out, 0, elements(in, out, false), root);
    }

    public Request igather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return start(calls().blocks(CollectiveKind.GATHER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request gatherInit(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return persistent(calls().blocks(CollectiveKind.GATHER, in, inOffset, out, outOffset, count, root, true));
    }

    /** The root's blocks go one to each rank; other ranks' {@code in} may be null. */
    public void scatter(Object in, Object out, int root) {
        scatter(in, 0, out, 0, elements(out, in, false), root);
    }

    public void scatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(calls().blocks(CollectiveKind.SCATTER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request iscatter(Object in, Object out, int root) {
        return iscatter(in, 0, out, 0, elements(out, in, false), root);
    }

    public Request iscatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return start(calls().blocks(CollectiveKind.SCATTER, in, inOffset, out, outOffset, count, root, false));
    }

    public Request scatterInit(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return persistent(calls().blocks(CollectiveKind.SCATTER, in, inOffset, out, outOffset, count, root, true));
    }

    /** Blocks of all ranks come together at all. */
    public void allgather(Object in, Object out) {
        allgather(in, 0, out, 0, elements(in, out, false));
    }

    public void allgather(Object in, int inOffset, Object out, int outOffset, int count) {
        run(calls().blocks(CollectiveKind.ALLGATHER, in, inOffset, out, outOffset, count, 0, false));
    }

    public Request iallgather(Object in, Object out) {
        return iallgather(in, 0, out, 0, elements(in, out, false));
    }

    public Request iallgather(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(calls().blocks(CollectiveKind.ALLGATHER, in, inOffset, out, outOffset, count, 0, false));
    }

    public Request allgatherInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(calls().blocks(CollectiveKind.ALLGATHER, in, inOffset, out, outOffset, count, 0, true));
    }

    /** Block i goes to rank i, and the block of rank i comes to place i. */
    public void alltoall(Object in, Object out) {
        alltoall(in, 0, out, 0, elements(out, in, true));
    }

    public void alltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        run(calls().blocks(CollectiveKind.ALLTOALL, in, inOffset, out, outOffset, count, 0, false));
    }

    public Request ialltoall(Object in, Object out) {
        return ialltoall(in, 0, out, 0, elements(out, in, true));
    }

    public Request ialltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(calls().blocks(CollectiveKind.ALLTOALL, in, inOffset, out, outOffset, count, 0, false));
    }

    public Request alltoallInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(calls().blocks(CollectiveKind.ALLTOALL, in, inOffset, out, outOffset, count, 0, true));
    }

    /** The vectors of all ranks are combined, element by element, at the root. */
    public void reduce(Object in, Object out, Op op, int root) {
        reduce(in, 0, out, 0, elements(in, out), op, root);
    }

    public void reduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        run(calls().vectors(CollectiveKind.REDUCE, in, inOffset, out, outOffset, count, op, root, false));
    }

    public Request ireduce(Object in, Object out, Op op, int root) {
        return ireduce(in, 0, out, 0, elements(in, out), op, root);
    }

    public Request ireduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        return start(calls().vectors(CollectiveKind.REDUCE, in, inOffset, out, outOffset, count, op, root, false));
    }

    public Request reduceInit(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        return persistent(calls().vectors(CollectiveKind.REDUCE, in, inOffset, out, outOffset, count, op, root, true));
    }

    /** The vectors of all ranks are combined, element by element, for all. */
    public void allreduce(Object in, Object out, Op op) {
        allreduce(in, 0, out, 0, elements(in, out), op);
    }

    public void allreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(calls().vectors(CollectiveKind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0, false));
    }

    public Request iallreduce(Object in, Object out, Op op) {
        return iallreduce(in, 0, out, 0, elements(in, out), op);
    }

    public Request iallreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(calls().vectors(CollectiveKind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0, false));
    }

    public Request allreduceInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(calls().vectors(CollectiveKind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0, true));
    }

    /** The vectors of all ranks are combined and block i goes to rank i. */
    public void reduceScatterBlock(Object in, Object out, Op op) {
        reduceScatterBlock(in, 0, out, 0, elements(in == IN_PLACE ? IN_PLACE : out, out, false), op);
    }

    public void reduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(calls().reduceScatterBlock(in, inOffset, out, outOffset, count, op, false));
    }

    public Request ireduceScatterBlock(Object in, Object out, Op op) {
        return ireduceScatterBlock(in, 0, out, 0, elements(in == IN_PLACE ? IN_PLACE : out, out, false), op);
    }

    public Request ireduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(calls().reduceScatterBlock(in, inOffset, out, outOffset, count, op, false));
    }

    public Request reduceScatterBlockInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(calls().reduceScatterBlock(in, inOffset, out, outOffset, count, op, true));
    }

    /** Each rank gets the vectors of the ranks up to and with itself, combined. */
    public void scan(Object in, Object out, Op op) {
        scan(in, 0, out, 0, elements(in, out), op);
    }

    public void scan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(calls().vectors(CollectiveKind.SCAN, in, inOffset, out, outOffset, count, op, 0, false));
    }

    public Request iscan(Object in, Object out, Op op) {
        return iscan(in, 0, out, 0, elements(in, out), op);
    }

    public Request iscan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(calls().vectors(CollectiveKind.SCAN, in, inOffset, out, outOffset, count, op, 0, false));
    }

    public Request scanInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(calls().vectors(CollectiveKind.SCAN, in, inOffset, out, outOffset, count, op, 0, true));
    }

    /** Each rank gets the vectors of the ranks before it, combined; the {@code out} of rank 0 stays as it is. */
    public void exscan(Object in, Object out, Op op) {
        exscan(in, 0, out, 0, elements(in, out), op);
    }

    public void exscan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(calls().vectors(CollectiveKind.EXSCAN, in, inOffset, out, outOffset, count, op, 0, false));
    }

    public Request iexscan(Object in, Object out, Op op) {
        return iexscan(in, 0, out, 0, elements(in, out), op);
    }

    public Request iexscan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(calls().vectors(CollectiveKind.EXSCAN, in, inOffset, out, outOffset, count, op, 0, false));
    }

    public Request exscanInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(calls().vectors(CollectiveKind.EXSCAN, in, inOffset, out, outOffset, count, op, 0, true));
    }

    /** As gather, with blocks of different lengths; the root says how long each is and where it goes. */
    public void gatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets, int root) {
        run(calls().gatherv(in, inOffset, inCount, out, counts, offsets, root));
    }

    public Request igatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets, int root) {
        return start(calls().gatherv(in, inOffset, inCount, out, counts, offsets, root));
    }

    public Request gathervInit(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets,
            int root) {
        return persistent(calls().gatherv(in, inOffset, inCount, out, counts, offsets, root));
    }

    /** As scatter, with blocks of different lengths; the root says how long each is and where it lies. */
    public void scatterv(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount, int root) {
        run(calls().scatterv(in, counts, offsets, out, outOffset, outCount, root));
    }

    public Request iscatterv(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount,
            int root) {
        return start(calls().scatterv(in, counts, offsets, out, outOffset, outCount, root));
    }

    public Request scattervInit(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount,
            int root) {
        return persistent(calls().scatterv(in, counts, offsets, out, outOffset, outCount, root));
    }

    /** As allgather, with blocks of different lengths; each rank says where they go. */
    public void allgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        run(calls().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    public Request iallgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return start(calls().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    public Request allgathervInit(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return persistent(calls().allgatherv(in, inOffset, inCount, out, counts, offsets));
    }

    /** As alltoall, with blocks of different lengths. */
    public void alltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts, int[] outOffsets) {
        run(calls().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    public Request ialltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return start(calls().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    public Request alltoallvInit(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return persistent(calls().alltoallv(in, inCounts, inOffsets, out, outCounts, outOffsets));
    }

    /** As reduceScatterBlock, with blocks of different lengths. */
    public void reduceScatter(Object in, Object out, int[] counts, Op op) {
        run(calls().reduceScatter(in, out, counts, op));
    }

    public Request ireduceScatter(Object in, Object out, int[] counts, Op op) {
        return start(calls().reduceScatter(in, out, counts, op));
    }

    public Request reduceScatterInit(Object in, Object out, int[] counts, Op op) {
        return persistent(calls().reduceScatter(in, out, counts, op));
    }

    /** Each rank gets the elements of the ranks up to and with itself, combined. */
    public void scan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, Op op) {
        run(typed().vectors(CollectiveKind.SCAN, in, inOffset, inCount, inType, out, outOffset, outCount, outType, op,
                0, false));
    }

    public Request iscan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(typed().vectors(CollectiveKind.SCAN, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, op, 0, false));
    }

    public Request scanInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(typed().vectors(CollectiveKind.SCAN, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, op, 0, true));
    }

    /** Each rank gets the elements of the ranks before it, combined; the {@code out} of rank 0 stays as it is. */
    public void exscan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(typed().vectors(CollectiveKind.EXSCAN, in, inOffset, inCount, inType, out, outOffset, outCount, outType, op,
                0, false));
    }

    public Request iexscan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(typed().vectors(CollectiveKind.EXSCAN, in, inOffset, inCount, inType, out, outOffset, outCount,
                outType, op, 0, false));
    }

    public Request exscanInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(typed().vectors(CollectiveKind.EXSCAN, in, inOffset, inCount, inType, out, outOffset,
                outCount, outType, op, 0, true));
    }

    /** Elements of a vector, told by whichever buffer is there. */
    private int elements(Object first, Object second) {
        Object buffer = first == IN_PLACE ? second : first;
        typeOf(buffer);
        return Math.toIntExact(Buffers.length(buffer));
    }

    /** Elements of a block: all of a buffer that holds one, or a part of one that holds them all. */
    private int elements(Object first, Object second, boolean holdsAll) {
        Object buffer = first == IN_PLACE ? second : first;
        typeOf(buffer);
        long length = Buffers.length(buffer);
        if (!holdsAll && first != IN_PLACE) {
            return Math.toIntExact(length);
        }
        if (length % size() != 0) {
            throw error(ErrorClass.COUNT, "a " + Buffers.describe(buffer) + " of length " + length
                    + " cannot be cut into " + size() + " blocks of one length");
        }
        return Math.toIntExact(length / size());
    }

    /** Made at the first call that needs them. */
    @Override
    final LineCalls lines() {
        if (lines == null) {
            lines = new LineCalls((Communicator) this);
        }
        return lines;
    }

    final CollectiveCalls calls() {
        checkUsable();
        if (calls == null) {
            calls = new CollectiveCalls((Communicator) this);
        }
        return calls;
    }

    @Override
    final TypedCalls typed() {
        CollectiveCalls plain = calls();
        if (typed == null) {
            typed = new TypedCalls((Communicator) this, plain.programs);
        }
        return typed;
    }

    @Override
    final CollectivePrograms programs() {
        return calls.programs;
    }
}
