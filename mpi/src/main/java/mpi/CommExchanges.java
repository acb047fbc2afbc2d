package mpi;

import io.rankwire.TopologyCommunicator;
import java.util.Arrays;

/** Collective calls in which ranks give each other different data, below both dialects: all of them, or neighbours. */
abstract class CommExchanges extends CommCollectives {
    CommExchanges() {}

    final void alltoallInto(Object in, int inOffset, int inCount, Datatype inType, Object out, int outOffset,
            int outCount, Datatype outType) {
        try {
            if (intra != null && inCount == outCount && isPlain(in, inType) && isPlain(out, outType)) {
                intra.alltoall(in, inOffset, out, outOffset, outCount);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.alltoall(this, in, inOffset, inCount, inType, out, outOffset, outCount, outType);
            } else if (core() == inter) {
                InterCollectives.alltoall(this, in, inOffset, inCount, inType, out, outOffset, outCount, outType)
                        .complete();
            } else {
                intra.alltoall(Memory.base(in, inType), Memory.at(in, inOffset, inType), inCount, Datatype.core(inType),
                        Memory.base(out, outType), Memory.at(out, outOffset, outType), outCount,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ialltoallInto(
            Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            return core() == inter
                    ? InterCollectives.alltoall(this, in, 0, inCount, inType, out, 0, outCount, outType)
                    : request(intra.ialltoall(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                    Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void alltoallvInto(Object in, int inOffset, int[] inCounts, int[] inDispls, Datatype inType, Object out,
            int outOffset, int[] outCounts, int[] outDispls, Datatype outType) {
        try {
            int[] given = forEach(inCounts);
            int[] from = forEach(inDispls);
            int[] taken = forEach(outCounts);
            int[] to = forEach(outDispls);
            if (intra != null && inOffset == 0 && outOffset == 0 && isPlain(in, inType) && isPlain(out, outType)) {
                intra.alltoallv(in, given, from, out, taken, to);
            } else if (isObject(inType, outType)) {
                ObjectCollectives.alltoallv(this, in, inOffset, given, from, inType, out, outOffset, taken,
                        to, outType);
            } else if (core() == inter) {
                InterCollectives.alltoallv(this, in, inOffset, given, from, inType, out, outOffset, taken,
                        to, outType).complete();
            } else {
                intra.alltoallv(Memory.base(in, inType), Memory.at(in, inOffset, inType), given, from,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, outOffset, outType), taken, to,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ialltoallvInto(Object in, int[] inCounts, int[] inDispls, Datatype inType, Object out,
            int[] outCounts, int[] outDispls, Datatype outType) {
        try {
            int[] given = forEach(inCounts);
            int[] from = forEach(inDispls);
            int[] taken = forEach(outCounts);
            int[] to = forEach(outDispls);
            return core() == inter
                    ? InterCollectives.alltoallv(
                            this, in, 0, given, from, inType, out, 0, taken, to, outType)
                    : request(intra.ialltoallv(Memory.base(in, inType), Memory.at(in, 0, inType), given, from,
                            Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), taken, to,
                            Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Displacements are in bytes. */
    final void alltoallwInto(Object in, int[] inCounts, int[] inDispls, Datatype[] inTypes, Object out,
            int[] outCounts, int[] outDispls, Datatype[] outTypes) {
        try {
            int[] given = forEach(inCounts);
            int[] from = forEach(inDispls);
            int[] taken = forEach(outCounts);
            int[] to = forEach(outDispls);
            if (core() == inter) {
                InterCollectives.alltoallw(
                        this, in, given, from, cut(inTypes), out, taken, to, cut(outTypes)).complete();
            } else {
                intra.alltoallw(Memory.base(in, MPI.BYTE), given, bytes(in, from), cores(cut(inTypes)),
                        Memory.base(out, MPI.BYTE), taken, bytes(out, to), cores(cut(outTypes)));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ialltoallwInto(Object in, int[] inCounts, int[] inDispls, Datatype[] inTypes, Object out,
            int[] outCounts, int[] outDispls, Datatype[] outTypes) {
        try {
            int[] given = forEach(inCounts);
            int[] from = forEach(inDispls);
            int[] taken = forEach(outCounts);
            int[] to = forEach(outDispls);
            return core() == inter
                    ? InterCollectives.alltoallw(
                            this, in, given, from, cut(inTypes), out, taken, to, cut(outTypes))
                    : request(intra.ialltoallw(Memory.base(in, MPI.BYTE), given, bytes(in, from), cores(cut(inTypes)),
                            Memory.base(out, MPI.BYTE), taken, bytes(out, to), cores(cut(outTypes))));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private Datatype[] cut(Datatype[] types) {
        int count = core() == inter ? inter.remoteSize() : intra.size();
        return types == null || types.length <= count ? types : Arrays.copyOf(types, count);
    }

    /** Displacements in bytes from element 0 of a buffer as those from the begin of what is behind it. */
    static long[] bytes(Object buf, int[] displs) {
        long start = Memory.startByte(buf);
        long[] bytes = new long[displs.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = start + displs[i];
        }
        return bytes;
    }

    static io.rankwire.Datatype[] cores(Datatype[] types) {
        io.rankwire.Datatype[] cores = new io.rankwire.Datatype[types.length];
        for (int i = 0; i < cores.length; i++) {
            cores[i] = Datatype.core(types[i]);
        }
        return cores;
    }

    private TopologyCommunicator topology() {
        if (core() instanceof TopologyCommunicator ranks) {
            return ranks;
        }
        throw new MPIException(MPI.ERR_TOPOLOGY, "this call needs a communicator with a topology");
    }

    final void neighbourAllgather(
            Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            TopologyCommunicator on = topology();
            if (inCount == outCount && isPlain(in, inType) && isPlain(out, outType)) {
                on.neighbourAllgather(in, 0, out, 0, outCount);
            } else {
                on.neighbourAllgather(Memory.base(in, inType), Memory.at(in, 0, inType), inCount, Datatype.core(inType),
                        Memory.base(out, outType), Memory.at(out, 0, outType), outCount, Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ineighbourAllgather(
            Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            return request(topology().ineighbourAllgather(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                    Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void neighbourAllgatherv(Object in, int inCount, Datatype inType, Object out, int[] outCounts, int[] displs,
            Datatype outType) {
        try {
            TopologyCommunicator on = topology();
            int[] taken = first(outCounts, on.inDegree());
            int[] to = first(displs, on.inDegree());
            if (isPlain(in, inType) && isPlain(out, outType)) {
                on.neighbourAllgatherv(in, 0, inCount, out, taken, to);
            } else {
                on.neighbourAllgatherv(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), taken, to,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ineighbourAllgatherv(Object in, int inCount, Datatype inType, Object out, int[] outCounts,
            int[] displs, Datatype outType) {
        try {
            TopologyCommunicator on = topology();
            return request(on.ineighbourAllgatherv(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType),
                    first(outCounts, on.inDegree()), first(displs, on.inDegree()), Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void neighbourAlltoall(
            Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            TopologyCommunicator on = topology();
            if (inCount == outCount && isPlain(in, inType) && isPlain(out, outType)) {
                on.neighbourAlltoall(in, 0, out, 0, outCount);
            } else {
                on.neighbourAlltoall(Memory.base(in, inType), Memory.at(in, 0, inType), inCount, Datatype.core(inType),
                        Memory.base(out, outType), Memory.at(out, 0, outType), outCount, Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ineighbourAlltoall(
            Object in, int inCount, Datatype inType, Object out, int outCount, Datatype outType) {
        try {
            return request(topology().ineighbourAlltoall(Memory.base(in, inType), Memory.at(in, 0, inType), inCount,
                    Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), outCount,
                    Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void neighbourAlltoallv(Object in, int[] inCounts, int[] inDispls, Datatype inType, Object out,
            int[] outCounts, int[] outDispls, Datatype outType) {
        try {
            TopologyCommunicator on = topology();
            int[] given = first(inCounts, on.outDegree());
            int[] from = first(inDispls, on.outDegree());
            int[] taken = first(outCounts, on.inDegree());
            int[] to = first(outDispls, on.inDegree());
            if (isPlain(in, inType) && isPlain(out, outType)) {
                on.neighbourAlltoallv(in, given, from, out, taken, to);
            } else {
                on.neighbourAlltoallv(Memory.base(in, inType), Memory.at(in, 0, inType), given, from,
                        Datatype.core(inType), Memory.base(out, outType), Memory.at(out, 0, outType), taken, to,
                        Datatype.core(outType));
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Request ineighbourAlltoallv(Object in, int[] inCounts, int[] inDispls, Datatype inType, Object out,
            int[] outCounts, int[] outDispls, Datatype outType) {
        try {
            TopologyCommunicator on = topology();
            return request(on.ineighbourAlltoallv(Memory.base(in, inType), Memory.at(in, 0, inType),
                    first(inCounts, on.outDegree()), first(inDispls, on.outDegree()), Datatype.core(inType),
                    Memory.base(out, outType), Memory.at(out, 0, outType), first(outCounts, on.inDegree()),
                    first(outDispls, on.inDegree()), Datatype.core(outType)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
