package io.rankwire.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * Passes one stream of a rank on, in whole lines, until it ends. What a JVM says before it runs the program is kept
 * back for a while: a signal that ends it then makes it print messages about nothing that a user could change.
 */
final class OutputPump extends Thread {
    private static final int STACK_BYTES = 128 << 10;

    private static final long QUESTION_NS = 100_000_000;
    /** A JVM that lives on after its message, such as one that waits for a debugger, printed it for the user. */
    private static final long HELD_NS = 2_000_000_000;

    private final InputStream from;
    private final Lines to;
    /** Whether the program runs, and the text is its own. */
    private final BooleanSupplier started;
    private final Runnable onEnd;
    /** Text from before that; null when there can be none any more. */
    private ByteArrayOutputStream held = new ByteArrayOutputStream();
    private volatile boolean writing;
    /** Why text could not be passed on; null while it can. */
    private volatile IOException broken;
    private volatile long lastNs;

    /**
     * @param started whether the program runs
     * @param onEnd called once the stream has ended
     */
    OutputPump(InputStream from, Lines to, BooleanSupplier started, Runnable onEnd) {
        super(null, null, "output", STACK_BYTES, false);
        this.started = started;
        this.onEnd = onEnd;
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
            if (open && !holds(buffer, count)) {
                open = forward(buffer, count);
            }
            writing = false;
            if (count < 0) {
                onEnd.run();
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

    private synchronized boolean holds(byte[] buffer, int count) {
        if (held != null && started.getAsBoolean()) {
            release();
        }
        if (held != null && count > 0) {
            held.write(buffer, 0, count);
        }
        return held != null;
    }

    /** Passes on what was kept back. */
    synchronized void release() {
        if (held != null) {
            byte[] text = held.toByteArray();
            held = null;
            forward(text, text.length);
            if (!isAlive()) {
                forward(text, -1);
            }
        }
    }

    /** Passes it on when the program runs by now, or the JVM has lived on for a while. */
    synchronized void releaseWhenDue() {
        if (held != null && (started.getAsBoolean() || held.size() > 0 && System.nanoTime() - lastNs > HELD_NS)) {
            release();
        }
    }

    /** Whether the JVM has said one of these before it ran the program. */
    synchronized boolean says(String... words) {
        String text = held == null ? "" : held.toString(StandardCharsets.ISO_8859_1);
        for (String each : words) {
            if (text.contains(each)) {
                return true;
            }
        }
        return false;
    }

    /** False when it cannot be written: the rank's text is then drained until the job ends, so that it can end. */
    private boolean forward(byte[] buffer, int count) {
        try {
            if (count < 0) {
                to.finish();
            } else {
                to.write(buffer, 0, count);
            }
            return true;
        } catch (IOException e) {
            broken = e;
            return false;
        }
    }

    IOException broken() {
        return broken;
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
