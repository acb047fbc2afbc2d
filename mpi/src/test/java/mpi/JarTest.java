package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jars in {@code lib}, as older compilers and JVMs see them. Runs after they are packed. */
@Timeout(300)
class JarTest {
    private static final String VERSIONED = "META-INF/versions/25/";
    private static final List<Path> JARS = List.of(Path.of("../lib/mpi.jar"), Path.of("../lib/mpj.jar"));

    private static final String PROGRAM = """
            import java.nio.IntBuffer;
            import mpi.*;

            public class Old {
                static class Larger extends User_function {
                    public void Call(Object in, int inAt, Object inOut, int inOutAt, int count, Datatype type)
                            throws MPIException {
                        int[] from = (int[]) in;
                        int[] to = (int[]) inOut;
                        for (int i = 0; i < count; i++) {
                            to[inOutAt + i] = Math.max(from[inAt + i], to[inOutAt + i]);
                        }
                    }
                }

                static class Pair extends Struct {
                    final int left = addInt();
                    final int right = addDouble();

                    protected Data newData() {
                        return new Data();
                    }

                    class Data extends Struct.Data {
                        void left(int value) {
                            putInt(left, value);
                        }
                    }
                }

                public static void main(String[] args) throws MPIException {
                    MPI.Init(args);
                    Intracomm all = MPI.COMM_WORLD;
                    int[] mine = {all.Rank() + 1};
                    int[] most = new int[1];
                    all.Allreduce(mine, 0, most, 0, 1, MPI.INT, new Op(new Larger(), true));
                    IntBuffer sum = MPI.newIntBuffer(1);
                    all.allReduce(mine, sum, 1, MPI.INT, MPI.SUM);
                    Status status = all.Sendrecv(mine, 0, 1, MPI.INT, all.Rank(), 1, most, 0, 1, MPI.INT,
                            MPI.ANY_SOURCE, MPI.ANY_TAG);
                    Cartcomm ring = all.Create_cart(new int[] {all.Size()}, new boolean[] {true}, false);
                    ring.Shift(0, 1);
                    Pair.Data pair = new Pair().getData(MPI.newByteBuffer(16));
                    pair.left(3);
                    System.out.println("count " + status.count + " " + status.Get_count(MPI.INT) + ", sum "
                            + sum.get(0));
                    MPI.Finalize();
                }
            }
            """;

    record Result(int status, String text) {}

    @TempDir
    Path place;

    @BeforeEach
    void findTheJars() {
        Assumptions.assumeTrue(Boolean.getBoolean("rankwire.jars"), "skipped: needs the jars, packed by mvn verify");
    }

    private static Path tool(String home, String name) {
        return Path.of(home, "bin", name);
    }

