package io.rankwire.tools.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs one at a time, each for a bounded time, in a temporary directory; leaves neither behind. */
final class Workbench implements AutoCloseable {
    private static final int GRACE_MS = 2000;
    private static final int ENDING_MS = 10_000;
    private static final int TOLD_CHARS = 300;

    /** How a program ended: {@code failure} is null when all is well. */
    record Outcome(String failure, List<String> lines, double seconds) {
        boolean ok() {
            return failure == null;
        }
    }

    private final Path directory;
    private final Thread hook = new Thread(this::interrupted, "bench-end");
    private Process running;
    private Runnable lastWords = () -> { };
    private boolean over;

    private Workbench(Path directory) {
        this.directory = directory;
    }

    static Workbench open() throws IOException {
        Workbench bench = new Workbench(Files.createTempDirectory("rankwire-bench-"));
        Runtime.getRuntime().addShutdownHook(bench.hook);
        return bench;
    }

    /** What is done when the command is interrupted, after its programs have been ended. */
    synchronized void onInterrupt(Runnable words) {
        lastWords = words;
    }

    Path directory() {
        return directory;
    }

    /** Runs a program to its end, or kills it and all it started when that takes too long. */
    Outcome run(List<String> command, double limitSeconds) throws IOException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectInput(new File(File.separatorChar == '/' ? "/dev/null" : "NUL"));
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        long start = System.nanoTime();
        Process process = start(builder);
        if (process == null) {
            pause(ENDING_MS);
            throw new IOException("the command is ending");
        }
        boolean ended = await(process, (long) (limitSeconds * 1000));
        double seconds = (System.nanoTime() - start) / 1e9;
        if (isOver()) {
            // The command is being ended and has reported that; this is no result.
            pause(ENDING_MS);
        }
        if (!ended) {
            kill(process);
        }
        String failure = !ended
                ? String.format("did not end within %.0f s and was killed", limitSeconds)
                : process.exitValue() == 0 ? null : "ended with status " + process.exitValue() + firstWords(err, out);
        return new Outcome(failure, read(out), seconds);
    }

    private synchronized boolean isOver() {
        return over;
    }

    private static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Null when the command is being ended. */
    private synchronized Process start(ProcessBuilder builder) throws IOException {
        if (over) {
            return null;
        }
        running = builder.start();
        return running;
    }

    private static boolean await(Process process, long ms) {
        try {
            return process.waitFor(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A launcher that is asked to end takes its ranks along; what is left then is killed. */
    private static void kill(Process process) {
        List<ProcessHandle> family = process.descendants().toList();
        process.destroy();
        await(process, GRACE_MS);
        process.destroyForcibly();
        for (ProcessHandle each : family) {
            each.destroyForcibly();
        }
    }

    private static List<String> read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    }

    /** The first words of what a program said, on one line. */
    private static String firstWords(Path err, Path out) throws IOException {
        List<String> words = new ArrayList<>(read(err));
        words.addAll(read(out));
        words.removeIf(line -> line.isBlank() || line.chars().allMatch(c -> c == '-'));
        String text = String.join(" | ", words);
        return text.isEmpty() ? "" : ": " + (text.length() > TOLD_CHARS ? text.substring(0, TOLD_CHARS) + "..." : text);
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        clear();
    }

    /** Ctrl-C, or another signal that ends the command. */
    private void interrupted() {
        clear();
        System.err.println("\nrankwire: bench: interrupted; what it had started has been ended");
        lastWords.run();
    }

    private synchronized void clear() {
        over = true;
        if (running != null && running.isAlive()) {
            kill(running);
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // A temporary directory that cannot be removed is the system's to sweep.
        }
    }
}
