package io.rankwire.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Members;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Place;
import io.rankwire.fabric.Secret;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Ports over connections that break at any byte, against a queue of frames for each pair of ranks. */
final class TcpModelTest {
    private static final int SEEDS = 60;
    private static final int STEPS = 1_500;
    private static final int MOST_STEPS = 300_000;

    /** Encrypted connections change their keys often. */
    private static final TcpConfig CONFIG = new TcpConfig(0, 10_000_000_000L, 1_000_000_000L, 3);

    private record Sent(int meta, long header, int bytes) {}

    /** Ranks on a network, and what each of them still has to get. */
    private static final class Ranks {
        final long seed;
        final Rand rand;
        final ModelNetwork network;
        final List<TcpPort> ports = new ArrayList<>();
        final List<List<Queue<Sent>>> expected = new ArrayList<>();
        final List<List<PeerLost>> losses = new ArrayList<>();
        final List<List<List<MemorySegment>>> lentMemory = new ArrayList<>();
        final List<Sink> sinks = new ArrayList<>();
        final MemorySegment[][] places;
        final long[][] asked;
        long header;
        int waiting;
        int lent;
        int placed;

        Ranks(long seed, int count) {
            this.seed = seed;
            rand = new Rand(seed);
            network = new ModelNetwork(rand, count);
            List<InetSocketAddress> nowhere =
                    Collections.nCopies(count, InetSocketAddress.createUnresolved("model", 1));
            Secret secret = new Secret(new byte[16]);
            places = new MemorySegment[count][count];
            asked = new long[count][count];
            for (int rank = 0; rank < count; rank++) {
                ports.add(new TcpPort(new Members(rank, nowhere, Collections.nCopies(count, "host"), secret,
                        seed % 2 == 0), CONFIG, network.host(rank)));
                losses.add(new ArrayList<>());
                List<Queue<Sent>> row = new ArrayList<>();
                for (int to = 0; to < count; to++) {
                    row.add(new ArrayDeque<>());
                }
                expected.add(row);
                sinks.add(new Sink(rank));
                lentMemory.add(new ArrayList<>());
                for (int to = 0; to < count; to++) {
                    places[rank][to] = memory(Link.MOST_FRAME, (rank + to) % 2 == 0);
                    asked[rank][to] = -1;
                    lentMemory.get(rank).add(new ArrayList<>());
                }
            }
        }

        String where() {
            return "seed " + seed;
        }

        /** What a rank gets. It has a place for every other frame, and forgets some of the places. */
        private final class Sink implements FrameSink {
            final int self;
            long forgotten = -1;

            Sink(int self) {
                this.self = self;
            }

            private void arrived(int from, int meta, long header, int bytes) {
                assertEquals(expected.get(from).get(self).poll(), new Sent(meta, header, bytes), Ranks.this::where);
                waiting--;
            }

            private void check(long header, MemorySegment memory, long at, int first, int end) {
                for (int i = first; i < end; i++) {
                    if (memory.get(ValueLayout.JAVA_BYTE, at + i - first) != (byte) (header * 7 + i)) {
                        throw new AssertionError("byte " + i + " of frame " + header + " was changed, " + where());
                    }
                }
            }

            @Override
            public void frame(int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
                arrived(from, meta, header, bytes);
                check(header, memory, payload, 0, bytes);
            }

            @Override
            public boolean place(int from, int meta, long header, long first, int bytes, Place to) {
                Sent next = expected.get(from).get(self).peek();
                assertEquals(next, new Sent(meta, header, bytes), Ranks.this::where);
                assertEquals((byte) (header * 7), (byte) first, Ranks.this::where);
                forgotten = isAsked(from, header) && rand.chance(1, 50) ? header : forgotten;
                asked[from][self] = header;
                to.memory = places[from][self];
                to.lead = lead(header);
                to.offset = to.lead;
                return header % 2 == 0 && header != forgotten;
            }

            private boolean isAsked(int from, long header) {
                return asked[from][self] == header;
            }

