package io.rankwire.type;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Objects;

/** Java serialization, for programs that ask for it. Reading without a filter is not offered. */
public final class SerialFormat {
    private SerialFormat() {}

    public static byte[] encode(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException failure) {
            throw new FormatException("the value sent: Java serialization failed: " + failure, failure);
        }
        return bytes.toByteArray();
    }

    /** Decodes; classes come from the given loader, since the calling one knows nothing of a rank's own classes. */
    public static <T> T decode(
            byte[] bytes, int offset, int length, Class<T> type, ObjectInputFilter filter, ClassLoader loader) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        Objects.requireNonNull(filter, "filter");
        Object value;
        try (LoaderInput in = new LoaderInput(new ByteArrayInputStream(bytes, offset, length), loader)) {
            in.setObjectInputFilter(filter);
            value = in.readObject();
            if (in.read() >= 0) {
                throw new FormatException("expected the end after " + type.getTypeName() + ", found more bytes");
            }
        } catch (FormatException e) {
            throw e;
        } catch (IOException | ClassNotFoundException | RuntimeException failure) {
            throw new FormatException(
                    "expected a serialized " + type.getTypeName() + ", found bytes that Java serialization refuses: "
                            + failure,
                    failure);
        }
        if (value != null && !type.isInstance(value)) {
            throw new FormatException("expected a serialized " + type.getTypeName() + ", found "
                    + value.getClass().getTypeName());
        }
        return type.cast(value);
    }

    private static final class LoaderInput extends ObjectInputStream {
        private final ClassLoader loader;

        LoaderInput(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, loader);
            } catch (ClassNotFoundException elsewhere) {
                // Primitive classes, and whatever only the calling loader can see.
                return super.resolveClass(described);
            }
        }
    }
}
