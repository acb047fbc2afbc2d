package io.rankwire;

import static io.rankwire.Communicator.ANY_SOURCE;
import static io.rankwire.Communicator.ANY_TAG;
import static io.rankwire.Communicator.NONE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.rankwire.device.DeviceConfig;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Send modes, sizes, wildcards and order through the public API. */
@Timeout(300)
class PointToPointTest {
    private static byte[] bytes(int length, int seed) {
        byte[] result = new byte[length];
        for (int i = 0; i < length; i++) {
            result[i] = (byte) (i * 7 + (i >> 9) + seed);
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldCarryEverySize(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (int size : new int[] {0, 1, 47, 48, 49, 1_000, 16_375, 16_376, 16_384, 16_385, 100_000, 1 << 20}) {
                byte[] in = new byte[size];
                int from = Worlds.previous(all);
                Status status = all.sendReceive(bytes(size, all.rank()), Worlds.next(all), 1, in, from, 1);
                assertArrayEquals(bytes(size, from), in);
                assertEquals(size, status.bytes());
            }
        });
    }

    @Test
    void shouldCarryFiveMebibytesBothWays() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int size = 5 << 20;
            byte[] in = new byte[size];
            for (int round = 0; round < 3; round++) {
                all.sendReceive(bytes(size, all.rank() + round), 1 - all.rank(), 1, in, 1 - all.rank(), 1);
                assertArrayEquals(bytes(size, 1 - all.rank() + round), in);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldSendInEveryMode(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int to = Worlds.next(all);
            int from = Worlds.previous(all);
            for (int size : new int[] {0, 100, 40_000}) {
                byte[][] in = new byte[4][size];
                Request[] received = new Request[4];
                for (int tag = 0; tag < 4; tag++) {
                    received[tag] = all.irecv(in[tag], from, tag);
                }
                Worlds.meet(all);
                all.bsend(bytes(size, 2), to, 2);
                Request[] sent = {all.isend(bytes(size, 0), to, 0), all.issend(bytes(size, 1), to, 1),
                        all.irsend(bytes(size, 3), to, 3)};
                Request.awaitAll(received);
                Request.awaitAll(sent);
                for (int tag = 0; tag < 4; tag++) {
                    assertArrayEquals(bytes(size, tag), in[tag]);
                }
            }
        });
    }

    @Test
    void shouldSendInEveryBlockingMode() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            byte[] in = new byte[50_010];
            for (int size : new int[] {0, 100, 50_000}) {
                if (all.rank() == 0) {
                    all.send(bytes(size, 0), 1, 0);
                    all.ssend(bytes(size, 1), 1, 1);
                    all.bsend(bytes(size, 2), 1, 2);
                    all.receive(new byte[0], 1, 9);
                    all.rsend(bytes(size, 3), 0, size, 1, 3);
                    all.ibsend(bytes(size, 4), 1, 4).await();
                } else {
                    for (int tag = 0; tag < 3; tag++) {
                        assertEquals(size, all.receive(in, 0, tag).count());
                        assertEquals(0, java.util.Arrays.compare(bytes(size, tag), java.util.Arrays.copyOf(in, size)));
                    }
                    Request posted = all.irecv(in, 0, 3);
                    all.send(new byte[0], 0, 9);
                    assertEquals(size, posted.await().count());
                    assertEquals(size, all.receive(in, 0, 4).count());
                }
            }
        });
    }

    /** A synchronous send does not complete before its receive; a buffered one of any size does. */
    @Test
    void shouldTellSynchronousFromBuffered() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                byte[] buffered = bytes(300_000, 5);
                all.bsend(buffered, 1, 5);
                java.util.Arrays.fill(buffered, (byte) 0);
                Request sync = all.issend(bytes(10, 1), 1, 1);
                for (int i = 0; i < 2_000; i++) {
                    assertFalse(sync.test(), "nobody has received it");
                }
                all.send(new byte[0], 1, 9);
                sync.await();
            } else {
                all.receive(new byte[0], 0, 9);
                all.receive(new byte[10], 0, 1);
                byte[] in = new byte[300_000];
                all.receive(in, 0, 5);
                assertArrayEquals(bytes(300_000, 5), in);
            }
        });
    }

    @Test
    void shouldRefuseABufferedSendPastTheCap() {
        DeviceConfig small = new DeviceConfig(1_000, 1 << 20, 128, 64, 64, 64, DeviceConfig.Overflow.GROW,
                DeviceConfig.Truncation.DELIVER, 10_000, 16, DeviceConfig.Large.TWO_ENDED, 1 << 20);
        Worlds.run(1, small, world -> {
            Communicator all = world.communicator();
            all.bsend(new byte[6_000], 0, 1);
            Worlds.assertFails(ErrorClass.RESOURCE, () -> all.bsend(new byte[6_000], 0, 1), "6000", "10000");
            all.receive(new byte[6_000], 0, 1);
            all.bsend(new byte[6_000], 0, 1);
            all.receive(new byte[6_000], 0, 1);
        });
    }

    @Test
    void shouldMoveNothingToOrFromNone() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            byte[] buffer = {7};
            all.send(buffer, NONE, 1);
            all.ssend(buffer, NONE, 1);
            all.isend(buffer, NONE, 1).await();
            all.sendObject("x", NONE, 1);
            List<Status> nothing = List.of(all.receive(buffer, NONE, ANY_TAG), all.irecv(buffer, NONE, 3).await(),
                    all.probe(NONE, 3), all.iprobe(NONE, 3).orElseThrow(),
                    all.sendReceive(buffer, NONE, 1, buffer, NONE, 1));
            for (Status status : nothing) {
                assertEquals(NONE, status.source());
                assertEquals(ANY_TAG, status.tag());
                assertEquals(0, status.count());
                assertFalse(status.cancelled());
            }
            Request send = all.sendInit(buffer, 0, 1, NONE, 1);
            Request receive = all.receiveInit(buffer, 0, 1, NONE, 1);
            for (int i = 0; i < 3; i++) {
                Request.startAll(send, receive);
                assertEquals(NONE, receive.await().source());
                send.await();
            }
            assertEquals(7, buffer[0]);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void shouldKeepTheOrderOfEachSender(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            int each = 300;
            if (all.rank() > 0) {
                for (int i = 0; i < each; i++) {
                    // Sizes alternate between eager messages and announced messages.
                    int[] out = new int[i % 7 == 0 ? 9_000 : 1 + i % 3];
                    Arrays.fill(out, 1_000 * all.rank() + i);
                    all.send(out, 0, i % 5);
                    all.send(new int[] {i}, 0, 10);
                }
                return;
            }
            int[] next = new int[ranks];
            int[] in = new int[9_000];
            for (int i = 0; i < 2 * each * (ranks - 1); i++) {
                Status status = all.receive(in, ANY_SOURCE, ANY_TAG);
                int at = next[status.source()]++;
                assertEquals(at % 2 == 0 ? at / 2 % 5 : 10, status.tag(), "overtaken");
                if (at % 2 == 0) {
                    int[] expected = new int[at / 2 % 7 == 0 ? 9_000 : 1 + at / 2 % 3];
                    Arrays.fill(expected, 1_000 * status.source() + at / 2);
                    assertArrayEquals(expected, Arrays.copyOf(in, (int) status.count()));
                } else {
                    assertEquals(at / 2, in[0]);
                }
            }
        });
    }

    @Test
    void shouldChooseBySourceAndTag() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            if (all.rank() > 0) {
                for (int tag = 0; tag < 4; tag++) {
                    all.send(new int[] {100 * all.rank() + tag}, 0, tag);
                }
                return;
            }
            int[] in = new int[1];
            all.receive(in, 2, 3);
            assertEquals(203, in[0]);
            all.receive(in, 1, ANY_TAG);
            assertEquals(100, in[0]);
            Status status = all.receive(in, ANY_SOURCE, 3);
            assertEquals(103, in[0]);
            assertEquals(1, status.source());
            all.receive(in, 2, 1);
            assertEquals(201, in[0]);
            int sum = 0;
            for (int i = 0; i < 4; i++) {
                all.receive(in, ANY_SOURCE, ANY_TAG);
                sum += in[0];
            }
            assertEquals(101 + 102 + 200 + 202, sum);
        });
    }

    /** Posted receives match in the order in which they were posted, with any wildcards. */
    @Test
    void shouldMeetReceivesInTheOrderTheyWerePosted() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.receive(new byte[0], 1, 50);
                for (int i = 0; i < 4; i++) {
                    all.send(new int[] {i}, 1, 7);
                }
                return;
            }
            int[][] in = new int[4][1];
            Request[] posted = {all.irecv(in[0], ANY_SOURCE, 7), all.irecv(in[1], 0, 7),
                    all.irecv(in[2], ANY_SOURCE, ANY_TAG), all.irecv(in[3], 0, ANY_TAG)};
            all.send(new byte[0], 0, 50);
            Request.awaitAll(posted);
            for (int i = 0; i < 4; i++) {
                assertEquals(i, in[i][0]);
            }
        });
    }
}
