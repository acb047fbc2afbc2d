package io.rankwire.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Secret;
import io.rankwire.memory.Rand;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers on the path, on real sockets: what they change, send again or send elsewhere is dropped and counted. */
@Timeout(300)
final class HostileDatagramsTest {
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final long SECOND = 1_000_000_000;
    private static final int DATAGRAM = UdpFabric.NETWORK;

    private final UdpPortTest.Checked sink = new UdpPortTest.Checked();
    private final List<UdpPort> ports = new ArrayList<>();
    private LoopbackSockets sockets;
    /** Gets what rank 0 sends to rank 1. */
    private DatagramChannel between;
    private InetSocketAddress second;

    @BeforeEach
    void open() throws Exception {
        sockets = new LoopbackSockets(3);
        between = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        between.configureBlocking(false);
        second = sockets.addresses.set(1, (InetSocketAddress) between.getLocalAddress());
    }

    @AfterEach
    void close() throws Exception {
        ports.forEach(UdpPort::close);
        sockets.close();
        between.close();
    }

    private UdpPort port(int rank, Secret secret, int epochShift) {
        UdpPort port = new UdpPort(sockets.members(rank, secret), sockets.sockets.get(rank), DATAGRAM, true,
                epochShift);
        ports.add(port);
        return port;
    }

    private UdpPort port(int rank) {
        return port(rank, LoopbackSockets.SECRET, Seal.EPOCH_SHIFT);
    }

    /** Has a rank send a frame to rank 1; returns the datagram, which has not come. */
    private byte[] made(UdpPort from, int number, int bytes) throws Exception {
        assertTrue(UdpPortTest.send(from, 1, number, bytes));
        from.rest();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        for (long until = System.nanoTime() + PATIENCE_NS; between.receive(buffer) == null; Thread.onSpinWait()) {
            assertTrue(System.nanoTime() < until);
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    /** Sends bytes to a rank and waits until it has counted them. */
    private void send(byte[] bytes, UdpPort to, LongSupplier counter) throws Exception {
        long before = counter.getAsLong();
        between.send(ByteBuffer.wrap(bytes), to.self() == 1 ? second : sockets.addresses.get(to.self()));
        for (long until = System.nanoTime() + PATIENCE_NS; counter.getAsLong() == before; ) {
            assertTrue(System.nanoTime() < until, "a datagram of " + bytes.length + " bytes was not counted");
            to.pollAll(sink, 32);
        }
        assertEquals(before + 1, counter.getAsLong());
    }

    @Test
    void shouldTakeOnlyWhatItsPeerHasMadeForIt() throws Exception {
        UdpPort a = port(0);
        UdpPort b = port(1);
        UdpPort c = port(2);
        LongSupplier foreign = b.arrivals()::foreign;
        byte[] good = made(a, 0, 20);
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] changed = good.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            send(changed, b, foreign);
        }
        for (int length = 0; length < good.length; length++) {
            if (length != 0) {
                send(Arrays.copyOf(good, length), b, foreign);
            }
            send(Arrays.copyOf(good, good.length + 1 + length), b, foreign);
        }
        byte[] noise = new byte[DATAGRAM];
        Rand rand = new Rand(1);
        for (int i = 0; i < 100; i++) {
            for (int at = 0; at < noise.length; at++) {
                noise[at] = (byte) (at == 7 ? 0 : rand.below(256));
            }
            Arrays.fill(noise, 9, 12, (byte) 0);
            noise[8] = (byte) (i % 2 * 2);
            send(noise, b, foreign);
        }
        send(made(port(0, new Secret(Secret.challenge()), Seal.EPOCH_SHIFT), 0, 20), b, foreign);
        send(good, a, a.arrivals()::foreign);
        send(good, c, c.arrivals()::foreign);
        assertNull(b.known(0), "strangers have left something");
        assertNull(b.known(2), "strangers have left something");
        assertEquals(0, sink.frames);
        send(good, b, () -> sink.frames);
        assertNotNull(b.known(0));
        send(good, b, b.arrivals()::repeated);
        assertEquals(1, sink.frames);
        assertEquals(0, b.arrivals().damaged());
    }

