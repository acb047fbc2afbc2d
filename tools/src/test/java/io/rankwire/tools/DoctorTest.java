package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.tools.Command.Result;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
            "network ", "geometry ", "costs ", "device       all receives in the device; 256 headers", "statistics "}) {
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
    void shouldMeasureTheWayToTheDoctorOfAnotherHost(@TempDir Path place) throws Exception {
        Path secret = Files.writeString(place.resolve("secret"), "a secret for tests");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Command server = Command.start(jobs, "doctor", "--serve=" + port, "--secret", secret.toString(),
                "--subnet", "127.0.0.0/8")) {
            String peer = "localhost:" + port;
            Result result = Command.run(jobs, "doctor", "--peers", peer, "--secret", secret.toString());
            for (int i = 0; i < 100 && result.out().contains("refused"); i++) {
                // It is not there yet.
                result = Command.run(jobs, "doctor", "--peers", peer, "--secret", secret.toString());
            }
            assertEquals(0, result.status(), result.out() + result.err());
            assertTrue(result.out().contains("8 bytes: half round trip "), result.out());
            server.signal("INT");
            Result served = server.result();
            assertTrue(served.out().startsWith("serving doctors of other hosts at port " + port + " of 127.0.0.1;"),
                    served.out());
            assertTrue(served.out().contains("measured with 127.0.0.1:"), served.out());
        }
        Result none = Command.run(jobs, "doctor", "--peers", "localhost");
        assertEquals(2, none.status());
        assertTrue(none.err().contains("option --secret (or RANKWIRE_SECRET_FILE) is not set"), none.err());
    }

    @Test
    void shouldSayWhatToDoWhenJobsCannotBeStarted() throws Exception {
        Result result = Command.run(jobs.resolve("missing"), "doctor");
        assertEquals(1, result.status(), result.out());
        assertTrue(result.out().contains("so no job can start; set RANKWIRE_DIR to"), result.out());
    }
}
