package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Seal;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Arrays for the records of encrypted connections, those that are not in use. A silent connection holds none. */
final class Pieces {
    /** Most bytes of a record before it is sealed: a frame of the largest size is one. */
    static final int MOST = Link.MOST_FRAME;
    /** The length of a record. */
    static final int HEAD = 4;
    /** Room for a whole sealed record and the head of the next. */
    static final int CAPACITY = HEAD + MOST + Seal.TAG + HEAD;
    /** So many are kept for the next. */
    private static final int KEPT = 16;

    /** An array, and which of its bytes are in use. */
    static final class Piece {
        final byte[] bytes = new byte[CAPACITY];
        final ByteBuffer view = ByteBuffer.wrap(bytes);
        final MemorySegment segment = MemorySegment.ofArray(bytes);
        int from;
        int to;

        int length() {
            return to - from;
        }

        /** Makes room behind the bytes. */
        void compact() {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
    }

    private final List<Piece> free = new ArrayList<>();

    Piece take() {
        Piece piece = free.isEmpty() ? new Piece() : free.removeLast();
        piece.from = 0;
        piece.to = 0;
        return piece;
    }

    void give(Piece piece) {
        if (free.size() < KEPT) {
            free.add(piece);
        }
    }
}
