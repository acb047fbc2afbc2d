package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static Rounds of(double... floors) {
        Rounds rounds = new Rounds(2);
        for (double floor : floors) {
            rounds.add(floor);
        }
        return rounds;
    }

    @Test
    void shouldKeepAllWhenTheFloorIsSteady() {
        Rounds rounds = of(110, 150, 106, 190, 60);
        assertEquals(Set.of(), rounds.apart());
        assertEquals(110, rounds.lineNs());
        assertEquals("Line hand-off before each round, ns: 110.0 150.0 106.0 190.0 60.0", rounds.describe());
    }

    @Test
    void shouldBeStricterWhenAsked() {
        Rounds rounds = new Rounds(1.5);
        for (double floor : new double[] {100, 110, 170, 60, 105}) {
            rounds.add(floor);
        }
        assertEquals(Set.of(3, 4), rounds.leftOut());
        assertEquals(Set.of(3, 4), rounds.first(5).apart());
        assertTrue(rounds.describe().contains("by more than a factor of 1.5"), rounds.describe());
    }

    @Test
    void shouldLeaveOutRoundsOfAnotherMachine() {
        Rounds rounds = of(110, 25, 120, 300, 114);
        assertEquals(Set.of(2, 4), rounds.leftOut());
        assertEquals(114, rounds.lineNs());
        assertTrue(rounds.describe().contains(" 110.0 25.0* 120.0 300.0* 114.0; *"), rounds.describe());
        assertTrue(rounds.describe().endsWith("left out of all that follows"), rounds.describe());
        assertEquals(Set.of(1), of(25, 110, 120).leftOut());
    }

    @Test
    void shouldMarkButKeepThemWhenTooFewOthersRemain() {
        Rounds two = of(25, 120);
        assertEquals(Set.of(1), two.apart());
        assertEquals(Set.of(), two.leftOut());
        assertTrue(two.describe().endsWith("kept, since too few others remain"), two.describe());
        assertEquals(Set.of(1, 2, 4, 5), of(10, 20, 100, 300, 900).apart());
        assertEquals(Set.of(), of(10, 20, 100, 300, 900).leftOut());
        assertEquals(Set.of(), of(120).apart());
        assertTrue(Double.isNaN(of().lineNs()));
    }
}
