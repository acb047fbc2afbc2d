package mpi;

import static mpi.Launchers.command;
import static mpi.Launchers.core;
import static mpi.Launchers.java;
import static mpi.Launchers.tools;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import mpi.Launchers.Result;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The launchers of other libraries, as the script starts them, with programs in real processes. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class LaunchTest {
    private static final String PROGRAMS = "target/test-classes";

    @TempDir
    Path place;

    private final List<String> variables = new ArrayList<>();

    @BeforeEach
    void findTheCommandLine() {
        Launchers.find();
    }

    private Result run(String... args) throws Exception {
        return process(command(args));
    }

    private Result process(List<String> line) throws IOException, InterruptedException {
        return Launchers.process(place, variables, line);
    }

    @Test
    void shouldPutThreeArgumentsFirstAsMpjExpressDoes() throws Exception {
        Result result = run("mpjrun.sh", "-np", "2", "-dev", "niodev", "-Dwhere=a b", "-cp", PROGRAMS,
                LaunchPrograms.name(LaunchPrograms.Arguments.class), "one two", "", "-np");
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of(
                "0/2 [0, 2, niodev, one two, , -np] [one two, , -np] a b null",
                "1/2 [1, 2, niodev, one two, , -np] [one two, , -np] a b null"), result.lines());
    }

    @Test
    void shouldLeaveTheArgumentsOfMpirunAndFmpjrunAlone() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Arguments.class);
        Result mpirun = run("mpirun", "--oversubscribe", "--mca", "btl", "self,vader", "--bind-to=none", "--np=2",
                "--allow-run-as-root", "-x", "V=1", "java", "-Dwhere=a b", "-cp", PROGRAMS, name, "one two", "-n");
        assertEquals(0, mpirun.status(), mpirun.err());
        assertEquals(List.of(
                "0/2 [one two, -n] [one two, -n] a b 0", "1/2 [one two, -n] [one two, -n] a b 1"), mpirun.lines());
        assertEquals("", mpirun.err());
        Result fmpjrun = run(
                "fmpjrun", "-np", "1", "-dev", "smdev", "-cp", PROGRAMS, "-class", name, "0", "1", "2", "x");
        assertEquals(List.of("0/1 [0, 1, 2, x] [0, 1, 2, x]  null"), fmpjrun.lines());
    }

    @Test
    void shouldBeAWorldOfOneWithoutALauncher() throws Exception {
        Result result = process(List.of(java(), "-cp",
                Path.of("target/classes").toAbsolutePath() + File.pathSeparator + core() + File.pathSeparator
                        + PROGRAMS, LaunchPrograms.name(LaunchPrograms.Arguments.class), "0", "1", "smpdev", "x"));
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("0/1 [0, 1, smpdev, x] [0, 1, smpdev, x]  null"), result.lines());
    }

    @Test
    void shouldRunUnderTheLauncherOfMpich() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/mpiexec.hydra")),
                "skipped: needs mpiexec.hydra (Debian package mpich)");
        Result result = process(List.of("mpiexec.hydra", "-pmi-port", "-n", "2", java(), "-XX:TieredStopAtLevel=1",
                "-cp", Path.of("target/classes").toAbsolutePath() + File.pathSeparator + core() + File.pathSeparator
                        + PROGRAMS, LaunchPrograms.name(LaunchPrograms.Arguments.class), "x"));
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("0/2 [x] [x]  null", "1/2 [x] [x]  null"), result.lines(), result.err());
    }

    @Test
    void shouldRunInTheDirectoryThatIsNamed() throws Exception {
        Path directory = Files.createDirectory(place.resolve("with blank")).toRealPath();
        String name = LaunchPrograms.name(LaunchPrograms.Directory.class);
        Result mpjrun = run("mpjrun", "-np", "2", "-wdir", directory.toString(), "-cp", PROGRAMS, name);
        assertEquals(List.of(directory.toString(), directory.toString()), mpjrun.lines(), mpjrun.err());
        Path programs = Path.of(PROGRAMS).toAbsolutePath();
        Result mpirun = run("mpiexec", "-n", "1", "-wdir", programs.toString(), "java", "-cp", ".", name);
        assertEquals(List.of(programs.toString()), mpirun.lines(), mpirun.err());
        Result wrong = run("mpjrun", "-np", "2", "-wdir", "/no/such", name);
        assertEquals(2, wrong.status());
        assertTrue(wrong.err().contains("/no/such is no directory"), wrong.err());
    }

    @Test
    void shouldHaveTheMainMethodAtTheBottomOfTheStackUnderMpirun() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Bottom.class);
        String line = name + " " + name + ".main main " + System.getProperty("user.dir");
        Result deadlock = run("mpirun", "-n", "2", "java", "-cp", PROGRAMS, name);
        assertEquals(List.of(line, line), deadlock.lines());
        assertEquals(35, deadlock.status(), deadlock.err());
        Result fails = run("mpirun", "-n", "1", "java", "-cp", PROGRAMS, name, "on purpose");
        assertEquals(1, fails.status());
        assertTrue(fails.err().contains("java.lang.IllegalStateException: on purpose"), fails.err());
        assertTrue(fails.err().contains("LaunchPrograms.java:"), fails.err());
        assertFalse(fails.err().contains("RankMain"), fails.err());
    }

    @Test
    void shouldEndWithTheStatusOfTheProgram() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Aborts.class);
        assertEquals(7, run("mpjrun", "-np", "2", "-cp", PROGRAMS, name).status());
        assertEquals(7, run("mpirun", "-n", "2", "java", "-cp", PROGRAMS, name).status());
        Result missing = run("mpirun", "-n", "2", "java", "-cp", PROGRAMS, "NoSuchClass");
        assertEquals(1, missing.status());
        assertTrue(missing.err().contains("no class NoSuchClass"), missing.err());
    }

    @Test
    void shouldTreatErrorsAsTheLibraryOfTheLauncherDoes() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Errs.class);
        Result mpj = run("mpjrun", "-np", "1", "-cp", PROGRAMS, name);
        assertEquals(0, mpj.status(), mpj.err());
        assertEquals("caught class " + MPI.ERR_RANK + "\n", mpj.out());
        Result openMpi = run("mpirun", "-n", "1", "java", "-cp", PROGRAMS, name);
        assertFalse(openMpi.status() == 0);
        assertEquals("", openMpi.out());
        assertTrue(openMpi.err().contains("99"), openMpi.err());
    }

    @Test
    void shouldTreatAProgramThatForgetsToFinalizeAsTheLibraryOfTheLauncherDoes() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Forgets.class);
        for (Result result : List.of(run("mpjrun", "-np", "3", "-cp", PROGRAMS, name),
                run("fmpjrun", "-np", "3", "-cp", PROGRAMS, "-class", name))) {
            assertEquals(new Result(0, "finished\nfinished\n",
                    "rankwire: warning: rank 1 ended without a call of MPI.Finalize\n"), result);
        }
        Result openMpi = run("mpirun", "-n", "3", "java", "-cp", PROGRAMS, name);
        assertEquals(1, openMpi.status());
        assertEquals("rankwire: rank 1 of 3 failed: it ended with status 0 but never called MPI.Finalize\n",
                openMpi.err());
    }

    private Path script(String name, String text) throws IOException {
        Path script = Files.writeString(place.resolve(name), "#!/bin/sh\n" + text);
        assertTrue(script.toFile().setExecutable(true));
        return script;
    }

    @Test
    void shouldStartScriptsAndOtherCommands() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Arguments.class);
        // As a build has them: mpi.jar holds core too.
        variables.add("CLASSPATH=" + core() + File.pathSeparator + Path.of(PROGRAMS).toAbsolutePath());
        Path script = script("start.sh", "echo begin $OMPI_COMM_WORLD_RANK\njava -Dwhere=s '" + name + "' \"$@\"\n");
        Result result = run("mpirun", "-n", "2", script.toString(), "a b", "c");
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("0/2 [a b, c] [a b, c] s 0", "1/2 [a b, c] [a b, c] s 1", "begin 0", "begin 1"),
                result.lines());
        assertEquals(new Result(0, "hello\nhello\n", ""), run("mpirun", "-n", "2", "echo", "hello"));
        assertTrue(run("mpirun", "-n", "2", "no-such").err().contains("there is no program no-such"));
    }

    /** A script that is ended takes along what it has started. */
    @Test
    void shouldEndWhatScriptsHaveStarted() throws Exception {
        Path script = script("fail.sh", """
                if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
                    while [ ! -s "$1" ]; do sleep 0.05; done
                    exit 3
                fi
                sleep 600 &
                echo $! > "$1.new"
                mv "$1.new" "$1"
                wait
                """);
        Path pid = place.resolve("pid");
        Result result = run("mpirun", "-n", "2", script.toString(), pid.toString());
        assertEquals(new Result(3, "", "rankwire: rank 1 of 2 failed: it exited with status 3\n"), result);
        long sleeping = Long.parseLong(Files.readString(pid).strip());
        ProcessHandle handle = ProcessHandle.of(sleeping).orElse(null);
        if (handle != null) {
            handle.onExit().get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    void shouldStartSeveralProgramsInOneJob() throws Exception {
        String name = LaunchPrograms.name(LaunchPrograms.Arguments.class);
        Result result = run("mpirun", "-n", "1", "java", "-Dwhere=a", "-cp", PROGRAMS, name, "one", ":", "-n", "2",
                "java", "-Dwhere=b", "-cp", PROGRAMS, name, "two");
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("0/3 [one] [one] a 0", "1/3 [two] [two] b 1", "2/3 [two] [two] b 2"), result.lines());
        String path = Path.of("target/classes").toAbsolutePath() + File.pathSeparator + PROGRAMS;
        Result own = run("run", "-n", "1", "-cp", path, name, ":", ":", "-n", "1", "-cp", path, name, ":");
        assertEquals(List.of("0/2 [:] [:]  null", "1/2 [:] [:]  null"), own.lines(), own.err());
        Result threads = run("run", "--threads", "-n", "1", name, ":", "-n", "1", name);
        assertEquals(2, threads.status());
    }

    @Test
    void shouldHelpThoseWhoGiveNoArguments() throws Exception {
        Result result = run("mpjrun.sh");
        assertEquals(0, result.status());
        assertTrue(result.out().startsWith("mpjrun -np N [options] PROGRAM [args]"), result.out());
    }

    @Test
    void shouldLetRanksWaitForADebugger() throws Exception {
        List<String> line = command("mpjrun", "-np", "2", "-debug", "0", "-cp", PROGRAMS,
                LaunchPrograms.name(LaunchPrograms.Directory.class));
        Result wrong = process(line);
        assertEquals(2, wrong.status(), "a port is above 0: " + wrong.err());
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        line.set(line.indexOf("-debug") + 1, Integer.toString(port));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader()) {
            List<String> both = List.of(out.readLine(), out.readLine());
            for (int rank = 0; rank < 2; rank++) {
                String said = "rankwire: rank " + rank + " \\(process \\d+\\) waits for a debugger: jdb -attach "
                        + (port + rank) + ",.*";
                assertTrue(both.stream().anyMatch(each -> each.matches(said)), both.toString());
            }
        } finally {
            process.toHandle().destroy();
            assertTrue(process.waitFor(3, TimeUnit.MINUTES));
        }
    }

    @Test
    void shouldTakeAJarAndASourceFile() throws Exception {
        Path jar = place.resolve("app.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Tiny");
        Path source = place.resolve("Tiny.java");
        Files.writeString(source, """
                import mpi.*;

                public class Tiny {
                    public static void main(String[] args) {
                        MPI.Init(args);
                        System.out.println("tiny " + MPI.COMM_WORLD.getRank());
                        MPI.Finalize();
                    }
                }
                """);
        Result compiled = run("mpijavac", "-d", place.toString(), source.toString());
        assertEquals(0, compiled.status(), compiled.err());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new ZipEntry("Tiny.class"));
            out.write(Files.readAllBytes(place.resolve("Tiny.class")));
        }
        Result mpjrun = run("mpjrun", "-np", "1", "-jar", jar.toString(), "x");
        assertEquals("tiny 0\n", mpjrun.out(), mpjrun.err());
        assertEquals("tiny 0\n", run("mpjrun", "-np", "1", jar.toString()).out());
        assertEquals("tiny 0\n", run("mpirun", "-n", "1", "java", "-jar", jar.toString()).out());
        assertEquals("tiny 0\n", run("mpirun", "-n", "1", "java", source.toString()).out());
    }

    /** A command line of jars, as after a build: only these can have an archive. */
    private Result runJars(Path core, Path library, String... args) throws Exception {
        List<String> line = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.add("-Drankwire.mpi=" + library);
        line.addAll(List.of("-cp", tools() + File.pathSeparator + core, "io.rankwire.tools.Main"));
        line.addAll(List.of(args));
        return process(line);
    }

    private Path jarOf(Path classes) throws IOException {
        Path jar = place.resolve("mpi.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                var files = Files.list(classes.resolve("mpi"))) {
            for (Path file : files.toList()) {
                out.putNextEntry(new ZipEntry("mpi/" + file.getFileName()));
                out.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    @Test
    void shouldKeepClassesOfThePackageInTheArchive() throws Exception {
        Path built = Path.of(core());
        Assumptions.assumeTrue(Files.isRegularFile(built), "skipped: core is no jar here");
        Path core = Files.copy(built, place.resolve("core.jar"));
        Path library = jarOf(Path.of("target/classes"));
        Result made = runJars(core, library, "rehearse");
        assertEquals(0, made.status(), made.out() + made.err());
        Result result = runJars(core, library, "mpirun", "-n", "1", "java", "-Xlog:class+load=info:stdout", "-cp",
                PROGRAMS, LaunchPrograms.name(LaunchPrograms.Arguments.class));
        assertEquals(0, result.status(), result.err());
        assertTrue(result.lines().stream().anyMatch(line -> line.contains("mpi.MPI source: shared objects file")),
                result.out());
    }

    @Test
    void shouldSayWhatItCannotDo() throws Exception {
        Result hosts = run("mpirun", "-n", "1", "--host", "localhost,faraway:4", "java", "-version-of-nothing");
        assertTrue(hosts.err().startsWith("rankwire: mpirun: --host names faraway, but all ranks run on this machine"),
                hosts.err());
        assertEquals(2, hosts.status());
        assertTrue(run("mpirun", "--no-such-option", "java", "X").err().contains("unknown option --no-such-option"));
        Path machines = place.resolve("machines");
        Files.writeString(machines, "# ours\nlocalhost slots=4\n");
        String name = LaunchPrograms.name(LaunchPrograms.Directory.class);
        Result near = run("mpjrun", "-np", "1", "-machinesfile", machines.toString(), "-cp", PROGRAMS, name);
        assertEquals("", near.err());
        assertEquals(2, run("mpjrun", "-np", "1").status());
        assertEquals(2, run("mpjrun", "-np", "none", name).status());
    }

    @Test
    void shouldCompileWithThePackageInTheClassPath() throws Exception {
        Path source = place.resolve("Wrong.java");
        Files.writeString(source, "class Wrong { mpi.Comm comm; Missing missing; }");
        Result wrong = run("mpijavac", source.toString());
        assertEquals(1, wrong.status());
        assertTrue(wrong.err().contains("Missing") && wrong.err().contains("1 error"), wrong.err());
    }

    @Test
    void shouldRunProgramsOfBothDialectsOnASimulatedMachine() throws Exception {
        Path source = Files.writeString(place.resolve("Simulated.java"), """
                import mpi.*;
                public class Simulated {
                    static int mine;
                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        mine = MPI.COMM_WORLD.Rank();
                        double start = MPI.Wtime();
                        int[] sum = new int[1];
                        MPI.COMM_WORLD.Allreduce(new int[] {mine}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                        MPI.COMM_WORLD.barrier();
                        boolean own = mine == MPI.COMM_WORLD.getRank();
                        double took = MPI.wtime() - start;
                        if (mine == 0) {
                            System.out.println(sum[0] + " " + own + " " + (took > 1e-7 && took < 1e-4));
                        }
                        MPI.Finalize();
                    }
                }
                """);
        Result result = run("sim", "run", "-n", "6", "--topology", "torus", source.toString());
        assertEquals(0, result.status(), result.err());
        assertEquals("15 true true\n", result.out());
        assertTrue(result.err().startsWith("rankwire: simulated "), result.err());
    }

    /** Ranks of a simulation have the package in common; what it keeps for each must not be. */
    @Test
    void shouldKeepSimulatedRanksApartThatShareThePackage() throws Exception {
        Path source = Files.writeString(place.resolve("Apart.java"), """
                import mpi.*;
                public class Apart {
                    static int mine;
                    record Word(int from) implements java.io.Serializable {}
                    public static void main(String[] args) throws Exception {
                        boolean early = MPI.Initialized() || MPI.COMM_WORLD.toString().contains("rank");
                        MPI.Init(args);
                        mine = MPI.COMM_WORLD.Rank();
                        int size = MPI.COMM_WORLD.Size();
                        int key = Comm.createKeyval();
                        MPI.COMM_WORLD.setAttr(key, mine);
                        MPI.INT.setName("int of " + mine);
                        MPI.INFO_ENV.set("mine", "" + mine);
                        MPI.EMPTY_STATUS.source = mine;
                        String made = Datatype.createContiguous(2, MPI.INT).getName();
                        Object[] words = new Object[size];
                        MPI.COMM_WORLD.Allgather(new Object[] {new Word(mine)}, 0, 1, MPI.OBJECT,
                                words, 0, 1, MPI.OBJECT);
                        int[] classes = new int[size];
                        MPI.COMM_WORLD.Allgather(new int[] {System.identityHashCode(MPI.class)}, 0, 1, MPI.INT,
                                classes, 0, 1, MPI.INT);
                        boolean own = !early && mine == MPI.COMM_WORLD.Rank() && MPI.COMM_SELF.Size() == 1
                                && key == 100 && MPI.COMM_WORLD.getAttr(key).equals(mine) && made.equals("type 1")
                                && MPI.INT.getName().equals("int of " + mine) && MPI.GROUP_EMPTY.Size() == 0
                                && MPI.INFO_ENV.get("mine").equals("" + mine)
                                && MPI.INFO_ENV.get("maxprocs").equals("" + size) && MPI.EMPTY_STATUS.source == mine
                                && ((Word) words[size - 1]).from() == size - 1;
                        MPI.COMM_WORLD.Barrier();
                        MPI.Finalize();
                        System.out.println(mine + " " + own + " " + MPI.Finalized() + " "
                                + java.util.Arrays.stream(classes).distinct().count());
                    }
                }
                """);
        Result result = run("sim", "run", "-n", "3", source.toString());
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("0 true true 1", "1 true true 1", "2 true true 1"), result.lines());
    }
}
