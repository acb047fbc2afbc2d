package io.rankwire.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.Communicator;
import io.rankwire.Op;
import io.rankwire.World;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that real launchers of clusters start, where these are installed. */
final class LauncherTest {
    @TempDir
    Path directory;

    /** Adds up the ranks; what rank 1 does then is its argument. */
    static final class Adds {
        private static final List<FileOutputStream> OPEN = new ArrayList<>();

        public static void main(String[] args) throws Exception {
            String mode = args[0];
            if (mode.equals("stays away") && System.getenv("PMI_RANK").equals("1")) {
                System.out.println("stays away");
                return;
            }
            if (mode.equals("has files")) {
                for (int i = 0; i < 40; i++) {
                    OPEN.add(new FileOutputStream(Path.of(args[1], "file" + i).toFile()));
                }
            }
            int rank;
            try (World world = World.join()) {
                Communicator all = world.communicator();
                rank = all.rank();
                int[] sum = new int[1];
                all.allreduce(new int[] {rank}, sum, Op.SUM);
                System.out.println("rank " + rank + " of " + all.size() + " has " + sum[0]);
                if (rank == 1 && mode.equals("throws")) {
                    throw new IllegalStateException("boom");
                } else if (rank == 1 && mode.equals("is killed")) {
                    new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
                }
                if (mode.equals("throws") || mode.equals("is killed")) {
                    all.receive(sum, 1, 1);
                }
            }
            if (mode.equals("exits")) {
                awaitOrWrite(rank, Path.of(args[1]));
            }
        }

        /** Rank 1 exits; the others go on, and write that. */
        private static void awaitOrWrite(int rank, Path place) throws Exception {
            if (rank == 1) {
                Files.writeString(place.resolve("pid"), ProcessHandle.current().pid() + "\n");
                System.exit(3);
            }
            Path written = place.resolve("pid");
            while (!Files.exists(written) || !Files.readString(written).endsWith("\n")) {
                Thread.sleep(5);
            }
            long other = Long.parseLong(Files.readString(written).strip());
            while (ProcessIdentity.of(other).start() != 0) {
                Thread.sleep(5);
            }
            System.out.println("rank " + rank + " goes on");
        }
    }

    record Result(int status, String text) {}

