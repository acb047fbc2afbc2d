package io.rankwire.sim.match;

import io.rankwire.wire.MatchWord;

/**
 * Match rate against queue depth: in each queue stand {@code depth} receives that nothing meets; behind them bursts of
 * receives are posted and then met, so that every message passes all of them.
 */
public final class MatchRate {
    private static final int BURST = 256;
    private static final int BURSTS = 4;
    private static final int IDLE_TAG = 1;
    private static final int BUSY_TAG = 2;

    private MatchRate() {}

    /** Messages matched a second, all queues together. */
    public static double perSecond(MatcherConfig config, int depth, int queues) {
        int headers = (depth + BURST) * queues;
        MatcherUnits units = new MatcherUnits(config.withHeaders(headers), queues);
        for (int i = 0; i < depth * queues; i++) {
            units.submit(0, i % queues, MatcherUnits.POST, MatchWord.exact(0, IDLE_TAG), i);
        }
        long busyPs = 0;
        for (int burst = 0; burst < BURSTS; burst++) {
            burst(units, MatcherUnits.POST, queues);
            long start = units.endPs();
            burst(units, MatcherUnits.ARRIVE, queues);
            busyPs += units.endPs() - start;
        }
        return BURSTS * BURST * 1e12 / busyPs;
    }

    private static void burst(MatcherUnits units, int kind, int queues) {
        long from = units.endPs();
        for (int i = 0; i < BURST; i++) {
            units.submit(from, i % queues, kind, MatchWord.exact(0, BUSY_TAG), i);
        }
    }
}
