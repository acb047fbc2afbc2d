package io.rankwire.device;

import io.rankwire.device.transfer.RemoteEngine;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.TriggeredWork;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Whole messages that the network sends by itself, when the counter of a work program has come to a value. The credit
 * for each is taken before, because the receiver must have room whenever it comes.
 */
public final class NetworkSends {
    private final Port port;
    private final Peers peers;
    private final Credit credit;
    private final List<PeerLost> lost;
    private final RemoteEngine memory;

    NetworkSends(Port port, Peers peers, Credit credit, List<PeerLost> lost, RemoteEngine memory) {
        this.memory = memory;
        this.lost = lost;
        this.port = port;
        this.peers = peers;
        this.credit = credit;
    }

    public TriggeredWork work() {
        return port.triggeredWork();
    }

    /** The allocation of this rank that holds all of these bytes, or null. */
    public Shared find(MemorySegment memory, long offset, long bytes) {
        return port.memory().find(memory, offset, bytes);
    }

    /** Why the network cannot send frames to a rank whenever it likes; null if it can. */
    public String unreachable(int rank) {
        if (rank == peers.self()) {
            return "sends to its own rank";
        }
        String obstacle = work().obstacle(rank);
        return obstacle == null ? null : "has a peer that the network does not reach: " + obstacle;
    }

    /** Why messages of this size cannot be sent by the network whenever it likes; null if they can. */
    public String obstacle(int rank, long bytes) {
        String obstacle = unreachable(rank);
        if (obstacle != null) {
            return obstacle;
        }
        int most = peers.get(rank).eagerBytes;
        return bytes <= most ? null : "sends " + bytes + " bytes, where a message of up to " + most + " goes whole";
    }

    /** Takes credit for a message; false if there is none, or if the message would pass others that wait. */
    public boolean reserve(int rank, long bytes) {
        Peer peer = peers.get(rank);
        long units = credit.units(bytes);
        if (peer.firstPending != null || peer.isLost() || !peer.hasCredit(units)) {
            return false;
        }
        peer.use(units);
        return true;
    }

    /** Gives credit back: the message was not handed to the network. */
    public void giveBack(int rank, long bytes) {
        peers.get(rank).use(-credit.units(bytes));
    }

    /** Where allocations are kept that the network may read: they must stay. */
    public RemoteEngine memory() {
        return memory;
    }

    /** A message was sent. */
    public void sent(int rank, long bytes) {
        Peer peer = peers.get(rank);
        peer.wholeSent++;
        peer.moreSent += bytes - Peer.USUAL;
    }

    public boolean anyLost() {
        return !lost.isEmpty();
    }

    public boolean isLost(int rank) {
        return peers.get(rank).isLost();
    }
}
