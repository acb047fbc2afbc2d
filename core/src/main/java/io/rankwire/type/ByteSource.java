package io.rankwire.type;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Bytes read little-endian. Every read is checked against what is left before anything is allocated for it. */
final class ByteSource {
    private final byte[] bytes;
    private final int start;
    private final int end;
    private int next;

    ByteSource(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        start = offset;
        next = offset;
        end = offset + length;
    }

    int left() {
        return end - next;
    }

    FormatException broken(String what) {
        return new FormatException(what + ", at byte " + (next - start) + " of " + (end - start));
    }

    int getByte() {
        return bytes[take(1, "a byte")] & 0xFF;
    }

    boolean getBoolean() {
        int value = getByte();
        if (value > 1) {
            throw broken("expected a boolean (0 or 1), found " + value);
        }
        return value == 1;
    }

    short getShort() {
        return (short) ByteSink.SHORT.get(bytes, take(2, "a short"));
    }

    char getChar() {
        return (char) ByteSink.CHAR.get(bytes, take(2, "a char"));
    }

    int getInt() {
        return (int) ByteSink.INT.get(bytes, take(4, "an int"));
    }

    long getLong() {
        return (long) ByteSink.LONG.get(bytes, take(8, "a long"));
    }

    float getFloat() {
        return Float.intBitsToFloat(getInt());
    }

    double getDouble() {
        return Double.longBitsToDouble(getLong());
    }

    /** A number of at most 31 bits, see {@link ByteSink#putCount}. */
    int getCount() {
        long value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int part = getByte();
            value |= (long) (part & 0x7F) << shift;
            if (part <= 0x7F) {
                if (value > Integer.MAX_VALUE) {
                    break;
                }
                return (int) value;
            }
        }
        throw broken("expected a count of at most 31 bits, found a longer one");
    }

    /** A count of elements that take at least {@code unit} bytes each, all of which must still be there. */
    int getCount(long unit, String of) {
        int count = getCount();
        if (count * unit > left()) {
            throw broken("expected " + count + " " + of + ", found only " + left() + " bytes more");
        }
        return count;
    }

    String getString(Tag tag) {
        if (tag == Tag.LATIN1) {
            int count = getCount(1, "characters");
            return new String(bytes, take(count, "characters"), count, StandardCharsets.ISO_8859_1);
        }
        int count = getCount(2, "characters");
        char[] units = new char[count];
        fill(units, count, ByteSink.CHARS);
        return new String(units);
    }

    boolean[] getBooleans() {
        boolean[] values = new boolean[getCount(1, "booleans")];
        for (int i = 0; i < values.length; i++) {
            values[i] = getBoolean();
        }
        return values;
    }

    /** Fills a new primitive array whose size {@link #getCount(long, String)} has allowed. */
    <A> A fill(A array, int count, ValueLayout layout) {
        int at = take(count * layout.byteSize(), "array elements");
        MemorySegment.copy(MemorySegment.ofArray(bytes), layout, at, array, 0, count);
        return array;
    }

    private int take(long count, String what) {
        if (count > left()) {
            throw broken("expected " + what + ", found the end");
        }
        int at = next;
        next += (int) count;
        return at;
    }
}
