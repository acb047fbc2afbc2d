package io.rankwire.device.flow;

import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;

/** The reliable ports of all ranks of a bad fabric, and its virtual time. */
public final class FlowRanks {
    public final LossyNet net;
    private final FlowPort[] ports;

    public FlowRanks(Rand rand, int ranks, int maxPayload, FlowConfig config) {
        net = new LossyNet(rand, ranks, maxPayload);
        ports = new FlowPort[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            ports[rank] = new FlowPort(net.open(rank), config, 1, 0);
        }
    }

    public FlowPort port(int rank) {
        return ports[rank];
    }

    /** Lets time pass, but not beyond what can happen next, and tells it to a rank; a peer that is lost is thrown. */
    public void pass(int rank, long most) {
        long next = net.nextArrival();
        for (FlowPort port : ports) {
            next = Math.min(next, port.nextDeadline());
        }
        net.now = Math.clamp(next, net.now, net.now + most);
        PeerLost lost = ports[rank].advance(net.now);
        if (lost != null) {
            throw lost;
        }
        ports[rank].checkInvariants();
    }

    /** Whether no frame is under way. */
    public boolean isQuiet() {
        int underWay = 0;
        for (FlowPort port : ports) {
            underWay += port.underWay();
        }
        return underWay == 0 && net.nextArrival() == Long.MAX_VALUE;
    }
}
