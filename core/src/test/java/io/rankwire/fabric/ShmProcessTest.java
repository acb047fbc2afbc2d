package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.shm.ShmFabric;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
    private static final long SECONDS = 60;

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

    private static List<String> java(Class<?> main, Path directory) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-ea", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(), directory.toString());
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String output(Process process) throws IOException {
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
        Path place = Files.createTempDirectory("rankwire-test-");
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c",
                "mount -t tmpfs -o size=1m none \"$0\" || exit 9; exec \"$@\"", place.toString()));
        command.addAll(java(Fill.class, place));
        try {
            Process process = start(command);
            String told = output(process);
            assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS));
            if (process.exitValue() != 0 && !told.contains("bytes")) {
                System.out.println("skipped: needs root");
                return;
            }
            assertTrue(told.contains(place.toString()) && told.contains("needs 131584 bytes")
                    && told.contains("are free"), told);
            assertFalse(told.contains("all rings fit"), told);
        } catch (IOException noUnshare) {
            System.out.println("skipped: needs root");
        } finally {
            Files.delete(place);
        }
    }
}
