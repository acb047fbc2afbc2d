package io.rankwire.launch;

import io.rankwire.device.Hardware;
import io.rankwire.fabric.Port;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A rank of a simulation: its thread runs only when the simulation lets it, and its clock is the simulation's. */
public final class SimulatedJob extends ThreadJob {
    private final Hardware hardware;
    private final VirtualTime time;
    private final NetworkCost cost;
    private final NodePlaces places;
    /** Null where the job ends with the first rank that fails. */
    private final Survival survival;

    /** What a rank needs besides in a job that goes on when ranks fail. */
    public interface Survival {
        /** Waits until there is something to join for a rank that is none of the world at the start. */
        void awaitPart();

        /** Returns what the rank uses to ask for ranks that replace dead ones. */
        Replacements replacements();

        /**
         * The rank ends in the middle of its program, and nothing of it runs any more. Does not return.
         *
         * @param how null if it has ended well
         */
        void stop(Aborted how);
    }

    /**
     * @param places the nodes of the ranks
     * @param ports opens the rank's port in a world; nothing of a world is left when the next one begins
     * @param hardware the modelled hardware of the rank's devices; null where it is not modelled
     * @param cost what messages cost on the modelled network; null where that is not known
     * @param failed receives a failure of the rank, on the rank's thread
     * @param survival null where the job ends with the first rank that fails
     */
    public SimulatedJob(int rank, NodePlaces places, Board board, IntFunction<Port> ports, Hardware hardware,
            VirtualTime time, NetworkCost cost, Consumer<Throwable> failed, Survival survival) {
        super(rank, board, places::node, ports, failed);
        this.places = places;
        this.hardware = hardware;
        this.time = time;
        this.cost = cost;
        this.survival = survival;
    }

    /** The program calls {@link System#exit}: the rank ends alone, and at once, if the others go on without it. */
    void exits(int status) {
        if (survival == null) {
            return;
        }
        boolean isWell = status == 0 && !board().stillOpen(rank());
        if (isWell) {
            runEndings();
            board().left(rank());
        }
        end(status, isWell);
    }

    /** The program calls {@link Runtime#halt}. */
    void halts(int status) {
        end(status, false);
    }

    private void end(int status, boolean isWell) {
        if (survival != null) {
            survival.stop(isWell ? null : new Aborted("it exited with status " + status
                    + (status == 0 ? " but never closed its World" : ""), Math.max(1, status)));
        }
    }

    @Override
    public Replacements.Part awaitPart() {
        if (rank() < worldSize()) {
            return null;
        }
        survival.awaitPart();
        return super.awaitPart();
    }

    @Override
    public Replacements replacements() {
        return survival == null ? null : survival.replacements();
    }

    /** Threads that a rank starts belong to no rank: a rank that ends its main method has ended. */
    @Override
    boolean hasOtherThreads() {
        return false;
    }

    @Override
    public VirtualTime virtualTime() {
        return time;
    }

    @Override
    public int[] coordinates(int worldRank) {
        return places.coordinates(worldRank);
    }

    @Override
    public int hops(int from, int to) {
        return places.hops(from, to);
    }

    @Override
    public NetworkCost networkCost() {
        return cost;
    }

    @Override
    Hardware hardware() {
        return hardware;
    }
}
