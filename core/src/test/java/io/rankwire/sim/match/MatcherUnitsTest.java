package io.rankwire.sim.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.match.ListMatcher;
import io.rankwire.memory.Rand;
import io.rankwire.sim.match.MatcherConfig.By;
import io.rankwire.wire.MatchWord;
import io.rankwire.wire.WordLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Modelled matcher units: results as two lists give them one by one, times as the rules say. */
@Timeout(300)
final class MatcherUnitsTest {
    private static final long SEEDS = Long.getLong("rankwire.units.seeds", 3_000);
    private static final long SEED = Long.getLong("rankwire.units.seed", 20_261_115);
    private static final int REQUESTS = 150;
    private static final MatcherConfig PLAIN = new MatcherConfig(1, 1, 8, 4, 4, 64, 1, By.SOURCE, 1_000);

    /** Submits to the units and, where they are to agree, to units that are simulated cycle by cycle. */
    private static final class Both {
        final MatcherUnits units;
        final CycleUnits cycles;
        private final long[] ends = new long[1_000];
        private final int[] results = new int[1_000];
        private final long[] cycleEnds = new long[1_000];
        private final int[] cycleResults = new int[1_000];
        private int count;

        Both(MatcherConfig config, int groups) {
            units = new MatcherUnits(config, groups);
            cycles = new CycleUnits(config, groups, (kind, id, result, timePs) -> {
                cycleEnds[id] = timePs;
                cycleResults[id] = result;
            });
        }

        void submit(long now, int group, int kind, long word, int id) {
            ends[count] = units.submit(now, group, kind, word, id);
            results[count] = units.result();
            // Requests are told apart by their number there; a removal names its receive.
            assertTrue(kind != MatcherUnits.REMOVE);
            cycles.submit(now, group, kind, word, id);
            assertEquals(count++, id);
        }

        void compare() {
            cycles.finish();
            for (int id = 0; id < count; id++) {
                assertEquals(cycleResults[id], results[id], "result of request " + id);
                assertEquals(cycleEnds[id], ends[id], "end of request " + id);
            }
        }
    }

