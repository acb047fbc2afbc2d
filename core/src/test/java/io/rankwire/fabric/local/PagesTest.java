package io.rankwire.fabric.local;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PagesTest {
    private static final long BYTES = 8 * Pages.ALIGNMENT;

    /** A process that may call native functions: releases memory, and prints what it saw. */
    static final class Releases {
        public static void main(String[] args) throws InterruptedException {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory = arena.allocate(BYTES, Pages.ALIGNMENT).fill((byte) 1);
                long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
                while (!Pages.release(memory)) {
                    assertTrue(System.nanoTime() < deadline, "the function is not ready after a minute");
                    assertEquals(1, memory.get(JAVA_BYTE, BYTES - 1), "nothing is released before");
                    Thread.sleep(1);
                }
                assertEquals(-1, memory.mismatch(MemorySegment.ofArray(new byte[(int) BYTES])), "what is left");
                memory.fill((byte) 2);
                assertEquals(2, memory.get(JAVA_BYTE, BYTES - 1));
                System.out.print("released");
            }
        }
    }

    @Test
    void shouldReleaseWholePages() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "skipped: needs Linux");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Releases.class.getName()).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        assertEquals("released", printed);
    }

    @Test
    void shouldKeepPagesWithoutNativeAccess() {
        assumeTrue(!Pages.class.getModule().isNativeAccessEnabled(), "skipped: native access is enabled");
        MemorySegment memory = Arena.ofAuto().allocate(BYTES, Pages.ALIGNMENT).fill((byte) 1);
        assertFalse(Pages.release(memory) || Pages.release(memory));
        assertEquals(1, memory.get(JAVA_BYTE, 0));
    }

    @Test
    void shouldRefusePartsOfPages() {
        MemorySegment memory = Arena.ofAuto().allocate(BYTES, Pages.ALIGNMENT);
        assertThrows(IllegalArgumentException.class, () -> Pages.release(memory.asSlice(64)));
        assertThrows(IllegalArgumentException.class, () -> Pages.release(memory.asSlice(0, BYTES - 4096)));
    }
}
