package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.memory.Rand;
import io.rankwire.memory.RingLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What fabrics of line rings promise beyond the contract of all: silent peers cost little, and memory is shared. */
abstract class RingContract extends FabricContract {
    /** More polls than a silent peer stays awake for, and enough for each to be put to sleep. */
    private static final int LONG_SILENCE = 8_000;

    private final FrameSink sink = sink(0);

    /** Opens a rank's port; all ports of a test have the same size and ring lines. */
    abstract Port open(int rank, int ranks, int ringLines) throws Exception;

    @Override
    final Port open(int rank, int ranks) throws Exception {
        return open(rank, ranks, 512);
    }

    final Port port(int rank, int ranks, int ringLines) throws Exception {
        return opened(open(rank, ranks, ringLines));
    }

    @Test
    void shouldHaveOneOutletAPeerAndFramesSmallerThanARing() throws Exception {
        Port port = port(1, 3, 512);
        assertSame(port.outlet(0), port.outlet(0));
        assertTrue(port.traits().maxPayload() < 512 * RingLayout.LINE / 4, () -> port.traits().toString());
    }

    private void pollUntil(Port port, int frames) {
        for (int polls = 0; polls < 10 && got.size() < frames; polls++) {
            port.poll(sink, LIMIT);
        }
        assertEquals(frames, got.size());
    }

    @Test
    void shouldBeWokenByThoseWhoWereSilent() throws Exception {
        Port hub = port(0, MANY, 64);
        List<Port> others = new ArrayList<>();
        for (int rank = 1; rank < MANY; rank++) {
            others.add(port(rank, MANY, 64));
            assertTrue(send(others.get(rank - 1), 0, 3, rank, 0));
        }
        pollUntil(hub, MANY - 1);
        taken();
        for (int round = 0; round < 3; round++) {
            silence(hub);
            for (int rank = MANY - 1; rank >= 1; rank -= 17) {
                assertTrue(send(others.get(rank - 1), 0, 8, rank, 5));
                assertEquals(1, hub.poll(sink, LIMIT), "the bell of rank " + rank + " was not answered");
                assertEquals(List.of(new Got(0, rank, 8, rank, 5)), taken());
            }
        }
        silence(hub);
        for (int rank = 1; rank < MANY; rank++) {
            assertTrue(send(others.get(rank - 1), 0, 8, rank, 5));
        }
        pollUntil(hub, MANY - 1);
        assertEquals(0, hub.pollAll(sink, LIMIT));
    }

    private void silence(Port hub) {
        for (int i = 0; i < LONG_SILENCE; i++) {
            assertEquals(0, hub.poll(sink, LIMIT));
        }
    }

    /** The speaker among many silent ones fills its ring and drains it again, over and over. */
    @Test
    void shouldKeepASpeakerGoingWhileOthersSleep() throws Exception {
        Port hub = port(0, 10, 64);
        List<Port> others = new ArrayList<>();
        for (int rank = 1; rank < 10; rank++) {
            others.add(port(rank, 10, 64));
            assertTrue(send(others.get(rank - 1), 0, 3, rank, 0));
        }
        pollUntil(hub, 9);
        taken();
        Port speaker = others.get(6);
        long next = 0;
        long expected = 0;
        for (int round = 0; round < 6_000; round++) {
            if (send(speaker, 0, 2, next, 40)) {
                next++;
            }
            if (round % 3 == 0) {
                hub.poll(sink, LIMIT);
            }
            for (Got frame : taken()) {
                assertEquals(new Got(0, 7, 2, expected++, 40), frame);
            }
        }
        hub.pollAll(sink, 64);
        assertEquals(next, expected + got.size());
        assertNotEquals(0, next);
    }

