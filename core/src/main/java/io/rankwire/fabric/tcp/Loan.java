package io.rankwire.fabric.tcp;

import io.rankwire.memory.Words;
import java.nio.ByteBuffer;

/** A part of a frame whose bytes are still in memory of the program. Its place in a chunk is empty. */
final class Loan {
    private ByteBuffer memory;
    private ByteBuffer view;
    private int offset;
    private Chunk chunk;
    /** Positions in the stream. */
    long from;
    long to;

    void fill(ByteBuffer ofProgram, int at, Chunk inChunk, long position, int bytes) {
        if (memory != ofProgram) {
            memory = ofProgram;
            view = ofProgram.duplicate();
        }
        offset = at;
        chunk = inChunk;
        from = position;
        to = position + bytes;
    }

    /** The bytes from a position on, as a buffer that is valid until the next call. */
    ByteBuffer bytes(long position) {
        int skipped = (int) (position - from);
        return view.limit(offset + (int) (to - from)).position(offset + skipped);
    }

    /** Copies the bytes into the chunk; false if the memory was closed. */
    boolean settle() {
        int at = (int) (from - chunk.start);
        boolean interrupted = Words.isInterrupted();
        try {
            chunk.bytes(at, at + (int) (to - from)).put(bytes(from));
            return true;
        } catch (IllegalStateException e) {
            Words.accessEnded(interrupted);
            return false;
        }
    }

    void forget() {
        memory = null;
        view = null;
        chunk = null;
    }
}
