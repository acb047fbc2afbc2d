package io.rankwire.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Secret;
import io.rankwire.launch.PortRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Doctors of two hosts, which are one here. */
@Timeout(300)
class DoctorPeersTest {
    private static final Secret SECRET = secret("a secret for tests");

    private ServerSocketChannel listening;
    private int port;

    private static Secret secret(String text) {
        return new Secret(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void serve() throws IOException {
        listening = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        DoctorServer server = new DoctorServer(listening, SECRET);
        port = server.port();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                server.run();
            } catch (IOException e) {
                // The test is over.
            }
        });
    }

    @AfterEach
    void end() throws IOException {
        listening.close();
    }

    private static String examined(boolean well, Secret secret, PortRange ports, String peers) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        boolean seen = new DoctorPeers(secret, null, ports, 500, out).examine(peers);
        assertEquals(well, seen, () -> text.toString(StandardCharsets.UTF_8));
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldMeasureTheWayToAnotherHost() {
        String text = examined(true, SECRET, PortRange.ANY, "127.0.0.1:" + port);
        String number = "[\\d.]+";
        assertTrue(text.matches("(?s)peer         127.0.0.1:" + port + "\n"
                + "             address 127.0.0.1, from 127.0.0.1 \\(lo\\)\n"
                + "             8 bytes: half round trip " + number + " [nµm]s, at best " + number + " [nµm]s\n"
                + "             path MTU 65535 bytes\n"
                + "             1 MiB: " + number + " [nµm]s, \\d+ MB/s\n"), text);
    }

    @Test
    void shouldSayWhichPortsAreOpen() throws IOException {
        int used;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            used = other.getLocalPort();
            String text = examined(false, SECRET, new PortRange(used, used), "127.0.0.1:" + port);
            assertTrue(text.contains("             ports " + used + " used by another program\n"), text);
            assertTrue(text.contains("problem      127.0.0.1:" + port + ": not all ports of " + used), text);
        }
        String text = examined(true, SECRET, new PortRange(used, used), "127.0.0.1:" + port);
        assertTrue(text.contains("             ports " + used + " open\n"), text);
    }

    @Test
    void shouldNameWhatKeepsHostsApart() throws IOException {
        String wrong = examined(false, secret("another secret, as long"), PortRange.ANY, "127.0.0.1:" + port);
        assertTrue(wrong.endsWith(": it has another secret: both sides need a file with the same bytes\n"), wrong);
        assertFalse(wrong.contains("half round trip"), wrong);
        String unknown = examined(false, SECRET, PortRange.ANY, "no-such-host.invalid, 127.0.0.1:" + port);
        assertTrue(unknown.contains("problem      no-such-host.invalid: its name does not resolve\n"), unknown);
        assertTrue(unknown.contains("half round trip"), unknown);
        String odd = examined(false, SECRET, PortRange.ANY, "127.0.0.1:x");
        assertTrue(odd.contains("the port of 127.0.0.1:x is \"x\", not a port"), odd);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int full = other.getLocalPort();
            List<Socket> waiting = new ArrayList<>();
            try {
                // The system drops what asks for a connection once enough wait to be accepted: as a firewall does.
                for (int i = 0; i < 8; i++) {
                    Socket socket = new Socket();
                    waiting.add(socket);
                    socket.connect(new InetSocketAddress("127.0.0.1", full), 200);
                }
            } catch (IOException e) {
                // Enough.
            }
            String dropped = examined(false, SECRET, PortRange.ANY, "127.0.0.1:" + full);
            assertTrue(dropped.contains(": no answer within 0.5 s: the host is down, or a firewall drops"), dropped);
            for (Socket each : waiting) {
                each.close();
            }
            port = full;
        }
        String refused = examined(false, SECRET, PortRange.ANY, "127.0.0.1:" + port);
        assertTrue(refused.contains(": connection refused: nothing listens there; start `rankwire doctor --serve`"),
                refused);
    }

    @Test
    void shouldGiveAStrangerNothing() throws IOException {
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            assertEquals(-1, stranger.getInputStream().read());
        } catch (IOException e) {
            // Reset, since it had sent more than was read.
        }
        try (Socket liar = new Socket(InetAddress.getLoopbackAddress(), port)) {
            liar.getOutputStream().write(new byte[] {0x52, 0x57, 0x44, 0x52, 0, 0, 0, 1});
            liar.getOutputStream().write(new byte[Secret.CHALLENGE]);
            assertEquals(8 + Secret.CHALLENGE + Secret.PROOF,
                    liar.getInputStream().readNBytes(8 + Secret.CHALLENGE + Secret.PROOF).length);
            liar.getOutputStream().write(new byte[Secret.PROOF]);
            assertEquals(-1, liar.getInputStream().read());
        }
        examined(true, SECRET, PortRange.ANY, "127.0.0.1:" + port);
    }
}
