package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.HandStarted.Started;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on several hosts, which are network namespaces. */
final class NetworkHostsTest {
    @TempDir
    Path directory;

    private List<Started> start(HandStarted job, NetworkNamespaces hosts, int[] hostOf, String fabric,
            Class<?> program, String... args) throws Exception {
        List<Started> ranks = new ArrayList<>();
        for (int rank = 0; rank < hostOf.length; rank++) {
            ranks.add(job.start(hosts.on(hostOf[rank]), rank, Map.of(Fabrics.FABRIC, fabric), program, args));
        }
        return ranks;
    }

    @Test
    void shouldTellHostsApartByTheirNetwork() throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(3);
                HandStarted job = new HandStarted(directory, 4)) {
            job.root = hosts.address(1) + ":7733";
            List<Started> ranks = start(job, hosts, new int[] {1, 0, 1, 2}, Fabrics.AUTO,
                    NetworkJobTest.Joins.class, "2");
            int[] node = {0, 1, 0, 2};
            String[] sees = {"+-+-", "-+--", "+-+-", "---+"};
            for (int rank = 0; rank < 4; rank++) {
                String text = ranks.get(rank).awaitEnd() + " " + ranks.get(rank).text();
                assertTrue(text.startsWith("0 ") && text.contains("world 1: rank " + rank + " of 4 on node "
                        + node[rank] + " sees " + sees[rank]), text);
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Fabrics.AUTO, Fabrics.SHM_UDP})
    void shouldCarryMessagesBetweenHostsAndInside(String fabric) throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(2);
                HandStarted job = new HandStarted(directory, 4)) {
            job.root = hosts.address(0) + ":7733";
            List<Started> ranks = start(job, hosts, new int[] {0, 1, 0, 1}, fabric, Talks.class);
            for (int rank = 0; rank < 4; rank++) {
                String text = ranks.get(rank).awaitEnd() + " " + ranks.get(rank).text();
                assertEquals("0 rank " + rank + " has talked, 2 on its host\n", text);
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldNoticeASilentHost(TestReporter reporter) throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(2);
                HandStarted job = new HandStarted(directory, 3)) {
            job.root = hosts.address(0) + ":7733";
            List<Started> ranks = start(job, hosts, new int[] {0, 0, 1}, Fabrics.AUTO,
                    NetworkJobTest.Waits.class, "9");
            for (Started each : ranks) {
                each.awaitText("joined");
            }
            hosts.cut(1);
            long since = System.nanoTime();
            ranks.get(0).awaitText("rank 2 on ");
            reporter.publishEntry("noticed a silent host after ms",
                    Long.toString((System.nanoTime() - since) / 1_000_000));
            ranks.get(2).awaitText("rank 0 on ");
            reporter.publishEntry("and the host alone after ms",
                    Long.toString((System.nanoTime() - since) / 1_000_000));
            for (Started each : ranks) {
                assertNotEquals(0, each.awaitEnd());
                assertTrue(each.text().contains(" does not answer ("), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }
}
