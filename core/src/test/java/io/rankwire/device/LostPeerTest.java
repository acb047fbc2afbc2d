package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Large;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowRanks;
import io.rankwire.device.match.Split;
import io.rankwire.device.work.WorkProgram;
import io.rankwire.device.work.WorkQueue;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of operations, memory and other peers when one peer does not answer any more. */
final class LostPeerTest {
    private static final FlowConfig FLOW =
            new FlowConfig(16, 64, 256, 100_000, 10_000, 1_000_000, 12, 5_000, 1_000_000, 5_000);
    private static final int LARGE = 100_000;
    private static final int HUGE = 4 << 20;
    private static final int ANY = MatchWord.ANY;

    private final FlowRanks ranks = new FlowRanks(new Rand(1), 3, 9_000, FLOW);
    private final Device[] devices = new Device[3];
    private final boolean[] gone = new boolean[3];

    static List<DeviceConfig> configs() {
        List<DeviceConfig> all = new ArrayList<>();
        for (Large large : Large.values()) {
            DeviceConfig config = DeviceConfig.DEFAULT.withLarge(large, 3_000);
            all.add(config);
            all.add(config.withUnexpectedBytes(16 << 10).withEagerBytes(64));
            all.add(config.withSplit(new Split(2, Split.Closing.OPTIMISTIC, 2, 4, 500)));
        }
        return all;
    }

    private Device open(DeviceConfig config) {
        for (int rank = 0; rank < devices.length; rank++) {
            devices[rank] = new Device(config, ranks.port(rank));
        }
        return devices[0];
    }

    private void kill(int rank) {
        gone[rank] = true;
        for (int other = 0; other < devices.length; other++) {
            ranks.net.cut(other, rank, true);
            ranks.net.cut(rank, other, true);
        }
    }

    /** Drives those that live; returns whom the first of them has lost meanwhile, or null. */
    private PeerLost pass(long ns) {
        PeerLost found = null;
        for (long end = ranks.net.now + ns; ranks.net.now < end; ) {
            ranks.net.now += 5_000;
            for (int rank = 0; rank < devices.length; rank++) {
                if (!gone[rank]) {
                    PeerLost lost = devices[rank].advance(ranks.net.now);
                    found = rank == 0 && lost != null ? lost : found;
                    while (devices[rank].progressAll(ranks.net.now) != 0) {
                        DeviceAudit.structures(devices[rank]);
                    }
                    ranks.port(rank).checkInvariants();
                }
            }
        }
        return found;
    }

    private PeerLost passUntilLost() {
        PeerLost lost = pass(20_000_000);
        assertNotNull(lost, "not noticed");
        return lost;
    }

