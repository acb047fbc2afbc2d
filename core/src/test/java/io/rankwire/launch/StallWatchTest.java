package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StallWatchTest {
    private static final long SECOND = 1_000_000_000;

    private final Board board = Board.inMemory(2);
    private int calls;
    private long usedNs;
    private final StallWatch watch = new StallWatch(board, 10 * SECOND, process -> process == 2 ? usedNs : 0);

    private void waitForOne() {
        board.joined(0, 1);
        board.joined(1, 2);
        board.block(0, 1, "receive");
    }

    /** Checks twice a second from one time to another, and returns when a stall was noticed, or -1. */
    private long firstNoticed(long from, long to) {
        for (long half = 2 * from; half <= 2 * to; half++) {
            if (watch.check(half * SECOND / 2)) {
                return half / 2;
            }
        }
        return -1;
    }

    @Test
    void shouldNoticeAStallOnce() {
        waitForOne();
        assertEquals(11, firstNoticed(1, 20));
        assertEquals(10, watch.seconds(11 * SECOND));
        assertEquals(-1, firstNoticed(12, 100));
    }

    @Test
    void shouldNoticeTheNextStallToo() {
        waitForOne();
        assertEquals(11, firstNoticed(1, 20));
        board.stir(0);
        assertEquals(31, firstNoticed(21, 50));
    }

    @Test
    void shouldTakeCallsThatDoNotWaitForProgress() {
        waitForOne();
        board.countCalls(1, () -> calls);
        for (int second = 1; second < 100; second++) {
            calls++;
            board.showCalls();
            assertFalse(watch.check(second * SECOND));
        }
        assertTrue(firstNoticed(100, 120) > 0);
    }

    @Test
    void shouldNoticeNothingWhileNoRankWaits() {
        board.joined(0, 1);
        board.joined(1, 2);
        assertEquals(-1, firstNoticed(1, 100));
    }

    @Test
    void shouldGiveARankThatComputesSixTimesAsLong() {
        waitForOne();
        long noticed = -1;
        for (int second = 0; noticed < 0; second++) {
            usedNs += SECOND / 2;
            noticed = watch.check(second * SECOND) ? second : -1;
        }
        assertEquals(60, noticed);
    }

    @Test
    void shouldGiveRanksOnOtherHostsSixTimesAsLong() {
        board.elsewhere(new boolean[] {false, true});
        board.joined(0, 1);
        board.block(0, 1, "receive");
        assertEquals(61, firstNoticed(1, 100));
    }

    @Test
    void shouldNeverNoticeWithALimitOfZero() {
        waitForOne();
        StallWatch never = new StallWatch(board, 0, process -> 0);
        for (int second = 1; second < 1000; second++) {
            assertFalse(never.check(second * SECOND));
        }
    }
}
