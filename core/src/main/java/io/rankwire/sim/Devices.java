package io.rankwire.sim;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Foresight;
import io.rankwire.sim.net.LinkModel;
import io.rankwire.sim.net.Topology;
import java.util.function.IntConsumer;

/**
 * Devices in virtual time without programs: the code that runs in the real world, moved by the events of a {@link
 * SimFabric}. The caller uses the devices when {@link Turn} gives it a turn, as a host would.
 *
 * <p>Each node goes through its own events in their order. Between many nodes with threads for all frames, a device is
 * moved up to half of {@link DeviceModel#requestPs} late, by the time of others: what it sends cannot be seen elsewhere
 * earlier. That lets it deal with several frames in a row, and lets the next few devices be fetched from memory
 * together.
 */
public final class Devices {
    /** What the host of a rank does when its device has been moved, or when a time it asked for has come. */
    @FunctionalInterface
    public interface Turn extends IntConsumer {}

    private static final int ALARM = SimFabric.OTHERS;
    private static final long PS_PER_NS = 1_000;
    /** Events, and ranks, whose memory is fetched together. */
    private static final int GROUP = 32;
    /** Frames whose memory is fetched together. */
    private static final int FRAMES = 48;
    /** Fewer devices stay in the cache, and are moved in time. */
    private static final int MANY_RANKS = 256;

    private final Events events;
    private final SimFabric fabric;
    private final Device[] devices;
    private final int vertices;
    private final Postponed postponed;
    /** When each device was last asked to move for what is due. */
    private final long[] dueAt;
    private final long patiencePs;
    private final Foresight foresight = new Foresight(2 * FRAMES);
    private final int[] group = new int[GROUP];
    private Turn turn;
    private boolean inTurn;
    /** So that reading ahead is not in vain. */
    private long touched;

    public Devices(Topology topology, LinkModel links, DeviceModel model, DeviceConfig config, int ranks) {
        this(topology, links, model, config, ranks, 1, NodeModel.DEFAULT,
                ranks < MANY_RANKS ? 0 : model.requestPs() / 2);
    }

    /** In time, however many they are. */
    public Devices(Topology topology, LinkModel links, DeviceModel model, DeviceConfig config, int ranks,
            int ranksPerNode, NodeModel node) {
        this(topology, links, model, config, ranks, ranksPerNode, node, 0);
    }

