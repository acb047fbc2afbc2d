package io.rankwire.tools;

import io.rankwire.launch.Lines;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;

/** The output of the ranks of a job on several hosts, in whole lines, and the messages of the launcher. */
final class JobOutput {
    private static final long QUESTION_NS = 100_000_000;

    private final Lines.Shared out = new Lines.Shared(new FileOutputStream(FileDescriptor.out));
    private final Lines.Shared err =
            RunCommand.isOneOutput() ? out : new Lines.Shared(new FileOutputStream(FileDescriptor.err));
    /** Of each rank its output and its error output. */
    private final Lines[][] lines;
    private volatile IOException broken;
    private volatile long lastNs;
    private List<String> names = List.of();

    JobOutput(int size, boolean tag) {
        lines = new Lines[size][];
        for (int rank = 0; rank < size; rank++) {
            String before = tag ? "[" + rank + "] " : "";
            lines[rank] = new Lines[] {new Lines(out, before), new Lines(err, before)};
        }
    }

    /** Sets the hosts of all ranks. */
    void names(List<String> ofRanks) {
        names = ofRanks;
    }

    String name(int rank) {
        return "rank " + rank + " of " + lines.length + " on " + names.get(rank);
    }

    String shortName(int rank) {
        return "rank " + rank + " on " + names.get(rank);
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
