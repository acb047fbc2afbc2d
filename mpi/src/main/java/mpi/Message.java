package mpi;

import java.nio.Buffer;

/** A message that a probe has matched: no other receive gets it. */
public final class Message {
    private CommHandle on;
    /** Null in a null message and in a message of {@link MPI#PROC_NULL}. */
    private io.rankwire.Message core;
    private boolean noProcess;

    /** Makes a null message. */
    public Message() {}

    /** Returns whether this is a null message. */
    public boolean isNull() {
        return core == null && !noProcess;
    }

    /** Returns whether the message is that of {@link MPI#PROC_NULL}. */
    public boolean isNoProc() {
        return noProcess;
    }

    /** Waits for a message and matches it (MPI_Mprobe). */
    public Status mProbe(int source, int tag, Comm comm) throws MPIException {
        CommHandle from = comm.on;
        return from.get(() -> {
            from.core();
            return source == MPI.PROC_NULL ? noProcess(from) : take(from.core.mprobe(source, tag), from);
        });
    }

    /** Matches a message that has arrived; returns null if there is none (MPI_Improbe). */
    public Status imProbe(int source, int tag, Comm comm) throws MPIException {
        CommHandle from = comm.on;
        return from.get(() -> {
            from.core();
            return source == MPI.PROC_NULL ? noProcess(from)
                    : from.core.improbe(source, tag).map(message -> take(message, from)).orElse(null);
        });
    }

    private Status take(io.rankwire.Message taken, CommHandle from) {
        on = from;
        core = taken;
        noProcess = false;
        return new Status(taken.status(), null);
    }

    private Status noProcess(CommHandle from) {
        on = from;
        core = null;
        noProcess = true;
        return Status.ofObjects(MPI.PROC_NULL, MPI.ANY_TAG, 0);
    }

    /** Receives the message, which is null afterwards (MPI_Mrecv). */
    public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
        return receive(buf, count, type).waitStatus();
    }

    /** Starts to receive the message, which is null afterwards (MPI_Imrecv). */
    public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
        return receive(buf, count, type);
    }

    private Request receive(Object buf, int count, Datatype type) {
        if (noProcess) {
            noProcess = false;
            return Request.done(on, Status.ofObjects(MPI.PROC_NULL, MPI.ANY_TAG, 0));
        }
        if (core == null) {
            throw MPI.failed(new MPIException(MPI.ERR_REQUEST, "the message is null"));
        }
        try {
            Request request = start(core, buf, count, type);
            core = null;
            return request;
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    private Request start(io.rankwire.Message message, Object buf, int count, Datatype type) {
        if (Datatype.isObject(type)) {
            byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
            return new Request(on, message.irecv(bytes, 0, bytes.length, io.rankwire.Datatype.OBJECT),
                    status -> new Status(status, type).withObjects(
                            ObjectFormat.decode(bytes, 0, bytes.length, buf, 0, count, type)));
        }
        return Request.ofReceive(on, message.irecv(
                Memory.base(buf, type), Memory.at(buf, 0, type), count, Datatype.core(type)), type, null);
    }
}
