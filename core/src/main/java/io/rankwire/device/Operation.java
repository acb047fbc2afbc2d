package io.rankwire.device;

import io.rankwire.device.match.UnexpectedBuffer;
import io.rankwire.device.transfer.ReceiveTransfer;
import io.rankwire.device.transfer.SendTransfer;
import io.rankwire.type.Combining;
import io.rankwire.type.Copy;
import io.rankwire.type.ElementType;
import io.rankwire.type.Growing;
import io.rankwire.wire.Id;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * One send or receive under way. Operations are pooled by the device; the index names one in frames and headers. All
 * fields belong to the thread that drives the device, except the state, which other threads may read.
 */
public final class Operation implements BooleanSupplier {
    static final int FREE = 0;
    static final int ACTIVE = 1;
    static final int DONE = 2;

    /** How a send asks to be completed. */
    public enum Mode { STANDARD, SYNCHRONOUS, BUFFERED, READY }

    /**
     * Buffer of a receive that stands for receives that are not enabled: together with the type {@link
     * ElementType#OBJECT} no message fits it, and each gets {@link Code#NOT_ENABLED}.
     */
    public static final Object NOT_ENABLED = new byte[0];

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int index;
    /** Names the operation in frames, see {@link Id}. */
    private int id;
    private int ids;
    private int state;
    private boolean unreported;
    /** The line of the program that has started it, if it is to be kept; else empty. */
    private String line = "";

    // what was asked for
    Object buffer;
    long offset;
    long bytes;
    int elementType;
    int context;
    int peer;
    int tag;
    boolean receive;
    Mode mode;

    // what came of it
    int code;
    /** Match word of the message that was met. */
    long metWord;
    /** Its bytes and, in the lowest eight bits, its element type. */
    long metSize;

    /** Made at the first send, or the first receive, that needs it, and kept. */
    private SendTransfer sending;
    private ReceiveTransfer receiving;
    /** A buffered send whose bytes and release are the device's. */
    boolean heldBuffer;

    // its places
    int entry;
    /** The sends before and behind it that wait for the same peer, and the next of them with its context and tag. */
    Operation previous;
    Operation next;
    Operation alike;

    /** How urgent a send is, see {@link Priorities}. */
    int priority;

    /** Where the end of the operation is noted, and its place there; null if nowhere. */
    private EndListener notes;
    private int place;

    Operation(int index) {
        this.index = index;
        this.id = Id.of(index, 0);
    }

    /** The operation's place among all of the device. */
    public int index() {
        return index;
    }

    /** Gives the operation a new name in frames: from now on the one before names nothing. */
    public int rename() {
        id = Id.of(index, ++ids);
        return id;
    }

    /** The name that {@link #rename} gave last. */
    public int id() {
        return id;
    }

    public boolean isDone() {
        return (int) STATE.getAcquire(this) == DONE;
    }

    @Override
    public boolean getAsBoolean() {
        return isDone();
    }

    boolean active() {
        return state == ACTIVE;
    }

    void begin() {
        state = ACTIVE;
    }

    void beginSend(Mode sendMode) {
        receive = false;
        mode = sendMode;
        code = Code.OK;
        if (sending != null) {
            sending.reset();
        }
    }

    void beginReceive() {
        receive = true;
        code = Code.OK;
    }

    /** Ends the operation with a {@link Code}. For the device's parts alone. */
    public void finish(int how) {
        assert state == ACTIVE : state;
        code = buffer == Copy.NOWHERE && how != Code.CANCELLED ? Code.MEMORY_ENDED : how;
        STATE.setRelease(this, DONE);
        EndListener to = notes;
        if (to != null) {
            notes = null;
            to.ended(place);
        }
    }

    /** Has the end of this operation, which is under way, noted; null for no longer. For the device's parts alone. */
    public void noteEnd(EndListener by, int at) {
        if (notes != by) {
            notes = by;
        }
        place = at;
    }

    void release() {
        assert state == DONE : state;
        state = FREE;
        unreported = false;
        heldBuffer = false;
        if (bytes > 4096) {
            buffer = null;
        }
    }

    /** Reads what the message that the receive meets will need. */
    long touch() {
        Object to = buffer;
        return metWord + state + (to instanceof byte[] bytes && bytes.length > offset ? bytes[(int) offset] : 0);
    }

    /** Copies what has come into the buffer. If its memory has ended, the operation ends with that code later. */
    public void take(MemorySegment from, long fromByte, long at, int length) {
        try {
            Copy.in(from, fromByte, buffer, offset + at, length);
        } catch (IllegalStateException e) {
            checkEnded(e);
        }
    }

    /** Copies a payload that was stored into the buffer. */
    public void take(UnexpectedBuffer payloads, int reference, long at, int length) {
        if (length == 0) {
            return;
        }
        if (payloads.spilled(reference)) {
            take(MemorySegment.ofArray(payloads.spill(reference)), 0, at, length);
            return;
        }
        int step = payloads.fragmentBytes();
        int done = 0;
        for (int f = reference; done < length; f = payloads.next(f), done += step) {
            take(payloads.memory(), payloads.offset(f), at + done, Math.min(step, length - done));
        }
    }

    /**
     * The receive has met a message: notes its source, tag, size and type, and makes room for it in a buffer that
     * grows. Returns {@link Code#OK}, or why the message does not fit.
     */
    public int meet(long word, int type, long length) {
        metWord = word;
        metSize = length << 8 | type;
        if (type != elementType && !accepts(type, length)) {
            return buffer == NOT_ENABLED ? Code.NOT_ENABLED : Code.TYPE_MISMATCH;
        }
        return length > bytes ? grow(length) : Code.OK;
    }