            @Override
            public void placed(int from, int meta, long header, long first, int bytes) {
                arrived(from, meta, header, bytes);
                int lead = lead(header);
                if (header != forgotten) {
                    check(header, places[from][self], lead, lead, bytes);
                }
                placed++;
            }
        }

        private static int lead(long header) {
            return 8 * (1 + (int) header % 7);
        }

        private static MemorySegment memory(int bytes, boolean isArray) {
            return isArray ? MemorySegment.ofArray(new byte[bytes]) : Arena.ofAuto().allocate(bytes);
        }

        boolean send(int from, int to, int bytes) {
            Outlet outlet = ports.get(from).outlet(to);
            long at = outlet.claim(bytes);
            if (at == Outlet.FULL) {
                return false;
            }
            MemorySegment memory = bytes > 64 && rand.chance(1, 2) ? memory(bytes, rand.chance(1, 2)) : null;
            if (memory != null && outlet.borrows(memory)) {
                lend(from, to, at, bytes, memory);
                return true;
            }
            Sent sent = new Sent(1 + rand.below(0xFFFF), header++, rand.chance(1, 8) ? rand.below(bytes + 1) : bytes);
            for (int i = 0; i < sent.bytes; i++) {
                outlet.memory().set(ValueLayout.JAVA_BYTE, at + i, (byte) (sent.header * 7 + i));
            }
            outlet.commit(at, sent.bytes, sent.meta, sent.header);
            expected.get(from).get(to).add(sent);
            waiting++;
            return true;
        }

        /** Sends a frame from memory that is written again once it is settled. */
        private void lend(int from, int to, long at, int bytes, MemorySegment memory) {
            Outlet outlet = ports.get(from).outlet(to);
            Sent sent = new Sent(1 + rand.below(0xFFFF), header++, bytes);
            int lead = lead(rand.below(100));
            for (int i = 0; i < bytes; i++) {
                MemorySegment part = i < lead ? outlet.memory() : memory;
                part.set(ValueLayout.JAVA_BYTE, i < lead ? at + i : i, (byte) (sent.header * 7 + i));
            }
            outlet.hold();
            outlet.lend(at, bytes, sent.meta, sent.header, lead, memory, lead);
            expected.get(from).get(to).add(sent);
            waiting++;
            lent++;
            if (rand.chance(1, 2)) {
                send(from, to, rand.below(40_000));
            }
            outlet.release();
            lentMemory.get(from).get(to).add(memory);
            if (rand.chance(1, 4)) {
                outlet.settle();
                lentMemory.get(from).get(to).forEach(each -> each.fill((byte) 0));
                lentMemory.get(from).get(to).clear();
            }
        }

        void sendAny() {
            int from = rand.below(ports.size());
            int to = (from + 1 + rand.below(ports.size() - 1)) % ports.size();
            int most = rand.below((rand.chance(1, 4) ? Link.MOST_PAYLOAD : 64 << 10) + 1);
            int bytes = rand.chance(1, 10) ? most & ~(rand.chance(1, 2) ? 7 : 0) : rand.below(100);
            for (int count = rand.chance(1, 4) ? rand.below(30) : 1; count > 0 && send(from, to, bytes); count--) {
                assertTrue(count > 0);
            }
        }

        void step(int rank) {
            TcpPort port = ports.get(rank);
            for (PeerLost lost = port.advance(network.now); lost != null; lost = port.advance(network.now)) {
                losses.get(rank).add(lost);
                port.dismiss(lost.rank());
            }
            port.poll(sinks.get(rank), 1 + rand.below(20));
            if (rand.chance(1, 4)) {
                port.rest();
            }
        }

        void trouble(int oneIn) {
            if (rand.chance(1, oneIn)) {
                network.breakOne();
            }
            int rank = rand.below(ports.size());
            if (network.isCut(rank) ? rand.chance(1, 40) : rand.chance(1, 20 * oneIn)) {
                network.cut(rank, !network.isCut(rank));
            }
        }

