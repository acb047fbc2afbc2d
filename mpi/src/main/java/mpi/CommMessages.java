package mpi;

import io.rankwire.Parcel;
import io.rankwire.AnyCommunicator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Messages, below both dialects: the calls of either end here. An array of the type that the datatype says goes to core
 * as it is, with one comparison; everything else takes the longer way.
 */
abstract class CommMessages extends CommHandle {
    /** How a send ends. */
    enum Mode { STANDARD, BUFFERED, SYNCHRONOUS, READY }

    /** A message of objects that was taken to count them, and waits for its receive. */
    private record Held(int source, int tag, byte[] bytes) {
        boolean matches(int wantedSource, int wantedTag) {
            return (wantedSource == MPI.ANY_SOURCE || wantedSource == source)
                    && (wantedTag == MPI.ANY_TAG || wantedTag == tag);
        }
    }

    /** Null while there are none; guarded by this. */
    private List<Held> held;

    CommMessages() {}

    // blocking

    final void sendFrom(Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            if (type != null && buf != null && buf.getClass() == type.array) {
                core.send(buf, offset, count, dest, tag);
            } else {
                sendUnusual(Mode.STANDARD, buf, offset, count, type, dest, tag);
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final void sendFrom(Mode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            sendUnusual(mode, buf, offset, count, type, dest, tag);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private void sendUnusual(Mode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        if (type != null && type.isObject()) {
            ObjectFormat.Encoded objects = ObjectFormat.encode(buf, offset, count, type);
            send(mode, objects.bytes(), 0, objects.length(), io.rankwire.Datatype.OBJECT, dest, tag);
        } else {
            send(mode, Memory.base(buf, type), Memory.at(buf, offset, type), count,
                    Memory.layout(buf, type), dest, tag);
        }
    }

    private void send(
            Mode mode, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag) {
        switch (mode) {
            case STANDARD -> core.send(base, at, count, type, dest, tag);
            case BUFFERED -> core.bsend(base, at, count, type, dest, tag);
            case SYNCHRONOUS -> core.ssend(base, at, count, type, dest, tag);
            case READY -> core.rsend(base, at, count, type, dest, tag);
        }
    }

    final Status receiveInto(Object buf, int offset, int count, Datatype type, int source, int tag) {
        try {
            if (type != null && buf != null && buf.getClass() == type.array) {
                return new Status(core.receive(buf, offset, count, source, tag), type);
            }
            return receiveUnusual(buf, offset, count, type, source, tag);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private Status receiveUnusual(Object buf, int offset, int count, Datatype type, int source, int tag) {
        if (type != null && type.isObject()) {
            return receiveObjects(buf, offset, count, type, source, tag);
        }
        return new Status(core.receive(
                Memory.base(buf, type), Memory.at(buf, offset, type), count, Memory.layout(buf, type), source, tag),
                type);
    }

    private Status receiveObjects(Object buf, int offset, int count, Datatype type, int source, int tag) {
        if (held != null) {
            return irecvObjects(buf, offset, count, type, source, tag).complete();
        }
        Parcel parcel = new Parcel();
        io.rankwire.Status status = core.receive(parcel, io.rankwire.Datatype.OBJECT, source, tag);
        return objectsReceived(status, parcel, buf, offset, count, type);
    }

    final Status sendReceive(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest, int sendtag,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag) {
        try {
            if (sendtype.isObject() || recvtype.isObject()) {
                ObjectFormat.Encoded objects = sendtype.isObject()
                        ? ObjectFormat.encode(sendbuf, sendoffset, sendcount, sendtype) : null;
                Request received = irecv(recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
                if (objects != null) {
                    core.send(objects.bytes(), 0, objects.length(), io.rankwire.Datatype.OBJECT, dest, sendtag);
                } else {
                    sendUnusual(Mode.STANDARD, sendbuf, sendoffset, sendcount, sendtype, dest, sendtag);
                }
                return received.complete();
            }
            return new Status(core.sendReceive(
                    Memory.base(sendbuf, sendtype), Memory.at(sendbuf, sendoffset, sendtype), sendcount,
                    Memory.layout(sendbuf, sendtype), dest, sendtag,
                    Memory.base(recvbuf, recvtype), Memory.at(recvbuf, recvoffset, recvtype), recvcount,
                    Memory.layout(recvbuf, recvtype), source, recvtag), recvtype);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final Status sendReceiveReplace(
            Object buf, int offset, int count, Datatype type, int dest, int sendtag, int source, int recvtag) {
        if (type != null && type.isObject()) {
            return sendReceive(buf, offset, count, type, dest, sendtag, buf, offset, count, type, source, recvtag);
        }
        try {
            return new Status(core.sendReceiveReplace(Memory.base(buf, type), Memory.at(buf, offset, type), count,
                    Datatype.core(type), dest, sendtag, source, recvtag), type);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    // immediate

    final Request isendFrom(Mode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            return new Request(this, isend(mode, buf, offset, count, type, dest, tag), null);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private io.rankwire.Request isend(
            Mode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        if (type != null && type.isObject()) {
            ObjectFormat.Encoded objects = ObjectFormat.encode(buf, offset, count, type);
            return isend(mode, objects.bytes(), 0, objects.length(), io.rankwire.Datatype.OBJECT, dest, tag);
        }
        return isend(mode, Memory.base(buf, type), Memory.at(buf, offset, type), count,
                Memory.layout(buf, type), dest, tag);
    }

    private io.rankwire.Request isend(
            Mode mode, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag) {
        return switch (mode) {
            case STANDARD -> core.isend(base, at, count, type, dest, tag);
            case BUFFERED -> core.ibsend(base, at, count, type, dest, tag);
            case SYNCHRONOUS -> core.issend(base, at, count, type, dest, tag);
            case READY -> core.irsend(base, at, count, type, dest, tag);
        };
    }

    final Request irecvInto(Object buf, int offset, int count, Datatype type, int source, int tag) {
        try {
            return irecv(buf, offset, count, type, source, tag);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private Request irecv(Object buf, int offset, int count, Datatype type, int source, int tag) {
        if (type != null && type.isObject()) {
            return irecvObjects(buf, offset, count, type, source, tag);
        }
        return Request.ofReceive(this, core.irecv(
                Memory.base(buf, type), Memory.at(buf, offset, type), count,
                Memory.layout(buf, type), source, tag), type, null);
    }

    private Request irecvObjects(Object buf, int offset, int count, Datatype type, int source, int tag) {
        Held message = held == null ? null : takeHeld(source, tag, true);
        if (message != null) {
            byte[] bytes = message.bytes;
            int objects = ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type);
            return Request.done(this, Status.ofObjects(message.source, message.tag, objects));
        }
        Parcel parcel = new Parcel();
        return Request.ofReceive(this, core.irecv(parcel, io.rankwire.Datatype.OBJECT, source, tag), type,
                status -> objectsReceived(status, parcel, buf, offset, count, type));
    }

    private static Status objectsReceived(
            io.rankwire.Status status, Parcel parcel, Object buf, int offset, int count, Datatype type) {
        Status told = new Status(status, type);
        if (status.cancelled() || status.source() == MPI.PROC_NULL) {
            return told.withObjects(0);
        }
        byte[] bytes = parcel.bytes();
        return told.withObjects(ObjectFormat.decode(bytes, 0, bytes.length, buf, offset, count, type));
    }

    // persistent

    final Prequest sendInitFrom(Mode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            if (type != null && type.isObject()) {
                return new Prequest(this, () -> isendFrom(mode, buf, offset, count, type, dest, tag));
            }
            return new Prequest(this, sendInit(
                    mode, Memory.base(buf, type), Memory.at(buf, offset, type), count,
                    Memory.layout(buf, type), dest, tag));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    private io.rankwire.Request sendInit(
            Mode mode, Object base, long at, long count, io.rankwire.Datatype type, int dest, int tag) {
        return switch (mode) {
            case STANDARD -> core.sendInit(base, at, count, type, dest, tag);
            case BUFFERED -> core.bsendInit(base, at, count, type, dest, tag);
            case SYNCHRONOUS -> core.ssendInit(base, at, count, type, dest, tag);
            case READY -> core.rsendInit(base, at, count, type, dest, tag);
        };
    }

    final Prequest receiveInitInto(Object buf, int offset, int count, Datatype type, int source, int tag) {
        try {
            if (type != null && type.isObject()) {
                return new Prequest(this, () -> irecvInto(buf, offset, count, type, source, tag));
            }
            Prequest receive = new Prequest(this, core.receiveInit(
                    Memory.base(buf, type), Memory.at(buf, offset, type), count,
                    Memory.layout(buf, type), source, tag));
            receive.receives(type);
            return receive;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    // probes

    final Status awaitMessage(int source, int tag) {
        try {
            Status early = heldStatus(source, tag);
            return early != null ? early : Status.probed(core().probe(source, tag), this);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Null if there is none. */
    final Status lookForMessage(int source, int tag) {
        try {
            Status early = heldStatus(source, tag);
            if (early != null) {
                return early;
            }
            Optional<io.rankwire.Status> found = core().iprobe(source, tag);
            return found.isPresent() ? Status.probed(found.get(), this) : null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** How many objects a message has that was probed: it is taken now, and kept for its receive. */
    final int countObjects(int source, int tag) {
        AnyCommunicator on = core();
        Optional<io.rankwire.Message> found = on.improbe(source, tag);
        if (found.isEmpty()) {
            return MPI.UNDEFINED;
        }
        io.rankwire.Message message = found.get();
        byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
        on.mreceive(bytes, 0, bytes.length, io.rankwire.Datatype.OBJECT, message);
        synchronized (this) {
            if (held == null) {
                held = new ArrayList<>();
            }
            held.add(new Held(source, tag, bytes));
        }
        return ObjectFormat.count(bytes);
    }

    private Status heldStatus(int source, int tag) {
        Held message = held == null ? null : takeHeld(source, tag, false);
        return message == null ? null
                : Status.ofObjects(message.source, message.tag, ObjectFormat.count(message.bytes));
    }

    private synchronized Held takeHeld(int source, int tag, boolean take) {
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

    // packing

    final int packInto(Object inbuf, int offset, int incount, Datatype type, byte[] outbuf, int position) {
        try {
            if (type != null && type.isObject()) {
                ObjectFormat.Encoded objects = ObjectFormat.encode(inbuf, offset, incount, type);
                return PackedObjects.put(objects, outbuf, position);
            }
            return Datatype.core(type).pack(
                    Memory.base(inbuf, type), Memory.at(inbuf, offset, type), incount, outbuf, position);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final int unpackFrom(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype type) {
        try {
            if (type != null && type.isObject()) {
                return PackedObjects.take(inbuf, position, outbuf, offset, outcount, type);
            }
            return Datatype.core(type).unpack(
                    inbuf, position, Memory.base(outbuf, type), Memory.at(outbuf, offset, type), outcount);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    final int sizeOfPacked(int incount, Datatype type) {
        try {
            if (type != null && type.isObject()) {
                throw new MPIException(MPI.ERR_TYPE, "the packed size of objects is not known before they are packed");
            }
            return Math.toIntExact(Datatype.core(type).packSize(incount));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
