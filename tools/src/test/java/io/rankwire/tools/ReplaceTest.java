package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are killed with signal 9 and replaced by new processes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class ReplaceTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path jobs;

    private Result run(String program, List<String> options, String... args) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "-n", "4", "--on-failure=continue", "--jvm", Command.LIGHT));
        line.addAll(options);
        line.addAll(List.of("-cp", CLASSES, ReplacePrograms.name(program)));
        line.addAll(List.of(args));
        Result result = Command.run(jobs, line.toArray(String[]::new));
        try (var left = Files.list(jobs)) {
            assertEquals(List.of(), left.toList());
        }
        return result;
    }

    private static void assertDone(Result result, int... places) {
        String all = result.out() + result.err();
        assertEquals(0, result.status(), all);
        for (int rank = 0; rank < places.length; rank++) {
            assertTrue(result.lines().contains("rank " + rank + " is done, place " + places[rank] + ", replacement "
                    + (places[rank] >= 4)), all);
        }
        result.lines().stream().filter(each -> each.startsWith("replaced")).forEach(System.out::println);
    }

    @ParameterizedTest
    @CsvSource({"shm, 0", "tcp, 0", "shm, 1", "tcp, 1", "udp, 1"})
    void shouldReplaceARank(String fabric, int spares) throws Exception {
        List<String> options = spares == 0 ? List.of("--fabric", fabric)
                : List.of("--fabric", fabric, "--spares=" + spares);
        assertDone(run("Repairs", options, "2"), 0, 1, 4, 3);
    }

    @ParameterizedTest
    @CsvSource({"--fabric=shm --spares=2", "--fabric=tcp --spares=2", "--threads"})
    void shouldReplaceSeveralRanksAndTheirReplacements(String options) throws Exception {
        Result result = run("Repairs", List.of(options.split(" ")), "2 1,2 3");
        // Of two ranks that die at the same time either may end first.
        boolean inOrder = result.lines().contains("rank 1 is done, place 5, replacement true");
        assertDone(result, 0, inOrder ? 5 : 6, inOrder ? 6 : 5, 7);
    }

    @ParameterizedTest
    @CsvSource({"shm, 9", "shm, 0", "tcp, 0", "shm, exit", "shm, return", "threads, 0", "threads, exit",
        "threads, return"})
    void shouldReplaceARankThatEndsBeforeItHasJoined(String fabric, String how) throws Exception {
        String where = fabric.equals("threads") ? "--threads" : "--fabric=" + fabric;
        Result result = run("Repairs", List.of(where, "--timeout", "120"), "1", how);
        assertDone(result, 0, 5, 2, 3);
        assertTrue(result.err().contains("rank 4" + (fabric.equals("threads") ? "" : ", in the place of rank 1,")
                + " failed: it " + (how.equals("9") ? "exited with status 9"
                : "ended with status 0 and never joined") + "; the job goes on without it"), result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "return"})
    void shouldReplaceARankOfAHostThatEndsBeforeItHasJoined(String how) throws Exception {
        Result result = run("Repairs", List.of("--hosts=localhost:4", "--timeout", "120"), "1", how);
        assertDone(result, 0, 5, 2, 3);
        assertTrue(result.err().contains("rank 4 on localhost, in the place of rank 1, failed: it ended with status 0"
                + " and never joined; the job goes on without it"), result.err());
    }

    /** With more processors than ranks, as far as they see, the network is measured, once and for all worlds. */
    @ParameterizedTest
    @CsvSource({"tcp, 1", "tcp, 0", "udp, 1"})
    void shouldReplaceARankOfTheSecondWorld(String fabric, int victim) throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--on-failure=continue", "--fabric", fabric, "--timeout",
                "120", "--jvm", Command.LIGHT + " -XX:ActiveProcessorCount=4", "-cp", CLASSES,
                ReplacePrograms.name("Again"), Integer.toString(victim));
        String all = result.out() + result.err();
        assertEquals(0, result.status(), all);
        assertEquals(Set.of("rank " + victim + ", place 2: 3", "rank " + (1 - victim) + ", place " + (1 - victim)
                + ": 3"), Set.copyOf(result.lines()), all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fabric=shm", "--fabric=tcp", "--threads", "--hosts=localhost:1,127.0.0.1:1"})
    void shouldReplaceARankAnewInTheNextWorld(String kind) throws Exception {
        Result result = Command.run(jobs, "run", "-n", "2", "--on-failure=continue", kind, "--timeout", "120", "--jvm",
                Command.LIGHT, "-cp", CLASSES, ReplacePrograms.name("InEachWorld"));
        String all = result.out() + result.err();
        assertEquals(0, result.status(), all);
        assertEquals(List.of("rank 0, place 0: 3", "rank 0, place 0: 3", "rank 0, place 0: 3", "rank 0, place 0: 3",
                "rank 1, place 2: 3", "rank 1, place 3: 3", "rank 1, place 4: 3", "rank 1, place 5: 3"),
                result.lines().stream().sorted().toList(), all);
    }
}
