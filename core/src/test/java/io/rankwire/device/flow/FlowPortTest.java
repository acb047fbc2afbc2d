package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the episodes of {@link FlowModelTest} do not ask for by name. */
final class FlowPortTest {
    private static final FlowConfig CONFIG =
            new FlowConfig(4_096, 16, 64, 50_000, 10_000, 1_000_000, 10, 2_000, 5_000_000, 1 << 30);

    private final LossyNet net = new LossyNet(new Rand(3), 3, 1_000);
    private final FlowPort[] ports = new FlowPort[3];
    private int arrived;

    private void open(FlowConfig config) {
        for (int rank = 0; rank < ports.length; rank++) {
            ports[rank] = new FlowPort(net.open(rank), config, 1, net.now);
        }
    }

    private static boolean send(FlowPort from, int to, long header) {
        Outlet outlet = from.outlet(to);
        long at = outlet.claim(40);
        if (at == Outlet.FULL) {
            return false;
        }
        outlet.commit(at, 40, 1, header);
        return true;
    }

    private void pass(long ns) {
        long end = net.now + ns;
        while (net.now < end) {
            long next = net.nextArrival();
            for (FlowPort port : ports) {
                next = Math.min(next, port.nextDeadline());
            }
            net.now = Math.clamp(next, net.now + 1, end);
            for (FlowPort port : ports) {
                PeerLost lost = port.advance(net.now);
                if (lost != null) {
                    throw lost;
                }
                port.poll((peer, meta, header, memory, payload, bytes) ->
                        assertEquals(arrived++, header, "number"), 32);
                port.checkInvariants();
            }
        }
    }

    @Test
    void shouldDeclareASilentPeerDeadByNameAndLeaveTheOthersAlone() {
        open(CONFIG);
        net.cut(0, 1, true);
        assertTrue(send(ports[0], 1, 0));
        long start = net.now;
        PeerLost lost = assertThrows(PeerLost.class, () -> pass(1_000_000_000));
        assertEquals(1, lost.rank());
        assertEquals("rank 1 did not answer for 10 retries over 7.5 ms; frames to it that were not acknowledged: 1",
                lost.getMessage());
        assertEquals(7_550_000, net.now - start, 20_000);
        assertEquals(0, ports[0].activePeers());
        assertTrue(!send(ports[0], 1, 1));
        assertTrue(send(ports[0], 2, 0));
        pass(1_000_000);
        assertEquals(1, arrived);
    }

    /** The other direction works: what comes from there is refused, until that rank gives up too. */
    @Test
    void shouldRefuseWhatALostPeerSends() {
        open(CONFIG);
        net.faults.keep = 10_000;
        assertTrue(send(ports[1], 0, 0));
        pass(1_000_000);
        assertEquals(1, arrived);
        net.cut(0, 1, true);
        assertTrue(send(ports[0], 1, 7));
        assertEquals(1, assertThrows(PeerLost.class, () -> pass(1_000_000_000)).rank());
        assertTrue(send(ports[1], 0, 1));
        net.hauntWithAll();
        assertEquals(0, assertThrows(PeerLost.class, () -> pass(1_000_000_000)).rank());
        assertEquals(1, arrived);
        assertEquals(0, ports[0].activePeers() + ports[1].activePeers());
        assertEquals(2, ports[0].lostPeers() + ports[1].lostPeers());
    }

    @Test
    void shouldGoOnWithALostPeerThatStartedAnewUnlessItIsDismissed() {
        open(CONFIG);
        assertTrue(send(ports[1], 0, 0));
        pass(1_000_000);
        net.cut(0, 1, true);
        assertTrue(send(ports[0], 1, 99));
        assertThrows(PeerLost.class, () -> pass(1_000_000_000));
        net.cut(0, 1, false);
        ports[1] = new FlowPort(net.open(1), CONFIG, 2, net.now);
        assertTrue(send(ports[1], 0, 1));
        PeerLost lost = assertThrows(PeerLost.class, () -> pass(100_000_000));
        assertEquals("rank 1 has started anew", lost.getMessage());
        pass(100_000_000);
        assertEquals(2, arrived);
        assertTrue(send(ports[0], 1, 2));
        pass(1_000_000);
        assertEquals(3, arrived);
        ports[0].dismiss(1);
        ports[1] = new FlowPort(net.open(1), CONFIG, 3, net.now);
        assertTrue(send(ports[1], 0, 99) && !send(ports[0], 1, 99));
        assertEquals(0, assertThrows(PeerLost.class, () -> pass(1_000_000_000)).rank());
        assertEquals(3, arrived);
    }

    @Test
    void shouldWaitForAPeerThatRefusesHoweverLong() {
        open(CONFIG);
        assertTrue(send(ports[0], 1, 0));
        pass(1_000_000);
        ports[1].ready(false);
        for (int i = 1; i < 10; i++) {
            assertTrue(send(ports[0], 1, i));
        }
        pass(1_000_000_000);
        assertEquals(1, arrived);
        assertTrue(ports[1].refused() > 100 && ports[0].resent() < 5_000, ports[0].resent() + " resent");
        ports[1].ready(true);
        pass(3_000_000);
        assertEquals(10, arrived);
    }

