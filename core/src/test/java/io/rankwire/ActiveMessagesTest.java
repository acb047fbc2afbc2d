package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Active messages: when handlers run, what they may do, and that no message is lost and no rank blocks another. */
@Timeout(300)
final class ActiveMessagesTest {
    private static final int ADD = 0;
    private static final int PING = 1;
    private static final int PONG = 2;

    @Test
    void shouldUpdateTheDataOfOtherRanks() {
        Worlds.run(4, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            long[] table = new long[8];
            active.handle(ADD, (source, payload) -> table[payload.getInt() + source] += payload.getInt());
            for (int i = 0; i < 400; i++) {
                active.post(ADD, i % 4, new int[] {9, i % 2 * 4, i, 9}, 1, 2);
            }
            active.fence();
            long[] expected = new long[8];
            for (int i = all.rank(); i < 400; i += 4) {
                for (int source = 0; source < 4; source++) {
                    expected[i % 2 * 4 + source] += i;
                }
            }
            assertArrayEquals(expected, table);
            active.free();
            assertFails(ErrorClass.COMMUNICATOR, () -> active.post(ADD, 0, new byte[1]), "was freed");
        });
    }

    /**
     * The rank that answers waits in a receive of another communicator: its handlers run inside. A thread of the
     * library runs those of messages that come between two calls.
     */
    @Test
    void shouldHandleInsideACallThatWaits() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Thread main = Thread.currentThread();
            ActiveMessages active = ActiveMessages.open(all);
            AtomicLong last = new AtomicLong();
            AtomicInteger inside = new AtomicInteger();
            active.handle(PING, (source, payload) -> active.post(PONG, source, new long[] {payload.getLong() + 1}));
            active.handle(PONG, (source, payload) -> {
                inside.addAndGet(Thread.currentThread() == main ? 1 : 0);
                last.set(payload.getLong());
            });
            all.barrier();
            if (all.rank() == 0) {
                for (long i = 0; i < 200; i++) {
                    long expected = i + 1;
                    active.post(PING, 1, new long[] {i});
                    active.await(() -> last.get() == expected);
                }
                all.send(new byte[1], 1, 5);
                assertTrue(inside.get() > 0, "no handler has run inside a call");
            } else {
                all.receive(new byte[1], 0, 5);
            }
            active.free();
        });
    }

    @Test
    void shouldHandleWhileNoThreadMakesACall() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            CountDownLatch over = new CountDownLatch(200);
            active.handle(PING, (source, payload) -> {
                int left = payload.getInt();
                over.countDown();
                if (left > 0) {
                    active.post(PING, source, new int[] {left - 1});
                }
            });
            all.barrier();
            if (all.rank() == 0) {
                active.post(PING, 1, new int[] {399});
            }
            over.await();
            active.free();
        });
    }

    @Test
    void shouldHandleMessagesOfASenderInOrder() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            int[] next = new int[3];
            for (int kind = 0; kind < 3; kind++) {
                active.handle(kind, (source, payload) -> assertEquals(next[source]++, payload.getInt()));
            }
            all.barrier();
            for (int i = 0; i < 3_000; i++) {
                byte[] bytes = new byte[4 + i * 37 % (ActiveMessages.MAX_BYTES - 4)];
                ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(i);
                active.post(i % 3, (all.rank() + 1) % 3, bytes);
            }
            active.free();
            assertEquals(3_000, next[(all.rank() + 2) % 3]);
        });
    }

    /** All ranks post at once, and each message is answered twice over; little credit, so that every post waits. */
    private static void flood(World world) {
        Communicator all = world.communicator();
        ActiveMessages active = ActiveMessages.open(all);
        int messages = 600;
        int[] handled = new int[3];
        for (int kind = 0; kind < 3; kind++) {
            int mine = kind;
            active.handle(kind, (source, payload) -> {
                handled[mine]++;
                if (mine < 2) {
                    active.post(mine + 1, source, payload);
                }
            });
        }
        byte[] bytes = new byte[1_000];
        for (int i = 0; i < messages; i++) {
            for (int to = 0; to < all.size(); to++) {
                active.post(0, to, bytes);
            }
        }
        active.fence();
        for (int kind = 0; kind < 3; kind++) {
            assertEquals(messages * all.size(), handled[kind], "kind " + kind);
        }
        active.free();
    }

    @Test
    void shouldNotBlockRanksThatFloodEachOther() throws Throwable {
        DeviceConfig small = DeviceConfig.DEFAULT.withUnexpectedBytes(16 << 10);
        Worlds.run(2, small, ActiveMessagesTest::flood);
        Worlds.run(3, DeviceConfig.DEFAULT, ActiveMessagesTest::flood);
        Worlds.onHosts(rank -> rank, () -> Worlds.run(2, small, ActiveMessagesTest::flood));
    }

    @Test
    void shouldNotBlockRanksThatFloodEachOtherInASimulation() {
        DeviceConfig small = DeviceConfig.DEFAULT.withUnexpectedBytes(16 << 10);
        SimulatedRanks.run(Settings.DEFAULT, 2, World.rank(small, ActiveMessagesTest::flood));
    }

    @Test
    void shouldKeepMessagesUntilTheirHandlerIsSet() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            List<String> seen = new ArrayList<>();
            active.handle(PONG, (source, payload) -> seen.add("pong"));
            if (all.rank() == 0) {
                for (int i = 0; i < 100; i++) {
                    active.post(PING, 1, new int[] {i});
                }
                active.post(PONG, 1, new byte[0]);
            } else {
                active.await(() -> !seen.isEmpty());
            }
            String story = assertFails(ErrorClass.REQUEST, active::fence, "100 messages wait for a handler")
                    .getMessage();
            assertHolds(story, all.rank() == 1 ? "on this rank 100 of kind 1" : "that other ranks have not set");
            int[] next = new int[1];
            active.handle(PING, (source, payload) -> assertEquals(next[0]++, payload.getInt()));
            active.fence();
            assertEquals(all.rank() == 1 ? 100 : 0, next[0]);
            active.free();
        });
    }

    @Test
    void shouldEndTheJobWhenAHandlerFails() {
        RankwireException error = assertFails(ErrorClass.ABORTED, () -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            active.handle(7, (source, payload) -> {
                throw new IllegalArgumentException("no such entry: " + payload.getInt());
            });
            if (all.rank() == 0) {
                active.post(7, 1, new int[] {12});
            }
            active.fence();
        }), "rank 1", "kind 7", "4 bytes from rank 0", "no such entry: 12");
        assertTrue(error.getCause() instanceof RankwireException);
    }

    @Test
    void shouldRefuseToWaitInAHandler() {
        assertFails(ErrorClass.ABORTED, () -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            active.handle(3, (source, payload) -> all.receive(new byte[1], source, 77));
            active.post(3, 1 - all.rank(), new byte[1]);
            active.fence();
        }), "kind 3", "has to wait, and a handler must not", "ActiveMessagesTest.java:");
    }

    @Test
    void shouldRefuseWrongArguments() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            assertFails(ErrorClass.ARGUMENT, () -> ActiveMessages.open(null), "communicator is null");
            ActiveMessages active = ActiveMessages.open(all);
            assertFails(ErrorClass.ARGUMENT, () -> active.handle(ActiveMessages.KINDS, (s, p) -> { }), "kind: 256");
            assertFails(ErrorClass.ARGUMENT, () -> active.handle(0, null), "handler is null");
            assertFails(ErrorClass.ARGUMENT, () -> active.post(-1, 0, new byte[1]), "kind: -1");
            assertFails(ErrorClass.RANK, () -> active.post(0, 1, new byte[1]), "dest: 1");
            assertFails(ErrorClass.COUNT, () -> active.post(0, 0, new long[1_025]), "at most 8192 bytes, not 8200");
            assertFails(ErrorClass.ARGUMENT, () -> active.await(null), "condition is null");
            active.post(0, AnyCommunicator.NONE, new byte[1]);
            active.free();
        });
    }

    /** Handlers take the time that they spend, on the rank that runs them. */
    @Test
    void shouldTakeTimeInASimulation() {
        AtomicLong spent = new AtomicLong();
        long[] hashes = new long[2];
        for (int run = 0; run < 2; run++) {
            hashes[run] = SimulatedRanks.run(Settings.DEFAULT, 2, World.rank(DeviceConfig.DEFAULT, world -> {
                Communicator all = world.communicator();
                ActiveMessages active = ActiveMessages.open(all);
                active.handle(PING, (source, payload) -> world.spend(payload.getInt()));
                long before = world.time();
                for (int i = 0; all.rank() == 0 && i < 10; i++) {
                    active.post(PING, 1, new int[] {100_000});
                }
                active.fence();
                spent.set(world.time() - before);
                active.free();
            })).hash();
            assertTrue(spent.get() >= 1_000_000 && spent.get() < 1_200_000, spent + " ns");
        }
        assertEquals(hashes[0], hashes[1]);
    }

    @Test
    void shouldReportMessagesThatWereNotHandled() {
        String errors = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            if (all.rank() == 0) {
                active.post(9, 1, new byte[3]);
            }
        }));
        assertHolds(errors, "rank 1: 1 message was sent here and never received", " 9",
                "3 bytes", "on world.active");
    }
}
