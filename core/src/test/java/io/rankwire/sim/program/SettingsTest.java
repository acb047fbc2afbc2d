package io.rankwire.sim.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.sim.NodeModel;
import io.rankwire.sim.Sharing;
import io.rankwire.sim.match.MatcherConfig;
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
                device.headers = 512
                device.overflow = software
                device.software = 1 us
                device.unexpected = 1 MiB
                matcher.units = 16
                matcher.together = 4
                matcher.banks = 8
                matcher.cycle = 4 ns
                matcher.start = 0
                matcher.finish = 2
                matcher.queues = 8
                matcher.by = tag
                node.devices = 2
                node.sharing = by-source
                node.claim = 100 ns
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
        assertEquals(new MatcherConfig(16, 4, 8, 0, 2, 32_768, 8, MatcherConfig.By.TAG, 4_000),
                settings.device().matcher());
        assertEquals(512, settings.device().headers());
        assertEquals(Overflow.SOFTWARE, settings.device().overflow());
        assertEquals(new NodeModel(2, Sharing.BY_SOURCE, 100_000).withCopies(102_400), settings.node());
        assertEquals(2.5, settings.computeFactor());
        assertEquals(settings, Settings.DEFAULT.read(settings.text(), "again"));
        assertEquals(Settings.DEFAULT, settings.read(Settings.DEFAULT.text(), "default"));
        Settings without = settings.with("matcher.units", "none");
        assertEquals(without, Settings.DEFAULT.read(without.text(), "without"));
        assertEquals(MatcherConfig.DEFAULT, without.with("matcher.units", "64").device().matcher());
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
        wrong("node.devices = 0", "m, line 1: node.devices: 0 is neither own nor a number from 1");
        wrong("node.devices = all", "m, line 1: node.devices: all is no number");
        wrong("node.sharing = fair", "m, line 1: node.sharing: fair is none of pinned, by-source, claimed");
        wrong("node.claim = 5 s", "m, line 1: node: devices from 1, or own; a claim from 0 to 1 ms");
        wrong("matcher.units = 0", "m, line 1: matcher.units: 0 is no number from 1 to");
        wrong("matcher.together = 65", "m, line 1: matcher.together: 65: matcher.together is at most matcher.units");
        wrong("matcher.cycle = 0", "m, line 1: matcher.cycle: 0: matcher.together is at most");
        wrong("matcher.by = rank", "m, line 1: matcher.by: rank is none of source, tag");
        wrong("matcher.size = 1", "m, line 1: there is no key matcher.size");
        wrong("matcher.units = none\nmatcher.banks = 4", "m, line 2: matcher.banks: 4: there are no units");
        wrong("device.headers = 0", "m, line 1: device.headers: 0 is no number from 1 to");
        wrong("device.overflow = drop", "m, line 1: device.overflow: drop is none of grow, software, fail");
        wrong("device.unexpected = 64 B", "m, line 1: device: headers from 1 to");
    }

    private static void wrong(String text, String message) {
        String told = assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULT.read(text, "m")).getMessage();
        assertTrue(told.startsWith(message), told);
    }
}
