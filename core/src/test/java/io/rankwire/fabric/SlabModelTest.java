package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.fabric.shm.ShmFabric;
import io.rankwire.memory.Rand;
import io.rankwire.memory.RingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ports with slabs on one thread, in random order, compared with a queue of frames for each pair of ranks. */
final class SlabModelTest {
    private static final long SEED = Long.getLong("rankwire.slab.seed", 1);
    private static final long SEEDS = Long.getLong("rankwire.slab.seeds", 150);
    private static final int LINES = 256;
    private static final int MOST_IN_RING = 1024;
    /** As many as a port looks at for a free one: it finds one exactly if there is one. */
    private static final int CHUNKS = 8;
    private static final int CHUNK = LINES / 4 * RingLayout.LINE;
    private static final long SECOND = 1_000_000_000L;

    /** Memory of ranks that is known here, with slabs of a few chunks, or none. */
    private static final class Memories {
        final boolean hasSlabs;
        final MemorySegment[] rings;
        final MemorySegment[] slabs;
        final MemorySegment[] bells;
        final boolean[] released;
        int releases;
        boolean isFull;

        Memories(int ranks, boolean hasSlabs) {
            this.hasSlabs = hasSlabs;
            rings = Stream.generate(() -> memory(RingLayout.bytes(LINES))).limit((long) ranks * ranks)
                    .toArray(MemorySegment[]::new);
            slabs = Stream.generate(() -> memory(CHUNKS * CHUNK)).limit(ranks).toArray(MemorySegment[]::new);
            bells = Stream.generate(() -> memory(RingPort.bellBytes(ranks))).limit(ranks)
                    .toArray(MemorySegment[]::new);
            released = new boolean[ranks];
        }

        private static MemorySegment memory(long bytes) {
            return Arena.ofAuto().allocate(bytes, 128);
        }

        Port open(int rank) {
            return new RingPort(rank, bells.length, LINES, Geometry.DEFAULT, new Rings() {
                @Override
                public MemorySegment outbound(int peer) {
                    return rings[rank * bells.length + peer];
                }

                @Override
                public MemorySegment inbound(int peer) {
                    return rings[peer * bells.length + rank];
                }

                @Override
                public void end(int peer) {}

                @Override
                public MemorySegment slab(int owner) {
                    if (!hasSlabs) {
                        throw new FabricException("no memory for a slab", null);
                    }
                    return slabs[owner];
                }

                @Override
                public boolean releaseSlab() {
                    assertFalse(released[rank], "released twice");
                    released[rank] = true;
                    releases++;
                    slabs[rank].fill((byte) 0x55);
                    return true;
                }

                @Override
                public void restoreSlab() {
                    if (isFull) {
                        throw new FabricException("no memory for a slab any more", null);
                    }
                    released[rank] = false;
                }

                @Override
                public MemorySegment bells(int peer) {
                    return bells[peer];
                }

                @Override
                public SharedMemory memory() {
                    return null;
                }

                @Override
                public PeerMemory peerMemory() {
                    return null;
                }

                @Override
                public void close() {}
            });
        }
    }

    /**
     * @param chunk the chunk of the sender's slab in which it lies; -1 for one in the ring
     */
    private record Frame(int meta, long number, int bytes, int chunk) {}

    private static final class Episode {
        final Rand rand;
        final int ranks;
        final Port[] ports;
        /** Null if the memory of the ports is not known here. */
        final Memories memories;
        final byte[] contents;
        final List<ArrayDeque<Frame>> unread = new ArrayList<>();
        final FrameSink[] sinks;
        final int max;
        long number;
        long now;
        int staged;
        int inRing;
        int fulls;

        Episode(long seed, int ranks, IntFunction<Port> open, Memories memories) {
            this.rand = new Rand(seed);
            this.ranks = ranks;
            this.memories = memories;
            this.ports = new Port[ranks];
            this.sinks = new FrameSink[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                int to = rank;
                ports[rank] = open.apply(rank);
                sinks[rank] = (peer, meta, header, memory, payload, bytes) ->
                        arrived(peer, to, meta, header, memory, payload, bytes);
            }
            for (int pair = 0; pair < ranks * ranks; pair++) {
                unread.add(new ArrayDeque<>());
            }
            max = ports[0].traits().maxPayload();
            contents = new byte[3 * max];
            for (int i = 0; i < contents.length; i++) {
                contents[i] = (byte) rand.nextLong();
            }
        }

