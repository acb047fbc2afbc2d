package io.rankwire.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar that does everything, in a directory with nothing else. */
@Timeout(600)
class OneJarTest {
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Path OLDER = Path.of("/usr/lib/jvm/java-17-openjdk-amd64/bin/java");

    @TempDir
    Path place;

    @BeforeEach
    void copyTheJar() throws Exception {
        Files.copy(Path.of("target/rankwire.jar"), place.resolve("rankwire.jar"));
    }

    private String rankwire(String java, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(java, "-jar", "rankwire.jar"));
        command.addAll(List.of(words));
        return Shell.run(place, Map.of(), command);
    }

    @Test
    void shouldRunProgramsFromSource() throws Exception {
        Files.writeString(place.resolve("First.java"), """
                import io.rankwire.*;

                void main() {
                    try (World world = World.join()) {
                        Communicator all = world.communicator();
                        double[] sum = new double[1];
                        all.allreduce(new double[] {all.rank()}, sum, Op.SUM);
                        if (all.rank() == 0) {
                            IO.println("sum " + sum[0]);
                        }
                    }
                }
                """);
        assertEquals("sum 3.0\n", rankwire(JAVA, "run", "-n", "3", "First.java"));
        assertEquals("sum 3.0\n", rankwire(JAVA, "run", "-n", "3", "--threads", "First.java"));
        String simulated = rankwire(JAVA, "sim", "run", "-n", "64", "--topology", "torus:4x4x4", "First.java");
        assertTrue(simulated.contains("sum 2016.0\n") && simulated.contains("64 ranks on torus"), simulated);
    }

    @Test
    void shouldRunProgramsOfTheMpiPackage() throws Exception {
        Files.writeString(place.resolve("Hello.java"), """
                import mpi.*;

                public class Hello {
                    public static void main(String[] args) throws MPIException {
                        MPI.Init(args);
                        if (MPI.COMM_WORLD.Rank() == 0) {
                            System.out.println("of " + MPI.COMM_WORLD.Size());
                        }
                        MPI.Finalize();
                    }
                }
                """);
        rankwire(JAVA, "mpijavac", "Hello.java");
        assertEquals("of 2\n", rankwire(JAVA, "mpjrun", "-np", "2", "Hello"));
    }

    @Test
    void shouldFindANewerJavaWhenAnOlderOneIsFirst() throws Exception {
        assumeTrue(Files.isExecutable(OLDER), "skipped: needs Java 17 (Debian package openjdk-17-jre-headless)");
        String version = Shell.run(place, Map.of("JAVA25_HOME", System.getProperty("java.home")),
                List.of(OLDER.toString(), "-jar", "rankwire.jar", "version"));
        assertTrue(version.startsWith("rankwire ") && !version.contains("Java 17"), version);
    }

    @Test
    void shouldHoldNothingOfOthers() throws Exception {
        try (JarFile jar = new JarFile(place.resolve("rankwire.jar").toFile())) {
            List<String> foreign = jar.stream().map(each -> each.getName().replaceFirst("^META-INF/versions/[0-9]+/", ""))
                    .filter(each -> !each.matches("((io/rankwire|mpi|META-INF)/.*|io/)?")).toList();
            assertEquals(List.of(), foreign);
            assertEquals("ALL-UNNAMED", jar.getManifest().getMainAttributes().getValue("Enable-Native-Access"));
        }
    }
}
