package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of seeds, each a fabric that is bad in its own way; see {@link FlowEpisode}. */
final class FlowModelTest {
    private static final long SEED = Long.getLong("rankwire.flow.seed", 1);
    private static final int SEEDS = Integer.getInteger("rankwire.flow.seeds", 2_000);
    private static final int STEPS = 400;

    /**
     * Seeds that found something: a circle of ranks without a place for each other, a receiver that never learned of a
     * restart, an answer about an old stream that closed a new one.
     */
    @ParameterizedTest
    @ValueSource(longs = {105, 163, 168, 262, 682})
    void shouldStillPassWhatOnceFailed(long seed) {
        FlowEpisode episode = new FlowEpisode(seed);
        try {
            episode.run(STEPS);
        } catch (AssertionError | RuntimeException failure) {
            throw episode.failure(failure);
        }
    }

    @Test
    void shouldDeliverOnceAndInOrderWhateverTheFabricDoes() {
        long resent = 0;
        long repeated = 0;
        long damaged = 0;
        long refused = 0;
        int restarts = 0;
        int told = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            FlowEpisode episode = new FlowEpisode(seed);
            try {
                episode.run(STEPS);
            } catch (AssertionError | RuntimeException failure) {
                throw episode.failure(failure);
            }
            for (FlowPort port : episode.ports) {
                resent += port.resent();
                repeated += port.repeated();
                damaged += port.damaged();
                refused += port.refused();
            }
            restarts += episode.restarts;
            told += episode.restartsTold;
        }
        String seen = resent + " resent, " + repeated + " repeated, " + damaged + " damaged, " + refused
                + " refused, " + restarts + " restarts, " + told + " told";
        if (SEEDS >= 1_000) {
            assertTrue(resent > SEEDS && repeated > SEEDS && damaged > SEEDS && refused > SEEDS && restarts > SEEDS / 9
                    && told > SEEDS / 9, seen);
        }
    }
}
