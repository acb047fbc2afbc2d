package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.device.DeviceConfig;
import io.rankwire.memory.Rand;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded programs whose handlers post again, against a model that walks the same messages one after another: each rank
 * must have handled the same messages, in several rounds with a fence after each.
 */
@Timeout(300)
final class ActiveMessagesModelTest {
    private static final int ROUNDS = 3;
    private static final int KINDS = 5;
    private static final int[] SIZES = {4, 5, 8, 60, 900, ActiveMessages.MAX_BYTES / 4};

    /** A message as all that follows from it: where it goes next is drawn from its own seed. */
    private record Hop(int to, int kind, int seed, int left, int words) {
        static Hop of(int seed, int left, int ranks) {
            Rand rand = new Rand(seed);
            return new Hop(rand.below(ranks), rand.below(KINDS), seed, left, SIZES[rand.below(SIZES.length)]);
        }

        /** The messages that its handler posts: none to two. */
        Hop[] next(int ranks) {
            Rand rand = new Rand(~seed);
            Hop[] next = new Hop[left == 0 ? 0 : rand.below(3)];
            for (int i = 0; i < next.length; i++) {
                next[i] = of(rand.below(Integer.MAX_VALUE), left - 1, ranks);
            }
            return next;
        }

        int[] payload(int from) {
            int[] payload = new int[words];
            payload[0] = from;
            payload[1] = seed;
            payload[2] = left;
            payload[words - 1] = words == 4 ? seed ^ 7 : words;
            return payload;
        }
    }

    private static Hop first(int seed, int rank, int message, int ranks) {
        Rand rand = new Rand(seed * 1_000_003L + rank * 10_007L + message);
        return Hop.of(rand.below(Integer.MAX_VALUE), rand.below(6), ranks);
    }

    private static int messages(int seed, int rank, int round) {
        return new Rand(seed + 31L * rank + 977L * round).below(60);
    }

    /** What each message adds up to on the rank that handles it: kind, sender and seed. */
    private static void note(Map<String, Integer> seen, Hop hop, int from) {
        seen.merge(hop.kind + " from " + from + " " + hop.seed + " " + hop.left, 1, Integer::sum);
    }

    private static void walk(Hop hop, int from, int ranks, int mine, Map<String, Integer> seen) {
        if (hop.to == mine) {
            note(seen, hop, from);
        }
        for (Hop next : hop.next(ranks)) {
            walk(next, hop.to, ranks, mine, seen);
        }
    }

    private static void program(int seed, World world) {
        Communicator all = world.communicator();
        ActiveMessages active = ActiveMessages.open(all);
        Map<String, Integer> seen = new TreeMap<>();
        Map<String, Integer> expected = new TreeMap<>();
        for (int kind = 0; kind < KINDS; kind++) {
            int mine = kind;
            if (new Rand(seed + kind + all.rank()).chance(1, 3)) {
                all.barrier();
            } else {
                active.post(KINDS, 0, new byte[0]);
                all.barrier();
            }
            active.handle(kind, (source, payload) -> handle(active, all, mine, source, payload, seen));
        }
        active.handle(KINDS, (source, payload) -> { });
        for (int round = 0; round < ROUNDS; round++) {
            for (int rank = 0; rank < all.size(); rank++) {
                for (int i = 0; i < messages(seed, rank, round); i++) {
                    Hop hop = first(seed + round, rank, i, all.size());
                    walk(hop, rank, all.size(), all.rank(), expected);
                    if (rank == all.rank()) {
                        active.post(hop.kind, hop.to, hop.payload(rank));
                    }
                }
            }
            active.fence();
            assertEquals(expected, seen, "seed " + seed + ", rank " + all.rank() + ", round " + round);
            // No rank posts messages of the next round before all have looked.
            all.barrier();
        }
        active.free();
    }

    private static void handle(ActiveMessages active, Communicator all, int kind, int source, ByteBuffer payload,
            Map<String, Integer> seen) {
        int words = payload.remaining() / 4;
        assertEquals(source, payload.getInt());
        Hop hop = new Hop(all.rank(), kind, payload.getInt(), payload.getInt(), words);
        assertEquals(words == 4 ? hop.seed ^ 7 : words, payload.getInt(4 * (words - 1)));
        note(seen, hop, source);
        for (Hop next : hop.next(all.size())) {
            active.post(next.kind, next.to, next.payload(all.rank()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldHandleWhatTheModelHandles(int seed) {
        DeviceConfig config = seed % 2 == 0 ? DeviceConfig.DEFAULT
                : DeviceConfig.DEFAULT.withUnexpectedBytes(16 << 10).withEagerBytes(1 << 10);
        Worlds.run(1 + seed, config, world -> program(seed, world));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8})
    void shouldHandleTheSameInASimulation(int seed) {
        Settings settings = seed % 2 == 0 ? Settings.DEFAULT : Settings.DEFAULT.with("fabric", "tcp");
        DeviceConfig config = seed < 7 ? DeviceConfig.DEFAULT : DeviceConfig.DEFAULT.withUnexpectedBytes(8 << 10);
        SimulatedRanks.run(settings, seed - 3, World.rank(config, world -> program(seed, world)));
    }
}
