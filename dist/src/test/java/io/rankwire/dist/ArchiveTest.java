package io.rankwire.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive, unpacked where a user likes. */
@Timeout(900)
class ArchiveTest {
    private static final Map<String, String> JDK = Map.of("JAVA25_HOME", System.getProperty("java.home"));

    @TempDir
    Path place;
    private Path home;

    @BeforeEach
    void unpack() throws Exception {
        assumeTrue(Shell.has("tar"), "skipped: needs tar");
        Path archive;
        try (var files = Files.newDirectoryStream(Path.of("target"), "rankwire-*.tar.gz")) {
            archive = files.iterator().next().toAbsolutePath();
        }
        Shell.run(place, "tar", "xzf", archive.toString());
        try (var files = Files.newDirectoryStream(place, "rankwire-*")) {
            home = files.iterator().next();
        }
    }

    @Test
    void shouldRunWhereverItIs() throws Exception {
        List<String> ring = List.of("bin/rankwire", "run", "-n", "2", "examples/Ring.java");
        assertEquals("the token came back with 1 after 2 ranks\n", Shell.run(home, JDK, ring));
        Path moved = Files.move(home, place.resolve("another place"));
        assertEquals("the token came back with 1 after 2 ranks\n", Shell.run(moved, JDK, ring));
        Path link = Files.createSymbolicLink(place.resolve("rw"), moved.resolve("bin/rankwire"));
        assertTrue(Shell.run(place, JDK, List.of(link.toString(), "version")).startsWith("rankwire "));
    }

    @Test
    void shouldHaveManualPagesWithoutWarnings() throws Exception {
        Path pages = home.resolve("share/man/man1");
        assertTrue(Files.readString(pages.resolve("rankwire-run.1")).contains("\\-\\-threads"));
        assumeTrue(Shell.has("groff"), "skipped: needs groff");
        try (var files = Files.newDirectoryStream(pages)) {
            for (Path page : files) {
                assertEquals("", Shell.run(pages, "sh", "-c", "groff -man -Tutf8 -ww " + page.getFileName()
                        + " 2>&1 > /dev/null"));
            }
        }
    }

    @Test
    void shouldHaveCompletionForFish() throws Exception {
        Path script = home.resolve("share/completion/rankwire.fish");
        assumeTrue(Shell.has("fish"), "skipped: needs fish");
        Map<String, String> user = Map.of("HOME", place.toString());
        assertEquals(List.of("helper", "none", "thread"), completed(script, user, "rankwire run --progress "));
        assertEquals(List.of("run"), completed(script, user, "rankwire sim ru"));
        assertEquals(List.of("--timeout"), completed(script, user, "rankwire run -n 4 --timeo"));
        assertEquals(List.of(), completed(script, user, "rankwire run -n 4 Ring.java --timeo"));
    }

    private List<String> completed(Path script, Map<String, String> user, String line) throws Exception {
        return Shell.run(home, user, List.of("fish", "-c", "source " + script + "; complete -C '" + line + "'"))
                .lines().map(each -> each.split("\t")[0]).sorted().toList();
    }
}
