package io.rankwire.device.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How streams share a link, and what they get of it when frames are lost: in virtual time, on {@link SharedLink}. */
final class CongestionTest {
    private static final long MS = 1_000_000;
    /** Bytes per ns: a gigabit a second. */
    private static final double GIGABIT = 0.125;
    /** A frame of the device, and with what the flow layer and the network add. */
    private static final int PAYLOAD = 1_360;
    private static final int WIRE = SharedLink.PAYLOAD + SharedLink.HEADERS;

    /** What happens in a host beside TCP takes up to so long. */
    private static final int JITTER = 50_000;

    private SharedLink link;
    private FlowPort[] ports;
    /** Ranks that send to the other half as much as they can. */
    private boolean[] sends;
    private boolean[] stopped;
    private long[] arrived;
    private Reno tcp;

    private void open(int ranks, double bytesPerNs, long roundTripNs, int queueBytes, int receiveFrames) {
        link = new SharedLink(new Rand(7), ranks, bytesPerNs, roundTripNs, queueBytes);
        link.room = receiveFrames;
        ports = new FlowPort[ranks];
        sends = new boolean[ranks];
        stopped = new boolean[ranks];
        arrived = new long[ranks];
        tcp = null;
        for (int rank = 0; rank < ranks; rank++) {
            ports[rank] = new FlowPort(link.open(rank), FlowConfig.DATAGRAMS.withReceiveFrames(receiveFrames), 1, 0);
        }
    }

    private int partner(int rank) {
        return (rank + link.ranks / 2) % link.ranks;
    }

    private void run(long ns) {
        long end = link.now + ns;
        for (boolean first = true; first || link.now < end; first = false) {
            long next = first ? link.now : tcp == null ? end : Math.min(end, tcp.next());
            for (int rank = 0; rank < ports.length; rank++) {
                if (!stopped[rank]) {
                    next = Math.min(next, Math.min(link.nextArrival(rank), ports[rank].nextDeadline()));
                }
            }
            link.now = Math.max(next, link.now) + (tcp == null || first ? 0 : tcp.rand.below(JITTER));
            boolean before = tcp != null && tcp.rand.chance(1, 2);
            if (before) {
                tcp.drive();
            }
            for (int rank = 0; rank < ports.length; rank++) {
                if (!stopped[rank]) {
                    drive(rank);
                }
            }
            if (tcp != null && !before) {
                tcp.drive();
            }
        }
    }

    private void drive(int rank) {
        PeerLost lost = ports[rank].advance(link.now);
        if (lost != null) {
            throw lost;
        }
        ports[rank].poll((peer, meta, header, memory, payload, bytes) -> arrived[peer]++, 32);
        if (sends[rank]) {
            Outlet outlet = ports[rank].outlet(partner(rank));
            for (long at = outlet.claim(PAYLOAD); at != Outlet.FULL; at = outlet.claim(PAYLOAD)) {
                outlet.commit(at, PAYLOAD, 1, 0);
            }
        }
    }

    /** The part of the link that the frames of a rank got in the time that was run. */
    private double share(int rank, long ns) {
        long before = arrived[rank];
        run(ns);
        return part(arrived[rank] - before, ns);
    }

    private double part(long frames, long ns) {
        return frames * WIRE / (link.there.bytesPerNs * ns);
    }

    /** How many of 10,000 frames are lost, and the least that a stream then gets of the link, in hundredths. */
    @ParameterizedTest
    @CsvSource({"1000000, 125000", "50000, 60000", "4000000, 500000"})
    void shouldKeepItsGoodputUnderRandomLoss(long roundTripNs, int queueBytes) {
        double[] shares = new double[3];
        int[] losses = {0, 100, 500};
        long warm = Math.max(50 * MS, 50 * roundTripNs);
        for (int i = 0; i < losses.length; i++) {
            open(2, GIGABIT, roundTripNs, queueBytes, 4_000);
            link.loss = losses[i];
            sends[0] = true;
            run(warm);
            shares[i] = share(0, 4 * warm);
        }
        String seen = "%.3f of the link, at 1 %% loss %.3f, at 5 %% %.3f".formatted(shares[0], shares[1], shares[2]);
        assertTrue(shares[0] > 0.95 && shares[1] > 0.93 * shares[0] && shares[2] > 0.8 * shares[0], seen);
    }

