package io.rankwire.tools;

import io.rankwire.launch.Lines;
import java.io.IOException;
import java.io.InputStream;

/** Passes one stream of a rank on, in whole lines, until it ends. */
final class OutputPump extends Thread {
    private static final int STACK_BYTES = 128 << 10;

    private static final long QUESTION_NS = 100_000_000;

    private final InputStream from;
    private final Lines to;
    private volatile boolean writing;
    private volatile long lastNs;

    OutputPump(InputStream from, Lines to) {
        super(null, null, "output", STACK_BYTES, false);
        this.from = from;
        this.to = to;
        setDaemon(true);
    }

    @Override
    public void run() {
        byte[] buffer = new byte[16 << 10];
        boolean open = true;
        while (true) {
            int count = read(buffer);
            writing = true;
            lastNs = System.nanoTime();
            if (open) {
                open = forward(buffer, count);
            }
            writing = false;
            if (count < 0) {
                return;
            }
        }
    }

    private int read(byte[] buffer) {
        try {
            return from.read(buffer);
        } catch (IOException e) {
            // The process has gone and its pipe was closed under us.
            return -1;
        }
    }

    /** False when nobody reads our output any more: the rank's is then drained, so that the rank does not stall. */
    private boolean forward(byte[] buffer, int count) {
        try {
            if (count < 0) {
                to.finish();
            } else {
                to.write(buffer, 0, count);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Shows a line without an end when nothing has come for a while: the program may have asked something. */
    void showQuestion() {
        if (!writing && isAlive() && System.nanoTime() - lastNs > QUESTION_NS) {
            forward(new byte[0], -1);
        }
    }

    /** Waits for the end of the stream, and no longer than {@code ms} while nothing comes. */
    void finish(int ms) {
        try {
            do {
                join(ms);
            } while (isAlive() && writing);
            if (isAlive()) {
                forward(new byte[0], -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
