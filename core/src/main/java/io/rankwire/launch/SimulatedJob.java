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

    /**
     * @param places the nodes of the ranks
     * @param ports opens the rank's port in a world; nothing of a world is left when the next one begins
     * @param hardware the modelled hardware of the rank's devices; null where it is not modelled
     * @param cost what messages cost on the modelled network; null where that is not known
     * @param failed receives a failure of the rank, on the rank's thread
     */
    public SimulatedJob(int rank, NodePlaces places, Board board, IntFunction<Port> ports, Hardware hardware,
            VirtualTime time, NetworkCost cost, Consumer<Throwable> failed) {
        super(rank, board, places::node, ports, failed);
        this.places = places;
        this.hardware = hardware;
        this.time = time;
        this.cost = cost;
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
