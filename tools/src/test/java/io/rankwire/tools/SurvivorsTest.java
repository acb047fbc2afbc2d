package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.DeadlockWatch;
import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on this host that go on when a rank fails: what is reported, the exit status, and that nothing is left. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SurvivorsTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path jobs;
    @TempDir
    Path place;

    private Result run(String program, List<String> options, String... args) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "-n", "4", "--on-failure=continue", "--jvm", Command.LIGHT));
        line.addAll(options);
        line.addAll(List.of("-cp", CLASSES, SurvivorPrograms.name(program)));
        line.addAll(List.of(args));
        Result result = Command.run(jobs, line.toArray(String[]::new));
        assertNothingLeft();
        return result;
    }

    private void assertNothingLeft() throws Exception {
        try (var left = Files.list(jobs)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static void assertGoneOn(Result result, String story, String cause) {
        String all = result.out() + result.err();
        assertEquals(0, result.status(), all);
        String line = "rankwire: rank 2 of 4 failed: " + story + "; the job goes on without it";
        assertTrue(result.err().contains(line), all);
        for (int rank : new int[] {0, 1, 3}) {
            assertTrue(result.out().contains("rank " + rank + " is done"), all);
            String saw = result.lines().stream().filter(each -> each.startsWith("rank " + rank + " saw")).findFirst()
                    .orElseThrow(() -> new AssertionError(all));
            assertTrue(saw.endsWith(": " + cause), saw);
            System.out.println(saw);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "udp"})
    void shouldGoOnWhenARankIsKilled(String fabric) throws Exception {
        List<String> options = List.of("--fabric", fabric);
        Result result = fabric.equals("tcp") ? run("Fails", options, "kill", "receive") : run("Fails", options, "kill");
        assertGoneOn(result, "it was killed by signal 9 (SIGKILL)", "rank 2 was killed by signal 9 (SIGKILL)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "udp"})
    void shouldShrinkAnIntercommunicatorOfProcesses(String fabric) throws Exception {
        Result result = run("Between", List.of("--fabric", fabric));
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("rank 0: 2 and 1, sum 4", "rank 1: 2 and 1, sum 4", "rank 3: 1 and 2, sum 3"),
                result.lines().stream().sorted().toList(), result.err());
    }

    @Test
    void shouldGoOnWhenARankThrows() throws Exception {
        Result result = run("Fails", List.of(), "throw");
        assertGoneOn(result, "it threw an exception", "rank 2 threw java.lang.IllegalStateException: on purpose");
        assertTrue(result.err().contains("it\njava.lang.IllegalStateException: on purpose\n\tat "), result.err());
    }

    @Test
    void shouldGoOnWhenARankExits() throws Exception {
        assertGoneOn(run("Fails", List.of(), "exit"), "it exited with status 7", "rank 2 exited with status 7");
    }

    @ParameterizedTest
    @CsvSource({"throw, it threw an exception, rank 2 threw java.lang.IllegalStateException: on purpose",
        "exit, it exited with status 7, rank 2 exited with status 7",
        "suspect, it was ended: rank 0 could not reach it, rank 2 was ended: rank 0 could not reach it"})
    void shouldGoOnWhenAThreadFails(String how, String story, String cause) throws Exception {
        assertGoneOn(run("Fails", List.of("--threads"), how), story, cause);
    }

    @Test
    void shouldEndARankThatAnotherCannotReach() throws Exception {
        String why = "was ended: rank 0 could not reach it";
        assertGoneOn(run("Fails", List.of(), "suspect"), "it " + why, "rank 2 " + why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fabric=shm", "--threads", "--hosts=localhost:4"})
    void shouldEndTheJobWhenARankWantsThat(String kind) throws Exception {
        Result result = run("Fails", List.of(kind), "abort");
        assertEquals(1, result.status(), result.err());
        String who = kind.startsWith("--hosts") ? "on localhost: " : "of 4 failed: it threw an exception\n";
        assertTrue(result.err().contains("rank 2 " + who + "java.io.IOException: for all"), result.err());
        assertFalse(result.out().contains("is done"), result.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fabric=shm", "--threads"})
    void shouldEndWithTheFirstFailureWhenAllFail(String kind) throws Exception {
        Result result = run("Leave", List.of(kind), "3", "0", "2", "1");
        assertEquals(13, result.status(), result.err());
        assertEquals(4, result.err().lines().filter(line -> line.contains("failed: it exited")).count(), result.err());
        assertTrue(result.err().contains("rank 3 of 4 failed: it exited with status 13; the job goes on without it"),
                result.err());
        assertTrue(result.err().contains("rank 1 of 4 failed: it exited with status 11; no rank is left"),
                result.err());
    }

    @Test
    void shouldEndWellWhenOneRankHas() throws Exception {
        Result result = run("Leave", List.of("--stats", "--verbose"), "3", "0", "1");
        assertEquals(0, result.status(), result.err());
        assertTrue(result.err().contains("rank 3 was declared dead"), result.err());
    }

    @ParameterizedTest
    @CsvSource({"1, at once", "1, later", "4, at once", "4, later"})
    void shouldEndWhenThreadsThatHaveFailedLeaveOthers(String ranks, String when) throws Exception {
        Result result = Command.run(jobs, "run", "-n", ranks, "--threads", "--on-failure=continue", "--timeout", "60",
                "-cp", CLASSES, SurvivorPrograms.name("LeavesThreads"), when);
        assertEquals(1, result.status(), result.err());
        assertTrue(result.err().contains("; no rank is left"), result.err());
        assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource({"--fabric=shm, return", "--fabric=shm, exit", "--threads, return", "--threads, exit"})
    void shouldDeclareARankThatForgetsToClose(String kind, String how) throws Exception {
        List<String> options = List.of(kind, "--timeout", "120");
        Result result = how.equals("exit") ? run("Forgets", options, how) : run("Forgets", options);
        assertEquals(0, result.status(), result.err());
        boolean isThread = kind.equals("--threads") && how.equals("return");
        assertTrue(result.err().contains("rank 0 of 4 failed: "
                + (isThread ? "it threw an exception; the job goes on" : "it ended with status 0 but never closed")),
                result.err());
    }

    @ParameterizedTest
    @CsvSource({"--fabric=shm, throw", "--threads, throw", "--fabric=shm, abort", "--fabric=tcp, abort",
        "--threads, abort"})
    void shouldEndADeadlockOfSurvivors(String kind, String how) throws Exception {
        Result result = run("WaitForEachOther", List.of(kind), how);
        assertEquals(DeadlockWatch.EXIT_STATUS, result.status(), result.err());
        assertTrue(result.err().contains("cycle: 0 -> 1 -> 2 -> 0"), result.err());
        assertTrue(result.err().contains(
                "rank 3: is dead: rank 3 threw java.lang.IllegalStateException: on purpose"), result.err());
    }

    @Test
    void shouldGoOnInSharedMemoryWithoutARankThatNeverJoined() throws Exception {
        Result result = run("DiesEarly", List.of());
        assertEquals(0, result.status(), result.err());
        assertEquals(3, result.lines().size(), result.out());
    }

    @Test
    void shouldEndOnANetworkThatARankNeverJoined() throws Exception {
        Result result = run("DiesEarly", List.of("--fabric", "tcp"));
        assertEquals(9, result.status(), result.err());
        assertTrue(result.err().contains("rank 1 of 4 failed: it exited with status 9\nthe job ends: rank 1 had not"
                + " joined"), result.err());
    }

    @ParameterizedTest
    @CsvSource({"shm, throw, 700", "tcp, throw, 700", "shm, exit, 700", "tcp, exit, 6000"})
    void shouldJoinANextWorldWithoutARankThatFails(String fabric, String how, String ms) throws Exception {
        Result result = run("FailsBetweenWorlds", List.of("--fabric", fabric, "--timeout", "120"), how, ms);
        String all = result.out() + result.err();
        assertEquals(0, result.status(), all);
        assertEquals(List.of("rank 0 goes on with 3", "rank 2 goes on with 3", "rank 3 goes on with 3"),
                result.lines().stream().sorted().toList(), all);
    }

    @Test
    void shouldJoinNoNextWorldWithoutARankThatHasLeftWell() throws Exception {
        Result result = run("FailsBetweenWorlds", List.of("--fabric=tcp", "--timeout", "120"), "leave", "0");
        assertEquals(0, result.status(), result.err());
        assertTrue(result.err().contains("rank 1 has ended and did not join"), result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--spares=1", "--spares=4"})
    void shouldGiveNewRanksForDeadOnes(String spares) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "-n", "3", "--on-failure=continue", "--jvm", Command.LIGHT));
        if (!spares.isEmpty()) {
            line.add(spares);
        }
        line.addAll(List.of("-cp", CLASSES, SurvivorPrograms.name("Replaces")));
        Result result = Command.run(jobs, line.toArray(String[]::new));
        String all = result.out() + result.err();
        assertEquals(0, result.status(), all);
        assertTrue(result.lines().contains("rank 3 is to join world, repaired in context 40 of [0, 3, 2]"), all);
        assertTrue(result.lines().contains("rank 4 is to join world, repaired in context 41 of [0, 4, 2]"), all);
        assertTrue(result.lines().contains("[0, 3, 2] [0, 4, 2] [0, 4, 2]"), all);
        assertTrue(result.err().contains("rank 1 of 3 failed: it exited with status 7; the job goes on"), all);
        assertTrue(result.err().contains(
                "rank 3, in the place of rank 1, failed: it exited with status 8; the job goes on"), all);
        assertEquals(2, result.err().lines().filter(each -> each.contains("failed")).count(), all);
        assertNothingLeft();
    }

    @Test
    void shouldFailIfTheLastRankDiesWhenItHasAskedForAnother() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--on-failure=continue", "--jvm", Command.LIGHT, "-cp",
                CLASSES, SurvivorPrograms.name("AsksAndDies"));
        assertEquals(7, result.status(), result.err());
        assertTrue(result.err().contains("; no rank is left"), result.err());
        assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fabric=shm", "--fabric=tcp"})
    void shouldEndSparesThatNobodyNeeds(String fabric) throws Exception {
        List<String> options = List.of("--spares=2", fabric);
        Result result = fabric.endsWith("tcp") ? run("Fails", options, "exit", "receive")
                : run("Fails", options, "exit");
        assertGoneOn(result, "it exited with status 7", "rank 2 exited with status 7");
        assertEquals(1, result.err().lines().filter(each -> each.contains("failed")).count(), result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "udp"})
    void shouldNotMissARankThatExitsWhenItHasClosedItsWorld(String fabric) throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--on-failure=continue", "--fabric", fabric, "--jvm",
                Command.LIGHT, "-cp", CLASSES, SurvivorPrograms.name("Exits"), place.toString());
        assertEquals(0, result.status(), result.err());
        assertEquals("", result.err());
    }

    @Test
    void shouldShowDeadRanksToCommands() throws Exception {
        try (Command job = Command.start(jobs, "run", "-n", "4", "--on-failure=continue", "--jvm", Command.LIGHT, "-cp",
                CLASSES, SurvivorPrograms.name("Stays"), place.toString())) {
            for (int rank = 0; rank < 4; rank++) {
                Path here = place.resolve("rank" + rank);
                Command.await("all ranks run", () -> Files.exists(here));
            }
            ProcessHandle victim = ProcessHandle.of(job.pid()).orElseThrow().children()
                    .filter(each -> String.join(" ", each.info().arguments().orElse(new String[0])).contains("rank=1 "))
                    .findFirst().orElseThrow();
            victim.destroyForcibly();
            String dead = "is dead: rank 1 was killed by signal 9 (SIGKILL)";
            Command.await(dead, () -> command("attach", "--once").contains(dead));
            assertTrue(command("ps").contains(" 3/4 "), command("ps"));
            assertTrue(command("queues").contains(dead), command("queues"));
            assertFalse(command("stack").contains("not answered"), command("stack"));
            Files.createFile(place.resolve("go"));
            Result result = job.result();
            assertEquals(0, result.status(), result.err());
        }
        assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fabric=shm", "--hosts=localhost:4"})
    void shouldEndAllWhenTheLauncherIsInterrupted(String kind) throws Exception {
        try (Command job = Command.start(jobs, "run", "-n", "3", kind, "--on-failure=continue", "--spares=1", "--jvm",
                Command.LIGHT, "-cp", CLASSES, SurvivorPrograms.name("Stays"), place.toString())) {
            for (int rank = 0; rank < 3; rank++) {
                Path here = place.resolve("rank" + rank);
                Command.await("all ranks run", () -> Files.exists(here));
            }
            job.signal("INT");
            Result result = job.result();
            assertEquals(130, result.status(), result.err());
            assertTrue(result.err().contains("interrupted; all ranks have been ended"), result.err());
            assertFalse(result.err().contains("failed"), result.err());
        }
        assertNothingLeft();
    }

    private String command(String... words) throws Exception {
        return Command.run(jobs, words).out();
    }
}
