package io.rankwire.sim.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation;
import io.rankwire.device.agree.Agreed;
import io.rankwire.device.agree.Agreements;
import io.rankwire.device.agree.Outbox;
import io.rankwire.device.agree.Vote;
import io.rankwire.memory.Rand;
import java.util.Arrays;
import java.util.BitSet;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * How long agree takes on many ranks, in message times: the state machines without devices, where a rank needs a sixth
 * of a message time for each frame that it sends or takes in, and a frame is on its way for the rest.
 */
final class AgreementTimeTest {
    private static final int RANKS = 1 << 16;
    private static final int LOG = 16;
    private static final boolean ALL = Boolean.getBoolean("rankwire.sim.agree.times");
    private static final int FAILURES = 100;
    private static final int BURSTS = 5;
    private static final long OVERHEAD = 100;
    private static final long LATENCY = 400;
    private static final long MESSAGE = 2 * OVERHEAD + LATENCY;

    private record Event(long time, long order, int rank, int from, int kind, long header, long[] words)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event event) {
            int byTime = Long.compare(time, event.time);
            return byTime != 0 ? byTime : Long.compare(order, event.order);
        }
    }

    /** What happens instead of a frame, in the place of its sender. */
    private static final int BEGIN = -1;
    private static final int DEATH = -2;

    private final Rand rand = new Rand(1);
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Agreements[] machines = new Agreements[RANKS];
    private final Agreed[] calls = new Agreed[RANKS];
    private final long[] free = new long[RANKS];
    private final int[] victims = new int[FAILURES];
    private final BitSet doomed = new BitSet();
    private long order;
    private int busy;
    private long cursor;
    private long last;

    private void add(long time, int rank, int from, int kind, long header, long[] words) {
        events.add(new Event(time, order++, rank, from, kind, header, words));
    }

    private void make(boolean neighbours) {
        int[] ranks = new int[RANKS];
        Arrays.setAll(ranks, i -> i);
        for (int i = 0; i < FAILURES; i++) {
            int victim = neighbours ? i : rand.below(RANKS);
            while (doomed.get(victim)) {
                victim = rand.below(RANKS);
            }
            doomed.set(victim);
            victims[i] = victim;
        }
        Outbox out = new Outbox() {
            @Override
            public void send(int to, int kind, long header, long[] words, int count) {
                cursor += OVERHEAD;
                add(cursor + LATENCY, to, busy, kind, header, Arrays.copyOf(words, count));
            }

            @Override
            public Operation operation(int context) {
                return null;
            }
        };
        for (int rank = 0; rank < RANKS; rank++) {
            machines[rank] = new Agreements(out);
            machines[rank].join(0, 0, ranks, rank);
        }
    }

    /** The time when the last rank that lives has decided, in message times. */
    private double run(BitSet dead, long[] diesAt) {
        for (Event event = events.poll(); event != null; event = events.poll()) {
            int rank = event.rank;
            if (dead.get(rank) || event.time >= diesAt[rank]) {
                continue;
            }
            busy = rank;
            cursor = Math.max(event.time, free[rank]) + (event.from == BEGIN ? 0 : OVERHEAD);
            boolean before = calls[rank] != null && calls[rank].value() != null;
            if (event.from == BEGIN) {
                calls[rank] = machines[rank].begin(0, 0, new long[Vote.WORDS]);
            } else if (event.from == DEATH) {
                for (int i = event.kind; i < FAILURES; i += BURSTS) {
                    if (victims[i] != rank) {
                        machines[rank].lose(victims[i]);
                    }
                }
            } else {
                machines[rank].frame(event.kind, event.from, event.header, event.words);
            }
            free[rank] = cursor;
            if (!before && calls[rank].value() != null) {
                last = Math.max(last, cursor);
            }
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertEquals(!dead.get(rank) && diesAt[rank] == Long.MAX_VALUE, calls[rank] != null
                    && calls[rank].value() != null && diesAt[rank] == Long.MAX_VALUE, "rank " + rank);
        }
        return (double) last / MESSAGE;
    }

    private static double known(boolean neighbours) {
        AgreementTimeTest world = new AgreementTimeTest();
        world.make(neighbours);
        for (int rank = 0; rank < RANKS; rank++) {
            for (int i = 0; i < FAILURES && !world.doomed.get(rank); i++) {
                world.machines[rank].lose(world.victims[i]);
            }
            if (!world.doomed.get(rank)) {
                world.add(0, rank, BEGIN, 0, 0, null);
            }
        }
        long[] never = new long[RANKS];
        Arrays.fill(never, Long.MAX_VALUE);
        return world.run(world.doomed, never);
    }

    private static double none() {
        AgreementTimeTest world = new AgreementTimeTest();
        world.make(false);
        for (int rank = 0; rank < RANKS; rank++) {
            world.add(0, rank, BEGIN, 0, 0, null);
        }
        long[] never = new long[RANKS];
        Arrays.fill(never, Long.MAX_VALUE);
        return world.run(new BitSet(), never);
    }

    /** The ranks die in bursts while the call goes on; each other one learns of it up to four message times later. */
    private static double during(boolean neighbours) {
        AgreementTimeTest world = new AgreementTimeTest();
        world.make(neighbours);
        long[] diesAt = new long[RANKS];
        Arrays.fill(diesAt, Long.MAX_VALUE);
        for (int rank = 0; rank < RANKS; rank++) {
            world.add(0, rank, BEGIN, 0, 0, null);
        }
        for (int burst = 0; burst < BURSTS; burst++) {
            long at = (2 + 4 * burst) * MESSAGE;
            for (int i = burst; i < FAILURES; i += BURSTS) {
                diesAt[world.victims[i]] = at;
            }
            for (int rank = 0; rank < RANKS; rank++) {
                world.add(at + world.rand.below((int) (4 * MESSAGE)), rank, DEATH, burst, 0, null);
            }
        }
        return world.run(new BitSet(), diesAt);
    }

    @Test
    void shouldTakeAFewTimesTheDepthOfATree(TestReporter reporter) {
        double during = during(false);
        reporter.publishEntry("message times", "100 deaths meanwhile " + during);
        assertTrue(during <= 4 * LOG, () -> "message times: " + during);
        if (ALL) {
            double none = none();
            double known = known(false);
            double neighbours = known(true);
            double roots = during(true);
            reporter.publishEntry("message times", "no deaths " + none + ", 100 known deaths " + known
                    + ", the first 100 ranks known to be dead " + neighbours + ", these die meanwhile " + roots);
            assertTrue(none <= 4 * LOG && known <= 4 * LOG && neighbours <= 4 * LOG && roots <= 6 * LOG,
                    () -> none + ", " + known + ", " + neighbours + ", " + roots);
        }
    }
}
