package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames and accesses allocate nothing once a port has warmed up. */
@Timeout(600)
final class OfiAllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int BATCHES = 20;
    private static final int BATCH = 200;
    private static final int MOST_STEPS = 2_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long come;
    private final FrameSink sink = (peer, meta, header, memory, payload, bytes) -> come++;

    private interface Round {
        void run();
    }

    private static void assertNoBytes(Round round) {
        for (int i = 0; i < WARM_UP; i++) {
            round.run();
        }
        long least = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < BATCH; i++) {
                round.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least, "bytes allocated for " + BATCH + " rounds");
    }

    private void send(Port from, Port to, int bytes) {
        Outlet outlet = from.outlet(to.self());
        long at = outlet.claim(bytes);
        for (int steps = 0; at == Outlet.FULL; steps++) {
            assertTrue(steps < MOST_STEPS);
            step(from, to);
            at = outlet.claim(bytes);
        }
        outlet.commit(at, bytes, 1, 7);
        long expected = come + 1;
        for (int steps = 0; come < expected; steps++) {
            assertTrue(steps < MOST_STEPS);
            step(from, to);
        }
    }

    private void step(Port a, Port b) {
        a.advance(System.nanoTime());
        b.advance(System.nanoTime());
        a.poll(sink, 32);
        b.poll(sink, 32);
        a.rest();
        b.rest();
    }

    @Test
    void shouldAllocateNothingForFramesAndAccesses() {
        LoopbackEndpoints.assumeProvider("net");
        OfiConfig config = new OfiConfig(0, 300_000_000_000L, 0, false);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("net", 2);
                Port a = endpoints.open(0, config);
                Port b = endpoints.open(1, config)) {
            assertNoBytes(() -> {
                send(a, b, 8);
                send(b, a, 300);
            });
            Shared mine = a.memory().allocate(4096);
            Shared theirs = b.memory().allocate(4096);
            RemoteMemory remote = a.remoteMemory();
            assertNoBytes(() -> {
                long ticket = RemoteMemory.FULL;
                for (int steps = 0; ticket == RemoteMemory.FULL; steps++) {
                    assertTrue(steps < MOST_STEPS);
                    ticket = remote.write(1, theirs.id(), 8, mine, 16, 1000);
                    step(a, b);
                }
                for (int steps = 0; remote.state(ticket) == RemoteMemory.PENDING; steps++) {
                    assertTrue(steps < MOST_STEPS);
                    step(a, b);
                }
            });
        }
    }
}