        ArrayDeque<Frame> unread(int from, int to) {
            return unread.get(from * ranks + to);
        }

        private int begin(long frame) {
            return (int) (frame * 7919 % (2L * max));
        }

        private void arrived(int from, int to, int meta, long header, MemorySegment memory, long at, int bytes) {
            Frame expected = unread(from, to).poll();
            assertNotEquals(null, expected, "a frame out of nowhere");
            assertEquals(expected.number, header, () -> "order from " + from + " to " + to);
            assertEquals(expected.meta, meta, "meta");
            assertEquals(expected.bytes, bytes, "bytes");
            int begin = begin(header);
            long differs = MemorySegment.mismatch(memory, at, at + bytes,
                    MemorySegment.ofArray(contents), begin, begin + bytes);
            assertEquals(-1, differs, () -> "first byte that differs in frame " + header + ", " + expected);
        }

        int size() {
            return switch (rand.below(8)) {
                case 0 -> rand.below(3);
                case 1 -> rand.between(MOST_IN_RING - 1, MOST_IN_RING + 1);
                case 2, 3 -> max - rand.below(2);
                case 4, 5 -> rand.between(MOST_IN_RING + 1, max);
                default -> rand.below(max + 1);
            };
        }

        /** Sends a frame if there is room, or claims its place and leaves it. */
        boolean send(int from, int to, int claimed) {
            Outlet outlet = ports[from].outlet(to);
            long at = outlet.claim(claimed);
            if (at == Outlet.FULL) {
                fulls++;
                assertFalse(unread(from, to).isEmpty(), () -> "no room for " + claimed + " bytes and nothing unread");
                return false;
            }
            MemorySegment memory = outlet.memory();
            int chunk = memories == null ? -1 : chunk(from, memory.address() + at);
            if (memories != null) {
                check(from, to, claimed, chunk);
            }
            if (rand.chance(1, 5)) {
                memory.asSlice(at, claimed).fill((byte) 0xEE);
                return false;
            }
            int bytes = rand.chance(1, 10) ? rand.below(claimed + 1) : claimed;
            MemorySegment.copy(contents, begin(number), memory, ValueLayout.JAVA_BYTE, at, bytes);
            int meta = rand.between(1, 3);
            outlet.commit(at, bytes, meta, number);
            unread(from, to).add(new Frame(meta, number++, bytes, chunk));
            if (claimed > MOST_IN_RING) {
                staged += chunk >= 0 ? 1 : 0;
                inRing += chunk >= 0 ? 0 : 1;
            }
            return true;
        }

        private int chunk(int owner, long address) {
            long at = address - memories.slabs[owner].address();
            return at >= 0 && at < CHUNKS * CHUNK ? (int) (at / CHUNK) : -1;
        }

        /** A chunk is used when one is free and the peer has less than half of them, and only then. */
        private void check(int from, int to, int bytes, int chunk) {
            long ofPeer = unread(from, to).stream().filter(frame -> frame.chunk >= 0).count();
            boolean[] used = new boolean[CHUNKS];
            int inUse = 0;
            for (int peer = 0; peer < ranks; peer++) {
                for (Frame frame : unread(from, peer)) {
                    if (frame.chunk >= 0) {
                        used[frame.chunk] = true;
                        inUse++;
                    }
                }
            }
            String what = bytes + " bytes from " + from + " to " + to + " in chunk " + chunk + ", which has " + ofPeer
                    + " of " + inUse + " chunks in use";
            if (chunk >= 0) {
                assertTrue(bytes > MOST_IN_RING && memories.hasSlabs, what);
                assertFalse(used[chunk], () -> "a chunk in use: " + what);
                assertTrue(ofPeer < CHUNKS / 2, () -> "more than half for one peer: " + what);
                assertFalse(memories.released[from], "a slab without pages");
            } else if (bytes > MOST_IN_RING && memories.hasSlabs && !memories.isFull) {
                assertTrue(ofPeer == CHUNKS / 2 || inUse == CHUNKS, () -> "a free chunk was not found: " + what);
            }
        }

