package io.rankwire;

import io.rankwire.device.Code;
import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.datagram.ReceiveQueue;
import io.rankwire.launch.VirtualTime;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.Session;
import io.rankwire.wire.MatchWord;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A socket for reliable messages without connections, beside the communicators: any node may send to any queue of any
 * node at any time. A socket has one receive queue, which {@link #bind()} opens and numbers, and sends one message at a
 * time. A node is a rank of the world.
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
 * <p>Calls on a socket throw
 * {@link RankwireException} of class {@link ErrorClass#CLOSED} if the socket or its world is closed.
 */
public final class Datagram implements AutoCloseable {
    private static final int ENTRIES = 64;
    private static final int NOT_BOUND = -1;

    /**
     * A message that was received.
     *
     * @param bytes how many bytes were copied
     * @param messageBytes how many bytes the message had: more than {@code bytes} if it was cut
     * @param node the rank that sent it
     * @param queue the number of the sender's queue, or -1 if it had none
     */
    public record Received(int bytes, int messageBytes, int node, int queue) {}

    private final Session session;
    private final Host host;
    private final Datagrams device;
    private final int doorbell;
    private ReceiveQueue queue;
    private boolean closed;
    private volatile boolean woken;
    private volatile Thread waiter;

    private Datagram(World world, int doorbell) {
        this.session = world.session();
        this.host = session.host();
        this.device = host.device.datagrams();
        this.doorbell = doorbell;
    }

    /**
     * Opens a socket.
     *
     * @param world the world that this rank has joined
     * @return the socket, without a queue
     * @throws RankwireException of class {@link ErrorClass#RESOURCE} if the device has no doorbell left for it
     */
    public static Datagram open(World world) {
        if (world == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument world is null");
        }
        world.session().all().checkOpen();
        Host host = world.session().host();
        host.lock();
        try {
            int doorbell = host.device.datagrams().allocate();
            if (doorbell == Code.NO_DOORBELL) {
                throw new RankwireException(ErrorClass.RESOURCE, "all " + host.device.config().doorbells()
                        + " doorbells are in use: close sockets that are no longer needed");
            }
            return new Datagram(world, doorbell);
        } finally {
            host.unlock();
        }
    }

    /**
     * Opens the socket's queue under a number that the program chooses.
     *
     * @param queueId the number, at least 0
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has a queue, or another socket of
     *     this rank uses the number
     */
    public void bind(int queueId) {
        if (queueId < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument queueId: " + queueId + " is below zero");
        }
        open(queueId);
    }

    /**
     * Opens the socket's queue under a number that is free.
     *
     * @return the number
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has a queue
     */
    public int bind() {
        return open(NOT_BOUND);
    }

    /**
     * Returns the number of the socket's queue.
     *
     * @return the number that other nodes send to
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public int queue() {
        return bound().id();
    }

    /**
     * Returns the size of the largest message.
     *
     * @return its bytes
     */
    public int maxBytes() {
        return device.maxBytes();
    }

    /**
     * Sends a part of an array, and waits until the message lies in its queue.
     *
     * @param data the array
     * @param offset the first byte to send
     * @param length how many bytes to send
     * @param node the rank to send to
     * @param queueId the queue there
     * @return the length
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the message is too large, the queue stayed
     *     full, or there is no such queue; of class {@link ErrorClass#RANK} if there is no such node; of class {@link
     *     ErrorClass#PEER} if the node does not answer any more
     */
    public int sendTo(byte[] data, int offset, int length, int node, int queueId) {
        checkRange("data", data, offset, length);
        start(data, offset, length, node, queueId);
        host.lock();
        try {
            host.await(this::sent, new SendWait(node, queueId));
            return settle(length, node, queueId);
        } finally {
            host.unlock();
        }
    }

    /**
     * Sends a whole array, and waits until the message lies in its queue.
     *
     * @param data the array
     * @param node the rank to send to
     * @param queueId the queue there
     * @return the length of the array
     * @throws RankwireException as {@link #sendTo(byte[], int, int, int, int)} does
     */
    public int sendTo(byte[] data, int node, int queueId) {
        checkData(data);
        return sendTo(data, 0, data.length, node, queueId);
    }

    /**
     * Sends several arrays as one message, and waits until the message lies in its queue.
     *
     * @param pieces the arrays, in the order of their bytes in the message
     * @param node the rank to send to
     * @param queueId the queue there
     * @return the length of the message
     * @throws RankwireException as {@link #sendTo(byte[], int, int, int, int)} does
     */
    public int sendMessage(byte[][] pieces, int node, int queueId) {
        byte[] whole = gather(pieces);
        return sendTo(whole, 0, whole.length, node, queueId);
    }

    /**
     * Starts to send a copy of a part of an array, and does not wait.
     *
     * @param data the array, which may be changed as soon as the call returns
     * @param offset the first byte to send
     * @param length how many bytes to send
     * @param node the rank to send to
     * @param queueId the queue there
     * @return false if the send before is still under way; nothing is sent then
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the message is too large, of class {@link
     *     ErrorClass#RANK} if there is no such node
     */
    public boolean trySendTo(byte[] data, int offset, int length, int node, int queueId) {
        checkRange("data", data, offset, length);
        host.lock();
        try {
            host.progress();
            if (!sent()) {
                return false;
            }
        } finally {
            host.unlock();
        }
        byte[] copy = java.util.Arrays.copyOfRange(data, offset, offset + length);
        start(copy, 0, length, node, queueId);
        return true;
    }

    /**
     * Returns whether the message of the last {@link #trySendTo} lies in its queue.
     *
     * @return false while it is under way
     * @throws RankwireException if it could not be delivered, as {@link #sendTo(byte[], int, int, int, int)} does
     */
    public boolean sendDone() {
        host.lock();
        try {
            host.progress();
            if (!sent()) {
                return false;
            }
            settle(0, lastNode, lastQueue);
            return true;
        } finally {
            host.unlock();
        }
    }

    /**
     * Waits for a message and copies it to a part of an array. A message that is larger is cut.
     *
     * @param into the array
     * @param offset where the first byte goes
     * @param length the room for the message, in bytes
     * @return what was received; nothing if {@link #wakeUp} was called
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> receiveFrom(byte[] into, int offset, int length) {
        checkRange("into", into, offset, length);
        return receive(true, new byte[][] {into}, offset, length);
    }

    /**
     * Waits for a message and copies it to an array. A message that is larger is cut.
     *
     * @param into the array
     * @return what was received; nothing if {@link #wakeUp} was called
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> receiveFrom(byte[] into) {
        checkData(into);
        return receiveFrom(into, 0, into.length);
    }

    /**
     * Receives a message if one lies in the queue. A message that is larger than the array is cut.
     *
     * @param into the array
     * @return what was received, if anything
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> tryReceiveFrom(byte[] into) {
        checkData(into);
        return receive(false, new byte[][] {into}, 0, into.length);
    }

    /**
     * Waits for a message and spreads it over several arrays, in their order. A message that is larger is cut.
     *
     * @param pieces the arrays
     * @return what was received; nothing if {@link #wakeUp} was called
     * @throws RankwireException of class {@link ErrorClass#DATAGRAM} if the socket has no queue
     */
    public Optional<Received> receiveMessage(byte[]... pieces) {
        int room = 0;
        for (byte[] piece : pieces) {
            checkData(piece);
            room += piece.length;
        }
        return receive(true, pieces, 0, room);
    }

    /**
     * Makes a thread that waits in a receive, or the next one that would, return with nothing. Any thread may call it.
     */
    public void wakeUp() {
        woken = true;
        LockSupport.unpark(waiter);
    }

    /** Closes the socket and drops the messages in its queue. Waits for a send that is under way. */
    @Override
    public void close() {
        if (closed || session.isClosed()) {
            closed = true;
            return;
        }
        closed = true;
        host.lock();
        try {
            host.await(this::sent, new SendWait(lastNode, lastQueue));
            device.free(doorbell);
            if (queue != null) {
                device.close(queue);
            }
        } finally {
            host.unlock();
        }
    }

    private int lastNode;
    private int lastQueue;

    private void start(byte[] data, int offset, int length, int node, int queueId) {
        checkOpen();
        if (node < 0 || node >= session.size()) {
            throw new RankwireException(ErrorClass.RANK, "argument node: " + node
                    + " is not a rank of the world, which has " + session.size());
        }
        if (length > maxBytes()) {
            throw new RankwireException(ErrorClass.DATAGRAM, "a datagram has at most " + maxBytes() + " bytes, not "
                    + length);
        }
        host.lock();
        try {
            if (!sent()) {
                host.await(this::sent, new SendWait(lastNode, lastQueue));
            }
            lastNode = node;
            lastQueue = queueId;
            device.ring(doorbell, data, offset, length, node, queueId, queue == null ? NOT_BOUND : queue.id());
        } catch (RuntimeException e) {
            throw host.translate(e, "sendTo");
        } finally {
            host.unlock();
        }
    }

    private boolean sent() {
        return device.status(doorbell) != Datagrams.PENDING;
    }

    private int settle(int length, int node, int queueId) {
        int status = device.status(doorbell);
        String to = "rank " + session.worldRank() + ": sendTo node " + node + ", queue " + queueId + ": ";
        return switch (status) {
            case Code.QUEUE_FULL -> throw new RankwireException(ErrorClass.DATAGRAM, to + "the queue stayed full");
            case Code.UNKNOWN_QUEUE -> throw new RankwireException(ErrorClass.DATAGRAM, to + "there is no such queue");
            case Code.PEER_DEAD -> throw host.lost("sendTo node " + node + ", queue " + queueId,
                    host.device.lost(node));
            case Code.BAD_SIZE -> throw new RankwireException(ErrorClass.DATAGRAM, to + "the queue takes less");
            default -> length;
        };
    }

    private Optional<Received> receive(boolean wait, byte[][] pieces, int offset, int room) {
        checkOpen();
        ReceiveQueue from = bound();
        host.lock();
        try {
            if (from.isEmpty()) {
                host.progress(VirtualTime.DATAGRAMS, MatchWord.ANY, from.id());
            }
            if (wait && from.isEmpty() && !woken) {
                awaitArrival(from);
            }
            if (from.isEmpty()) {
                woken = wait ? false : woken;
                return Optional.empty();
            }
            Received received = new Received(Math.min(room, from.length()), from.length(), from.node(), from.queue());
            scatter(from, pieces, offset, received.bytes());
            from.advance();
            return Optional.of(received);
        } finally {
            host.unlock();
        }
    }

    /**
     * Waits until the queue has a message. Another thread may drive the device meanwhile, so the queue is armed and
     * wakes this thread at once.
     */
    private void awaitArrival(ReceiveQueue from) {
        Thread me = Thread.currentThread();
        waiter = me;
        from.arm(() -> LockSupport.unpark(me));
        try {
            host.await(() -> !from.isEmpty() || woken || closed, new ReceiveWait(from.id()));
        } finally {
            from.arm(null);
            waiter = null;
        }
    }

    private static void scatter(ReceiveQueue from, byte[][] pieces, int offset, int bytes) {
        int done = 0;
        for (byte[] piece : pieces) {
            int part = Math.min(piece.length - offset, bytes - done);
            from.read(done, piece, offset, part);
            done += part;
        }
    }

    private static byte[] gather(byte[][] pieces) {
        int length = 0;
        for (byte[] piece : pieces) {
            checkData(piece);
            length += piece.length;
        }
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, whole, at, piece.length);
            at += piece.length;
        }
        return whole;
    }

    private int open(int queueId) {
        checkOpen();
        if (queue != null) {
            throw new RankwireException(ErrorClass.DATAGRAM, "the socket is bound already, to queue " + queue.id());
        }
        host.lock();
        try {
            queue = device.open(queueId, ENTRIES, device.maxBytes());
        } finally {
            host.unlock();
        }
        if (queue == null) {
            throw new RankwireException(ErrorClass.DATAGRAM, "rank " + session.worldRank() + ": queue " + queueId
                    + " is in use by another socket of this rank");
        }
        return queue.id();
    }

    private ReceiveQueue bound() {
        if (queue == null) {
            throw new RankwireException(ErrorClass.DATAGRAM, "the socket has no queue: call bind first");
        }
        return queue;
    }

    private void checkOpen() {
        if (closed || session.isClosed()) {
            throw new RankwireException(ErrorClass.CLOSED, closed ? "the socket is closed" : "the world is closed");
        }
    }

    private static void checkData(byte[] data) {
        if (data == null) {
            throw new RankwireException(ErrorClass.BUFFER, "argument data is null");
        }
    }

    private static void checkRange(String name, byte[] data, int offset, int length) {
        checkData(data);
        if (offset < 0 || length < 0 || offset > data.length - length) {
            throw new RankwireException(ErrorClass.COUNT, "argument " + name + ": offset " + offset + " and length "
                    + length + " do not fit " + data.length + " bytes");
        }
    }

    private record SendWait(int node, int queueId) implements Host.Waiting {
        @Override
        public String describe() {
            return "datagram sendTo node " + node + ", queue " + queueId + CallSite.find();
        }

        @Override
        public int peer() {
            return node;
        }
    }

    private record ReceiveWait(int queueId) implements Host.Waiting {
        @Override
        public String describe() {
            return "datagram receiveFrom, queue " + queueId + CallSite.find();
        }

        @Override
        public int peer() {
            return -1;
        }

        @Override
        public void name(VirtualTime.Wishes to) {
            to.message(VirtualTime.DATAGRAMS, MatchWord.ANY, queueId);
        }
    }
}
