package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.PointToPoint;

/** A message that {@code mprobe} has taken off its queue: nobody else can receive it, and it must be received once. */
public final class Message {
    private final Endpoint on;
    private final PointToPoint messages;
    private final Unexpected unexpected;
    private final Status status;
    private boolean received;

    Message(Endpoint on, PointToPoint messages, Unexpected unexpected) {
        this.on = on;
        this.messages = messages;
        this.unexpected = unexpected;
        this.status = Status.of(on.found(unexpected));
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
        return start(buffer, 0, on.lengthOf(buffer));
    }

    public Request irecv(Object buffer, int offset, int count) {
        return start(buffer, offset, count);
    }

    private Request start(Object buffer, long offset, long count) {
        checkOnce();
        return started("mreceive", messages.receiveTaken(unexpected, buffer, offset, count));
    }

    /** Starts receiving it as elements of a datatype. */
    public Request irecv(Object buffer, long offset, long count, Datatype type) {
        checkOnce();
        return started("mreceive",
                messages.receiveTaken(unexpected, buffer, offset, count, Datatype.layout(type)));
    }

    /** Receives its bytes whatever their type: for objects. */
    byte[] receiveBytes() {
        byte[] bytes = new byte[Math.toIntExact(status.bytes())];
        checkOnce();
        started("receiveObject", messages.receiveTaken(unexpected, bytes)).await();
        return bytes;
    }

    private Request started(String call, Operation operation) {
        received = true;
        return new Request(on, call, operation);
    }

    private void checkOnce() {
        on.checkUsable();
        if (received) {
            throw on.error(ErrorClass.REQUEST,
                    "a message taken by mprobe can be received only once (" + status + ")");
        }
    }
}
