package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A message of more than 2 GiB. */
final class HugeMessageTest {
    private static final long BYTES = (2L << 30) + (64 << 20) + 24;
    private static final long[] MARKS = {0, (1L << 31) - 8, 1L << 31, BYTES - 8};
    private static final long NEEDED_KIB = 4L << 20;

    @TempDir
    Path directory;

    @Test
    void shouldCarryMoreThanTwoGibibytes() throws IOException {
        Assumptions.assumeTrue(availableKib() > NEEDED_KIB, "skipped: needs 4 GiB of free memory");
        Path file = directory.resolve("sparse");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment out = sparse(file, arena);
            for (long mark : MARKS) {
                out.set(ValueLayout.JAVA_LONG, mark, mark ^ 0x5555);
            }
            Worlds.run(2, world -> {
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    all.send(out, 1, 1);
                    return;
                }
                MemorySegment in = arena.allocate(BYTES, 8);
                Status status = all.receive(in, 0, 1);
                assertEquals(BYTES, status.bytes());
                for (long mark : MARKS) {
                    assertEquals(mark ^ 0x5555, in.get(ValueLayout.JAVA_LONG, mark), "at " + mark);
                }
            });
        }
    }

    private static MemorySegment sparse(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        }
    }

    private static long availableKib() throws IOException {
        Path info = Path.of("/proc/meminfo");
        if (!Files.exists(info)) {
            return 0;
        }
        return Files.readAllLines(info).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
