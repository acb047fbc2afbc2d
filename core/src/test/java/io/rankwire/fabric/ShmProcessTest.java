package io.rankwire.fabric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.shm.ShmFabric;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Shared memory between real processes, and a file system that is too small. */
final class ShmProcessTest {
    private static final int FRAMES = 20_000;
    private static final int LINES = 512;
    private static final int NUMBERS = 1_000_000;
    private static final long SECONDS = 180;

    private static final class Counter implements FrameSink {
        long next;
        int bytes;

        @Override
        public void frame(int peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
            if (header != next || meta != 1 + next % 500) {
                throw new AssertionError("frame " + header + " instead of " + next);
            }
            next++;
            bytes = payloadBytes;
        }
    }

    private static boolean send(Port from, int to, long number) {
        return FabricContract.send(from, to, (int) (1 + number % 500), number, (int) (number % 3000));
    }

    /** The other process: sends back each frame it gets. */
    static final class Echo {
        public static void main(String[] args) {
            try (Port port = ShmFabric.open(Path.of(args[0]), 1, 2, LINES)) {
                Counter in = new Counter();
                long out = 0;
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
                while (out < FRAMES && System.nanoTime() < deadline) {
                    int work = port.poll(in, 1);
                    while (out < in.next && send(port, 0, out)) {
                        out++;
                        work++;
                    }
                    if (work == 0) {
                        port.rest();
                        Thread.yield();
                    }
                }
                System.exit(out == FRAMES ? 0 : 3);
            }
        }
    }

