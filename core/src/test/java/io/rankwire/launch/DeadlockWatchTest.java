package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeadlockWatchTest {
    private final Board board = Board.inMemory(3);
    private final DeadlockWatch watch = new DeadlockWatch(board);

    private void joinAll() {
        for (int rank = 0; rank < 3; rank++) {
            board.joined(rank, rank + 1);
        }
    }

    private void beat(int times) {
        for (int rank = 0; rank < 3; rank++) {
            for (int i = 0; i < times; i++) {
                board.beat(rank);
            }
        }
    }

    private void answer(boolean quiet) {
        for (int rank = 0; rank < 3; rank++) {
            board.answer(rank, board.question(), quiet);
        }
    }

    private void blockInACycle() {
        joinAll();
        board.block(0, 1, "receive from 1 tag 7 on world at Ring.java:12");
        board.block(1, 2, "receive from 2 tag 7 on world at Ring.java:12");
        board.block(2, 0, "ssend to 0 tag 9 on world at Ring.java:14");
    }

    @Test
    void shouldReportACycleOnceEveryRankHasPolledTwiceAndIsQuiet() {
        blockInACycle();
        assertNull(watch.check());
        beat(2);
        assertNull(watch.check());
        assertNull(watch.check());
        answer(true);
        assertEquals(
                """
                deadlock: every rank waits and nothing is on its way
                  rank 0: receive from 1 tag 7 on world at Ring.java:12
                  rank 1: receive from 2 tag 7 on world at Ring.java:12
                  rank 2: ssend to 0 tag 9 on world at Ring.java:14
                  cycle: 0 -> 1 -> 2 -> 0""",
                watch.check());
    }

    @Test
    void shouldWaitForEveryRanksSecondPoll() {
        blockInACycle();
        assertNull(watch.check());
        beat(1);
        board.beat(0);
        board.beat(1);
        assertNull(watch.check());
        answer(true);
        assertNull(watch.check());
        assertEquals(0, board.question());
        board.beat(2);
        assertNull(watch.check());
        assertEquals(1, board.question());
    }

    @Test
    void shouldStartAgainWhenARankHasMoved() {
        blockInACycle();
        assertNull(watch.check());
        beat(2);
        board.unblock(1);
        assertNull(watch.check());
        board.block(1, 2, "receive from 2 tag 8 on world at Ring.java:13");
        assertNull(watch.check());
        assertNull(watch.check());
        assertEquals(0, board.question());
    }

    @Test
    void shouldStartAgainWhenABlockedRankHasDealtWithSomething() {
        blockInACycle();
        assertNull(watch.check());
        beat(2);
        board.stir(2);
        assertNull(watch.check());
        assertEquals(0, board.question());
    }

    @Test
    void shouldNotReportWhileAnyRankRunsOrHasNotJoined() {
        board.joined(0, 1);
        board.block(0, 1, "receive");
        for (int i = 0; i < 5; i++) {
            assertNull(watch.check());
            beat(2);
        }
        board.joined(1, 2);
        board.closed(1);
        board.joined(2, 3);
        for (int i = 0; i < 5; i++) {
            assertNull(watch.check());
            beat(2);
        }
        assertEquals(0, board.question());
    }

    @Test
    void shouldNotReportWhileAThreadOfABlockedRankMayAct() {
        blockInACycle();
        assertNull(watch.check());
        beat(2);
        assertNull(watch.check());
        answer(false);
        assertNull(watch.check());
        long refused = board.question();
        for (int i = 0; i < 100 && board.question() == refused; i++) {
            assertNull(watch.check());
        }
        answer(true);
        assertNotNull(watch.check());
    }

    @Test
    void shouldNotTrustAnAnswerFromBeforeAChange() {
        blockInACycle();
        assertNull(watch.check());
        beat(2);
        assertNull(watch.check());
        answer(true);
        board.unblock(0);
        board.block(0, 1, "receive");
        assertNull(watch.check());
    }

    @Test
    void shouldNameTheRankThatHasEnded() {
        joinAll();
        board.closed(1);
        board.left(1);
        board.closed(2);
        board.block(0, 1, "receive from 1 tag 7 on world at Ring.java:12");
        assertTrue(prove().endsWith("rank 0 waits for rank 1, which has ended"));
    }

    @Test
    void shouldSayWhenARankWaitsForAny() {
        joinAll();
        board.closed(1);
        board.closed(2);
        board.block(0, -1, "receive from any tag 7 on world at Ring.java:12");
        assertTrue(prove().endsWith("rank 0 waits for any rank, and none will send"));
    }

    @Test
    void shouldFindACycleThatTheFirstRankIsNotPartOf() {
        joinAll();
        board.block(0, 1, "a");
        board.block(1, 2, "b");
        board.block(2, 1, "c");
        assertTrue(prove().endsWith("cycle: 1 -> 2 -> 1"));
    }

    private String prove() {
        assertNull(watch.check());
        beat(2);
        assertNull(watch.check());
        answer(true);
        String report = watch.check();
        // Longer if a rank has closed its world: it might be about to join the next.
        for (int i = 0; i < 20 && report == null; i++) {
            report = watch.check();
        }
        return report;
    }
}
