package io.rankwire.type;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing byte array, written little-endian. */
final class ByteSink {
    static final VarHandle SHORT = view(short[].class);
    static final VarHandle CHAR = view(char[].class);
    static final VarHandle INT = view(int[].class);
    static final VarHandle LONG = view(long[].class);

    static final ValueLayout SHORTS = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout CHARS = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout INTS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout LONGS = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout FLOATS = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout DOUBLES = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private byte[] bytes = new byte[128];
    private int end;

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, end);
    }

    void putByte(int value) {
        int at = claim(1);
        bytes[at] = (byte) value;
    }

    void putBoolean(boolean value) {
        putByte(value ? 1 : 0);
    }

    void putShort(short value) {
        int at = claim(2);
        SHORT.set(bytes, at, value);
    }

    void putChar(char value) {
        int at = claim(2);
        CHAR.set(bytes, at, value);
    }

    void putInt(int value) {
        int at = claim(4);
        INT.set(bytes, at, value);
    }

    void putFloat(float value) {
        putInt(Float.floatToRawIntBits(value));
    }

    void putLong(long value) {
        int at = claim(8);
        LONG.set(bytes, at, value);
    }

    void putDouble(double value) {
        putLong(Double.doubleToRawLongBits(value));
    }

    /** Seven bits a byte, low ones first, the top bit set while more follow. */
    void putCount(int value) {
        assert value >= 0;
        int rest = value;
        while (rest > 0x7F) {
            putByte(rest | 0x80);
            rest >>>= 7;
        }
        putByte(rest);
    }

    void putString(String text) {
        int length = text.length();
        boolean narrow = isLatin1(text);
        putByte((narrow ? Tag.LATIN1 : Tag.UTF16).ordinal());
        putCount(length);
        if (narrow) {
            int at = claim(length);
            for (int i = 0; i < length; i++) {
                bytes[at + i] = (byte) text.charAt(i);
            }
        } else {
            int at = claim(2L * length);
            for (int i = 0; i < length; i++) {
                CHAR.set(bytes, at + 2 * i, text.charAt(i));
            }
        }
    }

    private static boolean isLatin1(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }

    void putBooleans(boolean[] values) {
        putCount(values.length);
        int at = claim(values.length);
        for (int i = 0; i < values.length; i++) {
            bytes[at + i] = (byte) (values[i] ? 1 : 0);
        }
    }

    /** Any primitive array but {@code boolean[]}. */
    void putArray(Object array, int count, ValueLayout layout) {
        putCount(count);
        int at = claim(count * layout.byteSize());
        MemorySegment.copy(array, 0, MemorySegment.ofArray(bytes), layout, at, count);
    }

    /** Room for more bytes. To be called before {@link #bytes} is read: it may be another array afterwards. */
    private int claim(long count) {
        int at = end;
        long needed = at + count;
        if (needed > bytes.length) {
            grow(needed);
        }
        end = (int) needed;
        return at;
    }

    private void grow(long needed) {
        if (needed > MAX_BYTES) {
            throw new FormatException("the encoded value exceeds " + MAX_BYTES + " bytes: send it in parts");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * bytes.length)));
    }
}
