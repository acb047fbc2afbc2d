package io.rankwire.sim;

import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.sim.match.MatcherUnits;
import java.util.Arrays;

/**
 * The modelled devices of all nodes: whom each serves, and until when its threads and units are taken. What goes from
 * one rank to another always takes the same device at either end, so it stays in order.
 */
final class NodeDevices {
    final NodeModel model;
    /** By device: when the next frame can be begun by a requester, and by a responder. */
    final long[] outFrom;
    final long[] inFrom;
    private final int ranksPerNode;
    /** Null where matching takes no time. */
    private final MatcherConfig matcher;
    private final MatcherUnits[] units;
    /** By frame: what a search has met that is not over. */
    private long[] tickets = new long[0];

    NodeDevices(NodeModel model, MatcherConfig matcher, int ranks, int ranksPerNode) {
        this.model = model;
        this.ranksPerNode = ranksPerNode;
        this.matcher = matcher == null ? null : matcher.withHeaders(Integer.MAX_VALUE);
        int nodes = (ranks + ranksPerNode - 1) / ranksPerNode;
        int devices = model.devices() == 0 ? ranks : nodes * model.devices();
        outFrom = new long[devices];
        inFrom = new long[devices];
        units = new MatcherUnits[matcher == null ? 0 : devices];
    }

    boolean match() {
        return matcher != null;
    }

    /** By how many devices frames may come in for one rank. */
    int ways() {
        return model.devices() == 0 || model.sharing() == Sharing.PINNED ? 1 : model.devices();
    }

    /** Which of them it is for frames from one source. */
    int way(int source) {
        return ways() == 1 ? 0 : source % model.devices();
    }

    /** The device at a rank's node for frames from or to another. */
    int device(int rank, int other) {
        int count = model.devices();
        if (count == 0) {
            return rank;
        }
        int first = rank / ranksPerNode * count;
        return first + (model.sharing() == Sharing.PINNED ? rank % ranksPerNode : other) % count;
    }

    /** The matcher units of one of the devices that serve a rank. */
    MatcherUnits units(int rank, int way) {
        int device = device(rank, way);
        if (units[device] == null) {
            units[device] = new MatcherUnits(matcher, 0, model.claimPs());
        }
        return units[device];
    }

    void ticket(int frame, long ticket) {
        if (frame >= tickets.length) {
            tickets = Arrays.copyOf(tickets, Math.max(256, 2 * frame));
        }
        tickets[frame] = ticket;
    }

    /** What was left with a frame, once. */
    long ticket(int frame) {
        if (frame >= tickets.length) {
            return 0;
        }
        long ticket = tickets[frame];
        tickets[frame] = 0;
        return ticket;
    }
}
