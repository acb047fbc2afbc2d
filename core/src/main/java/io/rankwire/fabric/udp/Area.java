package io.rankwire.fabric.udp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory for datagrams as they are sent, in the forms that are needed. It is an array, because ciphers are several
 * times as slow with native memory.
 *
 * @param bytes a view of all of the memory; its position and limit mean nothing between two uses
 */
record Area(byte[] array, MemorySegment memory, ByteBuffer bytes) {
    static Area of(int size) {
        byte[] array = new byte[size];
        return new Area(array, MemorySegment.ofArray(array), ByteBuffer.wrap(array));
    }

    /** The view of a part. */
    ByteBuffer part(int at, int length) {
        return bytes.limit(at + length).position(at);
    }
}
