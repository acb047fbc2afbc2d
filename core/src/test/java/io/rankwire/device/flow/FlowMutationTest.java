package io.rankwire.device.flow;

import static io.rankwire.sim.fault.Mutation.call;
import static io.rankwire.sim.fault.Mutation.constant;
import static io.rankwire.sim.fault.Mutation.edge;
import static io.rankwire.sim.fault.Mutation.ignored;
import static io.rankwire.sim.fault.Mutation.returns;
import static io.rankwire.sim.fault.Mutation.taken;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.sim.fault.MutantLoader;
import io.rankwire.sim.fault.Mutation;
import io.rankwire.sim.fault.Mutation.Edit;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the tester: each bug planted into the flow layer is found by the episodes of {@link FlowModelTest}. */
@Execution(ExecutionMode.CONCURRENT)
public final class FlowMutationTest {
    private static final int MOST_SEEDS = 500;
    private static final int STEPS = 400;

    private static Mutation bug(String type, String method, Edit edit, String what) {
        return new Mutation("device.flow." + type, method, edit, what);
    }

    static Stream<Mutation> bugs() {
        return Stream.of(
                bug("FlowPort", "frame", taken(1), "a damaged frame is taken"),
                new Mutation("wire.FlowFrame", "sum", taken(1), "some words are not in the sum"),
                bug("InStreams", "isOver", returns(0), "a stream that is over is taken"),
                bug("InStreams", "data", ignored(7), "a new stream is not asked about"),
                bug("InStreams", "confirmed", ignored(2), "any token fits"),
                bug("InStreams", "take", taken(0), "a repeated frame counts as an early one"),
                bug("InStreams", "take", edge(0), "the wanted frame counts as repeated"),
                bug("InStreams", "take", call("acknowledge", 0), "a repeated frame is not answered"),
                bug("OutStreams", "acknowledged", edge(2), "the wanted frame counts as come"),
                bug("OutStreams", "begin", constant(1, 0, 0), "a number of a stream is given twice"),
                bug("OutStreams", "admits", ignored(3), "a stream ends with frames under way"),
                bug("OutStreams", "refused", constant(0, 60, 0), "a refusal counts as silence"),
                bug("OutStreams", "framesDue", call("repeat", 0), "a lost frame is not repeated"),
                bug("OutStreams", "framesDue", call("tries", 1), "a peer is given up at the first silence"),
                bug("OutStreams", "removeFirst", call("give", 0), "frames are never given back"),
                bug("FlowPort", "meet", ignored(1), "a restart is not seen"),
                bug("FlowPort", "meet", taken(1), "frames from before a restart count as a restart"));
    }

    /** Bugs of what there is with congestion control alone. */
    static Stream<Mutation> bugsOfCongestionControl() {
        return Stream.of(
                bug("PacedStreams", "framesDue", call("probe", 0), "nothing is repeated after silence"),
                bug("PacedStreams", "note", call("lost", 0), "a frame that has come stays a lost one"),
                bug("PacedStreams", "lose", call("set", 0), "a lost frame is not marked"),
                bug("PacedStreams", "sendUnsent", constant(-1, 0, 0), "a frame that waits is forgotten"),
                bug("Arrivals", "load", constant(8, 0, 0), "the first word of a report counts for all"));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void shouldFindThePlantedBug(Mutation bug) throws ReflectiveOperationException {
        find(bug, false);
    }

    @ParameterizedTest
    @MethodSource("bugsOfCongestionControl")
    void shouldFindThePlantedBugWithCongestionControl(Mutation bug) throws ReflectiveOperationException {
        find(bug, true);
    }

    private static void find(Mutation bug, boolean congestionControl) throws ReflectiveOperationException {
        long seed = (long) new MutantLoader(bug).loadClass(FlowMutationTest.class.getName())
                .getMethod("seedThatFails", boolean.class).invoke(null, congestionControl);
        assertTrue(seed > 0, bug + " was not found by " + MOST_SEEDS + " seeds");
    }

    /** The first seed whose episode fails, or 0; called in a class loader of its own, where a bug is planted. */
    public static long seedThatFails(boolean congestionControl) {
        for (long seed = 1; seed <= MOST_SEEDS; seed++) {
            try {
                new FlowEpisode(seed, congestionControl).run(STEPS);
            } catch (AssertionError | RuntimeException found) {
                return seed;
            }
        }
        return 0;
    }
}
