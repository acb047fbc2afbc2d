package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes is used for the jar it was made of, and for no other. */
@Timeout(300)
class ClassArchiveTest {
    private static final String LOADS = "-Xlog:class+load=info:stdout";

    @TempDir
    static Path place;

    @TempDir
    static Path jobs;

    private static Path jar;
    private static Result rehearsal;

    @BeforeAll
    static void rehearse() throws Exception {
        Path core = Path.of(Launch.locationOf(RankMain.class));
        Assumptions.assumeTrue(Files.isRegularFile(core), "skipped: core is no jar here");
        jar = Files.copy(core, place.resolve("core.jar"));
        rehearsal = command("rehearse");
    }

    private static Result command(String... args) throws Exception {
        String classPath = Launch.locationOf(Main.class) + File.pathSeparator + jar;
        List<String> line = new ArrayList<>(List.of(Command.java()));
        line.addAll(List.of(Command.LIGHT.split(" ")));
        line.addAll(List.of("-cp", classPath, "io.rankwire.tools.Main"));
        line.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("RANKWIRE_DIR", jobs.toString());
        try (Command started = Command.start(builder)) {
            Result result = started.result();
            assertEquals(0, result.status(), result.out() + result.err());
            return result;
        }
    }

    private String originOfRankMain(String jvm) throws Exception {
        Result result = command(
                "run", "-n", "1", "--jvm", jvm, "-cp", Launch.locationOf(Programs.class), Programs.name("Echo"));
        for (String line : result.lines()) {
            if (line.contains("io.rankwire.launch.RankMain source:")) {
                return line.substring(line.indexOf("source:"));
            }
        }
        throw new AssertionError(result.out());
    }

    @Test
    void shouldHoldWhatTheFirstCollectiveNeeds() throws Exception {
        Result result = command("run", "-n", "2", "--jvm", LOADS, "-cp", Launch.locationOf(Programs.class),
                Programs.name("Sum"));
        List<String> loaded = result.lines().stream()
                .filter(line -> line.contains(" io.rankwire.runtime.collective."))
                .toList();
        assertFalse(loaded.isEmpty(), result.out());
        for (String line : loaded) {
            assertTrue(line.contains("source: shared objects file"), line);
        }
    }

    @Test
    void shouldNeverBeUsedForAChangedJar() throws Exception {
        assertEquals("", rehearsal.out() + rehearsal.err());
        assertTrue(originOfRankMain(LOADS).startsWith("source: shared objects file"), "from the archive");
        FileTime time = Files.getLastModifiedTime(jar);
        Path more = Files.writeString(place.resolve("more.txt"), "more");
        assertEquals(0, ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "uf", jar.toString(),
                "-C", place.toString(), more.getFileName().toString()));
        Files.setLastModifiedTime(jar, time);
        assertTrue(originOfRankMain(LOADS).startsWith("source: file:"), "from the changed jar");
        Files.copy(Path.of(Launch.locationOf(RankMain.class)), jar, StandardCopyOption.REPLACE_EXISTING);
    }
}