    /** Raw memory meets every type, if it is a whole number of its elements. */
    private boolean accepts(int type, long length) {
        return ElementType.compatible(type, elementType) && length % ElementType.of(elementType).bytes() == 0;
    }

    private int grow(long length) {
        if (!(buffer instanceof Growing growing)) {
            return Code.TRUNCATED;
        }
        buffer = growing.make(length);
        offset = 0;
        bytes = buffer == null ? 0 : length;
        return buffer == null ? Code.TRUNCATED : Code.OK;
    }

    /** After a copy from or to the buffer has failed: notes that its memory has ended, or throws the failure again. */
    public void checkEnded(IllegalStateException failure) {
        if (!Copy.hasEnded(buffer)) {
            throw failure;
        }
        memoryIsGone();
    }

    /** The memory of the buffer has ended: the operation ends with that code. */
    public void memoryIsGone() {
        buffer = Copy.NOWHERE;
    }

    /** Whether the memory of the buffer is known to have ended. */
    public boolean hasEnded() {
        return buffer == Copy.NOWHERE;
    }

    /** The send will end as refused: its receiver takes nothing, and has room for so many bytes. */
    public void refusedWith(int why, long room) {
        metWord = why;
        metSize = room << 8;
        code = Code.REFUSED;
    }

    /** Why the receiver of this send has refused the message, a {@link Code}; its room is {@link #matchedBytes}. */
    public int refusal() {
        return (int) metWord;
    }

    /** Sets the code that the operation will end with. For the device's parts alone. */
    public void endsWith(int how) {
        code = how;
    }

    /** The state of a send that was announced, or is going to be. */
    public SendTransfer sending() {
        if (sending == null) {
            sending = new SendTransfer(this);
        }
        return sending;
    }

    /** The state of a receive that has met an announced message. */
    public ReceiveTransfer receiving() {
        if (receiving == null) {
            receiving = new ReceiveTransfer();
        }
        return receiving;
    }

    /** Whether the network may still write into the buffer of the receive. */
    boolean isBeingRead() {
        return receiving != null && receiving.isBeingRead();
    }

    /** Whether it is a buffered send that is not done yet: the device holds it, and also releases it. */
    public boolean isHeldByDevice() {
        return heldBuffer;
    }

    /** Whether the receiver of this send knows of it, and the receiver's answer ends it. */
    boolean isAnnounced() {
        return sending != null && sending.announced;
    }

    boolean isOffered() {
        return sending != null && sending.offered;
    }

    boolean isCancelling() {
        return sending != null && sending.cancelling;
    }

    /** A {@link Code}. */
    public int code() {
        return code;
    }

    void fill(int ofContext, int with, int ofTag, Object inBuffer, long at, long length, int type) {
        if (buffer != inBuffer) {
            buffer = inBuffer;
        }
        offset = at;
        bytes = length;
        elementType = type;
        context = ofContext;
        peer = with;
        tag = ofTag;
    }

    /** What combines the message with what is there, or null. */
    public Combining combining() {
        return buffer instanceof Combining combining ? combining : null;
    }

    /** The memory that the operation copies from or to. */
    public Object buffer() {
        return buffer;
    }

    /** No caller waits for the operation any more, and it could not be withdrawn: it goes on without its memory. */
    public void abandon() {
        unreported = true;
        memoryIsGone();
    }

    /** A call waits for the operation, or did: it is no request that the program forgot. */
    public void keepOutOfReports() {
        unreported = true;
    }

    /** The operation is done, and the memory of its buffer turns out to have ended. */
    public void memoryEnded() {
        code = Code.MEMORY_ENDED;
    }

    public boolean isKeptOutOfReports() {
        return unreported;
    }

    public int priority() {
        return priority;
    }

    /** Bytes that have not been moved, as far as this rank knows; all of them until a message goes in parts. */
    public long bytesLeft() {
        if (isDone()) {
            return 0;
        }
        boolean isInParts = receive ? receiving != null && receiving.isOpen() : isAnnounced() && !sending.whole;
        return Math.max(0, !isInParts ? bytes : receive ? receiving.left() : sending.left());
    }

    public boolean isReceive() {
        return receive;
    }

    /** Whether the operation is a receive that went well. */
    public boolean isReceived() {
        return receive && code == Code.OK;
    }

    public Mode mode() {
        return mode;
    }

    /** The peer that was named: a world rank, or any. */
    public int peer() {
        return peer;
    }

    /** Keeps the line of the program that has started the operation. */
    public void line(String found) {
        line = found;
    }

    /** The line of the program that has started the operation, as {@code " at Ring.java:12"}; empty if unknown. */
    public String line() {
        return line;
    }

    public int tag() {
        return tag;
    }

    public int context() {
        return context;
    }

    /** Where the operation's bytes begin in the buffer. */
    public long offset() {
        return offset;
    }

    /** Bytes of the buffer. */
    public long bytes() {
        return bytes;
    }

    /** The same of a receive; 0 if it makes room when it meets its message. */
    public long room() {
        return Math.max(0, bytes);
    }

    public int elementType() {
        return elementType;
    }

    /** Source and tag of the message that was met, as one word. */
    public long metWord() {
        return metWord;
    }

    /** Bytes and element type of the message that was met, as one word. */
    public long metSize() {
        return metSize;
    }

    public int source() {
        return MatchWord.source(metWord);
    }

    public int matchedTag() {
        return MatchWord.tag(metWord);
    }

    public int matchedType() {
        return (int) metSize & 0xFF;
    }

    /** Size of the message that was met, also when it did not fit. */
    public long matchedBytes() {
        return metSize >>> 8;
    }
}
