package mpi;

import io.rankwire.Parcel;
import io.rankwire.AnyCommunicator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Messages of {@link MPI#OBJECT}: objects are encoded as they are sent, and decoded as they are received. */
final class ObjectMessages {
    /** A message that was received early to count its objects, and is kept for its receive. */
    private record Held(int source, int tag, byte[] bytes) {
        boolean matches(int wantedSource, int wantedTag) {
            return (wantedSource == MPI.ANY_SOURCE || wantedSource == source)
                    && (wantedTag == MPI.ANY_TAG || wantedTag == tag);
        }
    }

    private final CommHandle on;
    /** Null while there are none; guarded by this. */
    private List<Held> held;

    ObjectMessages(CommHandle on) {
        this.on = on;
    }

    void send(SendMode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        send(mode, ObjectFormat.encode(buf, offset, count, type), dest, tag);
    }

    void send(SendMode mode, ObjectFormat.Encoded objects, int dest, int tag) {
        mode.blocking.send(on.core, objects.bytes(), 0, objects.length(), io.rankwire.Datatype.OBJECT, dest, tag);
    }

    io.rankwire.Request isend(SendMode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        ObjectFormat.Encoded objects = ObjectFormat.encode(buf, offset, count, type);
        return mode.immediate.send(
                on.core, objects.bytes(), 0, objects.length(), io.rankwire.Datatype.OBJECT, dest, tag);
    }

    Status receive(Object buf, int offset, int count, Datatype type, int source, int tag) {
        if (held != null) {
            return irecv(buf, offset, count, type, source, tag).complete();
        }
        Parcel parcel = new Parcel();
        io.rankwire.Status status = on.core.receive(parcel, io.rankwire.Datatype.OBJECT, source, tag);
        return received(status, parcel, buf, offset, count, type);
    }

    Request irecv(Object buf, int offset, int count, Datatype type, int source, int tag) {
        Held message = held == null ? null : find(source, tag, true);
        if (message != null) {
            byte[] bytes = message.bytes;
            int objects = ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type);
            return Request.done(on, Status.ofObjects(message.source, message.tag, objects));
        }
        Parcel parcel = new Parcel();
        Request receive = Request.ofReceive(on, on.core.irecv(parcel, io.rankwire.Datatype.OBJECT, source, tag), type,
                status -> received(status, parcel, buf, offset, count, type));
        if (source == MPI.ANY_SOURCE) {
            receive.again(() -> on.core.irecv(parcel, io.rankwire.Datatype.OBJECT, source, tag));
        }
        return receive;
    }

    private static Status received(
            io.rankwire.Status core, Parcel parcel, Object buf, int offset, int count, Datatype type) {
        Status status = new Status(core, type);
        if (core.cancelled() || core.source() == MPI.PROC_NULL) {
            return status.withObjects(0);
        }
        byte[] bytes = parcel.bytes();
        return status.withObjects(ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type));
    }

    /** Returns the number of objects of a message that was probed. The message is received now and kept. */
    int count(int source, int tag) {
        AnyCommunicator core = on.core();
        Optional<io.rankwire.Message> found = core.improbe(source, tag);
        if (found.isEmpty()) {
            return MPI.UNDEFINED;
        }
        io.rankwire.Message message = found.get();
        byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
        core.mreceive(bytes, 0, bytes.length, io.rankwire.Datatype.OBJECT, message);
        synchronized (this) {
            if (held == null) {
                held = new ArrayList<>();
            }
            held.add(new Held(source, tag, bytes));
        }
        return ObjectFormat.count(bytes);
    }

    /** Returns the status of a kept message that a probe matches, or null. */
    Status probed(int source, int tag) {
        Held message = held == null ? null : find(source, tag, false);
        return message == null ? null
                : Status.ofObjects(message.source, message.tag, ObjectFormat.count(message.bytes));
    }

    private synchronized Held find(int source, int tag, boolean take) {
        if (held == null) {
            return null;
        }
        for (Iterator<Held> each = held.iterator(); each.hasNext();) {
            Held message = each.next();
            if (message.matches(source, tag)) {
                if (take) {
                    each.remove();
                    held = held.isEmpty() ? null : held;
                }
                return message;
            }
        }
        return null;
    }
}
