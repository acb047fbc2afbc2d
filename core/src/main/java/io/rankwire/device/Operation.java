package io.rankwire.device;

import io.rankwire.type.Combining;
import io.rankwire.type.Copy;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * One send or receive under way. Operations are pooled by the device; the index names one in frames and headers. All
 * fields belong to the thread that drives the device, except the state, which others may look at.
 */
public final class Operation implements BooleanSupplier {
    static final int FREE = 0;
    static final int ACTIVE = 1;
    static final int DONE = 2;

    /** How a send asks to be completed. */
    public enum Mode { STANDARD, SYNCHRONOUS, BUFFERED, READY }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int index;
    private int state;
    private boolean unreported;

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

    // the transfer of a large message
    /** What the receiver of an announced message has answered, see {@link SendTransfers}. */
    int answer;
    /** Bytes the receiver wants. */
    long wanted;
    /** Where the receiver wants them, if the sender may put them there itself. */
    long place;
    long placeOffset;
    /** Bytes a receive has got. */
    long moved;
    int remoteId;
    boolean announced;
    /** Announced, and known to have found no receive. */
    boolean pending;
    boolean cancelling;
    /** Made at the first large send of this operation, and kept. */
    SendTransfer transfer;
    boolean heldBuffer;
    /** Announced ahead of its turn, and not answered; see {@link Backlog}. */
    boolean offered;
    /** Offered as the first of its context. */
    boolean foremost;

    // its places
    int entry;
    /** The sends before and behind it that wait for the same peer, and the next of them with its context and tag. */
    Operation previous;
    Operation next;
    Operation alike;

    Operation(int index) {
        this.index = index;
    }

    /** Names it in frames. */
    public int index() {
        return index;
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
        answer = SendTransfers.UNANSWERED;
        announced = false;
        pending = false;
        cancelling = false;
        offered = false;
        foremost = false;
    }

    void beginReceive() {
        receive = true;
        code = Code.OK;
    }

    void finish(int how) {
        assert state == ACTIVE : state;
        code = buffer == Copy.NOWHERE && how != Code.CANCELLED ? Code.MEMORY_ENDED : how;
        STATE.setRelease(this, DONE);
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

    /** Reads what the message it meets will need. */
    long touch() {
        Object to = buffer;
        return metWord + state + (to instanceof byte[] bytes && bytes.length > offset ? bytes[(int) offset] : 0);
    }

    /** Copies what has come into the buffer. If its memory has ended, so does the operation, in its time. */
    void take(MemorySegment from, long fromByte, long at, int length) {
        try {
            Copy.in(from, fromByte, buffer, offset + at, length);
        } catch (IllegalStateException e) {
            checkEnded(e);
        }
    }

    /** After a copy from or to its buffer has failed: notes that its memory has ended, or throws it on. */
    void checkEnded(IllegalStateException failure) {
        if (!Copy.hasEnded(buffer)) {
            throw failure;
        }
        buffer = Copy.NOWHERE;
    }

    boolean hasEnded() {
        return buffer == Copy.NOWHERE;
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

    /** The memory it copies from or to. */
    public Object buffer() {
        return buffer;
    }

    /** Nobody waits for it any more, and it could not be withdrawn: it goes on without its memory. */
    public void abandon() {
        unreported = true;
        buffer = Copy.NOWHERE;
    }

    /** A call waits for it, or did: it is no request that the program forgot. */
    public void keepOutOfReports() {
        unreported = true;
    }

    /** It is done, and the memory of its buffer turns out to have ended. */
    public void memoryEnded() {
        code = Code.MEMORY_ENDED;
    }

    public boolean isKeptOutOfReports() {
        return unreported;
    }

    public boolean isReceive() {
        return receive;
    }

    /** Whether it is a receive that went well. */
    public boolean isReceived() {
        return receive && code == Code.OK;
    }

    public Mode mode() {
        return mode;
    }

    /** The peer asked for: a world rank, or any. */
    public int peer() {
        return peer;
    }

    public int tag() {
        return tag;
    }

    public int context() {
        return context;
    }

    /** Bytes of the buffer. */
    public long bytes() {
        return bytes;
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
