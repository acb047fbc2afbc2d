package mpi;

import io.rankwire.AnyCommunicator;
import java.nio.Buffer;
import java.util.Optional;

/** A message that a probe has taken, so that nobody else can receive it. */
public final class Message {
    private Comm on;
    /** Null for no message, or one from nobody. */
    private io.rankwire.Message core;
    private boolean fromNobody;

    public Message() {}

    public boolean isNull() {
        return core == null && !fromNobody;
    }

    /** Whether it is what a probe of {@link MPI#PROC_NULL} finds. */
    public boolean isNoProc() {
        return fromNobody;
    }

    /** Waits for a message and takes it. */
    public Status mProbe(int source, int tag, Comm comm) throws MPIException {
        try {
            AnyCommunicator from = comm.core();
            if (source == MPI.PROC_NULL) {
                return nobody(comm);
            }
            return take(from.mprobe(source, tag), comm);
        } catch (RuntimeException e) {
            throw comm.raised(e);
        }
    }

    /** Takes a message if one is here; null if not. */
    public Status imProbe(int source, int tag, Comm comm) throws MPIException {
        try {
            AnyCommunicator from = comm.core();
            if (source == MPI.PROC_NULL) {
                return nobody(comm);
            }
            Optional<io.rankwire.Message> found = from.improbe(source, tag);
            return found.isPresent() ? take(found.get(), comm) : null;
        } catch (RuntimeException e) {
            throw comm.raised(e);
        }
    }

    private Status take(io.rankwire.Message taken, Comm comm) {
        on = comm;
        core = taken;
        fromNobody = false;
        return new Status(taken.status(), null);
    }

    private Status nobody(Comm comm) {
        on = comm;
        core = null;
        fromNobody = true;
        return Status.ofObjects(MPI.PROC_NULL, MPI.ANY_TAG, 0);
    }

    /** Receives it; it is null afterwards. */
    public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
        return receive(buf, count, type).waitStatus();
    }

    /** Starts receiving it; it is null afterwards. */
    public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
        return receive(buf, count, type);
    }

    private Request receive(Object buf, int count, Datatype type) {
        if (fromNobody) {
            fromNobody = false;
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
        if (type != null && type.isObject()) {
            byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
            return new Request(on, message.irecv(bytes, 0, bytes.length, io.rankwire.Datatype.OBJECT),
                    status -> new Status(status, type).withObjects(
                            ObjectFormat.decode(bytes, 0, bytes.length, buf, 0, count, type)));
        }
        return Request.ofReceive(on, message.irecv(
                Memory.base(buf, type), Memory.at(buf, 0, type), count, Datatype.core(type)), type, null);
    }
}
