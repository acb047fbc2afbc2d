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
    private boolean fresh = true;

    /** Each line gets {@code tag} in front, which may be blank. */
    public Lines(Shared to, String tag) {
        this.to = to;
        this.tag = tag.getBytes(StandardCharsets.UTF_8);
    }

    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        int complete = 0;
        for (int end = length; end > 0; end--) {
            if (bytes[offset + end - 1] == '\n') {
                complete = end;
                break;
            }
        }
        if (complete == 0) {
            hold(bytes, offset, length);
            return;
        }
        if (count > 0 || tag.length > 0) {
            hold(bytes, offset, complete);
            forward();
        } else {
            to.write(this, bytes, offset, complete);
            fresh = true;
        }
        hold(bytes, offset + complete, length - complete);
    }

    /**
     * Writes an incomplete line as it is, because the stream has ended or because a user at a terminal waits for the
     * line, which may be a prompt.
     */
    public synchronized void finish() throws IOException {
        if (count > 0) {
            forward();
        }
    }

    private void forward() throws IOException {
        if (tag.length == 0) {
            to.write(this, held, 0, count);
        } else {
            byte[] tagged = tagged();
            to.write(this, tagged, 0, tagged.length);
        }
        fresh = held[count - 1] == '\n';
        count = 0;
    }

    private byte[] tagged() {
        int lines = fresh ? 1 : 0;
        for (int i = 0; i < count - 1; i++) {
            lines += held[i] == '\n' ? 1 : 0;
        }
        byte[] out = new byte[count + lines * tag.length];
        int at = 0;
        boolean start = fresh;
        for (int i = 0; i < count; i++) {
            if (start) {
                System.arraycopy(tag, 0, out, at, tag.length);
                at += tag.length;
            }
            out[at++] = held[i];
            start = held[i] == '\n';
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

    /** The output itself. After a line that one rank left unended, another's text starts on a line of its own. */
    public static final class Shared {
        private final OutputStream out;
        private boolean midLine;
        private Lines last;

        public Shared(OutputStream out) {
            this.out = out;
        }

        private synchronized void write(Lines from, byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return;
            }
            if (midLine && from != last) {
                out.write('\n');
            }
            last = from;
            out.write(bytes, offset, length);
            out.flush();
            midLine = bytes[offset + length - 1] != '\n';
        }

        public void print(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            write(null, bytes, 0, bytes.length);
        }
    }
}
