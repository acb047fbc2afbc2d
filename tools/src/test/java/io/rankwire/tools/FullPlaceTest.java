package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.Board;
import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A {@code /dev/shm} that is too small: told with both sizes, never a crash. Needs a mount namespace of its own. */
@Timeout(300)
class FullPlaceTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    static Result runWithRoom(String size, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "unshare", "-m", "/bin/sh", "-c",
                "mount -t tmpfs -o size=" + size + " tmpfs /dev/shm || exit 77; \"$@\"; s=$?; ls -A /dev/shm; exit $s",
                "sh"));
        command.addAll(Command.line(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("RANKWIRE_DIR");
        try (Command started = Command.start(builder)) {
            return started.result();
        }
    }

    private static boolean mayMount() throws Exception {
        boolean possible = Files.isDirectory(Path.of("/dev/shm"))
                && Files.isExecutable(Path.of("/usr/bin/unshare"))
                && runWithRoom("1m", "version").status() == 0;
        if (!possible) {
            System.out.println("skipped: needs root");
        }
        return possible;
    }

    @Test
    void shouldNameTheSizesWhenTheBoardDoesNotFit() throws Exception {
        Assumptions.assumeTrue(mayMount(), "skipped: needs root");
        Result result = runWithRoom("16k", "run", "-n", "64", "-cp", CLASSES, Programs.name("Echo"));
        assertEquals(1, result.status(), result.err());
        assertTrue(
                result.err().matches("rankwire: no room in /dev/shm: board needs " + Board.bytes(64) + " bytes and"
                        + " \\d+ are available; .*\n"),
                result.err());
        assertEquals("", result.out(), "nothing is left in /dev/shm");
    }

    @Test
    void shouldNameTheSizesWhenTheRingsDoNotFit() throws Exception {
        Assumptions.assumeTrue(mayMount(), "skipped: needs root");
        Result result = runWithRoom("64k", "run", "-n", "4", "-cp", CLASSES, Programs.name("Ring"), "1");
        assertEquals(1, result.status(), result.err());
        assertTrue(result.err().contains("/dev/shm"), result.err());
        assertTrue(result.err().matches("(?s).*\\d+ bytes.*"), result.err());
        assertTrue(!result.err().contains("SIGBUS"), result.err());
        assertEquals("", result.out(), "nothing is left in /dev/shm");
    }
}
