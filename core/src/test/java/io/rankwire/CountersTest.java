package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Counter;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.match.Split;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link World#counters} says, compared with what a program has done. */
@Timeout(300)
final class CountersTest {
    private static final int MESSAGES = 10;
    private static final int LARGE = 1 << 20;

    @Test
    void shouldTellMessagesThatCameEarlyFromThoseThatWereExpected() {
        Worlds.assumeOneHost();
        Worlds.run(2, DeviceConfig.DEFAULT, world -> {
            Communicator all = world.communicator();
            Counters before = world.counters();
            if (all.rank() == 0) {
                for (int i = 0; i < MESSAGES; i++) {
                    all.send(new long[] {i}, 1, 1);
                }
                all.send(new byte[3], 1, 2);
                all.receive(new byte[0], 1, 3);
                all.send(new long[MESSAGES], 1, 4);
                Counters mine = world.counters().since(before);
                assertEquals(MESSAGES + 2, mine.eagerSent());
                assertEquals(MESSAGES + 2, mine.framesSent());
                assertEquals(8 * MESSAGES + 3 + 8 * MESSAGES, mine.bytesSent());
                assertEquals(MESSAGES + 4, mine.calls(), "sends, a receive, and counters itself");
                return;
            }
            // The message of tag 2 comes behind those of tag 1.
            all.receive(new byte[3], 0, 2);
            Counters early = world.counters().since(before);
            assertEquals(MESSAGES, early.unexpected());
            assertEquals(MESSAGES, early.mostUnexpected());
            assertTrue(early.unexpectedBytes() >= 8 * MESSAGES, early.toString());
            for (int i = 0; i < MESSAGES; i++) {
                all.receive(new long[1], 0, 1);
            }
            Request posted = all.irecv(new long[MESSAGES], 0, 4);
            all.send(new byte[0], 0, 3);
            posted.await();
            Counters late = world.counters().since(before);
            assertEquals(MESSAGES + 2, late.eagerReceived());
            assertEquals(MESSAGES + 2, late.framesReceived());
            assertEquals(8 * MESSAGES + 3 + 8 * MESSAGES, late.bytesReceived());
            assertEquals(MESSAGES + 2, late.matchedPosted() + late.matchedUnexpected());
            assertTrue(late.matchedUnexpected() >= MESSAGES, late.toString());
            assertTrue(late.matchedPosted() >= 1, late.toString());
            assertEquals(0, late.unexpected());
            assertEquals(MESSAGES, late.mostUnexpected());
            assertEquals(0, late.unexpectedBytes());
            assertTrue(late.mostUnexpectedBytes() >= 8 * MESSAGES, late.toString());
            assertTrue(late.progressRounds() > 0, late.toString());
        });
    }

    @Test
    void shouldCountLargeMessagesByTheirWay() {
        Worlds.assumeOneHost();
        Worlds.run(2, DeviceConfig.DEFAULT, world -> {
            Communicator all = world.communicator();
            Counters before = world.counters();
            // Without it, the message of the other rank may come before the counters are read.
            all.barrier();
            exchange(all, new byte[LARGE], new byte[LARGE]);
            Counters framed = world.counters().since(before);
            all.barrier();
            assertEquals(1, framed.announcedSent());
            assertEquals(1, framed.announcedReceived());
            assertTrue(framed.bytesSent() >= LARGE && framed.bytesReceived() >= LARGE, framed.toString());
            assertTrue(framed.earlyBytes() > 0 && framed.earlyBytes() <= LARGE, framed.toString());
            assertEquals(0, framed.directBytes());
            MemorySegment out = world.allocate(LARGE);
            MemorySegment in = world.allocate(LARGE);
            before = world.counters();
            all.barrier();
            exchange(all, out, in);
            Counters direct = world.counters().since(before);
            assertTrue(direct.bytesSent() < 1000, direct.toString());
            assertEquals(0, direct.earlyBytes());
            long[] copied = new long[1];
            all.allreduce(new long[] {direct.directBytes()}, copied, Op.SUM);
            assertEquals(2 * LARGE, copied[0]);
        });
    }

