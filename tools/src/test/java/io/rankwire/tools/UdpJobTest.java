package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.tools.Command.Result;
import org.junit.jupiter.api.Test;

/** The same over datagrams. */
final class UdpJobTest extends TcpJobTest {
    @Override
    String fabric() {
        return "udp";
    }

    @Test
    void shouldCarryDatagramsOfPrograms() throws Exception {
        Result result = Command.run(jobs, "run", "-n", "3", "--fabric", "udp", Examples.source("DatagramChat.java"));
        assertEquals(0, result.status(), () -> result.out() + result.err());
        assertEquals(3, result.lines().stream().filter(line -> line.endsWith("heard from [0, 1, 2]")).count());
        assertEquals("", result.err());
    }
}
