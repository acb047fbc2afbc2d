package io.rankwire.sim;

import io.rankwire.device.Device;
import io.rankwire.device.Foresight;
import io.rankwire.memory.Words;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Network;
import io.rankwire.sim.net.Topology;
import io.rankwire.sim.net.TreeModel;
import io.rankwire.wire.Frame;
import java.util.HashMap;
import java.util.Map;

/**
 * Devices and the network between them, in virtual time. A frame that a device commits waits for a requester, is copied
 * out of host memory, crosses the network as one packet, waits for a responder, is copied in, waits until the matcher
 * units know which receive it is for, and then lies in the {@link SimPort} of the rank it is for. Frames of one sender
 * stay in order all the way. Ranks of one node reach each other by its memory, without the network.
 *
 * <p>Actors of the events are the vertices of the topology and, behind them, the ranks.
 */
public final class SimFabric {
    /** Decides which frames that are ready are not handed over yet. */
    public interface Gate {
        /** True if the frame is kept back, until the gate calls {@link SimFabric#deliver}. */
        boolean keeps(int frame, int from, int to, int meta, long header);

        /** A device has sent a frame. */
        void sent(int frame, int from);
    }

    /** Takes frames in the place of ports. */
    public interface Receiver {
        /** A frame is here; returns the rank that has something to do now, or -1. */
        int arrived(int frame);

        /** The event at hand was added by {@link SimFabric#later}; returns as above. */
        int happened();
    }

    /** Kinds of this fabric's events; those of others begin at {@link #OTHERS}. */
    static final int HEAD = 0;
    static final int READY = 1;
    static final int ROOM = 2;
    static final int NEIGHBOUR = 3;
    static final int MATCHED = 4;
    static final int MET = 5;
    static final int LATER = 6;
    static final int TREE = 7;
    /** The first kind that others may use. */
    public static final int OTHERS = 8;

    /** Which way through the network the content takes that a receiver has asked for; all else takes the first. */
    public enum Ways {
        /** The first way too. */
        ONE,
        /** The other way: the two ends of a message share no link. */
        APART,
        /** Both ways in turn. */
        IN_TURN
    }

    private static final int FRAME_HEADER = 16;

    final Events events;
    final DeviceModel model;
    /** The frames that are under way. */
    public final Frames frames;
    private final Network network;
    private final int ranks;
    private final int ranksPerNode;
    private final int vertices;
    private final SimPort[] ports;
    /** Threads take turns, so in the long run a frame is begun so often. */
    private final long requestEachPs;
    private final long respondEachPs;
    /** Null if nothing goes wrong. */
    private Interference interference;
    private Gate gate;
    private Receiver taker;

    /** Null where nodes have no combining tree. */
    private TreeNetwork tree;
    private Ways ways = Ways.ONE;
    private final byte[] turns;
    /** By pair, where ways differ: content on its way that was asked for, and frames that are held until it is there. */
    private final Map<Long, Integer> asked = new HashMap<>();
    private final Map<Long, FrameQueue> last = new HashMap<>();
    final NodeDevices devices;

    public SimFabric(Events events, Topology topology, LinkModel links, DeviceModel model, int ranks,
            int ranksPerNode) {
        this(events, topology, links, model, ranks, ranksPerNode, NodeModel.DEFAULT);
    }

    public SimFabric(Events events, Topology topology, LinkModel links, DeviceModel model, int ranks,
            int ranksPerNode, NodeModel node) {
        if (topology.nodes() < (ranks + ranksPerNode - 1) / ranksPerNode) {
            throw new IllegalArgumentException(topology + " has too few nodes for " + ranks + " ranks, "
                    + ranksPerNode + " a node");
        }
        this.events = events;
        this.model = model;
        this.ranks = ranks;
        this.ranksPerNode = ranksPerNode;
        this.vertices = topology.vertices();
        this.frames = new Frames(model.maxPayload());
        this.network = new Network(topology, links, events, HEAD, this::accept, this::departed);
        this.ports = new SimPort[ranks];
        this.requestEachPs = model.requestPs() / model.requesters();
        this.respondEachPs = model.respondPs() / model.responders();
        turns = new byte[ranks];
        devices = new NodeDevices(node, model.match() ? model.matcher() : null, ranks, ranksPerNode);
    }

    /** Chooses ways from now on; at first everything takes the first way. */
    public void take(Ways chosen) {
        ways = chosen;
    }

