package io.rankwire.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.memory.Rand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two ports on real sockets: networks that fail, narrow paths, strangers, sleep. The JVM of tests may make no foreign
 * calls, so its sockets are channels; another one runs the same tests with them.
 */
@Timeout(300)
final class UdpPortTest {
    private static final long PATIENCE_NS = 120_000_000_000L;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private LoopbackSockets sockets;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closing(T what) {
        opened.add(what);
        return what;
    }

    private LoopbackSockets sockets() throws Exception {
        sockets = closing(new LoopbackSockets(2));
        return sockets;
    }

    private UdpPort open(int rank, Secret secret, int datagram) {
        return closing(new UdpPort(sockets.members(rank, secret), sockets.sockets.get(rank), datagram, false));
    }

    static Port flow(Port below) {
        return FlowPort.over(below, FlowConfig.DATAGRAMS, 1, System.nanoTime());
    }

    static byte content(int number, int at) {
        return (byte) (number * 31 + at * 7);
    }

    static boolean send(Port from, int to, int number, int bytes) {
        Outlet outlet = from.outlet(to);
        long at = outlet.claim(bytes);
        if (at == Outlet.FULL) {
            return false;
        }
        for (int i = 0; i < bytes; i++) {
            outlet.memory().set(ValueLayout.JAVA_BYTE, at + i, content(number, i));
        }
        outlet.commit(at, bytes, 1 + number % 60_000, number);
        return true;
    }

    /** Checks frames that come in order. */
    static final class Checked implements FrameSink {
        int frames;

        @Override
        public void frame(int peer, int meta, long header, MemorySegment memory, long payload,
                int bytes) {
            assertEquals(frames, header);
            assertEquals(1 + frames % 60_000, meta);
            for (int i = 0; i < bytes; i++) {
                if (memory.get(ValueLayout.JAVA_BYTE, payload + i) != content(frames, i)) {
                    throw new AssertionError("byte " + i + " of frame " + frames + " was changed");
                }
            }
            frames++;
        }
    }

    interface Step {
        void run() throws Exception;
    }

