package mpi;

import java.nio.Buffer;

/**
 * Messages as Open MPI names them. A buffer is an array, or a buffer of {@code java.nio} of which element 0 counts;
 * calls that return at once need not be given a direct one.
 */
abstract class OpenMpiMessages extends CommMessages {
    OpenMpiMessages() {}

    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        sendFrom(buf, 0, count, type, dest, tag);
    }

    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return receiveInto(buf, 0, count, type, source, tag);
    }

    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
            Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return sendReceive(sendbuf, 0, sendcount, sendtype, dest, sendtag, recvbuf, 0, recvcount, recvtype, source,
                recvtag);
    }

    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest, int sendtag, int source,
            int recvtag) throws MPIException {
        return sendReceiveReplace(buf, 0, count, type, dest, sendtag, source, recvtag);
    }

    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        sendFrom(Mode.BUFFERED, buf, 0, count, type, dest, tag);
    }

    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        sendFrom(Mode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
    }

    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        sendFrom(Mode.READY, buf, 0, count, type, dest, tag);
    }

    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return isendFrom(Mode.STANDARD, buf, 0, count, type, dest, tag);
    }

    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return isendFrom(Mode.BUFFERED, buf, 0, count, type, dest, tag);
    }

    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return isendFrom(Mode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
    }

    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return isendFrom(Mode.READY, buf, 0, count, type, dest, tag);
    }

    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return irecvInto(buf, 0, count, type, source, tag);
    }

    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInitFrom(Mode.STANDARD, buf, 0, count, type, dest, tag);
    }

    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInitFrom(Mode.BUFFERED, buf, 0, count, type, dest, tag);
    }

    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInitFrom(Mode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
    }

    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInitFrom(Mode.READY, buf, 0, count, type, dest, tag);
    }

    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return receiveInitInto(buf, 0, count, type, source, tag);
    }

    /** Packs from a position on; returns where the bytes end. */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) throws MPIException {
        return packInto(inbuf, 0, incount, type, outbuf, position);
    }

    /** Unpacks from a position on; returns where the bytes end. */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
            throws MPIException {
        return unpackFrom(inbuf, position, outbuf, 0, outcount, type);
    }

    public final int packSize(int incount, Datatype type) throws MPIException {
        return sizeOfPacked(incount, type);
    }

    /** What a message that matches is, or null. */
    public final Status iProbe(int source, int tag) throws MPIException {
        return lookForMessage(source, tag);
    }

    public final Status probe(int source, int tag) throws MPIException {
        return awaitMessage(source, tag);
    }
}
