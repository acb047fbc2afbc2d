package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code bin/rankwire}, in a checkout and with JDKs that are only pretended. */
@Timeout(300)
class ScriptTest {
    @TempDir
    Path base;

    private Path script;
    private Path jvms;
    private Path commands;

    @BeforeEach
    void makeACheckout() throws IOException {
        Path real = Path.of("").toAbsolutePath();
        while (real != null && !Files.exists(real.resolve("bin/rankwire"))) {
            real = real.getParent();
        }
        boolean possible = real != null && Files.exists(Path.of("/bin/sh"));
        Assumptions.assumeTrue(possible, "skipped: needs the checkout and /bin/sh");
        jvms = Files.createDirectory(base.resolve("jvms"));
        commands = Files.createDirectory(base.resolve("commands"));
        for (String name : new String[] {"readlink", "dirname", "find", "head", "touch", "rm", "mv", "cksum"}) {
            Path tool = Files.exists(Path.of("/usr/bin", name)) ? Path.of("/usr/bin", name) : Path.of("/bin", name);
            executable(commands.resolve(name), "#!/bin/sh\nexec " + tool + " \"$@\"\n");
        }
        String text = Files.readString(real.resolve("bin/rankwire")).replace("/usr/lib/jvm", jvms.toString());
        script = Files.createDirectories(base.resolve("checkout/bin")).resolve("rankwire");
        executable(script, text);
        pom("pom.xml");
        pom("core/pom.xml");
        pom("tools/pom.xml");
        pom("mpi/pom.xml");
    }

