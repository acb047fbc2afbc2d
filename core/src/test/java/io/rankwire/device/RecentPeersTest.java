package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.datagram.Datagrams;
import io.rankwire.device.datagram.ReceiveQueue;
import io.rankwire.fabric.local.LocalFabric;
import org.junit.jupiter.api.Test;

/** Nothing is kept for a pair some seconds after its last datagram. */
final class RecentPeersTest {
    private static final int RANKS = 6;
    private static final long STEP_NS = 500_000_000;

    private final LocalFabric fabric = new LocalFabric(RANKS, 256);
    private final Device[] devices = new Device[RANKS];
    private final ReceiveQueue[] queues = new ReceiveQueue[RANKS];
    private final DevicePair all;
    private long now;

    RecentPeersTest() {
        for (int rank = 0; rank < RANKS; rank++) {
            devices[rank] = new Device(DeviceConfig.DEFAULT, fabric.open(rank));
            queues[rank] = devices[rank].datagrams().open(1, 16, 4_000);
        }
        all = new DevicePair(devices[0], devices[1]);
    }

    private void pass(long ns) {
        for (long until = now + ns; now < until; now += STEP_NS) {
            for (Device device : devices) {
                device.advance(now);
                device.progressAll(now);
                device.rest();
            }
        }
    }

    private void exchange(int bytes) {
        for (int from = 0; from < RANKS; from++) {
            Datagrams datagrams = devices[from].datagrams();
            for (int to = 0; to < RANKS; to++) {
                int bell = datagrams.allocate();
                datagrams.ring(bell, new byte[bytes], 0, bytes, to, 1, 1);
                for (int i = 0; i < 100 && datagrams.status(bell) == Datagrams.PENDING; i++) {
                    devices[to].progressAll(now);
                    devices[from].progressAll(now);
                }
                assertEquals(Code.OK, datagrams.status(bell));
                assertEquals(bytes, queues[to].length());
                queues[to].advance();
                assertTrue(datagrams.free(bell));
            }
        }
    }

    @Test
    void shouldGiveBackRingsAndStateAfterSomeSeconds() {
        for (int bytes : new int[] {0, 8, 3_000}) {
            exchange(bytes);
            assertEquals(RANKS * (RANKS - 1L) * ringBytes(), fabric.ringBytes());
            pass(1_000_000_000L);
            exchange(bytes);
            pass(1_000_000_000L);
            assertEquals(RANKS * (RANKS - 1L) * ringBytes(), fabric.ringBytes(), "too early");
            pass(6_000_000_000L);
            assertEquals(0, fabric.ringBytes(), "bytes of rings");
            for (Device device : devices) {
                assertEquals(0, device.datagrams().knownPeers(), "peers");
            }
        }
    }

    private static long ringBytes() {
        return io.rankwire.memory.RingLayout.bytes(256);
    }

    @Test
    void shouldKeepWhatMessagesNeed() {
        exchange(8);
        byte[] got = new byte[8];
        Operation receive = DevicePair.receive(devices[1], 0, 3, got);
        Operation send = DevicePair.send(devices[0], Operation.Mode.STANDARD, 1, 3, new byte[8]);
        all.settle();
        pass(10_000_000_000L);
        assertEquals(2 * ringBytes(), fabric.ringBytes());
        assertEquals(1, devices[0].datagrams().knownPeers());
        assertEquals(1, devices[1].datagrams().knownPeers());
        assertEquals(0, devices[2].datagrams().knownPeers());
        DevicePair.assertDone(Code.OK, devices[1], receive);
        DevicePair.assertDone(Code.OK, devices[0], send);
        exchange(8);
    }

    /** The receiver does not look for seconds, and the ring holds what it has not read. */
    @Test
    void shouldKeepTheRingOfAMessageThatWasNotRead() {
        Datagrams datagrams = devices[0].datagrams();
        int bell = datagrams.allocate();
        datagrams.ring(bell, new byte[5], 0, 5, 1, 1, 1);
        for (int i = 0; i < 40; i++) {
            now += STEP_NS;
            devices[0].advance(now);
            devices[0].progressAll(now);
        }
        assertNotEquals(0, fabric.ringBytes());
        assertEquals(Datagrams.PENDING, datagrams.status(bell));
        pass(10_000_000_000L);
        assertEquals(Code.OK, datagrams.status(bell));
        assertFalse(queues[1].isEmpty());
        assertEquals(0, fabric.ringBytes());
    }
}
