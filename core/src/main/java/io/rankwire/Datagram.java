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
 * Reliable messages without connections, beside the communicators: any node may send to any queue of any node at any
 * time. A socket has one receive queue, which {@link #bind} gives a number, and sends one message at a time. A node is
 * a rank of the world.
 */
public final class Datagram implements AutoCloseable {
    private static final int ENTRIES = 64;
    private static final int NOT_BOUND = -1;

    /** What was received: how many bytes were copied, how many the message had, and who sent it. */
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

    /** Opens a socket. */
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

    /** Gives the socket a queue of this number; taken by another socket of this rank is an error. */
    public void bind(int queueId) {
        if (queueId < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument queueId: " + queueId + " is below zero");
        }
        open(queueId);
    }

    /** Gives the socket a queue with a number that is free, and returns it. */
    public int bind() {
        return open(NOT_BOUND);
    }

    /** The number of the socket's queue. */
    public int queue() {
        return bound().id();
    }

    /** Largest message. */
    public int maxBytes() {
        return device.maxBytes();
    }

    /** Sends; returns when the message lies in its queue, with its size. */
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

    public int sendTo(byte[] data, int node, int queueId) {
        checkData(data);
        return sendTo(data, 0, data.length, node, queueId);
    }

    /** Sends several pieces as one message. */
    public int sendMessage(byte[][] pieces, int node, int queueId) {
        byte[] whole = gather(pieces);
        return sendTo(whole, 0, whole.length, node, queueId);
    }

    /** Starts a send without waiting: false, "would block", while the send before is still under way. */
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

    /** Whether the last {@link #trySendTo} has arrived; an error it met is thrown. */
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

    /** Waits for a message; nothing if {@link #wakeUp} was called. A message larger than the room is cut. */
    public Optional<Received> receiveFrom(byte[] into, int offset, int length) {
        checkRange("into", into, offset, length);
        return receive(true, new byte[][] {into}, offset, length);
    }

    public Optional<Received> receiveFrom(byte[] into) {
        checkData(into);
        return receiveFrom(into, 0, into.length);
    }

    /** Takes a message if one is here. */
    public Optional<Received> tryReceiveFrom(byte[] into) {
        checkData(into);
        return receive(false, new byte[][] {into}, 0, into.length);
    }

    /** Waits for a message and spreads it over the pieces in order. */
    public Optional<Received> receiveMessage(byte[]... pieces) {
        int room = 0;
        for (byte[] piece : pieces) {
            checkData(piece);
            room += piece.length;
        }
        return receive(true, pieces, 0, room);
    }

    /** Makes a thread that waits in a receive, or the next one that would, return with nothing. */
    public void wakeUp() {
        woken = true;
        LockSupport.unpark(waiter);
    }

    /** Gives up the queue and what it holds; a send under way is waited for. */
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
            Received received = new Received(
                    Math.min(room, from.length()), from.length(), from.node(), from.queue());
            scatter(from, pieces, offset, received.bytes());
            from.advance();
            return Optional.of(received);
        } finally {
            host.unlock();
        }
    }

    /** The device may be driven by another thread meanwhile: the queue is armed, so that this one is woken at once. */
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
