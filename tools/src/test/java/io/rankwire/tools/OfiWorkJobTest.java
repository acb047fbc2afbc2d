package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Work programs of jobs over libfabric: the provider runs them where it can, and --explain shows which does. */
@Timeout(300)
class OfiWorkJobTest {
    @TempDir
    Path jobs;

    @ParameterizedTest
    @CsvSource({
        "ofi:sockets, Relay.java, 'the network (provider sockets of libfabric)'",
        "ofi:net, Relay.java, 'the device, because provider net of libfabric takes no deferred work'",
        "ofi:sockets, TreeSum.java, 'the device, because queue 0 begins disabled'",
        "shm, Relay.java, 'the device, because the fabric has no deferred work'",
    })
    void shouldExplainWhatRunsAProgram(String fabric, String example, String what) throws Exception {
        assertRun(fabric, what, Examples.source(example));
    }

    /** Puts into windows, also if the epoch ends and begins again while the program waits. */
    @ParameterizedTest
    @CsvSource({
        "ofi:sockets, 'the network (provider sockets of libfabric)'",
        "ofi:net, 'the device, because provider net of libfabric takes no deferred work'",
    })
    void shouldMakePuts(String fabric, String what) throws Exception {
        assertRun(fabric, what, "-cp", Launch.locationOf(Programs.class), PutPrograms.name("PutRelay"));
    }

    @ParameterizedTest
    @CsvSource({
        "ofi:sockets, 'the network (provider sockets of libfabric)'",
        "ofi:net, 'the device, because provider net of libfabric takes no deferred work'",
    })
    void shouldNotMakePutsWhoseEpochHasEnded(String fabric, String what) throws Exception {
        Result result = run(fabric, "-cp", Launch.locationOf(Programs.class), PutPrograms.name("PutAfterEpoch"));
        assertExplained(result, 0, what);
    }

    private void assertRun(String fabric, String what, String... program) throws Exception {
        Result result = run(fabric, program);
        for (int rank = 0; rank < 3; rank++) {
            assertExplained(result, rank, what);
        }
    }

    private static void assertExplained(Result result, int rank, String what) {
        String line = "rankwire: work program of rank " + rank + ", on world: run by " + what;
        assertEquals(1, result.err().lines().filter(line::equals).count(), () -> line + "\n" + result.err());
    }

    private Result run(String fabric, String... program) throws Exception {
        ProcessBuilder builder = Command.builder(jobs, "run", "-n", "3", "--explain", "--fabric", fabric);
        builder.command().addAll(List.of(program));
        builder.command().add(1, "-D" + OfiLibrary.PROPERTY + "=" + OfiClasses.usable());
        try (Command command = Command.start(builder)) {
            command.endInput();
            Result result = command.result();
            assertEquals(0, result.status(), () -> result.out() + result.err());
            return result;
        }
    }
}
