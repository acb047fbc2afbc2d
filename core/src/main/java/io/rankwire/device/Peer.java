package io.rankwire.device;

import io.rankwire.device.transfer.PeerTransfers;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import java.util.Arrays;

/** What a device knows of one peer. */
public final class Peer {
    /** The bytes of most messages; only what others have beyond is added up. */
    static final int USUAL = 8;
    private static final int CONTROL = 5;
    private static final int FEW_CONTROLS = 8 * CONTROL;

    final int rank;
    /** What the device counts. */
    final Counts counts;
    /** Null for this rank itself; leads nowhere once the peer is lost. */
    Outlet outlet;
    /** Ways through the network's matcher; null unless the peer has invited to it. */
    TaggedWays tagged;
    /** Messages of the peer that came through the network's matcher, and how many of these the peer knows of. */
    long tagsTaken;
    long tagsReported;
    /** Why it is lost, or null. */
    PeerLost lost;

    /** Most bytes of a message to the peer that goes whole. */
    final int eagerBytes;

    // sending: units used and allowed, counted from the start
    long used;
    /** Whole messages that were sent, and their bytes beyond {@link #USUAL}. */
    long wholeSent;
    long moreSent;
    long allowed;
    /** As far as whole messages may go; the rest is for announcements. */
    long allowedEager;
    private final long reserve;
    /** More credit has been asked for, and not answered. */
    boolean asked;
    /** The answer was no; small messages are announced until there is more. */
    boolean denied;
    /** The limit at which HOLDING was last sent: messages are kept for want of credit. */
    private long heldAt = -1;
    /** What is kept, once the peer has asked for some of it; else null. */
    Backlog backlog;

    // receiving: units that were given back, and how many the peer may have used
    long returned;
    /** Whole messages that found a receive when they came, and their bytes beyond {@link #USUAL}. */
    long wholeMet;
    long moreMet;
    long quota;
    long granted;
    /** Units of the messages that are here and were not given back. */
    long held;
    /** Units given back at which the peer gets a new limit. */
    long grantAt;
    /** Messages that {@link Admission} has accepted, and whether the next one was refused and has not come again. */
    long accepted;
    boolean isRefused;
    /** Messages that the peer has not accepted, where it may refuse them; else null. */
    Attempts.Line line;
    /** What is known of the messages that the peer keeps for want of credit; null if it keeps none. */
    Holder holder;

    /** Sends that wait for room or credit, in order. */
    Operation firstPending;
    Operation lastPending;
    private final PeerTransfers transfers;
    /** On the list of {@link BusyPeers}. */
    boolean busy;

    /** Control frames that found no room: kind, header and three words of payload of each. */
    private long[] control = new long[0];
    private int controlFrom;
    private int controlTo;

    Peer(int rank, Outlet outlet, long quota, int eagerBytes, PeerTransfers transfers, Counts counts) {
        this.rank = rank;
        this.counts = counts;
        this.outlet = outlet;
        this.quota = quota;
        this.eagerBytes = eagerBytes;
        this.transfers = transfers;
        this.reserve = quota >>> 2;
        allow(quota);
        this.granted = quota;
        this.grantAt = quota >>> 2;
    }

    public int rank() {
        return rank;
    }

    /** What the device counts. */
    public Counts counts() {
        return counts;
    }

    /** Whole messages of this many bytes each have come and met receives. */
    void met(int messages, int bytes) {
        wholeMet += messages;
        if (bytes != USUAL) {
            moreMet += (long) messages * (bytes - USUAL);
        }
    }

    /** The way to the peer; null for this rank itself, always full once the peer is lost. */
    public Outlet outlet() {
        return outlet;
    }

    /** The way of messages of a context to the peer. */
    public Outlet outlet(int context) {
        return tagged == null ? outlet : tagged.outlet(context);
    }

    public boolean isLost() {
        return lost != null;
    }

    public PeerTransfers transfers() {
        return transfers;
    }

    /** The peer may refuse messages, which so never go without an operation. */
    void mayRefuse() {
        allowedEager = Long.MIN_VALUE;
    }

    /** Whether the peer's credit covers this number of units. */
    public boolean hasCredit(long units) {
        return used + units <= allowedEager;
    }

