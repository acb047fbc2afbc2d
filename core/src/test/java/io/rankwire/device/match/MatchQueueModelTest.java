package io.rankwire.device.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two queues on one small store against two pairs of lists, step by step; the same with queues that are spread. */
final class MatchQueueModelTest {
    private static final long OPERATIONS = Long.getLong("rankwire.match.operations", 1_600_000);
    private static final long SEED = Long.getLong("rankwire.match.seed", 20_261_115);
    private static final int QUEUES = 2;
    private static final int RECENT = 64;

    /** A posted receive as the test knows it: the handle is the same on both sides, the entries are not. */
    private static final class Live {
        final int queue;
        final long word;
        final int handle;
        int entry;
        int modelEntry;
        int place;

        Live(int queue, long word, int handle, int entry, int modelEntry) {
            this.queue = queue;
            this.word = word;
            this.handle = handle;
            this.entry = entry;
            this.modelEntry = modelEntry;
        }
    }

    private final Rand rand = new Rand(SEED);
    private final HeaderStore store = new HeaderStore(4, 1_000);
    private final MatchQueue[] queues = new MatchQueue[QUEUES];
    private final ListMatcher[] models = new ListMatcher[QUEUES];
    /** What matches at present: the queue, or the list that has taken it over. */
    private final Matching[] real = new Matching[QUEUES];

    private final Map<Integer, Live> byHandle = new HashMap<>();
    private final List<Live> live = new ArrayList<>();
    private final Live[] dead = new Live[RECENT];
    private final long[] recentWord = new long[RECENT];
    private final long[] recentId = new long[RECENT];
    private int handles;
    private long messages;
    private long step;
    private int full;
    private int takeovers;
    private int runs;
    private int deepest;
    private int gaps;
    private int cancelledAfterSpill;
    private int together;

    private int sources;
    private int tags;
    private int depth;
    private int wildPart;
    private int postPart;
    /** Receives and messages of one word only, but for a few in a thousand; or 0. */
    private long oneWord;

    @Test
    void shouldMatchLikeTwoListsOnRandomOperations() {
        for (int q = 0; q < QUEUES; q++) {
            queues[q] = new MatchQueue(store);
        }
        operate(OPERATIONS);
        if (OPERATIONS >= 1_000_000) {
            assertTrue(full > 0, "the store never overflowed");
            assertTrue(takeovers > 10, "software never took over");
            assertTrue(runs > 1_000, "no runs");
            assertTrue(deepest > 200, "runs were never deep: " + deepest);
            assertTrue(gaps > 100, "no gap in a run was ever met");
            assertTrue(cancelledAfterSpill > 20, "no receive was cancelled after its run had been spilled");
            assertTrue(together > 1_000, "messages never arrived together");
        }
    }

    /** Wildcards come at any moment: some find a message in one of the parts, others make the parts one. */
    @Test
    void shouldMatchLikeTwoListsWhenSpreadOverSeveralQueues() {
        SpreadQueue[] spread = new SpreadQueue[QUEUES];
        for (int q = 0; q < QUEUES; q++) {
            QueueHints hints = new QueueHints(0, 0, q == 0 ? QueueHints.By.SOURCE : QueueHints.By.TAG, 3 + q);
            spread[q] = new SpreadQueue(store, store.common(), store.common(), hints, this::moved);
            queues[q] = spread[q];
        }
        operate(OPERATIONS / 4);
        if (OPERATIONS >= 1_000_000) {
            assertTrue(full > 0 && takeovers > 10 && together > 1_000, "parts of the test were not reached");
            assertTrue(spread[0].merges() > 20 && spread[1].merges() > 20,
                    () -> "merged only " + spread[0].merges() + " and " + spread[1].merges() + " times");
        }
    }

    private void moved(int handle, int entry) {
        byHandle.get(handle).entry = entry;
    }

