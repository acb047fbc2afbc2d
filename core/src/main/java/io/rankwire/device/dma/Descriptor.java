package io.rankwire.device.dma;

import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;

/**
 * Work for the engine: bytes of one {@link Span}, taken from one of its ends and sent in frames. A <em>memory-FIFO</em>
 * descriptor pushes from the front to a receiver that may not know yet where the bytes go; a <em>direct put</em> pushes
 * from the back into a buffer that the receiver has named. Both count down the same span.
 */
public final class Descriptor {
    /** Bytes of a frame's payload before the chunk: its offset, and room that puts the chunk on a line of its own. */
    public static final int LEAD = 48;
    static final int NOT_QUEUED = -1;

    private final int kind;
    private final Object owner;
    private final Span span;

    private Object buffer;
    private long offset;
    private int elementType;
    /** The send's id in a memory-FIFO frame, the receive's id in a direct put. */
    private int id;
    /** Bytes it may still move; what the span holds beyond is for others to claim. */
    private long budget;

    int priority = NOT_QUEUED;
    Descriptor next;
    Descriptor previous;

    private Descriptor(int kind, Object owner, Span span) {
        this.kind = kind;
        this.owner = owner;
        this.span = span;
    }

    public static Descriptor memoryFifo(Object owner, Span span) {
        return new Descriptor(Frame.EARLY, owner, span);
    }

    public static Descriptor directPut(Object owner, Span span) {
        return new Descriptor(Frame.DATA, owner, span);
    }

    public void fill(Object buffer, long offset, int elementType, int id, long budget) {
        assert priority == NOT_QUEUED;
        this.buffer = buffer;
        this.offset = offset;
        this.elementType = elementType;
        this.id = id;
        this.budget = budget;
    }

    /** Whose transfer this is. */
    public Object owner() {
        return owner;
    }

    public boolean isPut() {
        return kind == Frame.DATA;
    }

    public boolean queued() {
        return priority != NOT_QUEUED;
    }

    public boolean exhausted() {
        return budget < Span.GRAIN || span.left() == 0;
    }

    /** Bytes of the next frame of an early push, given the most a frame takes. */
    public int nextEarly(int most) {
        return span.nextFront(Math.min(most, budget));
    }

    /** Moves one chunk; false if the way to the peer is full. */
    public boolean push(Outlet outlet, int most) {
        long room = Math.min(most, Math.min(budget, span.left()));
        long to = outlet.claim(LEAD + (int) room);
        if (to < 0) {
            return false;
        }
        int chunk = isPut() ? span.claimBack(room) : span.claimFront(room);
        long from = isPut() ? span.back() : span.front() - chunk;
        Words.plain(outlet.memory(), to, from);
        Copy.out(buffer, offset + from, outlet.memory(), to + LEAD, chunk);
        outlet.commit(to, LEAD + chunk, Frame.meta(kind, elementType), Frame.header(id, 0));
        budget -= chunk;
        return true;
    }

    /** Lets go of the user's memory. */
    public void clear() {
        buffer = null;
    }
}
