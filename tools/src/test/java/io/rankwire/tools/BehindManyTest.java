package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message behind more others than its receiver can hold, between real ranks: a receive that waits for it gets it. */
@Timeout(300)
class BehindManyTest {
    private static final String CLASSES = Launch.locationOf(Programs.class);

    @TempDir
    Path jobs;

    @AfterEach
    void shouldLeaveNoFile() throws Exception {
        Command.await("no file left in the place for jobs", Command.patience(2000), () -> Command.isEmpty(jobs));
    }

    @ParameterizedTest
    @CsvSource({"3,false,70000", "2,true,100000"})
    void shouldGetAMessageBehindManyOthers(int ranks, boolean threads, String messages) throws Exception {
        Result result = Command.run(jobs, "run", threads ? "--threads" : "--tag-output", "-n", "" + ranks, "-cp",
                CLASSES, BehindMany.class.getName(), messages);
        assertEquals(0, result.status(), () -> result.out() + result.err());
        List<String> lines = result.lines();
        assertEquals(1, lines.stream().filter(line -> line.endsWith("in order")).count(), result.out());
        assertEquals(ranks - 1, lines.stream().filter(line -> line.endsWith("held back true")).count(), result.out());
        assertEquals("", result.err());
    }
}
