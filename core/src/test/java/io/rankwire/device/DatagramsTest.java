package io.rankwire.device;

import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.datagram.ReceiveQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doorbells and receive queues, between two devices and within one. */
final class DatagramsTest {
    private static final int QUEUE = 5;

    private final DevicePair pair = new DevicePair(DeviceConfig.DEFAULT);
    private final Datagrams from = pair.a.datagrams();

    private void ring(int bell, byte[] data, int node, int queue) {
        from.ring(bell, data, 0, data.length, node, queue, 77);
    }

    private static void assertHead(ReceiveQueue queue, int id, int bytes) {
        assertFalse(queue.isEmpty());
        assertEquals(bytes, queue.length());
        assertEquals(0, queue.node());
        assertEquals(77, queue.queue());
        byte[] found = new byte[bytes];
        queue.read(0, found, 0, bytes);
        assertPattern(id, bytes, found);
        queue.advance();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldPutAMessageIntoItsQueue(int node) {
        ReceiveQueue queue = pair.devices[node].datagrams().open(QUEUE, 4, 100);
        int bell = from.allocate();
        assertEquals(Datagrams.IDLE, from.status(bell));
        for (int bytes : new int[] {0, 1, 99, 100}) {
            ring(bell, pattern(bytes, bytes), node, QUEUE);
            assertEquals(node == 0 ? Code.OK : Datagrams.PENDING, from.status(bell));
            pair.settle();
            assertEquals(Code.OK, from.status(bell));
            assertHead(queue, bytes, bytes);
        }
        assertTrue(queue.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldGoRoundTheRingOfAQueue(int node) {
        ReceiveQueue queue = pair.devices[node].datagrams().open(QUEUE, 3, 16);
        int bell = from.allocate();
        for (int i = 0; i < 50; i++) {
            ring(bell, pattern(2 * i, 16), node, QUEUE);
            pair.settle();
            ring(bell, pattern(2 * i + 1, 7), node, QUEUE);
            pair.settle();
            assertHead(queue, 2 * i, 16);
            assertHead(queue, 2 * i + 1, 7);
            assertTrue(queue.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTryAgainWhileAQueueIsFull(int node) {
        ReceiveQueue queue = pair.devices[node].datagrams().open(QUEUE, 2, 16);
        int[] bells = {from.allocate(), from.allocate(), from.allocate()};
        for (int i = 0; i < 3; i++) {
            ring(bells[i], pattern(i, 16), node, QUEUE);
            drive(10);
        }
        assertEquals(Code.OK, from.status(bells[1]));
        assertEquals(Datagrams.PENDING, from.status(bells[2]));
        assertFalse(from.free(bells[2]), "freed with its message under way");
        drive(100);
        assertEquals(Datagrams.PENDING, from.status(bells[2]));
        assertHead(queue, 0, 16);
        drive(100);
        assertEquals(Code.OK, from.status(bells[2]));
        assertHead(queue, 1, 16);
        assertHead(queue, 2, 16);
        assertTrue(queue.isEmpty(), "the message came twice");
        assertTrue(from.free(bells[2]));
    }

    /** A millisecond a round. */
    private void drive(int rounds) {
        for (int i = 0; i < rounds; i++) {
            pair.now += 1_000_000;
            pair.a.progress(pair.now);
            pair.b.progress(pair.now);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldGiveUpOnAQueueThatStaysFull(int node) {
        pair.devices[node].datagrams().open(QUEUE, 1, 16);
        int bell = from.allocate();
        ring(bell, new byte[1], node, QUEUE);
        pair.settle();
        ring(bell, new byte[1], node, QUEUE);
        drive(1_000);
        assertEquals(Datagrams.PENDING, from.status(bell));
        drive(20_000);
        assertEquals(Code.QUEUE_FULL, from.status(bell));
        assertEquals(0, pair.a.progressAll(pair.now), "still trying");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTellWhatIsWrongWithAnAddressOrSize(int node) {
        Datagrams target = pair.devices[node].datagrams();
        ReceiveQueue queue = target.open(QUEUE, 4, 16);
        int bell = from.allocate();
        ring(bell, new byte[1], node, QUEUE + 1);
        pair.settle();
        assertEquals(Code.UNKNOWN_QUEUE, from.status(bell));
        ring(bell, new byte[17], node, QUEUE);
        pair.settle();
        assertEquals(Code.BAD_SIZE, from.status(bell));
        assertTrue(queue.isEmpty());
        target.close(queue);
        ring(bell, new byte[1], node, QUEUE);
        pair.settle();
        assertEquals(Code.UNKNOWN_QUEUE, from.status(bell));
    }

    @Test
    void shouldHandOutEachDoorbellOnce() {
        boolean[] given = new boolean[DeviceConfig.DEFAULT.doorbells()];
        for (int i = 0; i < given.length; i++) {
            int bell = from.allocate();
            assertFalse(given[bell]);
            given[bell] = true;
        }
        assertTrue(given.length >= 1_000);
        assertEquals(Code.NO_DOORBELL, from.allocate());
        assertTrue(from.free(500));
        assertEquals(500, from.allocate());
        assertEquals(Code.NO_DOORBELL, from.allocate());
    }

    @Test
    void shouldKeepQueueNumbersApart() {
        ReceiveQueue first = from.open(QUEUE, 1, 1);
        assertNull(from.open(QUEUE, 1, 1));
        ReceiveQueue any = from.open(-1, 1, 1);
        ReceiveQueue other = from.open(-1, 1, 1);
        assertNotEquals(any.id(), other.id());
        from.close(first);
        assertNotNull(from.open(QUEUE, 1, 1));
    }

    /** The ring to the peer is full: the message leaves later, and a round that moves nothing counts as nothing. */
    @Test
    void shouldWaitForRoomOnTheFabric() {
        ReceiveQueue queue = pair.b.datagrams().open(QUEUE, 200, from.maxBytes());
        int count = 0;
        int[] bells = new int[60];
        while (count < bells.length) {
            bells[count] = from.allocate();
            ring(bells[count], pattern(count, 8_000), 1, QUEUE);
            count++;
        }
        assertEquals(0, pair.a.progressAll(0), "nothing can be moved, yet it says so");
        assertEquals(0, pair.a.progressAll(1_000_000));
        pair.settle();
        boolean[] seen = new boolean[count];
        for (int i = 0; i < count; i++) {
            assertEquals(Code.OK, from.status(bells[i]));
            assertEquals(8_000, queue.length());
            byte[] found = new byte[8_000];
            queue.read(0, found, 0, 8_000);
            int id = found[0] & 0xFF;
            assertPattern(id, 8_000, found);
            assertFalse(seen[id]);
            seen[id] = true;
            queue.advance();
        }
    }

    @Test
    void shouldWakeTheOwnerOfAnArmedQueueOnce() {
        ReceiveQueue queue = pair.b.datagrams().open(QUEUE, 4, 16);
        int[] woken = {0};
        queue.arm(() -> woken[0]++);
        assertTrue(queue.armed());
        for (int i = 0; i < 2; i++) {
            int bell = from.allocate();
            ring(bell, pattern(i, 16), 1, QUEUE);
            pair.settle();
            assertEquals(Code.OK, from.status(bell));
        }
        assertEquals(1, woken[0]);
        assertFalse(queue.armed());
        queue.arm(() -> woken[0]++);
        queue.arm(null);
        ring(from.allocate(), pattern(3, 16), 1, QUEUE);
        pair.settle();
        assertEquals(1, woken[0], "disarmed");
    }
}