    private static void exchange(Communicator all, Object out, Object in) {
        int other = 1 - all.rank();
        if (out instanceof byte[] bytes) {
            all.sendReceive(bytes, other, 1, (byte[]) in, other, 1);
        } else {
            all.sendReceive((MemorySegment) out, other, 1, (MemorySegment) in, other, 1);
        }
    }

    @Test
    void shouldCountCallsOfEveryKind() {
        Worlds.run(2, DeviceConfig.DEFAULT, world -> {
            Communicator all = world.communicator();
            long[] sum = new long[1];
            int[] got = new int[1];
            Counters before = world.counters();
            all.allreduce(new long[] {1}, sum, Op.SUM);
            all.iallreduce(new long[] {1}, sum, Op.SUM).await();
            Request self = all.irecv(got, all.rank(), 5);
            all.send(new int[] {3}, all.rank(), 5);
            self.await();
            Counters after = world.counters().since(before);
            assertEquals(2, after.collectiveCalls());
            assertEquals(1, after.sentToItself());
            assertTrue(after.matchedPosted() >= 1, after.toString());
            try (Datagram socket = Datagram.open(world)) {
                socket.bind(7);
                all.barrier();
                before = world.counters();
                all.barrier();
                socket.sendTo(new byte[] {1, 2}, 1 - all.rank(), 7);
                socket.receiveFrom(new byte[2]);
                after = world.counters().since(before);
                assertEquals(1, after.datagramsSent());
                assertEquals(1, after.datagramsReceived());
                assertEquals(0, after.datagramsRefused());
                all.barrier();
            }
            ActiveMessages active = ActiveMessages.open(all);
            active.handle(1, (source, payload) -> { });
            before = world.counters();
            all.barrier();
            active.post(1, 1 - all.rank(), new byte[3]);
            active.post(1, all.rank(), new byte[3]);
            active.fence();
            assertEquals(2, world.counters().since(before).activeMessagesHandled());
            active.free();
        });
    }

    @Test
    void shouldCountAccessesToWindowsThatAreMappedAndThatGoInFrames() throws Throwable {
        Worlds.assumeOneHost();
        Worlds.run(2, DeviceConfig.DEFAULT, world -> checkAccesses(world, 0));
        Worlds.onHosts(rank -> rank, () -> Worlds.run(2, DeviceConfig.DEFAULT, world -> checkAccesses(world, 3)));
    }

    private static void checkAccesses(World world, int served) {
        Communicator all = world.communicator();
        Window window = all.allocateWindow(800, 8);
        window.fence();
        Counters before = world.counters();
        all.barrier();
        window.put(new long[] {1}, 1 - all.rank(), 0);
        window.accumulate(new long[] {1}, 1 - all.rank(), 1, Op.SUM);
        window.get(new long[1], 1 - all.rank(), 2);
        window.fence();
        all.barrier();
        Counters after = world.counters().since(before);
        assertEquals(3, after.oneSidedAccesses(), after.toString());
        assertEquals(served, after.oneSidedServed(), after.toString());
        window.free();
    }

