package io.rankwire.sim.program;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.SimPort;
import io.rankwire.sim.fault.Breaks;
import io.rankwire.sim.fault.FaultPlan;
import io.rankwire.sim.fault.Faults;
import io.rankwire.sim.tcp.SimTcp;
import io.rankwire.wire.FlowFrame;
import java.util.List;
import java.util.StringJoiner;

/** What goes wrong on the machine that a program runs on, drawn from a seed; and the layer that repairs it. */
public final class Adversity {
    /** The faults keep some numbers for each pair of ranks. */
    public static final int MOST_RANKS = 1_024;

    /** A message goes in pieces, all of which must find room in the window. */
    private static final int MOST_FRAME = 64 << 10;
    private static final long PS_PER_NS = 1_000;
    private static final long NS_PER_MS = 1_000_000;

    private final String name;
    private final FaultPlan plan;
    /** What goes wrong with connections; null where there are none. */
    private final Breaks breaks;
    private final List<Kill> kills;
    private final long seed;
    private final int places;
    private final boolean repaired;
    private Faults faults;

    /**
     * @param seed which faults, or null for none
     * @param kill null for none; else as {@link Kill#parse} reads it
     * @param settings the seed of which chooses where none is given
     * @param places the ranks, and those that may replace others
     * @throws IllegalArgumentException that says what is wrong with them
     */
    public Adversity(Long seed, String kill, Settings settings, int ranks, int places) {
        if (ranks > MOST_RANKS) {
            throw new IllegalArgumentException("faults are for " + MOST_RANKS + " ranks at most, not " + ranks);
        }
        repaired = seed != null && settings.fabric() == Fabric.DEVICE || settings.fabric() == Fabric.UDP;
        if (repaired && settings.device().maxPayload() > MOST_FRAME) {
            throw new IllegalArgumentException("faults are for frames of " + MOST_FRAME
                    + " B at most (device.frame), not " + settings.device().maxPayload() + " B");
        }
        this.name = seed == null ? "faults" : "faults " + seed;
        this.seed = seed == null ? settings.seed() : seed;
        this.places = places;
        kills = kill == null ? List.of() : Kill.parse(kill, this.seed, ranks, places);
        plan = seed == null ? FaultPlan.none(repaired) : FaultPlan.ofProgram(seed, ranks, repaired);
        breaks = seed == null || repaired ? null : new Breaks(seed ^ 0x2545_F491_4F6C_DD1DL, ranks);
    }

    /** Has a rank die at the first time after this one that is planned for it. */
    void plan(int rank, long afterPs) {
        faults.diesAt(rank, kills.stream().filter(each -> each.rank() == rank && each.atPs() > afterPs)
                .mapToLong(Kill::atPs).min().orElse(Long.MAX_VALUE));
    }

    /** Whether a layer repairs what the fabric does to frames. */
    boolean isRepaired() {
        return repaired;
    }

    /** Whether anything is drawn or planned. */
    boolean isAny() {
        return !drawn().equals(name + ": ");
    }

    List<Kill> kills() {
        return kills;
    }

    /** Has things go wrong on a fabric that has given no port away yet. */
    void on(SimFabric fabric, Events events) {
        faults = new Faults(plan, new Rand(seed ^ 0x6C62_272E_07BB_0142L), events, places);
        for (Kill each : kills) {
            plan(each.rank(), -1);
        }
        faults.on(fabric);
    }

    /** Has things go wrong with connections, too. */
    void on(SimTcp tcp, Events events) {
        if (breaks != null) {
            breaks.on(tcp, events);
        }
        faults.killProcesses();
    }

    Faults faults() {
        return faults;
    }

    /** Frames have room for what the layer adds: the device sees those it sees without, and sends as much whole. */
    static Settings roomier(Settings settings) {
        return settings.with("device.frame", settings.device().maxPayload() + FlowFrame.LEAD + " B");
    }

    /**
     * The port that the rank's device is given. A peer is lost after a tenth of a second of silence, which no fault is
     * as long as; where a device answers only inside calls of its program, after twenty-four seconds.
     */
    static FlowPort repaired(SimPort port, boolean offload) {
        long longest = (offload ? 2 : 400) * NS_PER_MS;
        FlowConfig config = new FlowConfig(
                MOST_RANKS * 2, 64, 256, 50_000, 5_000, longest, 60, 2_000, 10 * longest, Integer.MAX_VALUE - 64);
        FlowPort flow = new FlowPort(port, config, 1, 0);
        flow.clock(() -> port.clockPs() / PS_PER_NS);
        return flow;
    }

    /** All that was drawn, in a line. */
    public String drawn() {
        StringJoiner all = new StringJoiner(", ", name + ": ", "");
        if (!plan.describe().isEmpty()) {
            all.add(plan.describe());
        }
        if (breaks != null) {
            all.add(breaks.describe());
        }
        kills.forEach(each -> all.add(each.toString()));
        return all.toString();
    }

    /** What has happened so far. */
    String happened() {
        String more = breaks == null ? "" : breaks.counts();
        return name + " (" + faults.counts() + (more.isEmpty() ? "" : ", " + more) + ")";
    }
}
