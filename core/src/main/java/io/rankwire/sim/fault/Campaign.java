package io.rankwire.sim.fault;

import io.rankwire.sim.program.SurvivorTrial;
import java.util.function.Consumer;

/** Many seeds, one after another. */
public final class Campaign {
    private static final long PS_PER_US = 1_000_000;
    private static final long PS_PER_MS = 1_000_000_000;

    /** What a seed runs. */
    public enum Kind {
        /** Devices on a modelled fabric. */
        DEVICE("device"),
        /** Devices on ports of {@code fabric.tcp}. */
        TCP("tcp"),
        /** Agreements without devices. */
        AGREE("none"),
        /** Programs that go on when ranks are killed. */
        PROGRAM("program");

        /** What it is called on command lines. */
        public final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private long trials;
    private long failures;
    private long ended;
    private long events;
    private long timePs;
    private long longestEndPs;
    private long passing;
    private final long[] happened = new long[Fault.values().length];
    private final long[] broken = new long[Breaks.Kind.values().length];
    /** Ranks that died in agreements or programs. */
    private long deaths;
    private final Kind kind;

    public Campaign() {
        this(Kind.DEVICE);
    }

    public Campaign(Kind kind) {
        this.kind = kind;
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
                        + (kind == Kind.DEVICE ? "" : "--fabric " + kind.text + " ") + seed + ")");
            }
        }
    }

    /**
     * The first failure among {@code count} seeds, or null.
     *
     * @param kind the name of a {@link Kind}
     */
    public static String firstFailure(long firstSeed, long count, String kind) {
        String[] found = new String[1];
        new Campaign(Kind.valueOf(kind)).run(firstSeed, count, 1, line -> found[0] = line);
        return found[0];
    }

    /** Runs a seed; what is wrong, in one line, or null. */
    public String one(long seed) {
        trials++;
        Trial trial = null;
        try {
            if (kind == Kind.AGREE) {
                agree(seed);
                return null;
            }
            if (kind == Kind.PROGRAM) {
                program(seed);
                return null;
            }
            trial = new Trial(seed, kind == Kind.TCP);
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
                for (Breaks.Kind way : Breaks.Kind.values()) {
                    broken[way.ordinal()] += trial.happened(way);
                }
            }
        }
    }

    private void agree(long seed) {
        AgreeTrial trial = new AgreeTrial(seed);
        try {
            trial.run();
        } finally {
            events += trial.eventCount();
            deaths += trial.deaths();
        }
    }

    private void program(long seed) {
        SurvivorTrial trial = new SurvivorTrial(seed);
        try {
            trial.run();
        } finally {
            events += trial.eventCount();
            deaths += trial.deaths();
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

    public long happened(Breaks.Kind way) {
        return broken[way.ordinal()];
    }

    /** Ranks that have died in agreements or programs. */
    public long deaths() {
        return deaths;
    }

    /** Messages that have passed others which their senders had to keep for want of credit. */
    public long passing() {
        return passing;
    }

    public String summary() {
        if (kind == Kind.AGREE || kind == Kind.PROGRAM) {
            return trials + " seeds, " + failures + " failed; " + events + " events, " + deaths + " deaths";
        }
        StringBuilder text = new StringBuilder().append(trials).append(" seeds, ").append(failures)
                .append(" failed, ").append(ended).append(" ended by policy; ").append(events).append(" events, ")
                .append(timePs / PS_PER_MS).append(" ms of virtual time, the longest end took ")
                .append(longestEndPs / PS_PER_US).append(" us; faults:");
        for (Fault fault : Fault.values()) {
            text.append(' ').append(fault.words()).append(' ').append(happened[fault.ordinal()]).append(',');
        }
        for (Breaks.Kind way : Breaks.Kind.values()) {
            if (kind == Kind.TCP) {
                text.append(' ').append(Breaks.words(way)).append(' ').append(happened(way)).append(',');
            }
        }
        text.setLength(text.length() - 1);
        return text.toString();
    }
}
