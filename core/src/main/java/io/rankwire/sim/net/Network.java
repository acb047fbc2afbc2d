package io.rankwire.sim.net;

import io.rankwire.sim.Events;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Packets on their way, by virtual cut-through: the head of a packet goes on as soon as the next link is free and there
 * is a slot at its end; a packet that has to wait keeps its slot, and those behind it wait too. One event a hop.
 *
 * <p>When a packet's head is at a vertex, the time it leaves is known at once, unless a slot it needs is held by a
 * packet of which that is not known; then it waits in line there. So slots are given back without events of their own.
 * Rings (of a torus) cannot fill up: a packet that enters one leaves a second slot free.
 */
public final class Network {
    /** Takes packets at the node they were for. */
    @FunctionalInterface
    public interface Arrival {
        /**
         * @param cargo as given when the packet was sent
         * @param at when the last byte is there, which is not before now
         * @param buffer where the packet is, for {@link Network#takenIn}
         * @return false if the node cannot take the packet in yet: it stays in the buffer until {@link Network#takenIn}
         */
        boolean arrived(int cargo, long at, int buffer);
    }

    /** Called when the last byte of a packet has left its node. */
    @FunctionalInterface
    public interface Departure {
        void departed(int cargo, long at);
    }

    private static final long UNKNOWN = Long.MAX_VALUE;

    // A packet is two words that travel in its events: target, route, bytes; cargo and the link it came by, plus one.
    private static final int ROUTE_SHIFT = 24;
    private static final int BYTES_SHIFT = 32;
    private static final int TARGET_MASK = (1 << ROUTE_SHIFT) - 1;
    private static final int ROUTE_MASK = 0xFF;
    private static final int CAME_SHIFT = 32;

    // The buffer at the end of a link is a row of words, two a link: one a way. Those of way 0, which take most of the
    // load, lie together and are numbered as the links.
    /** When the link is free again (in the buffer of way 0). */
    private static final int FREE_AT = 0;
    private static final int BUSY = 1;
    private static final int TAKEN = 2;
    /**
     * Two lines of packets that wait for it, first above and last below: those that pass through a ring, which go
     * before, and those that enter it.
     */
    private static final int LINES = 3;
    /** When each slot is free again, earliest first; {@link #UNKNOWN} while its packet has to wait. */
    private static final int RELEASES = 5;
    /** What fits a cache line; more is seldom needed. */
    private static final int LINE = 8;
    /** Elements of a large array start 16 bytes into a cache line: this many words more let a row begin with one. */
    private static final int BIAS = 6;

    // Packets that wait: the two words, the vertex, the next in line.
    private static final int WAITING = 4;
    private static final int NEXT = 3;
    private static final int NOBODY = -1;
    private static final long LAST_OUT = 0xFFFFFFFF00000000L;
    private static final long FIRST_OUT = 0xFFFFFFFFL;
    /** In place of a packet: there may be room in a buffer now. */
    private static final long ROOM = -1;

    private final Topology topology;
    private final LinkModel model;
    private final Events events;
    private final int headKind;
    private final Arrival arrival;
    private final Departure departure;
    private final int slots;
    private final int links;
    private final int stride;
    /** Where a row holds the time of the next look at its buffer, if there is one. */
    private final int look;
    private final long[] buffers;
    private long[] waiting = new long[0];
    private int free = NOBODY;

