package io.rankwire.type;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** What a buffer is made of; the code travels with each message, so that a mismatch can be reported. */
public enum ElementType {
    BYTE(1, "byte"),
    BOOLEAN(1, "boolean"),
    CHAR(2, "char"),
    SHORT(2, "short"),
    INT(4, "int"),
    LONG(8, "long"),
    FLOAT(4, "float"),
    DOUBLE(8, "double"),
    /** Memory without a type ({@code MemorySegment}, {@code ByteBuffer}): meets every type. */
    RAW(1, "raw memory"),
    /** An object encoded by a codec. */
    OBJECT(1, "object"),
    /** Elements of several types, as a datatype lays them out: meets its like and raw memory. */
    MIXED(1, "mixed types");

    private static final ElementType[] ALL = values();

    private final int bytes;
    private final String word;

    ElementType(int bytes, String word) {
        this.bytes = bytes;
        this.word = word;
    }

    public int bytes() {
        return bytes;
    }

    public int code() {
        return ordinal();
    }

    /** A new array of {@code count} elements. */
    public Object newArray(int count) {
        return switch (this) {
            case BYTE, RAW, OBJECT, MIXED -> new byte[count];
            case BOOLEAN -> new boolean[count];
            case CHAR -> new char[count];
            case SHORT -> new short[count];
            case INT -> new int[count];
            case LONG -> new long[count];
            case FLOAT -> new float[count];
            case DOUBLE -> new double[count];
        };
    }

    @Override
    public String toString() {
        return word;
    }

    public static ElementType of(int code) {
        return ALL[code];
    }

    public static boolean isCode(int code) {
        return code >= 0 && code < ALL.length;
    }

    public static boolean compatible(int sent, int received) {
        return sent == received || (sent == RAW.ordinal() || received == RAW.ordinal()) && sent != OBJECT.ordinal()
                && received != OBJECT.ordinal();
    }

    /** The type of a buffer, or null if it is no buffer. */
    public static ElementType ofBuffer(Object buffer) {
        return buffer instanceof byte[] ? BYTE
                : buffer instanceof double[] ? DOUBLE
                : buffer instanceof int[] ? INT
                : buffer instanceof long[] ? LONG
                : buffer instanceof float[] ? FLOAT
                : buffer instanceof char[] ? CHAR
                : buffer instanceof short[] ? SHORT
                : buffer instanceof boolean[] ? BOOLEAN
                : buffer instanceof MemorySegment || buffer instanceof ByteBuffer ? RAW : null;
    }
}
