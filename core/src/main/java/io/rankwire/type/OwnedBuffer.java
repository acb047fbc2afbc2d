package io.rankwire.type;

import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A receive buffer in memory that one thread alone may touch. What others bring is kept aside until that thread comes
 * and settles it. One thread at a time may use it, as the device does.
 */
public final class OwnedBuffer {
    private record Piece(byte[] bytes, long at) {}

    private final Object base;
    private final MemorySegment memory;
    private final List<Piece> aside = new ArrayList<>();

    /** Over a segment, or a typed buffer over one. */
    public OwnedBuffer(Object base) {
        this.base = base;
        this.memory = base instanceof TypedBuffer typed ? typed.memory() : (MemorySegment) base;
    }

    void in(MemorySegment from, long fromByte, long toByte, int bytes) {
        if (isMine()) {
            Copy.in(from, fromByte, base, toByte, bytes);
        } else {
            byte[] kept = new byte[bytes];
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, fromByte, kept, 0, bytes);
            aside.add(new Piece(kept, toByte));
        }
    }

    boolean hasEnded() {
        return Copy.hasEnded(memory);
    }

    private boolean isMine() {
        return Words.isOwn(memory);
    }

    /** Whether {@link #settle} has nothing to do, or this thread may do it. */
    public boolean canSettle() {
        return aside.isEmpty() || isMine();
    }

    /** Brings what was kept aside to its place; false if the memory has ended. */
    public boolean settle() {
        try {
            for (Piece piece : aside) {
                Copy.in(MemorySegment.ofArray(piece.bytes), 0, base, piece.at, piece.bytes.length);
            }
        } catch (IllegalStateException e) {
            if (!hasEnded()) {
                throw e;
            }
            return false;
        }
        return true;
    }
}
