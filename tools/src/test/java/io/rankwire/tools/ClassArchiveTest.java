package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.RankMain;
import io.rankwire.tools.Command.Result;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes is used for the jar it was made of, and for no other. */
@Timeout(300)
class ClassArchiveTest {
    private static final String LOADS = "-Xlog:class+load=info:stdout";

    @TempDir
    Path place;

    @TempDir
    Path jobs;

    private Path jar;

    private Result command(String... args) throws Exception {
        String classPath = Launch.locationOf(Main.class) + File.pathSeparator + jar;
        List<String> line = new ArrayList<>(List.of(Command.java(), "-cp", classPath, "io.rankwire.tools.Main"));
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
        Path core = Path.of(Launch.locationOf(RankMain.class));
        Assumptions.assumeTrue(Files.isRegularFile(core), "skipped: core is no jar here");
        jar = Files.copy(core, place.resolve("core.jar"));
        command("rehearse");
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

    private Path archive() throws IOException {
        try (var files = Files.list(place)) {
            return files.filter(file -> file.toString().endsWith(".aot")).findFirst().orElseThrow();
        }
    }

    @Test
    void shouldNeverBeUsedForAChangedJar() throws Exception {
        Path core = Path.of(Launch.locationOf(RankMain.class));
        Assumptions.assumeTrue(Files.isRegularFile(core), "skipped: core is no jar here");
        jar = Files.copy(core, place.resolve("core.jar"));
        Result made = command("rehearse");
        assertEquals("", made.out() + made.err());
        String old = archive().toString();
        assertTrue(originOfRankMain(LOADS).startsWith("source: shared objects file"), "from the archive");
        Files.setLastModifiedTime(
                jar, FileTime.fromMillis(Files.getLastModifiedTime(jar).toMillis() + 2000));
        assertTrue(originOfRankMain(LOADS).startsWith("source: file:"), "from the changed jar");
        String forced = originOfRankMain(LOADS + " -XX:AOTCache=" + old + " -Xlog:cds=off -Xlog:aot=off");
        assertTrue(forced.startsWith("source: file:"), "the JVM itself refuses the old archive");
    }
}