    private Result run(Path tool, Object... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(tool.toString()));
        Stream.of(args).map(Object::toString).forEach(line::add);
        Path said = Files.createTempFile(place, "said", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().keySet().removeAll(Set.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(200, TimeUnit.SECONDS), "the command did not end: " + line);
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(said).strip());
    }

    private static String path(Path... places) {
        return Stream.of(places).map(each -> each.toAbsolutePath().normalize().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void compile(Path javac, Path jar, String... options) throws Exception {
        Path source = Files.writeString(place.resolve("Old.java"), PROGRAM);
        List<Object> args = new ArrayList<>(List.of(options));
        args.addAll(List.of("-Xlint:all", "-Xlint:-options", "-Werror", "-cp", path(jar), "-d", place, source));
        assertEquals(new Result(0, ""), run(javac, args.toArray()));
    }

    @Test
    void shouldCompileForOlderReleasesAndRunOnThisOne() throws Exception {
        String home = System.getProperty("java.home");
        for (Path jar : JARS) {
            compile(tool(home, "javac"), jar, "--release", "11");
            assertEquals(new Result(0, "count 1 1, sum 1"), run(tool(home, "java"), "-cp", path(jar, place), "Old"));
        }
    }

    @Test
    void shouldCompileOnAnOlderJdkAndSayThereWhatItTakesToRun() throws Exception {
        Optional<String> older = olderJdk();
        Assumptions.assumeTrue(older.isPresent(), "skipped: needs a JDK older than 25");
        Path jar = JARS.get(1);
        compile(tool(older.get(), "javac"), jar);
        assertEquals(new Result(0, "count 1 1, sum 1"),
                run(tool(System.getProperty("java.home"), "java"), "-cp", path(jar, place), "Old"));
        Result there = run(tool(older.get(), "java"), "-cp", path(jar, place), "Old");
        assertEquals(1, there.status());
        assertTrue(there.text().contains("Error: Rankwire runs on Java 25 or newer, and this is Java "), there.text());
    }

    /** One with a compiler, whose release file says that it is older than this. */
    private static Optional<String> olderJdk() throws IOException {
        List<Path> homes = new ArrayList<>();
        for (String name : new String[] {"JAVA_HOME", "JAVA11_HOME", "JAVA17_HOME", "JAVA21_HOME"}) {
            Optional.ofNullable(System.getenv(name)).map(Path::of).ifPresent(homes::add);
        }
        for (String parent : new String[] {"/usr/lib/jvm", System.getProperty("user.home") + "/.sdkman/candidates/java",
                System.getProperty("user.home") + "/.jdks"}) {
            if (Files.isDirectory(Path.of(parent))) {
                try (var found = Files.list(Path.of(parent))) {
                    found.forEach(homes::add);
                }
            }
        }
        for (Path home : homes) {
            if (Files.isExecutable(tool(home.toString(), "javac")) && isOlder(home.resolve("release"))) {
                return Optional.of(home.toString());
            }
        }
        return Optional.empty();
    }

    private static boolean isOlder(Path release) throws IOException {
        if (!Files.isReadable(release)) {
            return false;
        }
        Matcher version = Pattern.compile("JAVA_VERSION=\"(\\d+)").matcher(Files.readString(release));
        return version.find() && Integer.parseInt(version.group(1)) >= 9
                && Integer.parseInt(version.group(1)) < Runtime.version().feature();
    }

    @Test
    void shouldHaveTheClassesThatWereBuiltAndStubsWithTheSameMembers() throws Exception {
        Set<String> stubs = new TreeSet<>();
        try (JarFile jar = new JarFile(JARS.get(0).toFile())) {
            for (ZipEntry entry : jar.stream().filter(each -> each.getName().startsWith("mpi/")).toList()) {
                if (!entry.isDirectory()) {
                    byte[] real = bytes(jar, jar.getEntry(VERSIONED + entry.getName()));
                    assertArrayEquals(Files.readAllBytes(Path.of("target/classes", entry.getName())), real,
                            entry.getName() + " in lib is of another build");
                    ClassModel stub = ClassFile.of().parse(bytes(jar, entry));
                    assertEquals(ClassFile.JAVA_8_VERSION, stub.majorVersion());
                    assertEquals(members(ClassFile.of().parse(real)), members(stub), entry.getName());
                    stubs.add(entry.getName());
                }
            }
            assertEquals(null, jar.getEntry("layout/JarLayout.class"));
        }
        assertTrue(stubs.containsAll(Set.of("mpi/MPI.class", "mpi/Struct$Data.class", "mpi/Freeable.class")));
        assertFalse(stubs.contains("mpi/Memory.class"), "nothing that programs could use");
    }

    private static byte[] bytes(JarFile jar, ZipEntry entry) throws IOException {
        try (var in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    /** What a program can use of a class, with all that a compiler looks at. */
    private static Set<String> members(ClassModel model) {
        int open = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;
        Set<String> members = new TreeSet<>();
        members.add(model.flags().flagsMask() + " extends " + model.superclass().get().asInternalName() + " "
                + model.interfaces().stream().map(each -> each.asInternalName()).toList());
        for (FieldModel field : model.fields()) {
            if ((field.flags().flagsMask() & open) != 0) {
                members.add(field.flags().flagsMask() + " " + field.fieldName() + " " + field.fieldType() + " "
                        + field.findAttribute(Attributes.constantValue()).map(each -> each.constant().constantValue()));
            }
        }
        for (MethodModel method : model.methods()) {
            if ((method.flags().flagsMask() & open) != 0) {
                members.add(method.flags().flagsMask() + " " + method.methodName() + method.methodType() + " "
                        + method.findAttribute(Attributes.exceptions())
                                .map(each -> each.exceptions().stream().map(type -> type.asInternalName()).toList()));
            }
        }
        return members;
    }
}
