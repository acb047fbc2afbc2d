package io.rankwire.device.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.TriggeringPort;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random programs, by the device and by a network that is naive and late: all results must be the same. */
class DeferredWorkModelTest {
    private static final int RANKS = 4;
    private static final int SEEDS = Integer.getInteger("rankwire.test.seeds", 100);

    private final TriggeringPort[] ports = new TriggeringPort[RANKS];

    private Device[] devices(long seed) {
        LocalFabric fabric = new LocalFabric(RANKS);
        Device[] devices = new Device[RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
            ports[rank] = new TriggeringPort(fabric.open(rank), seed * RANKS + rank, 1_000);
            devices[rank] = new Device(DeviceConfig.DEFAULT, ports[rank]);
        }
        return devices;
    }

    private static void progress(Device[] devices, Rand random, long now) {
        for (int i = 0; i < RANKS; i++) {
            devices[random.below(RANKS)].progressAll(now);
        }
    }

    private List<List<List<Long>>> run(long seed, int programs, boolean mayDefer, boolean reopens) {
        Device[] devices = devices(seed);
        Rand random = new Rand(seed);
        List<DeferredEpisode> episodes = new ArrayList<>();
        for (int i = 0; i < programs; i++) {
            episodes.add(new DeferredEpisode(seed + 1_000_003L * i, RANKS, 30));
        }
        List<List<List<Long>>> results = new ArrayList<>();
        int deferred = 0;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < programs; i++) {
                episodes.get(i).start(devices, 10 * round + i, mayDefer);
            }
            for (int step = 0; !episodes.stream().allMatch(DeferredEpisode::isDone); step++) {
                assertTrue(step < 100_000, "seed " + seed + " does not end");
                progress(devices, random, step);
                if (reopens && random.below(5) == 0) {
                    int rank = random.below(RANKS);
                    episodes.get(random.below(programs)).reopen(rank, devices[rank]);
                }
            }
            for (DeferredEpisode episode : episodes) {
                for (int rank = 0; rank < RANKS; rank++) {
                    deferred += episode.wasDeferred(rank) ? 1 : 0;
                }
                results.add(episode.result(devices));
            }
        }
        assertTrue(mayDefer == deferred > 0, "seed " + seed + ": the network has run " + deferred + " programs: "
                + episodes.getFirst().obstacle(0));
        for (int step = 0; Arrays.stream(ports).anyMatch(port -> port.programs() > 0); step++) {
            assertTrue(step < 10_000, "seed " + seed + ": programs left");
            progress(devices, random, step);
        }
        return results;
    }

    /** With half of the seeds, epochs end and begin again: puts go back to the device, which must make each once. */
    @Test
    void shouldGiveTheSameResultsInTheNetworkAndInTheDevice() {
        int replaced = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            int programs = 1 + (int) (seed % 4);
            boolean reopens = seed % 8 >= 4;
            assertEquals(run(seed, programs, false, false), run(seed, programs, true, reopens), "seed " + seed);
            for (TriggeringPort port : ports) {
                assertTrue(reopens || port.replaced == 0, "seed " + seed);
                replaced += port.replaced;
            }
        }
        assertTrue(replaced > SEEDS, replaced + " puts went back");
    }

    @Test
    void shouldEndWhenPeersAreLost() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Device[] devices = devices(seed);
            Rand random = new Rand(seed);
            DeferredEpisode episode = new DeferredEpisode(seed, RANKS, 30);
            episode.start(devices, 3, true);
            int steps = random.below(60);
            for (int step = 0; step < steps; step++) {
                progress(devices, random, step);
            }
            for (int rank = 1; rank < RANKS; rank++) {
                devices[0].lose(new PeerLost(rank, "it was killed"));
            }
            for (int step = 0; !episode.isDone(0); step++) {
                assertTrue(step < 100_000, "seed " + seed + " does not end");
                devices[0].progressAll(step);
            }
            int code = episode.release(0, devices[0]);
            assertTrue(code == Code.OK || code == Code.PEER_DEAD, "seed " + seed + ": code " + code);
            if (code == Code.PEER_DEAD) {
                assertTrue(episode.program(0).failedPeer() > 0, "seed " + seed);
            }
        }
    }
}