    private Result run(Map<String, String> variables, List<String> launcher, List<String> options, String... args)
            throws Exception {
        Path jobs = Files.createDirectories(directory.resolve("jobs"));
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Adds.class.getName()));
        command.addAll(List.of(args));
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(RANKWIRE|PMIX?|OMPI|SLURM|JOB)_.*"));
        builder.environment().putAll(Map.of(JobDirectory.ROOT_VARIABLE, jobs.toString(),
                "OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(3, TimeUnit.MINUTES), () -> "still running: " + read(output));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), read(output));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void assertNothingLeft() throws IOException {
        try (var left = Files.list(directory.resolve("jobs"))) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static void assertSums(Result result, int size) {
        for (int rank = 0; rank < size; rank++) {
            String line = "rank " + rank + " of " + size + " has " + size * (size - 1) / 2 + "\n";
            assertTrue(result.text.contains(line), result.text);
        }
    }

    private static void needs(String program, String debian) {
        boolean found = false;
        for (String each : (System.getenv("PATH") + ":/usr/sbin").split(":")) {
            found |= Files.isExecutable(Path.of(each, program));
        }
        assumeTrue(found, "skipped: needs " + program + " (Debian package " + debian + ")");
    }

    private static final List<String> NATIVE = List.of("--enable-native-access=ALL-UNNAMED");

    @Test
    void shouldRunUnderHydra() throws Exception {
        needs("mpiexec.hydra", "mpich");
        Result result = run(Map.of(), List.of("mpiexec.hydra", "-n", "3"), NATIVE, "exits", directory.toString());
        assertEquals(3, result.status, result.text);
        assertSums(result, 3);
        assertTrue(result.text.contains("rank 0 goes on\n") && result.text.contains("rank 2 goes on\n"), result.text);
        assertNothingLeft();
    }

    /** A child of a rank inherits its variables, but not the launcher's socket: another file may have its number. */
    @Test
    void shouldNotWriteToAFileOfTheProgram() throws Exception {
        Path files = Files.createDirectory(directory.resolve("files"));
        for (String number : List.of("30", "3000")) {
            Result result = run(Map.of("PMI_FD", number, "PMI_RANK", "0", "PMI_SIZE", "2"), List.of(), NATIVE,
                    "has files", files.toString());
            assertNotEquals(0, result.status, result.text);
            assertTrue(result.text.contains("PMI_FD is " + number + ", which is no socket of a launcher here"),
                    result.text);
        }
        for (int i = 0; i < 40; i++) {
            assertEquals(0, Files.size(files.resolve("file" + i)), "file " + i);
        }
    }

    @Test
    void shouldEndAllUnderHydraWithAPort() throws Exception {
        needs("mpiexec.hydra", "mpich");
        Result result = run(Map.of(), List.of("mpiexec.hydra", "-pmi-port", "-n", "3"), List.of(), "throws");
        assertEquals(1, result.status, result.text);
        assertSums(result, 3);
        assertTrue(result.text.contains("rank 0: receive from rank 1, tag 1, on world")
                && result.text.contains("has failed: java.lang.IllegalStateException: boom"), result.text);
        assertTrue(!result.text.contains("WARNING"), result.text);
        assertNothingLeft();
    }

    @Test
    void shouldEndARankThatWaitsForOneWhichStaysAway() throws Exception {
        needs("mpiexec.hydra", "mpich");
        Result result = run(Map.of(NetworkSettings.START_TIMEOUT, "1"), List.of("mpiexec.hydra", "-n", "2"), NATIVE,
                "stays away");
        assertEquals(1, result.status, result.text);
        assertTrue(result.text.contains("stays away\n") && result.text.contains("rank 0 of 2 cannot find the others"
                + " through PMI (PMI_FD is ") && result.text.contains("not all ranks have joined within 1 s"),
                result.text);
        assertNothingLeft();
    }

    @Test
    void shouldRunUnderOpenMpi() throws Exception {
        needs("mpirun.openmpi", "openmpi-bin");
        List<String> launcher = List.of("mpirun.openmpi", "--oversubscribe", "-n", "2");
        Result result = run(Map.of(), launcher, NATIVE, "adds");
        assumeTrue(!result.text.contains("libpmix.so.2 is not installed"),
                "skipped: needs libpmix.so.2 (Debian package libpmix2)");
        assertEquals(0, result.status, result.text);
        assertSums(result, 2);
        assertNothingLeft();
    }

    @Test
    void shouldRunUnderSlurm() throws Exception {
        needs("slurmctld", "slurmctld");
        needs("slurmd", "slurmd");
        needs("srun", "slurm-client");
        try (SlurmCluster slurm = new SlurmCluster(directory.resolve("slurm"), 2)) {
            List<String> srun = List.of("srun", "-N2", "-n3");
            Result killed = run(slurm.variables(), with(srun, "--mpi=pmi2"), NATIVE, "is killed");
            assertNotEquals(0, killed.status, killed.text);
            assertSums(killed, 3);
            assertTrue(killed.text.contains("has ended (connection closed)"), killed.text);
            Result bare = run(slurm.variables(), srun, List.of(), "adds");
            assertNotEquals(0, bare.status, bare.text);
            assertTrue(bare.text.contains("srun itself passes no secret on: use `srun --mpi=pmi2`"), bare.text);
            try (HandStarted files = new HandStarted(directory, 1)) {
                Map<String, String> variables = slurm.variables();
                variables.put(NetworkSettings.SECRET_FILE, files.secret("shared", "0123456789abcdef").toString());
                Result met = run(variables, srun, List.of("-Djdk.net.hosts.file=" + slurm.hosts()), "adds");
                assertEquals(0, met.status, met.text);
                assertSums(met, 3);
            }
            assertNothingLeft();
            Path output = directory.resolve("batch");
            Result batch = run(slurm.variables(), List.of("sbatch", "-Q", "-n3", "-o", output.toString(),
                    slurm.script().toString()), List.of(), "adds");
            assertEquals(0, batch.status, batch.text);
            // Waiting is for the batch command to do, but it looks every ten seconds.
            slurm.awaitEnd();
            assertTrue(read(output).contains("rank 0 of 1 has 0"), read(output));
        }
    }

    private static List<String> with(List<String> words, String more) {
        List<String> all = new ArrayList<>(words);
        all.add(more);
        return all;
    }

    @Test
    void shouldRunAsPodsOfAnIndexedJob() throws Exception {
        try (HandStarted job = new HandStarted(directory, 2)) {
            Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 job-0.service\n");
            job.root = "job-0.service:" + HandStarted.freePort();
            List<HandStarted.Started> pods = new ArrayList<>();
            for (int index = 0; index < 2; index++) {
                pods.add(job.start(List.of("env", "-u", ProcessJob.RANK), 0,
                        Map.of("JOB_COMPLETION_INDEX", Integer.toString(index),
                                "JDK_JAVA_OPTIONS", "-Djdk.net.hosts.file=" + hosts), Adds.class, "adds"));
            }
            for (int index = 0; index < 2; index++) {
                assertEquals(0, pods.get(index).awaitEnd(), pods.get(index).text());
                assertTrue(pods.get(index).text().contains("rank " + index + " of 2 has 1\n"),
                        pods.get(index).text());
            }
            assertNothingLeft();
        }
    }
}