    /** When all ranks have closed their worlds, each frame that was sent has come. */
    @ParameterizedTest
    @EnumSource(value = DeviceConfig.Large.class, mode = EnumSource.Mode.EXCLUDE, names = "PROCESS")
    void shouldBalanceWhenAllIsOver(DeviceConfig.Large large) {
        int ranks = 3;
        AtomicLongArray sums = new AtomicLongArray(Counter.COUNT);
        World[] worlds = new World[ranks];
        Worlds.run(ranks, DeviceConfig.DEFAULT.withLarge(large, 1 << 16), world -> {
            Communicator all = world.communicator();
            worlds[all.rank()] = world;
            for (int i = 0; i < 30; i++) {
                byte[] out = new byte[i * i * i * 10];
                byte[] in = new byte[out.length];
                Request receive = all.irecv(in, Worlds.previous(all), i);
                if (i % 3 == 0) {
                    all.ssend(out, Worlds.next(all), i);
                } else {
                    all.send(out, Worlds.next(all), i);
                }
                receive.await();
            }
            all.barrier();
        });
        for (World world : worlds) {
            int at = 0;
            for (long value : world.counters().asMap().values()) {
                sums.addAndGet(at++, value);
            }
        }
        assertPair(sums, Counter.FRAMES_SENT, Counter.FRAMES_RECEIVED);
        assertPair(sums, Counter.BYTES_SENT, Counter.BYTES_RECEIVED);
        assertPair(sums, Counter.EAGER_SENT, Counter.EAGER_RECEIVED);
        assertPair(sums, Counter.ANNOUNCED_SENT, Counter.ANNOUNCED_RECEIVED);
        assertEquals(sums.get(Counter.EAGER_SENT.ordinal()) + sums.get(Counter.ANNOUNCED_SENT.ordinal()),
                sums.get(Counter.MATCHED_POSTED.ordinal()) + sums.get(Counter.MATCHED_UNEXPECTED.ordinal()));
        assertTrue(sums.get(Counter.ANNOUNCED_SENT.ordinal()) > 0, "no large message");
    }

    private static void assertPair(AtomicLongArray sums, Counter sent, Counter received) {
        assertEquals(sums.get(sent.ordinal()), sums.get(received.ordinal()), sent.key());
    }

    @Test
    void shouldShowWhereReceivesAreOnASmallDevice() {
        Worlds.assumeOneHost();
        int places = 4;
        Split split = new Split(places, Split.Closing.OPTIMISTIC, 8, 16, 0);
        Worlds.run(2, DeviceConfig.DEFAULT.withSplit(split), world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            Request[] receives = new Request[MESSAGES];
            for (int i = 0; i < MESSAGES; i++) {
                receives[i] = all.irecv(new long[1], other, i);
            }
            Counters posted = world.counters();
            assertEquals(places, posted.receivesInDevice());
            assertEquals(MESSAGES - places, posted.receivesInSoftware());
            all.barrier();
            // The last receives are in software when their messages come.
            for (int i = MESSAGES - 1; i >= 0; i--) {
                all.send(new long[] {i}, other, i);
            }
            for (Request receive : receives) {
                receive.await();
            }
            all.barrier();
            Counters after = world.counters().since(posted);
            assertEquals(0, after.receivesInDevice());
            assertEquals(0, after.receivesInSoftware());
            assertTrue(after.matchedInSoftware() > 0 && after.matchedPosted() >= MESSAGES, after.toString());
        });
    }

    @Test
    void shouldCountWaits() {
        AtomicReference<Thread> receiver = new AtomicReference<>();
        Worlds.run(2, DeviceConfig.DEFAULT, world -> {
            Communicator all = world.communicator();
            Counters before = world.counters();
            if (all.rank() == 0) {
                Worlds.awaitSleep(receiver);
                all.send(new byte[1], 1, 1);
                assertEquals(0, world.counters().since(before).waits());
            } else {
                receiver.set(Thread.currentThread());
                all.receive(new byte[1], 0, 1);
                Counters after = world.counters().since(before);
                assertEquals(1, after.waits());
                assertTrue(after.sleeps() >= 1, after.toString());
                assertTrue(after.waitNanos() > 0 && after.waitNanos() < 300_000_000_000L, after.toString());
            }
        });
    }

    @Test
    void shouldHaveAMethodForEachNumber() throws ReflectiveOperationException {
        Counters[] one = new Counters[1];
        Worlds.run(1, world -> one[0] = world.counters());
        Map<String, Long> map = one[0].asMap();
        assertEquals(Counter.COUNT, map.size());
        for (Map.Entry<String, Long> entry : map.entrySet()) {
            Method method = Counters.class.getMethod(entry.getKey());
            assertEquals(entry.getValue(), method.invoke(one[0]), entry.getKey());
        }
        assertThrows(UnsupportedOperationException.class, map::clear);
        assertEquals(one[0], one[0].since(new Counters(new long[Counter.COUNT])));
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> one[0].since(null), "earlier");
    }
}
