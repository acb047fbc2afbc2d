package io.rankwire;

import io.rankwire.device.Lent;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.PointToPoint;
import java.lang.foreign.MemorySegment;

/**
 * A message that {@code mprobe} has taken off its queue: no other receive can meet it. The program must receive it
 * once, or {@link #view} it where it lies and {@link #release} it.
 *
 * <pre>{@code
 * Message message = all.mprobe(AnyCommunicator.ANY_SOURCE, 7);
 * double[] row = new double[(int) message.status().count()];
 * message.receive(row);
 * }</pre>
 */
public final class Message {
    private final Endpoint on;
    private final PointToPoint messages;
    private final Unexpected unexpected;
    private final Status status;
    private boolean received;
    /** Null unless the message is lent. */
    private Lent lent;

    Message(Endpoint on, PointToPoint messages, Unexpected unexpected) {
        this.on = on;
        this.messages = messages;
        this.unexpected = unexpected;
        this.status = Status.of(on.found(unexpected));
    }

    /**
     * Returns source, tag and size of the message.
     *
     * @return what {@code mprobe} has found
     */
    public Status status() {
        return status;
    }

    /**
     * Receives the message into a buffer.
     *
     * @param buffer a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @return what was received
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the message was received before, of class {@link
     *     ErrorClass#TRUNCATE} or {@link ErrorClass#TYPE} if it does not fit the buffer
     */
    public Status receive(Object buffer) {
        return irecv(buffer).await();
    }

    /**
     * Receives the message into a part of a buffer.
     *
     * @param buffer a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @param offset the first element of the part
     * @param count how many elements the part has
     * @return what was received
     * @throws RankwireException as {@link #receive(Object)} does
     */
    public Status receive(Object buffer, int offset, int count) {
        return irecv(buffer, offset, count).await();
    }

    /**
     * Starts to receive the message into a buffer.
     *
     * @param buffer a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @return a request that is done when the message is in the buffer
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the message was received before
     */
    public Request irecv(Object buffer) {
        return start(buffer, 0, on.lengthOf(buffer));
    }

    /**
     * Starts to receive the message into a part of a buffer.
     *
     * @param buffer a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @param offset the first element of the part
     * @param count how many elements the part has
     * @return a request that is done when the message is in the buffer
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the message was received before
     */
    public Request irecv(Object buffer, int offset, int count) {
        return start(buffer, offset, count);
    }

    private Request start(Object buffer, long offset, long count) {
        checkOnce();
        return started("mreceive", messages.receiveTaken(unexpected, buffer, offset, count));
    }

    /**
     * Starts to receive the message as elements of datatypes.
     *
     * @param buffer a primitive array, {@code ByteBuffer} or {@code MemorySegment}
     * @param offset where the first datatype has its byte 0, in elements of the buffer
     * @param count how many datatypes there is room for
     * @param type the datatype
     * @return a request that is done when the message is in the buffer
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the message was received before
     */
    public Request irecv(Object buffer, long offset, long count, Datatype type) {
        checkOnce();
        return started("mreceive", messages.receiveTaken(unexpected, buffer, offset, count, Datatype.layout(type)));
    }

    /**
     * Lends the message to the calling thread instead of copying it into a buffer. The view shows the bytes where they
     * came to lie, if they are here in one piece; a message that is not, such as a large one that its sender still
     * keeps, is received into memory of the library first, and the call waits for that. Either way the bytes are those
     * of {@link #receive(Object)}, in the byte order of the machine.
     *
     * <pre>{@code
     * Message message = all.mprobe(AnyCommunicator.ANY_SOURCE, 7);
     * MemorySegment bytes = message.view();
     * long sum = 0;
     * for (long at = 0; at < bytes.byteSize(); at += Long.BYTES) {
     *     sum += bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
     * }
     * message.release();
     * }</pre>
     *
     * <p>Nothing is copied only where the JVM allows native access, as {@code rankwire run} does. Elsewhere every
     * message is received into memory of the library.
     *
     * <p>A message that is lent keeps its place in the memory for messages without a receive, and its sender's credit:
     * release it soon. The view ends with {@link #release} or with the world. From then on an access to it throws an
     * {@link IllegalStateException}, unless that memory had overflowed and the view is of a Java array, which is not
     * used again. Another call returns the same view.
     *
     * @return the bytes of the message, read-only; only the calling thread can access them
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the message was received or released before, of
     *     class {@link ErrorClass#PEER} if its sender was lost before all of it was here
     */
    public MemorySegment view() {
        if (lent == null) {
            checkOnce();
            lent = messages.lend(unexpected);
            received = true;
        }
        on.checkOpen();
        return lent.view();
    }

    /**
     * Ends the {@link #view} of the message and gives its memory back.
     *
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the message is not lent, or is lent to another
     *     thread
     */
    public void release() {
        on.checkOpen();
        if (lent == null) {
            throw on.error(ErrorClass.REQUEST, "release: the message is not lent by view, or was released before ("
                    + status + ")");
        }
        messages.giveBack(lent);
        lent = null;
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
            throw on.error(ErrorClass.REQUEST, "a message taken by mprobe can be received or viewed only once ("
                    + status + ")");
        }
    }
}
