package io.rankwire.tools;

import io.rankwire.launch.Lines;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** The output of the ranks of a job on several hosts, in whole lines, and the messages of the launcher. */
final class JobOutput {
    private static final long QUESTION_NS = 100_000_000;

    private final Lines.Shared out = new Lines.Shared(new FileOutputStream(FileDescriptor.out));
    private final Lines.Shared err =
            RunCommand.isOneOutput() ? out : new Lines.Shared(new FileOutputStream(FileDescriptor.err));
    /** Of each rank its output and its error output. */
    private final Lines[][] lines;
    private final int size;
    private volatile IOException broken;
    private volatile long lastNs;
    private final String[] names;

    /** @param places the number of ranks, those that come later included */
    JobOutput(int size, int places, boolean tag) {
        this.size = size;
        names = new String[places];
        lines = new Lines[places][];
        for (int rank = 0; rank < places; rank++) {
            String before = tag ? "[" + rank + "] " : "";
            lines[rank] = new Lines[] {new Lines(out, before), new Lines(err, before)};
        }
    }

    /** Sets the host of a rank. */
    void name(int rank, String host) {
        names[rank] = host;
    }

    String name(int rank) {
        return rank < size ? "rank " + rank + " of " + size + " on " + names[rank] : shortName(rank);
    }

    String shortName(int rank) {
        return "rank " + rank + (names[rank] == null ? "" : " on " + names[rank]);
    }

    void write(int rank, boolean isError, byte[] bytes) {
        lastNs = System.nanoTime();
        try {
            lines[rank][isError ? 1 : 0].write(bytes, 0, bytes.length);
        } catch (IOException e) {
            broken = e;
        }
    }

    /** Writes lines that have no end. */
    void finish() {
        for (Lines[] both : lines) {
            finish(both[0]);
            finish(both[1]);
        }
    }

    private void finish(Lines of) {
        try {
            of.finish();
        } catch (IOException e) {
            broken = e;
        }
    }

    /** With a person at the terminal, what rank 0 has asked must be seen before it is answered. */
    void showQuestion() {
        if (Main.IS_TERMINAL && System.nanoTime() - lastNs > QUESTION_NS) {
            finish(lines[0][0]);
        }
    }

    /** Why output could not be written, or null. */
    IOException broken() {
        return broken;
    }

    void bound(int rank, String processors) {
        say(name(rank) + (processors.isEmpty() ? ": not bound" : ": bound to processors " + processors));
    }

    void say(String what) {
        try {
            err.print("rankwire: " + what + "\n");
        } catch (IOException e) {
            // The reader has gone.
        }
    }
}
