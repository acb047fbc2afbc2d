package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.memory.Rand;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks of one process that compute while messages are in transfer: their shared helper thread moves these. */
@Timeout(300)
final class ProgressTest {
    private static final int LARGE = 1 << 20;

    @AfterEach
    void shouldLeaveNoThread() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertFalse(thread.getName().startsWith("rankwire-progress"), thread.getName());
        }
    }

    private static byte[] pattern(int seed) {
        byte[] bytes = new byte[LARGE];
        Rand rand = new Rand(seed);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) rand.nextLong();
        }
        return bytes;
    }

    /** Computes without a call to Rankwire until a condition holds. */
    private static void computeUntil(BooleanSupplier happened) {
        long end = System.nanoTime() + 120_000_000_000L;
        while (!happened.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "nothing moved while the rank computed");
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldMoveWhatWasSentWhileTheSenderComputes() {
        AtomicBoolean received = new AtomicBoolean();
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Request sent = all.isend(pattern(1), 1, 7);
                computeUntil(received::get);
                sent.await();
            } else {
                byte[] in = new byte[LARGE];
                all.receive(in, 0, 7);
                assertArrayEquals(pattern(1), in);
                received.set(true);
            }
        });
    }

    @Test
    void shouldTakeInWhatComesWhileTheReceiverComputes() {
        AtomicBoolean sent = new AtomicBoolean();
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                byte[] in = new byte[LARGE];
                Request received = all.irecv(in, 1, 7);
                computeUntil(sent::get);
                received.await();
                assertArrayEquals(pattern(2), in);
            } else {
                all.ssend(pattern(2), 0, 7);
                sent.set(true);
            }
        });
    }

    /** The receiver has no operation in progress, but its ring is full. */
    @Test
    void shouldMakeRoomForSendersWhileTheReceiverComputes() {
        AtomicBoolean sent = new AtomicBoolean();
        int count = 1_000;
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            byte[] message = new byte[4_000];
            if (all.rank() == 0) {
                computeUntil(sent::get);
                for (int i = 0; i < count; i++) {
                    all.receive(message, 1, 7);
                    assertEquals((byte) i, message[0]);
                }
            } else {
                for (int i = 0; i < count; i++) {
                    message[0] = (byte) i;
                    all.send(message, 0, 7);
                }
                sent.set(true);
            }
        });
    }

    @Test
    void shouldServeManyRanks() {
        int ranks = 6;
        AtomicBoolean[] received = new AtomicBoolean[ranks];
        for (int i = 0; i < ranks; i++) {
            received[i] = new AtomicBoolean();
        }
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            byte[] in = new byte[LARGE];
            Request coming = all.irecv(in, Worlds.previous(all), 7);
            Request going = all.isend(pattern(all.rank()), Worlds.next(all), 7);
            if (all.rank() % 2 == 0) {
                computeUntil(received[Worlds.next(all)]::get);
            }
            coming.await();
            received[all.rank()].set(true);
            going.await();
            assertArrayEquals(pattern(Worlds.previous(all)), in);
        });
    }

    @Test
    void shouldThrowInTheNextCallWhatFailedMeanwhile() {
        DeviceConfig few = DeviceConfig.DEFAULT.withHeaders(8, 8, DeviceConfig.Overflow.FAIL);
        AtomicBoolean over = new AtomicBoolean();
        Worlds.assertFails(ErrorClass.ABORTED, () -> Worlds.run(2, few, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                // When the helper takes them in, they are more than its eight headers.
                long start = System.nanoTime();
                while (System.nanoTime() - start < 200_000_000) {
                    Thread.onSpinWait();
                }
                Worlds.assertFails(ErrorClass.RESOURCE, () -> all.send(new byte[1], 1, 7),
                        "rank 0: what was under way failed while the program was outside any call",
                        "the header store is full");
                over.set(true);
            } else {
                for (int i = 0; i < 12; i++) {
                    all.send(new byte[1], 0, i);
                }
                computeUntil(over::get);
            }
            // Closing would fail too.
            throw new IllegalStateException("enough");
        }), "enough");
    }

    /** Random computing times and sizes; both sides check every byte of the messages. */
    @Test
    void shouldMoveEveryByteOnAnyThread() {
        for (int seed = 1; seed <= 3; seed++) {
            int start = seed;
            Worlds.run(2, world -> exchange(world.communicator(), start));
        }
    }

    private static void exchange(Communicator all, int seed) {
        Rand same = new Rand(seed);
        Rand mine = new Rand(seed * 31L + all.rank());
        int other = 1 - all.rank();
        for (int round = 0; round < 150; round++) {
            int bytes = same.chance(1, 3) ? same.between(10_000, 300_000) : same.between(1, 9_000);
            byte[] out = content(bytes, round, all.rank());
            byte[] in = new byte[bytes];
            Request coming = all.irecv(in, other, round);
            Request going = all.isend(out, other, round);
            long end = System.nanoTime() + mine.below(600_000);
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            coming.await();
            going.await();
            assertArrayEquals(content(bytes, round, other), in, "seed " + seed + ", round " + round);
        }
    }

    /** Bytes of which no two places or messages that could be confused are alike. */
    private static byte[] content(int bytes, int round, int rank) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i * 31 + (i >>> 8) * 7 + round * 3 + rank);
        }
        return content;
    }
}
