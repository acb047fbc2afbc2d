package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.Board.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoardTest {
    @Test
    void shouldTellTheLifeOfARank() {
        Board board = Board.inMemory(2);
        assertEquals(State.ABSENT, board.state(1));
        assertFalse(board.stillOpen(1));
        board.joined(1, 4711);
        assertEquals(State.RUNNING, board.state(1));
        assertEquals(4711, board.pid(1));
        assertTrue(board.stillOpen(1));
        board.block(1, 0, "receive from 0 tag 7 on world at Ring.java:12");
        assertEquals(State.BLOCKED, board.state(1));
        assertEquals(0, board.waitsFor(1));
        assertEquals("receive from 0 tag 7 on world at Ring.java:12", board.doing(1));
        board.unblock(1);
        assertEquals(State.RUNNING, board.state(1));
        board.closed(1);
        assertFalse(board.stillOpen(1));
        board.left(1);
        assertEquals(State.LEFT, board.state(1));
        assertFalse(board.stillOpen(1));
        assertTrue(board.endedAt(1) != 0);
        assertEquals(State.ABSENT, board.state(0));
    }

    @Test
    void shouldRememberThatARankLeftWithoutClosing() {
        Board board = Board.inMemory(1);
        board.joined(0, 1);
        board.left(0);
        assertTrue(board.stillOpen(0));
        assertEquals("has ended without closing its world", board.doing(0));
    }

    @Test
    void shouldChangeTheEpochWithEveryChange() {
        Board board = Board.inMemory(1);
        long last = board.epoch(0);
        Runnable[] changes = {
            () -> board.joined(0, 1),
            () -> board.block(0, -1, "a"),
            () -> board.stir(0),
            () -> board.unblock(0),
            () -> board.closed(0),
            () -> board.left(0)
        };
        for (Runnable change : changes) {
            change.run();
            assertTrue(board.epoch(0) > last);
            last = board.epoch(0);
        }
        board.beat(0);
        assertEquals(last, board.epoch(0));
        assertEquals(1, board.beats(0));
    }

    @Test
    void shouldCutLongTextAtACharacter() {
        Board board = Board.inMemory(1);
        board.joined(0, 1);
        board.block(0, -1, "x" + "é".repeat(1000));
        String told = board.doing(0);
        assertTrue(told.length() > 300 && told.matches("xé+"), told);
    }

    @Test
    void shouldCarryTheWordThatEndsTheJob() {
        Board board = Board.inMemory(1);
        assertFalse(board.aborted());
        assertEquals(-1, board.abortStatus());
        board.abort(0, "why");
        assertTrue(board.aborted());
        assertEquals(0, board.abortStatus());
        assertEquals("why", board.abortReason());
    }

    @Test
    void shouldShareOneFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("board");
        Board.create(file, 3, 3);
        Board mine = Board.open(file);
        Board theirs = Board.open(file);
        assertEquals(3, theirs.size());
        mine.joined(2, 99);
        mine.block(2, 1, "probe");
        assertEquals(99, theirs.pid(2));
        assertEquals("probe", theirs.doing(2));
    }

    @Test
    void shouldRefuseAFileThatIsNoBoard(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("board");
        Files.write(file, new byte[10]);
        assertThrows(IOException.class, () -> Board.open(file));
        Files.write(file, new byte[8192]);
        assertThrows(IOException.class, () -> Board.open(file));
    }

    @Test
    void shouldNameARankThatIsNotThere() {
        Board board = Board.inMemory(2);
        assertTrue(assertThrows(IndexOutOfBoundsException.class, () -> board.state(2))
                .getMessage()
                .contains("rank 2"));
    }
}
