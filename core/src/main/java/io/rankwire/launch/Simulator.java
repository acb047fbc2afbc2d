package io.rankwire.launch;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs ranks on a simulated machine, for programs that ask for it. The simulator imports everything and nothing
 * imports it, so it is found by its name; no program that does not ask for it loads any of it.
 */
public interface Simulator {
    /** The class that implements this, in the same jar. */
    String NAME = "io.rankwire.sim.program.SimulatorOfPrograms";

    /**
     * A machine.
     *
     * @param ranks how many
     * @param settings keys and values of a model file
     * @param faults the seed of what goes wrong; null for nothing
     * @param kill the ranks that are killed, and when; null for none
     * @param goesOn whether other ranks go on when one fails
     */
    record Machine(int ranks, Map<String, String> settings, Long faults, String kill, boolean goesOn) {
        public Machine with(String key, String value) {
            Map<String, String> all = new LinkedHashMap<>(settings);
            all.put(key, value);
            return new Machine(ranks, all, faults, kill, goesOn);
        }

        public Machine withFaults(long seed) {
            return new Machine(ranks, settings, seed, kill, goesOn);
        }

        public Machine withKill(String which) {
            return new Machine(ranks, settings, faults, which, goesOn);
        }

        public Machine goingOn() {
            return new Machine(ranks, settings, faults, kill, true);
        }
    }

    /**
     * What is known of a run when it has ended.
     *
     * @param timePs the virtual time
     * @param hash of all that has happened
     * @param ranks what came of them
     */
    record Outcome(long timePs, long hash, ThreadRanks.Outcome ranks) {}

    /**
     * Checks that a machine can be simulated.
     *
     * @throws IllegalArgumentException with what is wrong with it
     */
    void check(Machine machine);

    /**
     * Runs ranks.
     *
     * @throws ThreadRanks.Failed with the first failure; a deadlock is one too
     */
    Outcome run(Machine machine, ThreadRanks.Body body, Patience patience);

    /** The simulator of this library. */
    static Simulator find() {
        try {
            return (Simulator) Class.forName(NAME).getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the simulator is missing in this copy of Rankwire: " + e, e);
        }
    }
}
