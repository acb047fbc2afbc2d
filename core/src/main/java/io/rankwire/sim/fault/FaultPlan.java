package io.rankwire.sim.fault;

import io.rankwire.memory.Rand;
import java.util.Arrays;
import java.util.StringJoiner;

/**
 * Which faults a run has, how often and how bad. A seed switches some on and leaves others out: faults that are always
 * all there hide each other's effects.
 */
public final class FaultPlan {
    private static final long US = 1_000_000;
    private static final int MOST_LOSS = 300;
    /** In programs, time from spell to spell in lengths of one. */
    private static final int LEAST_CALM = 4;
    private static final long LONGEST_SPELL_PS = 100_000 * US;

    private final int[] rates = new int[Fault.values().length];
    private final long[] everyPs = new long[Fault.values().length];
    private final long[] lengthPs = new long[Fault.values().length];
    private final boolean lossy;
    private final boolean oneWay;
    private int victim;

    /**
     * @param ranks of which a victim is chosen, if one is killed
     * @param repaired whether something between the fabric and the device repairs losses
     * @param mayKill whether a rank may be killed
     */
    FaultPlan(Rand rand, int ranks, boolean repaired, boolean mayKill) {
        lossy = repaired;
        boolean calm = rand.chance(1, 12);
        for (Fault fault : Fault.values()) {
            boolean on = rand.chance(1, 3);
            int rate = rate(rand);
            long every = between(rand, 10 * US, 100 * US);
            long length = between(rand, US / 4, 40 * US);
            if (!calm && on && (repaired || fault.sort != Fault.Sort.LOSS)) {
                rates[fault.ordinal()] = fault == Fault.DROP || fault == Fault.DUPLICATE
                        ? rate : Math.min(rate, MOST_LOSS / 2);
                everyPs[fault.ordinal()] = every;
                lengthPs[fault.ordinal()] = fault == Fault.THROTTLE ? length / 16 : length;
            }
        }
        oneWay = rand.chance(2, 3);
        victim = rand.below(ranks);
        if (ranks < 3 || !rand.chance(1, 2) || !mayKill) {
            rates[Fault.KILL.ordinal()] = 0;
        }
    }

    /** Nothing goes wrong. */
    private FaultPlan(boolean repaired) {
        lossy = repaired;
        oneWay = false;
    }

    /** Nothing goes wrong but that ranks die. */
    public static FaultPlan none(boolean repaired) {
        return new FaultPlan(repaired);
    }

    /**
     * What goes wrong while a program runs: something that it can go on with. No rank is killed, memory is not refused,
     * and spells leave most of the time to the program.
     *
     * @param repaired as above
     */
    public static FaultPlan ofProgram(long seed, int ranks, boolean repaired) {
        Rand rand = new Rand(seed);
        FaultPlan plan;
        do {
            plan = new FaultPlan(rand, ranks, repaired, false);
            plan.rates[Fault.NO_MEMORY.ordinal()] = 0;
            for (int i = 0; i < plan.everyPs.length; i++) {
                plan.everyPs[i] = Math.max(plan.everyPs[i], LEAST_CALM * plan.lengthPs[i]);
            }
        } while (Arrays.stream(plan.rates).allMatch(rate -> rate == 0));
        return plan;
    }

    /** Has spells come less often and last longer, but not so long that a port would take a peer for dead. */
    void slow(int factor) {
        for (Fault fault : Fault.values()) {
            if (fault.sort == Fault.Sort.SPELL && has(fault)) {
                int i = fault.ordinal();
                lengthPs[i] = Math.min(factor * lengthPs[i], LONGEST_SPELL_PS);
                everyPs[i] = Math.max(factor * everyPs[i], LEAST_CALM * lengthPs[i]);
            }
        }
    }

    /** Has a rank stop for good at that time. */
    void kill(int rank, long atPs) {
        victim = rank;
        rates[Fault.KILL.ordinal()] = 1;
        everyPs[Fault.KILL.ordinal()] = atPs;
    }

    /** Draws a rate in parts of 1,000; small rates are as likely as large ones. */
    private static int rate(Rand rand) {
        return 1 + rand.below(1 + rand.below(MOST_LOSS));
    }

    private static long between(Rand rand, long low, long high) {
        return low + Math.floorMod(rand.nextLong(), high - low);
    }

    public boolean has(Fault fault) {
        return rates[fault.ordinal()] != 0;
    }

    /** How often a fault strikes, in parts of 1,000. */
    int rate(Fault fault) {
        return rates[fault.ordinal()];
    }

    /** Time between two spells, on average; when it happens, if it does so once. */
    long everyPs(Fault fault) {
        return everyPs[fault.ordinal()];
    }

    /** How long it lasts, on average; or what it costs. */
    long lengthPs(Fault fault) {
        return lengthPs[fault.ordinal()];
    }

    /** Whether frames may be lost, doubled, changed or overtaken. */
    boolean lossy() {
        return lossy;
    }

    /** Whether partitions are of one direction. */
    boolean oneWay() {
        return oneWay;
    }

    /** When the victim is killed, if one is. */
    long killPs() {
        return everyPs(Fault.KILL);
    }

    int victim() {
        return victim;
    }

    @Override
    public String toString() {
        String all = describe();
        return "faults  " + (lossy ? "lossy fabric" : "reliable fabric") + (all.isEmpty() ? "" : ", " + all);
    }

    /** The faults there are, with their rates. */
    public String describe() {
        StringJoiner text = new StringJoiner(", ");
        for (Fault fault : Fault.values()) {
            if (has(fault)) {
                text.add(describe(fault));
            }
        }
        return text.toString();
    }

    private String describe(Fault fault) {
        String name = fault.words();
        String length = lengthPs(fault) / 1_000 + " ns";
        return switch (fault) {
            case DROP, CORRUPT, TRUNCATE, FULL, NO_MEMORY -> name + " " + rate(fault) + " of 1000";
            case REORDER, DELAY, DUPLICATE -> name + " " + rate(fault) + " of 1000, " + length + " later";
            case PARTITION -> spell(name + (oneWay ? " one way" : " both ways"), fault);
            case CLOG, PAUSE -> spell(name, fault);
            case THROTTLE -> name + " " + length + " a KiB";
            case SLOW -> name + " " + length + " a turn";
            case KILL -> name + " rank " + victim + " at " + everyPs(fault) / 1_000 + " ns";
        };
    }

    private String spell(String name, Fault fault) {
        return name + " every " + everyPs(fault) / 1_000 + " ns for " + lengthPs(fault) / 1_000 + " ns";
    }
}
