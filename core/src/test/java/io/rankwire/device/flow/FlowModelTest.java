package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand seeds, each a fabric that is bad in its own way; see {@link FlowEpisode}. */
@Execution(ExecutionMode.CONCURRENT)
final class FlowModelTest {
    private static final long SEED = Long.getLong("rankwire.flow.seed", 1);
    private static final int SEEDS = Integer.getInteger("rankwire.flow.seeds", 1_000);
    private static final int STEPS = 400;

    /**
     * Seeds that found something: a circle of ranks without a place for each other, a receiver that never learned of a
     * restart, an answer about an old stream that closed a new one.
     */
    @ParameterizedTest
    @ValueSource(longs = {105, 163, 168, 262, 682})
    void shouldStillPassWhatOnceFailed(long seed) {
        run(seed, false);
    }

    private static FlowEpisode run(long seed, boolean congestionControl) {
        FlowEpisode episode = new FlowEpisode(seed, congestionControl);
        try {
            episode.run(STEPS);
        } catch (AssertionError | RuntimeException failure) {
            throw episode.failure(failure);
        }
        return episode;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDeliverOnceAndInOrderWhateverTheFabricDoes(boolean congestionControl) {
        long resent = 0;
        long repeated = 0;
        long damaged = 0;
        long refused = 0;
        int restarts = 0;
        int told = 0;
        int seeds = congestionControl ? SEEDS / 8 : SEEDS;
        for (long seed = SEED; seed < SEED + seeds; seed++) {
            FlowEpisode episode = run(seed, congestionControl);
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
        if (seeds >= 250) {
            assertTrue(resent > seeds && repeated > seeds && damaged > seeds && refused > seeds && restarts > seeds / 9
                    && told > seeds / 9, seen);
        }
    }
}
