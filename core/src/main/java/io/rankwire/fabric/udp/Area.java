package io.rankwire.fabric.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Native memory in the two forms that are needed.
 *
 * @param bytes a view of all of the memory; its position and limit mean nothing between two uses
 */
record Area(MemorySegment memory, ByteBuffer bytes) {
    static Area of(int size) {
        MemorySegment memory = Arena.ofAuto().allocate(size, 64);
        return new Area(memory, memory.asByteBuffer());
    }

    /** The view of a part. */
    ByteBuffer part(int at, int length) {
        return bytes.limit(at + length).position(at);
    }
}
