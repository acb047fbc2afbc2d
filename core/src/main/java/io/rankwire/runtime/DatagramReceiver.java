package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.datagram.Alarm;
import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.datagram.ReceiveQueue;
import io.rankwire.launch.VirtualTime;
import io.rankwire.wire.MatchWord;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The receiving half of a datagram socket: its queues, and who is to learn that a message has come. A queue is armed
 * while a thread waits for it or the program has an action for arrivals; the device then wakes the thread, and has the
 * action run when the device's lock is free.
 */
public final class DatagramReceiver {
    /** Any queue of the socket; any free number for a new one. */
    public static final int ANY = -1;
    private static final int MOST_ENTRIES = 1 << 20;
    private static final long MOST_BYTES = 1L << 30;
    private static final int MOST_NAMED = 4;

    /**
     * A message that was received.
     *
     * @param bytes the bytes that were copied
     * @param messageBytes the bytes of the message
     * @param node its sender
     * @param queue the queue of its sender, or -1
     * @param toQueue the queue that it lay in
     */
    public record Arrived(int bytes, int messageBytes, int node, int queue, int toQueue) {}

    private final Session session;
    private final Host host;
    private final Datagrams device;
    private ReceiveQueue[] queues = {};
    /** How long a call waits; 0 without a limit. */
    private long timeoutNs;
    private boolean closed;
    private volatile boolean woken;
    private volatile Thread waiter;
    /** What the program wants to run when a message has come, or null; and whether it is going to run. */
    private Runnable action;
    private boolean isDue;

    public DatagramReceiver(Session session) {
        this.session = session;
        this.host = session.host();
        this.device = host.device.datagrams();
    }

