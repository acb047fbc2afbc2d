package io.rankwire.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Why a rank failed, as the user should read it: the exception with its stack from the user's main method on. */
final class Failure {
    private Failure() {}

    /** Leaves the story where the launcher looks for it, and says on the board that there is one. */
    static void write(JobDirectory directory, Board board, int rank, Throwable thrown) {
        write(directory, board, rank, thrown, Aborted.status(thrown));
    }

    /**
     * The same.
     *
     * @param status what the process exits with
     */
    static void write(JobDirectory directory, Board board, int rank, Throwable thrown, int status) {
        try {
            byte[] story = story(thrown).getBytes(StandardCharsets.UTF_8);
            JobDirectory.write(directory.failure(rank), ByteBuffer.wrap(story));
        } catch (IOException e) {
            // No room for the story, or the job's directory is gone: standard error is what is left.
            thrown.printStackTrace();
        }
        board.failed(rank, status);
    }

    static String story(Throwable thrown) {
        if (thrown instanceof NoProgram || thrown instanceof Aborted) {
            return thrown.getMessage() + System.lineSeparator();
        }
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        trim(thrown, seen);
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    /** Cuts the frames by which we called the program off the bottom of every stack. */
    private static void trim(Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return;
        }
        StackTraceElement[] stack = thrown.getStackTrace();
        int length = stack.length;
        while (length > 0 && isOurs(stack[length - 1])) {
            length--;
        }
        // Nothing but our own frames: they are the story.
        if (length > 0 && length < stack.length) {
            thrown.setStackTrace(Arrays.copyOf(stack, length));
        }
        trim(thrown.getCause(), seen);
        for (Throwable suppressed : thrown.getSuppressed()) {
            trim(suppressed, seen);
        }
    }

    private static boolean isOurs(StackTraceElement frame) {
        String owner = frame.getClassName();
        return owner.startsWith("io.rankwire.launch.")
                || owner.startsWith("io.rankwire.sim.program.")
                || owner.startsWith("jdk.internal.reflect.")
                || owner.startsWith("java.lang.reflect.")
                || owner.startsWith("java.lang.invoke.")
                || owner.equals("java.lang.Thread")
                || owner.equals("java.lang.VirtualThread");
    }
}