        /** Random calls. A rank polls with its own patience; {@code asleep} never does, -1 for none. */
        void play(int steps, int asleep) {
            int[] patience = new int[ranks];
            for (int step = 0; step < steps; step++) {
                if (step % 200 == 0) {
                    for (int rank = 0; rank < ranks; rank++) {
                        patience[rank] = new int[] {1, 2, 8, 60, 1000}[rand.below(5)];
                    }
                    if (asleep < 0 && rand.chance(1, 8)) {
                        idle();
                    }
                }
                int from = rand.below(ranks);
                int to = (from + rand.between(1, ranks - 1)) % ranks;
                send(from, to, size());
                int rank = rand.below(ranks);
                if (rank != asleep && rand.chance(1, patience[rank])) {
                    poll(rank);
                }
            }
        }

        void poll(int rank) {
            int limit = rand.chance(1, 2) ? 1 : rand.between(1, 16);
            if (rand.chance(1, 4)) {
                ports[rank].pollAll(sinks[rank], limit);
            } else {
                ports[rank].poll(sinks[rank], limit);
            }
            if (rand.chance(1, 8)) {
                ports[rank].rest();
            }
            now += rand.chance(1, 500) ? 6 * SECOND : rand.below(1000);
            ports[rank].advance(now);
        }

        /** All frames are read, and for some seconds nothing happens. */
        private void idle() {
            for (int rank = 0; rank < ranks; rank++) {
                drain(rank);
            }
            for (int times = 0; times < 2; times++) {
                now += 6 * SECOND;
                for (Port port : ports) {
                    port.advance(now);
                }
            }
        }

        void drain(int rank) {
            while (ports[rank].pollAll(sinks[rank], 16) > 0) {
                ports[rank].rest();
            }
            for (int from = 0; from < ranks; from++) {
                assertEquals(0, unread(from, rank).size(), "frames of rank " + from + " have not come to " + rank);
            }
        }

        /** Frames of every kind get through to all ranks but one that does not read. */
        void flow(int asleep, int frames) {
            for (int from = 0; from < ranks; from++) {
                for (int to = 0; to < ranks; to++) {
                    for (int sent = 0; from != to && to != asleep && sent < frames; ) {
                        sent += send(from, to, size()) ? 1 : 0;
                        if (rand.chance(1, 3) || unread(from, to).size() > 40) {
                            drain(to);
                        }
                    }
                }
            }
        }

