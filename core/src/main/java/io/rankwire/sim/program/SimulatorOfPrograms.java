package io.rankwire.sim.program;

import io.rankwire.launch.Patience;
import io.rankwire.launch.Simulator;
import io.rankwire.launch.ThreadRanks;
import java.util.Map;

/** The simulator as programs start it that run ranks inside themselves. */
public final class SimulatorOfPrograms implements Simulator {
    /** Made by {@link Simulator#find}. */
    public SimulatorOfPrograms() {}

    private static Settings settings(Machine machine) {
        Settings settings = Settings.DEFAULT;
        for (Map.Entry<String, String> each : machine.settings().entrySet()) {
            settings = settings.with(each.getKey(), each.getValue());
        }
        return settings;
    }

    private static Adversity adversity(Machine machine, Settings settings) {
        return machine.faults() == null ? null : new Adversity(machine.faults(), null, settings, machine.ranks());
    }

    @Override
    public void check(Machine machine) {
        Settings settings = settings(machine);
        settings.topologyFor(machine.ranks());
        adversity(machine, settings);
    }

    @Override
    public Outcome run(Machine machine, ThreadRanks.Body body, Patience patience) {
        Settings settings = settings(machine);
        SimulatedRanks ranks = SimulatedRanks.run(
                settings, machine.ranks(), adversity(machine, settings), body, patience);
        return new Outcome(ranks.timePs(), ranks.hash());
    }
}
