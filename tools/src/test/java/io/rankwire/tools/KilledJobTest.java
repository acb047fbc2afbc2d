package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import io.rankwire.tools.Command.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on two hosts of which a process is killed at some moment: a rank, an agent, the launcher, or ssh. All must end,
 * with a sentence that says why, and nothing may stay on any host. {@code -Drankwire.test.kills=200} is for many,
 * {@code -Drankwire.test.seed} for another first one.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class KilledJobTest {
    private static final int KILLS = Integer.getInteger("rankwire.test.kills", 3);
    /** The first three are a launcher, an agent and a rank. */
    private static final int FIRST_SEED = Integer.getInteger("rankwire.test.seed", 20450);
    private static final String CHILD = "rankwire-test-child";

    private enum Target { RANK, AGENT, LAUNCHER, SSH }

    /** Has children of its own, and adds up for a while. */
    static final class Adds {
        public static void main(String[] args) throws Exception {
            Process child = new ProcessBuilder("sh", "-c", "sleep 601 & exec sleep 600", CHILD).start();
            long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
            int rank;
            try (World world = World.join()) {
                Communicator all = world.communicator();
                rank = all.rank();
                long[] sum = new long[1];
                do {
                    all.allreduce(new long[] {Math.max(0, end - System.nanoTime())}, sum, Op.SUM);
                } while (sum[0] > 0);
            }
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
            System.out.println("rank " + rank + " is done");
        }
    }

    @TempDir
    Path place;

    @Test
    void shouldEndAllAndLeaveNothingWhateverIsKilled() throws Exception {
        try (SshHosts hosts = new SshHosts(place, 2)) {
            List<String> failures = new ArrayList<>();
            for (int seed = FIRST_SEED; seed < FIRST_SEED + KILLS; seed++) {
                try {
                    kill(hosts, seed);
                } catch (AssertionError | IllegalStateException e) {
                    failures.add("seed " + seed + ": " + e.getMessage());
                    hosts.processes().forEach(ProcessHandle::destroyForcibly);
                    for (Path each : hosts.leftovers()) {
                        new ProcessBuilder("rm", "-rf", each.toString()).start().waitFor();
                    }
                }
            }
            assertTrue(failures.isEmpty(), () -> failures.size() + " of " + KILLS + "\n" + String.join("\n", failures));
        }
    }

    private void kill(SshHosts hosts, int seed) throws Exception {
        // Small seeds that follow each other begin with nearly the same numbers.
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Target target = Target.values()[random.nextInt(Target.values().length)];
        String signal = List.of("KILL", "KILL", "KILL", "TERM", "INT").get(random.nextInt(5));
        // Half of them while the job starts.
        int delayMs = random.nextInt(random.nextBoolean() ? 1500 : 4000);
        int runMs = random.nextInt(2000);
        int ranks = random.nextBoolean() ? 2 : 4;
        String list = (random.nextBoolean() ? "localhost:" : "h0:") + ranks / 2 + ",h1:" + ranks / 2;
        String copy = random.nextBoolean() ? "--copy=always" : "--copy=auto";
        String what = target + " by " + signal + " after " + delayMs + " ms of " + runMs + " on " + list + " " + copy;
        List<String> line = Command.line("run", "-n", "" + ranks, "--hosts", list, "--ssh", hosts.ssh, copy, "--jvm",
                Command.LIGHT, "-cp", Launch.locationOf(Programs.class), Adds.class.getName(), "" + runMs);
        ProcessBuilder builder = new ProcessBuilder(hosts.on(0, line.toArray(String[]::new)));
        builder.environment().put("RANKWIRE_DIR", hosts.jobs(0).toString());
        builder.environment().put("TMPDIR", hosts.temporary(0).toString());
        try (Command command = Command.start(builder)) {
            command.endInput();
            Thread.sleep(delayMs);
            ProcessHandle victim = victim(hosts, target, command.pid(), random);
            while (victim == null && ProcessHandle.of(command.pid()).isPresent()) {
                // Not yet there, on a busy machine.
                Thread.sleep(random.nextInt(300));
                victim = victim(hosts, target, command.pid(), random);
            }
            String killed = victim == null ? "none" : name(victim);
            if (victim != null) {
                new ProcessBuilder("kill", "-" + signal, "" + victim.pid()).redirectErrorStream(true).start().waitFor();
            }
            Result result = command.result();
            boolean isLauncher = victim != null && victim.pid() == command.pid();
            String story = what + "\nkilled " + killed + "\nstatus " + result.status() + " after " + result.ms()
                    + " ms\n" + result.out() + result.err();
            if (Boolean.getBoolean("rankwire.test.verbose")) {
                System.out.println("seed " + seed + ": " + story);
            }
            Command.await("no process left; " + story + hosts.processes().stream().map(KilledJobTest::name).toList(),
                    () -> hosts.processes().isEmpty());
            Command.await("no file left; " + story + hosts.leftovers(), () -> hosts.leftovers().isEmpty());
            assertTrue(isLauncher && signal.equals("KILL") || isGoodEnd(result, ranks) || result.status() != 0
                    && isNamed(result.err(), isLauncher), story);
        }
    }

    /** The job had done all its work. */
    private static boolean isGoodEnd(Result result, int ranks) {
        return result.status() == 0 && result.lines().size() == ranks && result.err().isEmpty();
    }

    private static boolean isNamed(String err, boolean isLauncher) {
        String[] lines = err.split("\n");
        String last = lines[lines.length - 1];
        // A JVM that has hardly begun says nothing.
        return isLauncher ? last.isEmpty() || last.equals("rankwire: interrupted; all ranks have been ended")
                : last.matches("rankwire: .*(rank [0-3] (of [24] )?on|agent on|connection to h|h[01] |localhost ).*");
    }

    private ProcessHandle victim(SshHosts hosts, Target target, long launcher, Random random) {
        List<ProcessHandle> found = new ArrayList<>();
        for (ProcessHandle each : hosts.processes()) {
            String name = name(each);
            boolean suits = switch (target) {
                case RANK -> name.contains("java ") && name.contains("RankMain");
                case AGENT -> name.contains("bin/java ") && name.contains("tools.Agent") && !name.contains("sh -c");
                case LAUNCHER -> each.pid() == launcher;
                case SSH -> name.startsWith("ssh ");
            };
            if (suits) {
                found.add(each);
            }
        }
        return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
    }

    private static String name(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }
}
