package io.rankwire.fabric.ofi;

import io.rankwire.fabric.Outlet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A rank that this one has spoken with: the messages to it, and what is known of those from it. */
final class OfiPeer implements Outlet {
    /** Messages, and bytes, that may be here or under way before the peer has said that it has taken them. */
    static final int WINDOW = 64;
    private static final long WINDOW_BYTES = 2 << 20;
    /** Messages of the port itself may be a few more. */
    private static final int OWN = 16;
    private static final int NONE = -1;
    static final int NUMBERS = 4 * WINDOW;

    final int rank;
    private final OfiPort port;
    /** The number of its address; known before anything is sent. */
    final long address;
    final long tokenTo;
    final long tokenFrom;

    /** The message that frames are added to, and those behind each other that wait to be posted. */
    Slot open;
    Slot head;
    private Slot tail;
    private int waiting;
    private long waitingBytes;

    /** Messages that were posted, and those that the peer has taken; both count on and on. */
    int sent;
    int acknowledged;
    /** The first number behind the last message that wants an answer. */
    private int wantsAnswer;
    /** The bytes of all messages up to a number. */
    private final long[] ends = new long[NUMBERS];
    private long sentBytes;
    private long acknowledgedBytes;

    /** Messages of the peer that were taken, and how many of these it knows of; whether, and how much, it waits. */
    int received;
    int reported;
    int owedMessages;
    long owedBytes;
    boolean owed;
    boolean wasOwed;
    /** Whether it is on the list of those that may wait. */
    boolean isListed;

    /** Messages that have come ahead of others, by their numbers; made at first use. */
    private int[] kept;
    private int keptCount;
    private int next = NONE;

    /** When something was heard of it last, and why it cannot be reached since when, by the clock of the port. */
    long heard;
    String failure;
    long failedAt;
    /** What the library said when it took nothing. */
    int refusal;

    /** The last pass over frames with tags in which one to it had to wait. */
    int tagsHeldIn;
    boolean isDirty;
    boolean isHeld;
    boolean isLost;
    boolean isDeparted;
    int burst;
    /** Frames that were handed up in one poll, and which that was. */
    int delivered;
    int deliveredIn;
    boolean isBusy;
    /** The last message was filled: a larger one may pay. */
    private boolean isFilling;

    /** Writes to the peer that were started, and records of the port that wait for room. */
    long writes;
    final Errands errands;

    OfiPeer(int rank, OfiPort port, long address, long tokenTo, long tokenFrom) {
        this.rank = rank;
        this.port = port;
        this.address = address;
        this.tokenTo = tokenTo;
        this.tokenFrom = tokenFrom;
        this.errands = new Errands(this);
    }

    boolean isGone() {
        return isLost || isDeparted;
    }

    @Override
    public MemorySegment memory() {
        return Raw.ALL;
    }

    @Override
    public long claim(int payloadBytes) {
        return claim(payloadBytes, 0);
    }

    /** As {@link #claim(int)}, with a few messages more than the window allows. */
    long claimOwn(int payloadBytes) {
        return claim(payloadBytes, OWN);
    }

    private long claim(int payloadBytes, int more) {
        port.claims(this);
        if (isLost || payloadBytes > Message.MOST_PAYLOAD) {
            return FULL;
        }
        if (open != null && !open.fits(payloadBytes)) {
            if (open.isEmpty()) {
                port.slots().give(open);
                open = null;
            } else if (isRoomAfterOpen(payloadBytes, more)) {
                isFilling = true;
                seal();
                port.post(this);
            } else {
                return FULL;
            }
        }
        if (open == null) {
            if (!isRoom(payloadBytes, more)) {
                return FULL;
            }
            open = port.slots().take(payloadBytes, isFilling);
            if (open == null) {
                return FULL;
            }
        }
        return open.address + open.used + Message.RECORD;
    }

    private boolean isRoomAfterOpen(int payloadBytes, int more) {
        return waiting + 1 + sent - acknowledged < WINDOW + more
                && open.used + Message.size(payloadBytes) + waitingBytes + sentBytes - acknowledgedBytes
                        <= WINDOW_BYTES;
    }

