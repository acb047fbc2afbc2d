package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeadlockWatchTest {
    /** More than the checks the watch rests before it asks the ranks. */
    private static final int REST = 25;

    private final Board board = Board.inMemory(3);
    private boolean gone = true;
    private final DeadlockWatch watch = new DeadlockWatch(board, rank -> gone);

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

    private void answer(boolean noneCanAct) {
        for (int rank = 0; rank < 3; rank++) {
            board.answer(rank, board.question(), noneCanAct);
        }
    }

    private void checkInVain(int times) {
        for (int i = 0; i < times; i++) {
            assertFalse(watch.check());
        }
    }

    private void blockInACycle() {
        joinAll();
        board.block(0, 1, "receive from 1 tag 7 on world at Ring.java:12");
        board.block(1, 2, "receive from 2 tag 7 on world at Ring.java:12");
        board.block(2, 0, "ssend to 0 tag 9 on world at Ring.java:14");
    }

    @Test
    void shouldBeginAnewWhenARankDies() {
        blockInACycle();
        checkInVain(REST);
        beat(2);
        checkInVain(1);
        answer(true);
        checkInVain(1);
        beat(2);
        // Without this the next check would prove it.
        board.failures().declare(2, "rank 2 was killed");
        checkInVain(1);
        board.unblock(1);
        checkInVain(2 * REST);
    }

    @Test
    void shouldProveADeadlockAmongThoseThatAreLeft() {
        joinAll();
        board.block(0, 1, "receive from 1");
        board.block(1, 0, "receive from 0");
        board.failures().declare(2, "rank 2 was killed");
        checkInVain(REST);
        beat(2);
        checkInVain(1);
        board.answer(0, board.question(), true);
        board.answer(1, board.question(), true);
        checkInVain(1);
        beat(2);
        assertTrue(watch.check());
        assertTrue(watch.report().contains("rank 2: is dead: rank 2 was killed"), watch.report());
    }

    @Test
    void shouldProveNothingWhileARankIsOnAnotherHost() {
        board.elsewhere(new boolean[] {false, true, false});
        blockInACycle();
        for (int i = 0; i < 3; i++) {
            checkInVain(REST);
            beat(2);
            answer(true);
        }
        assertEquals(0, board.question());
    }

    @Test
    void shouldNameRanksOnOtherHosts() {
        board.elsewhere(new boolean[] {false, true, false});
        board.joined(0, 1);
        board.block(0, 1, "receive from 1 tag 7");
        String report = watch.report("no progress", rank -> "");
        assertTrue(report.contains("rank 1: is on another host"), report);
        assertTrue(report.contains("rank 0 waits for rank 1, which is on another host"), report);
        assertTrue(report.contains("rank 2: has not joined"), report);
    }

    @Test
    void shouldProveACycleOnceNoThreadCanActAndAllHavePolledAgain() {
        blockInACycle();
        checkInVain(1);
        beat(2);
        checkInVain(REST);
        assertEquals(1, board.question());
        answer(true);
        checkInVain(REST);
        beat(2);
        assertTrue(watch.check());
        assertEquals(
                """
                deadlock: every rank waits and nothing is on its way
                  rank 0: receive from 1 tag 7 on world at Ring.java:12
                  rank 1: receive from 2 tag 7 on world at Ring.java:12
                  rank 2: ssend to 0 tag 9 on world at Ring.java:14
                  cycle: 0 -> 1 -> 2 -> 0""",
                watch.report());
    }

    @Test
    void shouldWaitForEveryRanksSecondPoll() {
        blockInACycle();
        checkInVain(1);
        beat(1);
        board.beat(0);
        board.beat(1);
        checkInVain(REST);
        assertEquals(0, board.question());
        board.beat(2);
        checkInVain(1);
        assertEquals(1, board.question());
    }

    @Test
    void shouldWaitForEveryRanksPollsAfterTheAnswers() {
        blockInACycle();
        checkInVain(1);
        beat(2);
        checkInVain(REST);
        answer(true);
        checkInVain(1);
        beat(1);
        board.beat(0);
        board.beat(2);
        checkInVain(REST);
        board.beat(1);
        assertTrue(watch.check());
    }

    @Test
    void shouldStartAgainWhenARankHasMoved() {
        blockInACycle();
        checkInVain(1);
        beat(2);
        board.unblock(1);
        checkInVain(1);
        board.block(1, 2, "receive from 2 tag 8 on world at Ring.java:13");
        checkInVain(REST);
        assertEquals(0, board.question());
    }

    @Test
    void shouldStartAgainWhenABlockedRankHasDealtWithSomething() {
        blockInACycle();
        checkInVain(1);
        beat(2);
        board.stir(2);
        checkInVain(REST);
        assertEquals(0, board.question());
    }

    @Test
    void shouldAskNothingWhileAnyRankRunsOrHasNotJoined() {
        board.joined(0, 1);
        board.block(0, 1, "receive");
        for (int i = 0; i < REST; i++) {
            checkInVain(1);
            beat(2);
        }
        board.joined(1, 2);
        board.closed(1);
        board.joined(2, 3);
        for (int i = 0; i < REST; i++) {
            checkInVain(1);
            beat(2);
        }
        assertEquals(0, board.question());
    }

    @Test
    void shouldAskNothingWhileTheProcessOfARankThatLeavesIsThere() {
        joinAll();
        board.left(1);
        board.closed(2);
        board.block(0, 1, "receive");
        gone = false;
        for (int i = 0; i < REST; i++) {
            checkInVain(1);
            beat(2);
        }
        assertEquals(0, board.question());
    }

    @Test
    void shouldAskAgainLaterWhileAThreadMayAct() {
        blockInACycle();
        checkInVain(1);
        beat(2);
        checkInVain(REST);
        answer(false);
        checkInVain(1);
        long refused = board.question();
        for (int i = 0; i < 100 && board.question() == refused; i++) {
            checkInVain(1);
        }
        assertEquals(refused + 1, board.question());
        answer(true);
        checkInVain(1);
        beat(2);
        assertTrue(watch.check());
    }

    @Test
    void shouldNotTrustAnAnswerFromBeforeAChange() {
        blockInACycle();
        checkInVain(1);
        beat(2);
        checkInVain(REST);
        answer(true);
        checkInVain(1);
        board.unblock(0);
        board.block(0, 1, "receive");
        beat(2);
        checkInVain(REST);
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
        board.block(0, -1, "receive from any rank, tag 7, on world at Ring.java:12");
        assertTrue(prove().endsWith("rank 0 waits for any rank, and none sends"));
    }

    @Test
    void shouldNameTheCallThatNeedsOthersButNoMessage() {
        joinAll();
        board.closed(1);
        board.closed(2);
        board.block(0, -1, "agree, on world at Ring.java:12");
        String report = prove();
        assertTrue(report.endsWith("\n  rank 0 waits in agree, on world at Ring.java:12, and no rank ends that"),
                report);
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
        checkInVain(1);
        beat(2);
        checkInVain(REST);
        answer(true);
        checkInVain(1);
        beat(2);
        assertTrue(watch.check());
        return watch.report();
    }
}
