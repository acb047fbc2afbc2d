package io.rankwire.sim.net;

import io.rankwire.sim.Events;
import java.util.Arrays;

/**
 * Packets on their way, by virtual cut-through: the head of a packet goes on as soon as the next link is free and there
 * is a slot at its end; a packet that has to wait keeps its slot, and those behind it wait too. One event a hop.
 *
 * <p>When a packet's head is at a vertex, the time it leaves is known at once, unless a slot it needs is held by a
 * packet of which that is not known; then it waits in line there. So slots are given back without events of their own.
 * Rings (of a torus) cannot fill up: who enters one leaves a second slot free.
 */
public final class Network {
    /** Takes packets at the node they were for. */
    @FunctionalInterface
    public interface Arrival {
        /**
         * @param at when the last byte is there, which is not before now
         */
        void arrived(int packet, long at);
    }

    /** Hears that a node's packet has left the node, when the node asked for it. */
    @FunctionalInterface
    public interface Departure {
        void departed(int packet, long at);
    }

    private static final long UNKNOWN = Long.MAX_VALUE;

    private final Topology topology;
    private final LinkModel model;
    private final Events events;
    private final int headKind;
    private final Arrival arrival;
    private final Departure departure;
    private final int slots;

    // links
    private final long[] freeAt;
    private final long[] busyPs;
    // buffers at the ends of links, two a link
    /** When each slot is free again, in the order they were taken; {@link #UNKNOWN} while the packet has to wait. */
    private final long[] releases;
    private final int[] taken;
    // lines of packets, two a buffer: those that pass through a ring go before those that enter it
    private final int[] firstWaiting;
    private final int[] lastWaiting;

    // packets
    private int[] target = new int[64];
    private int[] route = new int[64];
    private int[] bytes = new int[64];
    /** The vertex, and the link it came by; -1 at its source. */
    private int[] vertex = new int[64];
    private int[] from = new int[64];
    private int[] nextWaiting = new int[64];
    private int free = -1;
    private int inFlight;
    /** Buffers with packets in line of which the time is known now. */
    private int[] retries = new int[16];
    private int retryCount;

    /**
     * @param headKind the kind its events have; its actors are the vertices
     */
    public Network(Topology topology, LinkModel model, Events events, int headKind, Arrival arrival,
            Departure departure) {
        this.topology = topology;
        this.model = model;
        this.events = events;
        this.headKind = headKind;
        this.arrival = arrival;
        this.departure = departure;
        this.slots = model.slots();
        int links = topology.links();
        freeAt = new long[links];
        busyPs = new long[links];
        releases = new long[Math.multiplyExact(links * Topology.WAYS, slots)];
        taken = new int[links * Topology.WAYS];
        firstWaiting = new int[links * Topology.WAYS * 2];
        lastWaiting = new int[links * Topology.WAYS * 2];
        Arrays.fill(firstWaiting, -1);
        freePackets(0);
    }

    public Topology topology() {
        return topology;
    }

    /** Packets that have not arrived. */
    public int inFlight() {
        return inFlight;
    }

    /** For how long a link has carried packets. */
    public long busyPs(int link) {
        return busyPs[link];
    }

    /**
     * Sends a packet from a node to another, which differs.
     *
     * @param at not before now
     * @return its number, which is used again after it has arrived
     */
    public int send(long at, int source, int to, int payloadBytes, int way) {
        if (free < 0) {
            freePackets(target.length);
        }
        int packet = free;
        free = nextWaiting[packet];
        inFlight++;
        target[packet] = to;
        route[packet] = topology.route(source, to, way);
        bytes[packet] = payloadBytes;
        vertex[packet] = source;
        from[packet] = -1;
        events.add(at, source, source, headKind, packet, 0);
        return packet;
    }

    /** The event at hand is one of this network's. */
    public void head() {
        int packet = (int) events.first();
        if (vertex[packet] == target[packet]) {
            arrive(packet);
        } else {
            int link = topology.next(vertex[packet], target[packet], route[packet]);
            int buffer = link * Topology.WAYS + (route[packet] & 1);
            int entering = topology.entersRing(from[packet], link) ? 1 : 0;
            boolean first = firstWaiting[2 * buffer] < 0 && (entering == 0 || firstWaiting[2 * buffer + 1] < 0);
            if (!first || !start(packet, link, buffer, entering)) {
                await(packet, 2 * buffer + entering);
            }
        }
        for (int i = 0; i < retryCount; i++) {
            goOn(retries[i], 0);
            goOn(retries[i], 1);
        }
        retryCount = 0;
    }

