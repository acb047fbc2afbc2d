package io.rankwire.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A visitor borrows the lock while its owner is outside, and restores its state afterwards. */
@Timeout(300)
final class DeviceLockVisitTest {
    private static final long MOST_NS = 180_000_000_000L;

    /** An owner, a visitor and, later, other threads increment a counter that only the lock protects. */
    static final class Stress {
        private final DeviceLock lock = new DeviceLock(false);
        private final long endNs;
        private volatile boolean over;
        private long first;
        private long second;
        private long visits;

        Stress(long ms) {
            endNs = System.nanoTime() + ms * 1_000_000;
        }

        long run(long seed, int others) throws Exception {
            FutureTask<Long> visitor = start(() -> visit(new Rand(seed + 1)));
            FutureTask<?>[] more = new FutureTask<?>[others];
            for (int i = 0; i < others; i++) {
                Rand rand = new Rand(seed + 2 + i);
                more[i] = start(() -> {
                    Thread.sleep(Math.max(0, (endNs - System.nanoTime()) / 2_000_000));
                    return use(rand);
                });
            }
            long uses = use(new Rand(seed));
            over = true;
            for (FutureTask<?> each : more) {
                uses += (long) each.get();
            }
            visits = visitor.get();
            if (first != uses + visits || second != uses + visits) {
                throw new AssertionError("seed " + seed + ": " + uses + " uses and " + visits + " visits, but counted "
                        + first + " and " + second);
            }
            return visits;
        }

        private static <T> FutureTask<T> start(Callable<T> work) {
            FutureTask<T> task = new FutureTask<>(work);
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            return task;
        }

        /** Takes the lock often, with occasional pauses. */
        private long use(Rand rand) {
            long uses = 0;
            while (System.nanoTime() - endNs < 0) {
                for (long turns = rand.below(200); turns > 0; turns--) {
                    lock.lock();
                    first++;
                    second++;
                    lock.unlock();
                    uses++;
                }
                idle(rand.below(2_000));
            }
            return uses;
        }

        /** Holds the lock for a short time, or until another thread wants it. */
        private long visit(Rand rand) {
            long count = 0;
            while (!over) {
                if (lock.tryVisit()) {
                    for (int rounds = rand.below(20); rounds >= 0 && !lock.wanted(); rounds--) {
                        first++;
                        idle(rand.below(10));
                        second++;
                        count++;
                    }
                    lock.endVisit();
                }
                idle(rand.below(500));
            }
            return count;
        }

        private static void idle(int spins) {
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
        }

        /** Entry point of a separate process with native access. */
        public static void main(String[] args) throws Exception {
            ProcessFence.prepare();
            for (int wait = 0; wait < 500 && !ProcessFence.pass(); wait++) {
                Thread.sleep(10);
            }
            String fence = ProcessFence.pass() ? "kernel" : "handshake";
            long visits = new Stress(2_000).run(1, 0) + new Stress(1_000).run(2, 2);
            System.out.println(fence + " " + (visits > 0));
        }
    }

    @Test
    void shouldKeepOwnerAndVisitorApart() throws Exception {
        assertTrue(visits(11, 0, 2_000) > 0, "no visit came about");
    }

    @Test
    void shouldExcludeOtherThreadsToo() throws Exception {
        assertTrue(visits(21, 2, 2_000) > 0, "no visit came about");
    }

    /** Runs for some time, and on a busy machine until a visit has come about. */
    private static long visits(int seed, int others, int ms) throws Exception {
        long start = System.nanoTime();
        long visits = 0;
        for (int run = 0; System.nanoTime() - start < (visits > 0 ? ms * 1_000_000L : MOST_NS); run++) {
            visits += new Stress(500).run(seed + run, others);
        }
        return visits;
    }

    @Test
    void shouldKeepThemApartByTheFenceOfTheOperatingSystem() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Stress.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        boolean linux = System.getProperty("os.name").equals("Linux");
        assertEquals((linux ? "kernel" : "handshake") + " true\n", said);
    }

    @Test
    void shouldNotVisitWhileTheOwnerIsInside() throws Exception {
        DeviceLock lock = new DeviceLock(false);
        lock.lock();
        assertFalse(onAnotherThread(lock::tryVisit));
        lock.unlock();
        assertTrue(onAnotherThread(lock::tryVisit));
        assertFalse(lock.inUse(), "a visit is no use");
        lock.endVisit();
        int uses = lock.uses();
        lock.lock();
        assertTrue(lock.inUse());
        lock.unlock();
        assertTrue(lock.uses() != uses);
    }

    @Test
    void shouldThrowWhatAVisitFailedWithOnceAndWithoutTheLock() throws Exception {
        DeviceLock lock = new DeviceLock(false);
        for (int round = 0; round < 3; round++) {
            IllegalStateException failure = new IllegalStateException("round " + round);
            assertTrue(onAnotherThread(lock::tryVisit));
            lock.endVisit(failure);
            if (round < 2) {
                assertSame(failure, assertThrows(IllegalStateException.class, lock::lock));
            } else {
                assertSame(failure, assertThrows(IllegalStateException.class, lock::lockAgain));
                assertFalse(onAnotherThread(lock::tryVisit), "the lock is held");
                lock.unlock();
            }
            lock.lock();
            lock.unlock();
        }
    }

    private static boolean onAnotherThread(Callable<Boolean> call) throws Exception {
        return Stress.start(call).get(2, TimeUnit.MINUTES);
    }
}
