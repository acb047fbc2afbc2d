package io.rankwire.device.datagram;

import io.rankwire.device.Code;
import io.rankwire.device.ControlFrames;
import io.rankwire.device.Peer;
import io.rankwire.device.Peers;
import io.rankwire.device.Violation;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reliable connectionless messages: doorbells to send with, queues to receive in. Any doorbell may address any queue of
 * any node at any time; nothing exists for a pair before, between or after messages. A message is acknowledged once it
 * lies in its queue. A message to a full queue is sent again with growing pauses; other refusals end it.
 */
public final class Datagrams {
    public static final int IDLE = 1;
    public static final int PENDING = 2;

    private static final int SOURCE = 8;
    private static final long FIRST_PAUSE_NS = 1_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;
    /** How often a message is sent again that a full queue has refused, unless its sender wants otherwise: seconds. */
    public static final int TRIES = 4_000;
    private static final int FEW_DOORBELLS = 16;

    /** A doorbell and the send status beside it. */
    private static final class Doorbell {
        byte[] buffer;
        int offset;
        int bytes;
        int node;
        int queue;
        int sourceQueue;
        int status = IDLE;
        int tries;
        int mostTries;
        /** When it is given up; {@link Long#MAX_VALUE} for never. */
        long untilNs;
        boolean unsent;
        /** Whether the message is at its receiver, or on its way there. */
        boolean underWay;
        long dueNs;
        boolean handedOut;

        boolean isLate(long nowNs) {
            return untilNs != Long.MAX_VALUE && untilNs - nowNs <= 0;
        }
    }

    private final Peers peers;
    private final ControlFrames control;
    private final Runnable addChore;
    /** Grows up to {@link #mostDoorbells}: most ranks of a job send no datagrams. */
    private Doorbell[] doorbells = new Doorbell[0];
    private final int mostDoorbells;
    private final int maxBytes;
    private final Map<Integer, ReceiveQueue> queues = new HashMap<>();
    private final List<Integer> retries = new ArrayList<>();
    private final List<Alarm> alarms = new ArrayList<>();
    private final RecentPeers recent;
    /** For messages of this rank to itself; null before the first. */
    private MemorySegment scratch;
    private int nextFree;
    private int nextQueue = 1 << 16;
    private long arrivals;

    public Datagrams(int doorbells, int maxPayload, Peers peers, ControlFrames control, Runnable addChore) {
        this.peers = peers;
        this.control = control;
        this.addChore = addChore;
        this.recent = new RecentPeers(peers);
        this.mostDoorbells = doorbells;
        this.maxBytes = maxPayload - SOURCE;
    }

    /** Largest datagram. */
    public int maxBytes() {
        return maxBytes;
    }

    /** A doorbell of the caller's own, or {@link Code#NO_DOORBELL}. */
    public int allocate() {
        for (int n = 0; n < doorbells.length; n++) {
            int i = (nextFree + n) % doorbells.length;
            if (!doorbells[i].handedOut) {
                return handOut(i);
            }
        }
        int before = doorbells.length;
        if (before == mostDoorbells) {
            return Code.NO_DOORBELL;
        }
        doorbells = Arrays.copyOf(doorbells, Math.min(mostDoorbells, Math.max(FEW_DOORBELLS, 2 * before)));
        for (int i = before; i < doorbells.length; i++) {
            doorbells[i] = new Doorbell();
        }
        return handOut(before);
    }

    private int handOut(int doorbell) {
        doorbells[doorbell].handedOut = true;
        doorbells[doorbell].status = IDLE;
        limit(doorbell, TRIES, Long.MAX_VALUE);
        nextFree = doorbell + 1;
        return doorbell;
    }

    /**
     * Bounds the next messages of a doorbell.
     *
     * @param tries how often a message is sent again that a full queue has refused
     * @param untilNs when it is given up instead; {@link Long#MAX_VALUE} for never
     */
    public void limit(int doorbell, int tries, long untilNs) {
        doorbells[doorbell].mostTries = tries;
        doorbells[doorbell].untilNs = untilNs;
    }

