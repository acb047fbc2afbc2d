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
    /** By device, made when they are first used; null where no frame ever waits for one. */
    private final Threads[] requesters;
    private final Threads[] responders;
    /** By rank: when it has last sent a frame; empty where each rank has a device. */
    private final long[] lastSent;
    private final Placement placement;
    /** Null where matching takes no time. */
    private final MatcherConfig matcher;
    private final MatcherUnits[] units;
    /** By frame: the ticket of what its search has met. */
    private long[] tickets = new long[0];

    NodeDevices(NodeModel model, DeviceModel device, Placement placement) {
        MatcherConfig matcher = device.match() ? device.matcher() : null;
        this.model = model;
        this.placement = placement;
        this.matcher = matcher == null ? null : matcher.withHeaders(Integer.MAX_VALUE);
        int ranks = placement.ports();
        int devices = model.devices() == 0 ? ranks : placement.nodes() * model.devices();
        outFrom = new long[devices];
        inFrom = new long[devices];
        requesters = device.requesters() == DeviceModel.UNLIMITED ? null : new Threads[devices];
        responders = device.responders() == DeviceModel.UNLIMITED ? null : new Threads[devices];
        lastSent = new long[model.devices() == 0 ? 0 : ranks];
        units = new MatcherUnits[matcher == null ? 0 : devices];
    }

    boolean match() {
        return matcher != null;
    }

    /** The requesters or the responders of a device; null if no frame waits for one. */
    Threads threads(boolean outgoing, int device, Frames frames, DeviceModel of) {
        Threads[] all = outgoing ? requesters : responders;
        if (all == null) {
            return null;
        }
        if (all[device] == null) {
            all[device] = outgoing ? new Threads(frames, of.requesters(), Long.MAX_VALUE)
                    : new Threads(frames, of.responders(), of.limits().bufferBytes() == 0 ? Long.MAX_VALUE
                            : of.limits().bufferBytes());
        }
        return all[device];
    }

    /** Notes that a rank sends a frame; returns when it sent the one before, or -1 where each rank has a device. */
    long lastSent(int rank, long at) {
        if (lastSent.length == 0) {
            return -1;
        }
        long before = lastSent[rank];
        lastSent[rank] = Math.max(before, at);
        return before;
    }

    int node(int device) {
        return model.devices() == 0 ? placement.node(device) : device / model.devices();
    }

    /** The number of devices by which frames may come in for one rank. */
    int ways() {
        return model.devices() == 0 || model.sharing() == Sharing.PINNED ? 1 : model.devices();
    }

    /** Which of them it is for frames from one source. */
    int way(int source) {
        return ways() == 1 ? 0 : source % model.devices();
    }

    /** The device at a rank's node for frames from or to another. */
    int device(int rank, int other) {
        return model.devices() == 0 ? rank : shared(rank, placement.rank(other));
    }

    /** The device that a node's ranks share; {@code source} is a rank in its job, or its way. */
    private int shared(int rank, int source) {
        int count = model.devices();
        int first = placement.node(rank) * count;
        return first + (model.sharing() == Sharing.PINNED ? placement.seat(rank) : source) % count;
    }

    /** The matcher units of one of the devices that serve a rank. */
    MatcherUnits units(int rank, int way) {
        int device = model.devices() == 0 ? rank : shared(rank, way);
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

    /** Takes the ticket that was left with a frame; 0 if there is none. */
    long ticket(int frame) {
        if (frame >= tickets.length) {
            return 0;
        }
        long ticket = tickets[frame];
        tickets[frame] = 0;
        return ticket;
    }
}
