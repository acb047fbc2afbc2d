package io.rankwire.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** Mutual exclusion from the moment at which a second thread contends for a biased lock. */
@Timeout(300)
final class DeviceLockTest {
    private static final int ROUNDS = 30_000;
    private static final int OTHERS = 3;

    private long counter;

    @RepeatedTest(10)
    void shouldLetOneThreadInAtATime() throws Exception {
        DeviceLock lock = new DeviceLock();
        CountDownLatch go = new CountDownLatch(1);
        FutureTask<?>[] others = new FutureTask<?>[OTHERS];
        for (int i = 0; i < OTHERS; i++) {
            int late = i * 2_000;
            others[i] = new FutureTask<>(() -> {
                go.await();
                for (int wait = 0; wait < late; wait++) {
                    Thread.onSpinWait();
                }
                count(lock);
                return null;
            });
            Thread thread = new Thread(others[i], "other-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        for (int i = 0; i < ROUNDS; i++) {
            if (i == ROUNDS / 4) {
                go.countDown();
            }
            add(lock);
        }
        for (FutureTask<?> other : others) {
            other.get();
        }
        assertEquals((1L + OTHERS) * ROUNDS, counter);
    }

    private void count(DeviceLock lock) {
        for (int i = 0; i < ROUNDS; i++) {
            add(lock);
        }
    }

    private void add(DeviceLock lock) {
        lock.lock();
        counter++;
        lock.unlock();
    }
}
