package io.rankwire.fabric;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Operation;
import io.rankwire.fabric.shm.ShmFabric;
import io.rankwire.memory.RingLayout;
import io.rankwire.type.ElementType;
import io.rankwire.wire.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process whose peers have damaged the memory that they share with it. It must not crash. */
final class DamagedMemoryTest {
    private static final int LINES = 512;
    private static final long MINUTES = 3;
    private static final int TAG = 5;
    /** The sequence of the first line of a ring, in its place. */
    private static final long FIRST = 1L << 63;
    private static final long STAGED = 1L << 39;
    private static final int CHUNK = Geometry.chunkBytes(LINES);

    /** A ring word, the header that follows it, and the first words of the payload. */
    private record Damage(String said, long word, long header, long... payload) {}

    private static long word(long bits, int bodies, int body, int kind) {
        return FIRST | bits | (long) bodies << 36 | (long) body << 16 | kind;
    }

    private static final List<Damage> DAMAGE = List.of(
            new Damage("a body of 0 bytes", word(0, 0, 0, Frame.EAGER), 1),
            new Damage("a body of 1048575 bytes", word(0, 0, 0xFFFFF, Frame.EAGER), 1),
            new Damage("7 bodies of 56 bytes in one line", word(0, 7, 56, Frame.EAGER), 1),
            new Damage("2 bodies of 1000 bytes in one line", word(0, 2, 1000, Frame.EAGER), 1),
            new Damage("of a slab of", word(STAGED, 0, 4096, Frame.EAGER), 1, 1L << 46),
            new Damage("which means nothing", word(STAGED, 0, 4096, Frame.EAGER), 1, -CHUNK + 16),
            new Damage("of a slab of", word(STAGED, 0, 4096, Frame.EAGER), 1, 24),
            new Damage("of a slab of", word(STAGED, 0, 0xFFFFF, Frame.EAGER), 1, 16),
            new Damage("there is no such kind", word(0, 0, 16, 0), 1),
            new Damage("there is no such kind", word(0, 0, 16, 99), 1),
            new Damage("tag -1", word(0, 0, 16, Frame.EAGER), -1),
            new Damage("element type 77", word(0, 0, 16, 77 << 8 | Frame.EAGER), Frame.header(0, 1)),
            new Damage("a message of -1 bytes", word(0, 0, 56, Frame.REQUEST_TO_SEND), 1, 1, -1),
            new Damage("is no message to it", word(0, 0, 16, Frame.CLEAR_TO_SEND), Frame.header(1 << 30, 1), 8),
            new Damage("is no message to it", word(0, 0, 32, Frame.PUT_TO), Frame.header(0, 1), 8, 0, 1L << 46),
            new Damage("does not wait", word(0, 0, 56, Frame.DATA), Frame.header(3, 0), 1L << 46),
            new Damage("leads to no region", word(0, 0, 8, Frame.LOCK_GRANTED), Frame.header(1 << 20, 0)),
            new Damage("is none to its memory", word(0, 0, 24, Frame.GET_REPLY), Frame.header(9, 0), 1L << 46),
            new Damage("has no message to it", word(0, 0, 8, Frame.DATAGRAM_STATUS), Frame.header(1 << 30, 0)));

    private static final int HONEST = DAMAGE.size() + 1;
    private static final int RANKS = HONEST + 1;

    /** The process: works on until it has lost all hostile ranks, and got the message of the honest one. */
    static final class Victim {
        public static void main(String[] args) {
            try (Port port = ShmFabric.open(Path.of(args[0]), 0, RANKS, LINES)) {
                Device device = new Device(DeviceConfig.DEFAULT, port);
                byte[] number = new byte[8];
                Operation receive = device.receive(0, HONEST, TAG, number, 0, 8, ElementType.BYTE.code());
                long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
                int lost = 0;
                while ((lost < DAMAGE.size() || !receive.isDone()) && System.nanoTime() < deadline) {
                    PeerLost now = device.advance(System.nanoTime());
                    if (now != null) {
                        lost++;
                        System.out.println(now.getMessage());
                    }
                    device.progressAll(System.nanoTime());
                }
                System.exit(receive.isDone() && receive.code() == Code.OK && number[0] == 42 ? 0 : 3);
            }
        }
    }

    @Test
    void shouldEndInAnErrorAndNotInACrash() throws Exception {
        Path directory = ShmFabricTest.newDirectory();
        Path crash = directory.resolve("crash");
        Process victim = null;
        try (Arena arena = Arena.ofConfined()) {
            for (int rank = 1; rank < RANKS; rank++) {
                Port port = ShmFabric.open(directory, rank, RANKS, LINES);
                Outlet outlet = port.outlet(0);
                long at = outlet.claim(8);
                outlet.memory().set(JAVA_LONG, at, 42);
                outlet.commit(at, 8, Frame.meta(Frame.EAGER, ElementType.BYTE.code()), Frame.header(0, TAG));
                if (rank != HONEST) {
                    damage(directory.resolve("ring." + rank + ".0"), DAMAGE.get(rank - 1), arena);
                }
            }
            victim = ShmProcessTest.start(ShmProcessTest.java(Victim.class, directory, "-XX:-CreateCoredumpOnCrash",
                    "--enable-native-access=ALL-UNNAMED", "-XX:ErrorFile=" + crash));
            String output = ShmProcessTest.output(victim);
            assertTrue(victim.waitFor(MINUTES, TimeUnit.MINUTES));
            assertFalse(Files.exists(crash), output);
            assertEquals(0, victim.exitValue(), output);
            for (int rank = 1; rank < HONEST; rank++) {
                String start = "rank " + rank + " has sent a damaged frame, ";
                String line = output.lines().filter(each -> each.startsWith(start)).findAny().orElse("");
                assertTrue(line.contains(DAMAGE.get(rank - 1).said), output);
            }
        } finally {
            if (victim != null) {
                victim.destroyForcibly().waitFor();
            }
            ShmFabricTest.remove(directory);
        }
    }

    private static void damage(Path ring, Damage damage, Arena arena) throws Exception {
        try (FileChannel channel = FileChannel.open(ring, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment memory = channel.map(MapMode.READ_WRITE, 0, channel.size(), arena);
            long line = RingLayout.LINES;
            memory.set(JAVA_LONG, line, damage.word);
            memory.set(JAVA_LONG, line + 8, damage.header);
            for (int i = 0; i < damage.payload.length; i++) {
                memory.set(JAVA_LONG, line + 16 + 8L * i, damage.payload[i]);
            }
        }
    }
}
