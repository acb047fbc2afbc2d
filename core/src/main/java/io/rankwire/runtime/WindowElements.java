package io.rankwire.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Single elements of buffers, as bits in the lowest of a word. */
public final class WindowElements {
    private WindowElements() {}

    public static long first(Object buffer) {
        return switch (buffer) {
            case long[] a -> a[0];
            case int[] a -> a[0] & 0xFFFF_FFFFL;
            case short[] a -> a[0] & 0xFFFFL;
            case char[] a -> a[0];
            case byte[] a -> a[0] & 0xFFL;
            case boolean[] a -> a[0] ? 1 : 0;
            default -> throw new AssertionError(buffer.getClass());
        };
    }

    /** An element of so many bytes. */
    public static long only(byte[] element) {
        ByteBuffer bytes = ByteBuffer.wrap(element).order(ByteOrder.nativeOrder());
        return switch (element.length) {
            case Byte.BYTES -> bytes.get() & 0xFFL;
            case Short.BYTES -> bytes.getShort() & 0xFFFFL;
            case Integer.BYTES -> bytes.getInt() & 0xFFFF_FFFFL;
            default -> bytes.getLong();
        };
    }
}
