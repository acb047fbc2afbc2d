package io.rankwire.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.rankwire.memory.Rand;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers in any order, with jumps and silence, against a set of all that have come. */
final class ReplaysModelTest {
    /** All numbers that were taken, and the one below which all count as come. */
    private static final class Model {
        final Set<Long> come = new HashSet<>();
        long highest;
        long forgotten;

        boolean isNew(long number) {
            return number > forgotten && number > highest - Replays.WINDOW && !come.contains(number);
        }

        void add(long number) {
            come.add(number);
            highest = Math.max(highest, number);
        }
    }

    @Test
    void shouldTakeEachNumberOnce() {
        for (int seed = 0; seed < 100; seed++) {
            Rand rand = new Rand(seed);
            Replays replays = new Replays();
            Model model = new Model();
            if (rand.below(4) == 0) {
                // Near the last number that there is, and where 32 bits come round.
                long far = rand.below(2) == 0 ? Long.MAX_VALUE - 50_000 : (1L << 32) - rand.below(5_000);
                replays.add(far);
                model.add(far);
            }
            for (int i = 0; i < 3_000; i++) {
                long number = number(rand, model.highest);
                boolean expected = model.isNew(number);
                assertEquals(expected, replays.isNew(number), "seed " + seed + ", step " + i + ", number " + number);
                if (expected) {
                    replays.add(number);
                    model.add(number);
                    assertFalse(replays.isNew(number));
                }
                assertEquals(model.highest, replays.highest());
                if (rand.below(500) == 0) {
                    replays.forget();
                    model.forgotten = model.highest;
                }
            }
        }
    }

    /** Mostly the next one or one shortly before, sometimes one far away; never past the last one. */
    private static long number(Rand rand, long highest) {
        long step = switch (rand.below(12)) {
            case 0 -> rand.below(3 * Replays.WINDOW);
            case 1 -> Replays.WINDOW - 2 + rand.below(4);
            case 2 -> -rand.below(3 * Replays.WINDOW);
            case 3 -> -Replays.WINDOW - 2 + rand.below(4);
            case 4, 5, 6 -> -rand.below(100);
            default -> rand.below(5);
        };
        return step > Long.MAX_VALUE - highest ? Long.MAX_VALUE : Math.max(1, highest + step);
    }

    @Test
    void shouldTakeNothingOldAfterSilence() {
        Replays replays = new Replays();
        replays.add(10);
        replays.forget();
        for (long number = Long.MIN_VALUE / 2; number <= 10; number = number < -1 ? number / 2 : number + 1) {
            assertFalse(replays.isNew(number), "number " + number);
        }
    }
}
