package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code rankwire sim run}, as a user gives it. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class SimTest {
    private static final Pattern RESULT = Pattern.compile(
            "rankwire: simulated ([0-9.]+) ms of \\d+ ranks on .*, seed -?\\d+: \\d+ events, hash ([0-9a-f]{16})\n");

    @TempDir
    Path jobs;

    @TempDir
    Path place;

    private Result sim(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("sim", "run"));
        all.addAll(Arrays.asList(words));
        Result result = Command.run(jobs, all.toArray(String[]::new));
        assertTrue(Command.isEmpty(jobs), "files left");
        return result;
    }

    private String source(String name, String text) throws Exception {
        return Files.writeString(place.resolve(name), "import io.rankwire.*;\n" + text).toString();
    }

    /** Runs an example, which is compiled once for all tests. */
    private Result simExample(String name, String... words) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.addAll(Examples.compiled(name));
        return sim(all.toArray(String[]::new));
    }

    private static String hash(Result result) {
        Matcher found = RESULT.matcher(result.err());
        assertTrue(found.find(), result.err());
        return found.group(2);
    }

    @Test
    void shouldRunTheSameWayTwiceWhateverTheJvmDoes() throws Exception {
        String[] words = {"-n", "64", "--topology", "torus:4x4x4"};
        Result first = simExample("Ring.java", words);
        assertEquals(0, first.status(), first.err());
        assertEquals("the token came back with 2016 after 64 ranks\n", first.out());
        assertEquals(first.err(), simExample("Ring.java", words).err());
        List<String> slow = new ArrayList<>(List.of("--jvm", "-Xint -Xmx200m -XX:+UseSerialGC"));
        slow.addAll(List.of(words));
        assertEquals(hash(first), hash(simExample("Ring.java", slow.toArray(String[]::new))));
        List<String> other = new ArrayList<>(List.of("--seed", "2"));
        other.addAll(List.of(words));
        assertNotEquals(hash(first), hash(simExample("Ring.java", other.toArray(String[]::new))));
    }

    /** All but the one that is stuck, in one job. */
    @ParameterizedTest
    @CsvSource({"3, fattree, no", "16, torus, yes"})
    void shouldRunEveryExample(int ranks, String topology, String offload) throws Exception {
        String[] words = {"-n", "" + ranks, "--topology", topology, "--set", "device.offload=" + offload, "--jvm",
            Command.LIGHT};
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(Examples.oneAfterAnother(
                Examples.names().stream().filter(name -> !name.equals("Deadlock.java")).toList()));
        Result well = sim(all.toArray(String[]::new));
        assertEquals(0, well.status(), well.out() + well.err());
        hash(well);
        Result stuck = simExample("Deadlock.java", words);
        assertEquals(35, stuck.status(), stuck.out() + stuck.err());
        hash(stuck);
        assertTrue(stuck.err().contains("cycle: ") && stuck.err().contains("Deadlock.java:"), stuck.err());
    }

    @Test
    void shouldTellAnExceptionAsRunDoes() throws Exception {
        Result result = sim("-n", "4", source("Fails.java", """
                void main() {
                    try (World world = World.join()) {
                        if (world.communicator().rank() == 2) {
                            throw new IllegalStateException("on purpose");
                        }
                        world.communicator().barrier();
                    }
                }
                """));
        assertEquals(1, result.status());
        hash(result);
        assertTrue(result.err().endsWith("""
                rankwire: rank 2 of 4 failed: it threw an exception
                java.lang.IllegalStateException: on purpose
                \tat Fails.main(Fails.java:5)
                """), result.err());
    }

    @Test
    void shouldEndWithTheStatusThatARankExitsWith() throws Exception {
        Result result = sim("-n", "3", "--tag-output", source("Exits.java", """
                void main() {
                    try (World world = World.join()) {
                        if (world.communicator().rank() == 1) {
                            System.out.print("bye");
                            System.exit(7);
                        }
                        world.communicator().barrier();
                    }
                }
                """));
        assertEquals(7, result.status());
        assertEquals("[1] bye", result.out());
        hash(result);
        assertTrue(result.err().endsWith("rankwire: rank 1 of 3 failed: it exited with status 7\n"), result.err());
    }

    @Test
    void shouldGiveEachRankItsOwnStaticsAndTheSimulatedClock() throws Exception {
        Result result = sim("-n", "5", "--model", Files.writeString(place.resolve("slow"), """
                link.latency = 1 ms
                host.poll = 1 ps
                """).toString(), source("Own.java", """
                static int mine;
                void main() throws Exception {
                    long start = System.nanoTime();
                    try (World world = World.join()) {
                        Communicator all = world.communicator();
                        mine = all.rank();
                        all.barrier();
                        if (mine != all.rank()) {
                            throw new IllegalStateException("shared");
                        }
                        Thread.sleep(1000);
                        long ms = (System.nanoTime() - start) / 1_000_000;
                        if (mine == 0) {
                            System.out.println(ms > 1000 && ms < 1100 ? "a second" : ms + " ms");
                        }
                    }
                }
                """));
        assertEquals(0, result.status(), result.err());
        assertEquals("a second\n", result.out());
    }

    @Test
    void shouldExploreWhatAnySourceReceivesMeet() throws Exception {
        String program = source("Any.java", """
                void main() {
                    try (World world = World.join()) {
                        Communicator all = world.communicator();
                        int[] word = {all.rank()};
                        if (all.rank() != 0) {
                            all.send(word, 0, 1);
                            return;
                        }
                        all.receive(word, Communicator.ANY_SOURCE, 1);
                        System.out.println("first " + word[0]);
                        if (word[0] == 3) {
                            System.exit(4);
                        }
                        all.receive(word, 2, 1);
                        all.receive(word, Communicator.ANY_SOURCE, 1);
                    }
                }
                """);
        Result result = sim("-n", "4", "--explore", program);
        assertEquals(35, result.status(), result.err());
        assertTrue(result.err().contains("they end in 3 ways"), result.err());
        assertTrue(result.err().contains("--choices 1): status 35, deadlock: every rank waits"), result.err());
        assertTrue(result.err().contains("--choices 2): status 4"), result.err());
        Result again = sim("-n", "4", "--choices", "1", program);
        assertEquals(35, again.status());
        assertEquals("first 2\n", again.out());
    }

    @Test
    void shouldGiveTheSameAnswersUnderFaultsAndTellThem() throws Exception {
        String[] words = {"-n", "4", "--faults", "7"};
        Result first = simExample("Heat2D.java", words);
        assertEquals(0, first.status(), first.err());
        assertEquals(simExample("Heat2D.java", "-n", "4").out(), first.out());
        assertTrue(first.err().startsWith("rankwire: faults 7: drop 158 of 1000, "), first.err());
        assertTrue(first.err().matches("(?s).* of 4 ranks on crossbar of 4, seed 1, faults 7 \\(drop \\d+, .*"),
                first.err());
        assertEquals(first.err(), simExample("Heat2D.java", words).err());
        Result stuck = simExample("Deadlock.java", "-n", "3", "--faults", "7");
        assertEquals(35, stuck.status(), stuck.err());
        assertTrue(stuck.err().contains("cycle: "), stuck.err());
    }

    @Test
    void shouldGiveTheSameAnswersOverSockets() throws Exception {
        Result plain = simExample("Heat2D.java", "-n", "4");
        for (String fabric : new String[] {"tcp", "udp"}) {
            Result result = simExample("Heat2D.java", "-n", "4", "--fabric", fabric, "--faults", "4");
            assertEquals(0, result.status(), result.err());
            assertEquals(plain.out(), result.out());
            assertTrue(result.err().contains(" ms of 4 ranks over " + fabric + " on crossbar of 4, seed 1, faults 4 ("),
                    result.err());
        }
        Result killed = simExample("Heat2D.java", "-n", "3", "--set", "fabric=tcp", "--kill=2@100 us");
        assertEquals(137, killed.status(), killed.err());
        assertTrue(killed.err().contains("rank 2 on node2 is lost: connection reset, then connection refused"),
                killed.err());
        Result explored = simExample("Ring.java", "-n", "3", "--fabric", "tcp", "--explore");
        assertEquals(2, explored.status());
        assertTrue(explored.err().contains("--explore and --choices are for the fabric device alone"), explored.err());
    }

    @Test
    void shouldEndAsARealJobDoesWhenARankIsKilled() throws Exception {
        Result killed = simExample("Heat2D.java", "-n", "4", "--kill=2@20 us");
        assertEquals(137, killed.status(), killed.err());
        assertTrue(killed.err().startsWith("rankwire: faults: kill rank 2 at 20 us\n"), killed.err());
        assertTrue(killed.err().endsWith("\nrankwire: rank 2 of 4 failed: it was killed at 20 us of virtual time\n"),
                killed.err());
        Result early = simExample("MasterWorker.java", "-n", "3", "--kill=1@1 ns");
        assertEquals(137, early.status(), early.err());
        assertTrue(early.err().contains("rank 1"), early.err());
        Result refused = simExample("Ring.java", "-n", "3", "--kill", "--explore");
        assertEquals(2, refused.status());
        assertTrue(refused.err().contains("option --kill does not go with --explore"), refused.err());
        Result wrong = simExample("Ring.java", "-n", "3", "--kill=3");
        assertEquals(2, wrong.status());
        assertTrue(wrong.err().contains("kill: 3 is no rank of 3"), wrong.err());
    }

    /** The same programs as with real processes; and again, with the same hash. */
    @ParameterizedTest
    @CsvSource({"SurvivingHeat, 2@200 us, 200 steps on 64 × 64 cells: as by one rank",
        "SurvivingGradient, 0@200 us, 2304 unknowns solved: ok", "SurvivingWorkers, 2@20 us, 9592 primes below 100000"})
    void shouldGoOnWithoutARankThatIsKilled(String example, String kill, String answer) throws Exception {
        String[] words = {"-n", "4", "--on-failure=continue", "--kill=" + kill, "--spares=1"};
        Result first = simExample(example + ".java", words);
        assertEquals(0, first.status(), first.err());
        assertEquals(List.of(answer), first.lines(), first.err());
        assertTrue(first.err().contains("rank " + kill.charAt(0) + " of 4 failed: it was killed at "
                + kill.substring(2) + " of virtual time; the job goes on without it"), first.err());
        assertEquals(first.err(), simExample(example + ".java", words).err());
    }

    @Test
    void shouldRunProgramsThatKillTheirOwnRanks() throws Exception {
        Result halted = sim(words("-n", "4", "--on-failure=continue", "SurvivingHeat.java", "120"));
        assertEquals(0, halted.status(), halted.err());
        assertEquals(List.of("200 steps on 64 × 64 cells: as by one rank"), halted.lines(), halted.err());
        assertTrue(halted.err().contains("rank 1 of 4 failed: it exited with status 1; the job goes on without it"),
                halted.err());
    }

    private static String[] words(String... words) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(words).subList(0, words.length - 2));
        all.addAll(Examples.compiled(words[words.length - 2]));
        all.add(words[words.length - 1]);
        return all.toArray(String[]::new);
    }

    @Test
    void shouldSayWhatIsWrongWithAModel() throws Exception {
        Path model = Files.writeString(place.resolve("model"), "\nlink.latency = fast\n");
        Result result = simExample("Ring.java", "-n", "2", "--model", model.toString());
        assertEquals(2, result.status());
        assertTrue(result.err().contains(model + ", line 2: fast is not a time such as 100 ns"), result.err());
        Result small = simExample("Ring.java", "-n", "9", "--topology", "torus:2x2x2");
        assertEquals(2, small.status());
        assertTrue(small.err().contains("topology torus:2x2x2 has 8 nodes, too few for 9"), small.err());
        Result shown = Command.run(jobs, "sim", "model", "--set", "link.latency=7 ns");
        assertEquals(0, shown.status());
        assertTrue(shown.out().contains("\nlink.latency = 7 ns\n"), shown.out());
    }

    private static String[] with(String[] first, String... words) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(words)).toArray(String[]::new);
    }

    @Test
    void shouldRunJobsSideBySide() throws Exception {
        String source = source("Names.java", """
                void main(String[] args) {
                    try (World world = World.join()) {
                        Communicator all = world.communicator();
                        System.out.println(String.join("+", args) + " " + all.rank() + " of " + all.size());
                        if (args[0].equals("fail") && all.rank() == 1) {
                            System.exit(7);
                        } else if (args[0].equals("stuck")) {
                            all.receive(new int[1], 1 - all.rank(), 3);
                        }
                    }
                }
                """);
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", place.toString(), source));
        String[] light = {"--jvm", Command.LIGHT, "-cp", place.toString()};
        Result well = sim(with(light, "-n", "1", "--tag-output", "--stats", "--beside", "-n 2 Names b 'c d'",
                "--beside", "Names e", "Names", "a"));
        assertEquals(0, well.status(), well.err());
        assertEquals(List.of("[1:0] a 0 of 1", "[2:0] b+c d 0 of 2", "[2:1] b+c d 1 of 2", "[3:0] e 0 of 1"),
                well.out().lines().sorted().toList());
        assertTrue(well.err().matches("(?s)rankwire: simulated [0-9.]+ ms of 1 ranks in job 1 \\(Names\\), [0-9.]+ ms"
                + " of 2 ranks in job 2 \\(Names\\), [0-9.]+ ms of 1 ranks in job 3 \\(Names\\) on crossbar of 2, .*"
                + "\nrankwire: job 2: counters of 2 ranks\n.*"), well.err());

        Result failed = sim(with(light, "-n", "2", "--beside", "Names fail", "Names", "stuck"));
        assertEquals(7, failed.status(), failed.err());
        assertTrue(failed.err().endsWith("rankwire: rank 1 of 2 in job 2 failed: it exited with status 7\n"),
                failed.err());
        Result stuck = sim(with(light, "-n", "2", "--beside", "Names stuck", "Names", "a"));
        assertEquals(35, stuck.status(), stuck.err());
        assertTrue(stuck.err().contains("rankwire: job 2: deadlock: ") && stuck.err().contains("cycle: "), stuck.err());
        assertEquals(4, stuck.out().lines().count(), stuck.out());
    }

    @ParameterizedTest
    @CsvSource({
        "-n x Main, -n needs a number from 1 to 65536", "-n 0 Main, -n needs a number", "'', needs a job such as",
        "-n 2, needs a job such as", "'Main \"a', a quote is not closed"
    })
    void shouldRefuseWhatIsNoJobToRunBeside(String job, String why) throws Exception {
        Result result = sim("-n", "2", "--beside", job, "Main");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("option --beside") && result.err().contains(why), result.err());
    }

    @ParameterizedTest
    @CsvSource({
        "--faults=1, option --beside does not go with --faults", "--kill, option --beside does not go with --kill",
        "--explore, option --beside does not go with --explore", "--fabric=udp, --beside is for the fabric device",
    })
    void shouldRefuseJobsBesideWhere(String option, String why) throws Exception {
        Result result = sim("-n", "2", option, "--beside", "Main", "Main");
        assertEquals(2, result.status());
        assertTrue(result.err().contains(why), result.err());
    }
}
