package mpi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/**
 * Writes the objects of messages. Making such a stream costs more than writing a small object, so each thread keeps one
 * from message to message.
 *
 * <p>All ranks run the same program, so a class is described by its name and version rather than by its fields: that is
 * half the work of reading a small object.
 */
final class ObjectWriter extends ObjectOutputStream {
    /** The tables of a stream grow with the message; larger ones are not kept. */
    static final int MOST_KEPT = 64 << 10;

    private static final ThreadLocal<ObjectWriter> KEPT = new ThreadLocal<>();

    private final Bytes out;

    private ObjectWriter(Bytes out) throws IOException {
        super(out);
        this.out = out;
    }

    /** Returns a stream that no other message uses until {@link #give}: objects may send objects. */
    static ObjectWriter take(int objects) throws IOException {
        ObjectWriter writer = KEPT.get();
        if (writer == null) {
            writer = new ObjectWriter(new Bytes());
        } else {
            KEPT.set(null);
        }
        writer.out.begin(objects);
        return writer;
    }

    /** Ends the message and lets another use this stream. A stream that failed is dropped. */
    ObjectFormat.Encoded give() throws IOException {
        reset();
        writeObject(null);
        flush();
        ObjectFormat.Encoded message = out.end();
        if (message.length() <= MOST_KEPT) {
            KEPT.set(this);
        }
        return message;
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

    /** Gives its array away instead of a copy. */
    private static final class Bytes extends ByteArrayOutputStream {
        private static final int FIRST = 256;

        Bytes() {
            super(0);
        }

        void begin(int objects) {
            buf = new byte[FIRST];
            buf[0] = (byte) (objects >>> 24);
            buf[1] = (byte) (objects >>> 16);
            buf[2] = (byte) (objects >>> 8);
            buf[3] = (byte) objects;
            count = Integer.BYTES;
        }

        ObjectFormat.Encoded end() {
            ObjectFormat.Encoded message = new ObjectFormat.Encoded(buf, count);
            buf = null;
            return message;
        }
    }
}