    private void operate(long operations) {
        for (int q = 0; q < QUEUES; q++) {
            models[q] = new ListMatcher();
            real[q] = queues[q];
        }
        long phaseEnd = 0;
        try {
            for (step = 0; step < operations; step++) {
                if (step >= phaseEnd) {
                    phaseEnd = step + newPhase();
                }
                operate(rand.below(QUEUES));
                if ((step & 8191) == 0) {
                    compareAll();
                }
            }
            compareAll();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + SEED + ", step " + step + ": " + failure.getMessage(), failure);
        }
    }

    private int newPhase() {
        int[] widths = {1, 2, 5, 40, 1_000_000};
        sources = widths[rand.below(widths.length)];
        tags = widths[rand.below(widths.length)];
        depth = new int[] {2, 8, 8, 60, 60, 60, 300, 300, 300, 2_000}[rand.below(10)];
        wildPart = new int[] {0, 5, 50, 95}[rand.below(4)];
        postPart = new int[] {20, 45, 50, 55, 80}[rand.below(5)];
        oneWord = rand.chance(1, 3) ? randomWord() : 0;
        return rand.between(500, 12_000);
    }

    private void operate(int q) {
        int kind = rand.below(100);
        if (kind < 78) {
            message(q);
        } else if (kind < 84) {
            arriveTogether(q);
        } else if (kind < 88) {
            cancelLive();
        } else if (kind < 90) {
            cancelDead();
        } else if (kind < 94) {
            probe(q, false);
        } else if (kind < 97) {
            probe(q, true);
        } else if (kind < 99) {
            cancelSend(q);
        } else if (rand.chance(1, 20)) {
            move(q);
        }
    }

    /** A post or an arrival; a queue that is too deep on one side gets the operation that drains it. */
    private void message(int q) {
        int receives = models[q].posted();
        int waiting = models[q].unexpected();
        if (Math.max(receives, waiting) <= depth) {
            if (rand.below(100) < postPart) {
                post(q, randomWord());
            } else {
                arrive(q, exactWord());
            }
        } else if (receives > waiting) {
            arrive(q, aPostedWord(q));
        } else {
            post(q, rand.chance(1, 2) ? MatchWord.WILD_MASK : randomWord());
        }
    }

    /** A word that meets some posted receive: a random one among a million would not. */
    private long aPostedWord(int q) {
        Live some = live.get(rand.below(live.size()));
        for (int tries = 0; some.queue != q && tries < 8; tries++) {
            some = live.get(rand.below(live.size()));
        }
        return some.queue != q ? exactWord() : meeting(some.word);
    }

    /** The word of a message that meets a receive of this word. */
    private long meeting(long word) {
        int source = (word & MatchWord.ANY_SOURCE_BIT) != 0 ? rand.below(sources) : MatchWord.source(word);
        int tag = (word & MatchWord.ANY_TAG_BIT) != 0 ? rand.below(tags) : MatchWord.tag(word);
        return MatchWord.exact(source, tag);
    }

    private long exactWord() {
        if (oneWord != 0 && rand.chance(498, 500)) {
            return meeting(oneWord);
        }
        return rand.chance(1, 10) ? recent() : MatchWord.exact(rand.below(sources), rand.below(tags));
    }

    private long recent() {
        long word = recentWord[rand.below(RECENT)];
        return word == 0 ? MatchWord.exact(0, 0) : word;
    }

    private long randomWord() {
        if (oneWord != 0 && rand.chance(499, 500)) {
            return oneWord;
        }
        long word = exactWord();
        if (rand.below(100) >= wildPart) {
            return word;
        }
        int shape = rand.below(9);
        return shape < 4 ? MatchWord.anyTag(word) : shape < 8 ? MatchWord.anySource(word) : MatchWord.WILD_MASK;
    }

    private void post(int q, long word) {
        int handle = handles++ & Integer.MAX_VALUE;
        int entry = real[q].post(word, handle);
        if (entry == Matching.FULL) {
            assertEquals(Matching.NONE, models[q].search(word), "full, yet a message was waiting");
            overflow();
            return;
        }
        int expected = models[q].post(word, handle);
        assertEquals(expected >= 0, entry >= 0, "post found a message");
        if (entry >= 0) {
            compareTaken(q, entry, expected);
        } else {
            Live added = new Live(q, word, handle, ~entry, ~expected);
            added.place = live.size();
            live.add(added);
            byHandle.put(handle, added);
            if (real[q] == queues[q] && queues[q].inTable() == 0) {
                runs++;
                deepest = Math.max(deepest, queues[q].posted());
            }
        }
    }

    private void arrive(int q, long word) {
        int foretold = real[q].earliestPosted(word);
        int handle = real[q].arrive(word);
        assertEquals(models[q].arrive(word), handle, "handle met");
        assertEquals(handle, foretold, "handle of the earliest receive");
        if (handle >= 0) {
            forget(byHandle.get(handle));
            return;
        }
        long id = ++messages;
        if (real[q].append(word, ~id, id) == Matching.FULL) {
            overflow();
            return;
        }
        models[q].append(word, ~id, id);
        int slot = (int) (id % RECENT);
        recentWord[slot] = word;
        recentId[slot] = id;
    }

    /** Messages that meet receives named beforehand, up to the first gap, or fewer. */
    private void arriveTogether(int q) {
        long word = exactWord();
        int ready = real[q].ready(word);
        int most = rand.between(0, ready);
        int met = 0;
        while (met < most) {
            int handle = real[q].ready(met);
            if (handle < 0) {
                gaps++;
                break;
            }
            assertEquals(models[q].arrive(word), handle, "handle that was ready");
            forget(byHandle.get(handle));
            met++;
        }
        real[q].meetReady(met);
        together += met;
    }

    private void overflow() {
        assertEquals(store.limit(), store.inUse(), "full, with headers left");
        full++;
        store.limit(store.limit() + 1);
    }

    private void forget(Live gone) {
        Live last = live.removeLast();
        if (last != gone) {
            live.set(gone.place, last);
            last.place = gone.place;
        }
        byHandle.remove(gone.handle);
        dead[rand.below(RECENT)] = gone;
    }

    private void compareTaken(int q, int entry, int expected) {
        assertEquals(models[q].payload(expected), real[q].payload(entry), "message taken");
        assertEquals(models[q].description(expected), real[q].description(entry));
        assertEquals(models[q].word(expected), real[q].word(entry));
        models[q].release(expected);
        real[q].release(entry);
    }

    private void cancelLive() {
        if (!live.isEmpty()) {
            Live some = live.get(rand.below(live.size()));
            if (real[some.queue] == queues[some.queue] && Run.isPlace(some.entry)) {
                cancelledAfterSpill += queues[some.queue].inTable() > 0 ? 1 : 0;
            }
            assertTrue(real[some.queue].removePosted(some.entry, some.handle), "cancel came too late");
            assertTrue(models[some.queue].removePosted(some.modelEntry, some.handle));
            forget(some);
        }
    }

    private void cancelDead() {
        Live some = dead[rand.below(RECENT)];
        if (some != null) {
            assertTrue(!real[some.queue].removePosted(some.entry, some.handle), "cancelled what was gone");
        }
        if (!live.isEmpty()) {
            Live other = live.get(rand.below(live.size()));
            int wrong = (other.queue + 1) % QUEUES;
            if (real[wrong] instanceof MatchQueue && real[other.queue] instanceof MatchQueue) {
                assertTrue(!real[wrong].removePosted(other.entry, other.handle), "cancelled in another queue");
            }
        }
    }

    private void probe(int q, boolean take) {
        long word = randomWord();
        int entry = real[q].search(word);
        int expected = models[q].search(word);
        assertEquals(expected >= 0, entry >= 0, "probe found a message");
        if (entry >= 0) {
            assertEquals(models[q].payload(expected), real[q].payload(entry), "message probed");
            if (take) {
                real[q].take(entry);
                models[q].take(expected);
                compareTaken(q, entry, expected);
            }
        }
    }

    private void cancelSend(int q) {
        int slot = rand.below(RECENT);
        if (recentWord[slot] == 0) {
            return;
        }
        int entry = find(real[q], recentWord[slot], recentId[slot]);
        int expected = find(models[q], recentWord[slot], recentId[slot]);
        assertEquals(expected >= 0, entry >= 0, "found the message of a send");
        if (entry >= 0) {
            real[q].take(entry);
            models[q].take(expected);
            compareTaken(q, entry, expected);
        }
    }

    private static int find(Matching queue, long word, long payload) {
        int entry = queue.firstUnexpected();
        while (entry >= 0 && (queue.word(entry) != word || queue.payload(entry) != payload)) {
            entry = queue.nextUnexpected(entry);
        }
        return entry;
    }

    /** Software takes the queue over, or hands it back. */
    private void move(int q) {
        takeovers++;
        if (real[q] instanceof ListMatcher list) {
            if (list.handBack(queues[q], this::moved)) {
                real[q] = queues[q];
                assertEquals(0, list.posted() + list.unexpected());
            } else {
                overflowOnHandBack(list);
            }
        } else {
            ListMatcher list = new ListMatcher();
            queues[q].dumpTo(list, this::moved);
            assertEquals(0, queues[q].posted() + queues[q].unexpected());
            real[q] = list;
        }
    }

    private void overflowOnHandBack(ListMatcher list) {
        int needed = store.inUse() + list.posted() + list.unexpected();
        assertTrue(needed > store.limit(), "handed back nothing, with headers left");
        store.limit(needed);
    }

    private void compareAll() {
        store.checkInvariants();
        int held = 0;
        for (int q = 0; q < QUEUES; q++) {
            queues[q].checkInvariants();
            if (models[q].posted() * models[q].unexpected() < 10_000) {
                models[q].checkInvariants();
            }
            assertEquals(models[q].posted(), real[q].posted(), "posted");
            assertEquals(models[q].unexpected(), real[q].unexpected(), "unexpected");
            assertEquals(handles(models[q]), handles(real[q]), "posted handles in order");
            Set<Long> wordsSeen = new HashSet<>();
            Set<Long> wordsExpected = new HashSet<>();
            real[q].forEachWord(wordsSeen::add);
            models[q].forEachWord(wordsExpected::add);
            assertEquals(wordsExpected, wordsSeen, "posted words");
            assertEquals(messages(models[q]), messages(real[q]), "messages in order");
            held += queues[q].posted() + queues[q].unexpected();
        }
        assertEquals(held, store.inUse(), "headers in use");
    }

    private static List<Integer> handles(Matching queue) {
        List<Integer> handles = new ArrayList<>();
        queue.forEachPosted(handles::add);
        return handles;
    }

    private static List<Long> messages(Matching queue) {
        List<Long> messages = new ArrayList<>();
        for (int e = queue.firstUnexpected(); e >= 0; e = queue.nextUnexpected(e)) {
            messages.add(queue.payload(e));
        }
        return messages;
    }
}