    @Test
    void shouldFindEverythingWithPollAllWhateverSleeps() throws Exception {
        Port hub = port(0, 8, 64);
        List<Port> others = new ArrayList<>();
        for (int rank = 1; rank < 8; rank++) {
            others.add(port(rank, 8, 64));
            assertTrue(send(others.get(rank - 1), 0, 3, rank, 0));
        }
        pollUntil(hub, 7);
        silence(hub);
        got.clear();
        for (int round = 0; round < 300; round++) {
            for (Port other : others) {
                assertTrue(send(other, 0, 3, round, 100), "no room in round " + round);
            }
            while (hub.pollAll(sink, LIMIT) > 0) {
                hub.rest();
            }
            assertEquals(7, taken().size(), "frames in round " + round);
        }
    }

    @Test
    void shouldHandMemoryToPeers() throws Exception {
        Port a = port(0, 3, 64);
        Port b = port(1, 3, 64);
        Shared shared = a.memory().allocate(1000);
        MemorySegment mine = shared.memory();
        assertEquals(1000, mine.byteSize());
        assertEquals(0, mine.address() % SharedMemory.ALIGNMENT);
        assertEquals(-1, mine.mismatch(MemorySegment.ofArray(new byte[1000])));
        MemorySegment theirs = b.memory().peer(0, shared.id());
        assertEquals(1000, theirs.byteSize());
        assertSame(theirs, b.memory().peer(0, shared.id()));
        mine.set(ValueLayout.JAVA_BYTE, 999, (byte) 7);
        theirs.set(ValueLayout.JAVA_BYTE, 0, (byte) 8);
        assertEquals(7, theirs.get(ValueLayout.JAVA_BYTE, 999));
        assertEquals(8, mine.get(ValueLayout.JAVA_BYTE, 0));
        assertSame(mine, a.memory().peer(0, shared.id()));
        assertNull(b.memory().peer(0, shared.id() + 1));
        assertNull(b.memory().peer(2, shared.id()));
        assertNull(b.memory().peer(1, shared.id()));
    }

    @Test
    void shouldForgetMemoryThatWasFreed() throws Exception {
        Port a = port(0, 2, 64);
        Port b = port(1, 2, 64);
        Shared first = a.memory().allocate(64);
        assertNotNull(b.memory().peer(0, first.id()));
        a.memory().free(first);
        a.memory().free(first);
        assertNull(b.memory().peer(0, first.id()));
        assertNull(a.memory().peer(0, first.id()));
        assertNull(a.memory().find(first.memory(), 0, 1));
        assertThrows(IllegalStateException.class, () -> first.memory().get(ValueLayout.JAVA_BYTE, 0));
        Shared second = a.memory().allocate(128);
        assertNotEquals(first.id(), second.id());
        assertNull(b.memory().peer(0, first.id()));
        assertEquals(128, b.memory().peer(0, second.id()).byteSize());
        assertNull(b.memory().peer(0, first.id()), "an old id must not find what took its place");
        assertEquals(0, a.memory().allocate(0).memory().byteSize());
    }

