package io.rankwire.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostTest {
    @Test
    void shouldReadWhatItWrote() {
        assertEquals("150000 40000 120 30 30 100000", Cost.NEAR.text());
        assertEquals(Cost.NEAR, Cost.parse(Cost.NEAR.text()));
        assertEquals(Cost.CROWDED, Cost.parse(Cost.CROWDED.text()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "150000", "150000 40000 150 80 50", "150000 40000 150 80 50 ", "150000 40000 150 80 50 100000 ",
        " 150000 40000 150 80 50 100000", "150000  40000 150 80 50 100000", "150000 40000 150 80 50 100000 7",
        "150000 40000 150 80 50 100000\n", "150000 40000 150 80 50 1e5", "150000 40000 150 80 50 -100000",
        "150000 40000 0.15 80 50 100000", "NaN 40000 150 80 50 100000", "99999999999999999999 40000 150 80 50 100000",
        "150000 40000 150 80 50 ١٠٠٠٠٠"
    })
    void shouldRefuseWhatIsDamaged(String text) {
        assertNull(Cost.parse(text), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "9999 40000 150 80 50 100000", "150000 0 150 80 50 100000", "150000 40000 1 80 50 100000",
        "150000 40000 150 1000001 50 100000", "150000 40000 150 80 1 100000", "150000 40000 150 80 50 50000000001"
    })
    void shouldRefuseWhatNoMachineIsLike(String text) {
        assertNull(Cost.parse(text), text);
    }

    @Test
    void shouldBecomePlausible() {
        Cost odd = new Cost(1, -5, -0.1, 1e9, 0, 1e12);
        assertNull(Cost.parse(odd.text()));
        assertNotNull(Cost.parse(odd.plausible().text()));
        assertEquals(Cost.NEAR, Cost.NEAR.plausible());
    }

    @Test
    void shouldDeriveCrowdedCostsAsTheEstimatesDiffer() {
        assertEquals(Cost.CROWDED.text(), Cost.NEAR.crowded().text());
        Cost slow = new Cost(300, 80, 0.3, 0.16, 0.1, 200);
        assertEquals(2 * Cost.CROWDED.roundNs(), slow.crowded().roundNs(), 1);
    }

    @Test
    void shouldTellTimesInThreeDigits() {
        assertEquals("0.05 ns", Cost.time(0.05));
        assertEquals("9.99 ns", Cost.time(9.99));
        assertEquals("10.0 ns", Cost.time(9.996));
        assertEquals("100 ns", Cost.time(99.96));
        assertEquals("1.00 µs", Cost.time(999.9));
        assertEquals("1.53 µs", Cost.time(1530));
        assertEquals("4000 ms", Cost.time(4e9));
    }

    /** Any text gives either nothing, or costs that are written as the same text. */
    @Test
    void shouldNeverFailOnRandomText() {
        long seed = 20261017;
        Random random = new Random(seed);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(Cost.NEAR.text());
            for (int n = random.nextInt(4); n > 0; n--) {
                text.setCharAt(random.nextInt(text.length()), "0123456789 -.x\u0000é".charAt(random.nextInt(16)));
            }
            text.setLength(text.length() - random.nextInt(10) / 9 * random.nextInt(text.length()));
            Cost cost = Cost.parse(text.toString());
            if (cost != null) {
                read++;
                assertEquals(cost, Cost.parse(cost.text()), "seed " + seed + ", turn " + i + ": " + text);
            }
        }
        assertTrue(read > 1000, "read " + read);
    }
}
