package io.rankwire.launch;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The memory of a {@link Board}. Words are read and written through a byte buffer with explicit fences rather than
 * through var handles: the launcher reads them tens of times a second, and setting up var handles would cost it more
 * than the whole rest of its start.
 */
record BoardWords(ByteBuffer memory) {
    void putInt(int offset, int value) {
        VarHandle.releaseFence();
        memory.putInt(offset, value);
    }

    void putLong(int offset, long value) {
        VarHandle.releaseFence();
        memory.putLong(offset, value);
    }

    int getInt(int offset) {
        int value = memory.getInt(offset);
        VarHandle.acquireFence();
        return value;
    }

    long getLong(int offset) {
        long value = memory.getLong(offset);
        VarHandle.acquireFence();
        return value;
    }

    /** Writes a text, cut to the room there is for it, and then its length. */
    void putText(int offset, int room, int lengthWord, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = bytes.length;
        if (length > room) {
            length = room;
            while ((bytes[length] & 0xC0) == 0x80) {
                length--;
            }
        }
        memory.put(offset, bytes, 0, length);
        putInt(lengthWord, length);
    }

    String getText(int offset, int room, int lengthWord) {
        int length = Math.max(0, Math.min(room, getInt(lengthWord)));
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