    @Test
    void shouldGiveMoreThanTwoGibibytes() throws Exception {
        long bytes = (3L << 30) + 5;
        assumeTrue(freeBytes() > 2 * bytes, "skipped: needs " + 2 * bytes + " bytes of memory");
        Port a = port(0, 2, 64);
        Port b = port(1, 2, 64);
        Shared shared = a.memory().allocate(bytes);
        shared.memory().set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 3);
        MemorySegment theirs = b.memory().peer(0, shared.id());
        assertEquals(bytes, theirs.byteSize());
        assertEquals(3, theirs.get(ValueLayout.JAVA_BYTE, bytes - 1));
        assertEquals(0, theirs.get(ValueLayout.JAVA_BYTE, bytes - 2));
        a.memory().free(shared);
    }

    static long freeBytes() throws IOException {
        Path file = Path.of("/proc/meminfo");
        if (!Files.exists(file)) {
            return 0;
        }
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("MemAvailable:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        return 0;
    }

    /** Sends, looks and ends in any order; each frame must come once and in its sender's order. */
    @Test
    void shouldLoseNothingWhenRingsAreGivenBackAndMadeAnew() throws Exception {
        int ranks = 3;
        Port[] ports = {port(0, ranks, 64), port(1, ranks, 64), port(2, ranks, 64)};
        long[][] sent = new long[ranks][ranks];
        long[][] came = new long[ranks][ranks];
        Rand rand = new Rand(17);
        int ended = 0;
        for (int step = 0; step < 20_000; step++) {
            int from = rand.below(ranks);
            int to = (from + 1 + rand.below(ranks - 1)) % ranks;
            switch (rand.below(8)) {
                case 0, 1 -> {
                    boolean isSent = send(ports[from], to, 5, sent[from][to], size(rand, ports[from]));
                    sent[from][to] += isSent ? 1 : 0;
                }
                case 2, 3, 4 -> ended += ports[from].forget(to) ? 1 : 0;
                case 5 -> ports[from].rest();
                case 6 -> ports[from].pollAll(sink(from), 1 + rand.below(4));
                default -> ports[from].poll(sink(from), 1 + rand.below(4));
            }
            check(came);
        }
        assertTrue(ended > 300, ended + " rings ended");
        for (int round = 0; round < 10_000 && ringBytes(ports) > 0; round++) {
            for (int rank = 0; rank < ranks; rank++) {
                ports[rank].pollAll(sink(rank), LIMIT);
                ports[rank].rest();
                ports[rank].forget((rank + 1) % ranks);
                ports[rank].forget((rank + 2) % ranks);
            }
            check(came);
        }
        assertEquals(0, ringBytes(ports), "bytes of rings that nothing goes through");
        assertArrayEquals(sent, came);
    }

    private static int size(Rand rand, Port port) {
        return rand.chance(1, 2) ? 8 * rand.below(3) : rand.below(port.traits().maxPayload() + 1);
    }

    private void check(long[][] came) {
        for (Got frame : taken()) {
            assertEquals(came[frame.peer()][frame.to()]++, frame.header(), () -> "order of " + frame);
        }
    }

    private static long ringBytes(Port... ports) {
        long bytes = 0;
        for (Port port : ports) {
            bytes += ((RingPort) port).ringBytes();
        }
        return bytes;
    }

    /** A reader that sleeps is rung once for both: the end of the old ring, and the first frame of the new one. */
    @Test
    void shouldFindANewRingWhoseBellIsThatOfTheOldOne() throws Exception {
        Port hub = port(0, MANY, 64);
        List<Port> others = new ArrayList<>();
        for (int rank = 1; rank < MANY; rank++) {
            others.add(port(rank, MANY, 64));
            assertTrue(send(others.get(rank - 1), 0, 3, rank, 0));
        }
        pollUntil(hub, MANY - 1);
        Port writer = others.get(7);
        for (int round = 0; round < 3; round++) {
            taken();
            assertFalse(writer.forget(0), "the reader was not asked");
            hub.pollAll(sink, LIMIT);
            silence(hub);
            assertTrue(writer.forget(0));
            assertTrue(send(writer, 0, 8, round, 5));
            pollUntil(hub, 1);
            assertEquals(List.of(new Got(0, 8, 8, round, 5)), taken());
        }
    }

    /** Another thread reads: a bell may be taken before the end of the old ring is seen, or after. */
    @Test
    void shouldFindEachNewRingWhateverTheReaderIsDoing() throws Exception {
        Port writer = port(0, 2, 64);
        Port reader = port(1, 2, 64);
        long[] came = new long[1];
        boolean[] over = new boolean[1];
        int rings = 300;
        Thread reads = new Thread(() -> {
            while (came[0] < rings && !Thread.interrupted()) {
                reader.poll((peer, meta, header, memory, payload, bytes) -> {
                    assertEquals(came[0], header);
                    came[0]++;
                }, LIMIT);
                reader.rest();
                Thread.yield();
            }
            over[0] = came[0] == rings;
        });
        reads.start();
        for (int i = 0; i < rings; i++) {
            assertTrue(send(writer, 1, 5, i, 8));
            while (i + 1 < rings && !writer.forget(1)) {
                assertTrue(reads.isAlive(), "the reader has failed");
                Thread.yield();
            }
        }
        reads.join(60_000);
        reads.interrupt();
        reads.join();
        assertTrue(over[0], () -> came[0] + " frames of " + rings + " have come");
    }
}
