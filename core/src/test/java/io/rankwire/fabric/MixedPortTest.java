package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two ports that are one: ranks with even numbers are on one host, the others on another. */
final class MixedPortTest extends FabricContract {
    /** Polls after which a silent network must have been looked at. */
    private static final int SOON = 1024;
    private static final int LONG = 200_000;

    private HostsFabric fabric;

    @Override
    Port open(int rank, int ranks) {
        if (fabric == null) {
            fabric = new HostsFabric(ranks, each -> each % 2, 512, 1024);
        }
        return fabric.open(rank);
    }

    @Test
    void shouldKeepEachSenderInOrder() throws Exception {
        int ranks = 5;
        List<Port> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            all.add(port(rank, ranks));
        }
        Rand rand = new Rand(17);
        long[][] sent = new long[ranks][ranks];
        long[][] came = new long[ranks][ranks];
        int total = 0;
        for (int i = 0; i < 40_000; i++) {
            int from = rand.below(ranks);
            int to = (from + 1 + rand.below(ranks - 1)) % ranks;
            int bytes = rand.chance(1, 20) ? rand.below(all.get(from).maxPayload(to) + 1) : rand.below(60);
            if (send(all.get(from), to, 1 + from, sent[from][to], bytes)) {
                sent[from][to]++;
                total++;
            }
            Port polled = all.get(rand.below(ranks));
            polled.poll(sink(polled.self()), 1 + rand.below(LIMIT));
            if (rand.chance(1, 10)) {
                polled.rest();
            }
        }
        for (Got frame : await(total)) {
            assertEquals(came[frame.peer()][frame.to()]++, frame.header(), frame::toString);
        }
        assertTrue(total > 10_000);
    }

    @Test
    void shouldHearASilentNetworkSoonAndOneInUseAtOnce() throws Exception {
        Port here = port(0, 4);
        Port inside = port(2, 4);
        Port outside = port(1, 4);
        for (int round = 0; round < 5; round++) {
            poll(here, LONG);
            assertTrue(send(outside, 0, 1, 7, 8));
            hear(here, 1, SOON, "a silent network was not looked at");
            assertTrue(send(outside, 0, 1, 7, 8));
            hear(here, 1, 1, "a network in use was not looked at");
            poll(here, LONG);
            assertTrue(send(outside, 0, 1, 7, 8) && send(inside, 0, 1, 7, 8));
            here.rest();
            hear(here, 2, 1, "an owner that rested has not looked at both");
            poll(here, LONG);
            assertTrue(send(outside, 0, 1, 7, 8) && send(here, 1, 1, 7, 8));
            hear(here, 1, 1, "an owner that sent has not looked for the answer");
            hear(outside, 1, SOON, "it was sent");
        }
        for (int silent = 1; silent < LONG; silent *= 3) {
            poll(here, silent);
            assertTrue(send(outside, 0, 1, 7, 8));
            hear(here, 1, 1 + Math.min(SOON, silent / 64), "late by more than a sixty-fourth of " + silent);
        }
        poll(here, LONG);
        assertFalse(here.mayHaveFrames());
        assertTrue(send(outside, 0, 1, 7, 8));
        assertTrue(here.mayHaveFrames());
        assertEquals(1, here.pollAll(sink(0), LIMIT));
    }

    /** Most passes until a frame has come. */
    private void hear(Port port, int frames, int most, String otherwise) {
        for (int passes = 0; passes < most && got.size() < frames; passes++) {
            poll(port, 1);
        }
        assertEquals(frames, taken().size(), otherwise);
    }

    private void poll(Port port, int times) {
        for (int i = 0; i < times; i++) {
            port.poll(sink(port.self()), LIMIT);
        }
    }

    @Test
    void shouldHaveLargerFramesWhereTheyFit() throws Exception {
        Port port = port(0, 4);
        assertEquals(port.traits().maxPayload(), port.maxPayload(2));
        assertTrue(port.maxPayload(1) > port.maxPayload(2));
        Port peer = port(1, 4);
        assertTrue(send(port, 1, 3, 9, port.maxPayload(1)));
        assertEquals(List.of(new Got(1, 0, 3, 9, port.maxPayload(1))), await(1));
        assertEquals(1, peer.self());
    }

    @Test
    void shouldShareMemoryInsideAlone() throws Exception {
        Port here = port(0, 4);
        Port inside = port(2, 4);
        Port outside = port(1, 4);
        Shared mine = here.memory().allocate(100);
        outside.memory().allocate(100);
        assertTrue(here.memory().isMappable());
        for (int rank = 0; rank < 4; rank++) {
            assertEquals(rank % 2 == 0, here.memory().reaches(rank));
            assertEquals(rank % 2 == 1, outside.memory().reaches(rank));
        }
        assertSame(mine.memory(), inside.memory().peer(0, mine.id()));
        assertNull(outside.memory().peer(0, mine.id()));
        assertNull(here.memory().peer(1, mine.id()));
        assertSame(here.memory().common(5, 64), inside.memory().common(5, 64));
        assertEquals("the rank is on another host", here.peerMemory().obstacle(1));
        assertEquals(Long.MAX_VALUE, here.peerMemory().worthFrom(1));
        assertNotNull(here.peerMemory().obstacle(2));
    }

    @Test
    void shouldOfferItsMemoryToTheNetworkAndReachOthersByIt() {
        try (LocalFabric a = new LocalFabric(3); LocalFabric b = new LocalFabric(3)) {
            List<String> calls = new ArrayList<>();
            Port port = MixedPort.over(a.open(0), new Reaching(b.open(0), calls), new boolean[] {true, true, false});
            Shared mine = port.memory().allocate(100);
            RemoteMemory remote = port.remoteMemory();
            assertFalse(remote.reaches(1));
            assertTrue(remote.reaches(2));
            assertEquals(Long.MAX_VALUE, remote.worthFrom(1));
            assertEquals(4096, remote.worthFrom(2));
            assertEquals(RemoteMemory.DONE, remote.state(remote.read(2, 7, 0, mine, 0, 8)));
            port.memory().free(mine);
            assertEquals(List.of("offer " + mine.id(), "read 7", "withdraw " + mine.id()), calls);
            Port without = MixedPort.over(a.open(1), b.open(1), new boolean[] {true, true, false});
            assertSame(RemoteMemory.NONE, without.remoteMemory());
        }
    }

    /** A port that reaches the memory of all peers. */
    private static final class Reaching extends PortLayer {
        private final List<String> calls;

        Reaching(Port below, List<String> calls) {
            super(below);
            this.calls = calls;
        }

        @Override
        public RemoteMemory remoteMemory() {
            return new RemoteMemory() {
                @Override
                public boolean reaches(int rank) {
                    return true;
                }

                @Override
                public long worthFrom(int rank) {
                    return 4096;
                }

                @Override
                public void offer(Shared shared) {
                    calls.add("offer " + shared.id());
                }

                @Override
                public void withdraw(Shared shared) {
                    calls.add("withdraw " + shared.id());
                }

                @Override
                public long read(int rank, long place, long offset, Shared to, long toOffset, long bytes) {
                    calls.add("read " + place);
                    return 1;
                }

                @Override
                public long write(int rank, long place, long offset, Shared from, long fromOffset, long bytes) {
                    return FULL;
                }

                @Override
                public int state(long ticket) {
                    return DONE;
                }
            };
        }
    }

    @Test
    void shouldReportLossesOfBothAndCloseBoth() {
        try (LocalFabric a = new LocalFabric(3); LocalFabric b = new LocalFabric(3)) {
            List<String> calls = new ArrayList<>();
            Port inside = new Failing(a.open(0), new PeerLost(1, "killed"), 70, "inside", calls);
            Port between = new Failing(b.open(0), new PeerLost(2, "cut off"), 50, "between", calls);
            Port both = MixedPort.over(inside, between, new boolean[] {true, true, false});
            assertEquals(50, both.nextDeadline());
            assertEquals(1, both.advance(1).rank());
            assertEquals(2, both.advance(1).rank());
            assertNull(both.advance(1));
            both.dismiss(1);
            both.dismiss(2);
            assertThrows(IllegalStateException.class, both::close);
            assertEquals(List.of("inside dismisses 1", "between dismisses 2", "between closes", "inside closes"),
                    calls);
            assertThrows(IllegalArgumentException.class,
                    () -> MixedPort.over(inside, between, new boolean[] {true, true}));
            assertThrows(IllegalArgumentException.class,
                    () -> MixedPort.over(inside, between, new boolean[] {false, true, true}));
            assertThrows(IllegalArgumentException.class,
                    () -> MixedPort.over(inside, b.open(1), new boolean[] {true, true, false}));
        }
    }

    /** A port that finds a peer lost, and fails to close. */
    private static final class Failing extends PortLayer {
        private PeerLost lost;
        private final long deadline;
        private final String name;
        private final List<String> calls;

        Failing(Port below, PeerLost lost, long deadline, String name, List<String> calls) {
            super(below);
            this.lost = lost;
            this.deadline = deadline;
            this.name = name;
            this.calls = calls;
        }

        @Override
        public PeerLost advance(long nowNs) {
            PeerLost found = lost;
            lost = null;
            return found;
        }

        @Override
        public long nextDeadline() {
            return deadline;
        }

        @Override
        public void dismiss(int peer) {
            calls.add(name + " dismisses " + peer);
        }

        @Override
        public void close() {
            calls.add(name + " closes");
            below.close();
            throw new IllegalStateException(name);
        }
    }
}
