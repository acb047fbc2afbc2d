package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer that is killed, whatever this rank does, is reported as lost; no call waits for it. */
@Timeout(900)
final class KilledPeerTest {
    private static final long PATIENCE_NS = 2_000_000_000L;
    private static final OfiConfig CONFIG = new OfiConfig(0, PATIENCE_NS, 500_000_000L, false);
    /** A call that takes longer waits for something; the machine may be busy. */
    private static final long LONGEST_CALL_NS = 20_000_000_000L;
    private static final long DEADLINE_NS = 240_000_000_000L;
    private static final int BEFORE_THE_KILL_NS = 300_000_000;

    private enum Phase { RECEIVE, SMALL, LARGE, READ, WRITE }

    private Port port;
    private Shared memory;
    private long place;
    private int answers;
    private long ticket = RemoteMemory.FULL;
    private int lastState;
    private long longest;

    @ParameterizedTest
    @CsvSource({"net,RECEIVE", "net,SMALL", "net,LARGE", "net,READ", "net,WRITE", "tcp;ofi_rxm,RECEIVE",
        "tcp;ofi_rxm,SMALL", "tcp;ofi_rxm,LARGE", "tcp;ofi_rxm,READ", "tcp;ofi_rxm,WRITE", "udp;ofi_rxd,RECEIVE",
        "udp;ofi_rxd,SMALL", "udp;ofi_rxd,LARGE", "udp;ofi_rxd,READ", "udp;ofi_rxd,WRITE", "sockets,RECEIVE",
        "sockets,SMALL", "sockets,LARGE", "sockets,READ", "sockets,WRITE"})
    void shouldReportAPeerThatIsKilled(String provider, String phaseName) throws Exception {
        LoopbackEndpoints.assumeProvider(provider);
        Phase phase = Phase.valueOf(phaseName);
        try (PeerProcess process = new PeerProcess(provider)) {
            port = process.open(CONFIG);
            place = process.place();
            memory = port.memory().allocate(4 << 20);
            long began = System.nanoTime();
            while (answers == 0) {
                send(2, 8);
                assertNull(step());
                assertTrue(System.nanoTime() - began < DEADLINE_NS, "no answer of the peer");
            }
            for (long from = System.nanoTime(); System.nanoTime() - from < BEFORE_THE_KILL_NS;) {
                act(phase);
                assertNull(step());
            }
            process.kill();
            long killed = System.nanoTime();
            PeerLost lost = null;
            while (lost == null && System.nanoTime() - killed < DEADLINE_NS) {
                act(phase);
                lost = step();
                // Other tests use the processor while time passes.
                Thread.sleep(1);
            }
            assertNotNull(lost, "the peer was killed, and nothing was reported");
            assertEquals(1, lost.rank());
            String text = lost.getMessage();
            assertTrue(text.contains("rank 1 on here") && text.contains("libfabric (" + provider + ")"), text);
            if (ticket != RemoteMemory.FULL) {
                lastState = port.remoteMemory().state(ticket);
                assertEquals(RemoteMemory.LOST, lastState);
            }
            assertEquals(Outlet.FULL, port.outlet(1).claim(8));
            assertNull(step());
        } finally {
            long closing = System.nanoTime();
            port.close();
            longest = Math.max(longest, System.nanoTime() - closing);
        }
        assertTrue(longest < LONGEST_CALL_NS, "a call took " + longest + " ns");
    }

    private PeerLost step() {
        long before = System.nanoTime();
        PeerLost lost = port.advance(before);
        port.poll((peer, meta, header, segment, payload, bytes) -> answers++, 64);
        port.rest();
        longest = Math.max(longest, System.nanoTime() - before);
        return lost;
    }

    private void act(Phase phase) {
        long before = System.nanoTime();
        if (phase == Phase.SMALL) {
            send(1, 8);
        } else if (phase == Phase.LARGE) {
            send(1, port.traits().maxPayload());
        } else if (phase != Phase.RECEIVE) {
            RemoteMemory remote = port.remoteMemory();
            if (ticket != RemoteMemory.FULL) {
                lastState = remote.state(ticket);
                ticket = lastState == RemoteMemory.PENDING ? ticket : RemoteMemory.FULL;
            }
            if (ticket == RemoteMemory.FULL) {
                ticket = phase == Phase.READ ? remote.read(1, place, 0, memory, 0, 4 << 20)
                        : remote.write(1, place, 0, memory, 0, 4 << 20);
            }
        }
        longest = Math.max(longest, System.nanoTime() - before);
    }

    private void send(int meta, int bytes) {
        Outlet outlet = port.outlet(1);
        long at = outlet.claim(bytes);
        if (at != Outlet.FULL) {
            outlet.commit(at, bytes, meta, 5);
        }
    }
}
