package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.rankwire.launch.RankMain;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;

/** Runs the command line as a user would: a process of its own, with a place for job files of its own. */
final class Command implements AutoCloseable {
    /**
     * Options for the JVMs of ranks whose program ends within a second or so. The optimising compiler of each rank
     * would use more processor time than the program does.
     */
    static final String LIGHT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final int LIMIT_SECONDS = 240;
    private static final String MAIN = "io.rankwire.tools.Main";
    /** SIGHUP, SIGINT, SIGQUIT and SIGTERM, as the system's masks have them. */
    private static final long ENDING_SIGNALS = 0x4007;

    /** The begin of each command. */
    private static final List<String> LAUNCHER = launcher();

    static {
        // As after a build, so that hundreds of ranks start faster; only a jar can have an archive.
        ClassArchive.make();
    }

    /**
     * As the script after a build, so that hundreds of commands start faster: with an archive of the classes that a
     * start loads, which only jars can have.
     */
    private static List<String> launcher() {
        List<String> line = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-XX:-UsePerfData"));
        String core = Launch.locationOf(RankMain.class);
        String tools = Launch.locationOf(Main.class);
        Path place = place("launcher").toAbsolutePath();
        Path archive = place.resolve("launcher.jsa");
        if (Files.isRegularFile(Path.of(core)) && Files.isDirectory(Path.of(tools))) {
            Path jar = place.resolve("tools.jar");
            try {
                Files.createDirectories(place);
                Files.deleteIfExists(archive);
                int status = ToolProvider.findFirst("jar").orElseThrow()
                        .run(System.out, System.err, "cf", jar.toString(), "-C", tools, ".");
                List<String> rehearsal = new ArrayList<>(line);
                rehearsal.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:cds*=off", "-Xlog:aot*=off",
                        "-cp", jar + File.pathSeparator + core, MAIN, "run", "-n", "1", "--timeout", "60", "-cp",
                        Launch.locationOf(Programs.class), Programs.name("Ring"), "1"));
                if (status == 0 && new ProcessBuilder(rehearsal).redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0
                        && Files.isRegularFile(archive)) {
                    tools = jar.toString();
                    line.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off", "-Xlog:aot*=off"));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        line.addAll(List.of("-cp", tools + File.pathSeparator + core, MAIN));
        return List.copyOf(line);
    }

    /** A directory below target for files that the tests of this process make once. */
    static Path place(String name) {
        return Path.of("target", name);
    }

    record Result(int status, String out, String err, long ms) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    private final Process process;
    private final FutureTask<String> out;
    private final FutureTask<String> err;
    private final long start = System.nanoTime();

    private Command(Process process) {
        this.process = process;
        out = reading(process.getInputStream());
        err = reading(process.getErrorStream());
    }

    static List<String> line(String... args) {
        List<String> command = new ArrayList<>(LAUNCHER);
        command.addAll(List.of(args));
        return command;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    static ProcessBuilder builder(Path jobs, String... args) {
        ProcessBuilder builder = new ProcessBuilder(line(args));
        builder.environment().put("RANKWIRE_DIR", jobs.toString());
        return builder;
    }

    static Command start(ProcessBuilder builder) throws IOException {
        if (ignoresSignals()) {
            List<String> line = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,QUIT,TERM"));
            line.addAll(builder.command());
            builder.command(line);
        }
        return new Command(builder.start());
    }

    /**
     * Whether a signal that ends programs ends none of those that these tests start. A shell without job control has
     * what it runs in the background ignore SIGINT, and nohup SIGHUP, and so do all children.
     */
    private static boolean ignoresSignals() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & ENDING_SIGNALS) != 0);
    }

    static Command start(Path jobs, String... args) throws IOException {
        return start(builder(jobs, args));
    }

    static Result run(Path jobs, String... args) throws Exception {
        try (Command command = start(jobs, args)) {
            return command.result();
        }
    }

    static Result run(Path jobs, Map<String, String> environment, String input, String... args) throws Exception {
        ProcessBuilder builder = builder(jobs, args);
        builder.environment().putAll(environment);
        try (Command command = start(builder)) {
            command.process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            command.process.getOutputStream().close();
            return command.result();
        }
    }

    private static FutureTask<String> reading(InputStream stream) {
        Callable<String> all = () -> new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        FutureTask<String> task = new FutureTask<>(all);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    long pid() {
        return process.pid();
    }

    void signal(String name) throws Exception {
        signal(process.pid(), name);
    }

    static void signal(long pid, String name) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("kill -" + name + " " + pid + " ended with " + status);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    Result result() throws Exception {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the command did not end within " + LIMIT_SECONDS + " s");
        }
        long ms = (System.nanoTime() - start) / 1_000_000;
        return new Result(process.exitValue(), out.get(LIMIT_SECONDS, TimeUnit.SECONDS),
                err.get(LIMIT_SECONDS, TimeUnit.SECONDS), ms);
    }

    /** Waits until something has become true, or fails after minutes. */
    static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + LIMIT_SECONDS * 1_000_000_000L;
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("after " + LIMIT_SECONDS + " s still not: " + what);
            }
            Thread.sleep(5);
        }
    }

    /** A limit that holds on a machine that is not busy; it is ten times as long when more runs than has room. */
    static int patience(int ms) throws IOException {
        Path file = Path.of("/proc/loadavg");
        if (!Files.exists(file)) {
            return ms;
        }
        String[] words = Files.readString(file).split("[ /]");
        double crowd = Math.max(Double.parseDouble(words[0]), Double.parseDouble(words[3]));
        return crowd <= Runtime.getRuntime().availableProcessors() ? ms : 10 * ms;
    }

    static boolean isEmpty(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    /** Checks that other users can use neither the directories of the jobs that run nor what is in them. */
    static void assertPrivate(Path jobs) throws IOException {
        List<String> open = new ArrayList<>();
        Files.walkFileTree(jobs, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                return directory.equals(jobs) ? FileVisitResult.CONTINUE : visitFile(directory, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                if (!mode.endsWith("------")) {
                    open.add(mode + " " + file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // It was removed meanwhile.
                return FileVisitResult.CONTINUE;
            }
        });
        assertEquals(List.of(), open);
        assertFalse(isEmpty(jobs));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
