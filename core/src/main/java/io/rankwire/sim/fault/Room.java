package io.rankwire.sim.fault;

import io.rankwire.type.Growing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Memory for a message, somewhere in a larger piece; the bytes around it must stay as they are.
 *
 * @param base an array or a segment, as the device gets it
 * @param lead bytes before the message
 * @param bytes of the message
 */
record Room(Object base, int lead, int bytes) {
    private static final int TRAIL = 8;
    private static final byte GUARD = 0x33;
    private static final byte SPOILT = 0x55;

    static int around(int lead, int bytes) {
        return lead + bytes + TRAIL;
    }

    static Room inArray(int lead, int bytes) {
        byte[] array = new byte[around(lead, bytes)];
        Arrays.fill(array, 0, lead, GUARD);
        Arrays.fill(array, lead + bytes, array.length, GUARD);
        return new Room(array, lead, bytes);
    }

    static Room in(MemorySegment memory, int lead, int bytes) {
        memory.fill(GUARD);
        memory.asSlice(lead, bytes).fill((byte) 0);
        return new Room(memory, lead, bytes);
    }

    /** For a message of any size: the memory is made when that is known. */
    static Room growing() {
        return new Room(new Growing(), 0, (int) Growing.NONE);
    }

    boolean isGrowing() {
        return base instanceof Growing;
    }

    byte[] content() {
        if (base instanceof Growing growing) {
            return growing.bytes() == null ? new byte[0] : growing.bytes();
        }
        return base instanceof byte[] array ? array : ((MemorySegment) base).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Writes the content of a message. */
    void write(int id) {
        byte[] array = content();
        for (int i = 0; i < bytes; i++) {
            array[lead + i] = Message.at(id, i);
        }
        if (base instanceof MemorySegment memory) {
            memory.copyFrom(MemorySegment.ofArray(array));
        }
    }

    /** The memory is used for something else now. */
    void spoil() {
        if (base instanceof byte[] array) {
            Arrays.fill(array, SPOILT);
        } else {
            ((MemorySegment) base).fill(SPOILT);
        }
    }

    /** What is wrong if this many bytes of a message are here, and zeros behind them; or null. */
    String wrong(int id, int delivered) {
        byte[] array = content();
        if (isGrowing() && array.length != delivered) {
            return array.length + " bytes were made for " + delivered;
        }
        for (int i = 0; i < delivered; i++) {
            if (array[lead + i] != Message.at(id, i)) {
                return "byte " + i + " of " + delivered + " is " + array[lead + i] + ", not " + Message.at(id, i);
            }
        }
        for (int i = delivered; i < bytes; i++) {
            if (array[lead + i] != 0) {
                return "byte " + i + " was written, behind " + delivered + " of the message";
            }
        }
        for (int i = isGrowing() ? delivered : 0; i < array.length; i = i == lead - 1 ? lead + bytes : i + 1) {
            if ((i < lead || i >= lead + bytes) && array[i] != GUARD) {
                return "byte " + (i - lead) + " was written, outside of the buffer";
            }
        }
        return null;
    }
}
