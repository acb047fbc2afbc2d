package io.rankwire.tools;

import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * Shows that a long command goes on, and how far it is: at a terminal in one line that is rewritten every second, else
 * in a new line every minute. Results that are printed through it stand in lines of their own. What an interrupted
 * command has so far can be its last words.
 */
public final class StatusLine implements AutoCloseable {
    private static final int TERMINAL_MS = 1000;
    private static final int LINE_MS = 60_000;
    /** Another number of milliseconds from line to line, for tests. */
    private static final String EVERY = "rankwire.statusMs";
    private static final String ERASE = "\r\033[K";

    private final PrintStream results;
    private final PrintStream status;
    private final PrintStream notes;
    private final boolean rewrites;
    private final long intervalMs;
    private final Thread thread = Thread.ofPlatform().daemon().name("status-line").unstarted(this::repeat);
    private final long start = System.nanoTime();
    private String doing;
    private boolean shown;
    private boolean closed;
    /** Runs when the command is interrupted; null for none. */
    private Thread hook;

    /** @param status where lines about the state go when the output is not a terminal */
    public static StatusLine open(PrintStream results, PrintStream status) {
        return new StatusLine(results, Main.IS_TERMINAL ? results : status, status, Main.IS_TERMINAL,
                Integer.getInteger(EVERY, Main.IS_TERMINAL ? TERMINAL_MS : LINE_MS));
    }

    StatusLine(PrintStream results, PrintStream status, boolean rewrites, long intervalMs) {
        this(results, status, status, rewrites, intervalMs);
    }

    private StatusLine(PrintStream results, PrintStream status, PrintStream notes, boolean rewrites,
            long intervalMs) {
        this.results = results;
        this.status = status;
        this.notes = notes;
        this.rewrites = rewrites;
        this.intervalMs = intervalMs;
        thread.start();
    }

    /** What is being done from now on; short where the line is rewritten. */
    public synchronized void doing(String what) {
        doing = what;
    }

    /** A result. */
    public void println(String line) {
        print(results, line);
    }

    /** A line that is no result. */
    public void note(String line) {
        print(notes, line);
    }

    private synchronized void print(PrintStream to, String line) {
        erase();
        to.println(line);
        to.flush();
    }

    /** What is printed as the last result if the command is interrupted before it closes this; blank for nothing. */
    public synchronized void onInterrupt(Supplier<String> words) {
        hook = new Thread(() -> interrupted(words), "status-line-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The last result; nothing if an interruption has printed its own. */
    public synchronized void finish(String line) {
        if (!closed) {
            forgetHook();
            end();
            print(results, line);
        }
    }

    private synchronized void interrupted(Supplier<String> words) {
        if (!closed) {
            end();
            String text = words.get();
            if (!text.isBlank()) {
                print(results, text);
            }
        }
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

    /** Does nothing while the command is being interrupted: the hook then prints the last words, and ends this. */
    @Override
    public synchronized void close() {
        if (!closed && forgetHook()) {
            end();
        }
    }

    /** False if the command is being ended, so that the hook runs. */
    private boolean forgetHook() {
        try {
            if (hook != null) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private void end() {
        closed = true;
        notifyAll();
        erase();
    }
}
