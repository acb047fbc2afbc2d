package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.fabric.Geometry;
import io.rankwire.fabric.PeerMemory;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Shared;
import io.rankwire.launch.Fabrics;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How fast one rank can copy into and out of the other's memory: the three ways a large message may go. Rank 0 copies,
 * rank 1 only has the memory.
 */
final class DoctorCopies {
    private static final int BYTES = 1 << 20;
    private static final long WARM_UP_NS = 60_000_000;
    private static final long MEASURE_NS = 150_000_000;
    private static final int WHERE = 3;
    private static final int OVER = 4;

    private DoctorCopies() {}

    /** On a fabric of its own: the world keeps its own to itself. */
    static void measure(Communicator all) throws IOException {
        Path place = Files.createDirectories(Path.of(System.getenv("RANKWIRE_JOB"), "copies"));
        try (Port port = Fabrics.ofProcess(place, all.rank(), 2, Geometry.DEFAULT)) {
            Shared mine = port.memory().allocate(BYTES);
            mine.memory().fill((byte) 1);
            long[] where = {mine.id(), mine.memory().address()};
            if (all.rank() == 1) {
                all.send(where, 0, WHERE);
                all.receive(where, 0, OVER);
                return;
            }
            all.receive(where, 1, WHERE);
            print(port, mine.memory(), port.memory().peer(1, where[0]), where[1]);
            all.send(where, 1, OVER);
        }
    }

    private static void print(Port port, MemorySegment mine, MemorySegment theirs, long address) {
        MemorySegment heap = MemorySegment.ofArray(new byte[BYTES]);
        PeerMemory peer = port.peerMemory();
        String obstacle = peer.obstacle(1);
        System.out.printf(Locale.ROOT, "copies       heap to mapped %.1f GB/s, mapped to mapped %.1f GB/s,"
                        + " process_vm_readv %s%n",
                rate(() -> MemorySegment.copy(heap, 0, theirs, 0, BYTES)),
                rate(() -> MemorySegment.copy(mine, 0, theirs, 0, BYTES)),
                obstacle != null ? "not usable: " + obstacle
                        : String.format(Locale.ROOT, "%.1f GB/s", rate(() -> peer.read(1, address, mine, 0, BYTES))));
        tellWays(peer);
    }

    /** Which way large messages go here; what the copies cost decides. */
    private static void tellWays(PeerMemory peer) {
        long worth = peer.worthFrom(1);
        System.out.println("large        memory from World.allocate is copied once, by both ranks; other native memory "
                + (worth == Long.MAX_VALUE ? "never" : "from " + worth + " bytes on")
                + " by process_vm_readv; else through the slab from both ends; --jvm -Drankwire.large=WAY forces"
                + " auto, twoended, rendezvous, eager or process");
    }

    /** Bytes a nanosecond. */
    private static double rate(Runnable copy) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < WARM_UP_NS) {
            copy.run();
        }
        long copies = 0;
        start = System.nanoTime();
        long now = start;
        while (now - start < MEASURE_NS) {
            copy.run();
            copies++;
            now = System.nanoTime();
        }
        return (double) copies * BYTES / (now - start);
    }
}