    /** Counts units of the peer's credit as used. */
    public void use(long units) {
        used += units;
    }

    private void allow(long units) {
        allowed = units;
        allowedEager = units - reserve;
    }

    /** The receiver grants a limit; it never takes back what it gave. */
    void credited(long limit) {
        if (limit < 0) {
            throw new Violation("a limit of " + limit + " units");
        }
        denied = asked && limit <= allowed;
        asked = false;
        if (limit > allowed) {
            allow(limit);
            if (backlog != null && backlog.clearWants()) {
                backlog = null;
            }
        }
    }

    /** Whether HOLDING is to be sent at the present limit; true once for each. */
    boolean beginsHolding() {
        boolean begins = heldAt != allowed;
        heldAt = allowed;
        return begins;
    }

    /** Whether the peer knows that messages are kept for want of credit. */
    boolean isHolding() {
        return heldAt == allowed;
    }

    /** Takes away all credit and makes the way full: what is sent fails where it would have to wait. */
    void lose(PeerLost why, Outlet nowhere) {
        lost = why;
        outlet = nowhere;
        tagged = null;
        allowed = Long.MIN_VALUE;
        allowedEager = Long.MIN_VALUE;
        controlFrom = 0;
        controlTo = 0;
        control = new long[0];
    }

    /** Whether no message was ever exchanged with the peer, and nothing waits to be sent to it. */
    boolean isAsNew(long firstQuota) {
        boolean hasSent = used != 0 || allowed != firstQuota || asked || heldAt >= 0;
        boolean hasReceived = returned != 0 || held != 0 || granted != firstQuota || holder != null;
        return !hasSent && !hasReceived && !hasWork() && !busy && lost == null && tagged == null;
    }

    boolean hasWork() {
        return firstPending != null || transfers.hasWork() || transfers.isLending() || hasControl();
    }

    boolean hasControl() {
        return controlFrom != controlTo;
    }

    void addControl(long kind, long header, long first, long second, long third) {
        if (controlTo + CONTROL > control.length) {
            int live = controlTo - controlFrom;
            long[] room = live + CONTROL > control.length / 2
                    ? new long[Math.max(FEW_CONTROLS, 2 * control.length)] : control;
            System.arraycopy(control, controlFrom, room, 0, live);
            control = room;
            controlFrom = 0;
            controlTo = live;
        }
        control[controlTo++] = kind;
        control[controlTo++] = header;
        control[controlTo++] = first;
        control[controlTo++] = second;
        control[controlTo++] = third;
    }

    long controlWord(int i) {
        return control[controlFrom + i];
    }

    void dropControl() {
        controlFrom += CONTROL;
        if (controlFrom == controlTo) {
            controlFrom = 0;
            controlTo = 0;
            if (control.length > 1024) {
                control = Arrays.copyOf(control, FEW_CONTROLS);
            }
        }
    }

    /** Adds a send to the line: before less urgent ones of other contexts, behind all others. */
    void addPending(Operation operation) {
        Operation before = firstPending == null ? null : lastPending;
        while (before != null && before.priority > operation.priority && before.context != operation.context) {
            before = before.previous;
        }
        Operation after = before == null ? firstPending : before.next;
        operation.previous = before;
        operation.next = after;
        if (before == null) {
            firstPending = operation;
        } else {
            before.next = operation;
        }
        if (after == null) {
            lastPending = operation;
        } else {
            after.previous = operation;
        }
        if (backlog != null) {
            backlog.add(operation);
        }
    }

    /** Whether a send waits in the line. */
    boolean isPending(Operation operation) {
        return operation == firstPending || operation.previous != null;
    }

    /** An offered message leaves the line: the peer has taken it, or it is over. */
    public void leaveLine(Operation operation) {
        operation.sending().offered = false;
        removePending(operation);
    }

    /** Takes a send that waits out of the line. */
    void removePending(Operation operation) {
        if (backlog != null) {
            backlog.remove(operation);
            backlog = backlog.isEmpty() ? null : backlog;
        }
        Operation before = operation.previous;
        Operation after = operation.next;
        if (before == null) {
            firstPending = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            lastPending = before;
        } else {
            after.previous = before;
        }
        operation.previous = null;
        operation.next = null;
    }
}
