package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of the tester: each bug planted into the flow layer is found by the episodes of {@link FlowModelTest}. */
final class FlowMutationTest {
    private static final int MOST_SEEDS = 500;
    private static final int STEPS = 400;

    enum Bug {
        BELIEVES_DAMAGED_FRAMES(() -> new FlowRules() {
            @Override
            boolean isIntact(int sum, int found) {
                return true;
            }
        }),
        SUMS_HALF(() -> new FlowRules() {
            @Override
            boolean isIntact(int sum, int found) {
                return (sum & 3) == (found & 3);
            }
        }),
        TAKES_STREAMS_THAT_ARE_OVER(() -> new FlowRules() {
            @Override
            boolean isOver(long stream, long current) {
                return false;
            }
        }),
        BELIEVES_STREAMS_WITHOUT_A_QUESTION(() -> new FlowRules() {
            @Override
            boolean mayBelieve() {
                return true;
            }
        }),
        TAKES_ANY_TOKEN(() -> new FlowRules() {
            @Override
            boolean fits(int token, int asked) {
                return true;
            }
        }),
        TAKES_REPEATED_FRAMES_FOR_EARLY_ONES(() -> new FlowRules() {
            @Override
            boolean isRepeated(int sequence, int wanted) {
                return sequence < wanted - 1;
            }
        }),
        ACKNOWLEDGES_TOO_MUCH(() -> new FlowRules() {
            @Override
            int acknowledged(int wanted) {
                return wanted + 1;
            }
        }),
        FORGETS_THE_FRAME_WANTED(() -> new FlowRules() {
            @Override
            boolean isAcknowledged(int sequence, int wanted) {
                return sequence <= wanted && wanted > 0;
            }
        }),
        LEAVES_REPEATED_FRAMES_UNANSWERED(() -> new FlowRules() {
            @Override
            boolean answersRepeated() {
                return false;
            }
        }),
        GIVES_A_STREAM_TWICE(() -> new FlowRules() {
            @Override
            int nextStream(int last) {
                return 1;
            }
        }),
        MOVES_ON_TOO_EARLY(() -> new FlowRules() {
            @Override
            boolean mayMoveOn(int underWay) {
                return underWay <= 1;
            }
        }),
        TAKES_A_REFUSAL_FOR_SILENCE(() -> new FlowRules() {
            @Override
            int triesAfterRefusal(int tries) {
                return tries + 20;
            }
        }),
        DOES_NOT_SEE_A_RESTART(() -> new FlowRules() {
            @Override
            boolean hasRestarted(int incarnation, int known) {
                return false;
            }
        }),
        SEES_RESTARTS_BACKWARDS(() -> new FlowRules() {
            @Override
            boolean hasRestarted(int incarnation, int known) {
                return incarnation != known;
            }
        }),
        REPEATS_ONCE_ONLY(() -> new FlowRules() {
            @Override
            boolean repeats(int tries) {
                return tries < 2;
            }
        }),
        NEVER_GIVES_FRAMES_BACK(() -> new FlowRules() {
            @Override
            boolean releasesWhenAcknowledged() {
                return false;
            }
        }),
        GIVES_UP_TOO_EARLY(() -> new FlowRules() {
            @Override
            boolean isDead(int tries, int most) {
                return tries > 3;
            }
        });

        private final Supplier<FlowRules> rules;

        Bug(Supplier<FlowRules> rules) {
            this.rules = rules;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFindThePlantedBug(Bug bug) {
        assertTrue(seedThatFinds(bug) > 0, bug + " was not found by " + MOST_SEEDS + " seeds");
    }

    static long seedThatFinds(Bug bug) {
        for (long seed = 1; seed <= MOST_SEEDS; seed++) {
            try {
                new FlowEpisode(seed, bug.rules.get()).run(STEPS);
            } catch (AssertionError | RuntimeException found) {
                return seed;
            }
        }
        return 0;
    }
}
