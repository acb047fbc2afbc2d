package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.device.TaggedEpisode;
import io.rankwire.fabric.Port;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices of one process whose messages a provider matches, against lists. */
@Timeout(600)
final class OfiTagsTest {
    private static final int BYTE = ElementType.BYTE.code();
    private static final int RANKS = 3;
    private static final int STEPS = Integer.getInteger("rankwire.ofi.steps", 3_000);
    private static final long SEED = Long.getLong("rankwire.ofi.seed", 20_261_119);
    private static final int[] CONTEXTS = {0, 4097};

    @ParameterizedTest
    @ValueSource(strings = {"net", "tcp;ofi_rxm", "udp;ofi_rxd", "sockets"})
    void shouldMatchLikeLists(String provider) {
        LoopbackEndpoints.assumeProvider(provider);
        run(provider, SEED, false);
        run(provider, SEED + 1, true);
    }

    private static void run(String provider, long seed, boolean mayStop) {
        Rand rand = new Rand(seed);
        OfiConfig config = new OfiConfig(0, 300_000_000_000L, 0, false);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, RANKS)) {
            Device[] devices = new Device[RANKS];
            boolean matches = false;
            for (int rank = 0; rank < RANKS; rank++) {
                Port port = endpoints.open(rank, config);
                matches = port.tagMatcher().places() > 0;
                devices[rank] = new Device(DeviceConfig.DEFAULT, port);
                for (int context : CONTEXTS) {
                    assertEquals(matches, devices[rank].network().match(context, true));
                }
            }
            assertEquals(provider.equals("tcp;ofi_rxm") || provider.equals("sockets"), matches);
            TaggedEpisode episode = new TaggedEpisode(rand, devices, CONTEXTS, 100_000, mayStop,
                    rank -> drive(devices[rank]));
            episode.mostNs = 120_000_000_000L;
            episode.run(STEPS, 20);
            episode.finish();
            episode.checkNothingLeft();
            if (!mayStop && matches) {
                for (Device device : devices) {
                    assertTrue(device.network().isMatched(0));
                    assertTrue(device.network().came() > 20, device.network() + " saw few messages");
                }
            }
            for (Device device : devices) {
                device.close();
            }
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("-Drankwire.ofi.seed=" + seed + " " + provider + ": " + failure, failure);
        }
    }

    /** No provider reports the death of a peer to a receive that it holds: the port finds it, and the receive ends. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp;ofi_rxm"})
    void shouldEndReceivesOfSilentPeer(String provider) {
        LoopbackEndpoints.assumeProvider(provider);
        OfiConfig config = new OfiConfig(0, 2_000_000_000L, 0, false);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, 2)) {
            Device silent = new Device(DeviceConfig.DEFAULT, endpoints.open(0, config));
            Device device = new Device(DeviceConfig.DEFAULT, endpoints.open(1, config));
            assertTrue(device.network().match(0, true));
            Operation first = receive(device);
            assertTrue(silent.sendNow(0, 1, 7, new byte[8], 0, 8, BYTE));
            while (!first.isDone()) {
                drive(silent);
                drive(device);
            }
            Operation second = receive(device);
            for (long i = 0; device.network().came() == 0; i++) {
                if (i % 100 == 0) {
                    silent.sendNow(0, 1, 8, new byte[8], 0, 8, BYTE);
                    device.receive(0, 0, 8, new byte[8], 0, 8, BYTE);
                }
                drive(silent);
                drive(device);
            }
            while (!second.isDone()) {
                drive(device);
            }
            assertEquals(Code.PEER_DEAD, second.code());
            assertEquals(0, device.lost(0).rank());
            assertEquals(Code.PEER_DEAD, receive(device).code());
            device.close();
            silent.close();
        }
    }

    private static Operation receive(Device device) {
        return device.receive(0, 0, 7, new byte[8], 0, 8, BYTE);
    }

    private static void drive(Device device) {
        device.advance(System.nanoTime());
        device.progress(System.nanoTime());
        device.rest();
    }

    /** With this one a message without a receive would hold up all others of its sender. */
    @Test
    void shouldNotMatchByStreamsAlone() {
        LoopbackEndpoints.assumeProvider("net");
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("net", 2);
                Port port = endpoints.open(0, OfiConfig.DEFAULT)) {
            assertEquals(0, port.tagMatcher().places());
            assertFalse(port.tagMatcher().reaches(1));
        }
    }
}