    @ParameterizedTest
    @MethodSource("configs")
    void shouldEndAllThatWaitsForALostPeerAndNothingElse(DeviceConfig config) {
        Device device = open(config);
        byte[] whole = new byte[50];
        devices[1].sendNow(0, 0, 9, pattern(5, 50), 0, 50, BYTE);
        Operation announcedThere = send(devices[1], Mode.STANDARD, 0, 10, pattern(6, LARGE));
        pass(500_000);
        Operation met = receive(device, ANY, 11, new byte[HUGE]);
        Operation unmet = send(devices[1], Mode.STANDARD, 0, 11, pattern(7, HUGE));
        for (int i = 0; i < 20; i++) {
            ranks.net.now += 2_000;
            devices[1].advance(ranks.net.now);
            devices[1].progress(ranks.net.now);
            device.advance(ranks.net.now);
            device.progress(ranks.net.now);
        }
        kill(1);
        assertFalse(met.isDone() || unmet.isDone() || announcedThere.isDone());
        List<Operation> vain = new ArrayList<>(List.of(met,
                send(device, Mode.SYNCHRONOUS, 1, 1, new byte[10]),
                send(device, Mode.STANDARD, 1, 2, new byte[LARGE]),
                receive(device, 1, 3, new byte[10]),
                receive(device, 1, 4, new byte[10]),
                device.receive(7, 1, ANY, new byte[10], 0, 10, BYTE)));
        device.cancel(vain.get(2));
        byte[] got = new byte[LARGE];
        Operation fromAny = receive(device, ANY, 5, got);
        Operation fromOther = receive(device, 2, 6, new byte[10]);
        Operation toOther = send(device, Mode.SYNCHRONOUS, 2, 7, pattern(8, LARGE));
        send(device, Mode.BUFFERED, 1, 8, new byte[LARGE]);

        PeerLost lost = passUntilLost();
        assertEquals(1, lost.rank());
        assertTrue(lost.getMessage().startsWith("rank 1 did not answer for 12 retries over "), lost.getMessage());
        for (Operation operation : vain) {
            assertDone(Code.PEER_DEAD, device, operation);
        }
        assertNull(DeviceAudit.waitingFor(device, 1));
        assertSame(lost, device.lost(1));
        assertNull(device.lost(ANY));
        assertNull(device.lost(2));
        assertEquals(0, device.bufferedHeld());

        assertDone(Code.PEER_DEAD, device, send(device, Mode.STANDARD, 1, 1, new byte[10]));
        assertDone(Code.PEER_DEAD, device, send(device, Mode.BUFFERED, 1, 1, new byte[LARGE]));
        assertFalse(device.sendNow(0, 1, 1, new byte[10], 0, 10, BYTE));
        assertDone(Code.PEER_DEAD, device, receive(device, 1, 1, new byte[10]));
        assertEquals(-1, device.probes().find(0, 1, 10), "announced, and will never come");
        assertDone(Code.OK, device, receive(device, 1, 9, whole));
        assertPattern(5, 50, whole);

        Operation there = receive(devices[2], 0, 7, new byte[LARGE]);
        Operation large = send(devices[2], Mode.STANDARD, 0, 5, pattern(9, LARGE));
        Operation small = send(devices[2], Mode.STANDARD, 0, 6, new byte[10]);
        pass(20_000_000);
        assertDone(Code.OK, device, toOther);
        assertDone(Code.OK, device, fromAny);
        assertDone(Code.OK, device, fromOther);
        assertPattern(9, LARGE, got);
        for (Operation operation : List.of(there, large, small)) {
            assertDone(Code.OK, devices[2], operation);
        }
        pass(20_000_000);
        assertNull(DeviceAudit.left(device, 0));
        assertEquals(0, ranks.port(0).underWay() + ranks.port(0).activePeers());
        assertEquals(1, ranks.port(0).lostPeers());
    }

    /** What is refused for the loss of its peer needs no header. */
    @Test
    void shouldRefuseAReceiveFromALostPeerThoughTheStoreIsFull() {
        Device device = open(DeviceConfig.DEFAULT.withHeaders(2, 2, DeviceConfig.Overflow.FAIL));
        kill(1);
        send(device, Mode.STANDARD, 1, 1, new byte[10]);
        passUntilLost();
        receive(device, 2, 1, new byte[10]);
        receive(device, ANY, 2, new byte[10]);
        assertDone(Code.PEER_DEAD, device, receive(device, 1, 3, new byte[10]));
        assertThrows(DeviceFault.class, () -> receive(device, 2, 3, new byte[10]));
    }

    @Test
    void shouldEndReceivesFromAnyRankWhenAllPeersAreLost() {
        Device device = open(DeviceConfig.DEFAULT);
        Operation any = receive(device, ANY, 1, new byte[10]);
        kill(1);
        kill(2);
        send(device, Mode.STANDARD, 1, 1, new byte[10]);
        passUntilLost();
        assertFalse(any.isDone());
        send(device, Mode.STANDARD, 2, 1, new byte[10]);
        PeerLost last = passUntilLost();
        assertSame(last, device.lost(ANY));
        assertDone(Code.PEER_DEAD, device, any);
        assertDone(Code.PEER_DEAD, device, receive(device, ANY, 2, new byte[10]));
    }