    /** Opens a queue, with a free number if the number is {@link #ANY}; returns the number. */
    public int open(int queueId, int entries, int entryBytes) {
        check("entries", entries, 1, MOST_ENTRIES);
        check("entryBytes", entryBytes, 0, device.maxBytes());
        if ((long) entries * entryBytes > MOST_BYTES) {
            throw new RankwireException(ErrorClass.ARGUMENT, "arguments entries " + entries + " and entryBytes "
                    + entryBytes + ": a queue has at most " + MOST_BYTES + " bytes" + CallSite.find());
        }
        host.lock();
        try {
            ReceiveQueue queue = device.open(queueId, entries, entryBytes);
            if (queue == null) {
                throw new RankwireException(ErrorClass.DATAGRAM, "rank " + session.worldRank() + ": queue " + queueId
                        + " is in use by a socket of this rank" + CallSite.find());
            }
            queues = Arrays.copyOf(queues, queues.length + 1);
            queues[queues.length - 1] = queue;
            arm(action != null);
            return queue.id();
        } finally {
            host.unlock();
        }
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument " + name + ": " + value + " is not between "
                    + least + " and " + most + CallSite.find());
        }
    }

    /** The numbers of the queues, in the order in which they were opened. */
    public List<Integer> queueIds() {
        return Arrays.stream(queues).map(ReceiveQueue::id).toList();
    }

    /** The number of the first queue, or {@link #ANY} if there is none. */
    public int firstId() {
        return queues.length == 0 ? ANY : queues[0].id();
    }

    /** Sets how long a receive waits; 0 without a limit. */
    public void timeoutNs(long ns) {
        timeoutNs = ns;
    }

    /**
     * Takes the message that came first, from one queue or from any.
     *
     * @return null if there is none, or a wait has ended without one
     */
    public Arrived receive(int queueId, boolean waits, BufferPart... parts) {
        ReceiveQueue[] from = queueId == ANY ? bound() : new ReceiveQueue[] {find(queueId)};
        long until = waits ? until(timeoutNs) : 0;
        host.lock();
        try {
            ReceiveQueue first = first(from);
            if (first == null) {
                host.progress(VirtualTime.DATAGRAMS, MatchWord.ANY, from.length == 1 ? from[0].id() : MatchWord.ANY);
                first = first(from);
            }
            if (first == null && waits) {
                await("receiveFrom", from, until, this);
                first = first(from);
            }
            return first == null ? null : take(first, parts);
        } finally {
            host.unlock();
        }
    }

    /**
     * Waits until one of several sockets of a world has a message.
     *
     * @param timeoutNs how long; 0 without a limit
     * @return the place of the one whose message came first; -1 if the wait has ended without one
     */
    public static int awaitAny(long timeoutNs, DatagramReceiver... sockets) {
        Host host = sockets[0].host;
        ReceiveQueue[] all = Arrays.stream(sockets).flatMap(socket -> Arrays.stream(socket.bound()))
                .toArray(ReceiveQueue[]::new);
        long until = sockets[0].until(timeoutNs);
        host.lock();
        try {
            if (first(all) == null) {
                await("awaitAny", all, until, sockets);
            }
            ReceiveQueue first = first(all);
            for (int i = 0; first != null && i < sockets.length; i++) {
                if (Arrays.asList(sockets[i].queues).contains(first)) {
                    return i;
                }
            }
            return -1;
        } finally {
            host.unlock();
        }
    }

    /** Has the action run when messages have come, and now if some have; null for none. */
    public void onArrival(Runnable then) {
        bound();
        host.lock();
        try {
            action = then;
            arm(then != null);
            if (then != null) {
                if (first(queues) != null) {
                    arrived();
                }
                host.wakeProgress();
            }
        } finally {
            host.unlock();
        }
    }

    /** Ends a wait, or the next one, without a message. */
    public void wakeUp() {
        woken = true;
        LockSupport.unpark(waiter);
    }

    public void close() {
        host.lock();
        try {
            closed = true;
            action = null;
            for (ReceiveQueue queue : queues) {
                queue.arm(null);
                device.close(queue);
            }
            LockSupport.unpark(waiter);
        } finally {
            host.unlock();
        }
    }

    private ReceiveQueue[] bound() {
        if (queues.length == 0) {
            throw new RankwireException(ErrorClass.DATAGRAM, "the socket has no queue: call bind first"
                    + CallSite.find());
        }
        return queues;
    }

    private ReceiveQueue find(int queueId) {
        for (ReceiveQueue queue : queues) {
            if (queue.id() == queueId) {
                return queue;
            }
        }
        throw new RankwireException(ErrorClass.DATAGRAM, "queue " + queueId + " is none of this socket, which has "
                + queueIds() + CallSite.find());
    }

    private long until(long ns) {
        return ns == 0 ? Long.MAX_VALUE : host.nowNs() + ns;
    }

    /** The queue whose message came first, or null. */
    private static ReceiveQueue first(ReceiveQueue... among) {
        ReceiveQueue first = null;
        for (ReceiveQueue queue : among) {
            if (!queue.isEmpty() && (first == null || queue.stamp() < first.stamp())) {
                first = queue;
            }
        }
        return first;
    }

    private static Arrived take(ReceiveQueue queue, BufferPart... parts) {
        int bytes = Math.min(BufferPart.sum(parts), queue.length());
        int done = 0;
        for (BufferPart part : parts) {
            int now = Math.min(part.bytes(), bytes - done);
            queue.read(done, part.base(), part.start(), now);
            done += now;
        }
        Arrived arrived = new Arrived(bytes, queue.length(), queue.node(), queue.queue(), queue.id());
        queue.advance();
        return arrived;
    }

    /** Waits until a queue of the sockets has a message, one of them is woken or closed, or the time has come. */
    private static void await(String call, ReceiveQueue[] queues, long until, DatagramReceiver... sockets) {
        Host host = sockets[0].host;
        boolean timed = until != Long.MAX_VALUE;
        Datagrams device = sockets[0].device;
        Alarm alarm = timed ? device.alarm(until) : null;
        for (DatagramReceiver socket : sockets) {
            socket.waiter = Thread.currentThread();
            socket.arm(true);
        }
        Host.Waiting what = new ReceiveWait(call, queues);
        boolean[] ended = {false};
        try {
            host.await(() -> {
                ended[0] = ended[0] || Arrays.stream(sockets).anyMatch(DatagramReceiver::endsWaits);
                return first(queues) != null || ended[0] || timed && alarm.hasRung();
            }, timed ? new TimedWait(what) : what);
        } finally {
            for (DatagramReceiver socket : sockets) {
                socket.waiter = null;
                socket.arm(socket.action != null);
            }
            if (timed) {
                device.cancel(alarm);
            }
        }
    }

    /** Whether a wait is to end without a message; that it was woken counts for one wait. */
    private boolean endsWaits() {
        boolean ends = woken || closed;
        woken = false;
        return ends;
    }

    private void arm(boolean on) {
        Runnable wake = on ? this::arrived : null;
        for (ReceiveQueue queue : queues) {
            queue.arm(wake);
        }
    }

    /** A message lies in a queue that was armed; the caller has the lock. */
    private void arrived() {
        LockSupport.unpark(waiter);
        if (action != null && !isDue) {
            isDue = true;
            host.actions.table().add(new ArrivalAction(), null);
        }
    }

    /** Arms the queues again before the program's part runs: what comes meanwhile has it run once more. */
    private final class ArrivalAction implements Actions.Action {
        private Runnable then;

        @Override
        public void taken() {
            isDue = false;
            then = action;
            if (then != null) {
                arm(true);
            }
        }

        @Override
        public void run() {
            if (then != null) {
                then.run();
            }
        }
    }

    private record ReceiveWait(String call, ReceiveQueue[] queues) implements Host.Waiting {
        @Override
        public String describe() {
            List<Integer> ids = Arrays.stream(queues).limit(MOST_NAMED).map(ReceiveQueue::id).toList();
            return "datagram " + call + ", " + (queues.length == 1 ? "queue " + ids.getFirst()
                    : "queues " + ids + (queues.length > MOST_NAMED ? " and others" : "")) + CallSite.find();
        }

        @Override
        public void name(VirtualTime.Wishes to) {
            for (ReceiveQueue queue : queues) {
                to.message(VirtualTime.DATAGRAMS, MatchWord.ANY, queue.id());
            }
        }
    }
}
