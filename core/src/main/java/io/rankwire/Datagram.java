package io.rankwire;

import io.rankwire.runtime.BufferPart;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.DatagramReceiver;
import io.rankwire.runtime.DatagramSender;
import io.rankwire.runtime.Session;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A socket for reliable messages without connections, beside the communicators: any node may send to any queue of any
 * node at any time. A node is a rank of the world. A socket sends one message at a time, and receives in queues that
 * {@link #bind()} opens and numbers.
 *
 * <pre>{@code
 * try (Datagram socket = Datagram.open(world)) {
 *     socket.bind(5);
 *     socket.sendTo("hello".getBytes(), 1, 5);                   // to queue 5 of rank 1
 *     byte[] text = new byte[socket.maxBytes()];
 *     Datagram.Received from = socket.receiveFrom(text).orElseThrow();
 *     socket.sendTo(text, 0, from.bytes(), from.node(), from.queue());
 * }
 * }</pre>
 *
 * <p>A queue is a ring of entries of one size. A message to a queue that is full is sent again, with growing pauses: as
 * often as {@link #retries} and as long as {@link #sendTimeout} allow. A message to a queue that does not exist, or
 * whose entries are too small, is an error of the send at once.
 *
 * <p>A buffer is a primitive array, a {@link java.lang.foreign.MemorySegment} or a {@link java.nio.ByteBuffer}, of
 * which the bytes between position and limit count. A message is bytes: it can be received into another type of buffer
 * than it was sent from. Sends copy the message, so the buffer can be changed as soon as a call returns.
 *
 * <p>There are four ways to receive: to wait in {@link #receiveFrom(Object)}, to look with {@link #tryReceiveFrom
 * tryReceiveFrom}, to have an action run by {@link #onArrival}, and to wait for several sockets in {@link #awaitAny}.
 *
 * <p>Any thread may use a socket at any time. Calls throw {@link RankwireException} of class {@link ErrorClass#CLOSED}
 * if the socket or its world is closed, and of class {@link ErrorClass#BUFFER} if a buffer cannot be used.
 */
public final class Datagram implements AutoCloseable {
    /** In place of the number of a queue: any that is free. */
    public static final int ANY_QUEUE = DatagramReceiver.ANY;

    private static final int ENTRIES = 64;
    /** Three months: virtual time counts in picoseconds. */
    private static final long LONGEST_S = 90L * 24 * 3600;

    /**
     * A message that was received.
     *
     * @param bytes how many bytes were copied
     * @param messageBytes how many bytes the message had: more than {@code bytes} if it was cut
     * @param node the rank that sent it
     * @param queue the number of the sender's first queue, or -1 if it had none
     * @param toQueue the number of the queue that it lay in
     */
    public record Received(int bytes, int messageBytes, int node, int queue, int toQueue) {}

    private final Session session;
    private final DatagramReceiver receiver;
    /** Null if the socket only receives. */
    private final DatagramSender sender;
    private volatile boolean closed;

    private Datagram(Session session, DatagramSender sender) {
        this.session = session;
        this.receiver = new DatagramReceiver(session);
        this.sender = sender;
    }

    private static Session session(World world) {
        if (world == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument world is null");
        }
        world.session().all().checkOpen();
        return world.session();
    }

    /**
     * Opens a socket.
     *
     * @param world the world that this rank has joined
     * @return the socket, without a queue
     * @throws RankwireException of class {@link ErrorClass#RESOURCE} if the device has no doorbell left for it: there
     *     are 1,024
     */
    public static Datagram open(World world) {
        Session session = session(world);
        return new Datagram(session, DatagramSender.open(session));
    }

    /**
     * Opens a socket with a queue.
     *
     * @param world the world that this rank has joined
     * @param queueId the number of the queue, or {@link #ANY_QUEUE}
     * @param entries how many messages the queue holds
     * @param entryBytes the size of the largest message that the queue takes
     * @return the socket
     * @throws RankwireException as {@link #open(World)} and {@link #bind(int, int, int)} do
     */
    public static Datagram open(World world, int queueId, int entries, int entryBytes) {
        Datagram socket = open(world);
        try {
            socket.bind(queueId, entries, entryBytes);
            return socket;
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Opens a socket that only receives. It needs no doorbell, so there may be any number of them.
     *
     * @param world the world that this rank has joined
     * @return the socket, without a queue
     */
    public static Datagram openReceiver(World world) {
        return new Datagram(session(world), null);
    }

    /**
     * Opens a queue under a number that the program chooses, with 64 entries of {@link #maxBytes}. A socket can have
     * several queues.
     *
     * @param queueId the number, at least 0
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if a socket of this rank uses the number
     */
    public void bind(int queueId) {
        if (queueId < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument queueId: " + queueId + " is below zero");
        }
        bind(queueId, ENTRIES, maxBytes());
    }

    /**
     * Opens a queue under a number that is free, with 64 entries of {@link #maxBytes}.
     *
     * @return the number
     */
    public int bind() {
        return bind(ANY_QUEUE, ENTRIES, maxBytes());
    }

    /**
     * Opens a queue. A socket can have several, of different sizes.
     *
     * @param queueId the number, or {@link #ANY_QUEUE}
     * @param entries how many messages the queue holds: from 1 to 1,048,576
     * @param entryBytes the size of the largest message that the queue takes: from 0 to {@link #maxBytes}; all entries
     *     together have at most 1 GiB, which is allocated now
     * @return the number
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if a socket of this rank uses the number, of class
     *     {@link ErrorClass#ARGUMENT} if an argument is out of its range
     */
    public int bind(int queueId, int entries, int entryBytes) {
        checkOpen();
        if (queueId < ANY_QUEUE) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument queueId: " + queueId + " is below zero");
        }
        return receiver.open(queueId, entries, entryBytes);
    }

    /**
     * Returns the number of the socket's first queue, which receivers of its messages see.
     *
     * @return the number that other nodes send to
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public int queue() {
        if (receiver.firstId() == ANY_QUEUE) {
            throw new RankwireException(ErrorClass.DATAGRAM, "the socket has no queue: call bind first");
        }
        return receiver.firstId();
    }

    /**
     * Returns the numbers of the socket's queues.
     *
     * @return the numbers in the order in which the queues were bound
     */
    public List<Integer> queues() {
        return receiver.queueIds();
    }

    /**
     * Returns the size of the largest message.
     *
     * @return its bytes
     */
    public int maxBytes() {
        return session.host().device.datagrams().maxBytes();
    }

    /**
     * Sets how often a message is sent again that a full queue has refused; 4,000 times by default, which takes about
     * four seconds. It applies to later sends.
     *
     * @param count how often; 0 for never
     */
    public void retries(int count) {
        if (count < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument count: " + count + " is below zero");
        }
        sender("retries").retries(count);
    }

    /**
     * Sets how long a send may take; by default there is no limit beside the {@link #retries}. A message that is not in
     * its queue by then is given up and reported as an error. A message that has left and has no answer may still
     * arrive; the error mentions that, and the next send waits for the answer.
     *
     * @param time how long, {@link Duration#ZERO} for no limit
     */
    public void sendTimeout(Duration time) {
        sender("sendTimeout").timeoutNs(ns(time));
    }

    /**
     * Sets how long {@link #receiveFrom(Object)} and its like wait for a message; by default there is no limit.
     *
     * @param time how long, {@link Duration#ZERO} for no limit
     */
    public void receiveTimeout(Duration time) {
        receiver.timeoutNs(ns(time));
    }

    /**
     * Sends a part of a buffer, and waits until the message lies in its queue.
     *
     * @param buffer the buffer
     * @param offset the first element to send
     * @param count how many elements to send
     * @param node the rank to send to
     * @param queueId the queue there
     * @return the bytes of the message
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the message is too large, the queue stayed
     *     full, there is no such queue, or the message of a {@link #trySendTo trySendTo} before has failed and no call
     *     has reported it: this one is not sent then; of class {@link ErrorClass#RANK} if there is no such node; of
     *     class {@link ErrorClass#PEER} if the node does not answer any more
     */
    public int sendTo(Object buffer, int offset, int count, int node, int queueId) {
        checkOpen();
        return sender("sendTo").send(node, queueId, receiver.firstId(), BufferPart.of(buffer, offset, count, false));
    }

    /**
     * Sends a whole buffer, and waits until the message lies in its queue.
     *
     * @param buffer the buffer
     * @param node the rank to send to
     * @param queueId the queue there
     * @return the bytes of the message
     * @throws RankwireException as {@link #sendTo(Object, int, int, int, int)} does
     */
    public int sendTo(Object buffer, int node, int queueId) {
        return sendMessage(new Object[] {buffer}, node, queueId);
    }

    /**
     * Sends several buffers as one message, and waits until the message lies in its queue.
     *
     * @param pieces the buffers, in the order of their bytes in the message
     * @param node the rank to send to
     * @param queueId the queue there
     * @return the bytes of the message
     * @throws RankwireException as {@link #sendTo(Object, int, int, int, int)} does
     */
    public int sendMessage(Object[] pieces, int node, int queueId) {
        checkOpen();
        return sender("sendMessage").send(node, queueId, receiver.firstId(), BufferPart.of(pieces, false));
    }

    /**
     * Starts to send a part of a buffer, and does not wait. If the message cannot be delivered, {@link #sendDone}, the
     * next send or {@link #close} throws the error: whichever call is the first.
     *
     * @param buffer the buffer, which may be changed as soon as the call returns
     * @param offset the first element to send
     * @param count how many elements to send
     * @param node the rank to send to
     * @param queueId the queue there
     * @return false if the send before is still under way; nothing is sent then
     * @throws RankwireException as {@link #sendTo(Object, int, int, int, int)} does for the message before; of class
     *     {@link ErrorClass#DATAGRAM} if the message is too large, of class {@link ErrorClass#RANK} if there is no such
     *     node
     */
    public boolean trySendTo(Object buffer, int offset, int count, int node, int queueId) {
        checkOpen();
        return sender("trySendTo").trySend(node, queueId, receiver.firstId(),
                BufferPart.of(buffer, offset, count, false));
    }

    /**
     * Starts to send a whole buffer, and does not wait.
     *
     * @param buffer the buffer, which may be changed as soon as the call returns
     * @param node the rank to send to
     * @param queueId the queue there
     * @return false if the send before is still under way; nothing is sent then
     * @throws RankwireException as {@link #trySendTo(Object, int, int, int, int)} does
     */
    public boolean trySendTo(Object buffer, int node, int queueId) {
        return trySendMessage(new Object[] {buffer}, node, queueId);
    }

    /**
     * Starts to send several buffers as one message, and does not wait.
     *
     * @param pieces the buffers, in the order of their bytes in the message
     * @param node the rank to send to
     * @param queueId the queue there
     * @return false if the send before is still under way; nothing is sent then
     * @throws RankwireException as {@link #trySendTo(Object, int, int, int, int)} does
     */
    public boolean trySendMessage(Object[] pieces, int node, int queueId) {
        checkOpen();
        return sender("trySendMessage").trySend(node, queueId, receiver.firstId(), BufferPart.of(pieces, false));
    }

    /**
     * Returns whether the message of the last {@link #trySendTo trySendTo} lies in its queue.
     *
     * @return false while it is under way
     * @throws RankwireException once, if it could not be delivered, as {@link #sendTo(Object, int, int, int, int)} does
     */
    public boolean sendDone() {
        checkOpen();
        return sender("sendDone").isDone();
    }

    /**
     * Waits for a message and copies it to a part of a buffer. A message that is larger is cut. If the socket has
     * several queues, the message that came first is received.
     *
     * @param into the buffer
     * @param offset the first element to write
     * @param count the room for the message, in elements
     * @return what was received; nothing if {@link #wakeUp} was called or the {@link #receiveTimeout} has passed
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> receiveFrom(Object into, int offset, int count) {
        return receive(ANY_QUEUE, true, BufferPart.of(into, offset, count, true));
    }

    /**
     * Waits for a message and copies it to a buffer. A message that is larger is cut.
     *
     * @param into the buffer
     * @return what was received; nothing if {@link #wakeUp} was called or the {@link #receiveTimeout} has passed
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> receiveFrom(Object into) {
        return receiveMessage(new Object[] {into});
    }

    /**
     * Waits for a message and spreads it over several buffers, in their order. A message that is larger is cut.
     *
     * @param pieces the buffers
     * @return what was received; nothing if {@link #wakeUp} was called or the {@link #receiveTimeout} has passed
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> receiveMessage(Object... pieces) {
        return receive(ANY_QUEUE, true, BufferPart.of(pieces, true));
    }

    /**
     * Waits for a message in one of the socket's queues and copies it to a buffer. A message that is larger is cut.
     *
     * @param queueId the number of the queue
     * @param into the buffer
     * @return what was received; nothing if {@link #wakeUp} was called or the {@link #receiveTimeout} has passed
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if this is no queue of the socket
     */
    public Optional<Received> receiveAt(int queueId, Object into) {
        return receive(checked(queueId), true, whole(into));
    }

    /**
     * Receives a message if one lies in a queue. A message that is larger than the room is cut.
     *
     * @param into the buffer
     * @param offset the first element to write
     * @param count the room for the message, in elements
     * @return what was received, if anything
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> tryReceiveFrom(Object into, int offset, int count) {
        return receive(ANY_QUEUE, false, BufferPart.of(into, offset, count, true));
    }

    /**
     * Receives a message if one lies in a queue. A message that is larger than the buffer is cut.
     *
     * @param into the buffer
     * @return what was received, if anything
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> tryReceiveFrom(Object into) {
        return tryReceiveMessage(new Object[] {into});
    }

    /**
     * Receives a message if one lies in a queue, and spreads it over several buffers, in their order.
     *
     * @param pieces the buffers
     * @return what was received, if anything
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> tryReceiveMessage(Object... pieces) {
        return receive(ANY_QUEUE, false, BufferPart.of(pieces, true));
    }

    /**
     * Receives a message if one lies in one of the socket's queues. A message that is larger than the buffer is cut.
     *
     * @param queueId the number of the queue
     * @param into the buffer
     * @return what was received, if anything
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if this is no queue of the socket
     */
    public Optional<Received> tryReceiveAt(int queueId, Object into) {
        return receive(checked(queueId), false, whole(into));
    }

    /**
     * Runs an action when messages have come to a queue of this socket, and at once if some lie there. The action
     * receives them with {@link #tryReceiveFrom tryReceiveFrom}, until there are no more. It runs again when a message
     * comes that came after it began. It runs like those of {@link Request#whenDone}: at the end of a call of this
     * rank, inside one that waits, or, while no thread makes a call, on a virtual thread; never while the device is in
     * use. It may make calls, and should not wait for other ranks.
     *
     * @param action the action, in place of the one before; null for none
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public void onArrival(Runnable action) {
        checkOpen();
        receiver.onArrival(action);
    }

    /**
     * Waits until one of several sockets has a message.
     *
     * @param sockets sockets of one world with queues, at least one
     * @return the socket whose message came first; nothing if {@link #wakeUp} was called for one of them
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if a socket has no queue, of class {@link
     *     ErrorClass#ARGUMENT} if there is no socket or they are of several worlds
     */
    public static Optional<Datagram> awaitAny(Datagram... sockets) {
        return awaitAny(Duration.ZERO, sockets);
    }

    /**
     * Waits for some time until one of several sockets has a message.
     *
     * @param time how long, {@link Duration#ZERO} for no limit
     * @param sockets sockets of one world with queues, at least one
     * @return the socket whose message came first; nothing if {@link #wakeUp} was called for one of them, or the time
     *     has passed
     * @throws RankwireException as {@link #awaitAny(Datagram...)} does
     */
    public static Optional<Datagram> awaitAny(Duration time, Datagram... sockets) {
        long limit = ns(time);
        if (sockets.length == 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument sockets is empty");
        }
        DatagramReceiver[] receivers = new DatagramReceiver[sockets.length];
        for (int i = 0; i < sockets.length; i++) {
            if (sockets[i] == null || sockets[i].session != sockets[0].session) {
                throw new RankwireException(ErrorClass.ARGUMENT, "argument sockets: socket " + i
                        + (sockets[i] == null ? " is null" : " belongs to another world than the first"));
            }
            sockets[i].checkOpen();
            receivers[i] = sockets[i].receiver;
        }
        int found = DatagramReceiver.awaitAny(limit, receivers);
        for (int i = 0; found < 0 && i < sockets.length; i++) {
            sockets[i].checkOpen();
        }
        return found < 0 ? Optional.empty() : Optional.of(sockets[found]);
    }

    /**
     * Makes a thread that waits for a message, or the next one that would, return with nothing. Any thread may call it.
     */
    public void wakeUp() {
        receiver.wakeUp();
    }

    /**
     * Closes the socket and drops the messages in its queues. Waits for a send that is under way.
     *
     * @throws RankwireException if the message of the last {@link #trySendTo trySendTo} could not be delivered and no
     *     call has reported it; the socket is closed nevertheless
     */
    @Override
    public void close() {
        if (closed || session.isClosed()) {
            closed = true;
            return;
        }
        closed = true;
        receiver.close();
        if (sender != null) {
            sender.close();
        }
    }

    private Optional<Received> receive(int queueId, boolean waits, BufferPart... parts) {
        checkOpen();
        DatagramReceiver.Arrived got = receiver.receive(queueId, waits, parts);
        if (got == null) {
            checkOpen();
            return Optional.empty();
        }
        return Optional.of(new Received(got.bytes(), got.messageBytes(), got.node(), got.queue(), got.toQueue()));
    }

    private static BufferPart[] whole(Object buffer) {
        return BufferPart.of(new Object[] {buffer}, true);
    }

    private static int checked(int queueId) {
        if (queueId < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument queueId: " + queueId + " is below zero");
        }
        return queueId;
    }

    private DatagramSender sender(String call) {
        if (sender == null) {
            throw new RankwireException(ErrorClass.DATAGRAM, "rank " + session.worldRank() + ": " + call
                    + ": the socket was opened to receive only" + CallSite.find());
        }
        return sender;
    }

    private static long ns(Duration time) {
        if (time == null || time.isNegative()) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument time: " + time + " is no length of time");
        }
        return Math.min(time.toSeconds(), LONGEST_S) == LONGEST_S ? LONGEST_S * 1_000_000_000 : time.toNanos();
    }

    private void checkOpen() {
        if (closed || session.isClosed()) {
            throw new RankwireException(ErrorClass.CLOSED, closed ? "the socket is closed" : "the world is closed");
        }
    }
}
