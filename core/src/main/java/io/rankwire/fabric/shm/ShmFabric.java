package io.rankwire.fabric.shm;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.RingPort;
import io.rankwire.fabric.Rings;
import io.rankwire.memory.RingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The fabric of one host: a private directory (mode 0700, a random name) that the launcher makes, on a memory file
 * system where there is one. {@code bells.R} are the bells of rank R; {@code ring.A.B} carries frames from A to B, is
 * made by A and unlinked by B.
 */
public final class ShmFabric {
    private ShmFabric() {}

    public static Port open(Path directory, int rank, int size) {
        return open(directory, rank, size, RingPort.ringLines(size));
    }

    public static Port open(Path directory, int rank, int size, int ringLines) {
        return new RingPort(rank, size, ringLines, new ShmRings(directory, rank, size, ringLines));
    }

    private static final class ShmRings implements Rings {
        private final Path directory;
        private final int rank;
        private final int size;
        private final int ringLines;
        private final Arena arena = Arena.ofAuto();

        ShmRings(Path directory, int rank, int size, int ringLines) {
            this.directory = directory;
            this.rank = rank;
            this.size = size;
            this.ringLines = ringLines;
        }

        @Override
        public MemorySegment outbound(int peer) {
            return SharedFile.make(directory.resolve("ring." + rank + "." + peer), RingLayout.bytes(ringLines), arena);
        }

        @Override
        public MemorySegment inbound(int peer) {
            Path file = directory.resolve("ring." + peer + "." + rank);
            MemorySegment ring = SharedFile.map(file, RingLayout.bytes(ringLines), arena);
            SharedFile.unlink(file);
            return ring;
        }

        @Override
        public MemorySegment bells(int peer) {
            return SharedFile.make(directory.resolve("bells." + peer), RingPort.bellBytes(size), arena);
        }

        @Override
        public void close() {
            // mappings go when nobody can reach them: an access after this must not be one to unmapped memory
        }
    }
}
