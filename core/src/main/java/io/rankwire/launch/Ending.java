package io.rankwire.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a rank failed.
 *
 * @param rank -1 for all of them, when they are threads of one process
 */
public record Ending(int rank, int status, boolean bySignal, String why) {
    static final String NEVER_CLOSED = "it ended with status 0 but never closed its World: call close(), or"
            + " open it with try (World world = World.join())";
    private static final String NEVER_FINALIZED = "it ended with status 0 but never called MPI.Finalize";

    private static final String NO_THREAD = "java.lang.OutOfMemoryError: unable to create native thread";
    /** There was no room for the story, which is on standard error then. */
    private static final String NO_STORY = "it threw an exception, see above\n";
    /** What a sentence about a rank begins with. */
    private static final String IT = "it ";
    /** The status of a process that a signal has ended is this and the signal's number. */
    static final int SIGNALLED = 128;
    /** Of a signal. */
    static final String ENDED_EARLY = " before its program began";

    /**
     * What became of a rank whose process has ended with {@code status}, or null when all is well.
     *
     * @param isMpi whether its program is written for the package mpi
     * @param isCommand whether it is any program, and not one that the launcher has a JVM run
     */
    public static Ending of(Board board, int rank, int status, boolean isMpi, boolean isCommand) {
        if (board.failure(rank) >= 0) {
            return thrown(board, rank);
        }
        if (status == 0) {
            String open = isMpi ? NEVER_FINALIZED : NEVER_CLOSED;
            return board.stillOpen(rank) ? new Ending(rank, 1, false, open) : null;
        }
        String signal = signal(status - SIGNALLED);
        boolean said = board.endedAt(rank) != 0;
        if (signal != null && !said) {
            String hint = status == 134 || status == 139 ? "; its JVM crashed, see the hs_err_pid file it names" : "";
            return new Ending(rank, status, true, "it was killed by " + signal + hint);
        }
        if (signal != null) {
            return new Ending(rank, status, true, "it exited with status " + status + ", as after " + signal);
        }
        boolean started = isCommand || board.pid(rank) != 0;
        return new Ending(rank, status, false, "it exited with status " + status
                + (started ? "" : " before its program began: the JVM's message is above"));
    }

    /** The process of all ranks has ended, and none of them has reported why. */
    public static Ending ofAll(Board board, int status, boolean isMpi) {
        if (board.aborted()) {
            return new Ending(-1, status, false, board.abortReason() + ", with status " + status);
        }
        Ending of = of(board, 0, status, isMpi, false);
        return new Ending(-1, status, of.bySignal, "the process of all ranks" + of.why.substring("it".length()));
    }

    /** A rank whose process ended before its program began. */
    public static Ending early(int rank, int status, String why) {
        boolean bySignal = why.equals(ENDED_EARLY);
        String signal = signal(status - SIGNALLED);
        return new Ending(rank, status, bySignal, !bySignal ? why
                : "it was ended by " + (signal == null ? "a signal" : signal) + why);
    }

    /** A rank that has written the stack of an exception to its file. */
    public static Ending thrown(Board board, int rank) {
        return new Ending(rank, board.failure(rank), false, "");
    }

    /**
     * The report of the failure, with the exception and its stack last.
     *
     * @param who the name of the rank, for one that is not -1
     */
    public String story(String who, JobDirectory directory) {
        if (rank < 0) {
            return "the job failed: " + why;
        }
        if (!why.isEmpty()) {
            return who + " failed: " + why;
        }
        String text = read(directory.failure(rank));
        if (text.startsWith(NO_THREAD) && (text.contains("at io.rankwire.launch.") || text.contains(".World.join("))) {
            // Not by the program: it has hardly begun.
            return who + " failed: " + Limits.noThread();
        }
        return who + " failed: " + (text.indexOf('\n') == text.length() - 1 ? "" : "it threw an exception\n") + text;
    }

    /** Why this rank is dead, in one sentence that names it. */
    String cause(JobDirectory directory) {
        if (!why.isEmpty()) {
            String who = "rank " + rank;
            return why.startsWith(IT) ? who + why.substring(IT.length() - 1) : who + " failed: " + why;
        }
        return cause(rank, read(directory.failure(rank)));
    }

    /** Why a rank is dead that has thrown this. */
    public static String cause(int rank, Throwable thrown) {
        return cause(rank, thrown instanceof Aborted ? thrown.getMessage() + "\n" : thrown + "\n at its end");
    }

    /** @param text the story that the rank has left */
    private static String cause(int rank, String text) {
        String who = "rank " + rank;
        int end = text.indexOf('\n');
        String line = end < 0 ? text : text.substring(0, end).stripTrailing();
        return line.startsWith(IT) ? who + line.substring(IT.length() - 1)
                : who + (end < text.length() - 1 ? " threw " : " failed: ") + line;
    }

    /** Whether the user may have ended the whole job by a signal, which its ranks have seen first. */
    boolean maybeByUser() {
        return bySignal && (status == SIGNALLED + 1 || status == SIGNALLED + 2 || status == SIGNALLED + 15);
    }

    private static String read(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.isEmpty() ? NO_STORY : text;
        } catch (IOException e) {
            return NO_STORY;
        }
    }

    /** The name of a signal; null if there is none of this number. */
    public static String signal(int number) {
        return switch (number) {
            case 1 -> "signal 1 (SIGHUP)";
            case 2 -> "signal 2 (SIGINT)";
            case 3 -> "signal 3 (SIGQUIT)";
            case 4 -> "signal 4 (SIGILL)";
            case 6 -> "signal 6 (SIGABRT)";
            case 7 -> "signal 7 (SIGBUS)";
            case 8 -> "signal 8 (SIGFPE)";
            case 9 -> "signal 9 (SIGKILL)";
            case 11 -> "signal 11 (SIGSEGV)";
            case 13 -> "signal 13 (SIGPIPE)";
            case 15 -> "signal 15 (SIGTERM)";
            default -> number > 0 && number < 65 ? "signal " + number : null;
        };
    }
}
