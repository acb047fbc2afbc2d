package mpi;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads what {@link ObjectWriter} has written, and is kept like that. It takes only classes that the program's class
 * path or an exported package of the JDK declares, and builds no more than the bytes pay for.
 */
final class ObjectReader extends ObjectInputStream {
    private static final int MOST_DEPTH = 20_000;
    private static final ClassLoader OWN_LOADER = ObjectReader.class.getClassLoader();
    /** Classes that came before, by name. */
    private static final Map<String, ObjectStreamClass> KNOWN = new ConcurrentHashMap<>();
    private static final ThreadLocal<ObjectReader> KEPT = new ThreadLocal<>();

    private final Bytes in;
    private ClassLoader loader;
    /** Bytes of this message, and of all that this has read. */
    private int length;
    private long total;

    private ObjectReader(Bytes in) throws IOException {
        super(in);
        this.in = in;
        setObjectInputFilter(this::check);
    }

    static ObjectReader take(byte[] bytes, int start, int length) throws IOException {
        ObjectReader reader = KEPT.get();
        if (reader == null) {
            reader = new ObjectReader(new Bytes());
        } else {
            KEPT.set(null);
        }
        reader.in.begin(bytes, start, length);
        reader.loader = Thread.currentThread().getContextClassLoader();
        reader.length = length;
        reader.total += length;
        return reader;
    }

    /** Ends the message and lets another use this stream. A stream that failed is dropped. */
    void give() throws IOException, ClassNotFoundException {
        if (readObject() != null || !in.isAtEnd()) {
            throw new StreamCorruptedException("the message does not end where its objects do");
        }
        in.end();
        loader = null;
        if (length <= ObjectWriter.MOST_KEPT) {
            KEPT.set(this);
        }
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
        if (info.depth() > MOST_DEPTH || info.references() > total || info.arrayLength() > length) {
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

    private static final class Bytes extends InputStream {
        private byte[] bytes;
        private int at;
        private int end;

        void begin(byte[] message, int start, int length) {
            bytes = message;
            at = start;
            end = start + length;
        }

        boolean isAtEnd() {
            return at == end;
        }

        void end() {
            bytes = null;
        }

        @Override
        public int read() {
            return at < end ? bytes[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int most) {
            if (at == end && most > 0) {
                return -1;
            }
            int count = Math.min(most, end - at);
            System.arraycopy(bytes, at, into, offset, count);
            at += count;
            return count;
        }
    }
}