    /** Sends frames of random sizes both ways until all have come. */
    static void exchange(Port a, Port b, int frames, Rand rand, Step between) throws Exception {
        Port[] ports = {a, b};
        Checked[] sinks = {new Checked(), new Checked()};
        int[] sent = new int[2];
        int[] next = {rand.below(a.traits().maxPayload() + 1), rand.below(9)};
        long until = System.nanoTime() + PATIENCE_NS;
        while (sinks[0].frames + sinks[1].frames < 2 * frames) {
            assertTrue(System.nanoTime() < until, () -> sinks[0].frames + " and " + sinks[1].frames + " frames");
            for (int rank = 0; rank < 2; rank++) {
                while (sent[rank] < frames && send(ports[rank], 1 - rank, sent[rank], next[rank])) {
                    sent[rank]++;
                    next[rank] = rand.below(3) == 0 ? rand.below(a.traits().maxPayload() + 1) : rand.below(100);
                }
                assertNull(ports[rank].advance(System.nanoTime()));
                ports[rank].poll(sinks[rank], 32);
                if (rand.below(4) == 0) {
                    ports[rank].rest();
                }
            }
            between.run();
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 1352", "500, 1352", "500, 16376"})
    void shouldCarryAllOverANetworkThatFails(int loss, int datagram) throws Exception {
        Rand rand = new Rand(loss + datagram);
        DatagramRelay relay = closing(new DatagramRelay(rand, sockets()));
        relay.drop = loss;
        relay.duplicate = loss;
        relay.damage = loss;
        relay.delay = 2 * loss;
        UdpPort below = open(1, LoopbackSockets.SECRET, datagram);
        exchange(flow(open(0, LoopbackSockets.SECRET, datagram)), flow(below), 3_000, rand, relay::carry);
        assertTrue(below.arrivals().damaged() + below.arrivals().foreign() > 0, "no datagram was damaged");
    }

    @Test
    void shouldCarryAllOverANarrowPath() throws Exception {
        Rand rand = new Rand(3);
        DatagramRelay relay = closing(new DatagramRelay(rand, sockets()));
        relay.widest = Pieces.SAFE;
        relay.drop = 100;
        exchange(flow(open(0, LoopbackSockets.SECRET, 4_096)), flow(open(1, LoopbackSockets.SECRET, 4_096)), 1_000,
                rand, relay::carry);
        assertEquals(4_096, relay.longest, "the path was probed");
    }

    @Test
    void shouldUseWholeDatagramsOnceAProbeIsAnswered() throws Exception {
        Rand rand = new Rand(4);
        DatagramRelay relay = closing(new DatagramRelay(rand, sockets()));
        Port a = open(0, LoopbackSockets.SECRET, 4_096);
        Port b = open(1, LoopbackSockets.SECRET, 4_096);
        int most = a.traits().maxPayload();
        Checked sink = new Checked();
        for (int i = 0; i < 50; i++) {
            a.advance(1_000_000_000L + i);
            assertTrue(send(a, 1, i, most));
            a.rest();
            for (long until = System.nanoTime() + PATIENCE_NS; sink.frames <= i; ) {
                assertTrue(System.nanoTime() < until);
                relay.carry();
                b.pollAll(sink, 32);
                b.rest();
                relay.carry();
                a.pollAll(sink, 32);
            }
        }
        int pieces = (4_096 - Seal.BESIDE + Pieces.PART - 1) / Pieces.PART;
        assertEquals(50 - 1 + pieces + 2, relay.passed, "one frame in pieces, a probe, its answer, and whole ones");
    }

    @Test
    void shouldDropWhatNoMemberHasSent() throws Exception {
        sockets();
        UdpPort b = open(1, LoopbackSockets.SECRET, 1_352);
        Secret other = new Secret("another secret, also long".getBytes(StandardCharsets.UTF_8));
        Port stranger = open(0, other, 1_352);
        assertTrue(send(stranger, 1, 0, 100));
        stranger.rest();
        InetSocketAddress to = sockets.addresses.get(1);
        try (DatagramChannel channel = DatagramChannel.open()) {
            Rand rand = new Rand(9);
            for (int length : new int[] {1, 8, 23, 24, 25, 100, 1_352, 2_000}) {
                byte[] noise = new byte[length];
                for (int i = 0; i < length; i++) {
                    noise[i] = (byte) rand.below(256);
                }
                channel.send(ByteBuffer.wrap(noise), to);
            }
        }
        Checked sink = new Checked();
        for (long until = System.nanoTime() + PATIENCE_NS; b.arrivals().foreign() < 9; ) {
            assertTrue(System.nanoTime() < until, () -> b.arrivals().foreign() + " datagrams");
            b.pollAll(sink, 32);
        }
        assertEquals(0, sink.frames);
        assertEquals(0, b.arrivals().damaged());
    }

    @Test
    void shouldSleepUntilADatagramComes() throws Exception {
        sockets();
        Port a = open(0, LoopbackSockets.SECRET, 1_352);
        Port b = open(1, LoopbackSockets.SECRET, 1_352);
        assertFalse(b.mayHaveFrames());
        Thread sleeper = new Thread(() -> b.sleep(PATIENCE_NS / Port.SLEEP_FACTOR));
        long start = System.nanoTime();
        sleeper.start();
        assertTrue(send(a, 1, 0, 8));
        a.rest();
        sleeper.join();
        assertTrue(System.nanoTime() - start < PATIENCE_NS / 2, "it slept on");
        assertTrue(b.mayHaveFrames());
        Checked sink = new Checked();
        assertEquals(1, b.poll(sink, 32));
        assertEquals(1, sink.frames);
        assertFalse(b.mayHaveFrames());
    }

    @Test
    void shouldBindAnyAddressAndReachItByLoopback() throws Exception {
        UdpSocket any = closing(UdpFabric.bind(null, 0));
        UdpSocket one = closing(UdpFabric.bind(InetAddress.getByName("127.0.0.1"), 0));
        Area area = Area.of(64);
        UdpSocket.Destination to = one.destination(new InetSocketAddress("127.0.0.1", any.address().getPort()));
        assertEquals(UdpSocket.Sent.YES, one.send(to, area, 0, 40));
        Area got = Area.of(1 << 16);
        assertEquals(40, any.receive(got));
        UdpSocket.Destination back = any.destination(one.address());
        assertEquals(UdpSocket.Sent.YES, any.send(back, area, 0, 24));
        assertEquals(24, one.receive(got));
    }

    private void run(Step test) throws Exception {
        try {
            test.run();
        } finally {
            close();
            opened.clear();
        }
    }

    static final class WithForeignCalls {
        private WithForeignCalls() {}

        public static void main(String[] args) throws Exception {
            try (UdpSocket socket = UdpFabric.bind(InetAddress.getLoopbackAddress(), 0)) {
                System.out.print(socket.getClass().getSimpleName() + ", " + (socket.receiveBuffer() > 0));
            }
            UdpPortTest test = new UdpPortTest();
            test.run(() -> test.shouldCarryAllOverANetworkThatFails(500, UdpFabric.NETWORK));
            test.run(() -> test.shouldCarryAllOverANetworkThatFails(500, UdpFabric.LOCAL));
            test.run(test::shouldCarryAllOverANarrowPath);
            test.run(test::shouldUseWholeDatagramsOnceAProbeIsAnswered);
            test.run(test::shouldDropWhatNoMemberHasSent);
            test.run(test::shouldSleepUntilADatagramComes);
            test.run(test::shouldBindAnyAddressAndReachItByLoopback);
            System.out.print(", all held");
        }
    }

    @Test
    void shouldHoldWithForeignCalls() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "skipped: needs Linux");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea",
                "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                WithForeignCalls.class.getName()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        assertEquals("NativeSocket, true, all held", printed);
    }
}