    /**
     * @param latePs how late a device is moved at most; with 0, and where matching takes time, frames may wait for
     *     threads, or hosts copy, every event is dealt with in the order of all
     */
    Devices(Topology topology, LinkModel links, DeviceModel model, DeviceConfig config, int ranks,
            int ranksPerNode, NodeModel node, long latePs) {
        events = new Events(SimFabric.actors(topology, ranks), 1 << 12);
        fabric = new SimFabric(events, topology, links, model, new Placement(ranksPerNode, ranks), node);
        patiencePs = fabric.match() || model.hasFewThreads() || node.copyPsPerKib() > 0 ? 0 : latePs;
        fabric.network().beforeStart(this::settle);
        vertices = topology.vertices();
        postponed = new Postponed(ranks);
        devices = new Device[ranks];
        dueAt = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            devices[rank] = new Device(config, fabric.port(rank), fabric.port(rank));
        }
    }

    public Events events() {
        return events;
    }

    public SimFabric fabric() {
        return fabric;
    }

    public Device device(int rank) {
        return devices[rank];
    }

    /**
     * The rank's host gets a turn at that time.
     *
     * @throws IllegalArgumentException in a turn, where devices are moved late, for a time that is no further ahead
     */
    public void wake(int rank, long at) {
        if (inTurn && at < events.now() + patiencePs) {
            throw new IllegalArgumentException("rank " + rank + " cannot be woken at " + at + " ps: it is "
                    + events.now() + ", and hosts are woken " + patiencePs + " ps later or after that");
        }
        events.add(at, fabric.actor(rank), fabric.actor(rank), ALARM, 0, 0);
    }

    /** Runs until nothing is left to happen. */
    public void run(Turn host) {
        turn = host;
        if (patiencePs > 0) {
            runLate();
            return;
        }
        while (events.next()) {
            int rank = events.kind() == ALARM ? events.target() - vertices : fabric.happen();
            if (rank >= 0) {
                move(rank);
            }
        }
    }

    private void runLate() {
        while (true) {
            lookAhead();
            long next = events.nextTime();
            if (!postponed.isEmpty() && (next < 0 || next >= postponed.since() + patiencePs)) {
                settleLongest();
            } else if (!events.next()) {
                return;
            } else {
                happen();
            }
        }
    }

    private void happen() {
        int kind = events.kind();
        if (kind == SimFabric.READY) {
            postponed.add(events.target() - vertices, (int) events.first(), events.now());
            return;
        }
        int target = events.target();
        settle(target < vertices ? target : target - vertices);
        int rank = kind == ALARM ? target - vertices : fabric.happen();
        if (rank >= 0) {
            move(rank);
        }
    }

    /** Something else is about to happen at a node: first comes what was ready before. */
    private void settle(int vertex) {
        if (vertex < devices.length && postponed.holds(vertex)) {
            settleRank(vertex);
        }
    }

    private void settleRank(int rank) {
        long later = events.now();
        for (int item = postponed.take(rank); item >= 0; item = postponed.next(item)) {
            events.clock(postponed.time(item));
            fabric.deliver(postponed.frame(item));
            move(rank);
        }
        events.clock(later);
    }

    private void settleLongest() {
        int count = postponed.longest(group, FRAMES);
        fetch(count);
        for (int i = 0; i < count; i++) {
            settle(group[i]);
        }
    }

    /** Reads what is needed to settle a group of ranks. */
    private void fetch(int count) {
        long read = 0;
        for (int i = 0; i < count; i++) {
            for (int item = postponed.first(group[i]); item >= 0; item = postponed.next(item)) {
                read += fabric.touch(postponed.frame(item), group[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            for (int item = postponed.first(group[i]); item >= 0; item = postponed.next(item)) {
                read += fabric.expect(foresight, devices[group[i]], postponed.frame(item));
            }
        }
        touched += read + foresight.fetch();
    }

    private void lookAhead() {
        int count = events.foresee(GROUP);
        if (count == 0) {
            return;
        }
        long read = 0;
        int holding = 0;
        for (int i = 0; i < count; i++) {
            events.about(i);
            read += fabric.touch();
            int vertex = events.target();
            if (vertex < devices.length && postponed.holds(vertex)) {
                group[holding++] = vertex;
            }
        }
        touched += read;
        if (holding > 0) {
            fetch(holding);
        }
    }

    private void move(int rank) {
        inTurn = true;
        drive(rank);
        long free = fabric.port(rank).busyUntilPs();
        if (free > events.now()) {
            // The host sees what has come when its processor has copied it.
            events.add(free, fabric.actor(rank), fabric.actor(rank), ALARM, 0, 0);
            inTurn = false;
            return;
        }
        turn.accept(rank);
        // What the host has started goes on without it.
        drive(rank);
        inTurn = false;
        wakeWhenDue(rank);
    }

    /** Has a device move again when something is due that crosses between it and its software. */
    private void wakeWhenDue(int rank) {
        long due = devices[rank].due();
        if (due == Long.MAX_VALUE) {
            return;
        }
        long at = Math.max(due * PS_PER_NS, events.now() + PS_PER_NS);
        if (dueAt[rank] <= events.now() || at < dueAt[rank]) {
            dueAt[rank] = at;
            fabric.wake(rank, at);
        }
    }

    private void drive(int rank) {
        Device device = devices[rank];
        long now = events.now() / PS_PER_NS;
        while (device.progress(now) != 0) {
            continue;
        }
    }
}
