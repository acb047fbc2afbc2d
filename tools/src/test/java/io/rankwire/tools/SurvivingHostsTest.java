package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.World;
import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Job;
import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on several hosts that go on while ranks, agents and hosts are lost. {@code -Drankwire.test.verbose=true} prints
 * when the others notice it.
 */
@Timeout(1200)
class SurvivingHostsTest {
    /** Waits until some ranks are dead, and then talks with all others. */
    static final class Survives {
        public static void main(String[] args) throws Exception {
            int deaths = Integer.parseInt(args[0]);
            World world = World.join();
            Communicator all = world.communicator();
            int rank = all.rank();
            FailureLog log = Job.current().board().failures();
            System.out.println("rank " + rank + " is process " + ProcessHandle.current().pid());
            if (args.length > 2 && rank == Integer.parseInt(args[2])) {
                System.in.read();
                act(args[1], world, log, rank);
            }
            while (log.count() < deaths) {
                Thread.sleep(1);
            }
            StringBuilder line = new StringBuilder("rank " + rank + " at " + System.currentTimeMillis() + " misses");
            List<Integer> live = new ArrayList<>();
            for (int i = 0; i < deaths; i++) {
                line.append(' ').append(log.rank(i));
            }
            for (int each = 0; each < all.size(); each++) {
                if (!log.isDead(each)) {
                    live.add(each);
                }
            }
            System.out.println(line);
            int place = live.indexOf(rank);
            int[] got = new int[1];
            all.sendReceive(new int[] {rank}, live.get((place + 1) % live.size()), 1, got,
                    live.get((place + live.size() - 1) % live.size()), 1);
            System.out.println("rank " + rank + " has heard of " + got[0]);
            try {
                world.close();
            } catch (RankwireException e) {
                // What was sent to a dead rank has not arrived.
                if (e.errorClass() != ErrorClass.PEER) {
                    throw e;
                }
                world.close();
            }
        }

        private static void act(String what, World world, FailureLog log, int rank) {
            switch (what) {
                case "throw" -> throw new IllegalStateException("on purpose");
                case "abort" -> world.abort(7, "on purpose");
                case "exit" -> System.exit(9);
                case "suspect" -> log.suspect(rank, world.communicator().size() - 1);
                default -> { }
            }
        }
    }

    @TempDir
    Path place;

    private SshHosts hosts;

    /** Runs a job, does something to it, and returns its end. */
    private Result trial(String list, int ranks, HostsTrial.Deed deed, String... args) throws Exception {
        List<String> job = new ArrayList<>(List.of("-n", "" + ranks, "--hosts", list, "-cp",
                Launch.locationOf(Programs.class), Survives.class.getName()));
        job.addAll(List.of(args));
        long[] failedMs = new long[1];
        Result result = HostsTrial.run(hosts, place, ranks, trial -> {
            failedMs[0] = System.currentTimeMillis();
            deed.run(trial);
        }, job);
        StringBuilder noticed = new StringBuilder();
        for (MatchResult each : Pattern.compile("at (\\d+) misses").matcher(result.out()).results().toList()) {
            noticed.append(' ').append(Long.parseLong(each.group(1)) - failedMs[0]);
        }
        if (Boolean.getBoolean("rankwire.test.verbose")) {
            System.out.println(list + " " + String.join(" ", args) + ": noticed after, in ms:" + noticed);
        }
        return result;
    }

    /** All that have not failed have the same order, have talked, and the launcher has named those that failed. */
    private static void assertSurvived(Result result, int ranks, Integer... dead) {
        String story = HostsTrial.story(result);
        assertEquals(0, result.status(), story);
        List<String> orders = Pattern.compile("misses (.*)").matcher(result.out()).results()
                .map(each -> each.group(1)).toList();
        assertEquals(ranks - dead.length, orders.size(), story);
        assertEquals(1, orders.stream().distinct().count(), story);
        assertEquals(ranks - dead.length, result.out().lines().filter(line -> line.contains("has heard")).count(),
                story);
        for (int each : dead) {
            assertTrue(List.of(orders.get(0).split(" ")).contains("" + each), story);
            assertEquals(1, result.err().lines().filter(line -> line.matches("rankwire: rank " + each + " of " + ranks
                    + " on \\S+ failed: .*; the job goes on without it")).count(), story);
        }
        assertEquals(dead.length, result.err().lines().filter(line -> line.contains("goes on")).count(), story);
    }

    @Test
    void shouldGoOnWhateverIsLost() throws Exception {
        try (SshHosts made = new SshHosts(place, 3)) {
            hosts = made;
            HostsTrial.all(hosts, this::first, this::two, this::agent, this::silent, this::suspect, this::ends,
                    this::elsewhere);
        }
    }

    private void first() throws Exception {
        Result result = trial("localhost:2,h1:2", 4, job -> job.kill(0), "1");
        assertSurvived(result, 4, 0);
        assertTrue(result.err().contains("rank 0 of 4 on localhost failed: it was killed by signal 9 (SIGKILL)"),
                result.err());
    }

    private void two() throws Exception {
        assertSurvived(trial("localhost:2,h1:2", 4, job -> {
            job.kill(3);
            job.kill(1);
        }, "2"), 4, 1, 3);
    }

    private void agent() throws Exception {
        assertSurvived(trial("localhost:2,h1:2", 4, job -> job.killAgent(1), "2"), 4, 2, 3);
    }

    private void silent() throws Exception {
        Result result = trial("localhost:1,h1:1,h2:2", 4, _ -> hosts.unplug(2), "2");
        assertSurvived(result, 4, 2, 3);
        assertTrue(result.err().contains("does not answer"), result.err());
    }

    private void suspect() throws Exception {
        Result result = trial("localhost:1,h1:2", 3, job -> job.command.type("\n"), "1", "suspect", "0");
        assertSurvived(result, 3, 2);
        assertTrue(result.err().contains("rank 0 on localhost cannot reach rank 2 on h1"), result.err());
    }

    /** What makes ranks fail, and what ends the job. */
    private void ends() throws Exception {
        Result thrown = trial("localhost:1,h1:1", 2, job -> job.command.type("\n"), "1", "throw", "0");
        assertSurvived(thrown, 2, 0);
        assertTrue(thrown.err().contains("IllegalStateException: on purpose"), thrown.err());
        Result aborted = trial("localhost:1,h1:1", 2, job -> job.command.type("\n"), "1", "abort", "0");
        assertEquals(7, aborted.status(), aborted.err());
        assertTrue(!aborted.err().contains("goes on"), aborted.err());
        Result all = trial("localhost:1,h1:1", 2, job -> {
            job.kill(1);
            job.kill(0);
        }, "3");
        assertEquals(137, all.status(), all.err());
        assertTrue(all.err().contains("; no rank is left"), all.err());
    }

    /** The launcher is on none of the hosts. */
    private void elsewhere() throws Exception {
        assertSurvived(trial("h1:2,h2:1", 3, job -> job.kill(0), "1"), 3, 0);
    }
}
