package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who moves a message while its sender computes, by the option that says so. */
@Timeout(300)
class ProgressJobTest {
    @TempDir
    Path jobs;

    @TempDir
    Path work;

    private void assertOverlap(String said, int limitMs, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "-n", "2"));
        args.addAll(List.of(options));
        Path place = Files.createTempDirectory(work, "job");
        args.addAll(List.of("-cp", Launch.locationOf(Programs.class), Programs.name("Overlap"), place.toString(),
                Integer.toString(limitMs)));
        Result result = Command.run(jobs, args.toArray(new String[0]));
        String told = result.out() + result.err();
        assertEquals(0, result.status(), told);
        assertEquals(said + " while computing\n", told, "and no word of the JVM");
    }

    @Test
    void shouldMoveItByTheHelper() throws Exception {
        assertOverlap("received", 20_000);
        assertOverlap("received", 20_000, "--progress=helper", "--jvm", "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void shouldMoveItByTheHelperThatThreadRanksShare() throws Exception {
        assertOverlap("received", 20_000, "--threads");
    }

    @Test
    void shouldMoveItByADedicatedThread() throws Exception {
        assertOverlap("received", 20_000, "--progress", "thread");
        assertOverlap("received", 20_000, "--progress=thread", "--threads");
    }

    @Test
    void shouldNotMoveItWithoutEither() throws Exception {
        assertOverlap("not received", 700, "--progress=none");
        assertOverlap("not received", 700, "--progress=none", "--threads");
    }
}
