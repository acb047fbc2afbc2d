package io.rankwire;

import io.rankwire.type.FormatException;
import io.rankwire.type.RecordFormat;
import io.rankwire.type.SerialFormat;
import java.io.ObjectInputFilter;
import java.util.Objects;

/**
 * Turns objects into the bytes of a message and back. Both sides of a message use the same codec. One instance serves
 * all threads. What cannot be encoded or decoded gives a {@link RankwireException} of class {@link ErrorClass#CODEC}.
 */
public interface Codec {
    /** The bytes of a value, which may be null. */
    byte[] encode(Object value);

    /** The value in {@code length} bytes from {@code offset}; they must hold exactly one value of that type. */
    <T> T decode(byte[] bytes, int offset, int length, Class<T> type);

    /**
     * The default codec. It carries records, enums, strings, boxed primitives, arrays, {@code List}, {@code Set},
     * {@code Map}, {@code Optional} and null, in any nesting that says its types: a record's components, an array's
     * elements, what a sealed type permits. What arrives equals what was sent; collections arrive as new
     * {@code ArrayList}, {@code LinkedHashSet} and {@code LinkedHashMap}, in the order they were sent.
     *
     * <p>Bytes never choose a class: a name in them only picks among those that the type asked for declares. So a list
     * of records travels in a record or as an array, where its type is declared, and not by itself.
     */
    static Codec records() {
        return new Codec() {
            @Override
            public byte[] encode(Object value) {
                try {
                    return RecordFormat.encode(value);
                } catch (FormatException refused) {
                    throw told(refused);
                }
            }

            @Override
            public <T> T decode(byte[] bytes, int offset, int length, Class<T> type) {
                try {
                    return RecordFormat.decode(bytes, offset, length, type);
                } catch (FormatException refused) {
                    throw told(refused);
                }
            }
        };
    }

    /**
     * Java serialization. The filter decides which classes may come out of the bytes, and limits their number and
     * depth; there is no codec without one.
     */
    static Codec serialization(ObjectInputFilter filter) {
        Objects.requireNonNull(filter, "filter");
        return new Codec() {
            @Override
            public byte[] encode(Object value) {
                try {
                    return SerialFormat.encode(value);
                } catch (FormatException refused) {
                    throw told(refused);
                }
            }

            @Override
            public <T> T decode(byte[] bytes, int offset, int length, Class<T> type) {
                // A type of the JDK itself has no loader to ask; the program's is then the thread's.
                ClassLoader own = type.getClassLoader();
                ClassLoader loader = own != null ? own : Thread.currentThread().getContextClassLoader();
                try {
                    return SerialFormat.decode(bytes, offset, length, type, filter, loader);
                } catch (FormatException refused) {
                    throw told(refused);
                }
            }
        };
    }

    private static RankwireException told(FormatException refused) {
        return new RankwireException(ErrorClass.CODEC, refused.getMessage(), refused.getCause());
    }
}