        void run(int steps) {
            int asleep = rand.chance(1, 2) ? rand.below(ranks) : -1;
            play(steps, asleep);
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != asleep) {
                    drain(rank);
                }
            }
            flow(asleep, 50);
            for (int rank = 0; rank < ranks; rank++) {
                drain(rank);
            }
            flow(-1, 10);
            for (Port port : ports) {
                port.close();
            }
        }
    }

    private static Episode run(long seed, int steps, int ranks, IntFunction<Port> open, Memories memories) {
        try {
            Episode episode = new Episode(seed, ranks, open, memories);
            episode.run(steps);
            return episode;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + seed + ": " + failure, failure);
        }
    }

    @Test
    void shouldUseEachChunkThatIsFreeAndNoOther() {
        long staged = 0;
        long inRing = 0;
        long fulls = 0;
        long releases = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            int ranks = 2 + (int) (seed % 3);
            Memories memories = new Memories(ranks, true);
            Episode episode = run(seed, 2_000, ranks, memories::open, memories);
            staged += episode.staged;
            inRing += episode.inRing;
            fulls += episode.fulls;
            releases += memories.releases;
        }
        String seen = staged + " frames through slabs, " + inRing + " long ones through rings, " + fulls + " times no"
                + " room, " + releases + " times a slab was released";
        if (SEEDS >= 100) {
            assertTrue(staged > 100 * SEEDS && inRing > 10 * SEEDS && fulls > 10 * SEEDS && releases > SEEDS / 4, seen);
        }
    }

    @Test
    void shouldCarryEverySizeThroughTheRingWithoutASlab() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            Memories memories = new Memories(3, false);
            Episode episode = run(seed, 2_000, 3, memories::open, memories);
            assertEquals(0, episode.staged);
            assertTrue(episode.inRing > 100, "long frames: " + episode.inRing);
        }
    }

    /** The memory went back to the system when the rank was idle, and there is none when it is needed again. */
    @Test
    void shouldGoOnThroughTheRingWhenTheSlabCannotBeHadAgain() {
        Memories memories = new Memories(2, true);
        Episode episode = new Episode(SEED, 2, memories::open, memories);
        episode.flow(-1, 20);
        episode.drain(0);
        episode.drain(1);
        int staged = episode.staged;
        assertTrue(staged > 0);
        episode.ports[0].advance(SECOND);
        episode.ports[0].advance(3 * SECOND);
        assertEquals(0, memories.releases, "idle for two seconds");
        episode.ports[0].advance(4 * SECOND);
        assertEquals(1, memories.releases, "idle for three seconds");
        episode.ports[0].advance(60 * SECOND);
        memories.isFull = true;
        for (int frames = 0; frames < 50; frames++) {
            episode.send(0, 1, episode.max);
            episode.drain(1);
        }
        assertEquals(staged, episode.staged);
    }

    /** A peer with an unread frame holds the slab, however long that takes. */
    @Test
    void shouldKeepASlabThatHoldsAFrame() {
        Memories memories = new Memories(2, true);
        Episode episode = new Episode(SEED, 2, memories::open, memories);
        while (!episode.send(0, 1, episode.max)) {
            // The frame was only claimed.
        }
        for (int minute = 0; minute < 10; minute++) {
            episode.ports[0].advance(60 * minute * SECOND);
        }
        assertEquals(0, memories.releases);
        episode.drain(1);
        episode.ports[0].advance(3600 * SECOND);
        assertEquals(1, memories.releases);
    }

    @Test
    void shouldWriteToEachLineOfAPayloadThatWasReadAndToNoOther() {
        int most = Geometry.mostInFrame(LINES);
        for (int bytes : new int[] {MOST_IN_RING + 1, 1087, 1088, 1089, 1136, 1137, most - 1, most}) {
            Memories memories = new Memories(2, true);
            MemorySegment slab = memories.slabs[0].fill((byte) 0x55);
            try (Port from = memories.open(0); Port to = memories.open(1)) {
                Outlet out = from.outlet(1);
                long at = out.claim(bytes);
                long first = out.memory().asSlice(at).address() - slab.address();
                slab.asSlice(first, bytes).fill((byte) 0x66);
                out.commit(at, bytes, 7, 0);
                assertEquals(1, to.poll((peer, meta, header, memory, payload, length) ->
                        assertEquals(0x66, memory.get(ValueLayout.JAVA_BYTE, payload + length - 1)), 1));
                long end = first + bytes;
                for (long line = 0; line < slab.byteSize(); line += RingLayout.LINE) {
                    boolean isChanged = false;
                    for (long i = line; i < line + RingLayout.LINE; i++) {
                        int written = i >= first && i < end ? 0x66 : 0x55;
                        isChanged |= slab.get(ValueLayout.JAVA_BYTE, i) != written;
                    }
                    boolean isOfPayload = line + RingLayout.LINE > first && line < end;
                    assertEquals(isOfPayload, isChanged, bytes + " bytes, line at " + line);
                }
            }
        }
    }

    @Test
    void shouldCarryFramesBetweenThreads() {
        for (int lines : new int[] {128, 512, 1024, 2048}) {
            for (long seed = SEED; seed < SEED + 3; seed++) {
                try (LocalFabric fabric = new LocalFabric(3, lines)) {
                    run(seed, 6_000, 3, fabric::open, null);
                }
            }
        }
    }

    @Test
    void shouldCarryFramesThroughFiles() throws Exception {
        for (int lines : new int[] {128, 1024}) {
            for (long seed = SEED; seed < SEED + 3; seed++) {
                Path directory = ShmFabricTest.newDirectory();
                try {
                    run(seed, 6_000, 3, rank -> ShmFabric.open(directory, rank, 3, lines), null);
                } finally {
                    ShmFabricTest.remove(directory);
                }
            }
        }
    }
}