    /** Gives a doorbell back; refused while its message is pending. */
    public boolean free(int doorbell) {
        if (doorbells[doorbell].status == PENDING) {
            return false;
        }
        doorbells[doorbell].handedOut = false;
        doorbells[doorbell].buffer = null;
        return true;
    }

    /** Starts a message. The buffer belongs to the device until the status is no longer {@link #PENDING}. */
    public void ring(int doorbell, byte[] buffer, int offset, int bytes, int node, int queue, int sourceQueue) {
        Doorbell bell = doorbells[doorbell];
        assert bell.handedOut && bell.status != PENDING;
        bell.buffer = buffer;
        bell.offset = offset;
        bell.bytes = bytes;
        bell.node = node;
        bell.queue = queue;
        bell.sourceQueue = sourceQueue;
        bell.tries = 0;
        bell.dueNs = Long.MIN_VALUE;
        bell.status = PENDING;
        peers.counts().datagramsSent++;
        transmit(doorbell);
    }

    /** {@link #IDLE}, {@link #PENDING}, {@link Code#OK} or an error code. */
    public int status(int doorbell) {
        return doorbells[doorbell].status;
    }

    /** How often the last message was sent again because its queue was full. */
    public int tries(int doorbell) {
        return doorbells[doorbell].tries;
    }

    /** Sets an alarm for a wait, which {@link #progress} rings; it is {@link #cancel cancelled} after the wait. */
    public Alarm alarm(long dueNs) {
        Alarm alarm = new Alarm(dueNs);
        alarms.add(alarm);
        addChore.run();
        return alarm;
    }

    public void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    /** Opens a queue; a negative id picks a free one. Null if the id is in use. */
    public ReceiveQueue open(int id, int entries, int entryBytes) {
        int chosen = id;
        if (chosen < 0) {
            do {
                chosen = nextQueue++;
            } while (queues.containsKey(chosen));
        } else if (queues.containsKey(chosen)) {
            return null;
        }
        ReceiveQueue queue = new ReceiveQueue(chosen, entries, entryBytes);
        queues.put(chosen, queue);
        return queue;
    }

    public void close(ReceiveQueue queue) {
        queues.remove(queue.id());
    }

    /** Messages that will be sent again, and alarms that have not rung. */
    public int waiting() {
        return retries.size() + alarms.size();
    }

    private void retry(int doorbell) {
        retries.add(doorbell);
        addChore.run();
    }

    /** How many peers the device keeps something for. */
    public int knownPeers() {
        return peers.known();
    }

    /** Gives back what is kept for peers without datagrams for some seconds. */
    public void advance(long nowNs) {
        recent.advance(nowNs);
    }

    /** Sends again what is due; returns how much. */
    public int progress(long nowNs) {
        int work = 0;
        for (int i = retries.size() - 1; i >= 0; i--) {
            Doorbell bell = doorbells[retries.get(i)];
            if (bell.isLate(nowNs)) {
                end(bell, Code.QUEUE_FULL);
                retries.remove(i);
                work++;
            } else if (bell.dueNs == Long.MIN_VALUE && !bell.unsent) {
                bell.dueNs = nowNs + pause(bell.tries);
            } else if (bell.unsent || bell.dueNs - nowNs <= 0) {
                int doorbell = retries.remove(i);
                work += transmit(doorbell) ? 1 : 0;
            }
        }
        return alarms.isEmpty() ? work : work + ringAlarms(nowNs);
    }

    private int ringAlarms(long nowNs) {
        int before = alarms.size();
        alarms.removeIf(alarm -> {
            boolean isDue = alarm.dueNs - nowNs <= 0;
            if (isDue) {
                alarm.ring();
            }
            return isDue;
        });
        return before - alarms.size();
    }

    /**
     * When the next message is sent again or given up, or an alarm rings, because its time has come; {@link
     * Long#MAX_VALUE} if there is none.
     */
    public long dueNs() {
        long due = Long.MAX_VALUE;
        for (int i = 0; i < retries.size(); i++) {
            Doorbell bell = doorbells[retries.get(i)];
            due = Math.min(due, bell.unsent ? bell.untilNs : Math.min(bell.dueNs, bell.untilNs));
        }
        for (int i = 0; i < alarms.size(); i++) {
            due = Math.min(due, alarms.get(i).dueNs);
        }
        return due;
    }