    /** Fills a small file system with rings; prints what it is told. */
    static final class Fill {
        public static void main(String[] args) {
            try (Port port = ShmFabric.open(Path.of(args[0]), 0, 64, 2048)) {
                for (int peer = 1; peer < 64; peer++) {
                    FabricContract.send(port, peer, 1, 1, 1);
                }
                System.out.println("all rings fit");
            } catch (FabricException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    static List<String> java(Class<?> main, Path directory, String... options) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-ea", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(), directory.toString()));
        return command;
    }

    static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldCarryFramesBetweenProcesses() throws Exception {
        Path directory = ShmFabricTest.newDirectory();
        Process echo = start(java(Echo.class, directory));
        try (Port port = ShmFabric.open(directory, 0, 2, LINES)) {
            Counter in = new Counter();
            long out = 0;
            while (in.next < FRAMES && (echo.isAlive() || in.next > 0)) {
                int work = port.poll(in, 32);
                while (out < FRAMES && send(port, 1, out)) {
                    out++;
                    work++;
                }
                if (work == 0) {
                    assertTrue(echo.isAlive() || port.pollAll(in, 32) > 0, "the other process has ended");
                    port.rest();
                    Thread.yield();
                }
            }
            assertEquals(FRAMES, in.next);
            assertTrue(echo.waitFor(SECONDS, TimeUnit.SECONDS));
            assertEquals(0, echo.exitValue(), () -> "the other process ended with an error");
            assertFalse(Files.exists(directory.resolve("ring.0.1")) || Files.exists(directory.resolve("ring.1.0")));
        } finally {
            echo.destroyForcibly();
            ShmFabricTest.remove(directory);
        }
    }

    @Test
    void shouldNameTheSizesWhenTheMemoryIsTooSmall() throws Exception {
        String told = inSmallPlace(Fill.class);
        assertTrue(told == null || told.contains("needs 131584 bytes") && told.contains("are free"), told);
    }

    /** What a program prints that has one mebibyte of shared memory; null if that cannot be had here. */
    private static String inSmallPlace(Class<?> program) throws Exception {
        Path place = Files.createTempDirectory("rankwire-test-");
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c",
                "mount -t tmpfs -o size=1m none \"$0\" || exit 9; exec \"$@\"", place.toString()));
        command.addAll(java(program, place));
        try {
            Process process = start(command);
            String told = output(process);
            assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS));
            if (process.exitValue() == 0 || told.contains("bytes")) {
                assertTrue(told.contains(place.toString()), told);
                return told;
            }
        } catch (IOException noUnshare) {
            // As below.
        } finally {
            Files.delete(place);
        }
        System.out.println("skipped: needs root");
        return null;
    }

    /** Sends frames of the largest size until there is no room, prints their number, and is gone. */
    static final class Leaver {
        public static void main(String[] args) {
            try (Port port = ShmFabric.open(Path.of(args[0]), 1, 2, LINES)) {
                long sent = 0;
                while (FabricContract.send(port, 0, (int) (1 + sent % 500), sent, port.traits().maxPayload())) {
                    sent++;
                }
                System.out.print(sent);
            }
        }
    }

    @Test
    void shouldKeepLongFramesOfAProcessThatHasEnded() throws Exception {
        Path directory = ShmFabricTest.newDirectory();
        try {
            Process leaver = start(java(Leaver.class, directory));
            String sent = output(leaver);
            assertTrue(leaver.waitFor(SECONDS, TimeUnit.SECONDS));
            assertEquals(0, leaver.exitValue(), sent);
            assertEquals(Geometry.DEFAULT.slabBytes(2), Files.size(directory.resolve("slab.1")));
            Counter in = new Counter();
            try (Port port = ShmFabric.open(directory, 0, 2, LINES)) {
                while (port.pollAll((peer, meta, header, memory, payload, bytes) -> {
                    for (int i = 0; i < bytes; i++) {
                        assertEquals((byte) (header * 7 + i), memory.get(JAVA_BYTE, payload + i));
                    }
                    in.frame(peer, meta, header, memory, payload, bytes);
                }, 32) > 0) {
                    assertEquals(port.traits().maxPayload(), in.bytes);
                }
            }
            assertEquals(Long.parseLong(sent), in.next);
            assertTrue(in.next > Geometry.DEFAULT.slabBytes(2) / in.bytes / 2 - 4, "sent: " + sent);
        } finally {
            ShmFabricTest.remove(directory);
        }
    }

    /** Frames of all sizes where there is no room for a slab; both ranks are in this process. */
    static final class NoSlab {
        public static void main(String[] args) throws IOException {
            Path directory = Path.of(args[0]);
            Geometry large = new Geometry(1024, 2 << 20);
            try (Port from = ShmFabric.open(directory, 0, 2, large); Port to = ShmFabric.open(directory, 1, 2, large)) {
                Counter in = new Counter();
                int most = from.traits().maxPayload();
                for (long sent = 0; sent <= 3 * most; sent++) {
                    int bytes = (int) (sent * 3 % (most + 1));
                    while (!FabricContract.send(from, 1, (int) (1 + sent % 500), sent, bytes)) {
                        to.poll(in, 32);
                        to.rest();
                    }
                }
                to.pollAll(in, Integer.MAX_VALUE);
                boolean hasSlab = Files.exists(directory.resolve("slab.0"));
                String slab = hasSlab ? " with a slab" : "";
                System.out.println(in.next + " of " + (3 * most + 1) + slab + " in " + directory);
            }
        }
    }

    @Test
    void shouldDoWithoutASlabWhereTheMemoryIsTooSmall() throws Exception {
        String told = inSmallPlace(NoSlab.class);
        assertTrue(told == null || told.matches("(?s)(\\d+) of \\1 in .*"), told);
    }

    /** The other process: leaves numbers in memory of its own and waits until it is told that all is well. */
    static final class Owner {
        public static void main(String[] args) throws Exception {
            try (Port port = ShmFabric.open(Path.of(args[0]), 1, 2, LINES); Arena arena = Arena.ofShared()) {
                MemorySegment table = port.memory().allocate(64).memory();
                MemorySegment numbers = arena.allocate(8L * NUMBERS, 8);
                for (int i = 0; i < NUMBERS; i++) {
                    numbers.set(JAVA_LONG, 8L * i, 3L * i);
                }
                table.set(JAVA_LONG, 8, numbers.address());
                VarHandle.releaseFence();
                table.set(JAVA_LONG, 0, 1);
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
                while (table.get(JAVA_LONG, 16) == 0 && System.nanoTime() < deadline) {
                    Thread.sleep(1);
                    VarHandle.acquireFence();
                }
                System.exit(0);
            }
        }
    }

    /** Reads the owner's numbers by system call, and prints what went wrong. */
    static final class Reader {
        public static void main(String[] args) throws Exception {
            try (Port port = ShmFabric.open(Path.of(args[0]), 0, 2, LINES); Arena arena = Arena.ofShared()) {
                MemorySegment table = null;
                while (table == null || table.get(JAVA_LONG, 0) == 0) {
                    Thread.sleep(1);
                    table = port.memory().peer(1, 0);
                }
                PeerMemory peer = port.peerMemory();
                String obstacle = peer.obstacle(1);
                if (obstacle != null) {
                    System.out.println("obstacle: " + obstacle);
                    table.set(JAVA_LONG, 16, 1);
                    return;
                }
                long address = table.get(JAVA_LONG, 8);
                MemorySegment copy = arena.allocate(8L * NUMBERS + 8, 8);
                peer.read(1, address, copy, 8, 8L * NUMBERS);
                for (int i = 0; i < NUMBERS; i++) {
                    check(copy.get(JAVA_LONG, 8 + 8L * i) == 3L * i, "number " + i);
                }
                check(!peer.read(1, 8, copy, 0, 8), "reading nowhere");
                table.set(JAVA_LONG, 16, 1);
                System.out.println("all read");
            }
        }

        private static void check(boolean good, String what) {
            if (!good) {
                System.out.println("wrong: " + what);
            }
        }
    }

    private String readFromOther(String... options) throws Exception {
        Path directory = ShmFabricTest.newDirectory();
        Process owner = start(java(Owner.class, directory));
        try {
            Process reader = start(java(Reader.class, directory, options));
            String told = output(reader);
            assertTrue(reader.waitFor(SECONDS, TimeUnit.SECONDS));
            assertEquals(0, reader.exitValue(), told);
            assertTrue(owner.waitFor(SECONDS, TimeUnit.SECONDS));
            assertEquals(0, owner.exitValue(), told);
            return told;
        } finally {
            owner.destroyForcibly();
            ShmFabricTest.remove(directory);
        }
    }

    @Test
    void shouldReadTheMemoryOfAnotherProcess() throws Exception {
        String told = readFromOther("--enable-native-access=ALL-UNNAMED");
        if (told.startsWith("obstacle: ")) {
            System.out.println("skipped: " + told.strip());
            return;
        }
        assertEquals("all read\n", told);
    }

    @Test
    void shouldNotTouchNativeCodeWithoutLeave() throws Exception {
        assertEquals("obstacle: this JVM may not call native code (--enable-native-access=ALL-UNNAMED)\n",
                readFromOther("--illegal-native-access=deny"));
        assertEquals("obstacle: this JVM may not call native code (--enable-native-access=ALL-UNNAMED)\n",
                readFromOther("--enable-native-access=java.base"));
    }

    /** Asks a small file system for more and more memory; prints what it is told. */
    static final class FillMemory {
        public static void main(String[] args) {
            try (Port port = ShmFabric.open(Path.of(args[0]), 0, 2, 64)) {
                for (int i = 0; i < 100; i++) {
                    port.memory().allocate(100_000).memory().fill((byte) 1);
                }
                System.out.println("all memory fits");
            } catch (FabricException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheSizesWhenSharedMemoryIsTooSmall() throws Exception {
        String told = inSmallPlace(FillMemory.class);
        assertTrue(told == null || told.contains("memory needs 100096 bytes") && told.contains("are free"), told);
    }
}