    @ParameterizedTest
    @CsvSource({"1000000, 125000, 0", "1000000, 40000, 0", "1000000, 125000, 100", "100000, 100000, 0"})
    void shouldShareALinkFairlyWithAnother(long roundTripNs, int queueBytes, int loss) {
        open(4, GIGABIT, roundTripNs, queueBytes, 4_000);
        link.loss = loss;
        sends[0] = true;
        run(100 * MS);
        sends[1] = true;
        run(400 * MS);
        long before = arrived[1];
        double first = share(0, 400 * MS);
        double second = part(arrived[1] - before, 400 * MS);
        String seen = "%.3f and %.3f of the link".formatted(first, second);
        assertTrue(first > 0.4 && first < 0.6 && second > 0.4 && second < 0.6 && first + second > 0.9, seen);
    }

    @ParameterizedTest
    @CsvSource({"1000000, 125000", "1000000, 60000"})
    void shouldShareALinkFairlyWithTcp(long roundTripNs, int queueBytes) {
        open(2, GIGABIT, roundTripNs, queueBytes, 4_000);
        sends[0] = true;
        tcp = new Reno();
        run(300 * MS);
        long before = tcp.arrived;
        double ours = share(0, 600 * MS);
        double theirs = part(tcp.arrived - before, 600 * MS);
        String seen = "%.3f, and TCP %.3f of the link".formatted(ours, theirs);
        assertTrue(ours > 0.3 && theirs > 0.3 && ours + theirs > 0.9, seen);
    }

    @Test
    void shouldFollowTheRateOfTheLink() {
        open(2, GIGABIT, MS, 125_000, 4_000);
        sends[0] = true;
        run(300 * MS);
        link.there.bytesPerNs = GIGABIT / 5;
        run(50 * MS);
        long resent = ports[0].resent();
        long before = arrived[0];
        double less = share(0, 300 * MS);
        double again = (double) (ports[0].resent() - resent) / (arrived[0] - before);
        link.there.bytesPerNs = GIGABIT;
        run(200 * MS);
        double more = share(0, 300 * MS);
        String seen = "%.3f of the slow link, %.4f sent again, then %.3f of the fast one".formatted(less, again, more);
        assertTrue(less > 0.93 && again < 0.02 && more > 0.93, seen);
    }

    @Test
    void shouldSendNoMoreThanTheReceiverHasRoomForWhileItIsStopped() {
        open(2, GIGABIT, MS / 5, 125_000, 92);
        sends[0] = true;
        double before = share(0, 200 * MS);
        stopped[1] = true;
        long sent = link.sent[0];
        run(1_000 * MS);
        stopped[1] = false;
        long more = link.sent[0] - sent;
        double after = share(0, 50 * MS);
        String seen = "%.3f of the link before, %.3f after, %d sent meanwhile, %d overrun".formatted(
                before, after, more, link.overrun);
        assertEquals(0, link.overrun, seen);
        assertTrue(before > 0.9 && after > 0.8 * before && more < 92, seen);
    }

    /** A receiver whose process runs only half of the time loses nothing, and hardly a frame is repeated. */
    @Test
    void shouldNotTakeALateReceiverForALossyPath() {
        open(2, GIGABIT, MS / 10, 125_000, 1_000);
        sends[0] = true;
        run(20 * MS);
        long before = arrived[0];
        long resent = ports[0].resent();
        for (int turn = 0; turn < 50; turn++) {
            stopped[1] = turn % 2 == 0;
            run((2 + turn % 5) * MS);
        }
        stopped[1] = false;
        run(MS);
        double got = part(arrived[0] - before, 201 * MS);
        resent = ports[0].resent() - resent;
        String seen = "%.3f of the link, %d resent, %d overrun".formatted(got, resent, link.overrun);
        assertTrue(got > 0.5 && resent < 200 && link.overrun == 0, seen);
    }

