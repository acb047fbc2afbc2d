package io.rankwire.lab;

import io.rankwire.device.match.HeaderStore;
import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.SpreadQueue;
import io.rankwire.wire.MatchWord;

/**
 * Nanoseconds for a receive and its message, in one queue and spread by source over as many queues as there are
 * sources. Every source has receives posted in advance, all with one tag (a run for each source), or with tags that go
 * around (a key for each receive); or its messages wait. Run it once for each way, so that the JVM compiles for one:
 * {@code java -cp ... io.rankwire.lab.SpreadRate one|spread}.
 */
public final class SpreadRate {
    private static final int ROUNDS = 9;
    private static final int PAIRS = 4_000_000;

    private SpreadRate() {}

    public static void main(String[] args) {
        boolean spread = args[0].equals("spread");
        System.out.println("sources  depth  tags   posted first  message first  ns a pair, best of " + ROUNDS);
        for (int sources : new int[] {2, 8, 64}) {
            for (int depth : new int[] {1, 16, 1024}) {
                for (int tags : new int[] {1, depth}) {
                    System.out.printf("%7d %6d %5d %14.1f %14.1f%n", sources, depth, tags,
                            best(queue(spread, sources), sources, depth, tags, true),
                            best(queue(spread, sources), sources, depth, tags, false));
                }
            }
        }
    }

    private static MatchQueue queue(boolean spread, int sources) {
        HeaderStore store = new HeaderStore(1 << 17, 1 << 17);
        return !spread ? new MatchQueue(store) : new SpreadQueue(store, store.common(), store.common(),
                new QueueHints(0, 0, QueueHints.By.SOURCE, sources), (handle, entry) -> {});
    }

    private static double best(MatchQueue queue, int sources, int depth, int tags, boolean posted) {
        for (int i = 0; i < depth * sources; i++) {
            give(queue, MatchWord.exact(i % sources, i / sources % tags), i, posted);
        }
        double best = Double.MAX_VALUE;
        int next = depth * sources;
        int mask = Integer.highestOneBit(2 * depth * sources) * 2 - 1;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < PAIRS; i++, next++) {
                long word = MatchWord.exact(next % sources, next / sources % tags);
                give(queue, word, next & mask, posted);
                take(queue, word, posted);
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) PAIRS);
            next %= sources * depth;
        }
        return best;
    }

    private static void give(MatchQueue queue, long word, int handle, boolean posted) {
        int given = posted ? queue.post(word, handle) : queue.append(word, handle, handle);
        if (posted ? given >= 0 : given < 0) {
            throw new IllegalStateException("met nothing that was there: " + given);
        }
    }

    private static void take(MatchQueue queue, long word, boolean posted) {
        int taken = posted ? queue.arrive(word) : queue.post(word, 0);
        if (taken < 0) {
            throw new IllegalStateException("nothing was met");
        }
        if (!posted) {
            queue.release(taken);
        }
    }
}