    private IntConsumer beforeStart;
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
        this.links = topology.links();
        this.look = RELEASES + slots;
        this.stride = look + LINE & -LINE;
        this.buffers = new long[Math.addExact(BIAS, Math.multiplyExact(links * Topology.WAYS, stride))];
        for (int row = BIAS; row < buffers.length; row += stride) {
            buffers[row + LINES] = NOBODY;
            buffers[row + LINES + 1] = NOBODY;
        }
    }

    /**
     * Sets what is called with a vertex before a packet that had to wait may leave it because of what happened at
     * another.
     */
    public void beforeStart(IntConsumer listener) {
        beforeStart = listener;
    }

    public Topology topology() {
        return topology;
    }

    /** What an answer takes that says only that a packet was taken in. It goes by itself and meets no packets. */
    public long answerPs(int from, int to) {
        return from == to ? 0 : topology.hops(from, to) * model.latencyPs() + model.keeps(0);
    }

    /** For how long a link has carried packets. */
    public long busyPs(int link) {
        return buffers[row(link) + BUSY];
    }

    private int buffer(int link, int route) {
        return (route & 1) == 0 ? link : links + link;
    }

    private int row(int buffer) {
        return BIAS + buffer * stride;
    }

    /**
     * Sends a packet from a node to another, which differs.
     *
     * @param at not before now
     * @param cargo what {@link Arrival} and {@link Departure} are called with
     */
    public void send(long at, int source, int to, int payloadBytes, int way, int cargo) {
        long route = topology.route(source, to, way);
        events.add(at, source, source, headKind, (long) payloadBytes << BYTES_SHIFT | route << ROUTE_SHIFT | to, cargo);
    }

    /** The event at hand is one of this network's. */
    public void head() {
        long packet = events.first();
        long rest = events.second();
        int vertex = events.target();
        int target = (int) packet & TARGET_MASK;
        if (packet == ROOM) {
            look((int) rest);
        } else if (vertex == target) {
            arrive(packet, rest);
        } else {
            int route = (int) packet >>> ROUTE_SHIFT & ROUTE_MASK;
            int link = topology.next(vertex, target, route);
            int buffer = buffer(link, route);
            int spare = topology.entersRing((int) (rest >>> CAME_SHIFT) - 1, link) ? 1 : 0;
            int lines = row(buffer) + LINES;
            boolean first = buffers[lines] == NOBODY && (spare == 0 || buffers[lines + 1] == NOBODY);
            if (!first || !start(packet, rest, vertex, link, buffer, spare)) {
                await(packet, rest, vertex, lines + spare);
            }
        }
        if (retryCount > 0) {
            retry();
        }
    }

    /**
     * Reads the parts of the buffers that {@link #head} will read for a future event of this network. The cache misses
     * of several events overlap if all of them are touched before the first one happens. The result has no meaning,
     * but the caller must use it, or the reads are optimised away.
     */
    public long touch() {
        long packet = events.first();
        long rest = events.second();
        int vertex = events.target();
        int target = (int) packet & TARGET_MASK;
        if (packet == ROOM) {
            return buffers[row((int) rest)];
        }
        long read = 0;
        if (vertex != target) {
            int route = (int) packet >>> ROUTE_SHIFT & ROUTE_MASK;
            int row = row(buffer(topology.next(vertex, target, route), route));
            read = buffers[row] + buffers[row + LINE - 1];
        }
        if (rest >>> CAME_SHIFT != 0) {
            int row = row(cameBy(packet, rest));
            read += buffers[row] + buffers[row + LINE - 1];
        }
        return read;
    }

    /** Whether an event of this network that is to come is of a packet at the node it comes from. */
    public boolean departs() {
        return events.first() != ROOM && events.second() >>> CAME_SHIFT == 0;
    }

    /** Whether it is of a packet at the node it is for. */
    public boolean arrives() {
        return ((int) events.first() & TARGET_MASK) == events.target();
    }

    private void retry() {
        for (int i = 0; i < retryCount; i++) {
            look(retries[i]);
        }
        retryCount = 0;
    }

    private void look(int buffer) {
        goOn(buffer, 0);
        goOn(buffer, 1);
    }

    private void arrive(long packet, long rest) {
        long at = events.now() + model.keeps((int) (packet >>> BYTES_SHIFT));
        int buffer = cameBy(packet, rest);
        if (arrival.arrived((int) rest, at, buffer)) {
            giveBack(buffer, at);
        }
    }

    /** A packet that its node could not take in when it arrived leaves its buffer at that time, not before now. */
    public void takenIn(int buffer, long at) {
        giveBack(buffer, at);
        retry();
    }

    /** Starts the packet on a link if it can be known when; a packet that waited for its slot goes on too. */
    private boolean start(long packet, long rest, int vertex, int link, int buffer, int spare) {
        int row = row(buffer);
        long room = roomAt(row, spare);
        if (room == UNKNOWN) {
            return false;
        }
        int both = row(link);
        long free = Math.max(events.now(), buffers[both + FREE_AT]);
        if (room > free && spare == 1) {
            // It would keep the link from those in the ring, which need less room, until then.
            lookAt(room, buffer, vertex);
            return false;
        }
        long at = Math.max(free, room);
        long keeps = model.keeps((int) (packet >>> BYTES_SHIFT));
        buffers[both + FREE_AT] = at + keeps;
        buffers[both + BUSY] += keeps;
        take(row, at);
        events.add(at + model.latencyPs(), topology.end(link), vertex, headKind, packet,
                (long) (link + 1) << CAME_SHIFT | rest & 0xFFFFFFFFL);
        if (rest >>> CAME_SHIFT == 0) {
            departure.departed((int) rest, at + keeps);
        } else {
            giveBack(cameBy(packet, rest), at + keeps);
        }
        return true;
    }

    /** Has the packets in line for a buffer tried again at that time. */
    private void lookAt(long at, int buffer, int vertex) {
        int place = row(buffer) + look;
        if (buffers[place] <= events.now() || at < buffers[place]) {
            buffers[place] = at;
            events.add(at, vertex, vertex, headKind, ROOM, buffer);
        }
    }

    /** When there is a free slot and {@code spare} more; {@link #UNKNOWN} when that is not known yet. */
    private long roomAt(int row, int spare) {
        int taken = (int) buffers[row + TAKEN];
        int needed = taken + 1 + spare - slots;
        if (needed <= 0) {
            return 0;
        }
        return needed > taken ? UNKNOWN : buffers[row + RELEASES + needed - 1];
    }

    /** Forgets slots that are free by then, and takes one for an unknown time. */
    private void take(int row, long at) {
        int base = row + RELEASES;
        int over = 0;
        int count = (int) buffers[row + TAKEN];
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
        buffers[row + TAKEN] = count + 1;
    }

    /** The buffer a packet is in. */
    private int cameBy(long packet, long rest) {
        return buffer((int) (rest >>> CAME_SHIFT) - 1, (int) packet >>> ROUTE_SHIFT);
    }

    /** A packet will have left the slot it came to. */
    private void giveBack(int buffer, long at) {
        int row = row(buffer);
        int base = row + RELEASES;
        int i = base + (int) buffers[row + TAKEN] - 1;
        assert buffers[i] == UNKNOWN;
        while (i > base && buffers[i - 1] > at) {
            buffers[i] = buffers[i - 1];
            i--;
        }
        buffers[i] = at;
        if ((buffers[row + LINES] & buffers[row + LINES + 1]) != NOBODY) {
            if (retryCount == retries.length) {
                retries = Arrays.copyOf(retries, 2 * retryCount);
            }
            retries[retryCount++] = buffer;
        }
    }

    private void await(long packet, long rest, int vertex, int line) {
        if (free == NOBODY) {
            moreWaiting();
        }
        int place = free;
        free = (int) waiting[place + NEXT];
        waiting[place] = packet;
        waiting[place + 1] = rest;
        waiting[place + 2] = vertex;
        waiting[place + NEXT] = NOBODY;
        long ends = buffers[line];
        if (ends == NOBODY) {
            buffers[line] = (long) place << 32 | place;
        } else {
            waiting[(int) ends + NEXT] = place;
            buffers[line] = ends & LAST_OUT | place;
        }
    }

    /** Starts packets in line for a buffer, as far as times are known now. */
    private void goOn(int buffer, int spare) {
        int lines = row(buffer) + LINES;
        int line = lines + spare;
        while (buffers[line] != NOBODY && (spare == 0 || buffers[lines] == NOBODY)) {
            int place = (int) (buffers[line] >>> 32);
            int vertex = (int) waiting[place + 2];
            if (beforeStart != null) {
                beforeStart.accept(vertex);
            }
            int link = buffer < links ? buffer : buffer - links;
            if (!start(waiting[place], waiting[place + 1], vertex, link, buffer, spare)) {
                return;
            }
            buffers[line] = place == (int) buffers[line] ? NOBODY
                    : waiting[place + NEXT] << 32 | buffers[line] & FIRST_OUT;
            waiting[place + NEXT] = free;
            free = place;
        }
    }

    private void moreWaiting() {
        int old = waiting.length;
        waiting = Arrays.copyOf(waiting, Math.max(64 * WAITING, 2 * old));
        for (int place = waiting.length - WAITING; place >= old; place -= WAITING) {
            waiting[place + NEXT] = free;
            free = place;
        }
    }
}
