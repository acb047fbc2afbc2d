package io.rankwire.tools;

import java.io.PrintStream;

/**
 * Shows that a long command goes on, and how far it is: at a terminal in one line that is rewritten every second, else
 * in a new line every ten seconds. Results that are printed through it stand in lines of their own.
 */
public final class StatusLine implements AutoCloseable {
    private static final int TERMINAL_MS = 1000;
    private static final int LINE_MS = 10_000;
    private static final String ERASE = "\r\033[K";

    private final PrintStream results;
    private final PrintStream status;
    private final boolean rewrites;
    private final long intervalMs;
    private final Thread thread = Thread.ofPlatform().daemon().name("status-line").unstarted(this::repeat);
    private final long start = System.nanoTime();
    private String doing;
    private boolean shown;
    private boolean closed;

    /** @param status where lines about the state go when the output is not a terminal */
    public static StatusLine open(PrintStream results, PrintStream status) {
        return new StatusLine(results, Main.IS_TERMINAL ? results : status, Main.IS_TERMINAL,
                Main.IS_TERMINAL ? TERMINAL_MS : LINE_MS);
    }

    StatusLine(PrintStream results, PrintStream status, boolean rewrites, long intervalMs) {
        this.results = results;
        this.status = status;
        this.rewrites = rewrites;
        this.intervalMs = intervalMs;
        thread.start();
    }

    /** What is being done from now on; short where the line is rewritten. */
    public synchronized void doing(String what) {
        doing = what;
    }

    /** A result. */
    public synchronized void println(String line) {
        erase();
        results.println(line);
        results.flush();
    }

    private void erase() {
        if (shown) {
            status.print(ERASE);
            status.flush();
            shown = false;
        }
    }

    private synchronized void repeat() {
        try {
            while (!closed) {
                // A notification can only be that of the end.
                wait(intervalMs);
                if (!closed && doing != null) {
                    show();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show() {
        String line = doing + ", " + (System.nanoTime() - start) / 1_000_000_000 + " s";
        if (rewrites) {
            status.print(ERASE + line);
            shown = true;
        } else {
            status.println(line);
        }
        status.flush();
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        erase();
    }
}
