package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Messages of {@link MPI#OBJECT}: how many objects there are, in four bytes, and behind it the objects in one stream of
 * Java serialization, so that what they share they share on the other side too. Reading takes only classes that the
 * program's class path or an exported package of the JDK declares, and builds no more than the bytes pay for.
 *
 * <p>All ranks run the same program, so a class is described by its name and version rather than by its fields: that is
 * half the work of reading a small object.
 */
final class ObjectFormat {
    private static final int HEADER = Integer.BYTES;
    private static final int MOST_DEPTH = 20_000;
    private static final ClassLoader OWN_LOADER = ObjectFormat.class.getClassLoader();
    /** Classes that came before, by name. */
    private static final Map<String, ObjectStreamClass> KNOWN = new ConcurrentHashMap<>();

    private ObjectFormat() {}

    /** Encoded objects: the first so many bytes of an array. */
    record Encoded(byte[] bytes, int length) {}

    static Encoded encode(Object buf, int offset, int count, Datatype type) {
        Object[] from = array(buf, count);
        int[] places = places(type, offset, count, from.length);
        int number = places == null ? count : places.length;
        if (number < 0 || places == null && (offset < 0 || offset > from.length - count)) {
            throw outside(from, offset, count);
        }
        Bytes out = new Bytes();
        out.putInt(number);
        int at = 0;
        try (Writer stream = new Writer(out)) {
            for (; at < number; at++) {
                stream.writeObject(from[places == null ? offset + at : places[at]]);
            }
        } catch (IOException e) {
            throw new MPIException(MPI.ERR_CONVERSION, "object " + at + " of " + number
                    + " cannot be serialized: " + e);
        } catch (StackOverflowError e) {
            throw tooDeep(at, number, "serialized");
        }
        return out.encoded();
    }

    /** Objects of a message whose bytes begin so. */
    static int count(byte[] bytes) {
        if (bytes.length < HEADER) {
            throw new MPIException(MPI.ERR_CONVERSION, "a message of " + bytes.length + " bytes holds no objects");
        }
        return (bytes[0] & 0xFF) << 24 | (bytes[1] & 0xFF) << 16 | (bytes[2] & 0xFF) << 8 | bytes[3] & 0xFF;
    }

    /** Puts the objects of a message to their places and says how many there were. */
    static int decode(byte[] bytes, int start, int length, Object buf, int offset, int count, Datatype type) {
        Object[] into = array(buf, count);
        int[] places = places(type, offset, count, into.length);
        int room = places == null ? count : places.length;
        if (places == null && (offset < 0 || count < 0 || offset > into.length - count)) {
            throw outside(into, offset, count);
        }
        byte[] head = java.util.Arrays.copyOfRange(bytes, start, start + Math.min(HEADER, length));
        int number = count(head);
        if (number > room) {
            throw new MPIException(MPI.ERR_TRUNCATE, "the message holds " + number + " objects, the buffer takes "
                    + room);
        }
        int at = 0;
        try (Reader stream = new Reader(
                new ByteArrayInputStream(bytes, start + HEADER, length - HEADER), length)) {
            for (; at < number; at++) {
                into[places == null ? offset + at : places[at]] = stream.readObject();
            }
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

    /** Gives its array away instead of a copy. */
    private static final class Bytes extends ByteArrayOutputStream {
        Bytes() {
            super(512);
        }

        void putInt(int value) {
            write(value >>> 24);
            write(value >>> 16);
            write(value >>> 8);
            write(value);
        }

        Encoded encoded() {
            return new Encoded(buf, count);
        }
    }

    private static final class Writer extends ObjectOutputStream {
        Writer(OutputStream out) throws IOException {
            super(out);
        }

        @Override
        protected void writeStreamHeader() {
            // Both sides are of one version.
        }

        @Override
        protected void writeClassDescriptor(ObjectStreamClass type) throws IOException {
            writeUTF(type.getName());
            writeLong(type.getSerialVersionUID());
        }
    }

    private static final class Reader extends ObjectInputStream {
        private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
        private final long length;

        Reader(InputStream in, long length) throws IOException {
            super(in);
            this.length = length;
            setObjectInputFilter(this::check);
        }

        @Override
        protected void readStreamHeader() {
            // None was written.
        }

        @Override
        protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
            String name = readUTF();
            long version = readLong();
            ObjectStreamClass type = loader == OWN_LOADER ? KNOWN.get(name) : null;
            if (type == null) {
                type = ObjectStreamClass.lookupAny(found(name));
                if (loader == OWN_LOADER) {
                    KNOWN.put(name, type);
                }
            }
            if (type.getSerialVersionUID() != version) {
                throw new InvalidClassException(name, "sender and receiver have different versions of it");
            }
            return type;
        }

        private Class<?> found(String name) throws ClassNotFoundException {
            try {
                return Class.forName(name, false, loader);
            } catch (ClassNotFoundException elsewhere) {
                return Class.forName(name, false, OWN_LOADER);
            }
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) {
            return described.forClass();
        }

        /** Every reference and array element takes at least a byte, so more of them than bytes are a lie. */
        private ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
            if (info.depth() > MOST_DEPTH || info.references() > length || info.arrayLength() > length) {
                return ObjectInputFilter.Status.REJECTED;
            }
            Class<?> type = info.serialClass();
            return type == null || isDeclared(type) ? ObjectInputFilter.Status.ALLOWED
                    : ObjectInputFilter.Status.REJECTED;
        }

        /** Classes of the program are in no named module; of the JDK, what it exports and what time zones are. */
        private static boolean isDeclared(Class<?> type) {
            Class<?> element = type;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            Module module = element.getModule();
            return !module.isNamed() || module.isExported(element.getPackageName())
                    || element.getPackageName().equals("sun.util.calendar");
        }
    }
}
