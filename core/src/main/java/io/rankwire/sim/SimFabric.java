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
 * <p>A packet that finds no responder stays in the buffer at the end of its last link, and those behind it wait in the
 * network. A responder is free when the matcher units are done with its frame, or at once where matching takes no time,
 * and a requester when the answer to its frame is back. Nothing is waited for in a circle: requesters wait for answers,
 * which have a way of their own and need no thread or buffer; packets wait for packets ahead, in a network that cannot
 * fill up, and for responders; responders wait for matcher units, and those for nothing.
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

    /** Kinds of this fabric's events; those of others are from {@link #OTHERS} to below {@link #TREE}. */
    static final int HEAD = 0;
    static final int READY = 1;
    static final int ROOM = 2;
    static final int NEIGHBOUR = 3;
    static final int MATCHED = 4;
    static final int MET = 5;
    static final int LATER = 6;
    static final int THREAD = 7;
    /** The first kind that others may use. */
    public static final int OTHERS = 8;
    static final int TREE = 64;

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
    private static final int NO_BUFFER = -1;
    // What an event of the kind THREAD is about: the frames in line for a thread, or one that gets there.
    private static final int RESPONDER = 0;
    private static final int REQUESTER = 1;
    private static final int COMMITTED = 2;

    final Events events;
    final DeviceModel model;
    /** The frames that are under way. */
    public final Frames frames;
    private final Network network;
    private final Placement placement;
    private final int vertices;
    /** By job: frames that a device has committed and that are in no port yet. */
    private final int[] underWay;
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
    /** By pair, where ways differ: content on its way that was asked for, and frames held until it is there. */
    private final Map<Long, Integer> asked = new HashMap<>();
    private final Map<Long, FrameQueue> last = new HashMap<>();
    final NodeDevices devices;

    public SimFabric(Events events, Topology topology, LinkModel links, DeviceModel model, int ranks,
            int ranksPerNode) {
        this(events, topology, links, model, new Placement(ranksPerNode, ranks), NodeModel.DEFAULT);
    }

    public SimFabric(Events events, Topology topology, LinkModel links, DeviceModel model, Placement placement,
            NodeModel node) {
        int ranks = placement.ports();
        if (topology.nodes() < placement.nodes()) {
            throw new IllegalArgumentException(topology + " has too few nodes for " + ranks + " ranks, "
                    + placement.ranksPerNode() + " a node");
        }
        this.events = events;
        this.model = model;
        this.placement = placement;
        this.underWay = new int[placement.jobs()];
        this.vertices = topology.vertices();
        this.frames = new Frames(model.maxPayload());
        this.network = new Network(topology, links, events, HEAD, this::arrived, this::departed);
        this.ports = new SimPort[ranks];
        this.requestEachPs = model.requestPs() / model.requesters();
        this.respondEachPs = model.respondPs() / model.responders();
        turns = new byte[ranks];
        devices = new NodeDevices(node, model, placement);
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
        tree = new TreeNetwork(this, costs, placement.nodes(), hostPs);
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

    /** The ranks of all jobs together. */
    public int ranks() {
        return placement.ports();
    }

    /** Which rank of which job each port belongs to. */
    public Placement placement() {
        return placement;
    }

    public Network network() {
        return network;
    }

    /** Frames that were committed and not handed over. */
    public int underWay() {
        return frames.inUse();
    }

    /** Frames of one job that its devices have committed and that are in no port yet. */
    public int underWay(int job) {
        return underWay[job];
    }

    /** A frame of a job is in its receiver's port. */
    void arrived(int job) {
        underWay[job]--;
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

    /** Whether events of this kind are the fabric's. */
    public static boolean isOwn(int kind) {
        return kind < OTHERS || kind == TREE;
    }

    /**
     * Deals with the event at hand, which is {@link #isOwn}.
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
                arrived(frame, events.now(), NO_BUFFER);
                return -1;
            }
            case THREAD -> {
                if (events.second() == COMMITTED) {
                    commit((int) events.first(), events.now());
                } else {
                    lookAfter((int) events.first(), events.second() == REQUESTER);
                }
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
        boolean holds = timer != null && port.matcher() == null && holdsForMatch(frame, timer);
        if (keepsResponder()) {
            answer(frame, holds ? timer.decided() : events.now());
        }
        return holds ? -1 : deliver(frame);
    }

    /** Whether a responder has its frame until that has its match; elsewhere a frame has been taken in then. */
    private boolean keepsResponder() {
        return match() && taker == null && interference == null;
    }

    /** Whether a frame must wait until it is known which receive it is for; an event says when that is. */
    boolean holdsForMatch(int frame, MatchTimer timer) {
        int actor = actor(frames.to(frame));
        long at = timer.handOver(
                frame, placement.rank(frames.from(frame)), frames.meta(frame), frames.header(frame));
        boolean holds = at > events.now();
        if (holds) {
            events.add(at, actor, actor, MATCHED, frame, 0);
        }
        return holds;
    }

    /** What copying takes a processor. */
    long hostCopyPs(long bytes) {
        return bytes * devices.model.copyPsPerKib() + 1023 >> 10;
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
        return placement.node(rank);
    }

    /** A device has committed a frame at a time that is not before now. */
    void send(int frame, long at) {
        if (interference != null && interference.isDeadAt(frames.from(frame), at)) {
            frames.give(frame);
            return;
        }
        underWay[placement.job(frames.from(frame))]++;
        if (gate != null) {
            gate.sent(frame, frames.from(frame));
        }
        long before = devices.lastSent(frames.from(frame), at);
        if (before >= events.now() || before >= 0 && at > events.now()) {
            // The other ranks of the device may be ahead by less, and have their turn first.
            int sender = actor(frames.from(frame));
            events.add(Math.max(before, at), sender, sender, THREAD, frame, COMMITTED);
        } else {
            commit(frame, at);
        }
    }

    private void commit(int frame, long at) {
        int device = devices.device(frames.from(frame), frames.to(frame));
        Threads requesters = devices.threads(true, device, frames, model);
        frames.waits(frame, at, NO_BUFFER);
        if (requesters == null || requesters.begin(frame, at, events.now())) {
            request(frame, device, at);
        } else {
            plan(requesters, device, true);
        }
    }

    /** Adds an event that looks after the frames in line for a thread, if one is needed now. */
    private void plan(Threads threads, int device, boolean outgoing) {
        long at = threads.lookAt(events.now());
        if (at != Threads.UNKNOWN) {
            int node = devices.node(device);
            events.add(at, node, node, THREAD, device, outgoing ? REQUESTER : RESPONDER);
        }
    }

    /** Lets frames begin that have waited for a thread. */
    private void lookAfter(int device, boolean outgoing) {
        Threads threads = devices.threads(outgoing, device, frames, model);
        long now = events.now();
        for (int frame = threads.beginFirst(now); frame >= 0; frame = threads.beginFirst(now)) {
            if (outgoing) {
                request(frame, device, now);
                continue;
            }
            int buffer = frames.buffer(frame);
            respond(frame, device, now);
            if (buffer != NO_BUFFER) {
                network.takenIn(buffer, now);
            }
        }
        plan(threads, device, outgoing);
    }

    /** The threads that a frame has had at both ends are free when its answer is given at that time, and back. */
    private void answer(int frame, long at) {
        int sender = frames.from(frame);
        int receiver = frames.to(frame);
        int device = devices.device(receiver, sender);
        Threads responders = devices.threads(false, device, frames, model);
        if (responders != null) {
            responders.end(frames.bytes(frame), at);
            plan(responders, device, false);
        }
        int origin = devices.device(sender, receiver);
        Threads requesters = devices.threads(true, origin, frames, model);
        if (requesters != null) {
            requesters.end(frames.bytes(frame), at + network.answerPs(node(receiver), node(sender)));
            plan(requesters, origin, true);
        }
    }

    /** A requester begins with a frame. */
    private void request(int frame, int device, long at) {
        int sender = frames.from(frame);
        int receiver = frames.to(frame);
        int bytes = frames.bytes(frame);
        long copyPs = copyPs(bytes);
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

    /** A frame is at the node it is for; false if it has to wait for a responder. */
    private boolean arrived(int frame, long at, int buffer) {
        int device = devices.device(frames.to(frame), frames.from(frame));
        Threads responders = devices.threads(false, device, frames, model);
        frames.waits(frame, at, buffer);
        if (responders == null || responders.begin(frame, at, events.now())) {
            respond(frame, device, at);
            return true;
        }
        plan(responders, device, false);
        return false;
    }

    /** A responder begins with a frame. */
    private void respond(int frame, int device, long at) {
        long copyPs = copyPs(frames.bytes(frame));
        long begun = Math.max(at, devices.inFrom[device]);
        devices.inFrom[device] = begun + Math.max(respondEachPs, copyPs);
        long ready = begun + model.respondPs() + copyPs;
        if (!keepsResponder()) {
            answer(frame, ready);
        }
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