    @Test
    void shouldTellOfAPeerThatStartedAnewAndGoOnWithIt() {
        open(CONFIG);
        assertTrue(send(ports[0], 1, 0));
        pass(1_000_000);
        ports[1] = new FlowPort(net.open(1), CONFIG, 2, net.now);
        assertTrue(send(ports[0], 1, 99));
        PeerLost lost = assertThrows(PeerLost.class, () -> pass(1_000_000));
        assertEquals(1, lost.rank());
        assertEquals("rank 1 has started anew; frames to it that were not acknowledged: 1", lost.getMessage());
        assertTrue(send(ports[0], 1, 1));
        pass(1_000_000);
        assertEquals(2, arrived);
    }

    @Test
    void shouldTellWhatPeersWaitForFromWhatCanWait() {
        open(CONFIG);
        assertEquals(Long.MAX_VALUE, ports[0].nextNeed());
        assertTrue(send(ports[0], 1, 0));
        assertEquals(ports[0].nextDeadline(), ports[0].nextNeed());
        pass(1_000_000);
        assertEquals(Long.MAX_VALUE, ports[0].nextNeed());
        assertEquals(Long.MAX_VALUE, ports[1].nextNeed());
        assertTrue(ports[0].nextDeadline() < Long.MAX_VALUE, "a stream to be closed when it is idle");
        assertTrue(send(ports[0], 2, 1));
        assertTrue(ports[0].nextNeed() > net.now && ports[0].nextNeed() < net.now + 100_000);
    }

    @Test
    void shouldForgetIdlePeersAndTheirOldFrames() {
        open(CONFIG);
        net.faults.keep = 10_000;
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 10; i++) {
                assertTrue(send(ports[0], 1, arrived + i));
            }
            pass(1_000_000);
            assertEquals(10 * (round + 1), arrived);
            assertEquals(1, ports[0].activePeers());
            pass(40_000_000);
            assertEquals(0, ports[0].activePeers() + ports[1].activePeers());
            assertEquals(Long.MAX_VALUE, ports[0].nextDeadline());
            net.hauntWithAll();
            pass(40_000_000);
            assertEquals(10 * (round + 1), arrived);
            assertEquals(0, ports[0].activePeers() + ports[1].activePeers());
        }
    }

    @Test
    void shouldTakeNoMoreThan64BytesAPeer() {
        int many = 3_000;
        LossyNet wide = new LossyNet(new Rand(1), many, 200);
        FlowPort port = new FlowPort(wide.open(0), CONFIG.withFrames(4_096), 1, 0);
        assertEquals(0, port.peerBytes());
        for (int peer = 1; peer < many; peer++) {
            assertTrue(send(port, peer, 0));
            if (Integer.bitCount(peer) == 1 && peer > 4) {
                assertEquals(peer, port.activePeers());
                assertEquals(64L * peer, port.peerBytes());
            }
        }
        port.checkInvariants();
    }

    /** A round trip of eight times the first timeout: once it is measured nothing is sent twice. */
    @Test
    void shouldMeasureTheRoundTrip() {
        open(CONFIG);
        net.faults.minDelay = 200_000;
        net.faults.maxDelay = 200_000;
        int sent = 0;
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 8; i++) {
                assertTrue(send(ports[0], 1, sent++));
            }
            pass(3_000_000);
        }
        long before = ports[0].resent();
        assertTrue(before > 0);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 8; i++) {
                assertTrue(send(ports[0], 1, sent++));
            }
            pass(3_000_000);
        }
        assertEquals(sent, arrived);
        assertEquals(before, ports[0].resent());
    }

    @Test
    void shouldOutliveALongSleep() {
        open(CONFIG);
        assertTrue(send(ports[0], 1, 0));
        pass(10_000);
        for (long sleep = 1L << 30; sleep < 1L << 46; sleep *= 7) {
            net.now += sleep;
            net.cut(0, 1, true);
            assertTrue(send(ports[0], 1, arrived));
            pass(100_000);
            net.now += sleep;
            net.cut(0, 1, false);
            pass(50_000_000);
            assertEquals(0, ports[0].underWay());
        }
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        assertThrows(IllegalArgumentException.class, () -> new FlowPort(net.open(0), CONFIG, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> CONFIG.withFrames(0));
    }

    /** What Linux was seen to keep of datagrams with 1,472 bytes, by default and with 4 MiB asked for. */
    @Test
    void shouldKnowHowManyDatagramsASocketKeeps() {
        assertEquals(92, FlowConfig.datagrams(1_472, 212_992).receiveFrames());
        assertEquals(3_640, FlowConfig.datagrams(1_472, 8 << 20).receiveFrames());
    }

    /** Over rings, which lose nothing, so that only this layer is looked at. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAllocateNothingPerFrame(boolean congestionControl) {
        FlowConfig config = congestionControl ? FlowConfig.DATAGRAMS : FlowConfig.DEFAULT;
        LocalFabric fabric = new LocalFabric(2, 1024);
        FlowPort a = new FlowPort(fabric.open(0), config, 1, 0);
        FlowPort b = new FlowPort(fabric.open(1), config, 1, 0);
        FrameSink sink = (peer, meta, header, memory, payload, bytes) -> {
            if (header != arrived++) {
                throw new AssertionError("number " + header);
            }
        };
        Outlet outlet = a.outlet(1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        long now = 0;
        int frames = 60_000;
        for (int i = 0; i < frames; ) {
            if (i == frames / 2) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            long at = outlet.claim(64);
            if (at != Outlet.FULL) {
                outlet.commit(at, 64, 1, i++);
            } else {
                now += 5_000;
                b.advance(now);
                b.poll(sink, 32);
                a.advance(now);
                a.poll(sink, 32);
            }
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < frames, bytes + " bytes for " + frames / 2 + " frames");
    }
}
