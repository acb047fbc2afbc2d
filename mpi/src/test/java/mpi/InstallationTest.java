package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A build that is moved, copied, changed in its new place, linked to, or only to be read: it runs its own classes. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class InstallationTest {
    private static final String HELLO = """
            public class Hello {
                public static void main(String[] args) {
                    mpi.MPI.Init(args);
                    System.out.println("hello");
                    mpi.MPI.Finalize();
                }
            }
            """;

    /** Of another machine, and tried just now so often that the next try is hours away. */
    private static final String COSTS = """
            rankwire costs 3
            near 150000 40000 150 80 50 100000
            crowded 4000000 100000 200 150 100 1500000
            geometry 1024 2097152
            state CALM
            measured NOW 31 112
            tried NOW 5
            machine 9 x Other, Java 7
            """.replace("NOW", Long.toString(System.currentTimeMillis()));

    record Result(int status, String out, String err) {}

    @TempDir
    Path place;

    private Path build;

    @BeforeEach
    void installABuild() throws Exception {
        Path core = Path.of(World.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path tools = Path.of("../tools/target/classes").toAbsolutePath().normalize();
        boolean possible = Files.isRegularFile(core) && Files.isDirectory(tools) && Files.exists(Path.of("/bin/sh"));
        Assumptions.assumeTrue(possible, "skipped: needs core as a jar, the module tools built before, and /bin/sh");
        build = Files.createDirectories(place.resolve("first/build"));
        for (String each : new String[] {"bin", "core/target", "tools/target", "lib"}) {
            Files.createDirectories(build.resolve(each));
        }
        copyTree(Path.of("../bin").toAbsolutePath().normalize(), build.resolve("bin"));
        Files.copy(core, build.resolve("core/target/rankwire-core-1.jar"));
        pack(tools, build.resolve("tools/target/rankwire-tools-1.jar"));
        pack(Path.of("target/classes"), build.resolve("lib/mpi.jar"));
        Files.copy(build.resolve("lib/mpi.jar"), build.resolve("lib/mpj.jar"));
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar)); var files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                out.write(Files.readAllBytes(file));
            }
        }
    }

    /** As {@code cp -a} does: times, rights and links stay. */
    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes facts) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(each)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path each, BasicFileAttributes facts) throws IOException {
                Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES,
                        LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Puts other words of the same length into a class of a jar, which keeps its size and time. */
    private static void change(Path jar, String className, String words, String others) throws IOException {
        FileTime time = Files.getLastModifiedTime(jar);
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().toList()) {
                entries.put(entry.getName(), file.getInputStream(entry).readAllBytes());
            }
        }
        String text = new String(entries.get(className), StandardCharsets.ISO_8859_1);
        assertTrue(text.contains(words), className);
        entries.put(className, text.replace(words, others).getBytes(StandardCharsets.ISO_8859_1));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                ZipEntry plain = new ZipEntry(entry.getKey());
                plain.setMethod(ZipEntry.STORED);
                plain.setSize(entry.getValue().length);
                CRC32 sum = new CRC32();
                sum.update(entry.getValue());
                plain.setCrc(sum.getValue());
                out.putNextEntry(plain);
                out.write(entry.getValue());
            }
        }
        Files.setLastModifiedTime(jar, time);
    }

    private Result run(Path script, String... args) throws Exception {
        List<String> line = new ArrayList<>(List.of(script.toString()));
        line.addAll(List.of(args));
        return run(line);
    }

    private Result run(List<String> line) throws Exception {
        Path out = place.resolve("out");
        Path err = place.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA25_HOME", System.getProperty("java.home"));
        builder.environment().remove("CLASSPATH");
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(200, TimeUnit.SECONDS), "the command did not end: " + line);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Result hello(Path script) throws Exception {
        Path source = Files.writeString(place.resolve("Hello.java"), HELLO);
        return run(script, "-n", "2", "java", source.toString());
    }

    /** A launcher's sentence and a rank's, both of classes that {@link #change} changes. */
    private String sentences(Path bin) throws Exception {
        Result launcher = run(bin.resolve("rankwire"), "nonsense");
        Result rank = run(bin.resolve("rankwire"), "run", "-n", "1", "-cp", ".", "Missing");
        assertEquals(2, launcher.status(), launcher.err());
        assertEquals(1, rank.status(), rank.err());
        assertEquals("", launcher.out() + rank.out(), "nothing but the sentences");
        return launcher.err() + rank.err();
    }

    /** Costs need not be measured, since no test here is about them; they belong to a jar and a machine. */
    private static void putCosts(Path of) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(of.resolve("core/target/rankwire-core-1.jar")));
        Path host = Path.of("/proc/sys/kernel/hostname");
        String name = Files.exists(host) ? Files.readString(host).strip().replaceAll("[^a-zA-Z0-9]", "_") : "host";
        Files.writeString(of.resolve("core/target/rankwire-" + Long.toString(sum.getValue(), 36) + "-" + name
                + ".costs"), COSTS);
    }

    @Test
    void shouldRunItsOwnClassesWhereverItIs() throws Exception {
        putCosts(build);
        String first = sentences(build.resolve("bin"));
        assertTrue(first.contains("unknown command") && first.contains("no class Missing"), first);

        Path copy = place.resolve("a second place/copy");
        copyTree(build, copy);
        Path coreJar = copy.resolve("core/target/rankwire-core-1.jar");
        change(coreJar, "io/rankwire/launch/ProgramEntry.class", "no class ", "NO CLASS ");
        change(copy.resolve("tools/target/rankwire-tools-1.jar"), "io/rankwire/tools/Main.class", "unknown command",
                "UNKNOWN COMMAND");
        putCosts(copy);
        String changed = sentences(copy.resolve("bin"));
        assertTrue(changed.contains("UNKNOWN COMMAND") && changed.contains("NO CLASS Missing"), changed);
        // Once more, with the archive of the copy itself, and with a change that shows in the contents alone.
        assertEquals(changed, sentences(copy.resolve("bin")));
        change(coreJar, "io/rankwire/launch/ProgramEntry.class", "NO CLASS ", "No Class ");
        putCosts(copy);
        String again = sentences(copy.resolve("bin"));
        assertTrue(again.contains("No Class Missing"), again);
        assertEquals(first, sentences(build.resolve("bin")), "the first one goes on as it was");

        String old = build.toRealPath().toString();
        Path moved = Files.move(build, place.resolve("moved"));
        assertEquals(first.replace(old, moved.toRealPath().toString()), sentences(moved.resolve("bin")));
        Result explained = run(moved.resolve("bin/rankwire"), "run", "-n", "1", "--explain", "-cp", ".", "Missing");
        assertTrue(explained.err().startsWith("rankwire: costs, measured: "), explained.err());
        Path link = Files.createSymbolicLink(place.resolve("mpirun"), moved.resolve("bin/mpirun"));
        assertEquals(new Result(0, "hello\nhello\n", ""), hello(link));
    }

    /** A command that another user gives, who may read the build. */
    private List<String> asAnother(int user, String... command) throws IOException {
        Path setpriv = Path.of("/usr/bin/setpriv");
        boolean root = "root".equals(System.getProperty("user.name")) && Files.exists(setpriv);
        Assumptions.assumeTrue(root, "skipped: only root can run a command as another user");
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> line = new ArrayList<>(List.of(setpriv.toString(), "--reuid=" + user, "--regid=" + user,
                "--clear-groups"));
        line.addAll(List.of(command));
        return line;
    }

    /** As development environments start programs of MPJ Express, with whatever Java they have. */
    @Test
    void shouldStartProgramsByTheStarterJar() throws Exception {
        Path jar = build.resolve("lib/starter.jar");
        Path starter = Path.of("../tools/target/classes/io/rankwire/tools/Starter.class");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "io.rankwire.tools.Starter");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new ZipEntry("io/rankwire/tools/Starter.class"));
            byte[] bytes = Files.readAllBytes(starter);
            assertEquals(55, bytes[7], "a class for Java 11");
            out.write(bytes);
        }
        Path source = Files.writeString(place.resolve("Hello.java"), HELLO);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertEquals(new Result(0, "hello\nhello\n", ""),
                run(List.of(java, "-jar", jar.toString(), "-np", "2", source.toString())));
        assertEquals(2, run(List.of(java, "-jar", jar.toString(), "-np", "none")).status());
    }

    @Test
    void shouldSayInASentenceWhichLimitIsTooLow() throws Exception {
        String script = build.resolve("bin/rankwire").toString();
        String threads = "threads or processes can be started: this user may have ";
        for (String[] limit : new String[][] {
            {"-p 9", "too few for a Java virtual machine: raise it (ulimit -u)"},
            {"-p 36", threads + "36; raise the limit (ulimit -u)"},
            {"-p 60", threads + "60; raise the limit (ulimit -u)"},
            {"-n 18", "no more files can be opened: a process may have 18; raise the limit (ulimit -n)"}}) {
            // Dash names the limit of processes -p, other shells -u.
            String set = "ulimit " + limit[0] + " 2> /dev/null || ulimit " + limit[0].replace("-p", "-u");
            Result result = run(asAnother(65_531, "/bin/sh", "-c", set + "; exec \"$@\"", "sh", script, "run", "-n",
                    "6", "-cp", ".", "mpi.LaunchPrograms"));
            assertFalse(result.status() == 0, limit[0]);
            assertEquals("", result.out(), limit[0]);
            assertTrue(result.err().startsWith("rankwire: ") && result.err().contains(limit[1])
                    && result.err().lines().count() == 1, limit[0] + ": " + result.err());
        }
    }

    @Test
    void shouldRunForAnotherUserWhoMayOnlyReadIt() throws Exception {
        Files.createDirectory(place.resolve("program"));
        Path source = Files.writeString(place.resolve("program/Hello.java"), HELLO);
        List<String> line = asAnother(65_534, build.resolve("bin/mpirun").toString(), "-n", "2", "java",
                source.toString());
        assertEquals(new Result(0, "hello\nhello\n", ""), run(line));
        // Sources that look newer, as after a copy: the build is used all the same, with a word about it.
        Files.createDirectories(build.resolve("core/src/main"));
        Result newer = run(line);
        assertEquals(0, newer.status(), newer.err());
        assertEquals("rankwire: the sources in " + build.toRealPath() + " are newer than its build, which runs as it"
                + " is: it cannot be written to\n", newer.err());
        Files.delete(build.resolve("lib/mpj.jar"));
        Result unbuilt = run(line);
        assertEquals(2, unbuilt.status());
        assertEquals("rankwire: needs to be built once, and " + build.toRealPath() + " cannot be written to; have its"
                + " owner run bin/rankwire once\n", unbuilt.err());
        assertFalse(Files.exists(build.resolve("mpi/target")));
    }
}
