package io.rankwire.sim.fault;

import java.util.function.Consumer;

/** Many seeds, one after another. */
public final class Campaign {
    private static final long PS_PER_US = 1_000_000;
    private static final long PS_PER_MS = 1_000_000_000;

    private long trials;
    private long failures;
    private long ended;
    private long events;
    private long timePs;
    private long longestEndPs;
    private long passing;
    private final long[] happened = new long[Fault.values().length];
    private final long[] broken = new long[Breaks.Kind.values().length];
    private final boolean overTcp;

    public Campaign() {
        this(false);
    }

    /**
     * @param overTcp whether the devices are on ports of {@code fabric.tcp}
     */
    public Campaign(boolean overTcp) {
        this.overTcp = overTcp;
    }

    /**
     * Runs seeds; a failure is one line that names the seed and how to see it again.
     *
     * @param count how many; negative for no end
     * @param mostFailures failures after which it stops
     */
    public void run(long firstSeed, long count, int mostFailures, Consumer<String> out) {
        for (long seed = firstSeed; seed != firstSeed + count && failures < mostFailures; seed++) {
            String failure = one(seed);
            if (failure != null) {
                out.accept("seed " + seed + " failed: " + failure + " (rankwire sim replay "
                        + (overTcp ? "--fabric tcp " : "") + seed + ")");
            }
        }
    }

    /** The first failure among {@code count} seeds, or null. */
    public static String firstFailure(long firstSeed, long count, boolean overTcp) {
        String[] found = new String[1];
        new Campaign(overTcp).run(firstSeed, count, 1, line -> found[0] = line);
        return found[0];
    }

    /** Runs a seed; what is wrong, in one line, or null. */
    public String one(long seed) {
        trials++;
        Trial trial = null;
        try {
            trial = new Trial(seed, overTcp);
            trial.run();
            ended += trial.ended() ? 1 : 0;
            longestEndPs = Math.max(longestEndPs, trial.endingPs());
            return null;
        } catch (Violation violation) {
            failures++;
            return violation.getMessage();
        } catch (RuntimeException | AssertionError | StackOverflowError failure) {
            failures++;
            return failure + at(failure);
        } finally {
            if (trial != null) {
                events += trial.eventCount();
                timePs += trial.timePs();
                passing += trial.passing();
                for (Fault fault : Fault.values()) {
                    happened[fault.ordinal()] += trial.happened(fault);
                }
                for (Breaks.Kind kind : Breaks.Kind.values()) {
                    broken[kind.ordinal()] += trial.happened(kind);
                }
            }
        }
    }

    private static String at(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }

    public long trials() {
        return trials;
    }

    public long failures() {
        return failures;
    }

    /** Runs that ended early because a device's policy said so. */
    public long ended() {
        return ended;
    }

    public long happened(Fault fault) {
        return happened[fault.ordinal()];
    }

    public long happened(Breaks.Kind kind) {
        return broken[kind.ordinal()];
    }

    /** Messages that have passed others which their senders had to keep for want of credit. */
    public long passing() {
        return passing;
    }

    public String summary() {
        StringBuilder text = new StringBuilder().append(trials).append(" seeds, ").append(failures)
                .append(" failed, ").append(ended).append(" ended by policy; ").append(events).append(" events, ")
                .append(timePs / PS_PER_MS).append(" ms of virtual time, the longest end took ")
                .append(longestEndPs / PS_PER_US).append(" us; faults:");
        for (Fault fault : Fault.values()) {
            text.append(' ').append(fault.words()).append(' ').append(happened[fault.ordinal()]).append(',');
        }
        for (Breaks.Kind kind : Breaks.Kind.values()) {
            if (overTcp) {
                text.append(' ').append(Breaks.words(kind)).append(' ').append(happened(kind)).append(',');
            }
        }
        text.setLength(text.length() - 1);
        return text.toString();
    }
}
