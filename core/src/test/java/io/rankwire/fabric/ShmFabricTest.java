package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.fabric.shm.ShmFabric;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks of one host through files, here with all ports in one process. */
final class ShmFabricTest extends RingContract {
    private Path directory;

    static Path newDirectory() throws IOException {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "rankwire-test-")
                : Files.createTempDirectory("rankwire-test-");
    }

    static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = newDirectory();
    }

    @AfterEach
    void removeDirectory() throws IOException {
        remove(directory);
    }

    @Override
    Port open(int rank, int ranks, int ringLines) {
        return ShmFabric.open(directory, rank, ranks, ringLines);
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** A ring that has ended goes with its last reference: no page of it stays mapped. */
    @Test
    void shouldUnmapRingsThatHaveEnded() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "skipped: needs /proc");
        Port a = port(0, 2, 64);
        Port b = port(1, 2, 64);
        assertTrue(send(a, 1, 1, 1, 10));
        b.poll(ShmFabricTest::ignore, 8);
        assertEquals(2, mappedRings());
        for (int i = 0; i < 10 && !a.forget(1); i++) {
            b.pollAll(ShmFabricTest::ignore, 8);
            b.rest();
        }
        b.pollAll(ShmFabricTest::ignore, 8);
        long until = System.nanoTime() + 60_000_000_000L;
        while (mappedRings() > 0) {
            assertTrue(System.nanoTime() < until, "rings are still mapped");
            System.gc();
            Thread.sleep(10);
        }
        assertTrue(send(a, 1, 1, 2, 10));
        assertEquals(1, b.poll(ShmFabricTest::ignore, 8));
    }

    private long mappedRings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory + "/")).filter(line -> line.contains("rw-s"))
                    .filter(line -> !line.contains("bells")).count();
        }
    }

    private static void ignore(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {}

    @Test
    void shouldLeaveNoRingFileOnceBothHaveMappedIt() throws Exception {
        Port a = port(0, 2, 64);
        Port b = port(1, 2, 64);
        assertEquals(Set.of("bells.0", "bells.1"), files());
        assertTrue(send(a, 1, 1, 1, 10));
        assertEquals(Set.of("bells.0", "bells.1", "ring.0.1"), files());
        assertEquals(1, b.poll(ShmFabricTest::ignore, 8));
        assertEquals(Set.of("bells.0", "bells.1"), files());
        assertTrue(send(b, 0, 1, 1, 10));
        assertTrue(send(a, 1, 1, 2, 10));
        assertEquals(1, a.poll(ShmFabricTest::ignore, 8));
        assertEquals(1, b.poll(ShmFabricTest::ignore, 8));
        assertEquals(Set.of("bells.0", "bells.1"), files());
    }

    @Test
    void shouldMakeAndMapFilesInAThreadThatIsInterrupted() throws Exception {
        Thread.currentThread().interrupt();
        try {
            Port a = port(0, 2, 512);
            Port b = port(1, 2, 512);
            assertTrue(send(a, 1, 1, 1, a.traits().maxPayload()));
            assertEquals(1, b.poll(sink(1), 8));
            for (long seconds = 1; seconds < 20; seconds += 4) {
                a.advance(seconds * 1_000_000_000);
            }
            assertEquals(0, Files.size(directory.resolve("slab.0")));
            assertTrue(send(a, 1, 1, 2, a.traits().maxPayload()));
            assertEquals(1, b.poll(sink(1), 8));
            assertEquals(Geometry.DEFAULT.slabBytes(2), Files.size(directory.resolve("slab.0")));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void shouldTakeNoRoomForTheSlabOfAnIdleRank() throws Exception {
        Port a = port(0, 2, 512);
        Port b = port(1, 2, 512);
        Path slab = directory.resolve("slab.0");
        for (long second = 0; second < 100; second += 10) {
            assertTrue(send(a, 1, 1, second, a.traits().maxPayload()));
            assertEquals(Geometry.DEFAULT.slabBytes(2), Files.size(slab));
            a.advance(second * 1_000_000_000);
            a.advance((second + 4) * 1_000_000_000);
            assertEquals(Geometry.DEFAULT.slabBytes(2), Files.size(slab), "with a frame that was not read");
            assertEquals(1, b.poll(sink(1), 8));
            a.advance((second + 8) * 1_000_000_000);
            assertEquals(0, Files.size(slab));
        }
    }

    @Test
    void shouldTakeNoRoomForTheSlabOfAPortThatIsClosed() throws Exception {
        Port a = open(0, 2, 512);
        Port b = port(1, 2, 512);
        assertTrue(send(a, 1, 1, 1, a.traits().maxPayload()));
        assertEquals(1, b.poll(sink(1), 8));
        a.close();
        assertEquals(0, Files.size(directory.resolve("slab.0")));
    }

    @Test
    void shouldMakeFilesForTheirOwnerOnly() throws Exception {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"), "skipped: needs POSIX");
        Port a = port(0, 2, 64);
        assertTrue(send(a, 1, 1, 1, 10));
        assertEquals(Set.of("bells.0", "bells.1", "ring.0.1"), files());
        for (String name : files()) {
            Path file = directory.resolve(name);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)), name);
        }
    }

    @Test
    void shouldSpendNothingOnPeersNeverSpokenTo() throws Exception {
        port(3, 64, 64);
        assertEquals(Set.of("bells.3"), files());
    }

    @Test
    void shouldNameTheFileThatHasAnotherSize() throws Exception {
        Files.write(directory.resolve("bells.0"), new byte[100]);
        FabricException error = assertThrows(FabricException.class, () -> port(0, 2, 64));
        assertTrue(error.getMessage().contains("bells.0") && error.getMessage().contains("100 bytes"),
                error.getMessage());
    }

    @Test
    void shouldNotFollowALink() throws Exception {
        Path elsewhere = Files.createTempFile("rankwire-test-", ".file");
        Files.createSymbolicLink(directory.resolve("bells.0"), elsewhere);
        assertThrows(FabricException.class, () -> port(0, 2, 64));
        assertEquals(0, Files.size(elsewhere));
        Files.delete(elsewhere);
    }

    @Test
    void shouldSayWhereWhenTheDirectoryIsGone() throws Exception {
        Path gone = directory.resolve("gone");
        FabricException error = assertThrows(FabricException.class, () -> ShmFabric.open(gone, 0, 2, 64));
        assertTrue(error.getMessage().contains(gone.toString()), error.getMessage());
    }

    @Test
    void shouldNameMemoryUntilItIsFreedAndLeaveNothing() throws Exception {
        Port a = port(0, 2, 64);
        Shared shared = a.memory().allocate(100);
        Shared other = a.memory().allocate(100);
        assertEquals(Set.of("bells.0", "memory.0.0", "memory.0.1"), files());
        assertEquals("rw-------", PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("memory.0.0"))));
        a.memory().free(shared);
        assertEquals(Set.of("bells.0", "memory.0.1"), files());
        assertEquals(other, a.memory().find(other.memory(), 0, 100));
        try (Port b = open(1, 2, 64)) {
            b.memory().allocate(5);
        }
        assertEquals(Set.of("bells.0", "bells.1", "memory.0.1"), files());
    }

    @Test
    void shouldLetGoOfWhatItsOwnerFreed() throws Exception {
        Port a = port(0, 2, 64);
        Port b = port(1, 2, 64);
        Shared shared = a.memory().allocate(100);
        MemorySegment theirs = b.memory().peer(0, shared.id());
        a.memory().free(shared);
        theirs.fill((byte) 1);
        b.memory().allocate(8);
        assertThrows(IllegalStateException.class, () -> theirs.fill((byte) 1));
    }

    @Test
    void shouldNotTakeMoreThanTheOtherSparseFilesLeave() throws Exception {
        long free = Files.getFileStore(directory).getUsableSpace();
        assumeTrue(free > 1L << 30, "skipped: needs a gibibyte of room");
        SharedMemory memory = port(0, 2, 64).memory();
        FabricException error = assertThrows(FabricException.class, () -> memory.allocate(free + (1L << 20)));
        assertTrue(error.getMessage().contains("memory needs ") && error.getMessage().contains("RANKWIRE_DIR"),
                error.getMessage());
        memory.allocate(free / 2);
        assertThrows(FabricException.class, () -> memory.allocate(free / 2 + (64L << 20)));
        assertEquals(Set.of("bells.0", "memory.0.0"), files());
    }
}
