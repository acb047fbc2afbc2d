package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which places are given to which new ranks. The ranks are processes that only sleep. */
class ReplacingTest {
    private static final int WORLD = 2;
    private static final int PLACES = 5;

    @TempDir
    Path root;
    private JobDirectory directory;
    private Board board;
    private final RankProcesses processes = new RankProcesses(false, rank -> true);
    private final List<String> started = new ArrayList<>();
    private ProcessReplacing replacing;

    @BeforeEach
    void start() throws IOException {
        directory = JobDirectory.create(root);
        directory.createBoard(PLACES, WORLD);
        board = directory.openBoard();
        processes.watch(board);
        replacing = new ProcessReplacing(board, directory, processes, (rank, like) -> {
            started.add(rank + " like " + like);
            sleep(rank);
        });
        for (int rank = 0; rank < WORLD; rank++) {
            sleep(rank);
        }
    }

    @AfterEach
    void end() {
        processes.end(true);
        directory.delete();
    }

    private void sleep(int rank) throws IOException {
        Lines lines = new Lines(new Lines.Shared(new ByteArrayOutputStream()), "");
        processes.start(new ProcessBuilder("sleep", "600"), rank, lines, lines);
    }

    private Replacements.Answer ask(String key, List<Integer> members, List<Integer> dead) throws IOException {
        Replacements asking = new ReplacementFiles(directory, board, 0);
        int number = asking.ask(new Replacements.Request(key, 0, 7, "world", members, dead));
        assertNull(asking.answer(number));
        replacing.look();
        return asking.answer(number);
    }

    @Test
    void shouldStartProcessesUntilAllPlacesAreUsed() throws IOException {
        assertEquals(List.of(0, 2), ask("a", List.of(0, 1), List.of(1)).members());
        assertEquals(List.of(3, 4), ask("b", List.of(0, 1), List.of(0, 1)).members());
        assertEquals("the job may start 5 ranks in all and has started 5, so it cannot start 1 more: call shrink() to"
                + " go on with fewer", ask("c", List.of(0, 1), List.of(1)).reason());
        assertEquals(List.of("2 like 1", "3 like 0", "4 like 1"), started);
    }

    @Test
    void shouldTakeASpareFirstAndShowItsPart() throws IOException {
        sleep(2);
        Replacements ofSpare = new ReplacementFiles(directory, board, 2);
        assertTrue(board.isIdle(2));
        assertNull(ofSpare.part());
        assertEquals(List.of(0, 2), ask("a", List.of(0, 1), List.of(1)).members());
        assertEquals(new Replacements.Part(0, 7, "world", List.of(0, 2)), ofSpare.part());
        assertFalse(board.isIdle(2));
        assertEquals(List.of(), started);
    }

    @Test
    void shouldGiveAllWhoAskWithAKeyTheSameAnswer() throws IOException {
        assertEquals(List.of(0, 2), ask("a", List.of(0, 1), List.of(1)).members());
        board.failures().declare(2, "rank 2 was killed");
        assertEquals(List.of(0, 2), ask("a", List.of(0, 1), List.of(1)).members());
        assertEquals(List.of(0, 3), ask("b", List.of(0, 2), List.of(2)).members());
        assertEquals(List.of(0, 3), new ReplacementFiles(directory, board, 3).part().members());
        assertEquals(List.of("2 like 1", "3 like 1"), started);
    }

    @Test
    void shouldStartNoneIfThereAreTooFewPlaces() throws IOException {
        assertEquals(List.of(2, 3), ask("a", List.of(0, 1), List.of(0, 1)).members());
        assertNull(ask("b", List.of(0, 1), List.of(0, 1)).members());
        assertEquals(2, started.size());
        assertEquals(List.of(0, 4), ask("c", List.of(0, 1), List.of(1)).members());
        assertEquals(0, replacing.origin(2));
        assertEquals(1, replacing.origin(4));
    }

    @Test
    void shouldTellGroupsWithTheSameContextApart() throws IOException {
        assertEquals(List.of(2), ask("a", List.of(0), List.of(0)).members());
        assertEquals(List.of(3), ask("a", List.of(1), List.of(1)).members());
        assertEquals(List.of(2), ask("a", List.of(0), List.of(0)).members());
    }

