package io.rankwire.fabric.tcp;

import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A part of a frame whose bytes are still in memory of the program. Its place in a chunk is empty. */
final class Loan {
    private ByteBuffer memory;
    private ByteBuffer view;
    /** The array that has the bytes, if it is not native memory. */
    private MemorySegment array;
    private long offset;
    private Chunk chunk;
    /** Positions in the stream. */
    long from;
    long to;

    void fill(ByteBuffer ofProgram, int at, Chunk inChunk, long position, int bytes) {
        if (memory != ofProgram) {
            memory = ofProgram;
            view = ofProgram.duplicate();
        }
        place(at, inChunk, position, bytes);
    }

    void fill(MemorySegment ofProgram, long at, Chunk inChunk, long position, int bytes) {
        array = ofProgram;
        place(at, inChunk, position, bytes);
    }

    private void place(long at, Chunk inChunk, long position, int bytes) {
        offset = at;
        chunk = inChunk;
        from = position;
        to = position + bytes;
    }

    boolean isArray() {
        return array != null;
    }

    /** Writes the bytes of an array from a position on; returns how many were taken. */
    int write(long position, ArrayChannel connection, boolean more) throws IOException {
        return connection.write(array, offset + position - from, (int) (to - position), more);
    }

    /** The bytes from a position on, as a buffer that is valid until the next call. */
    ByteBuffer bytes(long position) {
        int at = (int) offset;
        return view.limit(at + (int) (to - from)).position(at + (int) (position - from));
    }

    /** Copies the bytes into the chunk; false if the memory was closed. */
    boolean settle() {
        int at = (int) (from - chunk.start);
        if (array != null) {
            MemorySegment.copy(array, offset, chunk.reach, chunk.origin + at, to - from);
            return true;
        }
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
        array = null;
        chunk = null;
    }
}
