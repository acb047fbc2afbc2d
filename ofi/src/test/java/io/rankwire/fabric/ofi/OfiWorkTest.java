package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.work.DeferredEpisode;
import io.rankwire.fabric.Port;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Work programs of devices over libfabric: run by the provider where it takes deferred work, with equal results. */
class OfiWorkTest {
    private static final int RANKS = 3;
    private static final int SEEDS = Integer.getInteger("rankwire.test.seeds", 20);
    private static final long MOST_NS = 120_000_000_000L;

    private final Device[] devices = new Device[RANKS];
    private final Port[] ports = new Port[RANKS];

    private void open(LoopbackEndpoints endpoints) {
        for (int rank = 0; rank < RANKS; rank++) {
            ports[rank] = endpoints.open(rank, OfiConfig.DEFAULT);
            devices[rank] = new Device(DeviceConfig.DEFAULT, ports[rank]);
        }
    }

    private void close() {
        for (Port port : ports) {
            port.close();
        }
    }

    private void progressUntil(BooleanSupplier done, String what) {
        long began = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertTrue(System.nanoTime() - began < MOST_NS, what + " does not end");
            for (Device device : devices) {
                device.advance(System.nanoTime());
                device.progressAll(System.nanoTime());
                device.rest();
            }
            Thread.yield();
        }
    }

    private List<List<List<Long>>> run(long seed, boolean mayDefer, boolean isDeferred) {
        List<DeferredEpisode> episodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            episodes.add(new DeferredEpisode(seed + 1_000_003L * i, RANKS, 24));
        }
        List<List<List<Long>>> results = new ArrayList<>();
        int deferred = 0;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < episodes.size(); i++) {
                episodes.get(i).start(devices, 10 * round + i, mayDefer);
            }
            progressUntil(() -> episodes.stream().allMatch(DeferredEpisode::isDone), "seed " + seed);
            for (DeferredEpisode episode : episodes) {
                for (int rank = 0; rank < RANKS; rank++) {
                    deferred += episode.wasDeferred(rank) ? 1 : 0;
                }
                results.add(episode.result(devices));
            }
        }
        assertEquals(isDeferred, deferred > 0, "seed " + seed + ": the provider has run " + deferred + " programs: "
                + episodes.getFirst().obstacle(0));
        return results;
    }

    private void compare(String provider, boolean isDeferred) {
        LoopbackEndpoints.assumeProvider(provider);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, RANKS)) {
            open(endpoints);
            for (long seed = 0; seed < SEEDS; seed++) {
                assertEquals(run(seed, false, false), run(seed, true, isDeferred), "seed " + seed);
            }
            close();
        }
    }

    @Test
    void shouldGiveTheSameResultsByTheProviderSockets() {
        compare("sockets", true);
    }

    @Test
    void shouldRunInTheDeviceOverTheProviderNet() {
        compare("net", false);
        assertNotNull(ports[0]);
    }
}
