package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DoctorTest {
    @TempDir
    Path jobs;

    @Test
    void shouldReportTheMachineAndMeasureBothLatencies() throws Exception {
        Result result = Command.run(jobs, "doctor");
        assertEquals(0, result.status(), result.out() + result.err());
        for (String topic : new String[] {"java ", "cores ", "job files ", "limits ", "other MPIs ", "native ",
            "geometry ", "costs "}) {
            assertTrue(result.lines().stream().anyMatch(line -> line.startsWith(topic)), topic + result.out());
        }
        String measured = "(?s).*self test +line hand-off \\d+ ns, 8-byte half round trip \\d+ ns, ratio .*";
        assertTrue(result.out().matches(measured), result.out());
        String copies = "(?s).*copies +heap to mapped [\\d.]+ GB/s, mapped to mapped [\\d.]+ GB/s, process_vm_readv"
                + "( [\\d.]+ GB/s| not usable: .*)\n.*";
        assertTrue(result.out().matches(copies), result.out());
        assertEquals("", result.err());
        assertTrue(Command.isEmpty(jobs));
    }

    @Test
    void shouldSayWhatToDoWhenJobsCannotBeStarted() throws Exception {
        Result result = Command.run(jobs.resolve("missing"), "doctor");
        assertEquals(1, result.status(), result.out());
        assertTrue(result.out().contains("so no job can start; set RANKWIRE_DIR to"), result.out());
    }
}