    /** The last frames of a burst are lost: no later one shows it, and the time-out is the least there is. */
    @Test
    void shouldNoticeSoonThatTheLastFramesAreLost() {
        open(2, GIGABIT, MS / 10, 125_000, 4_000);
        for (int round = 0; round < 20; round++) {
            long before = arrived[0];
            Outlet outlet = ports[0].outlet(1);
            for (int i = 0; i < 12; i++) {
                link.loss = i < 12 - round % 4 ? 0 : 10_000;
                outlet.commit(outlet.claim(PAYLOAD), PAYLOAD, 1, 0);
            }
            link.loss = 0;
            long start = link.now;
            while (arrived[0] < before + 12) {
                run(MS / 10);
            }
            long ns = link.now - start;
            assertTrue(round == 0 || ns < 2 * MS, ns + " ns in round " + round);
            run(round * MS);
        }
    }

    /** A receiver that looks only now and then, and its socket has no room for the first windows of all senders. */
    @Test
    void shouldDivideTheRoomOfAReceiverAmongManySenders() {
        int senders = 16;
        open(2 * senders, 10 * GIGABIT, MS / 10, 1 << 20, 200);
        int slow = senders;
        FlowPort receiver = ports[slow];
        for (long step = 0; step < 2_000; step++) {
            for (int rank = 0; rank < senders; rank++) {
                PeerLost lost = ports[rank].advance(link.now);
                assertEquals(null, lost);
                ports[rank].poll((peer, meta, header, memory, payload, bytes) -> { }, 32);
                Outlet outlet = ports[rank].outlet(slow);
                for (long at = outlet.claim(PAYLOAD); at != Outlet.FULL; at = outlet.claim(PAYLOAD)) {
                    outlet.commit(at, PAYLOAD, 1, 0);
                }
            }
            if (step % 10 == 0) {
                receiver.advance(link.now);
                receiver.poll((peer, meta, header, memory, payload, bytes) -> arrived[peer]++, 64);
            }
            link.now += 10_000;
        }
        long all = 0;
        for (int rank = 0; rank < senders; rank++) {
            all += arrived[rank];
        }
        String seen = all + " arrived, " + link.overrun + " overrun";
        assertTrue(all > 9_000 && link.overrun < all / 100, seen);
    }

    /**
     * The simplest model of TCP: each frame is acknowledged, and the window cut once a round trip in which one is lost.
     * Hosts are late by some microseconds, as real ones are; otherwise one sender would lose most of the frames.
     */
    private final class Reno {
        /** A frame: when its fate is known to the sender, when it was sent, and whether it is lost. */
        private record Fate(long at, long sentAt, boolean lost) {}

        private final PriorityQueue<Fate> fates = new PriorityQueue<>(Comparator.comparingLong(Fate::at));
        private final Rand rand = new Rand(11);
        private double window = 10;
        private double threshold = Double.MAX_VALUE;
        private long cutAt;
        private long roundTrip = MS;
        long arrived;

        long next() {
            return fates.isEmpty() ? link.now : fates.peek().at;
        }

        void drive() {
            while (!fates.isEmpty() && fates.peek().at <= link.now) {
                Fate fate = fates.poll();
                if (!fate.lost) {
                    arrived++;
                    roundTrip = link.now - fate.sentAt;
                    window += window < threshold ? 1 : 1 / window;
                } else if (fate.sentAt >= cutAt) {
                    window = Math.max(2, window / 2);
                    threshold = window;
                    cutAt = link.now;
                }
            }
            while (fates.size() < (int) window) {
                long at = link.there.arrival(WIRE);
                long known = at < 0 ? link.now + roundTrip : at + link.back.delayNs;
                fates.add(new Fate(known + rand.below(JITTER), link.now, at < 0));
            }
        }
    }
}
