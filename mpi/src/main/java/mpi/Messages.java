package mpi;

import io.rankwire.AnyCommunicator;
import java.util.Optional;

/**
 * Messages between two ranks, for both dialects. An array of the type that its datatype names goes to core unchanged;
 * objects go through {@link ObjectMessages}, all other buffers through {@link Memory}.
 */
final class Messages {
    private final CommHandle on;
    private final ObjectMessages objects;

    Messages(CommHandle on) {
        this.on = on;
        this.objects = new ObjectMessages(on);
    }

    void send(AnyCommunicator core, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            if (Memory.isPlain(buf, type)) {
                core.send(buf, offset, count, dest, tag);
            } else {
                sendLaidOut(SendMode.STANDARD, buf, offset, count, type, dest, tag);
            }
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    void send(SendMode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            sendLaidOut(mode, buf, offset, count, type, dest, tag);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    private void sendLaidOut(SendMode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        if (Datatype.isObject(type)) {
            objects.send(mode, buf, offset, count, type, dest, tag);
        } else {
            mode.blocking.send(on.core, Memory.base(buf, type), Memory.at(buf, offset, type), count,
                    Memory.layout(buf, type), dest, tag);
        }
    }

    Status receive(AnyCommunicator core, Object buf, int offset, int count, Datatype type, int source, int tag) {
        try {
            if (Memory.isPlain(buf, type)) {
                return new Status(core.receive(buf, offset, count, source, tag), type);
            }
            return receiveLaidOut(buf, offset, count, type, source, tag);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    private Status receiveLaidOut(Object buf, int offset, int count, Datatype type, int source, int tag) {
        if (Datatype.isObject(type)) {
            return objects.receive(buf, offset, count, type, source, tag);
        }
        return new Status(on.core.receive(Memory.base(buf, type), Memory.at(buf, offset, type), count,
                Memory.layout(buf, type), source, tag), type);
    }

    Status sendReceive(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest, int sendtag,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag) {
        try {
            if (Datatype.isObject(sendtype) || Datatype.isObject(recvtype)) {
                ObjectFormat.Encoded encoded = Datatype.isObject(sendtype)
                        ? ObjectFormat.encode(sendbuf, sendoffset, sendcount, sendtype) : null;
                Request received = irecv(recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
                try {
                    if (encoded == null) {
                        sendLaidOut(SendMode.STANDARD, sendbuf, sendoffset, sendcount, sendtype, dest, sendtag);
                    } else {
                        objects.send(SendMode.STANDARD, encoded, dest, sendtag);
                    }
                } catch (RuntimeException e) {
                    received.cancel();
                    received.free();
                    throw e;
                }
                return received.complete();
            }
            return new Status(on.core.sendReceive(
                    Memory.base(sendbuf, sendtype), Memory.at(sendbuf, sendoffset, sendtype), sendcount,
                    Memory.layout(sendbuf, sendtype), dest, sendtag,
                    Memory.base(recvbuf, recvtype), Memory.at(recvbuf, recvoffset, recvtype), recvcount,
                    Memory.layout(recvbuf, recvtype), source, recvtag), recvtype);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Status sendReceiveReplace(
            Object buf, int offset, int count, Datatype type, int dest, int sendtag, int source, int recvtag) {
        if (Datatype.isObject(type)) {
            return sendReceive(buf, offset, count, type, dest, sendtag, buf, offset, count, type, source, recvtag);
        }
        try {
            return new Status(on.core.sendReceiveReplace(Memory.base(buf, type), Memory.at(buf, offset, type), count,
                    Datatype.core(type), dest, sendtag, source, recvtag), type);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request isend(SendMode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        try {
            return new Request(on, Datatype.isObject(type) ? objects.isend(mode, buf, offset, count, type, dest, tag)
                    : mode.immediate.send(on.core, Memory.base(buf, type), Memory.at(buf, offset, type), count,
                            Memory.layout(buf, type), dest, tag));
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    Request irecv(Object buf, int offset, int count, Datatype type, int source, int tag) {
        try {
            if (Datatype.isObject(type)) {
                return objects.irecv(buf, offset, count, type, source, tag);
            }
            Request receive = Request.ofReceive(on, post(buf, offset, count, type, source, tag), type, null);
            if (source == MPI.ANY_SOURCE) {
                receive.again(() -> post(buf, offset, count, type, source, tag));
            }
            return receive;
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    private io.rankwire.Request post(Object buf, int offset, int count, Datatype type, int source, int tag) {
        return on.core.irecv(Memory.base(buf, type), Memory.at(buf, offset, type), count, Memory.layout(buf, type),
                source, tag);
    }

    Prequest sendInit(SendMode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        return on.get(() -> Datatype.isObject(type)
                ? new Prequest(on, () -> isend(mode, buf, offset, count, type, dest, tag))
                : new Prequest(on, mode.persistent.send(on.core, Memory.base(buf, type),
                        Memory.at(buf, offset, type), count, Memory.layout(buf, type), dest, tag)));
    }

    Prequest receiveInit(Object buf, int offset, int count, Datatype type, int source, int tag) {
        return on.get(() -> {
            if (Datatype.isObject(type)) {
                return new Prequest(on, () -> irecv(buf, offset, count, type, source, tag));
            }
            Prequest receive = new Prequest(on, on.core.receiveInit(Memory.base(buf, type),
                    Memory.at(buf, offset, type), count, Memory.layout(buf, type), source, tag));
            receive.receives(type);
            if (source == MPI.ANY_SOURCE) {
                receive.again(receive::startInCore);
            }
            return receive;
        });
    }

    Status probe(int source, int tag) {
        try {
            Status kept = objects.probed(source, tag);
            return kept != null ? kept : Status.probed(on.core().probe(source, tag), objects);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    /** Returns null if no message matches. */
    Status iprobe(int source, int tag) {
        try {
            Status kept = objects.probed(source, tag);
            if (kept != null) {
                return kept;
            }
            Optional<io.rankwire.Status> found = on.core().iprobe(source, tag);
            return found.isPresent() ? Status.probed(found.get(), objects) : null;
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    int pack(Object inbuf, int offset, int incount, Datatype type, byte[] outbuf, int position) {
        try {
            if (Datatype.isObject(type)) {
                return PackedObjects.put(ObjectFormat.encode(inbuf, offset, incount, type), outbuf, position);
            }
            return Datatype.core(type).pack(
                    Memory.base(inbuf, type), Memory.at(inbuf, offset, type), incount, outbuf, position);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    int unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype type) {
        try {
            if (Datatype.isObject(type)) {
                return PackedObjects.take(inbuf, position, outbuf, offset, outcount, type);
            }
            return Datatype.core(type).unpack(
                    inbuf, position, Memory.base(outbuf, type), Memory.at(outbuf, offset, type), outcount);
        } catch (RuntimeException e) {
            throw on.raised(e);
        }
    }

    int packSize(int incount, Datatype type) {
        return on.get(() -> {
            if (Datatype.isObject(type)) {
                throw new MPIException(MPI.ERR_TYPE, "the packed size of objects is not known before they are packed");
            }
            return Math.toIntExact(Datatype.core(type).packSize(incount));
        });
    }
}
