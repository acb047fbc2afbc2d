package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.DeadlockWatch;
import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Job;
import io.rankwire.tools.Command.Result;
import io.rankwire.tools.hosts.AgentLink;
import io.rankwire.tools.hosts.AgentStart;
import io.rankwire.tools.hosts.Body;
import io.rankwire.tools.hosts.Message;
import io.rankwire.tools.hosts.Message.Kind;
import io.rankwire.tools.hosts.Tree;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How ranks end that agents have started, in jobs that go on: slowly, without a word, or before the others begin. */
@Timeout(600)
class HostDeathsTest {
    /** Rank 1 throws, and then takes longer to end than is usual, or leaves a child with its output; rank 0 goes on. */
    static final class EndsSlowly {
        public static void main(String[] args) throws Exception {
            if (args[0].equals("hook") && Job.current().rank() == 1) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> pause(Long.parseLong(args[1]))));
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (!world.isReplacement()) {
                    if (all.rank() == 1) {
                        if (args[0].equals("child")) {
                            new ProcessBuilder("sleep", args[1]).inheritIO().start();
                        }
                        throw new IllegalStateException("on purpose");
                    }
                    try {
                        all.barrier();
                    } catch (RankwireException e) {
                        all.revoke();
                    }
                    all = all.replace();
                }
                all.barrier();
                System.out.println("rank " + all.rank() + " goes on");
            }
        }

        private static void pause(long ms) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ranks 2 and 3 die at the same time, and the process of rank 3 takes long to end. New ranks print their hosts. */
    static final class TwoOfOneHost {
        public static void main(String[] args) throws Exception {
            if (Job.current().rank() == 3) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> EndsSlowly.pause(600_000)));
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (!world.isReplacement()) {
                    all.barrier();
                    if (all.rank() == 2) {
                        Runtime.getRuntime().halt(9);
                    } else if (all.rank() == 3) {
                        throw new IllegalStateException("on purpose");
                    }
                    while (Job.current().board().failures().count() < 2) {
                        EndsSlowly.pause(1);
                    }
                    all.revoke();
                    all = all.replace();
                }
                all.barrier();
                if (world.isReplacement()) {
                    System.out.println("rank " + all.rank() + " is on " + System.getenv("RANKWIRE_HOST"));
                }
            }
        }
    }

    /** Rank 1 dies, and the one that replaces it takes long before it joins. */
    static final class BeginsSlowly {
        public static void main(String[] args) throws Exception {
            if (System.getenv("RANKWIRE_RANK").equals("2")) {
                Thread.sleep(6000);
            }
            try (World world = World.join()) {
                Communicator all = world.communicator();
                if (!world.isReplacement()) {
                    all.barrier();
                    if (all.rank() == 1) {
                        Runtime.getRuntime().halt(9);
                    }
                    while (Job.current().board().failures().count() == 0) {
                        Thread.sleep(1);
                    }
                    all = all.replace();
                }
                all.barrier();
                System.out.println("rank " + all.rank() + " goes on");
            }
        }
    }

    /** All ranks end without closing their world; with an argument, rank 1 exits with it after a hook, and then 0. */
    static final class Forget {
        public static void main(String[] args) {
            World world = World.join();
            world.communicator().barrier();
            if (args.length > 0 && world.communicator().rank() == 1) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    EndsSlowly.pause(700);
                    System.out.println("the hook is done");
                }));
                System.exit(Integer.parseInt(args[0]));
            } else if (args.length > 0) {
                FailureLog log = Job.current().board().failures();
                while (log.count() == 0) {
                    EndsSlowly.pause(1);
                }
                world.close();
            }
        }
    }

    /** The spare prints its process and ends; the others join when the file is there that the argument names. */
    static final class EarlySpare {
        public static void main(String[] args) throws Exception {
            if (System.getenv("RANKWIRE_RANK").equals("2")) {
                System.out.println("spare " + ProcessHandle.current().pid());
                Runtime.getRuntime().halt(3);
            }
            while (!Files.exists(Path.of(args[0]))) {
                Thread.sleep(1);
            }
            try (World world = World.join()) {
                world.communicator().barrier();
                System.out.println("rank " + world.communicator().rank() + " goes on");
            }
        }
    }

    /** Prints why rank 1 is dead. */
    static final class Cause {
        public static void main(String[] args) throws Exception {
            int rank;
            try (World world = World.join()) {
                rank = world.communicator().rank();
                world.communicator().barrier();
            }
            if (rank == 1) {
                System.exit(9);
            }
            FailureLog log = Job.current().board().failures();
            while (log.count() == 0) {
                Thread.sleep(1);
            }
            System.out.println(log.cause(0));
        }
    }

    @TempDir
    Path place;
    @TempDir
    Path files;

    private static String[] line(int ranks, Class<?> program, List<String> options, String... args) {
        List<String> line = new ArrayList<>(List.of("run", "-n", Integer.toString(ranks), "--on-failure=continue",
                "--jvm", Command.LIGHT));
        line.addAll(options);
        line.addAll(List.of("-cp", Launch.locationOf(Programs.class), program.getName()));
        line.addAll(List.of(args));
        return line.toArray(String[]::new);
    }

    private Result run(Class<?> program, List<String> options, String... args) throws Exception {
        return run(2, program, options, args);
    }

    private Result run(int ranks, Class<?> program, List<String> options, String... args) throws Exception {
        Result result = Command.run(place, line(ranks, program, options, args));
        if (Boolean.getBoolean("rankwire.test.verbose")) {
            System.out.println(program.getSimpleName() + " " + String.join(" ", args) + ": " + result.ms() + " ms\n"
                    + HostsTrial.story(result));
        }
        return result;
    }

    private static void assertGoesOn(Result result) {
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        assertTrue(result.lines().containsAll(List.of("rank 0 goes on", "rank 1 goes on")), story);
        assertEquals(1, result.err().lines().filter(line -> line.contains("; the job goes on")).count(), story);
    }

    @Test
    void shouldReplaceRankThatTakesLongToEnd() throws Exception {
        Result slow = run(EndsSlowly.class, List.of("--hosts", "localhost:2"), "hook", "600000");
        assertGoesOn(slow);
        assertTrue(slow.err().contains("IllegalStateException: on purpose; the job goes on"), slow.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:2", "localhost:1,127.0.0.1:1"})
    void shouldWaitForNewRankThatTakesLongToBegin(String hosts) throws Exception {
        assertGoesOn(run(BeginsSlowly.class, List.of("--hosts", hosts)));
    }

    @Test
    void shouldReplaceRankWhoseChildHoldsItsOutput() throws Exception {
        assertGoesOn(run(EndsSlowly.class, List.of("--hosts", "localhost:1,127.0.0.1:1"), "child", "30"));
    }

    @Test
    void shouldStartNewRanksOnTheirHostWhereAnotherTakesLongToEnd() throws Exception {
        Result result = run(4, TwoOfOneHost.class, List.of("--hosts", "localhost:2,127.0.0.1:2"));
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        assertEquals(List.of("rank 2 is on 127.0.0.1", "rank 3 is on 127.0.0.1"),
                result.lines().stream().sorted().toList(), story);
    }

    private Result failBetweenWorlds(String how, String ms) throws Exception {
        return run(4, SurvivorPrograms.FailsBetweenWorlds.class,
                List.of("--hosts", "localhost:2,127.0.0.1:2", "--timeout", "120"), how, ms);
    }

    @ParameterizedTest
    @CsvSource({"throw, 700", "exit, 6000"})
    void shouldJoinNextWorldWithoutRankThatFails(String how, String ms) throws Exception {
        Result result = failBetweenWorlds(how, ms);
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        assertEquals(List.of("rank 0 goes on with 3", "rank 2 goes on with 3", "rank 3 goes on with 3"),
                result.lines().stream().sorted().toList(), story);
    }

    @Test
    void shouldJoinNoNextWorldWithoutRankThatHasLeftWell() throws Exception {
        Result result = failBetweenWorlds("leave", "0");
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        assertTrue(result.err().contains("rank 1 on localhost has ended and joins no other world"), story);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "abort"})
    void shouldReportDeadlockOfSurvivors(String how) throws Exception {
        Result result = run(4, SurvivorPrograms.WaitForEachOther.class, List.of("--hosts", "localhost:4"), how);
        String story = HostsTrial.story(result);
        assertEquals(DeadlockWatch.EXIT_STATUS, result.status(), story);
        assertTrue(result.err().contains("deadlock: every rank waits and nothing is on its way"), story);
        assertTrue(result.err().contains("cycle: 0 -> 1 -> 2 -> 0"), story);
    }

    @Test
    void shouldFailWhenEveryRankFails() throws Exception {
        Result result = run(Forget.class, List.of("--hosts", "localhost:2"));
        assertEquals(1, result.status(), HostsTrial.story(result));
        assertTrue(result.err().contains("; no rank is left"), HostsTrial.story(result));
    }

    @Test
    void shouldRunHooksOfRankThatExits() throws Exception {
        Result result = run(Forget.class, List.of("--hosts", "localhost:2"), "7");
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        assertTrue(result.out().contains("the hook is done"), story);
        assertTrue(result.err().contains("it exited with status 7; the job goes on"), story);
        assertFalse(result.err().contains("it was declared dead"), story);
    }

    @Test
    void shouldBeginWithoutSpareThatEndsBefore() throws Exception {
        Path out = files.resolve("out");
        Path go = files.resolve("go");
        ProcessBuilder job = Command.builder(place,
                line(2, EarlySpare.class, List.of("--spares=1", "--hosts", "localhost:3"), go.toString()));
        try (Command command = Command.start(job.redirectOutput(out.toFile()))) {
            Command.await("the agent has read how the spare has ended", () -> Files.readAllLines(out).stream()
                    .anyMatch(line -> line.startsWith("spare ") && !Files.exists(Path.of("/proc/" + line.substring(6))))
                    || !command.isAlive());
            Files.createFile(go);
            Result result = command.result();
            assertGoesOn(new Result(result.status(), Files.readString(out), result.err(), result.ms()));
        }
    }

    /** What the launcher sends to the only agent, a program that keeps all of it, about a job of two ranks. */
    private List<Message> sent(Consumer<HostDeaths> deeds) throws Exception {
        Path kept = files.resolve("kept");
        Path agent = Files.writeString(files.resolve("agent"),
                "#!/bin/sh\necho '" + AgentStart.GREETING + "'\nexec cat > " + kept + "\n");
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
        Tree tree = new Tree(Tree.LAUNCHER, 1, List.of("a"), 0, new AgentStart(List.of(agent.toString()), "/jdk",
                agent.toString(), agent.toString(), "", "auto"));
        tree.start(new AgentLink.Listener() {
            @Override
            public void received(Message message) {}

            @Override
            public void lost(int host, String why) {}

            @Override
            public void unreached(int host, String why) {}
        });
        Command.await("the agent reads", () -> Files.exists(kept) && Files.size(kept) > 0);
        deeds.accept(new HostDeaths(new JobOutput(2, 3, false), new HostSlots(3, new int[3], new int[] {3}), 0, tree, 2,
                System.nanoTime()));
        tree.end(TimeUnit.MINUTES.toMillis(5));
        List<Message> sent = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(kept))) {
            for (Message next = Message.read(in); next != null; next = Message.read(in)) {
                sent.add(next);
            }
        }
        return sent;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDeclareRankThatEndsWithoutJoiningWhenItHasPart(boolean isGivenFirst) throws Exception {
        List<Message> sent = sent(deaths -> {
            if (isGivenFirst) {
                deaths.given(2);
            }
            deaths.ended(2, 0, "false\n");
            if (!isGivenFirst) {
                deaths.given(2);
            }
        });
        List<Body.Reader> dead = sent.stream().filter(each -> each.kind() == Kind.DEAD).map(Body.Reader::new).toList();
        assertEquals(1, dead.size());
        assertEquals(2, dead.getFirst().number());
        assertEquals("rank 2 ended with status 0 and never joined", dead.getFirst().text());
    }

    @Test
    void shouldGiveCauseAsSentence() throws Exception {
        Result result = run(Cause.class, List.of("--hosts", "localhost:2"));
        assertTrue(result.lines().contains("rank 1 on localhost exited with status 9"), HostsTrial.story(result));
    }
}
