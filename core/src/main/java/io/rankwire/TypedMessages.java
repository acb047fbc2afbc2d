package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.type.Copy;
import io.rankwire.type.Growing;
import java.lang.foreign.MemorySegment;

/**
 * Messages whose elements lie in their buffers as a {@link Datatype} says. Each call is the one of the same name with
 * {@code count} datatypes from an offset, which is in elements of the buffer, in place of elements in a row.
 */
public abstract sealed class TypedMessages extends PointToPoint permits CollectiveStarts {
    TypedMessages(World world, Group group, Group peers, int context, String name) {
        super(world, group, peers, context, name);
    }

    /** Sends elements of so many datatypes; the offset is in elements of the buffer, where the first has its byte 0. */
    public void send(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        send(Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    /** As {@link #send(Object, long, long, Datatype, int, int)}; returns when the message has met its receive. */
    public void ssend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        send(Mode.SYNCHRONOUS, buffer, offset, count, type, dest, tag);
    }

    /** As {@link #send(Object, long, long, Datatype, int, int)}, without ever waiting. */
    public void bsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        send(Mode.BUFFERED, buffer, offset, count, type, dest, tag);
    }

    /** As {@link #send(Object, long, long, Datatype, int, int)}, to a receive that the program knows to be posted. */
    public void rsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        send(Mode.READY, buffer, offset, count, type, dest, tag);
    }

    /** Starts a send; the elements must not change until it is done. */
    public Request isend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return isend(Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public Request issend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return isend(Mode.SYNCHRONOUS, buffer, offset, count, type, dest, tag);
    }

    public Request ibsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return isend(Mode.BUFFERED, buffer, offset, count, type, dest, tag);
    }

    public Request irsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return isend(Mode.READY, buffer, offset, count, type, dest, tag);
    }

    /** Receives into the places that so many datatypes name; bytes between them stay as they are. */
    public Status receive(Object buffer, long offset, long count, Datatype type, int source, int tag) {
        Object view = Typed.target(this, buffer, offset, count, type);
        int from = sourceOf(source, tag);
        return from == NONE
                ? Status.NOTHING
                : messages().receive(view, Typed.start(view, buffer, offset, type), type.bytes(count), type.element(),
                        from, tag);
    }

    /** Starts a receive; the places must be left alone until it is done. */
    public Request irecv(Object buffer, long offset, long count, Datatype type, int source, int tag) {
        return irecv(buffer, offset, count, type, source, tag, false);
    }

    private Request irecv(
            Object buffer, long offset, long count, Datatype type, int source, int tag, boolean ofCall) {
        Object view = Typed.target(this, buffer, offset, count, type);
        int from = sourceOf(source, tag);
        long bytes = type.bytes(count);
        Operation operation = from == NONE ? null
                : messages().irecv(
                        view, Typed.start(view, buffer, offset, type), bytes, type.element(), from, tag, ofCall);
        if (bytes >= Host.LARGE_BYTES) {
            host().leaveBehind();
        }
        return new Request(on(), ofCall ? "sendReceive" : "irecv", operation, Status.NOTHING);
    }

    /** Receives a message of any size; the type says of which elements. */
    public Status receive(Parcel into, Datatype type, int source, int tag) {
        int from = sourceInto(into, type, source, tag);
        return from == NONE
                ? Status.NOTHING
                : messages().receive(into.room, 0, Growing.NONE, type.element(), from, tag);
    }

    /** Starts receiving a message of any size; the parcel has its bytes when it is done. */
    public Request irecv(Parcel into, Datatype type, int source, int tag) {
        int from = sourceInto(into, type, source, tag);
        Operation operation = from == NONE ? null
                : messages().irecv(into.room, 0, Growing.NONE, type.element(), from, tag);
        host().leaveBehind();
        return new Request(on(), "irecv", operation, Status.NOTHING);
    }

    private int sourceInto(Parcel into, Datatype type, int source, int tag) {
        if (into == null || type == null) {
            throw error(ErrorClass.ARGUMENT, "receive: argument " + (into == null ? "into" : "type") + " is null");
        }
        return sourceOf(source, tag);
    }

    /** Sends and receives at once. */
    public Status sendReceive(Object sendBuffer, long sendOffset, long sendCount, Datatype sendType, int dest,
            int sendTag, Object receiveBuffer, long receiveOffset, long receiveCount, Datatype receiveType, int source,
            int receiveTag) {
        Object view = Typed.source(this, sendBuffer, sendOffset, sendCount, sendType);
        int to = destOf(dest, sendTag);
        Request received = irecv(receiveBuffer, receiveOffset, receiveCount, receiveType, source, receiveTag, true);
        return sendBeside(received, view, Typed.start(view, sendBuffer, sendOffset, sendType),
                sendType.bytes(sendCount), sendType.element(), to, sendTag);
    }

    /** Sends elements and receives others into their places. */
    public Status sendReceiveReplace(Object buffer, long offset, long count, Datatype type, int dest, int sendTag,
            int source, int receiveTag) {
        Object view = Typed.target(this, buffer, offset, count, type);
        int to = destOf(dest, sendTag);
        byte[] copy = new byte[Math.toIntExact(type.bytes(count))];
        Copy.out(view, Typed.start(view, buffer, offset, type), MemorySegment.ofArray(copy), 0, copy.length);
        Request received = irecv(buffer, offset, count, type, source, receiveTag, true);
        return sendBeside(received, copy, 0, copy.length, type.element(), to, sendTag);
    }

    /** Receives a message taken by {@code mprobe}. */
    public Status mreceive(Object buffer, long offset, long count, Datatype type, Message message) {
        return given(message).irecv(buffer, offset, count, type).await();
    }

    /** A persistent send: {@link Request#start} sends the elements as they are then. */
    public Request sendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return persistentSend(Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public Request ssendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return persistentSend(Mode.SYNCHRONOUS, buffer, offset, count, type, dest, tag);
    }

    public Request bsendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return persistentSend(Mode.BUFFERED, buffer, offset, count, type, dest, tag);
    }

    public Request rsendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return persistentSend(Mode.READY, buffer, offset, count, type, dest, tag);
    }

    /** A persistent receive. */
    public Request receiveInit(Object buffer, long offset, long count, Datatype type, int source, int tag) {
        Object view = Typed.target(this, buffer, offset, count, type);
        int from = sourceOf(source, tag);
        long start = Typed.start(view, buffer, offset, type);
        long bytes = type.bytes(count);
        return new Request(on(), "receive",
                () -> from == NONE ? null : messages().irecv(view, start, bytes, type.element(), from, tag));
    }

    private void send(Mode mode, Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        Object view = Typed.source(this, buffer, offset, count, type);
        int to = destOf(dest, tag);
        if (to != NONE) {
            messages().send(mode, view, Typed.start(view, buffer, offset, type), type.bytes(count), type.element(), to,
                    tag);
        }
    }

    private Request isend(Mode mode, Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        Object view = Typed.source(this, buffer, offset, count, type);
        int to = destOf(dest, tag);
        Operation operation = to == NONE ? null
                : messages().isend(mode, view, Typed.start(view, buffer, offset, type), type.bytes(count),
                        type.element(), to, tag);
        if (operation != null) {
            host().leaveBehind();
        }
        return new Request(on(), "isend", operation, Status.SENT);
    }

    private Request persistentSend(
            Mode mode, Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        Object view = Typed.source(this, buffer, offset, count, type);
        int to = destOf(dest, tag);
        long start = Typed.start(view, buffer, offset, type);
        long bytes = type.bytes(count);
        return new Request(on(), "persistent send",
                () -> to == NONE ? null : messages().isend(mode, view, start, bytes, type.element(), to, tag));
    }
}
