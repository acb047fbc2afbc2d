package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Lent;
import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.Unexpected;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Growing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * The calls for messages between two ranks: checks their arguments and passes them to the {@link Messenger}. The
 * facades of the API call it. Most calls have two forms, for consecutive elements and for a layout. A returned
 * operation that is null is done already.
 */
public final class PointToPoint {
    private static final int NONE = Endpoint.NONE;

    private final Endpoint on;
    private final Host host;
    private final Messenger messages;

    public PointToPoint(Endpoint on) {
        this.on = on;
        this.host = on.host();
        this.messages = on.messages();
    }

    public void send(Mode mode, Object buffer, int dest, int tag) {
        ElementType type = on.typeOf(buffer);
        int to = on.destOf(dest, tag);
        if (to != NONE) {
            long bytes = Buffers.length(buffer) * type.bytes();
            messages.send(mode, Buffers.base(buffer), Buffers.start(buffer), bytes, type, to, tag);
        }
    }

    public void send(Mode mode, Object buffer, int offset, int count, int dest, int tag) {
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        int to = on.destOf(dest, tag);
        if (to != NONE) {
            messages.send(mode, Buffers.base(buffer), Buffers.start(buffer) + (long) offset * type.bytes(),
                    (long) count * type.bytes(), type, to, tag);
        }
    }

