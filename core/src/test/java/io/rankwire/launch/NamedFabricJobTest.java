package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.tcp.NamedFabric;
import io.rankwire.launch.HandStarted.Started;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs over a network that names its ranks itself: {@link NamedFabric} stands for it. */
@Timeout(300)
final class NamedFabricJobTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"ofi, 1", "ofi:long1000, 2", "shm+ofi:any, 2"})
    void shouldFindAllRanksByTheirNames(String fabric, int aHost) throws Exception {
        try (HandStarted job = new HandStarted(directory, 4).set(Fabrics.FABRIC, fabric)) {
            List<Started> ranks = job.startAll(aHost, NetworkJobTest.Joins.class, "2");
            for (Started each : ranks) {
                assertEquals(0, each.awaitEnd(), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldUseItInsideAHostToo() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2).set(Fabrics.FABRIC, "ofi:absent")) {
            for (Started each : job.startAll(2, NetworkJobTest.Joins.class, "1")) {
                assertNotEquals(0, each.awaitEnd());
                assertTrue(each.text().contains("there is no provider absent: try another"), each.text());
            }
        }
        try (HandStarted job = new HandStarted(directory, 2).set(Fabrics.FABRIC, "shm+ofi:absent")) {
            for (Started each : job.startAll(2, NetworkJobTest.Joins.class, "1")) {
                assertEquals(0, each.awaitEnd(), each.text());
            }
        }
    }

    @Test
    void shouldRefuseANameThatIsTooLong() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2).set(Fabrics.FABRIC, "ofi:long2000")) {
            for (Started each : job.startAll(2, NetworkJobTest.Joins.class, "1")) {
                assertNotEquals(0, each.awaitEnd());
                assertTrue(each.text().contains("fabric ofi names this rank in 2009 bytes, not in 1 to 1024"),
                        each.text());
            }
        }
    }

    @Test
    void shouldNameARankOnAnotherFabric() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2)) {
            Started[] ranks = new Started[2];
            for (int rank = 0; rank < 2; rank++) {
                ranks[rank] = job.start(List.of(), rank, Map.of(Fabrics.FABRIC, rank == 0 ? "ofi" : "tcp",
                        NetworkSettings.HOST, "host" + rank), NetworkJobTest.Joins.class, "1");
            }
            for (int rank = 0; rank < 2; rank++) {
                assertNotEquals(0, ranks[rank].awaitEnd());
            }
            String all = ranks[0].text() + ranks[1].text();
            assertTrue(all.contains("uses another fabric than rank "), all);
            assertTrue(all.contains("RANKWIRE_FABRIC must be the same for all ranks"), all);
        }
    }
}
