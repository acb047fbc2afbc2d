package io.rankwire.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One rank's text on its way to an output that several ranks share: only whole lines go there, however long they are
 * and in whatever pieces they come. Any thread may write.
 */
public final class Lines {
    private final Shared to;
    private final byte[] tag;
    private byte[] held = new byte[512];
    private int count;

    /** Each line gets {@code tag} in front, which may be blank. */
    public Lines(Shared to, String tag) {
        this.to = to;
        this.tag = tag.getBytes(StandardCharsets.UTF_8);
    }

    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        int whole = 0;
        for (int end = length; end > 0; end--) {
            if (bytes[offset + end - 1] == '\n') {
                whole = end;
                break;
            }
        }
        if (whole == 0) {
            hold(bytes, offset, length);
            return;
        }
        if (count > 0 || tag.length > 0) {
            hold(bytes, offset, whole);
            forward();
        } else {
            to.write(bytes, offset, whole);
        }
        hold(bytes, offset + whole, length - whole);
    }

    /** Nothing more will come: a last line without an end goes out as it is. */
    public synchronized void finish() throws IOException {
        if (count > 0) {
            forward();
        }
    }

    private void forward() throws IOException {
        if (tag.length == 0) {
            to.write(held, 0, count);
        } else {
            byte[] tagged = tagged();
            to.write(tagged, 0, tagged.length);
        }
        count = 0;
    }

    private byte[] tagged() {
        int lines = held[count - 1] == '\n' ? 0 : 1;
        for (int i = 0; i < count; i++) {
            lines += held[i] == '\n' ? 1 : 0;
        }
        byte[] out = new byte[count + lines * tag.length];
        int at = 0;
        boolean fresh = true;
        for (int i = 0; i < count; i++) {
            if (fresh) {
                System.arraycopy(tag, 0, out, at, tag.length);
                at += tag.length;
            }
            out[at++] = held[i];
            fresh = held[i] == '\n';
        }
        return out;
    }

    private void hold(byte[] bytes, int offset, int length) {
        if (count + length > held.length) {
            held = Arrays.copyOf(held, Math.max(count + length, 2 * held.length));
        }
        System.arraycopy(bytes, offset, held, count, length);
        count += length;
    }

    /** The output itself. After a line that one rank left unended, the next text starts on a line of its own. */
    public static final class Shared {
        private final OutputStream out;
        private boolean midLine;

        public Shared(OutputStream out) {
            this.out = out;
        }

        public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return;
            }
            if (midLine) {
                out.write('\n');
            }
            out.write(bytes, offset, length);
            out.flush();
            midLine = bytes[offset + length - 1] != '\n';
        }

        public void print(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            write(bytes, 0, bytes.length);
        }
    }
}
