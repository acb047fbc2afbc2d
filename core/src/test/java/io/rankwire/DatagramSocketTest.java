package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program chooses of a datagram socket: queues, limits, buffers, and how it learns of arrivals. */
@Timeout(300)
final class DatagramSocketTest {
    private static final byte[] ONE = {1};

    /** Runs a body in simulated time, where a wait for what never comes fails at once, and in real time. */
    private static void inBothWorlds(int ranks, World.Body body) {
        simulate(Settings.DEFAULT, ranks, body);
        Worlds.run(ranks, body);
    }

    private static SimulatedRanks simulate(Settings settings, int ranks, World.Body body) {
        return SimulatedRanks.run(settings, ranks, job -> {
            try (World world = World.join()) {
                body.run(world);
            }
        });
    }

    @Test
    void shouldGiveAQueueTheSizeThatTheProgramWants() {
        inBothWorlds(1, world -> {
            try (Datagram socket = Datagram.open(world, 3, 2, 5)) {
                socket.retries(0);
                socket.sendTo(new byte[5], 0, 3);
                assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(new byte[6], 0, 3), "rank 0", "queue 3",
                        "larger than an entry", "DatagramSocketTest.java");
                socket.sendTo(new byte[0], 0, 3);
                assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(ONE, 0, 3), "stayed full");
                byte[] in = new byte[9];
                assertEquals(5, socket.receiveFrom(in).orElseThrow().bytes());
                assertEquals(0, socket.receiveFrom(in).orElseThrow().messageBytes());
                assertEquals(Optional.empty(), socket.tryReceiveFrom(in));
                int most = socket.maxBytes();
                assertFails(ErrorClass.ARGUMENT, () -> socket.bind(4, 0, 1), "entries: 0", "between 1 and 1048576");
                assertFails(ErrorClass.ARGUMENT, () -> socket.bind(4, 1, most + 1), "entryBytes: " + (most + 1));
                assertFails(ErrorClass.ARGUMENT, () -> socket.bind(4, 1, -1), "entryBytes: -1");
                assertFails(ErrorClass.ARGUMENT, () -> socket.bind(4, 1 << 20, most), "1073741824 bytes");
                assertFails(ErrorClass.ARGUMENT, () -> socket.bind(-2, 1, 1), "queueId: -2");
                assertFails(ErrorClass.DATAGRAM, () -> Datagram.open(world, 3, 1, 1), "queue 3", "in use");
                assertEquals(List.of(3), socket.queues());
            }
        });
    }

    @Test
    void shouldReceiveFromSeveralQueuesInTheOrderOfArrival() {
        inBothWorlds(1, world -> {
            try (Datagram socket = Datagram.open(world, 9, 10, 1)) {
                int other = socket.bind(Datagram.ANY_QUEUE, 20, 1);
                assertEquals(List.of(9, other), socket.queues());
                for (int i = 0; i < 9; i++) {
                    socket.sendTo(new byte[] {(byte) i}, 0, i % 3 == 0 ? other : 9);
                }
                byte[] in = new byte[1];
                assertEquals(9, socket.receiveAt(9, in).orElseThrow().toQueue());
                assertEquals(1, in[0]);
                for (int i : new int[] {0, 2, 3}) {
                    Datagram.Received got = socket.receiveFrom(in).orElseThrow();
                    assertEquals(new Datagram.Received(1, 1, 0, 9, i % 3 == 0 ? other : 9), got);
                    assertEquals(i, in[0]);
                }
                assertTrue(socket.tryReceiveAt(other, in).isPresent());
                assertEquals(6, in[0]);
                assertEquals(Optional.empty(), socket.tryReceiveAt(other, in));
                assertFails(ErrorClass.DATAGRAM, () -> socket.tryReceiveAt(77, in), "queue 77", "[9, " + other + "]");
            }
        });
    }

    @Test
    void shouldOpenMoreThanAThousandSocketsAndAnyNumberThatOnlyReceive() {
        inBothWorlds(1, world -> {
            List<Datagram> open = new ArrayList<>();
            RankwireException none = assertThrows(RankwireException.class, () -> {
                while (open.size() < 5_000) {
                    open.add(Datagram.open(world, Datagram.ANY_QUEUE, 1, 8));
                }
            });
            assertEquals(ErrorClass.RESOURCE, none.errorClass());
            assertTrue(open.size() >= 1_000, open.size() + " sockets");
            Datagram last = open.getLast();
            List<Datagram> receivers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Datagram receiver = Datagram.openReceiver(world);
                receivers.add(receiver);
                last.sendTo(new int[] {i}, 0, receiver.bind(Datagram.ANY_QUEUE, 1, 8));
            }
            int[] in = new int[1];
            for (int i = 0; i < 200; i++) {
                assertEquals(last.queue(), receivers.get(i).receiveFrom(in).orElseThrow().queue());
                assertEquals(i, in[0]);
            }
            Datagram receiver = receivers.getFirst();
            assertFails(ErrorClass.DATAGRAM, () -> receiver.sendTo(in, 0, 1), "receive only");
            assertFails(ErrorClass.DATAGRAM, () -> receiver.trySendTo(in, 0, 1), "receive only");
            receivers.forEach(Datagram::close);
            open.forEach(Datagram::close);
            Datagram.open(world).close();
        });
    }

    @Test
    void shouldTakeBuffersOfAllKinds() {
        inBothWorlds(1, world -> {
            try (Datagram socket = Datagram.open(world, 1, 8, 64); Arena arena = Arena.ofConfined()) {
                MemorySegment confined = arena.allocate(7);
                confined.set(ValueLayout.JAVA_BYTE, 6, (byte) 7);
                ByteBuffer direct = ByteBuffer.allocateDirect(10).position(3).limit(6);
                direct.put(3, (byte) 8);
                ByteBuffer heap = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4}).slice(1, 3).position(1);
                Object[] pieces = {confined, direct, heap.asReadOnlyBuffer(), new boolean[] {true},
                    new short[] {0x0A0B}, MemorySegment.ofArray(new int[] {5}).asReadOnly()};
                assertEquals(7 + 3 + 2 + 1 + 2 + 4, socket.sendMessage(pieces, 0, 1));
                assertTrue(socket.trySendMessage(pieces, 0, 1));
                assertTrue(socket.trySendTo(pieces[1], 0, 1));
                assertEquals(4, socket.sendTo(new int[] {1, 2, 3}, 1, 1, 0, 1));
                byte[] first = new byte[6];
                MemorySegment last = Arena.ofAuto().allocate(4);
                ByteBuffer middle = ByteBuffer.allocateDirect(20).position(5).limit(14);
                boolean[] flag = new boolean[1];
                assertEquals(19, socket.receiveMessage(first, middle, flag, last).orElseThrow().bytes());
                assertArrayEquals(new byte[6], first);
                byte[] got = new byte[9];
                middle.get(5, got);
                assertArrayEquals(new byte[] {7, 8, 0, 0, 2, 3, 1, 0x0B, 0x0A}, got);
                assertTrue(socket.tryReceiveMessage(first, middle, flag, last).isPresent());
                long[] wide = new long[1];
                assertEquals(3, socket.tryReceiveFrom(wide).orElseThrow().bytes(), "less than an element");
                assertEquals(8, wide[0]);
                int[] ints = new int[3];
                assertEquals(4, socket.tryReceiveFrom(ints, 2, 1).orElseThrow().bytes());
                assertArrayEquals(new int[] {0, 0, 2}, ints);
                assertFails(ErrorClass.BUFFER, () -> socket.tryReceiveFrom(heap.asReadOnlyBuffer()), "read-only");
                assertFails(ErrorClass.BUFFER, () -> socket.sendTo("text", 0, 1), "java.lang.String");
                assertFails(ErrorClass.BUFFER, () -> socket.sendMessage(new Object[] {ONE, null}, 0, 1), "null");
                assertFails(ErrorClass.COUNT, () -> socket.tryReceiveFrom(ints, 2, 2), "offset 2", "count 2");
            }
        });
    }

    @Test
    void shouldTryAsOftenAndAsLongAsTheProgramWants() {
        inBothWorlds(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                try (Datagram full = Datagram.openReceiver(world)) {
                    full.bind(1, 1, 8);
                    Worlds.meet(all);
                    Worlds.meet(all);
                    assertTrue(full.receiveFrom(ONE).isPresent());
                    assertEquals(Optional.empty(), full.tryReceiveFrom(ONE));
                    Worlds.meet(all);
                }
                return;
            }
            Datagram socket = Datagram.open(world);
            Worlds.meet(all);
            socket.sendTo(ONE, 1, 1);
            socket.retries(3);
            assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(ONE, 1, 1), "queue 1", "sent again 3 times");
            socket.retries(1_000_000);
            socket.sendTimeout(Duration.ofMillis(20));
            long before = world.time();
            assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(ONE, 1, 1), "within 20 ms");
            assertTrue(world.time() - before >= 20_000_000, "gave up after " + (world.time() - before) + " ns");
            while (!socket.trySendTo(ONE, 1, 1)) {
                Thread.onSpinWait();
            }
            assertFails(ErrorClass.DATAGRAM, () -> {
                while (!socket.sendDone()) {
                    Thread.onSpinWait();
                }
            }, "within 20 ms");
            assertTrue(socket.sendDone(), "reported twice");
            Worlds.meet(all);
            Worlds.meet(all);
            assertFails(ErrorClass.ARGUMENT, () -> socket.retries(-1), "-1");
            assertFails(ErrorClass.ARGUMENT, () -> socket.sendTimeout(Duration.ofMillis(-1)), "time");
            assertFails(ErrorClass.ARGUMENT, () -> socket.receiveTimeout(null), "null");
            socket.close();
        });
    }

    /** The receiver computes for long, and its processor alone takes frames. */
    @Test
    void shouldNotWaitLongerForAnAnswerThanTheProgramWants() {
        simulate(Settings.DEFAULT.with("device.offload", "no"), 2, world -> {
            Communicator all = world.communicator();
            try (Datagram socket = Datagram.open(world, 1, 8, 8)) {
                Worlds.meet(all);
                if (all.rank() == 0) {
                    socket.sendTimeout(Duration.ofMillis(5));
                    long before = world.time();
                    assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(ONE, 1, 1), "within 5 ms", "may still");
                    long took = world.time() - before;
                    assertTrue(took >= 5_000_000 && took < 6_000_000, took + " ns");
                    assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(ONE, 1, 1), "before", "nothing was sent");
                    assertFalse(socket.trySendTo(ONE, 1, 1));
                    socket.sendTimeout(Duration.ZERO);
                    socket.sendTo(new byte[] {2}, 1, 1);
                } else {
                    world.spend(100_000_000);
                    byte[] in = new byte[1];
                    for (int i = 1; i <= 2; i++) {
                        assertEquals(1, socket.receiveFrom(in).orElseThrow().bytes());
                        assertEquals(i, in[0]);
                    }
                }
                Worlds.meet(all);
            }
        });
    }

    @Test
    void shouldWaitForAMessageAsLongAsTheProgramWants() {
        inBothWorlds(2, world -> {
            try (Datagram socket = Datagram.open(world, 1, 8, 8)) {
                long before = world.time();
                socket.receiveTimeout(Duration.ofMillis(30));
                assertEquals(Optional.empty(), socket.receiveFrom(ONE));
                assertEquals(Optional.empty(), Datagram.awaitAny(Duration.ofMillis(30), socket));
                assertTrue(world.time() - before >= 60_000_000, "returned too early");
                socket.receiveTimeout(Duration.ZERO);
                socket.sendTo(ONE, world.communicator().rank(), 1);
                assertTrue(socket.receiveFrom(ONE).isPresent());
            }
            Worlds.meet(world.communicator());
        });
    }

    /** A rank that will go on by itself is no part of a deadlock. */
    @Test
    void shouldNotTakeAWaitWithALimitForADeadlock() {
        SimulatedRanks run = simulate(Settings.DEFAULT, 2, world -> {
            Communicator all = world.communicator();
            try (Datagram socket = Datagram.open(world, 1, 8, 8)) {
                if (all.rank() == 0) {
                    socket.receiveTimeout(Duration.ofSeconds(1_000));
                    assertEquals(Optional.empty(), socket.receiveFrom(ONE));
                    all.send(ONE, 1, 1);
                } else {
                    all.receive(ONE, 0, 1);
                }
            }
        });
        assertTrue(run.timePs() >= 1_000_000_000_000_000L, run.timePs() + " ps");
    }

    @Test
    void shouldReportTheErrorOfASendThatDoesNotWaitOnce() {
        inBothWorlds(2, world -> {
            Communicator all = world.communicator();
            int node = 1 - all.rank();
            try (Datagram socket = Datagram.open(world, 1, 8, 8)) {
                Worlds.meet(all);
                assertTrue(socket.trySendTo(ONE, node, 55));
                assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(ONE, node, 1), "the message before", "queue 55",
                        "no such queue");
                assertTrue(socket.sendDone());
                assertEquals(Optional.empty(), socket.tryReceiveFrom(ONE), "sent in spite of the error");
                Worlds.meet(all);
                assertTrue(socket.trySendTo(ONE, node, 56));
                assertFails(ErrorClass.DATAGRAM, () -> {
                    while (!socket.trySendTo(ONE, node, 1)) {
                        Thread.onSpinWait();
                    }
                }, "the message before", "queue 56");
                socket.sendTo(ONE, node, 1);
                assertTrue(socket.receiveFrom(ONE).isPresent());
                assertEquals(Optional.empty(), socket.tryReceiveFrom(ONE), "sent in spite of the error");
                Worlds.meet(all);
                Datagram closed = Datagram.open(world);
                assertTrue(closed.trySendTo(ONE, node, 57));
                assertFails(ErrorClass.DATAGRAM, closed::close, "queue 57");
                closed.close();
                assertFails(ErrorClass.CLOSED, () -> closed.trySendTo(ONE, node, 1));
                Worlds.meet(all);
            }
        });
    }

    /** The main threads wait for a latch: nothing but the arming of the queue can have the action run. */
    @Test
    void shouldRunAnActionOnArrivalWhileNoThreadMakesACall() {
        Worlds.run(2, world -> {
            int node = 1 - world.communicator().rank();
            CountDownLatch over = new CountDownLatch(100);
            try (Datagram socket = Datagram.open(world, 1, 8, 8)) {
                socket.onArrival(() -> {
                    byte[] in = new byte[1];
                    while (socket.tryReceiveFrom(in).isPresent()) {
                        over.countDown();
                        if (in[0] < 99) {
                            socket.sendTo(new byte[] {(byte) (in[0] + 1)}, node, 1);
                        }
                    }
                });
                Worlds.meet(world.communicator());
                if (node == 1) {
                    socket.sendTo(new byte[] {0}, node, 1);
                }
                for (int i = 0; i < 50; i++) {
                    over.countDown();
                }
                assertTrue(over.await(2, TimeUnit.MINUTES), over.getCount() + " messages caused no action");
                Worlds.meet(world.communicator());
            }
        });
    }

    @Test
    void shouldRunAnActionOnArrivalInsideACallThatWaits() {
        inBothWorlds(2, world -> {
            Communicator all = world.communicator();
            try (Datagram socket = Datagram.open(world)) {
                assertFails(ErrorClass.DATAGRAM, () -> socket.onArrival(() -> { }), "bind");
                socket.bind(1);
                List<Integer> heard = new ArrayList<>();
                if (all.rank() == 0) {
                    byte[] in = new byte[1];
                    socket.onArrival(() -> {
                        while (socket.tryReceiveFrom(in).isPresent()) {
                            heard.add((int) in[0]);
                            all.send(in, 1, 7);
                        }
                    });
                    Worlds.meet(all);
                    all.receive(in, 1, 8);
                    assertEquals(List.of(0, 1, 2), heard);
                    socket.onArrival(null);
                    socket.sendTo(ONE, 0, 1);
                    assertEquals(3, heard.size());
                    socket.onArrival(() -> heard.add(socket.receiveFrom(in).orElseThrow().bytes()));
                    assertEquals(List.of(0, 1, 2, 1), heard, "a message lay there before");
                } else {
                    Worlds.meet(all);
                    for (byte i = 0; i < 3; i++) {
                        socket.sendTo(new byte[] {i}, 0, 1);
                        all.receive(new byte[1], 0, 7);
                    }
                    all.send(ONE, 0, 8);
                }
                Worlds.meet(all);
            }
        });
    }

    @Test
    void shouldWaitForSeveralSockets() {
        inBothWorlds(2, world -> {
            Communicator all = world.communicator();
            Datagram[] sockets = new Datagram[5];
            for (int i = 0; i < sockets.length; i++) {
                sockets[i] = i == 0 ? Datagram.open(world, i, 8, 8) : Datagram.openReceiver(world);
                if (i > 0) {
                    sockets[i].bind(i, 8, 8);
                }
            }
            Worlds.meet(all);
            byte[] in = new byte[1];
            for (int i = 0; i < 100; i++) {
                if (all.rank() == i % 2) {
                    sockets[0].sendTo(new byte[] {(byte) i}, 1 - all.rank(), i * 7 % 5);
                } else {
                    Datagram found = Datagram.awaitAny(sockets).orElseThrow();
                    assertEquals(sockets[i * 7 % 5], found);
                    assertEquals(i * 7 % 5, found.tryReceiveFrom(in).orElseThrow().toQueue());
                    assertEquals(i, in[0]);
                }
            }
            sockets[3].wakeUp();
            assertEquals(Optional.empty(), Datagram.awaitAny(sockets));
            for (int queue : new int[] {4, 2, 3}) {
                sockets[0].sendTo(in, all.rank(), queue);
            }
            assertEquals(sockets[4], Datagram.awaitAny(Duration.ofMinutes(2), sockets).orElseThrow(), "came first");
            assertFails(ErrorClass.ARGUMENT, Datagram::awaitAny, "empty");
            assertFails(ErrorClass.ARGUMENT, () -> Datagram.awaitAny(sockets[0], null), "socket 1 is null");
            Worlds.meet(all);
            for (Datagram socket : sockets) {
                socket.close();
            }
            assertFails(ErrorClass.CLOSED, () -> Datagram.awaitAny(sockets));
        });
    }

    @Test
    void shouldEndAWaitWhenAnotherThreadClosesTheSocket() {
        Worlds.run(1, world -> {
            Datagram socket = Datagram.open(world, 1, 8, 8);
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<RankwireException> waiting = new FutureTask<>(() -> {
                begun.countDown();
                return assertThrows(RankwireException.class, () -> socket.receiveFrom(ONE));
            });
            new Thread(waiting, "waits").start();
            begun.await();
            socket.close();
            assertEquals(ErrorClass.CLOSED, waiting.get().errorClass());
        });
    }

    /** In virtual time, with and without a layer that repeats frames. */
    @Test
    void shouldKeepNothingForAPairAfterItsLastDatagram() {
        for (String fabric : new String[] {"device", "udp"}) {
            simulate(Settings.DEFAULT.with("fabric", fabric), 5, world -> {
                int ranks = world.communicator().size();
                var device = world.session().host().device.datagrams();
                try (Datagram socket = Datagram.open(world, 1, 8, 8)) {
                    for (int round = 0; round < 2; round++) {
                        world.spend(1_000_000);
                        for (int node = 0; node < ranks; node++) {
                            socket.sendTo(ONE, node, 1);
                        }
                        for (int i = 0; i < ranks; i++) {
                            assertTrue(socket.receiveFrom(ONE).isPresent());
                        }
                        assertEquals(ranks - 1, device.knownPeers());
                        for (int second = 0; second < 10; second++) {
                            world.spend(1_000_000_000);
                            assertEquals(Optional.empty(), socket.tryReceiveFrom(ONE));
                        }
                        assertEquals(0, device.knownPeers(), "peers after ten seconds, " + fabric);
                    }
                }
            });
        }
    }
}
