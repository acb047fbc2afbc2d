package io.rankwire.device.transfer;

import io.rankwire.device.Operation;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import io.rankwire.type.Copy;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Bytes of one {@link Span} that are to be sent in frames, from one of its ends. A <em>memory-FIFO</em> descriptor
 * pushes from the front to a receiver that may not know yet where the bytes go; a <em>direct put</em> pushes from the
 * back into a buffer that the receiver has named. Both count down the same span.
 */
final class Descriptor {
    static final int NOT_QUEUED = -1;
    /** Shorter chunks are copied: that takes less time than to keep account of them. */
    private static final int LEAST_LENT = 32 << 10;
    /** The last bytes of a message from native memory, which are copied. */
    private static final int TAIL = 4 << 10;

    private final int kind;
    private final SendTransfer owner;
    private final Span span;

    /** The send's id in a memory-FIFO frame, the receive's id in a direct put. */
    private int id;
    /** Bytes that this descriptor may still move. The other one may claim what the span holds beyond them. */
    private long budget;

    int priority = NOT_QUEUED;
    Descriptor next;
    Descriptor previous;

    private Descriptor(int kind, SendTransfer owner, Span span) {
        this.kind = kind;
        this.owner = owner;
        this.span = span;
    }

    static Descriptor memoryFifo(SendTransfer owner, Span span) {
        return new Descriptor(Frame.EARLY, owner, span);
    }

    static Descriptor directPut(SendTransfer owner, Span span) {
        return new Descriptor(Frame.DATA, owner, span);
    }

    void fill(int toId, long bytes) {
        assert priority == NOT_QUEUED;
        id = toId;
        budget = bytes;
    }

    SendTransfer owner() {
        return owner;
    }

    boolean isPut() {
        return kind == Frame.DATA;
    }

    boolean queued() {
        return priority != NOT_QUEUED;
    }

    boolean exhausted() {
        return budget < Span.GRAIN || span.left() == 0;
    }

    /** Bytes of the next frame of an early push, given the most a frame takes. */
    int nextEarly(Outlet outlet, int most) {
        return span.nextFront(room(outlet, most));
    }

    /** Most bytes of the next chunk. */
    private long room(Outlet outlet, int most) {
        long room = Math.min(most, Math.min(budget, span.left()));
        boolean isLast = room == span.left();
        return isLast && isLent(outlet, room) && owner.operation.buffer() instanceof MemorySegment memory
                && memory.isNative() ? room - TAIL : room;
    }

    private boolean isLent(Outlet outlet, long bytes) {
        return bytes >= LEAST_LENT && outlet.borrows(owner.operation.buffer());
    }

    /**
     * Moves one chunk; false if the way to the peer is full. The end of a message from native memory is always copied,
     * after the port has read everything else: so a message is complete only if its memory was not closed before.
     */
    boolean push(Outlet outlet, int most) {
        Operation operation = owner.operation;
        long room = room(outlet, most);
        long to = outlet.claim(Frame.DATA_LEAD + (int) room);
        if (to < 0) {
            return false;
        }
        int chunk = isPut() ? span.claimBack(room) : span.claimFront(room);
        long from = isPut() ? span.back() : span.front() - chunk;
        Words.store(outlet.memory(), to, from);
        budget -= chunk;
        int meta = Frame.meta(kind, operation.elementType());
        if ((span.left() > 0 || Words.isArray(operation.buffer())) && isLent(outlet, chunk + TAIL)) {
            owner.loan = outlet.lend(to, Frame.DATA_LEAD + chunk, meta, Frame.header(id, 0), Frame.DATA_LEAD,
                    operation.buffer(), operation.offset() + from);
            return true;
        }
        if (owner.isLent()) {
            outlet.release();
        }
        Copy.out(operation.buffer(), operation.offset() + from, outlet.memory(), to + Frame.DATA_LEAD, chunk);
        outlet.commit(to, Frame.DATA_LEAD + chunk, meta, Frame.header(id, 0));
        return true;
    }
}
