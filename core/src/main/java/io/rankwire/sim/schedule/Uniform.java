package io.rankwire.sim.schedule;

import io.rankwire.sim.Events;
import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Runs a pattern where every way between two ranks is alike and never taken: LogGOPS. One event a message.
 *
 * <p>By several threads, each has a part of the ranks and events of its own. No message is shorter under way than L, so
 * they all go as far as L behind the earliest event of any, then hand over what they sent each other. What happens to a
 * rank, and in which order, does not depend on that.
 */
public final class Uniform {
    private final Part[] parts;
    private final int each;
    private final Setting setting;
    private final long latencyPs;
    private volatile Throwable failure;

    private Uniform(Pattern pattern, Setting setting, int threads, Watcher watcher) {
        this.setting = setting;
        latencyPs = setting.costs().latencyPs();
        each = (pattern.ranks() + threads - 1) / threads;
        parts = new Part[(pattern.ranks() + each - 1) / each];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part(pattern, setting, i * each, Math.min(pattern.ranks(), (i + 1) * each), watcher);
        }
    }

    public static Outcome run(Pattern pattern, Setting setting) {
        return run(pattern, setting, 1);
    }

    public static Outcome run(Pattern pattern, Setting setting, int threads) {
        return new Uniform(pattern, setting, threads, null).run();
    }

    static Outcome run(Pattern pattern, Setting setting, Watcher watcher) {
        return new Uniform(pattern, setting, 1, watcher).run();
    }

    private Outcome run() {
        if (parts.length == 1) {
            parts[0].alone();
        } else {
            together();
        }
        long end = 0;
        long events = 0;
        long hash = 0;
        for (Part part : parts) {
            if (part.ranks.running != 0) {
                throw new IllegalStateException("nothing is left to happen, and " + part.ranks.stuck());
            }
            end = Math.max(end, part.ranks.lastEnd);
            events += part.events.count();
            hash = part.ranks.hash(hash);
        }
        return new Outcome(end, events, hash);
    }

    private void together() {
        CyclicBarrier meeting = new CyclicBarrier(parts.length);
        Thread[] threads = new Thread[parts.length];
        for (int i = 0; i < parts.length; i++) {
            Part part = parts[i];
            threads[i] = new Thread(() -> {
                try {
                    part.inWindows(meeting);
                } catch (BrokenBarrierException | InterruptedException e) {
                    // Another has failed.
                } catch (Throwable e) {
                    failure = e;
                    leave(meeting);
                }
            }, "ranks " + part.from + " to " + (part.to - 1));
            threads[i].start();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new IllegalStateException("simulated ranks failed", failure);
        }
    }

    /** Breaks the meeting for good: whoever comes does not wait. */
    private static void leave(CyclicBarrier meeting) {
        try {
            Thread.currentThread().interrupt();
            meeting.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            // As meant.
        }
    }

    /** Some of the ranks, and the messages that they get. */
    private final class Part implements Carrier {
        final int from;
        final int to;
        final Events events;
        final Ranks ranks;
        /** What goes to other parts, in lines of {@link #WORDS}. */
        private final long[][] out;
        private final int[] outUsed;
        private long nextTime;
        private long touched;

        private static final int WORDS = 5;
        private static final int AHEAD = 32;

        Part(Pattern pattern, Setting setting, int from, int to, Watcher watcher) {
            this.from = from;
            this.to = to;
            events = new Events(pattern.ranks(), to - from + 64);
            ranks = new Ranks(pattern, setting, events, from, to, 0, watcher);
            out = new long[parts.length][parts.length == 1 ? 0 : 1 << 10];
            outUsed = new int[parts.length];
        }

        void alone() {
            ranks.start(this);
            lookAhead();
            while (events.next()) {
                ranks.happen();
                lookAhead();
            }
        }

        /** Reads what the next events will read, all at once: each is of another rank. */
        private void lookAhead() {
            int count = events.foresee(AHEAD);
            long read = 0;
            for (int i = 0; i < count; i++) {
                events.about(i);
                read += ranks.touch();
            }
            touched += read;
        }

        void inWindows(CyclicBarrier meeting) throws InterruptedException, BrokenBarrierException {
            ranks.start(this);
            hand(meeting);
            while (true) {
                nextTime = events.nextTime();
                meeting.await();
                long earliest = Long.MAX_VALUE;
                for (Part part : parts) {
                    earliest = part.nextTime < 0 ? earliest : Math.min(earliest, part.nextTime);
                }
                if (earliest == Long.MAX_VALUE) {
                    return;
                }
                long end = earliest + latencyPs;
                for (long time = nextTime; time >= 0 && time < end; time = events.nextTime()) {
                    lookAhead();
                    events.next();
                    ranks.happen();
                }
                hand(meeting);
            }
        }

        /** What was sent to each other while all were on their own. */
        private void hand(CyclicBarrier meeting) throws InterruptedException, BrokenBarrierException {
            meeting.await();
            for (Part part : parts) {
                take(part);
            }
            meeting.await();
            Arrays.fill(outUsed, 0);
        }

        private void take(Part other) {
            int here = from / each;
            long[] lines = other.out[here];
            for (int i = 0; i < other.outUsed[here]; i += WORDS) {
                events.add(lines[i], (int) lines[i + 1], (int) (lines[i + 1] >>> 32), (int) lines[i + 2], lines[i + 3],
                        lines[i + 4]);
            }
        }

        @Override
        public void carry(long at, int sender, int receiver, int kind, long bytes, long first, long second) {
            long arrives = at + latencyPs + setting.streamPs(bytes);
            if (receiver >= from && receiver < to) {
                events.add(arrives, receiver, sender, kind, first, second);
                return;
            }
            int part = receiver / each;
            int used = outUsed[part];
            if (used + WORDS > out[part].length) {
                out[part] = Arrays.copyOf(out[part], 2 * out[part].length);
            }
            long[] lines = out[part];
            lines[used] = arrives;
            lines[used + 1] = (long) sender << 32 | receiver;
            lines[used + 2] = kind;
            lines[used + 3] = first;
            lines[used + 4] = second;
            outUsed[part] = used + WORDS;
        }
    }
}
