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
         * @param cargo as given when the packet was sent
         * @param at when the last byte is there, which is not before now
         */
        void arrived(int cargo, long at);
    }

    /** Hears when the last byte of a packet has left its node. */
    @FunctionalInterface
    public interface Departure {
        void departed(int cargo, long at);
    }

    private static final long UNKNOWN = Long.MAX_VALUE;

    // a packet is a line of words
    private static final int PACKET = 8;
    private static final int TARGET = 0;
    private static final int ROUTE = 1;
    private static final int BYTES = 2;
    private static final int VERTEX = 3;
    /** The link it came by; -1 at its source. */
    private static final int FROM = 4;
    private static final int NEXT = 5;
    private static final int CARGO = 6;

    // so is the buffer at the end of a link, two a link: one a way
    /** When the link is free again (in the buffer of way 0). */
    private static final int FREE_AT = 0;
    private static final int BUSY = 1;
    private static final int TAKEN = 2;
    /** Lines of packets that wait, first and last: those that pass through a ring go before those that enter it. */
    private static final int PASSING = 3;
    private static final int ENTERING = 4;
    /** When each slot is free again, earliest first; {@link #UNKNOWN} while its packet has to wait. */
    private static final int RELEASES = 5;
    private static final long NOBODY = -1;

    private final Topology topology;
    private final LinkModel model;
    private final Events events;
    private final int headKind;
    private final Arrival arrival;
    private final Departure departure;
    private final int slots;
    private final int stride;
    private final long[] buffers;

    private int[] packets = new int[0];
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
        this.stride = RELEASES + slots + 7 & -8;
        this.buffers = new long[Math.multiplyExact(topology.links() * Topology.WAYS, stride)];
        for (int buffer = 0; buffer < buffers.length; buffer += stride) {
            buffers[buffer + PASSING] = NOBODY;
            buffers[buffer + ENTERING] = NOBODY;
        }
        morePackets();
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
        return buffers[link * Topology.WAYS * stride + BUSY];
    }

    /**
     * Sends a packet from a node to another, which differs.
     *
     * @param at not before now
     * @param cargo what {@link Arrival} and {@link Departure} hear
     */
    public void send(long at, int source, int to, int payloadBytes, int way, int cargo) {
        if (free < 0) {
            morePackets();
        }
        int packet = free;
        free = packets[packet + NEXT];
        inFlight++;
        packets[packet + TARGET] = to;
        packets[packet + ROUTE] = topology.route(source, to, way);
        packets[packet + BYTES] = payloadBytes;
        packets[packet + VERTEX] = source;
        packets[packet + FROM] = -1;
        packets[packet + CARGO] = cargo;
        events.add(at, source, source, headKind, packet, 0);
    }

    /** The event at hand is one of this network's. */
    public void head() {
        int packet = (int) events.first();
        if (packets[packet + VERTEX] == packets[packet + TARGET]) {
            arrive(packet);
        } else {
            int route = packets[packet + ROUTE];
            int link = topology.next(packets[packet + VERTEX], packets[packet + TARGET], route);
            int buffer = buffer(link, route);
            int spare = topology.entersRing(packets[packet + FROM], link) ? 1 : 0;
            boolean first = buffers[buffer + PASSING] == NOBODY
                    && (spare == 0 || buffers[buffer + ENTERING] == NOBODY);
            if (!first || !start(packet, link, buffer, spare)) {
                await(packet, buffer + PASSING + spare);
            }
        }
        for (int i = 0; i < retryCount; i++) {
            goOn(retries[i], 0);
            goOn(retries[i], 1);
        }
        retryCount = 0;
    }

    private int buffer(int link, int route) {
        return (link * Topology.WAYS + (route & 1)) * stride;
    }

    private void arrive(int packet) {
        long at = events.now() + model.keeps(packets[packet + BYTES]);
        giveBack(buffer(packets[packet + FROM], packets[packet + ROUTE]), at);
        inFlight--;
        packets[packet + NEXT] = free;
        free = packet;
        arrival.arrived(packets[packet + CARGO], at);
    }

    /** Starts the packet on a link if it can be known when; whoever waited for its slot goes on too. */
    private boolean start(int packet, int link, int buffer, int spare) {
        long room = roomAt(buffer, spare);
        if (room == UNKNOWN) {
            return false;
        }
        int both = link * Topology.WAYS * stride;
        long at = Math.max(Math.max(events.now(), buffers[both + FREE_AT]), room);
        long keeps = model.keeps(packets[packet + BYTES]);
        buffers[both + FREE_AT] = at + keeps;
        buffers[both + BUSY] += keeps;
        take(buffer, at);
        int came = packets[packet + FROM];
        int left = packets[packet + VERTEX];
        int vertex = topology.end(link);
        packets[packet + FROM] = link;
        packets[packet + VERTEX] = vertex;
        events.add(at + model.latencyPs(), vertex, left, headKind, packet, 0);
        if (came < 0) {
            departure.departed(packets[packet + CARGO], at + keeps);
        } else {
            giveBack(buffer(came, packets[packet + ROUTE]), at + keeps);
        }
        return true;
    }

    /** When there is a free slot and so many more; {@link #UNKNOWN} when that cannot be told. */
    private long roomAt(int buffer, int spare) {
        int taken = (int) buffers[buffer + TAKEN];
        int needed = taken + 1 + spare - slots;
        if (needed <= 0) {
            return 0;
        }
        return needed > taken ? UNKNOWN : buffers[buffer + RELEASES + needed - 1];
    }

    /** Forgets slots that are free by then, and takes one for an unknown time. */
    private void take(int buffer, long at) {
        int base = buffer + RELEASES;
        int over = 0;
        int count = (int) buffers[buffer + TAKEN];
        while (over < count && buffers[base + over] <= at) {
            over++;
        }
        if (over > 0) {
            count -= over;
            for (int i = 0; i < count; i++) {
                buffers[base + i] = buffers[base + over + i];
            }
        }
        buffers[base + count] = UNKNOWN;
        buffers[buffer + TAKEN] = count + 1;
    }

    /** A packet that took a slot will have left it then. */
    private void giveBack(int buffer, long at) {
        int base = buffer + RELEASES;
        int i = base + (int) buffers[buffer + TAKEN] - 1;
        assert buffers[i] == UNKNOWN;
        while (i > base && buffers[i - 1] > at) {
            buffers[i] = buffers[i - 1];
            i--;
        }
        buffers[i] = at;
        if ((buffers[buffer + PASSING] & buffers[buffer + ENTERING]) != NOBODY) {
            if (retryCount == retries.length) {
                retries = Arrays.copyOf(retries, 2 * retryCount);
            }
            retries[retryCount++] = buffer;
        }
    }

    private void await(int packet, int line) {
        packets[packet + NEXT] = -1;
        long waiting = buffers[line];
        if (waiting == NOBODY) {
            buffers[line] = (long) packet << 32 | packet;
        } else {
            packets[(int) waiting + NEXT] = packet;
            buffers[line] = waiting & 0xFFFFFFFF_00000000L | packet;
        }
    }

    /** Those in line for a buffer, as far as times are known now. */
    private void goOn(int buffer, int spare) {
        int line = buffer + PASSING + spare;
        while (buffers[line] != NOBODY && (spare == 0 || buffers[line - 1] == NOBODY)) {
            int packet = (int) (buffers[line] >>> 32);
            int following = packets[packet + NEXT];
            if (!start(packet, buffer / stride / Topology.WAYS, buffer, spare)) {
                return;
            }
            buffers[line] = following < 0 ? NOBODY : (long) following << 32 | buffers[line] & 0xFFFFFFFFL;
        }
    }

    private void morePackets() {
        int old = packets.length;
        packets = Arrays.copyOf(packets, Math.max(64 * PACKET, 2 * old));
        for (int packet = packets.length - PACKET; packet >= old; packet -= PACKET) {
            packets[packet + NEXT] = free;
            free = packet;
        }
    }
}