    /**
     * Gives the nodes a combining tree beside the network. Called before the ports are opened.
     *
     * @param hostPs what a call on it costs the processors, at its begin and end together
     */
    public void tree(TreeModel costs, long hostPs) {
        tree = new TreeNetwork(this, costs, node(ranks - 1) + 1, hostPs);
    }

    TreeNetwork tree() {
        return tree;
    }

    /** How many actors the events need. */
    public static int actors(Topology topology, int ranks) {
        return topology.vertices() + ranks;
    }

    public int actor(int rank) {
        return vertices + rank;
    }

    public int ranks() {
        return ranks;
    }

    public Network network() {
        return network;
    }

    /** Frames that were committed and not handed over. */
    public int underWay() {
        return frames.inUse();
    }

    /** The one port of a rank, made at the first question. */
    public SimPort port(int rank) {
        if (ports[rank] == null) {
            ports[rank] = new SimPort(this, rank);
        }
        return ports[rank];
    }

    /** From now on {@code other} decides what goes wrong; null for nothing. Called before the ports are opened. */
    public void interfere(Interference other) {
        interference = other;
    }

    Interference interference() {
        return interference;
    }

    /** The frame lies in its receiver's port from that time on. */
    public void handOver(int frame, long at) {
        int actor = actor(frames.to(frame));
        events.add(at, actor, actor, READY, frame, 0);
    }

    /** The device of a rank gets a turn at that time. */
    public void wake(int rank, long at) {
        events.add(at, actor(rank), actor(rank), ROOM, 0, 0);
    }

    /**
     * Deals with the event at hand, which is of a kind below {@link #OTHERS}.
     *
     * @return the rank whose device has something to do now, or -1
     */
    public int happen() {
        switch (events.kind()) {
            case HEAD -> {
                network.head();
                return -1;
            }
            case READY -> {
                int frame = (int) events.first();
                if (taker != null) {
                    return taker.arrived(frame);
                }
                if (gate != null && gate.keeps(frame, frames.from(frame), frames.to(frame), frames.meta(frame),
                        frames.header(frame))) {
                    return -1;
                }
                return takenIn(frame);
            }
            case MATCHED -> {
                int frame = (int) events.first();
                MatchedPort matcher = port(frames.to(frame)).matcher();
                if (matcher == null) {
                    return deliver(frame);
                }
                matcher.matched(frame);
                return frames.to(frame);
            }
            case MET -> {
                int rank = events.target() - vertices;
                return port(rank).met((int) events.first(), events.second()) ? rank : -1;
            }
            case LATER -> {
                return taker.happened();
            }
            case TREE -> {
                return tree.happen();
            }
            case NEIGHBOUR -> {
                int frame = (int) events.first();
                departed(frame, events.now());
                accept(frame, events.now());
                return -1;
            }
            default -> {
                return events.target() - vertices;
            }
        }
    }

    /** Reads what an event that is to come will read, as {@link Network#touch} does. */
    long touch() {
        if (events.kind() != HEAD) {
            return 0;
        }
        long read = network.touch();
        if (network.departs()) {
            return read + frames.touch((int) events.second()) + ports[events.target()].touch();
        }
        return network.arrives() ? read + frames.touch((int) events.second()) : read;
    }

    /** Reads what there is of a frame that is about to be handed over, and of the port it is for. */
    long touch(int frame, int rank) {
        return frames.touch(frame) + ports[rank].touch();
    }

    /** A frame is about to be handed over. Reads the begin of its payload. */
    long expect(Foresight foresight, Device device, int frame) {
        foresight.expect(device, frames.from(frame), frames.meta(frame), frames.header(frame));
        return frames.touchPayload(frame);
    }

    /** A frame that is in its device is handed over, now or when it is known which receive it is for. */
    private int takenIn(int frame) {
        SimPort port = port(frames.to(frame));
        MatchTimer timer = port.timer();
        return timer != null && port.matcher() == null && holdsForMatch(frame, timer) ? -1 : deliver(frame);
    }

    /** Whether a frame must wait until it is known which receive it is for; an event says when that is. */
    boolean holdsForMatch(int frame, MatchTimer timer) {
        int actor = actor(frames.to(frame));
        long at = timer.handOver(frame, frames.from(frame), frames.meta(frame), frames.header(frame));
        boolean holds = at > events.now();
        if (holds) {
            events.add(at, actor, actor, MATCHED, frame, 0);
        }
        return holds;
    }