    private boolean isRoom(int payloadBytes, int more) {
        long bytes = waitingBytes + sentBytes - acknowledgedBytes;
        return waiting + sent - acknowledged < WINDOW + more
                && (more > 0 || bytes == 0 || bytes + Message.size(payloadBytes) <= WINDOW_BYTES);
    }

    @Override
    public void commit(long at, int payloadBytes, int meta, long header) {
        add(at, payloadBytes, meta, header);
        port.committed(this);
    }

    void add(long at, int payloadBytes, int meta, long header) {
        Raw.word(at - Message.RECORD, Message.word(payloadBytes, meta));
        Raw.word(at - Message.HEADER, header);
        open.used += Message.size(payloadBytes);
        open.fence = writes;
    }

    @Override
    public void hold() {
        isHeld = true;
    }

    @Override
    public void release() {
        isHeld = false;
        port.released(this);
    }

    /** The open message is complete. */
    void seal() {
        Slot slot = open;
        open = null;
        if (tail == null) {
            head = slot;
        } else {
            tail.next = slot;
        }
        tail = slot;
        waiting++;
        waitingBytes += slot.used;
    }

    /** Removes the first message that waits. */
    Slot removeFirst() {
        Slot slot = head;
        head = slot.next;
        slot.next = null;
        if (head == null) {
            tail = null;
            isFilling = false;
        }
        waiting--;
        waitingBytes -= slot.used;
        return slot;
    }

    /** Whether one more message can be numbered. */
    boolean canNumber() {
        return sent - acknowledged < NUMBERS;
    }

    /** A message with this many bytes was posted. */
    void posted(int bytes, boolean hasRecords) {
        sentBytes += bytes;
        ends[sent & NUMBERS - 1] = sentBytes;
        sent++;
        if (hasRecords) {
            wantsAnswer = sent;
        }
        reported = received;
        owed = false;
        owedMessages = 0;
        owedBytes = 0;
    }

    /** The peer says how many messages it has taken; false if that cannot be. */
    boolean acknowledge(int taken) {
        int more = taken - acknowledged;
        if (more < 0 || more > sent - acknowledged) {
            return false;
        }
        if (more > 0) {
            acknowledged = taken;
            acknowledgedBytes = ends[taken - 1 & NUMBERS - 1];
        }
        return true;
    }

    /** Whether it has something of this rank, or is to get it, and has not said that it has taken it. */
    boolean isAwaited() {
        return head != null || wantsAnswer - acknowledged > 0 || failure != null;
    }

    /** Whether it waits for an answer so much that it may stop to send. */
    boolean isOwedMuch(int divisor) {
        return owedMessages >= WINDOW / divisor || owedBytes >= WINDOW_BYTES / divisor;
    }

    /** Keeps a message that has come; false if it was here before. */
    boolean keep(int ahead, int message) {
        if (ahead == 0) {
            boolean isNew = next == NONE;
            next = isNew ? message : next;
            return isNew;
        }
        if (kept == null) {
            kept = new int[NUMBERS];
            Arrays.fill(kept, NONE);
        }
        int at = received + ahead & NUMBERS - 1;
        if (kept[at] != NONE) {
            return false;
        }
        kept[at] = message;
        keptCount++;
        return true;
    }

    /** Takes the next message in order, or -1 if it has not come. */
    int takeNext() {
        int taken = next;
        next = NONE;
        if (taken == NONE && keptCount > 0) {
            int at = received & NUMBERS - 1;
            taken = kept[at];
            kept[at] = NONE;
            keptCount -= taken == NONE ? 0 : 1;
        }
        return taken;
    }

    void dropKept(Inbox inbox) {
        for (int i = 0; keptCount > 0 && i < NUMBERS; i++) {
            if (kept[i] != NONE) {
                inbox.give(kept[i]);
                kept[i] = NONE;
                keptCount--;
            }
        }
    }

    /** Nothing more is expected of it. */
    void forgive() {
        acknowledged = sent;
        acknowledgedBytes = sentBytes;
        wantsAnswer = sent;
        failure = null;
        owed = false;
        errands.clear();
    }

    /** Gives back all that waits: the peer reads nothing any more. */
    void drop(Slots slots) {
        while (head != null) {
            slots.give(removeFirst());
        }
        if (open != null) {
            slots.give(open);
            open = null;
        }
    }
}
