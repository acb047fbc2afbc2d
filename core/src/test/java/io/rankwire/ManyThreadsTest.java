package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of several threads of a rank at the same time. */
@Timeout(300)
final class ManyThreadsTest {
    private static final int THREADS = 4;
    private static final int MESSAGES = 2_000;

    @FunctionalInterface
    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void together(Work work) throws Exception {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            FutureTask<Void> task = new FutureTask<>(() -> {
                work.run(thread);
                return null;
            });
            tasks.add(task);
            Thread started = new Thread(task, "worker-" + i);
            started.setDaemon(true);
            started.start();
        }
        for (FutureTask<Void> task : tasks) {
            task.get(100, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldKeepThreadsApartByTag() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            together(thread -> {
                int[] in = new int[600];
                for (int i = 0; i < MESSAGES; i++) {
                    int length = i % 50 == 0 ? 600 : 1 + i % 9;
                    int[] out = new int[length];
                    out[0] = i;
                    Status status;
                    if ((i + thread) % 3 == 0) {
                        status = all.sendReceive(out, other, thread, in, other, thread);
                    } else if (all.rank() == 0) {
                        all.send(out, other, thread);
                        status = all.receive(in, other, thread);
                    } else {
                        status = all.receive(in, other, thread);
                        all.send(out, other, thread);
                    }
                    assertEquals(i, in[0]);
                    assertEquals(length, status.count());
                    assertEquals(thread, status.tag());
                }
            });
        });
    }

    /** All threads receive from the same stream: each message goes to exactly one of them. */
    @Test
    void shouldGiveEachMessageToOneThread() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                together(thread -> {
                    for (int i = 0; i < MESSAGES / 2; i++) {
                        all.send(new int[] {thread * MESSAGES + i}, 1, 7);
                    }
                });
                return;
            }
            boolean[] seen = new boolean[THREADS * MESSAGES];
            together(thread -> {
                int[] in = new int[1];
                for (int i = 0; i < MESSAGES / 2; i++) {
                    if (thread == 0) {
                        all.mprobe(0, 7).receive(in);
                    } else {
                        all.receive(in, Communicator.ANY_SOURCE, 7);
                    }
                    synchronized (seen) {
                        assertTrue(!seen[in[0]], "received twice");
                        seen[in[0]] = true;
                    }
                }
            });
            int count = 0;
            for (boolean one : seen) {
                count += one ? 1 : 0;
            }
            assertEquals(THREADS * MESSAGES / 2, count);
        });
    }

    /** A thread that waits long in a call must not block the calls of other threads. */
    @Test
    void shouldLetOthersWorkWhileOneWaits() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            together(thread -> {
                int[] in = new int[1];
                if (thread == 0) {
                    all.receive(in, other, 100);
                    return;
                }
                for (int i = 0; i < MESSAGES / 4; i++) {
                    all.sendReceive(new int[] {i}, other, thread, in, other, thread);
                    assertEquals(i, in[0]);
                }
                if (thread == 1) {
                    all.send(in, other, 100);
                }
            });
        });
    }
}
