package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A job whose ranks are started by hand: real processes with the variables that a user would set. */
final class HandStarted implements AutoCloseable {
    private static final long MINUTES = 3;

    /** One process and where its output goes. */
    record Started(Process process, Path output) {
        String text() throws IOException {
            return Files.readString(output);
        }

        /** Waits until the process has written this. */
        Started awaitText(String text) throws IOException, InterruptedException {
            long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
            while (!text().contains(text)) {
                assertTrue(process.isAlive() || text().contains(text),
                        () -> "ended without \"" + text + "\": " + all());
                assertTrue(System.nanoTime() - until < 0, () -> "no \"" + text + "\" in: " + all());
                Thread.sleep(5);
            }
            return this;
        }

        /** The exit status. */
        int awaitEnd() throws InterruptedException {
            assertTrue(process.waitFor(MINUTES, TimeUnit.MINUTES), () -> "still running: " + all());
            return process.exitValue();
        }

        private String all() {
            try {
                return text();
            } catch (IOException e) {
                return e.toString();
            }
        }

        /** Sends a signal by its name. */
        void signal(String name) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        }
    }

    private final Path directory;
    private final Path secret;
    private final int size;
    private final List<Started> all = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();
    String root;

    /** A job of {@code size} ranks; its files lie in a directory of the test. */
    HandStarted(Path directory, int size) throws IOException {
        this.directory = directory;
        this.size = size;
        Files.createDirectories(jobs());
        secret = secret("secret", "0123456789abcdef0123456789abcdef");
        root = "127.0.0.1:" + freePort();
        variables.put(JobDirectory.ROOT_VARIABLE, jobs().toString());
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    Path secret(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** Where jobs keep their files; empty when none is left. */
    Path jobs() {
        return directory.resolve("jobs");
    }

    List<String> leftovers() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(jobs())) {
            entries.forEach(entry -> names.add(entry.toString()));
        }
        return names;
    }

    HandStarted set(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    /** Starts all ranks, {@code aHost} of them on each host. */
    List<Started> startAll(int aHost, Class<?> program, String... args) throws IOException {
        for (int rank = 0; rank < size; rank++) {
            start(rank, "host" + rank / aHost, program, args);
        }
        return all;
    }

    /** Starts a rank on a host of this name, which stands for one. */
    Started start(int rank, String host, Class<?> program, String... args) throws IOException {
        return start(List.of(), rank, Map.of(NetworkSettings.HOST, host), program, args);
    }

    /**
     * Starts a rank.
     *
     * @param before what stands before the command
     * @param more variables for this rank alone
     */
    Started start(List<String> before, int rank, Map<String, String> more, Class<?> program, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(Arrays.asList(args));
        Path output = directory.resolve("output." + all.size());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("RANKWIRE_"));
        environment.put(ProcessJob.RANK, Integer.toString(rank));
        environment.put(ProcessJob.SIZE, Integer.toString(size));
        environment.put(NetworkSettings.ROOT, root);
        environment.put(NetworkSettings.SECRET_FILE, secret.toString());
        environment.putAll(variables);
        environment.putAll(more);
        Started started = new Started(builder.start(), output);
        all.add(started);
        return started;
    }

    @Override
    public void close() {
        for (Started each : all) {
            // Its files lie in a directory that is removed soon.
            each.process().destroyForcibly().onExit().join();
        }
    }
}
