package io.rankwire.lab;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.Matching;
import io.rankwire.memory.Rand;
import io.rankwire.wire.MatchWord;

/**
 * The matching load of {@link MatchBench} and {@link MatchRate}. A pair is one post and one arrival that match,
 * including insertion and removal. Pair i has its own key (one permutation of 31-bit numbers gives its source, another
 * its tag), so it matches nothing but its partner, in every shape.
 */
public final class MatchLoad {
    /** The wildcards of the receives. */
    public enum Shape {
        EXACT,
        ANY_SOURCE,
        ANY_TAG,
        /** One third each of the other shapes. */
        MIXED
    }

    /** The order of posts and arrivals while the queue is {@code depth} deep. */
    public enum Order {
        /** The receive is posted, then its message arrives; the others stay. */
        POSTED,
        /**
         * A receive is posted, then the message of the one posted {@code depth} pairs ago arrives: its memory is
         * never in the cache.
         */
        POSTED_AGED,
        /** The message arrives and waits, then its receive is posted; the others stay. */
        UNEXPECTED,
        /** A message arrives and waits, then the receive of the one that arrived {@code depth} pairs ago is posted. */
        UNEXPECTED_AGED
    }

    private static final int HANDLES = (1 << 30) - 1;

    /** The number of pairs that are prepared and run at a time: their words stay in the first-level cache. */
    static final int PAIRS = 512;

    private final long[] receives = new long[PAIRS];
    private final long[] messages = new long[PAIRS];
    private final int[] firsts = new int[PAIRS];
    private final int[] seconds = new int[PAIRS];
    private final Shape shape;
    private final Order order;
    private final int depth;
    private final HeaderStore store;
    private final MatchQueue queue;
    private final boolean postedFirst;
    private int next;

    MatchLoad(Shape shape, Order order, int depth) {
        this.shape = shape;
        this.order = order;
        this.depth = depth;
        postedFirst = order.ordinal() < Order.UNEXPECTED.ordinal();
        store = new HeaderStore(Math.max(16, depth + 1), Math.max(16, depth + 1));
        queue = new MatchQueue(store);
        fill();
    }

    /** Fills the queue in random order: the aged loads then always access headers in that order, not in sequence. */
    private void fill() {
        int[] pairs = new int[depth];
        Rand rand = new Rand(depth);
        for (int i = 0; i < depth; i++) {
            int j = rand.below(i + 1);
            pairs[i] = pairs[j];
            pairs[j] = i;
        }
        for (int pair : pairs) {
            if (postedFirst) {
                queue.post(posted(pair), pair);
            } else {
                queue.append(message(pair), pair, pair);
            }
        }
        next = depth;
    }

    private static int scatter(int i, int multiplier) {
        int x = i & MatchWord.MAX_TAG;
        x = (x ^ x >>> 15) * multiplier & MatchWord.MAX_TAG;
        x = (x ^ x >>> 13) * 0x2C1B3C6D & MatchWord.MAX_TAG;
        return x ^ x >>> 16;
    }

    private static long message(int pair) {
        return (long) scatter(pair, 0x297A2D39) + 1 << 31 & MatchWord.SOURCE_MASK | scatter(pair, 0x5D588B65);
    }

    private long posted(int pair) {
        long word = message(pair);
        return switch (shape) {
            case EXACT -> word;
            case ANY_SOURCE -> MatchWord.anySource(word);
            case ANY_TAG -> MatchWord.anyTag(word);
            case MIXED -> mixed(pair, word);
        };
    }

    private static long mixed(int pair, long word) {
        int third = (int) ((word >>> 8 & 0xFFFF) * 3 >>> 16);
        return third == 0 ? word : third == 1 ? MatchWord.anySource(word) : MatchWord.anyTag(word);
    }

    /** Computes the words of the next pairs, so that the timed part is matching alone. */
    void prepare() {
        int age = order == Order.POSTED || order == Order.UNEXPECTED ? 0 : depth;
        for (int i = 0; i < PAIRS; i++) {
            int fresh = next + i & HANDLES;
            int aged = next + i - age & HANDLES;
            firsts[i] = fresh;
            seconds[i] = aged;
            receives[i] = posted(postedFirst ? fresh : aged);
            messages[i] = message(postedFirst ? aged : fresh);
        }
        next = next + PAIRS & HANDLES;
    }

    /** Runs the prepared pairs; throws if one matched a wrong partner. */
    void run() {
        int met = postedFirst ? postedFirst() : unexpectedFirst();
        if (met != PAIRS) {
            throw new IllegalStateException(PAIRS - met + " pairs met a stranger");
        }
    }

    private int postedFirst() {
        int met = 0;
        for (int i = 0; i < PAIRS; i++) {
            queue.post(receives[i], firsts[i]);
            met += queue.arrive(messages[i]) == seconds[i] ? 1 : 0;
        }
        return met;
    }

    private int unexpectedFirst() {
        int met = 0;
        for (int i = 0; i < PAIRS; i++) {
            if (queue.arrive(messages[i]) == Matching.NONE) {
                queue.append(messages[i], firsts[i], 0);
            }
            int entry = queue.post(receives[i], seconds[i]);
            met += queue.description(entry) == seconds[i] ? 1 : 0;
            queue.release(entry);
        }
        return met;
    }
}
