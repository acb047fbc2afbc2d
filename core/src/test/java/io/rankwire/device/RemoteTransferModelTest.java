package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.RemoteFabric.Bug;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large messages that the network reads from memory of their senders, by seeds. */
@Timeout(600)
final class RemoteTransferModelTest {
    private static final int SEEDS = Integer.getInteger("rankwire.test.seeds", 40);

    @Test
    void shouldDeliverEachMessageWhateverEnds() {
        long accesses = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            RemoteEpisode episode = new RemoteEpisode(seed, Bug.NONE);
            assertNull(episode.run(), "seed " + seed);
            accesses += episode.accesses();
        }
        assertTrue(accesses > 10L * SEEDS, accesses + " accesses of the network");
    }

    /** Frames of a message that is read say nothing about the reads, so this bug alone shows in messages. */
    @ParameterizedTest
    @EnumSource(value = Bug.class, names = "DONE_EARLY")
    void shouldFindAFabricThatIsWrong(Bug bug) {
        int found = 0;
        for (long seed = 1; seed <= 10; seed++) {
            found += new RemoteEpisode(seed, bug).run() != null ? 1 : 0;
        }
        assertEquals(10, found, "episodes in which the bug shows");
    }
}