    @Test
    void shouldEndAccessesAndLocksAndDatagrams() {
        Device device = open(DeviceConfig.DEFAULT);
        OneSided memory = device.oneSided();
        int rights = RegionTable.READ | RegionTable.WRITE;
        int mine = memory.regions().add(new byte[64], 0, 64, BYTE, rights);
        int theirs = devices[1].oneSided().regions().add(new byte[64], 0, 64, BYTE, rights);
        Channel fromDead = devices[1].oneSided().open(0, mine);
        devices[1].oneSided().lock(fromDead, true);
        pass(500_000);
        assertTrue(fromDead.lockAnswered());
        Channel waiting = devices[2].oneSided().open(0, mine);
        devices[2].oneSided().lock(waiting, false);
        pass(500_000);
        assertFalse(waiting.lockAnswered());
        kill(1);

        Channel channel = memory.open(1, theirs);
        Channel locked = memory.open(1, theirs);
        Operation put = device.begin(0, 1, 1 << 20);
        memory.put(channel, BYTE, new byte[1 << 20], 0, 1 << 20, 0, put);
        Operation get = device.begin(0, 1, 8);
        memory.get(channel, BYTE, new byte[8], 0, 8, 0, get);
        memory.flush(channel);
        memory.lock(locked, true);
        int bell = device.datagrams().allocate();
        device.datagrams().ring(bell, new byte[8], 0, 8, 1, 5, 0);
        passUntilLost();
        assertDone(Code.PEER_DEAD, device, put);
        assertDone(Code.PEER_DEAD, device, get);
        assertTrue(channel.flushed());
        assertEquals(Code.PEER_DEAD, channel.takeRefusal());
        assertTrue(locked.lockAnswered());
        assertEquals(Code.PEER_DEAD, locked.takeRefusal());
        assertEquals(Code.PEER_DEAD, device.datagrams().status(bell));
        assertTrue(waiting.lockAnswered(), "the lock of the lost rank is given to the next");
        assertEquals(Code.OK, waiting.takeRefusal());

        Operation again = device.begin(0, 1, 8);
        memory.get(channel, BYTE, new byte[8], 0, 8, 0, again);
        assertDone(Code.PEER_DEAD, device, again);
        memory.compareAndSwap(channel, ElementType.BYTE.code(), 0, 0, new byte[1], 0, 0);
        assertTrue(channel.localDone());
        memory.lock(locked, false);
        assertEquals(Code.PEER_DEAD, locked.takeRefusal());
        device.datagrams().ring(bell, new byte[8], 0, 8, 1, 5, 0);
        assertEquals(Code.PEER_DEAD, device.datagrams().status(bell));
        memory.close(channel);
        memory.close(locked);
        assertTrue(device.flushed());
        pass(20_000_000);
        assertNull(DeviceAudit.left(device, 0));
    }

    @Test
    void shouldEndAProgramThatWaitsForALostPeerAndReleaseTheRestOfIt() {
        Device device = open(DeviceConfig.DEFAULT);
        WorkProgram program = new WorkProgram(0, 3);
        int buffer = program.buffer(LARGE);
        program.bind(buffer, new byte[LARGE], 0);
        int counter = program.counter();
        WorkQueue queue = program.queue(false);
        queue.send(2, buffer, 0, LARGE, ElementType.BYTE, counter);
        queue.receive(1, buffer, 0, 10, ElementType.BYTE, counter);
        queue.send(1, buffer, 0, LARGE, ElementType.BYTE, counter);
        queue.await(counter, 3);
        kill(1);
        Operation whole = device.start(program, 3);
        passUntilLost();
        pass(20_000_000);
        assertDone(Code.PEER_DEAD, device, whole);
        assertEquals(1, program.failedPeer());
        Operation again = device.start(program, 4);
        assertFalse(again.isDone(), "the other rank could still read the buffer");
        pass(20_000_000);
        assertDone(Code.PEER_DEAD, device, again);
        assertNull(DeviceAudit.left(device, 0), "the send to another rank is withdrawn");
    }
}
