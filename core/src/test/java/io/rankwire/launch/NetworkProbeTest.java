package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.tcp.LoopbackRanks;
import io.rankwire.fabric.tcp.TcpConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

final class NetworkProbeTest {
    private static final TcpConfig CONFIG = new TcpConfig(0, 60_000_000_000L, 0);

    @Test
    void shouldMeasureInAShortTimeAndLeaveThePortEmpty(TestReporter reporter) throws Exception {
        try (LoopbackRanks ranks = new LoopbackRanks(2);
                Port first = ranks.open(0, CONFIG);
                Port second = ranks.open(1, CONFIG)) {
            CompletableFuture<Void> following = CompletableFuture.runAsync(
                    () -> new NetworkProbe(second, 0, () -> false).follow());
            long start = System.nanoTime();
            NetworkCost cost = new NetworkProbe(first, 1, () -> false).lead("inside");
            reporter.publishEntry("probe", (System.nanoTime() - start) / 1_000_000 + " ms: " + cost);
            following.get(2, TimeUnit.MINUTES);
            assertTrue(cost.roundNs() == 0 || cost.roundNs() > 500 && cost.roundNs() < 1e9, cost.toString());
            assertTrue(cost.byteNs() >= 0 && cost.byteNs() < 1e6, cost.toString());
            assertTrue(cost.messageNs() >= 0 && cost.messageNs() < 1e9, cost.toString());
            assertEquals("inside", cost.inside());
            AtomicInteger frames = new AtomicInteger();
            for (int i = 0; i < 100; i++) {
                first.pollAll((peer, meta, header, memory, payload, bytes) -> frames.incrementAndGet(), 16);
                second.pollAll((peer, meta, header, memory, payload, bytes) -> frames.incrementAndGet(), 16);
            }
            assertEquals(0, frames.get());
        }
    }

    @Test
    void shouldGiveUpWhenTheJobEnds() throws Exception {
        try (LoopbackRanks ranks = new LoopbackRanks(2); Port first = ranks.open(0, CONFIG)) {
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS).execute(() -> over.set(true));
            assertThrows(FabricException.class, () -> new NetworkProbe(first, 1, over::get).lead(""));
        }
    }
}
