package io.rankwire.tools;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A wait for the Enter key, by someone who may also press Ctrl-C. */
final class Pause {
    private final boolean canEnter = !JobInput.isInBackground();
    private volatile boolean over;

    Pause() {
        if (canEnter) {
            Thread reader = new Thread(this::read, "rankwire-pause");
            reader.setDaemon(true);
            reader.start();
        }
    }

    private void read() {
        try (InputStream in = new FileInputStream(FileDescriptor.in)) {
            int next = in.read();
            while (next >= 0 && next != '\n') {
                next = in.read();
            }
            // The end of the input is no key.
            over = next == '\n';
        } catch (IOException e) {
            // The same.
        }
    }

    String how() {
        return canEnter ? "Enter or Ctrl-C ends it" : "a signal to process " + ProcessHandle.current().pid()
                + " ends it";
    }

    boolean isOver() {
        return over;
    }
}
