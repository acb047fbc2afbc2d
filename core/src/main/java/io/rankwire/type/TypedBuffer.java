package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/**
 * User memory seen through a datatype. To the device it is a buffer like any other whose bytes are the packed stream:
 * whatever part of it a frame takes or brings is gathered from its places, or scattered to them, in the one copy there
 * is.
 *
 * @param base a primitive array or a segment
 * @param at the byte of the base where the datatype has its origin
 */
public record TypedBuffer(Object base, long at, CopyProgram program) {
    void out(long fromByte, MemorySegment to, long toByte, int bytes) {
        program.move(true, base, at, to, toByte, fromByte, fromByte + bytes);
    }

    void in(MemorySegment from, long fromByte, long toByte, int bytes) {
        program.move(false, base, at, from, fromByte, toByte, toByte + bytes);
    }
}
