package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.type.ElementType;

/** A message that {@code mprobe} has taken off its queue: nobody else can receive it, and it must be received once. */
public final class Message {
    private final PointToPoint on;
    private final Messenger messenger;
    private final Unexpected unexpected;
    private final Status status;
    private boolean received;

    Message(PointToPoint on, Messenger messenger, Unexpected unexpected, Status status) {
        this.on = on;
        this.messenger = messenger;
        this.unexpected = unexpected;
        this.status = status;
    }

    /** Source, tag and size. */
    public Status status() {
        return status;
    }

    /** Receives it. */
    public Status receive(Object buffer) {
        return irecv(buffer).await();
    }

    public Status receive(Object buffer, int offset, int count) {
        return irecv(buffer, offset, count).await();
    }

    /** Starts receiving it. */
    public Request irecv(Object buffer) {
        on.typeOf(buffer);
        return start(buffer, 0, Buffers.length(buffer));
    }

    public Request irecv(Object buffer, int offset, int count) {
        return start(buffer, offset, count);
    }

    /** Starts receiving it as elements of a datatype. */
    public Request irecv(Object buffer, long offset, long count, Datatype type) {
        Object view = Typed.target(on, buffer, offset, count, type);
        receiveOnce();
        Operation operation = messenger.receiveTaken(unexpected, view, Typed.start(view, buffer, offset, type),
                type.bytes(count), type.element());
        return new Request(on, "mreceive", operation, null);
    }

    private Request start(Object buffer, long offset, long count) {
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        on.checkWritable(buffer);
        receiveOnce();
        long start = Buffers.start(buffer) + offset * type.bytes();
        Operation operation =
                messenger.receiveTaken(unexpected, Buffers.base(buffer), start, count * type.bytes(), type);
        return new Request(on, "mreceive", operation, null);
    }

    private void receiveOnce() {
        on.checkUsable();
        if (received) {
            throw on.error(ErrorClass.REQUEST,
                    "a message taken by mprobe can be received only once (" + status + ")");
        }
        received = true;
    }

    /** Receives its bytes whatever their type: for objects. */
    byte[] receiveBytes() {
        byte[] bytes = new byte[Math.toIntExact(status.bytes())];
        receiveOnce();
        Operation operation = messenger.receiveTaken(unexpected, bytes, 0, bytes.length, ElementType.OBJECT);
        new Request(on, "receiveObject", operation, null).await();
        return bytes;
    }
}