    /** Has a receive of a rank show at that time what it has met. */
    void showAt(int rank, long at, int number, long generation) {
        events.add(at, actor(rank), actor(rank), MET, number, generation);
    }

    /** Whether it takes devices time to match; not where frames pass a gate, since they pass each other there. */
    boolean match() {
        return devices.match() && gate == null;
    }

    /** From now on all frames go to this receiver, and none to a port. */
    public void receiver(Receiver other) {
        taker = other;
    }

    /** Adds an event for the receiver, with two words of its own. */
    public void later(int rank, long at, long first, long second) {
        events.add(at, actor(rank), actor(rank), LATER, first, second);
    }

    /** From now on frames pass this gate. Called before devices are made. */
    public void gate(Gate keeper) {
        gate = keeper;
    }

    /** The first word of a frame's payload. */
    public long firstWord(int frame) {
        return Words.load(frames.memory(frame), frames.offset(frame));
    }

    /** Hands a frame over that was kept back; returns the rank whose device has something to do now. */
    public int deliver(int frame) {
        port(frames.to(frame)).arrived(frame);
        return frames.to(frame);
    }

    public int node(int rank) {
        return rank / ranksPerNode;
    }

    /** A device has committed a frame at a time that is not before now. */
    void send(int frame, long at) {
        int sender = frames.from(frame);
        int receiver = frames.to(frame);
        int bytes = frames.bytes(frame);
        if (gate != null) {
            gate.sent(frame, sender);
        }
        long copyPs = copyPs(bytes);
        int device = devices.device(sender, receiver);
        long begun = Math.max(at, devices.outFrom[device]);
        devices.outFrom[device] = begun + Math.max(requestEachPs, copyPs);
        long ready = begun + model.requestPs() + copyPs;
        int source = node(sender);
        int target = node(receiver);
        if (source == target) {
            events.add(ready, actor(receiver), actor(sender), NEIGHBOUR, frame, 0);
            return;
        }
        network.send(ready, source, target, bytes + FRAME_HEADER, way(frame), frame);
    }

    private int way(int frame) {
        if (ways == Ways.ONE || Frame.kind(frames.meta(frame)) != Frame.DATA) {
            return 0;
        }
        asked.merge(pair(frame), 1, Integer::sum);
        return ways == Ways.APART ? 1 : (turns[frames.from(frame)] ^= 1);
    }

    private void departed(int frame, long at) {
        int sender = frames.from(frame);
        if (port(sender).left(frames.bytes(frame))) {
            events.add(at, actor(sender), actor(sender), ROOM, 0, 0);
        }
    }

    private void accept(int frame, long at) {
        int device = devices.device(frames.to(frame), frames.from(frame));
        long copyPs = copyPs(frames.bytes(frame));
        long begun = Math.max(at, devices.inFrom[device]);
        devices.inFrom[device] = begun + Math.max(respondEachPs, copyPs);
        long ready = begun + model.respondPs() + copyPs;
        if (interference != null) {
            interference.arrived(frame, ready);
        } else if (!asked.isEmpty() || !last.isEmpty()) {
            inOrder(frame, ready);
        } else {
            handOver(frame, ready);
        }
    }

    /**
     * Content that a receiver has asked for may overtake other frames of its pair, and be overtaken, where it takes
     * another way. The frame that ends it early comes behind all of it.
     */
    private void inOrder(int frame, long ready) {
        int kind = Frame.kind(frames.meta(frame));
        long pair = pair(frame);
        if (kind == Frame.MESSAGE_ENDED && asked.containsKey(pair)) {
            last.computeIfAbsent(pair, any -> new FrameQueue(frames)).add(frame);
            return;
        }
        handOver(frame, ready);
        boolean counted = kind == Frame.DATA && asked.containsKey(pair);
        if (counted && asked.merge(pair, -1, (count, less) -> count == 1 ? null : count - 1) == null) {
            FrameQueue held = last.remove(pair);
            while (held != null && !held.isEmpty()) {
                handOver(held.take(), ready);
            }
        }
    }

    private long pair(int frame) {
        return (long) frames.from(frame) << Integer.SIZE | frames.to(frame);
    }

    private long copyPs(int bytes) {
        return bytes * model.copyPsPerKib() + 1023 >> 10;
    }
}
