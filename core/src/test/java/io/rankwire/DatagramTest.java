package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagram sockets through the public API. */
@Timeout(300)
final class DatagramTest {
    private static final int ROOM = 7;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldReachEveryNodeWithoutAConnection(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            try (Datagram socket = Datagram.open(world)) {
                socket.bind(ROOM);
                assertEquals(ROOM, socket.queue());
                Worlds.meet(all);
                for (int node = 0; node < ranks; node++) {
                    byte[] data = {(byte) all.rank(), (byte) node, 3};
                    assertEquals(3, socket.sendTo(data, node, ROOM));
                }
                boolean[] heard = new boolean[ranks];
                byte[] in = new byte[10];
                for (int i = 0; i < ranks; i++) {
                    Datagram.Received got = socket.receiveFrom(in).orElseThrow();
                    assertEquals(new Datagram.Received(3, 3, in[0], ROOM, ROOM), got);
                    assertEquals(all.rank(), in[1]);
                    assertFalse(heard[in[0]]);
                    heard[in[0]] = true;
                }
                assertEquals(Optional.empty(), socket.tryReceiveFrom(in));
                Worlds.meet(all);
            }
        });
    }

    @Test
    void shouldSlowASenderWhileTheQueueIsFull() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            try (Datagram socket = Datagram.open(world)) {
                int queue = socket.bind();
                int[] other = new int[1];
                all.sendReceive(new int[] {queue}, 1 - all.rank(), 0, other, 1 - all.rank(), 0);
                byte[] data = new byte[2];
                for (int i = 0; i < 1_000; i++) {
                    if (all.rank() == 0) {
                        data[0] = (byte) i;
                        data[1] = (byte) (i >> 8);
                        socket.sendTo(data, 1, other[0]);
                    } else {
                        assertEquals(0, socket.receiveFrom(data).orElseThrow().node());
                        assertEquals(i, data[0] & 0xFF | (data[1] & 0xFF) << 8, "order");
                    }
                }
                Worlds.meet(all);
            }
        });
    }

    @Test
    void shouldGatherAndScatter() {
        Worlds.run(1, world -> {
            try (Datagram socket = Datagram.open(world)) {
                socket.bind(ROOM);
                byte[][] pieces = {{1, 2}, {}, {3, 4, 5}};
                assertEquals(5, socket.sendMessage(pieces, 0, ROOM));
                byte[] head = new byte[1];
                byte[] none = new byte[0];
                byte[] tail = new byte[3];
                Datagram.Received got = socket.receiveMessage(head, none, tail).orElseThrow();
                assertEquals(new Datagram.Received(4, 5, 0, ROOM, ROOM), got);
                assertArrayEquals(new byte[] {1}, head);
                assertArrayEquals(new byte[] {2, 3, 4}, tail);
                byte[] large = new byte[socket.maxBytes()];
                large[large.length - 1] = 9;
                assertEquals(large.length, socket.sendTo(large, 0, ROOM));
                byte[] in = new byte[large.length + 4];
                assertEquals(large.length, socket.receiveFrom(in, 4, large.length).orElseThrow().bytes());
                assertEquals(9, in[in.length - 1]);
            }
        });
    }

    @Test
    void shouldNotBlockWhenAskedNotTo() {
        Worlds.run(1, world -> {
            try (Datagram socket = Datagram.open(world)) {
                socket.bind(ROOM);
                int sent = 0;
                byte[] data = new byte[4];
                while (socket.trySendTo(data, 0, 4, 0, ROOM)) {
                    sent++;
                    assertTrue(sent < 1_000, "a queue without end");
                }
                assertFalse(socket.sendDone(), "the queue is full");
                for (int i = 0; i < sent; i++) {
                    assertTrue(socket.receiveFrom(data).isPresent());
                }
                while (!socket.sendDone()) {
                    Thread.onSpinWait();
                }
                assertEquals(Optional.empty(), socket.tryReceiveFrom(data));
            }
        });
    }

    @Test
    void shouldWakeAThreadThatWaits() {
        Worlds.run(1, world -> {
            try (Datagram socket = Datagram.open(world)) {
                socket.bind(ROOM);
                CountDownLatch begun = new CountDownLatch(1);
                FutureTask<Optional<Datagram.Received>> waiting = new FutureTask<>(() -> {
                    begun.countDown();
                    return socket.receiveFrom(new byte[1]);
                });
                new Thread(waiting, "waits").start();
                begun.await();
                socket.wakeUp();
                assertEquals(Optional.empty(), waiting.get());
                socket.sendTo(new byte[] {1}, 0, ROOM);
                assertTrue(socket.receiveFrom(new byte[1]).isPresent(), "woken twice");
            }
        });
    }

    @Test
    void shouldSayWhatIsWrong() {
        Worlds.run(2, world -> {
            Datagram socket = Datagram.open(world);
            byte[] data = new byte[4];
            assertFails(ErrorClass.DATAGRAM, () -> socket.receiveFrom(data), "bind");
            socket.bind(ROOM);
            assertFails(ErrorClass.DATAGRAM, () -> socket.bind(ROOM), "queue 7", "in use");
            assertFails(ErrorClass.ARGUMENT, () -> socket.bind(-1), "-1");
            try (Datagram other = Datagram.open(world)) {
                assertFails(ErrorClass.DATAGRAM, () -> other.bind(ROOM), "queue 7", "in use");
                other.bind(8);
            }
            assertFails(ErrorClass.RANK, () -> socket.sendTo(data, 2, ROOM), "argument node: 2");
            assertFails(ErrorClass.RANK, () -> socket.sendTo(data, -1, ROOM), "argument node: -1");
            assertFails(ErrorClass.COUNT, () -> socket.sendTo(data, 2, 3, 0, ROOM), "offset 2", "count 3");
            assertFails(ErrorClass.BUFFER, () -> socket.sendTo(null, 0, ROOM), "argument buffer is null");
            assertFails(ErrorClass.BUFFER, () -> socket.receiveFrom(null), "is null");
            int tooLarge = socket.maxBytes() + 1;
            assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(new byte[tooLarge], 0, ROOM), "" + tooLarge);
            int node = 1 - world.communicator().rank();
            assertFails(ErrorClass.DATAGRAM, () -> socket.sendTo(data, node, 55), "no such queue", "queue 55");
            assertTrue(socket.trySendTo(data, 0, 4, node, 56));
            assertFails(ErrorClass.DATAGRAM, () -> {
                while (!socket.sendDone()) {
                    Thread.onSpinWait();
                }
            }, "no such queue", "queue 56");
            Worlds.meet(world.communicator());
            socket.close();
            socket.close();
            assertFails(ErrorClass.CLOSED, () -> socket.sendTo(data, 0, ROOM), "socket is closed");
        });
    }

    @Test
    void shouldHandOutAThousandSocketsAndNoMoreThanThereAre() {
        Worlds.run(1, world -> {
            List<Datagram> open = new ArrayList<>();
            assertFails(ErrorClass.RESOURCE, () -> {
                while (open.size() < 5_000) {
                    open.add(Datagram.open(world));
                }
            }, "doorbells");
            assertTrue(open.size() >= 1_000);
            open.removeLast().close();
            Datagram.open(world).close();
            open.forEach(Datagram::close);
        });
    }
}