    private void pom(String name) throws IOException {
        Path file = base.resolve("checkout").resolve(name);
        Files.createDirectories(file.getParent().resolve("src/main"));
        Files.writeString(file, "");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(1000)));
        Files.setLastModifiedTime(
                file.getParent().resolve("src/main"), FileTime.from(Instant.now().minusSeconds(1000)));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertTrue(file.toFile().setExecutable(true));
    }

    private Path jdk(Path place, String version) throws IOException {
        Files.createDirectories(place.resolve("bin"));
        Files.writeString(place.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        executable(place.resolve("bin/java"), "#!/bin/sh\necho java " + version + " \"$@\"\n");
        return place;
    }

    private void jars() throws IOException {
        for (String module : new String[] {"core", "tools"}) {
            Path target = Files.createDirectories(base.resolve("checkout").resolve(module).resolve("target"));
            Files.writeString(target.resolve("rankwire-" + module + "-1.jar"), "");
        }
        Path lib = Files.createDirectories(base.resolve("checkout/lib"));
        Files.writeString(lib.resolve("mpi.jar"), "");
        Files.writeString(lib.resolve("mpj.jar"), "");
    }

    private void maven() throws IOException {
        executable(commands.resolve("mvn"), """
                #!/bin/sh
                echo chatter
                /bin/mkdir -p core/target tools/target lib
                : > core/target/rankwire-core-1.jar
                : > tools/target/rankwire-tools-1.jar
                : > lib/mpi.jar
                : > lib/mpj.jar
                """);
    }

    private Result run(Path command, String... environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", command.toString(), "run", "a b");
        builder.environment().clear();
        builder.environment().put("PATH", commands.toString());
        for (int i = 0; i < environment.length; i += 2) {
            builder.environment().put(environment[i], environment[i + 1]);
        }
        try (Command started = Command.start(builder)) {
            return started.result();
        }
    }

    @Test
    void shouldSayInOneSentenceThatThereIsNoJdk() throws Exception {
        jars();
        jdk(jvms.resolve("other-25"), "17.0.1");
        Result result = run(script, "JAVA_HOME", jdk(base.resolve("old"), "17.0.9").toString());
        assertEquals(2, result.status());
        assertEquals(
                "rankwire: needs a JDK 25 or newer and found none; install one, or set JAVA25_HOME to where it is\n",
                result.err());
    }

    @Test
    void shouldPassOverAnOldJavaHome() throws Exception {
        jars();
        jdk(jvms.resolve("jdk-25"), "25.0.3");
        Result result = run(script, "JAVA_HOME", jdk(base.resolve("old"), "17.0.9").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().startsWith("java 25.0.3 "), result.out());
        assertTrue(result.out().endsWith("io.rankwire.tools.Main run a b\n"), result.out());
    }

    @Test
    void shouldTakeTheJdkItIsGivenAndWorkThroughLinks() throws Exception {
        jars();
        jdk(jvms.resolve("jdk-25"), "25.0.3");
        Path link = Files.createSymbolicLink(base.resolve("one"), script);
        Path second = Files.createSymbolicLink(base.resolve("two"), Path.of("one"));
        assertTrue(Files.isSymbolicLink(link));
        Result result = run(second, "JAVA25_HOME", jdk(base.resolve("mine"), "26").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().startsWith("java 26 "), result.out());
        assertTrue(result.out().contains("checkout/core/target/rankwire-core-1.jar"), result.out());
    }

    @Test
    void shouldBeTheCommandItIsCalledBy() throws Exception {
        jars();
        jdk(jvms.resolve("jdk-25"), "25.0.3");
        for (String name : new String[] {"mpjrun.sh", "mpjrun", "fmpjrun", "mpirun", "mpiexec", "mpijavac"}) {
            Path link = Files.createSymbolicLink(script.resolveSibling(name), Path.of("rankwire"));
            String out = run(link).out();
            assertTrue(out.endsWith("io.rankwire.tools.Main " + name + " run a b\n"), out);
            assertTrue(out.contains("-Drankwire.mpi=" + base.toRealPath().resolve("checkout/lib/mpi.jar ")), out);
        }
        for (String name : new String[] {"mpjboot", "mpjhalt"}) {
            Result result = run(Files.createSymbolicLink(script.resolveSibling(name), Path.of("rankwire")));
            assertEquals(0, result.status());
            assertTrue(result.out().startsWith("rankwire: " + name + " is not needed"), result.out());
        }
    }

    /** As a rank of another launcher, with the archive of classes if there is one for the jar. */
    @Test
    void shouldBecomeARank() throws Exception {
        jars();
        jdk(jvms.resolve("jdk-25"), "25.0.3");
        Path link = Files.createSymbolicLink(script.resolveSibling("rankjava"), Path.of("rankwire"));
        Path core = base.toRealPath().resolve("checkout/core/target/rankwire-core-1.jar");
        String classPath = " -cp " + core + ":. run a b\n";
        Result without = run(link);
        assertEquals(0, without.status(), without.err());
        assertTrue(without.out().endsWith("--enable-native-access=ALL-UNNAMED" + classPath), without.out());
        Files.setLastModifiedTime(core, FileTime.fromMillis(0));
        for (String name : List.of("x-agent-y", "x-mpi-y", "x")) {
            Files.createFile(core.resolveSibling("rankwire-" + name + ".aot"));
        }
        String out = run(link).out();
        assertTrue(out.endsWith("-XX:AOTCache=" + core.resolveSibling("rankwire-x.aot")
                + " -Xlog:cds*=off -Xlog:aot*=off" + classPath), out);
    }

    /** The jar of libfabric is found, given to ranks that use it, and looked at for changes if a command needs it. */
    @Test
    void shouldFindTheJarOfLibfabric() throws Exception {
        jars();
        jdk(jvms.resolve("jdk-25"), "25.0.3");
        pom("ofi/pom.xml");
        Path target = Files.createDirectories(base.resolve("checkout/ofi/target"));
        Path jar = Files.writeString(target.resolve("rankwire-ofi-1.jar"), "").toRealPath();
        Result result = run(script);
        assertTrue(result.out().contains(" -Drankwire.ofi=" + jar + " -cp "), result.out() + result.err());
        Path link = Files.createSymbolicLink(script.resolveSibling("rankjava"), Path.of("rankwire"));
        assertTrue(!run(link, "RANKWIRE_FABRIC", "tcp").out().contains("ofi"));
        String out = run(link, "RANKWIRE_FABRIC", "shm+ofi:net").out();
        assertTrue(out.endsWith("core/target/rankwire-core-1.jar:" + jar + ":. run a b\n"), out);
        Path source = Files.writeString(base.resolve("checkout/ofi/src/main/New.java"), "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertEquals("", run(script).err());
        maven();
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", script.toString(), "run", "--fabric=ofi");
        builder.environment().clear();
        builder.environment().put("PATH", commands.toString());
        try (Command started = Command.start(builder)) {
            assertEquals("rankwire: building changed sources...\n", started.result().err());
        }
        Files.delete(jar);
        assertTrue(run(script).err().startsWith("rankwire: building for the first time"));
    }

    @Test
    void shouldFindTheJdkOnThePath() throws Exception {
        jars();
        Path jdk = jdk(base.resolve("elsewhere"), "25");
        Files.createSymbolicLink(commands.resolve("java"), jdk.resolve("bin/java"));
        Result result = run(script);
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().startsWith("java 25 "), result.out());
    }

    @Test
    void shouldBuildOnceAndAgainWhenSourcesChange() throws Exception {
        jdk(jvms.resolve("jdk-25"), "25");
        Result without = run(script);
        assertEquals(2, without.status());
        assertTrue(without.err().contains("Maven (mvn) is not on the PATH"), without.err());
        maven();
        Result first = run(script);
        assertEquals(0, first.status(), first.err());
        assertEquals("rankwire: building for the first time, which takes a minute...\n", first.err());
        assertEquals("", run(script).err());
        Path source = base.resolve("checkout/core/src/main/New.java");
        Files.writeString(source, "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertTrue(run(script).err().startsWith("rankwire: building changed sources"));
        Files.delete(source);
        Files.delete(base.resolve("checkout/lib/mpj.jar"));
        assertTrue(run(script).err().startsWith("rankwire: building"));
        assertTrue(Files.exists(base.resolve("checkout/lib/mpj.jar")));
    }

    @Test
    void shouldShowWhyABuildFailed() throws Exception {
        jdk(jvms.resolve("jdk-25"), "25");
        executable(commands.resolve("mvn"), "#!/bin/sh\necho the reason\nexit 1\n");
        Result result = run(script);
        assertEquals(2, result.status());
        String last = "the reason\nrankwire: the build failed; its messages are above\n";
        assertTrue(result.err().endsWith(last), result.err());
    }
}
