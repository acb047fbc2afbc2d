package mpi;

import java.io.IOException;

/**
 * Messages of {@link MPI#OBJECT}: how many objects there are, in four bytes, and behind it the objects in one stream of
 * Java serialization, so that what they share they share on the other side too; a reset and a null end it.
 */
final class ObjectFormat {
    private static final int HEADER = Integer.BYTES;

    private ObjectFormat() {}

    /** Encoded objects: the first {@code length} bytes of an array. */
    record Encoded(byte[] bytes, int length) {}

    static Encoded encode(Object buf, int offset, int count, Datatype type) {
        Object[] from = array(buf, count);
        int[] places = places(type, offset, count, from.length);
        int number = places == null ? count : places.length;
        if (number < 0 || places == null && (offset < 0 || offset > from.length - count)) {
            throw outside(from, offset, count);
        }
        int at = 0;
        try {
            ObjectWriter stream = ObjectWriter.take(number);
            for (; at < number; at++) {
                stream.writeObject(from[places == null ? offset + at : places[at]]);
            }
            return stream.give();
        } catch (IOException e) {
            throw new MPIException(MPI.ERR_CONVERSION, "object " + at + " of " + number
                    + " cannot be serialized: " + e);
        } catch (StackOverflowError e) {
            throw tooDeep(at, number, "serialized");
        }
    }

    /** Returns the number of objects of a message. */
    static int count(byte[] bytes) {
        return count(bytes, 0, bytes.length);
    }

    private static int count(byte[] bytes, int start, int length) {
        if (length < HEADER) {
            throw new MPIException(MPI.ERR_CONVERSION, "a message of " + length + " bytes holds no objects");
        }
        return (bytes[start] & 0xFF) << 24 | (bytes[start + 1] & 0xFF) << 16 | (bytes[start + 2] & 0xFF) << 8
                | bytes[start + 3] & 0xFF;
    }

    /** Decodes the objects of a message to their places and returns their number. */
    static int decode(byte[] bytes, int start, int length, Object buf, int offset, int count, Datatype type) {
        Object[] into = array(buf, count);
        int[] places = places(type, offset, count, into.length);
        int room = places == null ? count : places.length;
        if (places == null && (offset < 0 || count < 0 || offset > into.length - count)) {
            throw outside(into, offset, count);
        }
        int number = count(bytes, start, length);
        if (number > room) {
            throw new MPIException(MPI.ERR_TRUNCATE, "the message holds " + number + " objects, the buffer takes "
                    + room);
        }
        int at = 0;
        try {
            ObjectReader stream = ObjectReader.take(bytes, start + HEADER, length - HEADER);
            for (; at < number; at++) {
                into[places == null ? offset + at : places[at]] = stream.readObject();
            }
            stream.give();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw new MPIException(MPI.ERR_CONVERSION, "object " + at + " of " + number + " cannot be received: "
                    + e);
        } catch (StackOverflowError e) {
            throw tooDeep(at, number, "received");
        }
        return number;
    }

    private static MPIException tooDeep(int at, int number, String what) {
        return new MPIException(MPI.ERR_CONVERSION, "object " + at + " of " + number + " cannot be " + what
                + ": its parts refer to each other in a chain that is too long for the stack; the JVM option -Xss makes"
                + " that larger");
    }

    private static Object[] array(Object buf, int count) {
        if (buf == null && count == 0) {
            return new Object[0];
        }
        if (buf instanceof Object[] objects) {
            return objects;
        }
        throw new MPIException(MPI.ERR_BUFFER, "argument buf: objects lie in an array of objects, not in "
                + (buf == null ? "null" : "a " + buf.getClass().getTypeName()));
    }

    private static MPIException outside(Object[] array, int offset, int count) {
        return new MPIException(MPI.ERR_COUNT, "arguments offset " + offset + " and count " + count
                + " do not fit an array of " + array.length + " objects");
    }

    /**
     * Indexes of the objects that a derived type names; null for objects in a row. The layout is one of {@code int}s:
     * packing an array in which each is its own index gives their order.
     */
    private static int[] places(Datatype type, int offset, int count, int length) {
        io.rankwire.Datatype layout = Datatype.core(type);
        if (type == MPI.OBJECT || layout == MPI.OBJECT.core) {
            return null;
        }
        int[] indexes = new int[length];
        for (int i = 0; i < length; i++) {
            indexes[i] = i;
        }
        byte[] packed = new byte[Math.toIntExact(layout.packSize(count))];
        layout.pack(indexes, offset, count, packed, 0);
        int[] places = new int[packed.length / Integer.BYTES];
        java.nio.ByteBuffer.wrap(packed).order(java.nio.ByteOrder.nativeOrder()).asIntBuffer().get(places);
        return places;
    }
}
