package io.rankwire.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two builds of the same sources, in different directories, have the same bytes. They take some minutes. */
@Timeout(1800)
class ReproducibleTest {
    private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    Path place;

    @Test
    void shouldMakeTheSameBytesTwice() throws Exception {
        assumeTrue(Boolean.getBoolean("rankwire.test.reproducible"),
                "skipped: needs some minutes; -Drankwire.test.reproducible=true runs it");
        Map<String, Long> first = build("first");
        assertFalse(first.isEmpty());
        assertEquals(first, build("second/in another place"));
    }

    /** Checksums of all jars and bills of materials of a build, by name. */
    private Map<String, Long> build(String name) throws Exception {
        Path copy = Files.createDirectories(place.resolve(name)).resolve("rankwire");
        Shell.run(place, "git", "clone", "-q", CHECKOUT.toString(), copy.toString());
        Shell.run(copy, Map.of("JAVA25_HOME", System.getProperty("java.home")),
                List.of("mvn", "-B", "-q", "-DskipTests", "-Prelease", "-pl", "!lab", "package"));
        Map<String, Long> sums = new TreeMap<>();
        try (var files = Files.walk(copy)) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(jar|tar\\.gz|zip)|.*-bom\\.json"))
                    .filter(each -> !each.toString().matches(".*/(original-.*|archive-tmp/.*)")).toList()) {
                CRC32 sum = new CRC32();
                sum.update(Files.readAllBytes(file));
                sums.put(copy.relativize(file).toString(), sum.getValue());
            }
        }
        return sums;
    }
}
