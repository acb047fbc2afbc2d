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
        return machine.faults() == null && machine.kill() == null && !machine.goesOn() ? null
                : new Adversity(machine.faults(), machine.kill(), settings, machine.ranks(),
                        machine.goesOn() ? SimulatedRanks.places(machine.ranks()) : machine.ranks());
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
        Adversity adversity = adversity(machine, settings);
        SimulatedRanks ranks = machine.goesOn()
                ? SimulatedRanks.goOn(settings, machine.ranks(), adversity, body, patience)
                : SimulatedRanks.run(settings, machine.ranks(), adversity, body, patience);
        return new Outcome(ranks.timePs(), ranks.hash(), ranks.outcome());
    }
}
