package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.shm.ShmFabric;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeometryTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadWhatItWroteAndNothingElse() {
        assertEquals("1024 524288", Geometry.DEFAULT.text());
        assertEquals(Geometry.DEFAULT, Geometry.parse("1024 524288"));
        assertEquals(new Geometry(4096, 2 << 20), Geometry.parse("4096 2097152"));
        String[] wrong = {"", " ", "1024", "1024 ", " 2097152", "1024  2097152", "1024 2097152 ", "1024 2097152 1",
            "63 2097152", "4097 2097152", "-1024 2097152", "1024 131072", "1024 33554432", "1024 2097153",
            "1024 3145728", "1024 99999999999", "1024 2 MiB"};
        for (String text : wrong) {
            assertNull(Geometry.parse(text), text);
        }
    }

    @Test
    void shouldBoundWhatAllSlabsTake() {
        for (int slabBytes = 256 << 10; slabBytes <= 16 << 20; slabBytes *= 2) {
            Geometry geometry = new Geometry(1024, slabBytes);
            for (int ranks = 1; ranks <= 1000; ranks++) {
                int each = geometry.slabBytes(ranks);
                assertTrue(each <= slabBytes && each >= 256 << 10, ranks + " ranks: " + each);
                assertTrue(each == 256 << 10 || (long) each * ranks <= 16 << 20, ranks + " ranks: " + each);
                assertTrue(each / Geometry.chunkBytes(Geometry.ringLines(ranks)) >= 16, ranks + " ranks: " + each);
            }
        }
        assertEquals(512 << 10, Geometry.DEFAULT.slabBytes(32));
        assertEquals(256 << 10, Geometry.DEFAULT.slabBytes(33));
        assertEquals(4 << 20, new Geometry(1024, 4 << 20).slabBytes(4));
    }

    @ParameterizedTest
    @CsvSource({"512, 524288", "1024, 2097152", "4096, 4194304"})
    void shouldSendLongerPayloadsThroughASlabOfItsSize(int mostInRing, int slabBytes) throws Exception {
        Geometry geometry = new Geometry(mostInRing, slabBytes);
        Path slab = directory.resolve("slab.0");
        try (Port from = ShmFabric.open(directory, 0, 2, geometry);
                Port to = ShmFabric.open(directory, 1, 2, geometry)) {
            exchange(from, to, mostInRing);
            assertFalse(Files.exists(slab));
            exchange(from, to, mostInRing + 1);
            assertEquals(slabBytes, Files.size(slab));
            // More than the slab holds, and all of its chunks.
            int most = from.traits().maxPayload();
            for (int sent = 0; sent <= 2 * slabBytes; sent += most) {
                exchange(from, to, most);
            }
        }
    }

    private static void exchange(Port from, Port to, int bytes) {
        Outlet out = from.outlet(1);
        long at = out.claim(bytes);
        assertTrue(at >= 0, "no room");
        MemorySegment memory = out.memory();
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) (i + bytes));
        }
        out.commit(at, bytes, 7, bytes);
        AtomicInteger frames = new AtomicInteger();
        FrameSink sink = (peer, meta, header, place, payload, length) -> {
            frames.incrementAndGet();
            assertEquals(bytes, header);
            assertEquals(bytes, length);
            for (int i = 0; i < bytes; i++) {
                assertEquals((byte) (i + bytes), place.get(ValueLayout.JAVA_BYTE, payload + i));
            }
        };
        assertEquals(1, to.poll(sink, 10));
        assertEquals(1, frames.get());
    }
}