        /** Drives all ranks until every frame has come. */
        void settle() {
            network.isBad = false;
            for (int rank = 0; rank < ports.size(); rank++) {
                network.cut(rank, false);
            }
            for (int steps = 0; waiting > 0; steps++) {
                assertTrue(steps < MOST_STEPS, () -> waiting + " frames do not come, " + where());
                network.pass(1_000_000);
                step(steps % ports.size());
            }
            for (int steps = 0; steps < 200; steps++) {
                network.pass(1_000_000);
                step(steps % ports.size());
            }
        }
    }

    @Test
    void shouldDeliverEachFrameOnceAndInOrderWhateverBreaks() {
        int breaks = 0;
        int dials = 0;
        int lent = 0;
        int placed = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Ranks ranks = run(seed);
            breaks += ranks.network.breaks;
            dials += ranks.network.dials;
            lent += ranks.lent;
            placed += ranks.placed;
        }
        assertTrue(lent > 10 * SEEDS && placed > 2 * SEEDS, "too few: " + lent + " lent, " + placed + " placed");
        assertTrue(breaks > 10 * SEEDS && dials > 5 * SEEDS, "too little happened: " + breaks + ", " + dials);
    }

    /** A commitment of the higher rank came late, when the connection that had replaced it was broken. */
    @Test
    void shouldNotTakeALateConnectionWhenThereIsNone() {
        run(129);
    }

    private static Ranks run(long seed) {
        Ranks ranks = new Ranks(seed, seed % 3 == 0 ? 4 : 2);
        int oneIn = ranks.rand.between(10, 200);
        for (int steps = 0; steps < STEPS; steps++) {
            if (ranks.rand.chance(1, 2)) {
                ranks.sendAny();
            }
            ranks.network.pass(ranks.rand.below(2_000_000));
            ranks.step(ranks.rand.below(ranks.ports.size()));
            ranks.trouble(oneIn);
        }
        ranks.settle();
        for (int rank = 0; rank < ranks.ports.size(); rank++) {
            assertEquals(List.of(), ranks.losses.get(rank), ranks::where);
            assertNull(ranks.ports.get(rank).wrong(), ranks::where);
            for (int to = 0; to < ranks.ports.size(); to++) {
                if (to != rank) {
                    // What was acknowledged gives its memory back.
                    assertFalse(ranks.ports.get(rank).peer(to).link.isUnacknowledged(), ranks::where);
                }
            }
        }
        return ranks;
    }

    @Test
    void shouldUseOneConnectionWhenBothDialAtOnce() {
        for (long seed = 1; seed <= 200; seed++) {
            Ranks ranks = new Ranks(seed, 2);
            assertTrue(ranks.send(0, 1, 8) && ranks.send(1, 0, 8));
            ranks.settle();
            assertEquals(2, ranks.network.open(), ranks::where);
            assertEquals(2, ranks.network.dials, ranks::where);
            for (int rank = 0; rank < 2; rank++) {
                assertNotNull(ranks.ports.get(rank).peer(1 - rank).live, ranks::where);
            }
        }
    }

    @Test
    void shouldReportARankThatHasEndedOnceAndSoon() {
        for (long seed = 1; seed <= 100; seed++) {
            Ranks ranks = new Ranks(seed, 3);
            ranks.send(0, 2, 8);
            ranks.send(1, 2, 8);
            ranks.settle();
            ranks.network.kill(2);
            for (int steps = 0; steps < 100; steps++) {
                ranks.network.pass(1_000_000);
                ranks.step(steps % 2);
            }
            for (int rank = 0; rank < 2; rank++) {
                assertEquals(1, ranks.losses.get(rank).size(), ranks::where);
                PeerLost lost = ranks.losses.get(rank).getFirst();
                assertEquals("rank 2 on host is lost: connection reset, then connection refused", lost.getMessage());
                assertEquals(2, lost.rank());
                assertEquals(Outlet.FULL, ranks.ports.get(rank).outlet(2).claim(8));
            }
            assertTrue(ranks.send(0, 1, 100));
            ranks.waiting = 1;
            ranks.settle();
        }
    }

    @Test
    void shouldReportARankThatIsOutOfReachOnlyAfterSomeTime() {
        Ranks ranks = new Ranks(7, 2);
        ranks.send(0, 1, 8);
        ranks.settle();
        ranks.network.cut(1, true);
        ranks.send(0, 1, 8);
        long cut = ranks.network.now;
        while (ranks.losses.get(0).isEmpty()) {
            assertTrue(ranks.network.now - cut < 20_000_000_000L);
            ranks.network.pass(1_000_000);
            ranks.step(0);
        }
        assertTrue(ranks.network.now - cut > 10_000_000_000L);
        assertEquals("rank 1 on host is lost: no answer for 5 s, then no answer for 10 s",
                ranks.losses.get(0).getFirst().getMessage());
    }

    /** The lower rank has decided for a connection that ends silently, and drops those of the other one meanwhile. */
    @Test
    void shouldNotLoseARankThatWaitsForAConnectionWhichIsForgotten() {
        Ranks ranks = new Ranks(10, 2);
        ranks.network.isBad = false;
        ranks.send(0, 1, 8);
        while (ranks.ports.get(0).peer(1).own.phase != Connection.Phase.COMMITTED) {
            ranks.ports.get(1).advance(ranks.network.now);
            ranks.step(0);
        }
        ranks.network.forgetAll();
        ranks.send(1, 0, 8);
        for (int ms = 0; ms < 2_500; ms++) {
            ranks.network.pass(1_000_000);
            ranks.step(ms % 2);
        }
        assertEquals(0, ranks.waiting);
        assertEquals(List.of(List.of(), List.of()), ranks.losses);
    }

    /** Otherwise the other one would wait for ever. */
    @Test
    void shouldNotAnswerARankThatIsLost() {
        Ranks ranks = new Ranks(11, 2);
        ranks.send(0, 1, 8);
        ranks.settle();
        ranks.ports.get(0).dismiss(1);
        ranks.send(1, 0, 8);
        for (int ms = 0; ranks.losses.get(1).isEmpty(); ms++) {
            assertTrue(ms < 30_000);
            ranks.network.pass(1_000_000);
            ranks.step(ms % 2);
        }
        assertTrue(ranks.network.now > 10_000_000_000L);
    }

    @Test
    void shouldWaitForARankThatDoesNotRun() {
        Ranks ranks = new Ranks(8, 2);
        ranks.send(0, 1, 8);
        ranks.settle();
        ranks.send(0, 1, 8);
        for (int ms = 0; ms < 60_000; ms++) {
            ranks.network.pass(1_000_000);
            ranks.step(0);
        }
        ranks.settle();
        assertEquals(List.of(), ranks.losses.get(0));
    }

    @Test
    void shouldNotCountTimeInWhichItDidNotRunItself() {
        Ranks ranks = new Ranks(9, 2);
        ranks.network.cut(1, true);
        ranks.send(0, 1, 8);
        ranks.network.pass(1_000_000);
        ranks.step(0);
        ranks.network.pass(60_000_000_000L);
        ranks.step(0);
        ranks.settle();
        assertEquals(List.of(), ranks.losses.get(0));
    }

    @Test
    void shouldNotTakeAGoodbyeForALoss() {
        for (long seed = 1; seed <= 50; seed++) {
            Ranks ranks = new Ranks(seed, 2);
            ranks.send(0, 1, 8);
            ranks.send(1, 0, 8);
            ranks.settle();
            ranks.ports.get(1).close();
            ranks.network.end(1);
            for (int ms = 0; ms < 100; ms++) {
                ranks.network.pass(1_000_000);
                ranks.step(0);
            }
            assertEquals(List.of(), ranks.losses.get(0), ranks::where);
            assertTrue(ranks.send(0, 1, 8), "a rank that has closed takes frames, and reads none");
            assertNull(ranks.ports.get(0).peer(1).live);
        }
    }
}
