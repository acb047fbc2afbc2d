package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that go on while their processes are killed with signal 9 at random moments: while they start, compute, save,
 * repair or restore, and several at once. Each job has to end, with the right answer, and to leave nothing.
 * {@code -Drankwire.test.survivors.kills=1000} is for many, {@code -Drankwire.test.seed} for another first job.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class SurvivingKillsTest {
    private static final int KILLS = Integer.getInteger("rankwire.test.survivors.kills", 10);
    private static final int FIRST_SEED = Integer.getInteger("rankwire.test.seed", 14000);
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path place;

    /** What a job runs, and what it prints. A master must not die, nor more ranks than the program can lose. */
    private record Plan(List<String> options, List<String> program, List<String> answers, boolean hasMaster, int most,
            boolean mayLoseStates) {}

    @Test
    void shouldGiveTheRightAnswerWhateverIsKilled() throws Exception {
        List<String> failures = new ArrayList<>();
        int kills = 0;
        int jobs = 0;
        for (int seed = FIRST_SEED; kills < KILLS; seed++) {
            try {
                kills += kill(seed);
            } catch (AssertionError | IllegalStateException e) {
                System.out.println("seed " + seed + ": " + e.getMessage());
                failures.add("seed " + seed + ": " + e.getMessage());
            }
            jobs++;
            assertTrue(failures.size() < 5, () -> String.join("\n", failures));
        }
        System.out.println(kills + " kills in " + jobs + " jobs, " + failures.size() + " failures");
        assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    }

    private Plan plan(Random random, int seed, int ranks, Path files) throws Exception {
        String fabric = List.of("shm", "tcp", "udp").get(random.nextInt(3));
        List<String> options = new ArrayList<>(List.of("--fabric", fabric));
        if (random.nextBoolean()) {
            options.add("--spares=" + (1 + random.nextInt(2)));
        }
        List<String> program = new ArrayList<>(List.of("-cp", CLASSES));
        List<String> answers = new ArrayList<>();
        switch (random.nextInt(8)) {
            case 0 -> {
                return example(options, "SurvivingHeat", "200 steps on 64 × 64 cells: as by one rank", false);
            }
            case 1 -> {
                return example(options, "SurvivingGradient", "2304 unknowns solved: ok", false);
            }
            case 2 -> {
                return example(options, "SurvivingWorkers", "9592 primes below 100000", true);
            }
            case 3, 4 -> {
                program.addAll(List.of(KilledPrograms.name("Shrinking"), "" + seed));
                for (int rank = 0; rank < ranks; rank++) {
                    answers.add("rank " + rank + " has " + KilledPrograms.Shrinking.answer(seed));
                }
                return new Plan(options, program, answers, false, ranks - 1, false);
            }
            default -> {
                program.addAll(List.of(KilledPrograms.name("Replacing"), "" + seed, "" + (1 + random.nextInt(2))));
                if (random.nextInt(3) == 0) {
                    program.add(files.toString());
                }
                long[] numbers = KilledPrograms.Replacing.answer(ranks, seed);
                for (int rank = 0; rank < ranks; rank++) {
                    answers.add("rank " + rank + " has " + numbers[rank]);
                }
                return new Plan(options, program, answers, false, 8, false);
            }
        }
    }

    private static Plan example(List<String> options, String name, String answer, boolean hasMaster) throws Exception {
        return new Plan(options, Examples.compiled(name + ".java"), List.of(answer), hasMaster, 2, true);
    }

    /** Runs a job; returns how many of its processes were killed. */
    private int kill(int seed) throws Exception {
        // Small seeds that follow each other begin with nearly the same numbers.
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Path own = Files.createDirectory(place.resolve("job" + seed));
        Path jobs = Files.createDirectory(own.resolve("jobs"));
        Path files = Files.createDirectory(own.resolve("files"));
        int ranks = 4 + random.nextInt(5);
        Plan plan = plan(random, seed, ranks, files);
        List<String> line = new ArrayList<>(List.of("run", "-n", "" + ranks, "--on-failure=continue", "--jvm",
                Command.LIGHT));
        line.addAll(plan.options);
        line.addAll(plan.program);
        int kills = 0;
        Set<ProcessHandle> seen = new LinkedHashSet<>();
        StringBuilder story = new StringBuilder(String.join(" ", line));
        try (Command job = Command.start(jobs, line.toArray(String[]::new))) {
            int wanted = 1 + random.nextInt(plan.most);
            while (kills < wanted && job.isAlive()) {
                // Some while the job starts, some in the middle of a repair.
                Thread.sleep(random.nextInt(random.nextInt(3) == 0 ? 60 : 700));
                int atOnce = random.nextInt(4) == 0 ? 2 : 1;
                List<ProcessHandle> ranksNow = ranks(job.pid(), plan.hasMaster);
                seen.addAll(ranksNow);
                while (atOnce-- > 0 && kills < wanted && ranksNow.size() > 1) {
                    ProcessHandle victim = ranksNow.remove(random.nextInt(ranksNow.size()));
                    if (victim.destroyForcibly()) {
                        kills++;
                        story.append("\nkilled ").append(name(victim)).append(victim.pid());
                    }
                }
                seen.addAll(ranks(job.pid(), false));
            }
            audit(job, jobs, plan, ranks, kills, story);
        }
        for (ProcessHandle each : seen) {
            Command.await("process " + each.pid() + " has ended; " + story, () -> !each.isAlive());
        }
        assertTrue(Command.isEmpty(jobs), () -> "files left; " + story);
        try (var left = Files.walk(own)) {
            for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        return kills;
    }

    private static void audit(Command job, Path jobs, Plan plan, int ranks, int kills, StringBuilder story)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (job.isAlive()) {
            Thread.sleep(10);
            if (System.nanoTime() > end) {
                throw new AssertionError("hangs: " + story + Command.run(jobs, "queues").out()
                        + Command.run(jobs, "stack").out());
            }
        }
        Result result = job.result();
        story.append("\nstatus ").append(result.status()).append(" after ").append(result.ms()).append(" ms\n")
                .append(result.out()).append(result.err());
        if (result.status() != 0) {
            // A network needs all ranks once; all may be dead before one is replaced; and a program may have lost a
            // state with all its copies.
            boolean isNamed = result.err().contains("had not joined")
                    || kills >= ranks && result.err().contains("no rank is left") || plan.mayLoseStates && kills > 1
                    && result.err().contains("is lost with all its copies");
            assertTrue(isNamed, story::toString);
        } else {
            assertTrue(!result.lines().isEmpty() && plan.answers.containsAll(result.lines()), story::toString);
            assertEquals(result.lines().size(), Set.copyOf(result.lines()).size(), story::toString);
        }
    }

    /** The processes of ranks and spares that run now. */
    private static List<ProcessHandle> ranks(long launcher, boolean withoutMaster) {
        List<ProcessHandle> found = new ArrayList<>();
        ProcessHandle.of(launcher).ifPresent(each -> each.children().forEach(child -> {
            String name = name(child);
            if (name.contains("rank=") && !(withoutMaster && name.contains("rank=0 "))) {
                found.add(child);
            }
        }));
        return found;
    }

    /** The words of a command line that name the rank. */
    private static String name(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
            return String.join(" ", Arrays.stream(line.split("\0")).filter(each -> each.contains("rank=")).toList())
                    + " ";
        } catch (IOException e) {
            return "";
        }
    }
}
