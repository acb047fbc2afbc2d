package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.spi.ToolProvider;

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

    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(10_000 + (int) (ProcessHandle.current().pid() % 1_000) * 16);
    /** The options of each JVM; it ends within seconds. */
    private static final List<String> LIGHT = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-XX:-UsePerfData", "-Xlog:cds*=off", "-Xlog:aot*=off");

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

    /** A port below those that the system gives to connections, so that none of them takes it meanwhile. */
    static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = new ServerSocket(10_000 + (NEXT_PORT.getAndIncrement() - 10_000) % 20_000)) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Another one then.
            }
        }
    }

    /** What all ranks load, with an archive of their classes, so that a hundred of them start faster. */
    private static final class Classes {
        private static final Path PLACE =
                Path.of("target", "hand" + System.getProperty("rankwire.test.fork", "")).toAbsolutePath();
        private static final String JAR = PLACE.resolve("all.jar").toString();
        private static final String ARCHIVE = PLACE.resolve("all.jsa").toString();

        static {
            try {
                Files.createDirectories(PLACE);
                Files.deleteIfExists(Path.of(ARCHIVE));
                List<String> words = new ArrayList<>(List.of("cf", JAR));
                for (Class<?> type : List.of(NetworkJob.class, HandStarted.class)) {
                    words.addAll(List.of("-C", Path.of(type.getProtectionDomain().getCodeSource().getLocation()
                            .toURI()).toString(), "."));
                }
                ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, words.toArray(String[]::new));
                Path files = PLACE.resolve("rehearsal");
                try (HandStarted job = new HandStarted(files, 2).set(Fabrics.FABRIC, Fabrics.TCP)) {
                    job.start(List.of(), 0, List.of(), Map.of(), Talks.class);
                    job.start(List.of(), 1, List.of("-XX:ArchiveClassesAtExit=" + ARCHIVE), Map.of(), Talks.class);
                    job.all.get(1).awaitEnd();
                }
            } catch (IOException | InterruptedException | URISyntaxException e) {
                throw new IllegalStateException(e);
            }
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

    /** All that were started, in that order. */
    List<Started> ranks() {
        return all;
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
        return start(before, rank, List.of("-XX:SharedArchiveFile=" + Classes.ARCHIVE), more, program, args);
    }

    private Started start(List<String> before, int rank, List<String> options, Map<String, String> more,
            Class<?> program, String... args) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LIGHT);
        command.addAll(options);
        command.addAll(List.of("-cp", Classes.JAR, program.getName()));
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