    private static long pause(int tries) {
        return Math.min(LONGEST_PAUSE_NS, FIRST_PAUSE_NS << Math.min(tries, 20));
    }

    /** False if there was no room to send it. */
    private boolean transmit(int doorbell) {
        Doorbell bell = doorbells[doorbell];
        bell.unsent = false;
        bell.underWay = true;
        if (bell.node == peers.self()) {
            scratch = scratch == null ? Arena.ofAuto().allocate(maxBytes, 8) : scratch;
            Copy.out(bell.buffer, bell.offset, scratch, 0, bell.bytes);
            answered(doorbell, deposit(bell.queue, bell.node, bell.sourceQueue, scratch, 0, bell.bytes));
            return true;
        }
        Peer peer = peers.get(bell.node);
        Outlet outlet = peer.outlet();
        recent.add(bell.node);
        long at = outlet.claim(SOURCE + bell.bytes);
        if (at < 0 && peer.isLost()) {
            answered(doorbell, Code.PEER_DEAD);
            return true;
        }
        if (at < 0) {
            bell.unsent = true;
            bell.underWay = false;
            retry(doorbell);
            return false;
        }
        Words.store(outlet.memory(), at, bell.sourceQueue);
        Copy.out(bell.buffer, bell.offset, outlet.memory(), at + SOURCE, bell.bytes);
        outlet.commit(
                at, SOURCE + bell.bytes, Frame.meta(Frame.DATAGRAM, 0), Frame.header(bell.queue, doorbell));
        peer.counts().sent(SOURCE + bell.bytes);
        return true;
    }

    /** Puts a message into its queue and answers its sender. */
    public void arrived(Peer from, long header, MemorySegment memory, long payload, int payloadBytes) {
        int source = (int) Words.load(memory, payload);
        recent.add(from.rank());
        int code = deposit(Frame.high(header), from.rank(), source, memory, payload + SOURCE, payloadBytes - SOURCE);
        control.send(from, Frame.DATAGRAM_STATUS, Frame.header(Frame.low(header), code));
    }

    private int deposit(int queueId, int node, int sourceQueue, MemorySegment memory, long payload, int bytes) {
        ReceiveQueue queue = queues.get(queueId);
        int code = queue == null ? Code.UNKNOWN_QUEUE
                : queue.deposit(node, sourceQueue, memory, payload, bytes, arrivals++);
        peers.counts().deposited(code == Code.OK);
        return code;
    }

    /** Ends what is under way to a lost peer. */
    public void lose(int node) {
        for (int i = 0; i < doorbells.length; i++) {
            if (doorbells[i].status == PENDING && doorbells[i].node == node) {
                retries.remove((Integer) i);
                answered(i, Code.PEER_DEAD);
            }
        }
    }

    /** The receiver has answered, with a {@link Code}. */
    public void answered(int node, int doorbell, int code) {
        Doorbell bell = doorbell >= 0 && doorbell < doorbells.length ? doorbells[doorbell] : null;
        if (bell == null || bell.status != PENDING || bell.node != node || !bell.underWay) {
            throw new Violation("doorbell " + doorbell + " has no message to it under way");
        }
        if (code != Code.OK && code != Code.QUEUE_FULL && code != Code.UNKNOWN_QUEUE && code != Code.BAD_SIZE) {
            throw new Violation("status " + code);
        }
        answered(doorbell, code);
    }

    private void answered(int doorbell, int code) {
        Doorbell bell = doorbells[doorbell];
        bell.underWay = false;
        if (code == Code.QUEUE_FULL && bell.tries < bell.mostTries) {
            bell.tries++;
            bell.dueNs = Long.MIN_VALUE;
            retry(doorbell);
        } else {
            end(bell, code);
        }
    }

    private static void end(Doorbell bell, int code) {
        bell.status = code;
        bell.buffer = null;
        bell.unsent = false;
    }
}
