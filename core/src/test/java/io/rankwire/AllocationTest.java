package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages allocate nothing once a program has warmed up. */
@Timeout(300)
final class AllocationTest {
    private static final int WARM_UP = 2_000;
    private static final int BATCHES = 20;
    private static final int BATCH = 100;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** One message in each direction. */
    @FunctionalInterface
    private interface Round {
        void run();
    }

    @FunctionalInterface
    private interface Program {
        Round rounds(Communicator all);
    }

    private static void assertNoBytesPerMessage(int ranks, Program program) {
        Worlds.run(ranks, world -> {
            Round round = program.rounds(world.communicator());
            for (int i = 0; i < WARM_UP; i++) {
                round.run();
            }
            // A wait that is long enough to be written to the board allocates; not every batch has one.
            long least = Long.MAX_VALUE;
            for (int batch = 0; batch < BATCHES; batch++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < BATCH; i++) {
                    round.run();
                }
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated for " + BATCH + " rounds");
        });
    }

    @Test
    void shouldAllocateNothingForBlockingCalls() {
        assertNoBytesPerMessage(2, all -> {
            double[] buffer = new double[4];
            int other = 1 - all.rank();
            return () -> {
                if (all.rank() == 0) {
                    all.send(buffer, other, 1);
                    all.receive(buffer, other, 1);
                } else {
                    all.receive(buffer, other, 1);
                    all.send(buffer, other, 1);
                }
            };
        });
    }

    /** A message each way, handled and answered inside calls that wait. */
    @Test
    void shouldAllocateNothingForActiveMessages() {
        assertNoBytesPerMessage(2, all -> {
            ActiveMessages active = ActiveMessages.open(all);
            long[] out = new long[1];
            long[] seen = new long[1];
            int other = 1 - all.rank();
            active.handle(1, (source, payload) -> seen[0] = payload.getLong());
            BooleanSupplier isHere = () -> seen[0] == out[0];
            return () -> {
                out[0]++;
                if (all.rank() == 0) {
                    active.post(1, other, out);
                }
                active.await(isHere);
                if (all.rank() == 1) {
                    active.post(1, other, out);
                }
            };
        });
    }

    @Test
    void shouldAllocateNothingForPersistentRequests() {
        assertNoBytesPerMessage(2, all -> {
            byte[] out = new byte[100];
            byte[] in = new byte[100];
            Request send = all.sendInit(out, 0, 100, 1 - all.rank(), 1);
            Request receive = all.receiveInit(in, 0, 100, 1 - all.rank(), 1);
            return () -> {
                receive.start();
                send.start();
                send.await();
                receive.await();
            };
        });
    }

    @Test
    void shouldAllocateNothingForCollectives() {
        assertNoBytesPerMessage(2, all -> {
            double[] mine = {1, 2};
            double[] sum = new double[2];
            int[] number = new int[1];
            return () -> {
                all.allreduce(mine, sum, Op.SUM);
                all.allreduce(sum, mine, Op.MAX);
                for (int root = 0; root < 2; root++) {
                    all.broadcast(number, root);
                    all.reduce(mine, root == all.rank() ? sum : null, Op.SUM, root);
                }
                all.barrier();
            };
        });
    }

    @Test
    void shouldAllocateNothingForPersistentCollectives() {
        assertNoBytesPerMessage(2, all -> {
            double[] mine = new double[3000];
            double[] sum = new double[3000];
            Request reduce = all.allreduceInit(mine, 0, sum, 0, 3000, Op.SUM);
            Request gate = all.barrierInit();
            return () -> {
                reduce.start();
                reduce.await();
                gate.start();
                gate.await();
            };
        });
    }

    /** Announced messages and unexpected ones use pooled operations too. */
    @Test
    void shouldAllocateNothingForUnexpectedAndSynchronousMessages() {
        assertNoBytesPerMessage(1, all -> {
            byte[] buffer = new byte[300];
            Request sync = all.ssendInit(buffer, 0, 300, 0, 2);
            return () -> {
                all.send(buffer, 0, 1);
                sync.start();
                all.receive(buffer, 0, 2);
                sync.await();
                all.receive(buffer, 0, 1);
            };
        });
    }

    /** A contiguous datatype is a plain buffer that is counted differently. */
    @Test
    void shouldAllocateNothingForContiguousDatatypes() {
        Datatype rows = Datatype.contiguous(3, Datatype.vector(2, 4, 4, Datatype.DOUBLE));
        assertNoBytesPerMessage(2, all -> {
            double[] buffer = new double[100];
            int other = 1 - all.rank();
            return () -> {
                if (all.rank() == 0) {
                    all.send(buffer, 1, 4, rows, other, 1);
                    all.receive(buffer, 1, 4, rows, other, 1);
                } else {
                    all.receive(buffer, 1, 4, rows, other, 1);
                    all.send(buffer, 1, 4, rows, other, 1);
                }
            };
        });
    }

    /** Tests the measurement itself: it detects a program that allocates. */
    @Test
    void shouldSeeAProgramThatAllocates() {
        AssertionError seen = assertThrows(AssertionError.class,
                () -> assertNoBytesPerMessage(1, all -> () -> {
                    all.isend(new byte[8], 0, 1).await();
                    all.receive(new byte[8], 0, 1);
                }));
        assertTrue(seen.getMessage().contains("bytes allocated"), seen.getMessage());
    }
}
