package io.rankwire.sim.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.sim.net.Crossbar;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Torus;
import org.junit.jupiter.api.Test;

class RoutedTest {
    private static final LogGops COSTS = new LogGops(1, 100_000, 0, 0, 0, 1 << 30);
    private static final Driver HOST = new Driver(false, 0, 0);

    /** Up and down at 100 ns a link, 16 bytes of header at a byte a nanosecond, o at both ends. */
    @Test
    void shouldTakeTheLinksOfTheWay() {
        LinkModel links = new LinkModel(100_000, 1_024_000, 4, 16);
        Outcome outcome = Routed.run(Pattern.barrier(16), Setting.of(COSTS, HOST), new Crossbar(16), links, 4096)
                .outcome();
        assertEquals(4 * (100_000 + 2 * 100_000 + 16_000 + 100_000), outcome.ps());
    }

    /** A message by two ways that share no link takes half as long (X9). */
    @Test
    void shouldHalveTheTimeByTwoPorts() {
        LinkModel links = new LinkModel(100_000, 1_024_000, 16, 32);
        Torus torus = new Torus(4, 4, 1);
        Pattern pattern = Pattern.broadcast(2, 0, 1 << 20);
        Setting setting = Setting.of(COSTS, HOST);
        Outcome one = Routed.run(pattern, setting, torus, links, 4096).outcome();
        Outcome two = Routed.run(pattern, setting.withPorts(2), torus, links, 4096).outcome();
        double ratio = (double) one.ps() / two.ps();
        assertTrue(ratio > 1.95 && ratio < 2.01, ratio + "");
    }

    /** Each of six faces has a link to itself: a halo takes as long as one face. */
    @Test
    void shouldExchangeFacesWithoutMeeting() {
        LinkModel links = new LinkModel(100_000, 1_024_000, 16, 0);
        Torus torus = new Torus(4, 4, 4);
        Routed.Traffic traffic = Routed.run(Pattern.halo(torus, 1 << 16),
                Setting.of(new LogGops(1, 0, 0, 0, 0, 1 << 30), HOST), torus, links, 4096);
        assertEquals(100_000 + (1 << 16) * 1_000L, traffic.outcome().ps());
        for (long busy : traffic.busyPs()) {
            assertEquals((1 << 16) * 1_000L, busy);
        }
    }
}
