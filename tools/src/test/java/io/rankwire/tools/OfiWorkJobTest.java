package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
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
        ProcessBuilder builder = Command.builder(jobs, "run", "-n", "3", "--explain", "--fabric", fabric,
                Examples.source(example));
        builder.command().add(1, "-D" + OfiLibrary.PROPERTY + "=" + OfiClasses.usable());
        try (Command command = Command.start(builder)) {
            command.endInput();
            Result result = command.result();
            assertEquals(0, result.status(), () -> result.out() + result.err());
            for (int rank = 0; rank < 3; rank++) {
                String line = "rankwire: work program of rank " + rank + ", on world: run by " + what;
                assertEquals(1, result.err().lines().filter(line::equals).count(), () -> line + "\n" + result.err());
            }
        }
    }
}