    @Test
    void shouldTakeNothingOldAfterSilence() throws Exception {
        UdpPort a = port(0);
        UdpPort b = port(1);
        byte[] late = made(a, 7, 20);
        byte[] good = made(a, 0, 20);
        b.advance(SECOND);
        send(good, b, () -> sink.frames);
        b.advance(100 * SECOND);
        assertNull(b.known(0).opening, "the key is kept");
        send(good, b, b.arrivals()::repeated);
        send(late, b, b.arrivals()::repeated);
        send(made(a, 1, 20), b, () -> sink.frames);
        assertEquals(2, sink.frames);
    }

    @Test
    void shouldHideTheContentAndNeverCloseTwoDatagramsAlike() throws Exception {
        UdpPort a = port(0);
        byte[] first = made(a, 5, 800);
        byte[] again = made(a, 5, 800);
        int same = 0;
        int shown = 0;
        for (int at = Seal.HEAD; at < first.length; at++) {
            same += first[at] == again[at] ? 1 : 0;
            shown += first[at] == UdpPortTest.content(5, at - Seal.HEAD - Train.FRAME) ? 1 : 0;
        }
        assertTrue(same < 50 && shown < 50, same + " bytes are alike, and " + shown + " are the content");
        assertNotEquals(ByteBuffer.wrap(first).getLong(), ByteBuffer.wrap(again).getLong());
    }

    /** Keys for eight datagrams each: they come in any order, and some epochs are lost as a whole. */
    @Test
    void shouldChangeKeysInEpochs() throws Exception {
        UdpPort a = port(0, LoopbackSockets.SECRET, 3);
        UdpPort b = port(1, LoopbackSockets.SECRET, 3);
        Rand rand = new Rand(5);
        List<byte[]> under = new ArrayList<>();
        int[] come = new int[1];
        for (int i = 0; i < 400; i++) {
            byte[] one = made(a, i, 20);
            if (i / 50 % 2 == 0) {
                under.add(rand.below(under.size() + 1), one);
            }
            while (under.size() > 20) {
                deliver(b, under.removeLast(), come);
            }
        }
        assertEquals(180, come[0]);
        assertEquals(0, b.arrivals().foreign() + b.arrivals().repeated() + b.arrivals().damaged());
    }

    private void deliver(UdpPort to, byte[] one, int[] come) throws Exception {
        between.send(ByteBuffer.wrap(one), second);
        int before = come[0];
        for (long until = System.nanoTime() + PATIENCE_NS; come[0] == before; ) {
            assertTrue(System.nanoTime() < until);
            to.pollAll((peer, meta, header, memory, payload, bytes) -> come[0]++, 32);
        }
    }

    @Test
    void shouldCarryAllPastARelayThatAttacks() throws Exception {
        sockets.close();
        Rand rand = new Rand(11);
        sockets = new LoopbackSockets(2);
        try (DatagramRelay relay = new DatagramRelay(rand, sockets)) {
            relay.damage = 500;
            relay.replay = 2_000;
            relay.misdirect = 500;
            relay.resize = 500;
            UdpPort a = port(0, LoopbackSockets.SECRET, 6);
            UdpPort b = port(1, LoopbackSockets.SECRET, 6);
            UdpPortTest.exchange(UdpPortTest.flow(a), UdpPortTest.flow(b), 3_000, rand, relay::carry);
            for (UdpPort each : List.of(a, b)) {
                assertTrue(each.arrivals().foreign() > 50, each.arrivals().foreign() + " foreign");
                assertTrue(each.arrivals().repeated() > 50, each.arrivals().repeated() + " repeated");
                assertEquals(0, each.arrivals().damaged());
            }
        }
    }
}
