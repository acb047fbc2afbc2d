package io.rankwire.fabric.shm;

import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RingPort;
import io.rankwire.fabric.Rings;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.memory.RingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The fabric of one host: a private directory (mode 0700, a random name) that the launcher makes, on a memory file
 * system where there is one. {@code bells.R} are the bells and the card of rank R; {@code ring.A.B} carries frames from
 * A to B, is made by A and unlinked by B; {@code slab.R} holds the longer frames of rank R until their receivers have
 * read them, and is empty while R sends none; {@code memory.R.ID} is memory that rank R shares; {@code common.KEY} is
 * memory of all.
 */
public final class ShmFabric {
    private ShmFabric() {}

    public static Port open(Path directory, int rank, int size, Geometry geometry) {
        return open(directory, rank, size, size, geometry);
    }

    /**
     * The same where more ranks may come later.
     *
     * @param ranks the number of ranks for which rings and slabs are sized
     */
    public static Port open(Path directory, int rank, int size, int ranks, Geometry geometry) {
        return open(directory, rank, size, Geometry.ringLines(ranks), geometry.slabBytes(ranks), geometry);
    }

    public static Port open(Path directory, int rank, int size, int ringLines) {
        return open(directory, rank, size, ringLines, Geometry.DEFAULT.slabBytes(size), Geometry.DEFAULT);
    }

    private static Port open(Path directory, int rank, int size, int ringLines, int slabBytes, Geometry geometry) {
        return new RingPort(rank, size, ringLines, geometry,
                new ShmRings(directory, rank, size, ringLines, slabBytes));
    }

    private static final class ShmRings implements Rings {
        private final Path directory;
        private final int rank;
        private final int size;
        private final int ringLines;
        private final int slabBytes;
        private final Arena arena = Arena.ofAuto();
        private final ShmMemory memory;
        private ProcessMemory processes;

        ShmRings(Path directory, int rank, int size, int ringLines, int slabBytes) {
            this.directory = directory;
            this.rank = rank;
            this.size = size;
            this.ringLines = ringLines;
            this.slabBytes = slabBytes;
            this.memory = new ShmMemory(directory, rank, size);
        }

        @Override
        public MemorySegment outbound(int peer) {
            Path file = directory.resolve("ring." + rank + "." + peer);
            return SharedFile.hand(file, RingLayout.bytes(ringLines), Arena.ofAuto());
        }

        @Override
        public MemorySegment inbound(int peer) {
            Path file = directory.resolve("ring." + peer + "." + rank);
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
            MemorySegment ring = SharedFile.map(file, RingLayout.bytes(ringLines), Arena.ofAuto());
            SharedFile.unlink(file);
            return ring;
        }

        @Override
        public void end(int peer) {
            // Its reader has unlinked it: the memory goes when both have let go of it.
        }

        @Override
        public MemorySegment slab(int owner) {
            if (owner == rank) {
                checkRoomForSlab();
            }
            return SharedFile.make(slabFile(owner), slabBytes, arena(owner));
        }

        /** A job does without slabs where they could take the room of its rings. */
        private void checkRoomForSlab() {
            long rings = size * (size - 1L) * RingLayout.bytes(ringLines);
            SharedFile.checkRoom(slabFile(rank), slabBytes, rings);
        }

        private Path slabFile(int owner) {
            return directory.resolve("slab." + owner);
        }

        @Override
        public boolean releaseSlab() {
            SharedFile.empty(slabFile(rank));
            return true;
        }

        @Override
        public void restoreSlab() {
            checkRoomForSlab();
            SharedFile.refill(slabFile(rank), slabBytes);
        }

        @Override
        public MemorySegment bells(int peer) {
            MemorySegment both = bellsAndCard(peer);
            long bytes = RingPort.bellBytes(size);
            if (peer == rank) {
                ProcessMemory.fill(both.asSlice(bytes, ProcessMemory.CARD));
            }
            return both.asSlice(0, bytes);
        }

        private MemorySegment card(int peer) {
            return bellsAndCard(peer).asSlice(RingPort.bellBytes(size), ProcessMemory.CARD);
        }

        private MemorySegment bellsAndCard(int peer) {
            long bytes = RingPort.bellBytes(size) + ProcessMemory.CARD;
            return SharedFile.make(directory.resolve("bells." + peer), bytes, arena(peer));
        }

        /** What belongs to a peer may be mapped several times, and goes with its last use. */
        private Arena arena(int owner) {
            return owner == rank ? arena : Arena.ofAuto();
        }

        @Override
        public SharedMemory memory() {
            return memory;
        }

        @Override
        public PeerMemory peerMemory() {
            if (processes == null) {
                processes = new ProcessMemory(size, this::card);
            }
            return processes;
        }

        @Override
        public void close() {
            // Rings go when no rank can reach them: an access after this must not be one to unmapped memory.
            memory.close();
        }
    }
}
