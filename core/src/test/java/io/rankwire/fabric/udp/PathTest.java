package io.rankwire.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PathTest {
    private static final long SECOND = 1_000_000_000;
    /** The clock of the system may begin anywhere. */
    private static final long START = -5 * SECOND;

    @Test
    void shouldBeNarrowUntilAProbeIsAnswered() {
        Path path = new Path(false);
        assertFalse(path.isWide());
        assertTrue(path.probes(START));
        assertFalse(path.probes(START + 1_000_000));
        assertTrue(path.probes(START + 20_000_000), "the first probe was lost");
        path.answered();
        assertTrue(path.isWide());
    }

    @Test
    void shouldBecomeNarrowAfterThreeProbesWithoutAnAnswer() {
        Path path = new Path(false);
        assertTrue(path.probes(START));
        path.answered();
        for (int i = 1; i <= 3; i++) {
            assertTrue(path.probes(START + i * SECOND));
            assertTrue(path.isWide());
            assertFalse(path.probes(START + i * SECOND + SECOND / 2));
        }
        assertTrue(path.probes(START + 4 * SECOND));
        assertFalse(path.isWide());
        path.answered();
        assertTrue(path.isWide());
    }

    @Test
    void shouldProbeAPathInsideAHostOnlyAfterARefusal() {
        Path path = new Path(true);
        assertTrue(path.isWide());
        assertFalse(path.probes(START));
        path.refused();
        assertFalse(path.isWide());
        assertTrue(path.probes(START));
    }
}