    /** A course that is settled at once is that of the cycles, one after another. */
    @Test
    void shouldTakeTheTimeThatTheCyclesTake() {
        long conflicts = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Rand rand = new Rand(seed);
            int matchers = rand.between(1, 12);
            MatcherConfig config = new MatcherConfig(matchers, rand.between(1, matchers), rand.between(1, 80),
                    rand.below(6), rand.below(6), 2 * REQUESTS, 1, By.SOURCE, 1_000);
            int groups = rand.between(1, 3);
            int wild = new int[] {0, 5, 40}[rand.below(3)];
            int gap = new int[] {0, 1_000, 3_000, 30_000}[rand.below(4)];
            int tags = rand.between(1, 6);
            Both both = new Both(config, groups);
            long now = 0;
            for (int id = 0; id < REQUESTS; id++) {
                now += gap == 0 ? rand.chance(1, 50) ? 100_000 : 0 : rand.below(gap);
                if (rand.chance(1, 2)) {
                    both.submit(now, rand.below(groups), MatcherUnits.ARRIVE,
                            MatchWord.exact(rand.below(3), rand.below(tags)), id);
                } else {
                    both.submit(now, rand.below(groups), MatcherUnits.POST,
                            MatchWord.of(rand.below(100) < wild ? MatchWord.ANY : rand.below(3),
                                    rand.below(100) < wild ? MatchWord.ANY : rand.below(tags)), id);
                }
            }
            try {
                both.compare();
            } catch (AssertionError failure) {
                throw new AssertionError("-Drankwire.units.seed=" + seed + ": " + config + ": " + failure, failure);
            }
            conflicts += both.cycles.conflicts();
        }
        assertTrue(conflicts > SEEDS, conflicts + " conflicts");
    }

    @Test
    void shouldMatchLikeTwoListsWhateverTheUnits() {
        long merges = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Rand rand = new Rand(seed);
            int matchers = rand.between(1, 12);
            MatcherConfig config = new MatcherConfig(matchers, rand.between(1, matchers), rand.between(1, 8),
                    rand.below(6), rand.below(6), 2 * REQUESTS, rand.between(1, 4), By.values()[rand.below(2)], 1_000);
            try {
                episode(rand, config);
                merges += config.parts() > 1 ? 1 : 0;
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("-Drankwire.units.seed=" + seed + ": " + config + ": " + failure, failure);
            }
        }
        assertTrue(merges > SEEDS / 3, merges + " merges");
    }

    private void episode(Rand rand, MatcherConfig config) {
        int groups = rand.between(1, 3);
        int sources = rand.between(1, 4);
        int tags = rand.between(1, 4);
        int wild = new int[] {0, 5, 40}[rand.below(3)];
        int gap = new int[] {0, 3_000, 30_000}[rand.below(3)];
        ListMatcher[] model = new ListMatcher[groups];
        for (int group = 0; group < groups; group++) {
            model[group] = new ListMatcher();
        }
        int[] groupOf = new int[REQUESTS];
        int[] entryOf = new int[REQUESTS];
        Arrays.fill(entryOf, -1);
        long[] words = new long[REQUESTS];
        int[] expected = new int[REQUESTS];
        int[] removed = new int[REQUESTS];
        Arrays.fill(removed, Integer.MIN_VALUE);
        int[] results = new int[REQUESTS];
        Arrays.fill(results, Integer.MIN_VALUE);
        int[] removals = results.clone();
        MatcherUnits units = new MatcherUnits(config, groups);
        long now = 0;
        for (int id = 0; id < REQUESTS; id++) {
            now += gap == 0 ? 0 : rand.below(gap);
            int group = rand.below(groups);
            int what = rand.below(100);
            int victim = rand.below(id + 1);
            expected[id] = Integer.MIN_VALUE;
            if (what < 15 && entryOf[victim] >= 0) {
                boolean was = model[groupOf[victim]].removePosted(entryOf[victim], victim);
                removed[victim] = was ? victim : MatcherUnits.NONE;
                entryOf[victim] = -1;
                units.submit(now, groupOf[victim], MatcherUnits.REMOVE, words[victim], victim);
                removals[victim] = units.result();
            } else if (what < 57) {
                words[id] = MatchWord.exact(rand.below(sources), rand.below(tags));
                int handle = model[group].arrive(words[id]);
                if (handle < 0) {
                    model[group].append(words[id], id, 0);
                }
                expected[id] = handle;
                units.submit(now, group, MatcherUnits.ARRIVE, words[id], id);
                results[id] = units.result();
            } else {
                words[id] = MatchWord.of(rand.below(100) < wild ? MatchWord.ANY : rand.below(sources),
                        rand.below(100) < wild ? MatchWord.ANY : rand.below(tags));
                int found = model[group].post(words[id], id);
                expected[id] = found < 0 ? MatcherUnits.NONE : (int) model[group].description(found);
                if (found < 0) {
                    groupOf[id] = group;
                    entryOf[id] = ~found;
                } else {
                    model[group].release(found);
                }
                units.submit(now, group, MatcherUnits.POST, words[id], id);
                results[id] = units.result();
            }
        }
        for (int id = 0; id < REQUESTS; id++) {
            assertEquals(expected[id], results[id], "result of request " + id);
            assertEquals(removed[id], removals[id], "removal of receive " + id);
        }
        int left = 0;
        for (int group = 0; group < groups; group++) {
            left += model[group].posted() + model[group].unexpected();
        }
        assertEquals(left, units.headers(), "headers");
    }

    private static long word(int tag) {
        return MatchWord.exact(0, tag);
    }

    /** Start, one cycle a header, end: nothing else, when one unit has one request. */
    @Test
    void shouldTakeACycleForEachHeader() {
        MatcherUnits units = new MatcherUnits(PLAIN, 1);
        for (int id = 0; id < 10; id++) {
            units.submit(0, 0, MatcherUnits.POST, word(id), id);
        }
        long posted = units.endPs();
        assertEquals(PLAIN.searchPs(8), units.alone(posted, 0, MatcherUnits.ARRIVE, word(7), 20) - posted);
        long end = units.submit(posted, 0, MatcherUnits.ARRIVE, word(7), 20);
        assertEquals(7, units.result());
        assertEquals(posted + (4 + 8 + 4) * 1_000, end);
        assertEquals(PLAIN.searchPs(8), end - posted);
    }

    @Test
    void shouldWalkOneListSideBySideWhenUnitsShareARequest() {
        MatcherUnits units = new MatcherUnits(PLAIN.withMatchers(4, 4), 1);
        for (int id = 0; id < 32; id++) {
            units.submit(0, 0, MatcherUnits.POST, word(id), id);
        }
        long posted = units.endPs();
        long end = units.submit(posted, 0, MatcherUnits.ARRIVE, word(31), 40);
        assertEquals(posted + (4 + 32 / 4 + 4) * 1_000, end);
    }

    /** Two searches of one list at once: the second ends a cycle after the first, not before, whatever it looks for. */
    @Test
    void shouldNotOvertakeInOneList() {
        MatcherUnits units = new MatcherUnits(PLAIN.withMatchers(2, 1), 1);
        for (int id = 0; id < 16; id++) {
            units.submit(0, 0, MatcherUnits.POST, id == 9 ? word(9) : word(50), id);
        }
        long posted = units.endPs();
        long first = units.submit(posted, 0, MatcherUnits.ARRIVE, word(9), 20);
        assertEquals(9, units.result());
        long second = units.submit(posted, 0, MatcherUnits.ARRIVE, word(9), 21);
        assertEquals(MatcherUnits.NONE, units.result());
        assertEquals(posted + (4 + 10 + 4) * 1_000, first);
        assertEquals(posted + (4 + 1 + 15 + 4) * 1_000, second);
    }

    @Test
    void shouldWaitForABankThatIsRead() {
        long[] ends = new long[2];
        for (int banks = 1; banks <= 2; banks++) {
            MatcherUnits units = new MatcherUnits(new MatcherConfig(2, 1, banks, 4, 4, 64, 1, By.SOURCE, 1_000), 2);
            for (int id = 0; id < 32; id++) {
                units.submit(0, id % 2, MatcherUnits.POST, word(50), id);
            }
            long posted = units.endPs();
            units.submit(posted, 0, MatcherUnits.ARRIVE, word(1), 40);
            units.submit(posted, 1, MatcherUnits.ARRIVE, word(1), 41);
            ends[banks - 1] = units.endPs() - posted;
        }
        assertTrue(ends[0] > ends[1], () -> Arrays.toString(ends));
    }

    @Test
    void shouldShortenSearchesBySeveralQueuesUntilAWildcardComes() {
        long[] took = new long[3];
        for (int run = 0; run < 3; run++) {
            MatcherConfig config = new MatcherConfig(1, 1, 8, 4, 4, 64, run == 0 ? 1 : 8, By.TAG, 1_000);
            MatcherUnits units = new MatcherUnits(config, 1);
            for (int id = 0; id < 64; id++) {
                units.submit(0, 0, MatcherUnits.POST, word(id), id);
            }
            if (run == 2) {
                units.submit(0, 0, MatcherUnits.REMOVE, word(0), 0);
                units.submit(0, 0, MatcherUnits.POST, MatchWord.of(0, MatchWord.ANY), 64);
            }
            long start = units.endPs();
            took[run] = units.submit(start, 0, MatcherUnits.ARRIVE, word(60), 70) - start;
            assertEquals(60, units.result());
        }
        assertTrue(3 * took[1] < took[0] && took[2] >= 60_000, () -> Arrays.toString(took));
    }

    @Test
    void shouldTellWhenTheStoreIsFull() {
        MatcherUnits units = new MatcherUnits(PLAIN.withHeaders(2), 1);
        for (int id = 0; id < 3; id++) {
            units.submit(0, 0, MatcherUnits.ARRIVE, word(id), id);
            assertEquals(id < 2 ? MatcherUnits.NONE : MatcherUnits.FULL, units.result());
        }
    }

    @Test
    void shouldMatchFasterWithMoreUnitsAndSlowerInDeeperQueues() {
        int[] matchers = {1, 4, 16, 64};
        int[] depths = {1, 64, 1_024};
        double[][] rates = new double[depths.length][matchers.length];
        for (int row = 0; row < depths.length; row++) {
            for (int column = 0; column < matchers.length; column++) {
                MatcherConfig config = MatcherConfig.DEFAULT.withMatchers(matchers[column], 1);
                double rate = MatchRate.perSecond(config, depths[row], 1);
                rates[row][column] = rate;
                assertTrue(column == 0 || rate >= rates[row][column - 1], () -> Arrays.deepToString(rates));
                assertTrue(row == 0 || rate < rates[row - 1][column], () -> Arrays.deepToString(rates));
            }
        }
        assertTrue(rates[2][3] > 50 * rates[2][0], "64 units on a deep queue: " + Arrays.deepToString(rates));
        assertEquals(rates[1][2], MatchRate.perSecond(MatcherConfig.DEFAULT.withMatchers(16, 1), 64, 1), "repeatable");
    }

    /** Words that hold the context, in one group, meet what words without it meet in a group for each context. */
    @Test
    void shouldMatchTheSameWithWordsOfOtherWidths() {
        MatcherConfig plain = new MatcherConfig(4, 1, 8, 4, 4, 4 * REQUESTS, 1, By.SOURCE, 1_000);
        for (int contextBits : new int[] {2, 5}) {
            WordLayout words = new WordLayout(3, 15, contextBits);
            int queues = contextBits == 2 ? 1 : 3;
            MatcherConfig packed = new MatcherConfig(4, 1, 8, 4, 4, 4 * REQUESTS, queues, By.TAG, 1_000, words, 0, 0);
            MatcherUnits units = new MatcherUnits(plain, 4);
            MatcherUnits others = new MatcherUnits(packed, 1);
            Rand rand = new Rand(SEED + contextBits);
            int met = 0;
            for (int id = 0; id < 4 * REQUESTS; id++) {
                int context = rand.below(4);
                int tag = rand.chance(1, 2) ? rand.below(3) : 32_767 - rand.below(3);
                long word = MatchWord.exact(rand.below(7), tag);
                boolean post = rand.chance(1, 2);
                word = post && rand.chance(1, 4) ? MatchWord.anySource(word) : word;
                word = post && rand.chance(1, 4)
                        ? MatchWord.of(MatchWord.source(word), MatchWord.ANY) | word & MatchWord.ANY_SOURCE_BIT : word;
                int kind = post ? MatcherUnits.POST : MatcherUnits.ARRIVE;
                units.submit(id * 10_000_000L, context, kind, word, id);
                others.submit(id * 10_000_000L, 0, kind, words.pack(word, context), id);
                assertEquals(units.result(), others.result(), "request " + id + ", seed " + SEED);
                met += units.result() >= 0 ? 1 : 0;
            }
            assertTrue(met > REQUESTS / 2, met + " met");
        }
    }
}
