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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    /** When the last trial has made a rank fail. */
    private long failedMs;

    private interface Deed {
        void run(Trial on) throws Exception;
    }

    /** A job that runs. */
    private final class Trial {
        final Path out;
        final Command command;
        final int ranks;

        Trial(String list, int ranks, String... args) throws Exception {
            this.ranks = ranks;
            out = Files.createTempFile(place, "out", "");
            List<String> line = Command.line("run", "-n", "" + ranks, "--hosts", list, "--ssh", hosts.ssh,
                    "--on-failure=continue", "--jvm", Command.LIGHT, "-cp", Launch.locationOf(Programs.class),
                    Survives.class.getName());
            line.addAll(List.of(args));
            ProcessBuilder builder = new ProcessBuilder(hosts.on(0, line.toArray(String[]::new)));
            builder.environment().put("RANKWIRE_DIR", hosts.jobs(0).toString());
            builder.environment().put("TMPDIR", hosts.temporary(0).toString());
            builder.redirectOutput(out.toFile());
            command = Command.start(builder);
        }

        String out() throws IOException {
            return Files.readString(out);
        }

        long process(int rank) throws IOException {
            return Long.parseLong(Pattern.compile("rank " + rank + " is process (\\d+)").matcher(out()).results()
                    .findFirst().orElseThrow().group(1));
        }

        void kill(int rank) throws Exception {
            Command.signal(process(rank), "KILL");
        }
    }

    /** Runs a job, does something to it, and returns its end; nothing may be left then. */
    private Result trial(String list, int ranks, Deed deed, String... args) throws Exception {
        Trial trial = new Trial(list, ranks, args);
        try (Command command = trial.command) {
            Command.await("all ranks have joined", () -> trial.out().lines()
                    .filter(line -> line.contains("is process")).count() == ranks || !isAlive(command));
            failedMs = System.currentTimeMillis();
            deed.run(trial);
            Result end = command.result();
            Result result = new Result(end.status(), trial.out(), end.err(), end.ms());
            StringBuilder noticed = new StringBuilder();
            for (MatchResult each : Pattern.compile("at (\\d+) misses").matcher(result.out()).results().toList()) {
                noticed.append(' ').append(Long.parseLong(each.group(1)) - failedMs);
            }
            if (Boolean.getBoolean("rankwire.test.verbose")) {
                System.out.println(list + " " + String.join(" ", args) + ": noticed after, in ms:" + noticed);
            }
            for (int host = 1; host < 3; host++) {
                hosts.plug(host);
            }
            String story = "status " + result.status() + "\n" + result.out() + result.err();
            Command.await("no process left; " + story + names(), () -> hosts.processes().isEmpty());
            Command.await("no file left; " + story + hosts.leftovers(), () -> hosts.leftovers().isEmpty());
            return result;
        }
    }

    private static boolean isAlive(Command command) {
        return ProcessHandle.of(command.pid()).isPresent();
    }

    private List<String> names() {
        return hosts.processes().stream().map(each -> each.pid() + " " + name(each)).toList();
    }

    private static String name(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    /** All that have not failed have the same order, have talked, and the launcher has named those that failed. */
    private static void assertSurvived(Result result, int ranks, Integer... dead) {
        String story = "status " + result.status() + "\n" + result.out() + result.err();
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
            List<String> failures = new ArrayList<>();
            for (Deed each : List.<Deed>of(_ -> first(), _ -> two(), _ -> agent(), _ -> silent(), _ -> suspect(),
                    _ -> ends(), _ -> elsewhere())) {
                try {
                    each.run(null);
                } catch (AssertionError | IllegalStateException e) {
                    failures.add(e.getStackTrace()[3] + " " + e.getMessage());
                    hosts.processes().forEach(ProcessHandle::destroyForcibly);
                }
            }
            assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
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
        Result result = trial("localhost:2,h1:2", 4, _ -> {
            for (ProcessHandle each : hosts.processes()) {
                String name = name(each);
                if (name.contains("bin/java ") && name.contains("tools.Agent") && !name.contains("sh -c")
                        && environment(each).contains("RANKWIRE_DIR=" + hosts.jobs(1))) {
                    Command.signal(each.pid(), "KILL");
                }
            }
        }, "2");
        assertSurvived(result, 4, 2, 3);
    }

    private static String environment(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
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
