package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.HandStarted.Started;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on several hosts, which are network namespaces. */
@Execution(ExecutionMode.CONCURRENT)
final class NetworkHostsTest {
    @TempDir
    Path directory;

    private List<Started> start(
            HandStarted job, NetworkNamespaces hosts, int[] hostOf, Class<?> program, String... args) throws Exception {
        return start(job, hosts, hostOf, Fabrics.AUTO, program, args);
    }

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
    @ValueSource(strings = {Fabrics.AUTO, Fabrics.SHM_UDP, Fabrics.SHM_OFI})
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

    private interface Trial {
        void run() throws Exception;
    }

    /** What takes its time because hosts wait is done at the same time. */
    @Test
    void shouldKeepItsPromisesWhateverHappensToTheNetwork() throws Exception {
        List<Trial> trials = List.of(() -> loseNothingWhenACableIsMendedAndAProcessGoesOn(Fabrics.AUTO),
                () -> loseNothingWhenACableIsMendedAndAProcessGoesOn(Fabrics.UDP),
                this::nameAHostThatAFirewallHides, this::noticeASilentHost);
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(trials.size())) {
            for (Trial each : trials) {
                ends.add(pool.submit(() -> {
                    each.run();
                    return null;
                }));
            }
        }
        for (Future<?> each : ends) {
            each.get();
        }
    }

    private void loseNothingWhenACableIsMendedAndAProcessGoesOn(String fabric) throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(3);
                HandStarted job = new HandStarted(directory.resolve("mended" + fabric), 3)
                        .set(NetworkSettings.SILENCE, "3")) {
            job.root = hosts.address(0) + ":7733";
            List<Started> ranks = start(job, hosts, new int[] {0, 1, 2}, fabric, Flows.class);
            for (Started each : ranks) {
                each.awaitText("joined");
            }
            hosts.unplug(1);
            ranks.get(2).signal("STOP");
            Thread.sleep(1_200);
            hosts.plug(1);
            // Together longer than a host may be silent.
            Thread.sleep(2_500);
            ranks.get(2).signal("CONT");
            line(ranks.get(0));
            for (Started each : ranks) {
                assertEquals(0, each.awaitEnd(), each.text());
                assertTrue(each.text().matches("(?s)joined\nall of \\d+ messages have come\n"), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    private static void line(Started rank) throws IOException {
        rank.process().getOutputStream().write('\n');
        rank.process().getOutputStream().flush();
    }

    /** One job whose rank 0 is hidden, and one with two other hosts that do not reach each other. */
    private void nameAHostThatAFirewallHides() throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(4);
                HandStarted apart = new HandStarted(directory.resolve("apart"), 3);
                HandStarted hidden = new HandStarted(directory.resolve("hidden"), 2)
                        .set(NetworkSettings.START_TIMEOUT, "8")) {
            hosts.drop(1, 2);
            hosts.drop(2, 1);
            hosts.drop(0, 3);
            apart.root = hosts.address(0) + ":7733";
            List<Started> around = start(apart, hosts, new int[] {0, 1, 2}, Talks.class);
            hidden.root = hosts.address(0) + ":7744";
            List<Started> ranks = start(hidden, hosts, new int[] {0, 3}, Talks.class);
            assertNotEquals(0, ranks.get(1).awaitEnd());
            assertTrue(ranks.get(1).text().contains("rank 1 cannot reach rank 0 at 10.77.0.1:7744 within 8 s: it did"
                    + " not answer"), ranks.get(1).text());
            assertNotEquals(0, ranks.get(0).awaitEnd());
            assertTrue(ranks.get(0).text().contains("rank 1 of 2 did not come to rank 0 at 10.77.0.1:7744"),
                    ranks.get(0).text());
            for (Started each : around) {
                assertNotEquals(0, each.awaitEnd());
                assertTrue(each.text().matches("(?s).*rank (1 on \\S+: rank 2|2 on \\S+: rank 1) on \\S+ is lost: .*"),
                        each.text());
            }
            assertEquals(List.of(), apart.leftovers());
            assertEquals(List.of(), hidden.leftovers());
        }
    }

    /** With an MTU that is not that of the others, and each rank at its address on a second network. */
    @Test
    void shouldUseTheChosenNetworkWhateverItsMtu() throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(2);
                HandStarted job = new HandStarted(directory, 4).set(LocalAddresses.SUBNET, "fd77::/64")
                        .set("RANKWIRE_EXPLAIN", "1")) {
            job.root = hosts.address(0) + ":7733";
            hosts.addAddress(0, "fd77::1/64");
            hosts.addAddress(1, "fd77::2/64");
            hosts.setMtu(1, 9_000);
            List<Started> ranks = start(job, hosts, new int[] {0, 1, 0, 1}, Fabrics.AUTO, Talks.class);
            for (int rank = 0; rank < 4; rank++) {
                String text = ranks.get(rank).awaitEnd() + " " + ranks.get(rank).text();
                String last = "rank " + rank + " has talked, 2 on its host\n";
                assertTrue(text.startsWith("0 ") && text.endsWith(last), text);
            }
            String explained = ranks.get(0).text();
            String costs = "(?s).*rankwire: costs of the network, (measured|estimated): round .*";
            assertTrue(explained.matches(costs), explained);
            assertTrue(explained.contains("by hosts"), explained);
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldTalkAllToAllWithFewSockets(TestReporter reporter) throws Exception {
        try (NetworkNamespaces hosts = new NetworkNamespaces(4);
                HandStarted processes = new HandStarted(directory, 4)) {
            List<String> args = new ArrayList<>(List.of("16"));
            for (int host = 0; host < 4; host++) {
                args.add(hosts.address(host));
            }
            List<Started> crowds = new ArrayList<>();
            for (int host = 0; host < 4; host++) {
                args.addFirst(Integer.toString(host));
                crowds.add(processes.start(hosts.on(host), host, Map.of(), Crowd.class, args.toArray(String[]::new)));
                args.removeFirst();
            }
            for (Started each : crowds) {
                each.awaitText("talking: ");
            }
            for (Started each : crowds) {
                line(each);
                assertEquals(0, each.awaitEnd(), each.text());
                reporter.publishEntry("sockets", each.text().replace('\n', ' '));
                int[] sockets = each.text().lines().mapToInt(text -> Integer.parseInt(text.split(": ")[1])).toArray();
                // One to listen for each of the 16 ranks; then one for each rank of another host that each talks to.
                assertTrue(sockets[0] >= 16 && sockets[0] < 20, each.text());
                assertTrue(sockets[1] >= 16 + 16 * 48 && sockets[1] <= Crowd.MOST_SOCKETS, each.text());
            }
        }
    }

    /** One job on each fabric, and one cable that is cut. */
    private void noticeASilentHost() throws Exception {
        List<String> fabrics = List.of(Fabrics.AUTO, Fabrics.TCP, Fabrics.UDP);
        List<HandStarted> jobs = new ArrayList<>();
        try (NetworkNamespaces hosts = new NetworkNamespaces(2)) {
            for (String fabric : fabrics) {
                // In the job that has shared memory too, a rank waits on the host of rank 0.
                boolean mixed = fabric.equals(Fabrics.AUTO);
                jobs.add(new HandStarted(directory.resolve("silent" + fabric), mixed ? 3 : 2));
                jobs.getLast().root = hosts.address(0) + ":" + (7750 + jobs.size());
                start(jobs.getLast(), hosts, mixed ? new int[] {0, 1, 0} : new int[] {0, 1}, fabric,
                        NetworkJobTest.WaitsFor.class, "1");
            }
            for (HandStarted job : jobs) {
                for (Started each : job.ranks()) {
                    each.awaitText("joined");
                }
            }
            long cut = System.currentTimeMillis();
            hosts.cut(1);
            long quickest = Long.MAX_VALUE;
            for (HandStarted job : jobs) {
                long last = 0;
                for (int rank = 0; rank < job.ranks().size(); rank++) {
                    Started each = job.ranks().get(rank);
                    assertNotEquals(0, each.awaitEnd());
                    Matcher known = Pattern.compile("at (\\d+): rank " + rank + ": receive from rank 1, tag 1, on world"
                            + " was given up: rank " + (rank == 1 ? 0 : 1) + " on \\S+ does not answer \\(")
                            .matcher(each.text());
                    assertTrue(known.find(), each.text());
                    last = Math.max(last, Long.parseLong(known.group(1)) - cut);
                }
                System.out.println("a silent host is known after " + last + " ms");
                quickest = Math.min(quickest, last);
                assertEquals(List.of(), job.leftovers());
            }
            // The kernel counts whole seconds, and is some hundredths late.
            assertTrue(quickest <= 2_500, "known after " + quickest + " ms at the earliest");
        } finally {
            jobs.forEach(HandStarted::close);
        }
    }

    /** A real job of 16 ranks, or of as many as a property says, on four hosts. */
    @Test
    void shouldOpenSocketsForPairsThatTalk(TestReporter reporter) throws Exception {
        int size = Integer.getInteger("rankwire.test.ranks", 16);
        int aHost = size / 4;
        try (NetworkNamespaces hosts = new NetworkNamespaces(4);
                HandStarted job = new HandStarted(directory, size)) {
            job.root = hosts.address(0) + ":7733";
            int[] hostOf = IntStream.range(0, size).map(rank -> rank / aHost).toArray();
            List<Started> ranks = start(job, hosts, hostOf, Fabrics.AUTO, AllPairs.class);
            for (int rank = 0; rank < size; rank++) {
                String text = ranks.get(rank).awaitEnd() + " " + ranks.get(rank).text();
                assertTrue(text.matches("0 sockets \\d+ \\d+ \\d+\n"), text);
                reporter.publishEntry("rank " + rank, text.strip());
                int[] sockets = Arrays.stream(text.strip().split(" ")).skip(2).mapToInt(Integer::parseInt).toArray();
                // Two connections to the root, one socket that listens, one of the JVM that stands for closed ones;
                // the root has its own ends and listens too.
                int own = 4 + (rank == 0 ? 2 * size + 1 : 0);
                // The first ranks of two hosts have measured the network, and both may have dialed at the same time.
                assertTrue(sockets[0] <= own + 2, text);
                assertTrue(sockets[1] <= own + 4, text);
                assertTrue(sockets[2] <= own + size - aHost, text);
            }
            assertEquals(List.of(), job.leftovers());
        }
    }
}