    private void arrive(int packet) {
        long at = events.now() + model.keeps(bytes[packet]);
        giveBack(from[packet], route[packet], at);
        inFlight--;
        nextWaiting[packet] = free;
        free = packet;
        arrival.arrived(packet, at);
    }

    /** Starts the packet on a link if it can be known when; whoever waited for its slot goes on too. */
    private boolean start(int packet, int link, int buffer, int spare) {
        long room = roomAt(buffer, spare);
        if (room == UNKNOWN) {
            return false;
        }
        long at = Math.max(Math.max(events.now(), freeAt[link]), room);
        long keeps = model.keeps(bytes[packet]);
        freeAt[link] = at + keeps;
        busyPs[link] += keeps;
        take(buffer, at);
        int came = from[packet];
        int left = vertex[packet];
        from[packet] = link;
        vertex[packet] = topology.end(link);
        events.add(at + model.latencyPs(), vertex[packet], left, headKind, packet, 0);
        if (came < 0) {
            departure.departed(packet, at + keeps);
        } else {
            giveBack(came, route[packet], at + keeps);
        }
        return true;
    }

    /** When there is a free slot and so many more; {@link #UNKNOWN} when that cannot be told. */
    private long roomAt(int buffer, int spare) {
        int needed = taken[buffer] + 1 + spare - slots;
        if (needed <= 0) {
            return 0;
        }
        // The earliest releases first; slots are few.
        int base = buffer * slots;
        return needed > taken[buffer] ? UNKNOWN : releases[base + needed - 1];
    }

    /** Forgets slots that are free by then, and takes one for an unknown time. */
    private void take(int buffer, long at) {
        int base = buffer * slots;
        int over = 0;
        int count = taken[buffer];
        while (over < count && releases[base + over] <= at) {
            over++;
        }
        if (over > 0) {
            System.arraycopy(releases, base + over, releases, base, count - over);
            count -= over;
        }
        releases[base + count] = UNKNOWN;
        taken[buffer] = count + 1;
    }

    /** A packet that took a slot will have left it then. Releases are kept in order of time, the unknown last. */
    private void giveBack(int link, int route, long at) {
        int buffer = link * Topology.WAYS + (route & 1);
        int base = buffer * slots;
        int i = base + taken[buffer] - 1;
        assert releases[i] == UNKNOWN;
        while (i > base && releases[i - 1] > at) {
            releases[i] = releases[i - 1];
            i--;
        }
        releases[i] = at;
        if (firstWaiting[2 * buffer] >= 0 || firstWaiting[2 * buffer + 1] >= 0) {
            if (retryCount == retries.length) {
                retries = Arrays.copyOf(retries, 2 * retryCount);
            }
            retries[retryCount++] = buffer;
        }
    }

    private void await(int packet, int line) {
        nextWaiting[packet] = -1;
        if (firstWaiting[line] < 0) {
            firstWaiting[line] = packet;
        } else {
            nextWaiting[lastWaiting[line]] = packet;
        }
        lastWaiting[line] = packet;
    }

    /** Those in line for a buffer, as far as times are known now. */
    private void goOn(int buffer, int entering) {
        int line = 2 * buffer + entering;
        while (firstWaiting[line] >= 0 && (entering == 0 || firstWaiting[line - 1] < 0)) {
            int packet = firstWaiting[line];
            int following = nextWaiting[packet];
            if (!start(packet, buffer / Topology.WAYS, buffer, entering)) {
                return;
            }
            firstWaiting[line] = following;
        }
    }

    private void freePackets(int start) {
        int size = start == 0 ? target.length : 2 * start;
        target = Arrays.copyOf(target, size);
        route = Arrays.copyOf(route, size);
        bytes = Arrays.copyOf(bytes, size);
        vertex = Arrays.copyOf(vertex, size);
        from = Arrays.copyOf(from, size);
        nextWaiting = Arrays.copyOf(nextWaiting, size);
        for (int i = size - 1; i >= start; i--) {
            nextWaiting[i] = free;
            free = i;
        }
    }
}
