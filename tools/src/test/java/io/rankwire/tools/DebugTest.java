package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.World;
import io.rankwire.tools.Command.Result;
import io.rankwire.tools.options.UsageException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Debuggers at ranks, with the debugger of the JDK. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class DebugTest {
    private static final String CLASSES = Launch.locationOf(DebugTest.class);
    private static final Pattern ATTACH = Pattern.compile("rank (\\d+) .*jdb -attach (\\d+)");

    @TempDir
    Path jobs;

    @TempDir
    Path place;

    /** Rank 1 does what its argument says before it sends what rank 0 waits for. */
    static final class Sum {
        private static long rounds;

        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                int[] sum = new int[1];
                if (all.rank() == 1) {
                    step(all, args[0]);
                    all.send(new int[] {40}, 0, 3);
                } else if (all.rank() == 0) {
                    all.receive(sum, 1, 3);
                    System.out.println("sum " + sum[0]);
                }
            }
        }

        private static void step(Communicator all, String what) {
            switch (what) {
                case "fail" -> throw new IllegalStateException("as wanted");
                case "wrong" -> all.send(new int[1], 77, 1);
                case "compute" -> compute();
                default -> { }
            }
        }

        private static void compute() {
            while (rounds >= 0) {
                rounds++;
            }
        }
    }

    private ProcessBuilder builder(Path err, String... options) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options));
        return Command.builder(jobs, words.toArray(new String[0])).redirectError(err.toFile());
    }

    /** The port at which a rank listens for a debugger, once the launcher has said so. */
    private static int port(Path err, int rank) throws Exception {
        int[] port = new int[1];
        Command.await("rank " + rank + " listens", () -> {
            Matcher found = ATTACH.matcher(Files.readString(err));
            while (found.find()) {
                port[0] = found.group(1).equals("" + rank) ? Integer.parseInt(found.group(2)) : port[0];
            }
            return port[0] != 0;
        });
        return port[0];
    }

    @Test
    void shouldWaitForADebuggerAtOneRank() throws Exception {
        Path err = place.resolve("err");
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
            Result taken = Command.run(jobs, "run", "-n", "2", "--debug", "1:" + free, "-cp", CLASSES,
                    Sum.class.getName(), "go");
            assertEquals(1, taken.status());
            assertTrue(taken.err().contains("port " + free + " of 127.0.0.1 is in use"), taken.err());
        }
        try (Command job = Command.start(builder(err, "-n", "2", "--debug", "1:" + free, "-cp", CLASSES,
                Sum.class.getName(), "go")); Jdb jdb = Jdb.attach(port(err, 1))) {
            assertEquals(free, port(err, 1));
            jdb.untilStopped("VM Started").type("stop in " + Sum.class.getName() + ".step")
                    .until("Deferring breakpoint");
            jdb.type("cont").untilStopped("Breakpoint hit: ").type("print what").until("what = \"go\"");
            String listed = tool("jps", "-m");
            assertTrue(listed.contains(" RankMain rank=0 " + Sum.class.getName() + " go\n"), listed);
            jdb.type("clear " + Sum.class.getName() + ".step").until("Removed: ").type("cont");
            Result result = job.result();
            assertEquals(0, result.status(), Files.readString(err));
            assertEquals("sum 40\n", result.out());
            assertEquals(1, Files.readString(err).lines().count(), Files.readString(err));
        }
        assertTrue(Command.isEmpty(jobs));
    }

    private static String tool(String name, String... options) throws Exception {
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", name).toString()));
        line.addAll(List.of(options));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldKeepAJobForDebuggersWhenARankFails() throws Exception {
        Path err = place.resolve("err");
        try (Command job = Command.start(builder(err, "-n", "3", "--pause-on-error", "-cp", CLASSES,
                Sum.class.getName(), "fail"))) {
            try (Jdb jdb = Jdb.attach(port(err, 0))) {
                jdb.until("Initializing jdb").type("suspend").until("All threads suspended").type("where all")
                        .until("DebugTest$Sum.main");
                assertTrue(jdb.seen().contains("io.rankwire.Communicator.receive"), jdb.seen());
            }
            assertTrue(port(err, 1) != port(err, 0));
            String said = Files.readString(err);
            assertTrue(said.startsWith("rankwire: rank 1 of 3 failed: it threw an exception\n"
                    + "java.lang.IllegalStateException: as wanted\n"), said);
            job.type("\n");
            assertEquals(1, job.result().status());
            said = Files.readString(err);
            assertEquals(said.indexOf("as wanted"), said.lastIndexOf("as wanted"), said);
        }
        assertTrue(Command.isEmpty(jobs));
    }

    @Test
    void shouldKeepThreadsToo() throws Exception {
        Path err = place.resolve("err");
        try (Command job = Command.start(builder(err, "-n", "2", "--threads", "--pause-on-error", "-cp", CLASSES,
                Sum.class.getName(), "wrong"))) {
            Command.await("it listens", () -> Files.readString(err).contains("jdb -attach"));
            String said = Files.readString(err);
            assertTrue(said.contains("77 is not a rank") && said.contains("the process of all ranks (process "), said);
            Result stacks = Command.run(jobs, "stack");
            assertTrue(stacks.out().contains("thread \"rank-0\", in a call:\n      at io.rankwire.Communicator."
                    + "receive("), stacks.out());
            job.signal("TERM");
            assertEquals(143, job.result().status());
        }
        assertTrue(Command.isEmpty(jobs));
    }

    @Test
    void shouldPrintTheStacksOfRanksOutsideOfCallsAfterTheTimeout() throws Exception {
        for (String how : new String[] {"--threads", "--fabric=tcp"}) {
            Result result = Command.run(jobs, "run", "-n", "2", how, "--timeout", "4", "-cp", CLASSES,
                    Sum.class.getName(), "compute");
            assertEquals(RunCommand.TIMEOUT_STATUS, result.status(), result.err());
            assertTrue(result.err().matches("(?s)rankwire: the job did not end within 4 s\n"
                    + "  rank 0: receive from rank 1, tag 3, on world at DebugTest.java:\\d+\n"
                    + "  rank 1: is running, outside any blocking call\n.*"
                    + "    thread \"(main|rank-1)\", running or in native code:\n"
                    + "      at io.rankwire.tools.DebugTest\\$Sum.compute\\(DebugTest.java:\\d+\\)\n"
                    + "      at io.rankwire.tools.DebugTest\\$Sum.step.*"), result.err());
            assertFalse(result.err().contains("thread \"rank-0\""), result.err());
        }
    }

    @Test
    void shouldSayWhatTheLauncherDoes() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--verbose", "--jvm", "-Dx='a b'", "-cp", CLASSES,
                Sum.class.getName(), "go");
        assertEquals("sum 40\n", result.out());
        String time = "rankwire: +\\d+\\.\\d\\d\\d s  ";
        for (String line : new String[] {"directory .*, fabric auto, costs .*", "starting rank 1: .*/java .* '-Dx=a b'"
                + " .* io.rankwire.launch.RankMain rank=1 .*", "rank 0 runs its program, in process \\d+",
            "rank 1 has joined the world", "rank 0 has ended with status 0"}) {
            assertTrue(result.err().lines().anyMatch(each -> each.matches(time + line)), line + "\n" + result.err());
        }
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        for (String[] words : new String[][] {{"--debug", "2"}, {"--debug", "1:0"}, {"--debug", "x"},
            {"--debug", "1", "--timeout", "9"}, {"--debug", "1", "--stall", "9"},
            {"--debug", "1", "--fabric=udp"}, {"--debug", "1", "--pause-on-error"},
            {"--pause-on-error", "--hosts", "a,b"}}) {
            List<String> line = new ArrayList<>(List.of("-n", "2"));
            line.addAll(List.of(words));
            line.add("Main");
            UsageException thrown = assertThrows(UsageException.class,
                    () -> RunOptions.parse(line.toArray(new String[0])), String.join(" ", words));
            assertTrue(thrown.getMessage().contains(words[0]), thrown.getMessage());
        }
    }

    @Test
    void shouldLeaveNoFileOfAKilledRank() throws Exception {
        try (Command job = Command.start(jobs, "run", "-n", "2", "-cp", CLASSES, Sum.class.getName(), "compute")) {
            long[] rank = new long[1];
            Command.await("ranks", () -> {
                rank[0] = ProcessHandle.of(job.pid()).orElseThrow().children().mapToLong(ProcessHandle::pid)
                        .filter(pid -> Files.exists(statistics(pid))).findFirst().orElse(0);
                return rank[0] != 0;
            });
            Command.signal(rank[0], "KILL");
            assertEquals(137, job.result().status());
            assertFalse(Files.exists(statistics(rank[0])));
        }
    }

    private static Path statistics(long pid) {
        return Path.of("/tmp/hsperfdata_" + System.getProperty("user.name"), Long.toString(pid));
    }
}