    @Test
    void shouldAnswerThreadsOfOneRankThatAskAtOnce() throws Exception {
        Replacements asking = new ReplacementFiles(directory, board, 0);
        Map<Integer, String> keys = new ConcurrentHashMap<>();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            String name = "thread " + thread + ", call ";
            Callable<Void> asks = () -> {
                for (int call = 0; call < 100; call++) {
                    String key = name + call;
                    List<Integer> dead = List.of(0, 1, 2, 3, 4, 5);
                    int number = asking.ask(new Replacements.Request(key, 0, 7, "world", dead, dead));
                    assertNull(keys.put(number, key));
                }
                return null;
            };
            tasks.add(new FutureTask<>(asks));
            new Thread(tasks.getLast()).start();
        }
        for (FutureTask<Void> task : tasks) {
            task.get(5, TimeUnit.MINUTES);
        }
        assertEquals(400, board.failures().requests(0));
        for (Map.Entry<Integer, String> each : keys.entrySet()) {
            assertTrue(Files.readString(ReplacementFiles.ask(directory, 0, each.getKey()))
                    .startsWith(each.getValue() + "\n"));
        }
        replacing.look();
        for (int number : keys.keySet()) {
            assertEquals("the job may start 5 ranks in all and has started 2, so it cannot start 6 more: call shrink()"
                    + " to go on with fewer", asking.answer(number).reason());
        }
    }

    @Test
    void shouldRefuseARequestThatMakesNoSense() throws IOException {
        for (String text : List.of("", "key\nx\n7\nworld\n0 1\n1", "key\n0\n7\nworld\n0 1\n")) {
            int number = board.failures().requests(0) + 1;
            ReplacementFiles.put(ReplacementFiles.ask(directory, 0, number), text);
            board.failures().asked(0, number);
            replacing.look();
            String reason = new ReplacementFiles(directory, board, 0).answer(number).reason();
            assertTrue(reason.startsWith("the request in ask.0." + number + " makes no sense"), reason);
        }
    }

    @Test
    void shouldRefuseWhenAPartCannotBeWritten() throws IOException {
        Files.createDirectory(directory.path().resolve("part.2.draft"));
        Replacements.Answer refusal = ask("a", List.of(0, 1), List.of(1));
        assertNull(refusal.members());
        assertEquals(refusal, ask("a", List.of(0, 1), List.of(1)));
    }

    @Test
    void shouldWriteAnAnswerWhenThereIsRoom() throws IOException {
        Path occupied = Files.createDirectory(directory.path().resolve("answer.0.1.draft"));
        assertNull(ask("a", List.of(0, 1), List.of(1)));
        replacing.look();
        Files.delete(occupied);
        replacing.look();
        assertEquals(List.of(0, 2), new ReplacementFiles(directory, board, 0).answer(1).members());
    }

    @Test
    void shouldKillWhatAScriptHasStarted() throws Exception {
        Lines lines = new Lines(new Lines.Shared(new ByteArrayOutputStream()), "");
        processes.start(new ProcessBuilder("sh", "-c", "sleep 600; exit 3"), 2, lines, lines);
        ProcessHandle script = ProcessHandle.of(processes.pid(2)).orElseThrow();
        while (script.children().findAny().isEmpty()) {
            Thread.onSpinWait();
        }
        ProcessIdentity child = ProcessIdentity.of(script.children().findAny().orElseThrow().pid());
        assertFalse(processes.hasEnded(2));
        processes.kill(2);
        while (!processes.hasEnded(2)) {
            Thread.onSpinWait();
        }
        assertTrue(child.isDead());
    }

    @Test
    void shouldEndTheProgramOfAScriptThatSomethingElseHasKilled() throws Exception {
        Lines lines = new Lines(new Lines.Shared(new ByteArrayOutputStream()), "");
        processes.start(new ProcessBuilder("sh", "-c", "sleep 600; exit 3"), 2, lines, lines);
        ProcessHandle script = ProcessHandle.of(processes.pid(2)).orElseThrow();
        while (script.children().findAny().isEmpty()) {
            Thread.onSpinWait();
        }
        ProcessIdentity program = ProcessIdentity.of(script.children().findAny().orElseThrow().pid());
        board.started(2, program.pid());
        FailureWatch watch = new FailureWatch(board, processes, rank -> processes.status(rank) < 0 ? null
                : Ending.of(board, rank, processes.status(rank), false, true), directory, false);
        assertEquals(List.of(), watch.look(0));
        script.destroyForcibly();
        while (processes.status(2) < 0) {
            Thread.onSpinWait();
        }
        assertEquals(List.of(), watch.look(1));
        assertTrue(program.isAlive());
        List<FailureWatch.Death> deaths = new ArrayList<>(watch.look(2_000_000_000));
        while (!processes.hasEnded(2)) {
            Thread.onSpinWait();
        }
        assertTrue(program.isDead());
        deaths.addAll(watch.look(2_000_000_001));
        assertEquals(List.of("rank 2 was killed by signal 9 (SIGKILL)"),
                deaths.stream().map(FailureWatch.Death::cause).toList());
    }

    @Test
    void shouldDismissSparesWhenAllOthersHaveEnded() throws IOException {
        sleep(2);
        replacing.look();
        assertFalse(processes.isDismissed(2));
        processes.kill(0);
        processes.kill(1);
        while (!processes.hasEnded(0) || !processes.hasEnded(1)) {
            Thread.onSpinWait();
        }
        replacing.look();
        assertTrue(processes.isDismissed(2));
        while (!processes.awaitSome(10)) {
            Thread.onSpinWait();
        }
    }
}
