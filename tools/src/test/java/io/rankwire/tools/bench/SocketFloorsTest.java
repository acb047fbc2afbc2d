package io.rankwire.tools.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SocketFloorsTest {
    @Test
    void shouldMeasureProgramsThatPollASocket() throws IOException {
        try (Workbench bench = Workbench.open()) {
            String text = new SocketFloors(bench, new Peers(bench, System.getenv("PATH")), 0.00001).measure();
            String value = "[\\d.]+ \\([\\d.]+\\)";
            String row = " in C (-|" + value + "), in Java " + value;
            assertTrue(text.matches("8 B half .*: tcp" + row + "; udp" + row + "(; not in C: .*)?"), text);
        }
    }
}
