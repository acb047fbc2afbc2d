package io.rankwire;

import io.rankwire.type.FormatException;
import io.rankwire.type.RecordFormat;
import io.rankwire.type.SerialFormat;
import java.io.ObjectInputFilter;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Turns objects into the bytes of a message and back. Both sides of a message use the same codec; {@link World#codec}
 * sets it. One instance serves all threads.
 *
 * <pre>{@code
 * record Point(double x, double y) {}
 *
 * Codec codec = Codec.records();
 * byte[] bytes = codec.encode(new Point(1, 2));
 * Point same = codec.decode(bytes, 0, bytes.length, Point.class);
 * }</pre>
 */
public interface Codec {
    /**
     * Encodes a value.
     *
     * @param value the value, which may be null
     * @return its bytes
     * @throws RankwireException of class {@link ErrorClass#CODEC} if this codec does not carry such values
     */
    byte[] encode(Object value);

    /**
     * Decodes a value.
     *
     * @param bytes the array that holds its bytes
     * @param offset the first of these bytes
     * @param length how many bytes; they must hold exactly one value
     * @param type the class of the value
     * @param <T> the class of the value
     * @return the value, which may be null
     * @throws RankwireException of class {@link ErrorClass#CODEC} if the bytes do not hold a value of the type
     */
    <T> T decode(byte[] bytes, int offset, int length, Class<T> type);

    /**
     * Returns the default codec. It carries records, enums, strings, boxed primitives, arrays, {@code List}, {@code
     * Set}, {@code Map}, {@code Optional} and null, nested in any way that declares its types: the components of a
     * record, the elements of an array, the classes that a sealed type permits. What arrives equals what was sent;
     * collections arrive as new {@code ArrayList}, {@code LinkedHashSet} and {@code LinkedHashMap}, in the order in
     * which they were sent.
     *
     * <p>The bytes of a message never choose a class: a name in them only picks among the classes that the requested
     * type declares. So a list of records travels in a record or as an array, where its type is declared, and not by
     * itself.
     *
     * @return the codec
     */
    static Codec records() {
        return new Codec() {
            @Override
            public byte[] encode(Object value) {
                return formatted(() -> RecordFormat.encode(value));
            }

            @Override
            public <T> T decode(byte[] bytes, int offset, int length, Class<T> type) {
                return formatted(() -> RecordFormat.decode(bytes, offset, length, type));
            }
        };
    }

    /**
     * Returns a codec that uses Java serialization.
     *
     * @param filter decides which classes may come out of the bytes, and limits their number and depth; not null
     * @return the codec
     */
    static Codec serialization(ObjectInputFilter filter) {
        Objects.requireNonNull(filter, "filter");
        return new Codec() {
            @Override
            public byte[] encode(Object value) {
                return formatted(() -> SerialFormat.encode(value));
            }

            @Override
            public <T> T decode(byte[] bytes, int offset, int length, Class<T> type) {
                // A type of the JDK itself has no loader to ask; the program's is then the thread's.
                ClassLoader own = type.getClassLoader();
                ClassLoader loader = own != null ? own : Thread.currentThread().getContextClassLoader();
                return formatted(() -> SerialFormat.decode(bytes, offset, length, type, filter, loader));
            }
        };
    }

    private static <T> T formatted(Supplier<T> format) {
        try {
            return format.get();
        } catch (FormatException refused) {
            throw new RankwireException(ErrorClass.CODEC, refused.getMessage(), refused.getCause());
        }
    }
}
