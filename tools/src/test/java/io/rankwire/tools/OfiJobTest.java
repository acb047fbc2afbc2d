package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.launch.Fabrics;
import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import io.rankwire.tools.options.UsageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose ranks use libfabric: what they do over TCP they do here, on three providers. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class OfiJobTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);
    private static final String SEED = System.getProperty("rankwire.soak.seed", "20261117");

    @TempDir
    Path jobs;

    @TempDir
    Path ready;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", () -> Command.isEmpty(jobs));
    }

    /** A command that finds the jar; skips the test without the jar or the library. */
    private ProcessBuilder builder(String... words) {
        ProcessBuilder builder = Command.builder(jobs, words);
        builder.command().add(1, "-D" + OfiLibrary.PROPERTY + "=" + OfiClasses.usable());
        return builder;
    }

    private Result command(String... words) throws Exception {
        try (Command command = Command.start(builder(words))) {
            command.endInput();
            return command.result();
        }
    }

    private Result run(String fabric, int ranks, String program, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-n", "" + ranks, "--fabric", fabric, "-cp", CLASSES,
                program));
        words.addAll(List.of(arguments));
        return command(words.toArray(String[]::new));
    }

    @Test
    void shouldRunAnExample() throws Exception {
        Result result = command("run", "-n", "4", "--fabric=ofi", Examples.source("Ring.java"));
        assertEquals("0 the token came back with 6 after 4 ranks\n", result.status() + " " + result.out(),
                result::err);
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @CsvSource({"ofi:net, 4, 6", "ofi:tcp;ofi_rxm, 3, 6", "ofi:sockets, 3, 3"})
    void shouldSurviveASoak(String fabric, int ranks, String rounds) throws Exception {
        Result result = run(fabric, ranks, LargeSoak.class.getName(), SEED, rounds);
        assertEquals(0, result.status(), () -> "seed " + SEED + ": " + result.out() + result.err());
        assertEquals(ranks, result.lines().stream().filter(line -> line.endsWith("soaked true")).count());
        assertEquals("", result.err());
    }

    @ParameterizedTest
    @CsvSource({
        "ofi:net, 4, io.rankwire.tools.CollectivePrograms$Everything",
        "ofi:tcp;ofi_rxm, 4, io.rankwire.tools.CollectivePrograms$Everything",
        "ofi:sockets, 4, io.rankwire.tools.CollectivePrograms$Everything",
        "ofi:net, 3, io.rankwire.tools.WindowPrograms$Everything",
    })
    void shouldDoEverything(String fabric, int ranks, String program) throws Exception {
        Result result = run(fabric, ranks, program);
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals("", result.err());
    }

    @Test
    void shouldJoinOneWorldAfterAnother() throws Exception {
        Result result = run("ofi:net", 2, Programs.name("ManyWorlds"), "5");
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals("", result.err());
    }

    /** Large messages in frames, and by the network itself. */
    @ParameterizedTest
    @CsvSource({"ofi:net, mapped", "ofi:tcp;ofi_rxm, heap", "ofi:sockets, mapped"})
    void shouldEndWhenARankIsKilledInTheMiddle(String fabric, String memory) throws Exception {
        try (Command command = Command.start(builder("run", "-n", "2", "--fabric", fabric, "-cp", CLASSES,
                Programs.name("Stream"), ready.toString(), memory))) {
            for (int rank = 0; rank < 2; rank++) {
                Path file = ready.resolve("pid." + rank);
                Command.await("rank " + rank + " runs", () -> Files.exists(file));
            }
            Command.assertPrivate(jobs);
            kill(command, 1);
        }
    }

    /** The others are in epochs with accesses at it, most of which the network makes. */
    @ParameterizedTest
    @CsvSource({"ofi:net, fence", "ofi:net, lock", "ofi:tcp;ofi_rxm, lockAll", "ofi:sockets, lock"})
    void shouldEndWhenARankIsKilledWhileOthersAccessIt(String fabric, String epoch) throws Exception {
        try (Command command = Command.start(builder("run", "-n", "3", "--fabric", fabric, "-cp", CLASSES,
                WindowPrograms.name("Endless"), ready.toString(), epoch))) {
            for (int rank = 0; rank < 3; rank++) {
                Path file = ready.resolve("pid." + rank);
                Command.await("rank " + rank + " runs", () -> Files.exists(file));
            }
            kill(command, 1);
        }
    }

    /** While its JVM starts, while it opens the library, while ranks find each other, and later. */
    @ParameterizedTest
    @ValueSource(ints = {100, 400, 700, 1100})
    void shouldEndWhenARankIsKilledAtAnyTime(int ms) throws Exception {
        try (Command command = Command.start(builder("run", "-n", "3", "--fabric", "ofi:net", "-cp", CLASSES,
                Programs.name("EndlessRing"), ready.toString()))) {
            Command.await("rank 2 is there", () -> processOf(command, 2) != 0);
            Thread.sleep(ms);
            kill(command, 2);
        }
    }

    /** As between hosts, where ranks know of each other by their connections to rank 0 alone. */
    @Test
    void shouldNameAKilledRankOfAnotherHost() throws Exception {
        try (Command command = Command.start(builder("run", "-n", "2", "--hosts", "localhost:1,127.0.0.1:1",
                "--fabric", "shm+ofi:net", "-cp", CLASSES, Programs.name("EndlessRing"), ready.toString()))) {
            Path file = ready.resolve("pid.1");
            Command.await("rank 1 runs", () -> Files.exists(file));
            kill(command, 1);
        }
    }

    private static void kill(Command command, int rank) throws Exception {
        Set<Long> all = ProcessHandle.of(command.pid()).orElseThrow().descendants().map(ProcessHandle::pid)
                .collect(Collectors.toSet());
        Command.signal(processOf(command, rank), "KILL");
        Result result = command.result();
        assertEquals(137, result.status(), () -> result.out() + result.err());
        assertTrue(result.err().matches("(?s)(.*\n)?rankwire: rank " + rank + " of [^\n]*failed: it was killed.*"),
                result.err());
        assertTrue(!result.out().contains("wrong"), result.out());
        Command.await("no process left", () -> all.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
    }

    /** The process that the launcher has started as this rank, or 0. */
    private static long processOf(Command command, int rank) throws Exception {
        for (ProcessHandle each : ProcessHandle.of(command.pid()).orElseThrow().descendants().toList()) {
            try {
                String variables = Files.readString(Path.of("/proc", "" + each.pid(), "environ"));
                if (("\0" + variables).contains("\0RANKWIRE_RANK=" + rank + "\0")) {
                    return each.pid();
                }
            } catch (IOException e) {
                // It has ended.
            }
        }
        return 0;
    }

    @Test
    void shouldRunBetweenNetworkNamespaces() throws Exception {
        OfiClasses.usable();
        try (SshHosts hosts = new SshHosts(ready, 2)) {
            ProcessBuilder builder = builder("run", "-n", "4", "--hosts", "h0:2,h1:2", "--ssh", hosts.ssh, "--fabric",
                    "shm+ofi:net", "-cp", CLASSES, LargeSoak.class.getName(), SEED, "4");
            builder.command(hosts.on(0, builder.command().toArray(String[]::new)));
            try (Command command = Command.start(builder)) {
                command.endInput();
                Result result = command.result();
                assertEquals("0 ", result.status() + " " + result.err(), result::out);
                assertEquals(4, result.lines().stream().filter(line -> line.endsWith("soaked true")).count());
            }
        }
    }

    /** As under any launcher of a cluster: the jar is on the class path, and the variable is set. */
    @Test
    void shouldRunUnderHydra() throws Exception {
        String classPath = String.join(File.pathSeparator, Launch.locationOf(RankMain.class), OfiClasses.usable(),
                CLASSES);
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mpiexec.hydra")),
                "skipped: needs mpiexec.hydra (Debian package mpich)");
        ProcessBuilder builder = new ProcessBuilder("mpiexec.hydra", "-n", "3", Command.java(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", classPath,
                Programs.name("Sum"));
        builder.environment().putAll(Map.of("RANKWIRE_DIR", jobs.toString(), Fabrics.FABRIC, "ofi:net"));
        try (Command command = Command.start(builder)) {
            command.endInput();
            Result result = command.result();
            assertEquals("0 sum 3.0\nsum 3.0\nsum 3.0\n", result.status() + " " + result.out(), result::err);
            assertEquals("", result.err());
        }
    }

    @Test
    void shouldDescribeTheProvidersOfThisHost() throws Exception {
        OfiClasses.usable();
        Result result = command("doctor");
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertTrue(result.out().matches("(?s).*\nlibfabric +libfabric \\d.*, would choose .*\n +\\S.*"), result.out());
        assertEquals("", result.err());
    }

    @Test
    void shouldSayWhatIsMissing() throws Exception {
        String ofi = OfiClasses.usable();
        Result library = command("run", "-n", "2", "--fabric=ofi", "--jvm", "-Drankwire.libfabric=libnone.so.7 "
                + Command.LIGHT, "-cp", CLASSES, Programs.name("Sum"));
        assertEquals(1, library.status(), library.err());
        assertTrue(library.err().contains("join: there is no libnone.so.7 on this host: install libfabric"),
                library.err());
        Result provider = run("ofi:cheese", 2, Programs.name("Sum"));
        assertEquals(1, provider.status(), provider.err());
        assertTrue(provider.err().contains("no provider cheese"), provider.err());
        ProcessBuilder builder = builder("run", "-n", "2", "--fabric=ofi", "-cp", CLASSES, Programs.name("Sum"));
        builder.command().replaceAll(word -> word.endsWith(ofi) ? word + "/none.jar" : word);
        try (Command command = Command.start(builder)) {
            Result jar = command.result();
            assertEquals(1, jar.status(), jar.err());
            assertEquals("rankwire: fabric ofi needs rankwire-ofi.jar, which is not where it should be, at " + ofi
                    + "/none.jar; build it by `mvn package`, or choose another fabric\n", jar.err());
        }
    }

    @Test
    void shouldRefuseOptionsThatMakeNoSense() {
        String[][] wrong = {
            {"ofi", "--encrypt", "option --encrypt does not go with fabric ofi: what libfabric carries is not"
                    + " encrypted; choose auto, tcp or udp"},
            {"ofi:net", "--ports=5000", "option --ports does not go with --fabric ofi: libfabric chooses its ports"},
            {"ofi:", "--explain", "option --fabric needs a provider of libfabric behind the colon, such as ofi:net,"
                    + " not ofi:"},
            {"tcp:net", "--explain", "option --fabric needs auto, shm, tcp, udp, ofi or shm+ofi, not tcp:net"},
            {"shm+ofi", "--interface=lo", "option --interface needs --fabric tcp, udp or ofi, or --hosts"},
        };
        for (String[] each : wrong) {
            UsageException refused = assertThrows(UsageException.class,
                    () -> RunOptions.parse("-n", "2", "--fabric", each[0], each[1], "Main"));
            assertTrue(refused.getMessage().contains(each[2]), refused.getMessage());
        }
    }
}
