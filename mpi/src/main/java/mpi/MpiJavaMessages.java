package mpi;

/** Messages as mpiJava names them. A buffer is an array, and an offset in its elements goes with it. */
abstract class MpiJavaMessages extends OpenMpiMessages {
    MpiJavaMessages() {}

    public final void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        sendFrom(buf, offset, count, datatype, dest, tag);
    }

    public final void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        sendFrom(Mode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    public final void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        sendFrom(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    public final void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        sendFrom(Mode.READY, buf, offset, count, datatype, dest, tag);
    }

    public final Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return receiveInto(buf, offset, count, datatype, source, tag);
    }

    public final Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return isendFrom(Mode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    public final Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return isendFrom(Mode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    public final Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return isendFrom(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    public final Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return isendFrom(Mode.READY, buf, offset, count, datatype, dest, tag);
    }

    public final Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return irecvInto(buf, offset, count, datatype, source, tag);
    }

    public final Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return sendInitFrom(Mode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    public final Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return sendInitFrom(Mode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    public final Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return sendInitFrom(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    public final Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return sendInitFrom(Mode.READY, buf, offset, count, datatype, dest, tag);
    }

    public final Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return receiveInitInto(buf, offset, count, datatype, source, tag);
    }

    public final Status Sendrecv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest,
            int sendtag, Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag)
            throws MPIException {
        return sendReceive(sendbuf, sendoffset, sendcount, sendtype, dest, sendtag, recvbuf, recvoffset, recvcount,
                recvtype, source, recvtag);
    }

    public final Status Sendrecv_replace(Object buf, int offset, int count, Datatype datatype, int dest, int sendtag,
            int source, int recvtag) throws MPIException {
        return sendReceiveReplace(buf, offset, count, datatype, dest, sendtag, source, recvtag);
    }

    /** Packs from a position on; returns where the bytes end. */
    public final int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
            throws MPIException {
        return packInto(inbuf, offset, incount, datatype, outbuf, position);
    }

    /** Unpacks from a position on; returns where the bytes end. */
    public final int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return unpackFrom(inbuf, position, outbuf, offset, outcount, datatype);
    }

    public final int Pack_size(int incount, Datatype datatype) throws MPIException {
        return sizeOfPacked(incount, datatype);
    }

    /** What a message that matches is, or null. */
    public final Status Iprobe(int source, int tag) throws MPIException {
        return lookForMessage(source, tag);
    }

    public final Status Probe(int source, int tag) throws MPIException {
        return awaitMessage(source, tag);
    }
}
