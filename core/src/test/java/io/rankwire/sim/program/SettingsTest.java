package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void shouldReadBackWhatItWrites() {
        Settings settings = Settings.DEFAULT.read("""
                # a slow machine
                topology = torus:4x4x4
                ranks-per-node = 2
                link.latency = 1.5 us   # a hop
                link.bandwidth = 1 GB/s
                link.slots = 4
                device.offload = no
                device.frame = 2 KiB
                host.send = 1500 ns
                noise.every = 100 ms for 2.5 ms
                noise.together = yes
                jitter = 10 ns
                compute = measured:2.5
                seed = 0x10
                """, "slow.model");
        assertEquals(1_500_000, settings.links().latencyPs());
        assertEquals(1_024_000, settings.links().psPerKib());
        assertEquals(2_500_000_000L, settings.host().noisePs());
        assertEquals(2048, settings.device().maxPayload());
        assertEquals(16, settings.seed());
        assertEquals(2.5, settings.computeFactor());
        assertEquals(settings, Settings.DEFAULT.read(settings.text(), "again"));
        assertEquals(Settings.DEFAULT, settings.read(Settings.DEFAULT.text(), "default"));
    }

    @Test
    void shouldNameTheLineAndWhatIsWrong() {
        wrong("link.latency = 5", "m, line 1: 5 is not a time such as 100 ns");
        wrong("\n\nlink.speed = 1 GB/s", "m, line 3: there is no key link.speed");
        wrong("nothing", "m, line 1: \"nothing\" is no key = value");
        wrong("noise.every = 1 ms", "m, line 1: noise.every: 1 ms is not like \"100 ms for 2.5 ms\"");
        wrong("noise.every = 1 ms for 2 ms", "m, line 1: host: costs from 0");
        wrong("device.offload = maybe", "m, line 1: device.offload: maybe is neither yes nor no");
        wrong("link.slots = many", "m, line 1: link.slots: many is no number");
        wrong("compute = some", "m, line 1: compute: some is none of none, measured, measured:FACTOR");
        wrong("topology = star", "m, line 1: topology star is none of crossbar");
        wrong("link.bandwidth = 0 B/s", "m, line 1: 0 B/s is not a rate");
    }

    private static void wrong(String text, String message) {
        String told = assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULT.read(text, "m")).getMessage();
        assertTrue(told.startsWith(message), told);
    }
}
