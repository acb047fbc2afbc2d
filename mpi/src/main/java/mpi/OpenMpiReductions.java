package mpi;

import java.nio.Buffer;

/** Collective calls that combine data, as Open MPI names them; those with one buffer work in place. */
abstract class OpenMpiReductions extends OpenMpiCollectives {
    OpenMpiReductions() {}

    public final void reduce(Object sendBuf, Object recvBuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        reduceInto(sendBuf, 0, recvBuf, 0, count, type, op, root);
    }

    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        if (isRootOf(root)) {
            reduceInto(IN_PLACE, 0, buf, 0, count, type, op, root);
        } else {
            reduceInto(buf, 0, null, 0, count, type, op, root);
        }
    }

    public final Request iReduce(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return ireduceInto(sendBuf, recvBuf, count, type, op, root);
    }

    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return isRootOf(root) ? ireduceInto(IN_PLACE, buf, count, type, op, root)
                : ireduceInto(buf, null, count, type, op, root);
    }

    public final void allReduce(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
        allreduceInto(sendBuf, 0, recvBuf, 0, count, type, op);
    }

    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        allreduceInto(IN_PLACE, 0, buf, 0, count, type, op);
    }

    public final Request iAllReduce(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op)
            throws MPIException {
        return iallreduceInto(sendBuf, recvBuf, count, type, op);
    }

    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iallreduceInto(IN_PLACE, buf, count, type, op);
    }

    public final void reduceScatter(Object sendBuf, Object recvBuf, int[] recvCounts, Datatype type, Op op)
            throws MPIException {
        reduceScatterInto(sendBuf, 0, recvBuf, 0, recvCounts, type, op);
    }

    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        reduceScatterInto(IN_PLACE, 0, buf, 0, counts, type, op);
    }

    public final Request iReduceScatter(Buffer sendBuf, Buffer recvBuf, int[] recvCounts, Datatype type, Op op)
            throws MPIException {
        return ireduceScatterInto(sendBuf, recvBuf, recvCounts, type, op);
    }

    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return ireduceScatterInto(IN_PLACE, buf, counts, type, op);
    }

    public final void reduceScatterBlock(Object sendBuf, Object recvBuf, int recvCount, Datatype type, Op op)
            throws MPIException {
        reduceScatterBlockInto(sendBuf, recvBuf, recvCount, type, op);
    }

    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        reduceScatterBlockInto(IN_PLACE, buf, count, type, op);
    }

    public final Request iReduceScatterBlock(Buffer sendBuf, Buffer recvBuf, int recvCount, Datatype type, Op op)
            throws MPIException {
        return ireduceScatterBlockInto(sendBuf, recvBuf, recvCount, type, op);
    }

    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return ireduceScatterBlockInto(IN_PLACE, buf, count, type, op);
    }

    /** Combines two buffers of this rank: {@code inOutBuf[i] = inBuf[i] op inOutBuf[i]}. */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op)
            throws MPIException {
        try {
            if (isObject(type, null)) {
                ObjectReductions.combine(inBuf, inOutBuf, count, type, op);
                return;
            }
            Op.core(op, type).combine(Memory.base(inBuf, type), Memory.at(inBuf, 0, type), Memory.base(inOutBuf, type),
                    Memory.at(inOutBuf, 0, type), count, Datatype.core(type));
        } catch (RuntimeException e) {
            throw MPI.failed(e);
        }
    }

    public final void scan(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
        scanInto(sendBuf, 0, recvBuf, 0, count, type, op);
    }

    public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
        scanInto(IN_PLACE, 0, buf, 0, count, type, op);
    }

    public final Request iScan(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op) throws MPIException {
        return iscanInto(sendBuf, recvBuf, count, type, op);
    }

    public final Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iscanInto(IN_PLACE, buf, count, type, op);
    }

    public final void exScan(Object sendBuf, Object recvBuf, int count, Datatype type, Op op) throws MPIException {
        exscanInto(sendBuf, recvBuf, count, type, op);
    }

    public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        exscanInto(IN_PLACE, buf, count, type, op);
    }

    public final Request iExScan(Buffer sendBuf, Buffer recvBuf, int count, Datatype type, Op op)
            throws MPIException {
        return iexscanInto(sendBuf, recvBuf, count, type, op);
    }

    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iexscanInto(IN_PLACE, buf, count, type, op);
    }
}
