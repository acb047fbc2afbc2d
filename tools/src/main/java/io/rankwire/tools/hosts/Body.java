package io.rankwire.tools.hosts;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes the parts of a message, and {@link Reader} reads them in the same order. */
public final class Body {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public Body put(int value) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
        return this;
    }

    public Body put(byte[] bytes, int length) {
        put(length);
        out.write(bytes, 0, length);
        return this;
    }

    public Body put(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return put(bytes, bytes.length);
    }

    public Body put(List<String> texts) {
        put(texts.size());
        texts.forEach(this::put);
        return this;
    }

    public Body put(int[] numbers) {
        put(numbers.length);
        for (int each : numbers) {
            put(each);
        }
        return this;
    }

    public Message to(Message.Kind kind, int host) {
        return new Message(kind, host, out.toByteArray());
    }

    /** Reads the parts of a message. */
    public static final class Reader {
        private final ByteBuffer in;

        public Reader(Message message) {
            in = ByteBuffer.wrap(message.body());
        }

        public int number() {
            return in.getInt();
        }

        public byte[] bytes() {
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            return bytes;
        }

        public String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        public List<String> texts() {
            int count = number();
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                texts.add(text());
            }
            return texts;
        }

        public int[] numbers() {
            int[] numbers = new int[number()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = number();
            }
            return numbers;
        }
    }
}
