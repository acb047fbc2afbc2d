package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.HandStarted.Started;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Ranks that are started by hand, as processes; names of hosts stand for hosts. */
@Execution(ExecutionMode.CONCURRENT)
final class NetworkJobTest {
    @TempDir
    Path directory;

    /** Joins a number of worlds, its argument, and prints its rank in each. */
    static final class Joins {
        public static void main(String[] args) {
            System.out.println("begins");
            for (int world = 0; world < Integer.parseInt(args[0]); world++) {
                try (World joined = World.join()) {
                    Job job = Job.current();
                    StringBuilder near = new StringBuilder();
                    for (int rank = 0; rank < job.size(); rank++) {
                        near.append(job.board().isElsewhere(rank) ? '-' : '+');
                    }
                    System.out.println("world " + world + ": rank " + joined.communicator().rank() + " of "
                            + joined.communicator().size() + " on node " + job.node(job.rank()) + " sees " + near);
                }
            }
        }
    }

    /** Sends a token around the ranks of this host, which share memory. */
    static final class Ring {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                long[] token = {1};
                if (all.rank() == 0) {
                    all.send(token, (all.rank() + 1) % all.size(), 7);
                }
                all.receive(token, (all.rank() + all.size() - 1) % all.size(), 7);
                if (all.rank() != 0) {
                    token[0]++;
                    all.send(token, (all.rank() + 1) % all.size(), 7);
                }
                System.out.println("token " + token[0]);
            }
        }
    }

    /** All ranks wait: even ones for a message, odd ones asleep; the rank that is named fails when a line comes. */
    static final class Waits {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                System.out.println("joined");
                if (all.rank() == Integer.parseInt(args[0])) {
                    System.in.read();
                    throw new IllegalStateException("boom");
                }
                if (all.rank() % 2 == 0) {
                    all.receive(new long[1], Communicator.ANY_SOURCE, 1);
                } else {
                    Thread.sleep(600_000);
                }
            }
        }
    }

    /** Each rank waits for the rank that is named, and prints when it learns that this is in vain, and why. */
    static final class WaitsFor {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                // A process that holds on to nothing of this one.
                new ProcessBuilder("sleep", "5").start();
                System.out.println("joined");
                try {
                    all.receive(new long[1], Integer.parseInt(args[0]), 1);
                } catch (RankwireException e) {
                    System.out.println("at " + System.currentTimeMillis() + ": " + e.getMessage());
                    throw e;
                }
            }
        }
    }

    /** Each rank waits for the next, in vain; if there is an argument, it aborts when its wait ends with an error. */
    static final class Cycle {
        public static void main(String[] args) {
            try (World world = World.join()) {
                Communicator all = world.communicator();
                try {
                    all.receive(new long[1], (all.rank() + 1) % all.size(), 1);
                } catch (RankwireException e) {
                    if (args.length > 0) {
                        world.abort(3, null);
                    }
                    throw e;
                }
            }
        }
    }

    /** Joins, stays until a line comes, and ends in good order. */
    static final class Stays {
        public static void main(String[] args) throws Exception {
            try (World world = World.join()) {
                System.out.println("joined, " + world.communicator().rank());
                System.in.read();
            }
            System.out.println("closed");
        }
    }

    /** A thread of rank 1 that has the name of the main thread throws, and rank 2 exits after its world is closed. */
    static final class OddEnds {
        public static void main(String[] args) throws Exception {
            int rank;
            try (World world = World.join()) {
                Communicator all = world.communicator();
                rank = all.rank();
                Thread other = new Thread(() -> {
                    throw new IllegalStateException("no harm");
                }, "main");
                if (rank == 1) {
                    other.start();
                    other.join();
                }
                int[] sum = new int[1];
                all.allreduce(new int[] {rank}, sum, Op.SUM);
                System.out.println("the sum is " + sum[0]);
            }
            if (rank == 2) {
                System.exit(3);
            }
        }
    }

    private static void line(Started rank) throws IOException {
        rank.process().getOutputStream().write('\n');
        rank.process().getOutputStream().flush();
    }

    private static void assertEnd(int status, List<Started> ranks) throws Exception {
        for (Started each : ranks) {
            assertEquals(status, each.awaitEnd(), each.text());
        }
    }

    @Test
    void shouldJoinSeveralWorldsOnSeveralHosts() throws Exception {
        try (HandStarted job = new HandStarted(directory, 4).set(Fabrics.ENCRYPT, "1")) {
            List<Started> ranks = job.startAll(2, Joins.class, "3");
            assertEnd(0, ranks);
            for (int rank = 0; rank < 4; rank++) {
                for (int world = 0; world < 3; world++) {
                    String line = "world " + world + ": rank " + rank + " of 4 on node " + rank / 2 + " sees "
                            + (rank < 2 ? "++--" : "--++");
                    assertTrue(ranks.get(rank).text().contains(line), ranks.get(rank).text());
                }
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldNameARankThatJoinsNoOtherWorld() throws Exception {
        for (int first = 0; first < 2; first++) {
            try (HandStarted job = new HandStarted(directory.resolve("first" + first), 2)) {
                Started[] ranks = {job.start(0, "a", Joins.class, first == 0 ? "1" : "2"),
                    job.start(1, "b", Joins.class, first == 1 ? "1" : "2")};
                assertEquals(0, ranks[first].awaitEnd(), ranks[first].text());
                assertEquals(1, ranks[1 - first].awaitEnd());
                assertTrue(ranks[1 - first].text().contains("rank " + (1 - first) + ": join: rank " + first + " on "
                        + (first == 0 ? "a" : "b") + " has ended and joins no other world"),
                        ranks[1 - first].text());
                assertEquals(List.of(), job.leftovers());
            }
        }
    }

    @Test
    void shouldUseSharedMemoryWhenAllRanksAreOnOneHost() throws Exception {
        try (HandStarted job = new HandStarted(directory, 3)) {
            List<Started> ranks = job.startAll(3, Ring.class);
            assertEnd(0, ranks);
            assertTrue(ranks.get(0).text().contains("token 3"), ranks.get(0).text());
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldProveADeadlockOnOneHost() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2)) {
            List<Started> ranks = job.startAll(2, Cycle.class);
            assertEnd(DeadlockWatch.EXIT_STATUS, ranks);
            for (Started each : ranks) {
                assertTrue(each.text().contains("was given up: deadlock: every rank waits"), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldReportADeadlockAfterWhichRanksAbort() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2)) {
            List<Started> ranks = job.startAll(2, Cycle.class, "abort");
            assertEnd(DeadlockWatch.EXIT_STATUS, ranks);
            for (int rank = 0; rank < 2; rank++) {
                String text = ranks.get(rank).text();
                assertTrue(text.contains("rankwire: rank " + rank + " ends: deadlock: every rank waits"), text);
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldBeAWorldOfOneWhenAlone() throws Exception {
        try (HandStarted job = new HandStarted(directory, 1)) {
            assertEnd(0, job.startAll(1, Joins.class, "2"));
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldEndAllWhenOneFails() throws Exception {
        try (HandStarted job = new HandStarted(directory, 4)) {
            List<Started> ranks = job.startAll(2, Waits.class, "3");
            for (Started each : ranks) {
                each.awaitText("joined");
            }
            line(ranks.get(3));
            assertEnd(1, ranks);
            for (Started each : ranks.subList(0, 3)) {
                assertTrue(each.text().contains(
                        "rank 3 on host1 has failed: java.lang.IllegalStateException: boom"), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldLeaveOtherRanksAloneWhenAThreadThrowsOrAClosedRankExits() throws Exception {
        try (HandStarted job = new HandStarted(directory, 3).set(Fabrics.FABRIC, Fabrics.TCP)) {
            List<Started> ranks = job.startAll(1, OddEnds.class);
            for (int rank = 0; rank < 3; rank++) {
                Started each = ranks.get(rank);
                assertEquals(rank == 2 ? 3 : 0, each.awaitEnd(), each.text());
                assertTrue(each.text().contains("the sum is 3\n"), each.text());
            }
            assertTrue(ranks.get(1).text().contains("Exception in thread \"main\" java.lang.IllegalStateException: no"
                    + " harm"), ranks.get(1).text());
            assertEquals(List.of(), job.leftovers());
        }
    }

    /** A rank on the other host than rank 0, or rank 0 itself. */
    @Test
    void shouldEndAllWhenOneIsKilled(TestReporter reporter) throws Exception {
        List<String> fabrics = List.of(Fabrics.AUTO, Fabrics.TCP, Fabrics.UDP, Fabrics.SHM_UDP);
        int[] victims = {2, 0, 2, 0};
        List<HandStarted> jobs = new ArrayList<>();
        try {
            for (int i = 0; i < victims.length; i++) {
                jobs.add(new HandStarted(directory.resolve(fabrics.get(i)), 3).set(Fabrics.FABRIC, fabrics.get(i)));
                jobs.getLast().startAll(2, WaitsFor.class, Integer.toString(victims[i]));
            }
            long quickest = Long.MAX_VALUE;
            for (int i = 0; i < victims.length; i++) {
                long ms = kill(jobs.get(i), victims[i]);
                reporter.publishEntry("rank " + victims[i] + " killed, " + fabrics.get(i), ms + " ms");
                quickest = Math.min(quickest, ms);
            }
            assertTrue(quickest <= 100, "known after " + quickest + " ms at the earliest");
            assertNextJobRemovesLeftovers(directory.resolve(fabrics.getFirst()));
        } finally {
            jobs.forEach(HandStarted::close);
        }
    }

    /** Returns the milliseconds after which the last rank knew it. */
    private static long kill(HandStarted job, int victim) throws Exception {
        for (Started each : job.ranks()) {
            each.awaitText("joined");
        }
        long killed = System.currentTimeMillis();
        job.ranks().get(victim).process().destroyForcibly();
        long last = 0;
        for (int rank = 0; rank < 3; rank++) {
            assertNotEquals(0, job.ranks().get(rank).awaitEnd());
            if (rank != victim) {
                String text = job.ranks().get(rank).text();
                Matcher known = Pattern.compile("at (\\d+): rank " + rank + ": receive from rank " + victim
                        + ", tag 1, on world was given up: rank " + victim + " on host" + victim / 2
                        + " has ended \\(connection closed\\)").matcher(text);
                assertTrue(known.find(), text);
                last = Math.max(last, Long.parseLong(known.group(1)) - killed);
            }
        }
        // Rank 2 was the last one of its host.
        assertEquals(victim == 2 ? 1 : 0, job.leftovers().size());
        return last;
    }

    /** A job that starts beside it, of one rank; its own directory is gone with it. */
    private static void assertNextJobRemovesLeftovers(Path place) throws Exception {
        try (HandStarted next = new HandStarted(place, 1)) {
            assertEnd(0, next.startAll(1, Joins.class, "1"));
            assertEquals(List.of(), next.leftovers());
        }
    }

    @Test
    void shouldHarmNoRightProgram() throws Exception {
        List<HandStarted> jobs = new ArrayList<>();
        try {
            for (String fabric : List.of(Fabrics.AUTO, Fabrics.UDP)) {
                jobs.add(new HandStarted(directory.resolve(fabric), 4).set(Fabrics.FABRIC, fabric)
                        .set(Fabrics.ENCRYPT, fabric.equals(Fabrics.AUTO) ? "1" : "0"));
                jobs.getLast().startAll(2, Ordeals.class, "2500");
            }
            for (HandStarted job : jobs) {
                for (int rank = 0; rank < 4; rank++) {
                    Started each = job.ranks().get(rank);
                    assertEquals("0 rank " + rank + " is through\n", each.awaitEnd() + " " + each.text());
                }
                assertEquals(List.of(), job.leftovers());
            }
        } finally {
            jobs.forEach(HandStarted::close);
        }
    }

    @Test
    void shouldGoOnAfterAProcessWasStopped() throws Exception {
        try (HandStarted job = new HandStarted(directory, 3)) {
            List<Started> ranks = job.startAll(2, Stays.class);
            for (Started each : ranks) {
                each.awaitText("joined");
            }
            ranks.get(0).signal("STOP");
            ranks.get(2).signal("STOP");
            // Longer than a host may be silent.
            Thread.sleep(3_500);
            ranks.get(0).signal("CONT");
            ranks.get(2).signal("CONT");
            for (Started each : ranks) {
                line(each);
            }
            assertEnd(0, ranks);
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldNameMissingRanks() throws Exception {
        try (HandStarted job = new HandStarted(directory, 5)) {
            Started other = job.start(2, "b", Joins.class, "1").awaitText("begins");
            Started root = job.start(List.of(), 0, Map.of(NetworkSettings.START_TIMEOUT, "3"), Joins.class, "1");
            for (Started each : List.of(root, other)) {
                assertNotEquals(0, each.awaitEnd());
                assertTrue(each.text().contains("ranks 1, 3, 4 of 5 did not come to rank 0 at " + job.root
                        + " within 3 s"), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }

    @Test
    void shouldNameARootThatCannotBeReached() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2).set(NetworkSettings.START_TIMEOUT, "1")) {
            Started refused = job.start(1, "a", Joins.class, "1");
            job.root = "no-such-host.invalid:" + 7733;
            Started unknown = job.start(1, "a", Joins.class, "1");
            assertNotEquals(0, refused.awaitEnd());
            assertTrue(refused.text().contains("rank 1 cannot reach rank 0 at 127.0.0.1:"), refused.text());
            assertTrue(refused.text().contains("within 1 s: Connection refused"), refused.text());
            assertNotEquals(0, unknown.awaitEnd());
            assertTrue(unknown.text().contains("rank 1 cannot reach rank 0 at no-such-host.invalid:7733 within 1 s: "
                    + "its name does not resolve"), unknown.text());
        }
    }

    @Test
    void shouldRefuseStrangersDuplicatesAndOtherSizes() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2)) {
            Started root = job.start(0, "a", Stays.class);
            String[] place = job.root.split(":");
            Random random = new Random(7);
            byte[] garbage = new byte[10_000];
            Socket silent = await(place[0], Integer.parseInt(place[1]));
            for (int i = 0; i < 20; i++) {
                try (Socket stranger = await(place[0], Integer.parseInt(place[1]))) {
                    random.nextBytes(garbage);
                    stranger.getOutputStream().write(garbage, 0, 1 + random.nextInt(garbage.length));
                } catch (IOException e) {
                    // The root has dropped it while it wrote.
                }
            }
            try (Socket liar = await(place[0], Integer.parseInt(place[1]))) {
                liar.getOutputStream().write(ControlProof.greeting(1, 2, ControlProof.UP, 0, new byte[16]));
                InputStream in = liar.getInputStream();
                assertEquals(ControlProof.ANSWER, in.readNBytes(ControlProof.ANSWER).length);
                liar.getOutputStream().write(new byte[32]);
                assertEquals(-1, in.read());
            }
            try (Socket newer = await(place[0], Integer.parseInt(place[1]))) {
                newer.getOutputStream().write(prefix(ControlProof.VERSION + 1));
                assertArrayEquals(prefix(ControlProof.VERSION), newer.getInputStream().readAllBytes());
            }
            Started wrong = job.start(List.of(), 1, Map.of(NetworkSettings.SECRET_FILE,
                    job.secret("other", "fedcba9876543210fedcba9876543210").toString()), Stays.class);
            Started larger = job.start(List.of(), 1, Map.of(ProcessJob.SIZE, "3"), Stays.class);
            assertNotEquals(0, wrong.awaitEnd());
            assertTrue(wrong.text().contains("rank 1: rank 0 at " + job.root + " has another secret"), wrong.text());
            assertNotEquals(0, larger.awaitEnd());
            assertTrue(larger.text().contains("was started as rank 1 of 3, but rank 0 at " + job.root
                    + " belongs to a job of 2"), larger.text());
            Started sealed = job.start(List.of(), 1, Map.of(Fabrics.ENCRYPT, "1"), Stays.class);
            assertNotEquals(0, sealed.awaitEnd());
            assertTrue(sealed.text().contains("rank 1 encrypts, but rank 0 does not: RANKWIRE_ENCRYPT must be the same"
                    + " for all ranks"), sealed.text());
            Started right = job.start(1, "b", Stays.class).awaitText("joined");
            Started twice = job.start(1, "b", Stays.class);
            assertNotEquals(0, twice.awaitEnd());
            assertTrue(twice.text().contains("rank 1 of the job at " + job.root + " is process "
                    + right.process().pid() + " on b already"), twice.text());
            root.awaitText("joined");
            line(root);
            line(right);
            assertEnd(0, List.of(root, right));
            assertTrue(root.text().contains("as rank 1, which does not know the secret"), root.text());
            assertTrue(root.text().contains("which has version 5 of the control protocol; this rank has 4"),
                    root.text());
            assertTrue(root.text().contains("as rank 1, which did not like this rank's proof"), root.text());
            silent.close();
        }
    }

    private static byte[] prefix(int version) {
        return ByteBuffer.allocate(ControlProof.PREFIX).putInt(ControlProof.MAGIC).putInt(version).array();
    }

    @Test
    void shouldNameTheVersionOfAnotherRoot() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2); ServerSocket root = new ServerSocket(0)) {
            job.root = "localhost:" + root.getLocalPort();
            Started rank = job.start(1, "a", Joins.class, "1");
            try (Socket connection = root.accept()) {
                connection.getOutputStream().write(prefix(9));
                assertNotEquals(0, rank.awaitEnd());
            }
            assertTrue(rank.text().contains("rank 1: rank 0 at " + job.root + " has version 9 of the control protocol,"
                    + " and this rank version 4"), rank.text());
        }
    }

    private static Socket await(String host, int port) throws Exception {
        for (int attempt = 0;; attempt++) {
            try {
                return new Socket(host, port);
            } catch (IOException e) {
                if (attempt == 6_000) {
                    throw e;
                }
                Thread.sleep(10);
            }
        }
    }

    @Test
    void shouldRefuseSharedMemoryBetweenHosts() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2).set(Fabrics.FABRIC, "shm")) {
            List<Started> ranks = job.startAll(1, Joins.class, "1");
            for (Started each : ranks) {
                assertNotEquals(0, each.awaitEnd());
                assertTrue(each.text().contains(
                        "RANKWIRE_FABRIC is shm, but the ranks are on several hosts: host0, host1"), each.text());
            }
            assertEquals(List.of(), job.leftovers());
        }
    }
}
