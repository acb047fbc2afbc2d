package mpi;

import io.rankwire.TopologyCommunicator;

/** Collective calls in which each rank exchanges data with its neighbours in a topology. */
final class Neighbours {
    private final CommHandle on;

    Neighbours(CommHandle on) {
        this.on = on;
    }

    private TopologyCommunicator topology() {
        if (on.core() instanceof TopologyCommunicator ranks) {
            return ranks;
        }
        throw new MPIException(MPI.ERR_TOPOLOGY, "this call needs a communicator with a topology");
    }

    /** Returns one number for each neighbour that data comes from; programs may pass longer arrays. */
    private int[] forEachSource(int[] numbers) {
        return CommHandle.first(numbers, topology().inDegree());
    }

    /** Returns one number for each neighbour that data goes to; programs may pass longer arrays. */
    private int[] forEachDestination(int[] numbers) {
        return CommHandle.first(numbers, topology().outDegree());
    }

    void allgather(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            if (inCount == outCount && Memory.isPlain(in, inType) && Memory.isPlain(out, outType)) {
                topology().neighbourAllgather(in, 0, out, 0, outCount);
            } else {
                topology().neighbourAllgather(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iallgather(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        return on.get(() -> new Request(on, topology().ineighbourAllgather(Memory.base(in, inType),
                Memory.at(in, 0, inType), inCount, Datatype.core(inType), Memory.base(out, outType),
                Memory.at(out, 0, outType), outCount, Datatype.core(outType))));
    }

    void allgatherv(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType) {
        try {
            int[] taken = forEachSource(outCounts);
            int[] to = forEachSource(displs);
            if (Memory.isPlain(in, inType) && Memory.isPlain(out, outType)) {
                topology().neighbourAllgatherv(in, 0, inCount, out, taken, to);
            } else {
                topology().neighbourAllgatherv(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), taken, to,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request iallgatherv(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType) {
        return on.get(() -> new Request(on, topology().ineighbourAllgatherv(Memory.base(in, inType),
                Memory.at(in, 0, inType), inCount, Datatype.core(inType), Memory.base(out, outType),
                Memory.at(out, 0, outType), forEachSource(outCounts), forEachSource(displs),
                Datatype.core(outType))));
    }

    void alltoall(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            if (inCount == outCount && Memory.isPlain(in, inType) && Memory.isPlain(out, outType)) {
                topology().neighbourAlltoall(in, 0, out, 0, outCount);
            } else {
                topology().neighbourAlltoall(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ialltoall(Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        return on.get(() -> new Request(on, topology().ineighbourAlltoall(Memory.base(in, inType),
                Memory.at(in, 0, inType), inCount, Datatype.core(inType), Memory.base(out, outType),
                Memory.at(out, 0, outType), outCount, Datatype.core(outType))));
    }

    void alltoallv(Object in, int[] inCounts, int[] inDispls, Datatype inType, Object out, int[] outCounts,
            int[] outDispls, Datatype outType) {
        try {
            int[] given = forEachDestination(inCounts);
            int[] from = forEachDestination(inDispls);
            int[] taken = forEachSource(outCounts);
            int[] to = forEachSource(outDispls);
            if (Memory.isPlain(in, inType) && Memory.isPlain(out, outType)) {
                topology().neighbourAlltoallv(in, given, from, out, taken, to);
            } else {
                topology().neighbourAlltoallv(Memory.base(in, inType), Memory.at(in, 0, inType), given, from,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), taken, to,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request ialltoallv(Object in, int[] inCounts, int[] inDispls, Datatype inType, Object out, int[] outCounts,
            int[] outDispls, Datatype outType) {
        return on.get(() -> new Request(on, topology().ineighbourAlltoallv(Memory.base(in, inType),
                Memory.at(in, 0, inType), forEachDestination(inCounts), forEachDestination(inDispls),
                Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                forEachSource(outCounts), forEachSource(outDispls), Datatype.core(outType))));
    }
}
