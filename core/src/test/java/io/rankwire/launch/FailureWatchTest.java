package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is declared of ranks that others cannot reach. The ranks are processes that sleep until they are killed. */
@Timeout(300)
class FailureWatchTest {
    private static final int SIZE = 3;

    @TempDir
    Path root;
    private JobDirectory directory;
    private Board board;
    private final RankProcesses processes = new RankProcesses(false, rank -> true);
    private FailureWatch watch;

    @BeforeEach
    void start() throws IOException {
        directory = JobDirectory.create(root);
        directory.createBoard(SIZE, SIZE);
        board = directory.openBoard();
        processes.watch(board);
        for (int rank = 0; rank < SIZE; rank++) {
            Lines lines = new Lines(new Lines.Shared(new ByteArrayOutputStream()), "");
            processes.start(new ProcessBuilder("sleep", "600"), rank, lines, lines);
        }
        watch = new FailureWatch(board, processes, rank -> {
            int status = processes.status(rank);
            return board.failure(rank) >= 0 ? Ending.thrown(board, rank)
                    : status < 0 ? null : Ending.of(board, rank, status, false, true);
        }, directory, false);
    }

    @AfterEach
    void end() {
        processes.end(true);
        directory.delete();
    }

    private List<String> look(long nowNs) {
        return watch.look(nowNs).stream().map(FailureWatch.Death::cause).toList();
    }

    private void awaitEnd(int rank) {
        while (!processes.hasEnded(rank)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldReportHowASuspectHasEndedByItself() throws Exception {
        board.failures().suspect(0, 2);
        assertEquals(List.of(), look(0));
        // Not by the watch, as SIGTERM shows. A signal that users send to whole jobs has its own delay.
        ProcessHandle.of(processes.pid(2)).orElseThrow().destroy();
        awaitEnd(2);
        assertEquals(List.of("rank 2 was killed by signal 15 (SIGTERM)"), look(FailureWatch.SUSPECT_NS - 1));
        assertEquals("rank 2 was killed by signal 15 (SIGTERM)", board.failures().cause(0));
    }

    @Test
    void shouldKillASuspectThatDoesNotEnd() {
        board.failures().suspect(0, 2);
        assertEquals(List.of(), look(0));
        assertEquals(List.of(), look(FailureWatch.SUSPECT_NS - 1));
        assertFalse(processes.hasEnded(2));
        List<String> said = new ArrayList<>(look(FailureWatch.SUSPECT_NS));
        awaitEnd(2);
        said.addAll(look(FailureWatch.SUSPECT_NS + 1));
        assertEquals(List.of("rank 2 was ended: rank 0 could not reach it"), said);
    }

    @Test
    void shouldKillOneOfTwoThatSuspectEachOther() {
        board.failures().suspect(0, 2);
        assertEquals(List.of(), look(0));
        board.failures().suspect(2, 0);
        List<String> said = new ArrayList<>();
        for (long ns = 1; ns < 10 * FailureWatch.SUSPECT_NS; ns += FailureWatch.SUSPECT_NS / 4) {
            said.addAll(look(ns));
        }
        while (!processes.hasEnded(0) && !processes.hasEnded(2)) {
            LockSupport.parkNanos(1_000_000);
        }
        int dead = processes.hasEnded(0) ? 0 : 2;
        said.addAll(look(10 * FailureWatch.SUSPECT_NS));
        assertEquals(List.of("rank " + dead + " was ended: rank " + (2 - dead) + " could not reach it"), said);
        assertFalse(processes.hasEnded(2 - dead));
    }

    @Test
    void shouldGiveASuspectThatFailsLaterItsTime() {
        board.failures().suspect(0, 2);
        assertEquals(List.of(), look(0));
        processes.kill(0);
        awaitEnd(0);
        assertEquals(List.of("rank 0 was killed by signal 9 (SIGKILL)"), look(1));
        long later = 100 * FailureWatch.SUSPECT_NS;
        board.failed(2, 1);
        assertEquals(List.of(), look(later));
        // Not by the watch, as the status shows.
        ProcessHandle.of(processes.pid(2)).orElseThrow().destroy();
        awaitEnd(2);
        assertEquals(143, processes.status(2));
    }

    @Test
    void shouldGiveASecondSuspicionItsOwnTime() {
        board.failures().suspect(0, 2);
        assertEquals(List.of(), look(0));
        processes.kill(0);
        awaitEnd(0);
        assertEquals(List.of("rank 0 was killed by signal 9 (SIGKILL)"), look(1));
        long later = 100 * FailureWatch.SUSPECT_NS;
        board.failures().suspect(1, 2);
        assertEquals(List.of(), look(later));
        ProcessHandle.of(processes.pid(2)).orElseThrow().destroy();
        awaitEnd(2);
        assertEquals(143, processes.status(2));
    }

    @Test
    void shouldKillAllSuspectsThatARankReportsInTurn() {
        List<String> said = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            board.failures().suspect(0, 1 + i % 2);
            said.addAll(look(i * FailureWatch.SUSPECT_NS / 8));
        }
        awaitEnd(1);
        awaitEnd(2);
        said.addAll(look(20 * FailureWatch.SUSPECT_NS));
        assertEquals(List.of("rank 1 was ended: rank 0 could not reach it",
                "rank 2 was ended: rank 0 could not reach it"), said.stream().sorted().toList());
        assertFalse(processes.hasEnded(0));
    }
}
