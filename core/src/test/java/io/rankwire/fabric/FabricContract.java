package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.memory.Rand;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every fabric promises, whatever carries its frames. */
abstract class FabricContract {
    private static final int MANY = 70;
    /** More polls than a silent peer stays awake for, and enough for each to be put to sleep. */
    private static final int LONG_SILENCE = 8_000;
    private static final int LIMIT = 32;

    /** A frame as it arrived; the payload is checked on the spot and only its size kept. */
    record Got(int peer, int meta, long header, int bytes) {}

    private final List<Port> ports = new ArrayList<>();
    private final List<Got> got = new ArrayList<>();
    private final FrameSink sink = this::take;

    /** Opens a rank's port; all ports of a test have the same size and ring lines. */
    abstract Port open(int rank, int ranks, int ringLines) throws Exception;

    final Port port(int rank, int ranks, int ringLines) throws Exception {
        Port port = open(rank, ranks, ringLines);
        ports.add(port);
        return port;
    }

    @AfterEach
    final void closePorts() {
        ports.forEach(Port::close);
    }

    private void take(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
        for (int i = 0; i < bytes; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, payload + i) != (byte) (header * 7 + i)) {
                throw new AssertionError("byte " + i + " of frame " + header + " from " + peer + " was changed");
            }
        }
        got.add(new Got(peer, meta, header, bytes));
    }

    static boolean send(Port from, int to, int meta, long header, int bytes) {
        Outlet outlet = from.outlet(to);
        long at = outlet.claim(bytes);
        if (at == Outlet.FULL) {
            return false;
        }
        for (int i = 0; i < bytes; i++) {
            outlet.memory().set(ValueLayout.JAVA_BYTE, at + i, (byte) (header * 7 + i));
        }
        outlet.commit(at, bytes, meta, header);
        return true;
    }

    private List<Got> taken() {
        List<Got> result = List.copyOf(got);
        got.clear();
        return result;
    }

    @Test
    void shouldTellWhoIsWho() throws Exception {
        Port port = port(1, 3, 512);
        assertEquals(1, port.self());
        assertEquals(3, port.peers());
        PortTraits traits = port.traits();
        assertTrue(traits.ordered() && traits.reliable());
        assertTrue(traits.maxPayload() >= 4000 && traits.maxPayload() < 512 * 64 / 4, () -> traits.toString());
        assertSame(port.outlet(0), port.outlet(0));
        assertEquals(0, port.poll(sink, LIMIT));
        assertEquals(0, port.pollAll(sink, LIMIT));
        port.rest();
    }

    @Test
    void shouldCarryEverySizeInOrder() throws Exception {
        Port a = port(0, 2, 512);
        Port b = port(1, 2, 512);
        int max = a.traits().maxPayload();
        long sent = 0;
        long received = 0;
        for (int bytes = 0; bytes <= max; bytes += bytes < 200 || bytes > max - 70 ? 1 : 37) {
            while (!send(a, 1, 1 + bytes % 999, sent, bytes)) {
                assertTrue(b.poll(sink, LIMIT) > 0, "full, and nothing to poll");
            }
            sent++;
            send(b, 0, 5, -sent, 3);
            a.poll(sink, LIMIT);
            for (Got frame : taken()) {
                if (frame.peer == 0) {
                    assertEquals(received++, frame.header);
                } else {
                    assertEquals(new Got(1, 5, -sent, 3), frame);
                }
            }
        }
        while (b.poll(sink, LIMIT) > 0) {
            received += taken().size();
        }
        assertEquals(sent, received);
    }

    @Test
    void shouldKeepMetaAndHeaderWhole() throws Exception {
        Port a = port(0, 2, 512);
        Port b = port(1, 2, 512);
        long[] headers = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x0123_4567_89AB_CDEFL};
        for (long header : headers) {
            assertTrue(send(a, 1, 0xFFFF, header, 9));
            assertTrue(send(a, 1, 1, header, 0));
        }
        assertEquals(2 * headers.length, b.poll(sink, LIMIT));
        List<Got> all = taken();
        for (int i = 0; i < headers.length; i++) {
            assertEquals(new Got(0, 0xFFFF, headers[i], 9), all.get(2 * i));
            assertEquals(new Got(0, 1, headers[i], 0), all.get(2 * i + 1));
        }
    }

    @Test
    void shouldRefuseWhenFullAndTakeMoreLater() throws Exception {
        Port a = port(0, 2, 512);
        Port b = port(1, 2, 512);
        Rand rand = new Rand(5);
        long next = 0;
        long expected = 0;
        for (int round = 0; round < 40; round++) {
            int bytes = rand.below(a.traits().maxPayload() + 1);
            long before = next;
            while (send(a, 1, 9, next, bytes)) {
                next++;
                assertTrue(next - before <= 512, "a ring without end");
            }
            assertTrue(next > before, "a drained ring takes no frame of " + bytes);
            assertEquals(Outlet.FULL, a.outlet(1).claim(bytes), "full stays full");
            while (b.poll(sink, LIMIT) > 0) {
                b.rest();
            }
            for (Got frame : taken()) {
                assertEquals(new Got(0, 9, expected++, bytes), frame);
            }
            assertEquals(next, expected);
        }
    }

    @Test
    void shouldHandOutNoMoreThanTheLimit() throws Exception {
        Port a = port(0, 2, 512);
        Port b = port(1, 2, 512);
        for (int i = 0; i < 10; i++) {
            assertTrue(send(a, 1, 1, i, 0));
        }
        assertEquals(4, b.poll(sink, 4));
        assertEquals(4, b.poll(sink, 4));
        assertEquals(2, b.pollAll(sink, 4));
        assertEquals(10, taken().size());
    }

    @Test
    void shouldHearEachOfManyPeers() throws Exception {
        Port hub = port(0, MANY, 64);
        List<Port> others = new ArrayList<>();
        for (int rank = 1; rank < MANY; rank++) {
            others.add(port(rank, MANY, 64));
        }
        for (int i = others.size() - 1; i >= 0; i--) {
            assertTrue(send(others.get(i), 0, 3, i, 8));
            assertTrue(send(hub, i + 1, 4, 1000 + i, 8));
        }
        pollUntil(hub, others.size());
        boolean[] heard = new boolean[MANY];
        for (Got frame : taken()) {
            assertEquals(new Got((int) frame.header + 1, 3, frame.header, 8), frame);
            heard[frame.peer] = true;
        }
        for (int rank = 1; rank < MANY; rank++) {
            assertTrue(heard[rank], "rank " + rank + " was not heard");
            assertEquals(1, others.get(rank - 1).poll(sink, LIMIT), "frame to rank " + rank);
        }
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
                assertEquals(List.of(new Got(rank, 8, rank, 5)), taken());
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
                assertEquals(new Got(7, 2, expected++, 40), frame);
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
    void shouldFindItsOwnMemoryByAddress() throws Exception {
        SharedMemory memory = port(0, 2, 64).memory();
        Rand rand = new Rand(11);
        List<Shared> live = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            if (live.isEmpty() || rand.below(3) > 0 && live.size() < 40) {
                live.add(memory.allocate(rand.below(5000)));
            } else {
                memory.free(live.remove(rand.below(live.size())));
            }
            for (Shared each : live) {
                MemorySegment whole = each.memory();
                long size = whole.byteSize();
                long offset = rand.below((int) size + 1);
                assertSame(size == 0 ? null : each, size == 0 ? null : memory.find(whole, offset, size - offset));
                assertSame(each, memory.find(whole.asSlice(0, 0), 0, 0));
                assertNull(memory.find(whole, 0, size + 1));
                if (size > 8) {
                    MemorySegment view = MemorySegment.ofBuffer(whole.asSlice(8).asByteBuffer());
                    assertSame(each, memory.find(view, 0, size - 8));
                    assertEquals(8, view.address() - memory.find(view, 0, 1).memory().address());
                }
            }
        }
        assertNull(memory.find(MemorySegment.ofArray(new byte[9]), 0, 9));
        assertNull(memory.find(Arena.ofAuto().allocate(100), 0, 100));
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
}
