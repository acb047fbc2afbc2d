package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.EndStalls;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(300)
class ThreadRanksTest {
    @Test
    void shouldGiveEachRankAndItsThreadsTheirOwnJob() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        ThreadRanks.run(4, job -> {
            assertSame(job, Job.current());
            Thread child = new Thread(() -> seen.add(Job.current().rank() + " of " + Job.current().size()));
            child.start();
            child.join();
        });
        assertEquals(Set.of("0 of 4", "1 of 4", "2 of 4", "3 of 4"), seen);
        assertEquals(1, Job.current().size());
    }

    @Test
    void shouldRunEndingsAfterTheBody() {
        StringBuffer order = new StringBuffer();
        ThreadRanks.run(1, job -> {
            job.atEnd(() -> order.append(" end"));
            order.append("body");
        });
        assertEquals("body end", order.toString());
    }

    @Test
    void shouldThrowTheFirstFailureAndStopTheOthers() {
        ThreadRanks.Failed failed = assertThrows(
                ThreadRanks.Failed.class,
                () -> ThreadRanks.run(3, job -> {
                    if (job.rank() == 1) {
                        throw new IllegalArgumentException("boom");
                    }
                    Thread.sleep(job.rank() == 0 ? 600_000 : 1);
                    while (!job.board().aborted()) {
                        Thread.sleep(1);
                    }
                    throw new IllegalStateException("stopped");
                }));
        assertEquals(1, failed.rank());
        assertEquals("boom", failed.getCause().getMessage());
    }

    /** What a blocked call does, without any message passing. */
    private static void block(Job job, int waitsFor) throws InterruptedException {
        Board board = job.board();
        board.enter(Thread.currentThread());
        board.block(job.rank(), waitsFor, "receive from " + waitsFor);
        while (!board.aborted()) {
            board.beat(job.rank());
            Thread.sleep(1);
        }
        throw new IllegalStateException("aborted");
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldReportADeadlock() {
        ThreadRanks.Failed failed = assertThrows(
                ThreadRanks.Failed.class,
                () -> ThreadRanks.run(2, job -> {
                    job.board().joined(job.rank(), 1);
                    block(job, 1 - job.rank());
                }));
        assertTrue(failed.getMessage().contains("cycle: 0 -> 1 -> 0"), failed.getMessage());
    }

    @Test
    void shouldNotReportADeadlockWhileAnotherThreadOfARankSleeps() {
        // A timer's thread has only frames of the JDK while it waits, as a user's would have only the user's.
        waitFor(done -> new Timer("Poller", true).schedule(task(done::countDown), 700));
    }

    @Test
    void shouldNotReportADeadlockWhileAVirtualThreadSleeps() {
        waitFor(done -> Thread.startVirtualThread(() -> {
            LockSupport.parkNanos(700_000_000);
            done.countDown();
        }));
    }

    /** Both ranks block until what rank 0 has begun is done. */
    private static void waitFor(Consumer<CountDownLatch> begin) {
        CountDownLatch done = new CountDownLatch(1);
        ThreadRanks.run(2, job -> {
            Board board = job.board();
            board.joined(job.rank(), 1);
            if (job.rank() == 0) {
                begin.accept(done);
            }
            board.block(job.rank(), 1 - job.rank(), "receive");
            while (done.getCount() > 0) {
                board.beat(job.rank());
                Thread.sleep(1);
                assertTrue(!board.aborted(), board.abortReason());
            }
            board.unblock(job.rank());
            board.closed(job.rank());
        });
    }

    private static TimerTask task(Runnable body) {
        return new TimerTask() {
            @Override
            public void run() {
                body.run();
            }
        };
    }

    @Test
    void shouldEndARankThatWasAskedForJustBeforeTheEnd() {
        for (int i = 0; i < 50; i++) {
            ThreadRanks.Failed failed = assertThrows(ThreadRanks.Failed.class, () -> ThreadRanks.run(2, job -> {
                if (job.rank() == 1) {
                    throw new IllegalStateException("dies");
                } else if (job.rank() > 1) {
                    Thread.sleep(600_000);
                }
                while (job.board().failures().count() == 0) {
                    Thread.sleep(1);
                }
                job.replacements().ask(
                        new Replacements.Request("key", 0, 7, "world", List.of(0, 1), List.of(1)));
                job.fail(new Aborted("for all", 3));
                Thread.sleep(600_000);
            }, Patience.endless(), true, true));
            assertEquals("for all", failed.getCause().getMessage());
        }
    }

    @Test
    void shouldNoticeAWorldLeftOpen() {
        ThreadRanks.Failed failed = assertThrows(
                ThreadRanks.Failed.class, () -> ThreadRanks.run(2, job -> job.board().joined(job.rank(), 1)));
        assertTrue(failed.getMessage().contains("never closed its World"), failed.getMessage());
    }
}