    public void send(Mode mode, Object buffer, long offset, long count, Layout layout, int dest, int tag) {
        Object view = TypedViews.source(on, buffer, offset, count, layout);
        int to = on.destOf(dest, tag);
        if (to != NONE) {
            messages.send(mode, view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count),
                    layout.element(), to, tag);
        }
    }

    public Operation isend(Mode mode, Object buffer, long offset, long count, int dest, int tag) {
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        return isend(mode, Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(), count * type.bytes(),
                type, on.destOf(dest, tag), tag);
    }

    public Operation isend(Mode mode, Object buffer, long offset, long count, Layout layout, int dest, int tag) {
        Object view = TypedViews.source(on, buffer, offset, count, layout);
        return isend(mode, view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count), layout.element(),
                on.destOf(dest, tag), tag);
    }

    private Operation isend(Mode mode, Object base, long start, long bytes, ElementType type, int to, int tag) {
        Operation operation = to == NONE ? null : messages.isend(mode, base, start, bytes, type, to, tag);
        if (operation != null) {
            host.wakeProgress();
        }
        return operation;
    }

    /** Returns a supplier that starts the same send each time. */
    public Supplier<Operation> persistentSend(Mode mode, Object buffer, int offset, int count, int dest, int tag) {
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        return persistentSend(mode, Buffers.base(buffer), Buffers.start(buffer) + (long) offset * type.bytes(),
                (long) count * type.bytes(), type, on.destOf(dest, tag), tag);
    }

    public Supplier<Operation> persistentSend(
            Mode mode, Object buffer, long offset, long count, Layout layout, int dest, int tag) {
        Object view = TypedViews.source(on, buffer, offset, count, layout);
        return persistentSend(mode, view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count),
                layout.element(), on.destOf(dest, tag), tag);
    }

    private Supplier<Operation> persistentSend(
            Mode mode, Object base, long start, long bytes, ElementType type, int to, int tag) {
        return () -> to == NONE ? null : messages.isend(mode, base, start, bytes, type, to, tag);
    }

    public Received receive(Object buffer, long offset, long count, int source, int tag) {
        ElementType type = checkTarget(buffer, offset, count);
        int from = on.sourceOf(source, tag);
        return from == NONE
                ? Received.NOTHING
                : messages.receive(Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(),
                        count * type.bytes(), type, from, tag);
    }

    public Received receive(Object buffer, int source, int tag) {
        ElementType type = on.typeOf(buffer);
        on.checkWritable(buffer);
        int from = on.sourceOf(source, tag);
        return from == NONE
                ? Received.NOTHING
                : messages.receive(Buffers.base(buffer), Buffers.start(buffer), Buffers.length(buffer) * type.bytes(),
                        type, from, tag);
    }

    public Received receive(Object buffer, long offset, long count, Layout layout, int source, int tag) {
        Object view = TypedViews.target(on, buffer, offset, count, layout);
        int from = on.sourceOf(source, tag);
        return from == NONE
                ? Received.NOTHING
                : messages.receive(view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count),
                        layout.element(), from, tag);
    }

    /** Receives a message of any size. */
    public Received receive(Growing into, Layout layout, int source, int tag) {
        int from = sourceInto(into, layout, source, tag);
        return from == NONE
                ? Received.NOTHING : messages.receive(into, 0, Growing.NONE, layout.element(), from, tag);
    }

    /**
     * Starts a receive.
     *
     * @param ofCall whether the call that starts it also waits for it
     */
    public Operation irecv(Object buffer, long offset, long count, int source, int tag, boolean ofCall) {
        ElementType type = checkTarget(buffer, offset, count);
        return irecv(Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(), count * type.bytes(), type,
                on.sourceOf(source, tag), tag, ofCall);
    }

    public Operation irecv(
            Object buffer, long offset, long count, Layout layout, int source, int tag, boolean ofCall) {
        Object view = TypedViews.target(on, buffer, offset, count, layout);
        return irecv(view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count), layout.element(),
                on.sourceOf(source, tag), tag, ofCall);
    }

    private Operation irecv(
            Object base, long start, long bytes, ElementType type, int from, int tag, boolean ofCall) {
        Operation operation = from == NONE ? null : messages.irecv(base, start, bytes, type, from, tag, ofCall);
        if (bytes >= Host.LARGE_BYTES) {
            host.wakeProgress();
        }
        return operation;
    }

    /** Starts receiving a message of any size. */
    public Operation irecv(Growing into, Layout layout, int source, int tag) {
        int from = sourceInto(into, layout, source, tag);
        Operation operation = from == NONE ? null
                : messages.irecv(into, 0, Growing.NONE, layout.element(), from, tag, false);
        host.wakeProgress();
        return operation;
    }

    private ElementType checkTarget(Object buffer, long offset, long count) {
        ElementType type = on.typeOf(buffer);
        on.checkPart(buffer, offset, count);
        on.checkWritable(buffer);
        return type;
    }

    private int sourceInto(Growing into, Layout layout, int source, int tag) {
        if (into == null || layout == null) {
            throw on.error(ErrorClass.ARGUMENT, "receive: argument " + (into == null ? "into" : "type") + " is null");
        }
        return on.sourceOf(source, tag);
    }

    /** Returns a supplier that starts the same receive each time. */
    public Supplier<Operation> persistentReceive(Object buffer, int offset, int count, int source, int tag) {
        ElementType type = checkTarget(buffer, offset, count);
        return persistentReceive(Buffers.base(buffer), Buffers.start(buffer) + (long) offset * type.bytes(),
                (long) count * type.bytes(), type, on.sourceOf(source, tag), tag);
    }

    public Supplier<Operation> persistentReceive(
            Object buffer, long offset, long count, Layout layout, int source, int tag) {
        Object view = TypedViews.target(on, buffer, offset, count, layout);
        return persistentReceive(view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count),
                layout.element(), on.sourceOf(source, tag), tag);
    }

    private Supplier<Operation> persistentReceive(
            Object base, long start, long bytes, ElementType type, int from, int tag) {
        return () -> {
            on.checkPromises(from, tag);
            return from == NONE ? null : messages.irecv(base, start, bytes, type, from, tag, false);
        };
    }

    /** Sends and receives at the same time. Checks the arguments of the send before it starts the receive. */
    public Received sendReceive(Object sendBuffer, long sendOffset, long sendCount, int dest, int sendTag,
            Object receiveBuffer, long receiveOffset, long receiveCount, int source, int receiveTag) {
        ElementType type = on.typeOf(sendBuffer);
        on.checkPart(sendBuffer, sendOffset, sendCount);
        int to = on.destOf(dest, sendTag);
        Operation received = irecv(receiveBuffer, receiveOffset, receiveCount, source, receiveTag, true);
        return sendBeside(received, Buffers.base(sendBuffer), Buffers.start(sendBuffer) + sendOffset * type.bytes(),
                sendCount * type.bytes(), type, to, sendTag);
    }

    public Received sendReceive(Object sendBuffer, long sendOffset, long sendCount, Layout sendLayout, int dest,
            int sendTag, Object receiveBuffer, long receiveOffset, long receiveCount, Layout receiveLayout, int source,
            int receiveTag) {
        Object view = TypedViews.source(on, sendBuffer, sendOffset, sendCount, sendLayout);
        int to = on.destOf(dest, sendTag);
        Operation received = irecv(receiveBuffer, receiveOffset, receiveCount, receiveLayout, source, receiveTag, true);
        return sendBeside(received, view, TypedViews.start(view, sendBuffer, sendOffset, sendLayout),
                sendLayout.bytes(sendCount), sendLayout.element(), to, sendTag);
    }

    /** Sends elements and receives others into their places. */
    public Received sendReceiveReplace(Object buffer, long offset, long count, Layout layout, int dest, int sendTag,
            int source, int receiveTag) {
        Object view = TypedViews.target(on, buffer, offset, count, layout);
        int to = on.destOf(dest, sendTag);
        byte[] copy = new byte[Math.toIntExact(layout.bytes(count))];
        Copy.out(view, TypedViews.start(view, buffer, offset, layout), MemorySegment.ofArray(copy), 0, copy.length);
        Operation received = irecv(buffer, offset, count, layout, source, receiveTag, true);
        return sendBeside(received, copy, 0, copy.length, layout.element(), to, sendTag);
    }

    /** The second part of a call that has started a receive: sends, and waits for the receive. */
    private Received sendBeside(
            Operation received, Object base, long start, long bytes, ElementType type, int to, int tag) {
        try {
            if (to != NONE) {
                messages.send(Mode.STANDARD, base, start, bytes, type, to, tag);
            }
        } catch (RankwireException e) {
            messages.giveUp(received, e);
            throw e;
        }
        return received == null ? Received.NOTHING : messages.await(received, "sendReceive");
    }

    /** Sends an encoded object. */
    public void sendObject(byte[] encoded, int dest, int tag) {
        int to = on.destOf(dest, tag);
        if (to != NONE) {
            messages.send(Mode.STANDARD, encoded, 0, encoded.length, ElementType.OBJECT, to, tag);
        }
    }

    public Operation isendObject(byte[] encoded, int dest, int tag) {
        int to = on.destOf(dest, tag);
        return to == NONE ? null
                : messages.isend(Mode.STANDARD, encoded, 0, encoded.length, ElementType.OBJECT, to, tag);
    }

    /** Waits for a message that matches, and returns its source, tag and size. */
    public Received probe(int source, int tag) {
        int from = on.sourceOf(source, tag);
        return from == NONE ? Received.NOTHING : on.found(messages.await(from, tag, false, "probe"));
    }

    /** Returns source, tag and size of a message that matches, or null. */
    public Received iprobe(int source, int tag) {
        int from = on.sourceOf(source, tag);
        Unexpected found = from == NONE ? null : messages.look(from, tag, false);
        return from == NONE ? Received.NOTHING : found == null ? null : on.found(found);
    }

    /** Waits for a message that matches and takes it. */
    public Unexpected mprobe(int source, int tag) {
        return messages.await(realSourceOf(source, tag), tag, true, "mprobe");
    }

    /** Takes a message that matches; returns null if there is none. */
    public Unexpected improbe(int source, int tag) {
        return messages.look(realSourceOf(source, tag), tag, true);
    }

    private int realSourceOf(int source, int tag) {
        int from = on.sourceOf(source, tag);
        if (from == NONE) {
            throw on.error(ErrorClass.RANK, "argument source: this call needs a rank, not NONE");
        }
        return from;
    }

    /** Returns an argument; throws if it is null. */
    public <T> T given(String what, T argument) {
        if (argument == null) {
            throw on.error(ErrorClass.ARGUMENT, what + " is null");
        }
        return argument;
    }

    /** Starts receiving a message that {@link #mprobe} or {@link #improbe} has taken. */
    public Operation receiveTaken(Unexpected message, Object buffer, long offset, long count) {
        ElementType type = checkTarget(buffer, offset, count);
        return messages.receiveTaken(message, Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(),
                count * type.bytes(), type);
    }

    public Operation receiveTaken(Unexpected message, Object buffer, long offset, long count, Layout layout) {
        Object view = TypedViews.target(on, buffer, offset, count, layout);
        return messages.receiveTaken(message, view, TypedViews.start(view, buffer, offset, layout), layout.bytes(count),
                layout.element());
    }

    /** Lends a message that {@link #mprobe} or {@link #improbe} has taken to the calling thread. */
    public Lent lend(Unexpected message) {
        Arena end = Arena.ofConfined();
        try {
            return messages.lend(message, end);
        } catch (RuntimeException e) {
            end.close();
            throw e;
        }
    }

    /** Ends the view of a message that was lent; called by the thread that it was lent to. */
    public void giveBack(Lent lent) {
        try {
            lent.end().close();
        } catch (WrongThreadException e) {
            throw on.error(ErrorClass.REQUEST, "release: the message is lent to another thread");
        } catch (IllegalStateException e) {
            throw on.error(ErrorClass.REQUEST, "release: the view is in use by another call");
        }
        messages.giveBack(lent);
    }

    /** Starts receiving the bytes of an object. */
    public Operation receiveTaken(Unexpected message, byte[] encoded) {
        return messages.receiveTaken(message, encoded, 0, encoded.length, ElementType.OBJECT);
    }
}
