package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.match.NetworkList;
import io.rankwire.device.match.PlantedLists;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.TagMatcher;
import io.rankwire.memory.Rand;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Devices whose network matches, in a network that delays and reorders what it may, against lists. */
@Execution(ExecutionMode.CONCURRENT)
final class NetworkMatchingModelTest {
    private static final int EPISODES = Integer.getInteger("rankwire.tagged.episodes", 150);
    private static final long SEED = Long.getLong("rankwire.tagged.seed", 20_261_118);
    private static final int STEPS = 1_500;
    private static final int PLANTED = 60;

    private long tagged;
    private long races;
    private int cancelledSends;
    private int cancelledReceives;

    @Test
    void shouldMatchLikeListsInNetwork() {
        for (int i = 0; i < EPISODES; i++) {
            run(SEED + i, false, NetworkList::new);
        }
        assertTrue(tagged > EPISODES * 100L && races > EPISODES && cancelledReceives > EPISODES
                && cancelledSends > EPISODES / 4, tagged + " messages with tags, " + races + " races, "
                + cancelledReceives + " receives and " + cancelledSends + " sends cancelled");
    }

    @Test
    void shouldMatchLikeListsWhenProbesAndHintsStopIt() {
        for (int i = 0; i < EPISODES; i++) {
            run(SEED + i, true, NetworkList::new);
        }
        assertTrue(tagged > EPISODES * 10L, tagged + " messages with tags");
    }

    /** A sender began on a channel that was closed; a receive that the network had refused was not tried again. */
    @Test
    void shouldMatchWithSeedsThatFoundBugs() {
        run(20_261_119, true, NetworkList::new);
        run(5_000_495, true, NetworkList::new);
    }

    @Test
    void shouldFindPlantedBugs() {
        for (BiFunction<TagMatcher, NetworkList.Side, NetworkList> planted : PlantedLists.all()) {
            boolean found = false;
            String name = planted.apply(TagMatcher.NONE, null).getClass().getSimpleName();
            for (int i = 0; i < PLANTED && !found; i++) {
                try {
                    run(SEED + i, i % 2 == 1, planted);
                } catch (AssertionError | IllegalStateException expected) {
                    found = true;
                }
            }
            assertTrue(found, name + " was not found");
        }
    }

    private void run(long seed, boolean mayStop, BiFunction<TagMatcher, NetworkList.Side, NetworkList> lists) {
        Rand rand = new Rand(seed);
        int ranks = rand.between(2, 4);
        int places = new int[] {8, 12, 64}[rand.below(3)];
        int window = new int[] {1, 4, 32}[rand.below(3)];
        boolean narrow = rand.chance(1, 4);
        DeviceConfig config = DeviceConfig.DEFAULT.withEagerBytes(new int[] {0, 64, 1024}[rand.below(3)])
                .withUnexpectedBytes(narrow ? 4 << 10 : 1 << 20);
        String drawn = "-Drankwire.tagged.seed=" + seed + ": " + ranks + " ranks, " + places + " places, window "
                + window + ", " + config + ": ";
        TaggedFabric fabric = new TaggedFabric(ranks, new int[] {64, 512}[rand.below(2)], places, window, rand);
        Device[] devices = new Device[ranks];
        int[] contexts = {0, 4097, 1 << 31};
        for (int rank = 0; rank < ranks; rank++) {
            Port port = fabric.open(rank);
            devices[rank] = new Device(config, port);
            devices[rank].network().use(lists.apply(port.tagMatcher(), devices[rank].network()));
            for (int context : contexts) {
                if (rand.chance(2, 3)) {
                    assertTrue(devices[rank].network().match(context, true));
                }
            }
        }
        long[] now = new long[1];
        TaggedEpisode episode = new TaggedEpisode(rand, devices, contexts, 3_000, mayStop, rank -> {
            if (rand.chance(1, 30)) {
                devices[rank].progressAll(now[0] += 1_000);
                devices[rank].rest();
            } else {
                devices[rank].progress(now[0] += 1_000);
            }
            devices[rank].network().checkInvariants();
        });
        try {
            episode.run(STEPS, new int[] {3, 12, 40}[rand.below(3)]);
            episode.finish();
            episode.checkNothingLeft();
            end(devices, contexts, fabric, now);
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(drawn + failure, failure);
        }
        tagged += fabric.tagged();
        races += fabric.races();
        cancelledSends += episode.cancelledSends;
        cancelledReceives += episode.cancelledReceives;
    }

    /** When all contexts are dropped, the network has nothing left. */
    private static void end(Device[] devices, int[] contexts, TaggedFabric fabric, long[] now) {
        for (Device device : devices) {
            for (int context : contexts) {
                device.dropContext(context);
                assertFalse(device.network().isMatched(context));
            }
        }
        for (int round = 0; !fabric.isEmpty(); round++) {
            assertTrue(round < 10_000, "the network does not get empty");
            for (Device device : devices) {
                device.progressAll(now[0] += 1_000);
                device.rest();
            }
        }
    }
}
