package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.datagram.Alarm;
import io.rankwire.device.datagram.Datagrams;
import io.rankwire.type.Copy;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The sending half of a datagram socket: a doorbell, and a buffer that messages are copied to, so that the program has
 * its own memory back at once. The result of each message is reported once: by the call that waits for it, or by the
 * next call after one that does not wait.
 */
public final class DatagramSender {
    /** Leads an error that another call reports than the one that sent the message. */
    private static final String BEFORE = "the message before, ";

    private final Session session;
    private final Host host;
    private final Datagrams device;
    private final int doorbell;
    private byte[] buffer = {};
    private int retries = Datagrams.TRIES;
    /** How long a message is tried; 0 without a limit. */
    private long timeoutNs;
    /** Where the last message goes. */
    private int node;
    private int queueId;
    /** Whether the result of the last message is not reported yet. */
    private boolean unreported;
    /** Whether a thread waits for the result of the last message. */
    private boolean awaited;

    private DatagramSender(Session session, int doorbell) {
        this.session = session;
        this.host = session.host();
        this.device = host.device.datagrams();
        this.doorbell = doorbell;
    }

    /** Takes a doorbell; throws if none is left. */
    public static DatagramSender open(Session session) {
        Host host = session.host();
        host.lock();
        try {
            int doorbell = host.device.datagrams().allocate();
            if (doorbell == Code.NO_DOORBELL) {
                throw new RankwireException(ErrorClass.RESOURCE, "rank " + session.worldRank() + ": all "
                        + host.device.config().doorbells() + " doorbells are in use: close sockets that are no longer"
                        + " needed, and open those that only receive without a doorbell" + CallSite.find());
            }
            return new DatagramSender(session, doorbell);
        } finally {
            host.unlock();
        }
    }

    /** Sets how often a message is sent again that a full queue refuses. */
    public void retries(int count) {
        retries = count;
    }

    /** Sets how long a message is tried; 0 without a limit. */
    public void timeoutNs(long ns) {
        timeoutNs = ns;
    }

    /**
     * Sends a message and waits until it lies in its queue.
     *
     * @param source the queue that answers go to, or -1
     * @return the bytes of the message
     */
    public int send(int to, int queue, int source, BufferPart... parts) {
        int bytes = check(to, parts);
        long until = until();
        host.lock();
        try {
            if (!holds(() -> !awaited && !isUnderWay(), until)) {
                throw error(BEFORE, "node " + node + " has not answered within " + time() + ", and nothing was sent");
            }
            settle(BEFORE);
            awaited = true;
            try {
                ring(to, queue, source, bytes, until, parts);
                if (!holds(() -> !isUnderWay(), until)) {
                    unreported = false;
                    throw error("", "node " + node + " has not answered within " + time()
                            + "; the message may still arrive");
                }
            } finally {
                awaited = false;
            }
            settle("");
            return bytes;
        } catch (RuntimeException e) {
            throw host.translate(e, "sendTo", parts.length == 0 ? null : parts[0].base());
        } finally {
            host.unlock();
        }
    }

    /** Starts to send a message, unless one is under way: then it returns false. */
    public boolean trySend(int to, int queue, int source, BufferPart... parts) {
        int bytes = check(to, parts);
        long until = until();
        host.lock();
        try {
            host.progress();
            if (awaited || isUnderWay()) {
                return false;
            }
            settle(BEFORE);
            ring(to, queue, source, bytes, until, parts);
            host.wakeProgress();
            return true;
        } catch (RuntimeException e) {
            throw host.translate(e, "trySendTo", parts.length == 0 ? null : parts[0].base());
        } finally {
            host.unlock();
        }
    }

    /** Whether no message is under way; reports how the last one ended. */
    public boolean isDone() {
        host.lock();
        try {
            host.progress();
            if (isUnderWay()) {
                return false;
            }
            settle("");
            return true;
        } finally {
            host.unlock();
        }
    }

    /** Waits for the message that is under way, gives the doorbell back, and reports how the message ended. */
    public void close() {
        host.lock();
        try {
            host.await(() -> !isUnderWay(), new SendWait(node, queueId));
            int status = device.status(doorbell);
            int tries = device.tries(doorbell);
            device.free(doorbell);
            report("", status, tries);
        } finally {
            host.unlock();
        }
    }

    private int check(int to, BufferPart... parts) {
        if (to < 0 || to >= session.size()) {
            throw new RankwireException(ErrorClass.RANK, "argument node: " + to
                    + " is not a rank of the world, which has " + session.size() + CallSite.find());
        }
        int bytes = BufferPart.sum(parts);
        if (bytes > device.maxBytes()) {
            throw new RankwireException(ErrorClass.DATAGRAM, "a datagram has at most " + device.maxBytes()
                    + " bytes, not " + bytes + CallSite.find());
        }
        return bytes;
    }

    private long until() {
        return timeoutNs == 0 ? Long.MAX_VALUE : host.nowNs() + timeoutNs;
    }

    private boolean isUnderWay() {
        return device.status(doorbell) == Datagrams.PENDING;
    }

    private void ring(int to, int queue, int source, int bytes, long until, BufferPart... parts) {
        if (buffer.length < bytes) {
            buffer = new byte[Math.min(device.maxBytes(), Math.max(2 * buffer.length, bytes))];
        }
        int at = 0;
        for (BufferPart part : parts) {
            Copy.between(part.base(), part.start(), buffer, at, part.bytes());
            at += part.bytes();
        }
        node = to;
        queueId = queue;
        unreported = true;
        device.limit(doorbell, retries, until);
        device.ring(doorbell, buffer, 0, bytes, to, queue, source);
    }

    /** Waits until the condition holds, or for some time; returns whether it holds. */
    private boolean holds(BooleanSupplier condition, long until) {
        if (condition.getAsBoolean()) {
            return true;
        }
        Host.Waiting what = new SendWait(node, queueId);
        if (until == Long.MAX_VALUE) {
            host.await(condition, what);
            return true;
        }
        // The device gives up by itself, at the same time, what it has not sent.
        Alarm alarm = device.alarm(until);
        try {
            host.await(() -> condition.getAsBoolean() || alarm.hasRung(), new TimedWait(what));
        } finally {
            device.cancel(alarm);
        }
        return condition.getAsBoolean();
    }

    private void settle(String which) {
        report(which, device.status(doorbell), device.tries(doorbell));
    }

    private void report(String which, int status, int tries) {
        if (!unreported) {
            return;
        }
        unreported = false;
        String times = tries == 1 ? " once" : " " + tries + " times";
        switch (status) {
            case Code.QUEUE_FULL -> throw error(which, tries < retries && timeoutNs > 0
                    ? "it could not be delivered within " + time() + "; it was sent again" + times
                    : "the queue stayed full; it was sent again" + times);
            case Code.UNKNOWN_QUEUE -> throw error(which, "there is no such queue");
            case Code.BAD_SIZE -> throw error(which, "it is larger than an entry of the queue");
            case Code.PEER_DEAD -> throw host.lost(which + sendTo() + CallSite.find(), host.device.lost(node));
            default -> { }
        }
    }

    private String time() {
        return timeoutNs % 1_000_000 == 0 ? timeoutNs / 1_000_000 + " ms" : Duration.ofNanos(timeoutNs).toString();
    }

    private RankwireException error(String which, String what) {
        return new RankwireException(ErrorClass.DATAGRAM, "rank " + session.worldRank() + ": " + which + sendTo()
                + ": " + what + CallSite.find());
    }

    private String sendTo() {
        return "sendTo node " + node + ", queue " + queueId;
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
}
