package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.device.RemoteEpisode;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.ofi.LoopbackEndpoints;
import io.rankwire.fabric.ofi.OfiConfig;
import io.rankwire.launch.OfiRanks;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large messages and windows by RDMA of a provider, compared with models. */
@Timeout(900)
final class OfiRemoteMemoryTest {
    private static final int SEEDS = 3;
    /** Long enough for the network. */
    private static final int SLICE = 300_000;
    /** One thread drives all ports here: none can wait for another. */
    private static final OfiConfig CONFIG = new OfiConfig(4, 300_000_000_000L, 0, false);

    @ParameterizedTest
    @ValueSource(strings = {"net", "tcp;ofi_rxm", "sockets"})
    void shouldDeliverLargeMessages(String provider) {
        LoopbackEndpoints.assumeProvider(provider);
        long read = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            int ranks = 2 + (int) seed % 2;
            try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, ranks)) {
                List<Port> ports =
                        IntStream.range(0, ranks).mapToObj(rank -> endpoints.open(rank, CONFIG)).toList();
                RemoteEpisode episode = new RemoteEpisode(seed, ports);
                assertNull(episode.run(), "seed " + seed);
                read += episode.directBytes();
                ports.forEach(Port::close);
            }
        }
        assertTrue(read > 0, "nothing was read by the network");
    }

    @ParameterizedTest
    @ValueSource(strings = {"net", "tcp;ofi_rxm", "sockets"})
    void shouldAccessWindows(String provider) {
        LoopbackEndpoints.assumeProvider(provider);
        for (long seed = 1; seed <= SEEDS; seed++) {
            long drawn = seed;
            OfiRanks.run(provider, 2 + (int) seed % 2, World.rank(DeviceConfig.DEFAULT, world -> {
                new RemoteWindowProgram(world, drawn, SLICE).run();
                assertTrue(world.counters().directBytes() > 0, "nothing was moved by the network");
            }));
        }
    }
}
