package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.tcp.LoopbackRanks;
import io.rankwire.fabric.tcp.TcpConfig;
import io.rankwire.fabric.udp.LoopbackSockets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Afterwards the ports are looked at, but not polled, until all ranks have got the costs. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSkipTheMeasurement(boolean overUdp) throws Exception {
        try (LoopbackRanks ranks = new LoopbackRanks(2);
                LoopbackSockets sockets = new LoopbackSockets(2);
                Port first = overUdp ? overFlow(sockets, 0) : ranks.open(0, CONFIG);
                Port second = overUdp ? overFlow(sockets, 1) : ranks.open(1, CONFIG)) {
            AtomicBoolean isSkipped = new AtomicBoolean();
            CompletableFuture<Void> following = CompletableFuture.runAsync(() -> {
                new NetworkProbe(second, 0, () -> false).follow();
                while (!isSkipped.get()) {
                    second.advance(System.nanoTime());
                    LockSupport.parkNanos(1_000_000);
                    second.rest();
                }
            });
            FutureTask<NetworkCost> cost = new FutureTask<>(
                    () -> new NetworkProbe(first, 1, () -> false).skip("inside"));
            Thread.ofPlatform().daemon().start(cost);
            assertEquals("inside", cost.get(2, TimeUnit.MINUTES).inside());
            isSkipped.set(true);
            following.get(2, TimeUnit.MINUTES);
        }
    }

    private static Port overFlow(LoopbackSockets sockets, int rank) {
        Port below = sockets.open(rank);
        FlowConfig config = FlowConfig.datagrams(below.traits().maxPayload(), 1 << 18);
        FlowPort flow = new FlowPort(below, config, 1, System.nanoTime());
        flow.clock(System::nanoTime);
        return flow;
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
