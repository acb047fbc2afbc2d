package io.rankwire.fabric;

import io.rankwire.sim.DeviceModel;
import io.rankwire.sim.Events;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;

/** Simulated ranks, two a node: some frames cross the network, some only their node's memory. */
final class SimFabricTest extends FabricContract {
    private static final int RANKS_PER_NODE = 2;

    private Events events;
    private SimFabric fabric;

    @Override
    Port open(int rank, int ranks) {
        if (fabric == null) {
            Topology topology = Topology.parse("crossbar", (ranks + 1) / RANKS_PER_NODE);
            events = new Events(SimFabric.actors(topology, ranks), 256);
            fabric = new SimFabric(
                    events, topology, LinkModel.DEFAULT, DeviceModel.DEFAULT, ranks, RANKS_PER_NODE);
        }
        return fabric.port(rank);
    }

    @Override
    void pass() {
        while (events.next()) {
            fabric.happen();
        }
    }
}
