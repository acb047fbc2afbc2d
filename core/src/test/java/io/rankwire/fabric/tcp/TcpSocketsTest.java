package io.rankwire.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import io.rankwire.memory.Rand;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports over real sockets, with connections that break, strangers, and ranks that end. */
final class TcpSocketsTest {
    private static final long MINUTES_NS = 120_000_000_000L;
    private static final int CUTS = 15;
    private static final int FORGERIES = 50;
    private static final TcpConfig CONFIG = new TcpConfig(0, 10_000_000_000L, 0);

    private LoopbackRanks loopback;
    private final List<TcpPort> ports = new ArrayList<>();
    /** The next frame that each rank expects of each other. */
    private long[][] next;
    private int received;
    private final List<PeerLost> losses = new ArrayList<>();

    private void open(int ranks, TcpConfig config) throws IOException {
        loopback = new LoopbackRanks(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            ports.add((TcpPort) loopback.open(rank, config));
        }
        next = new long[ranks][ranks];
    }

    @AfterEach
    void close() throws IOException {
        ports.forEach(Port::close);
        loopback.close();
    }

    private FrameSink sink(int to) {
        return (from, meta, header, memory, payload, bytes) -> {
            assertEquals(next[to][from]++, header, () -> "from rank " + from + " to rank " + to);
            for (int i = 0; i < bytes; i += 7) {
                assertEquals((byte) (header * 7 + i), memory.get(ValueLayout.JAVA_BYTE, payload + i));
            }
            received++;
        };
    }

    private static boolean send(Port from, int to, long header, int bytes) {
        Outlet outlet = from.outlet(to);
        long at = outlet.claim(bytes);
        if (at == Outlet.FULL) {
            return false;
        }
        for (int i = 0; i < bytes; i++) {
            outlet.memory().set(ValueLayout.JAVA_BYTE, at + i, (byte) (header * 7 + i));
        }
        outlet.commit(at, bytes, 5, header);
        return true;
    }

    /** Drives all ports once. */
    private void step() {
        for (TcpPort port : ports) {
            PeerLost lost = port.advance(System.nanoTime());
            if (lost != null) {
                losses.add(lost);
            }
            port.poll(sink(port.self()), 16);
            port.rest();
        }
    }

    private void stepWithoutLoss() {
        step();
        assertEquals(List.of(), losses);
    }

    private void awaitFrames(int count) {
        long until = System.nanoTime() + MINUTES_NS;
        while (received < count) {
            assertTrue(System.nanoTime() < until, () -> received + " of " + count + " frames have come");
            stepWithoutLoss();
        }
        assertEquals(count, received);
    }

    private void awaitLosses(int count) {
        long until = System.nanoTime() + MINUTES_NS;
        while (losses.size() < count) {
            assertTrue(System.nanoTime() < until, "no loss was reported");
            step();
        }
    }

    /** Two ranks send each other frames of any length while there is a reason to; returns how many. */
    private int talk(Rand rand, BooleanSupplier goesOn) {
        long[] sent = new long[2];
        while (goesOn.getAsBoolean()) {
            int from = rand.below(2);
            int bytes = rand.chance(1, 20) ? rand.below(Link.MOST_PAYLOAD) : rand.below(200);
            while (rand.chance(7, 8) && send(ports.get(from), 1 - from, sent[from], bytes)) {
                sent[from]++;
            }
            stepWithoutLoss();
        }
        return (int) (sent[0] + sent[1]);
    }

    @Test
    void shouldLoseNothingWhenConnectionsAreCut() throws Exception {
        for (long seed = 1; seed <= 6; seed++) {
            loopback = new LoopbackRanks(2);
            loopback.encrypted = seed % 2 == 0;
            try (Relay zero = new Relay(loopback.addresses.get(0), seed, 200_000);
                    Relay one = new Relay(loopback.addresses.get(1), seed + 100, 200_000)) {
                loopback.addresses.set(0, zero.address());
                loopback.addresses.set(1, one.address());
                ports.add((TcpPort) loopback.open(0, CONFIG));
                ports.add((TcpPort) loopback.open(1, CONFIG));
                next = new long[2][2];
                received = 0;
                int sent = talk(new Rand(seed), () -> zero.cuts.get() + one.cuts.get() < CUTS);
                zero.calm();
                one.calm();
                awaitFrames(sent);
                ports.forEach(Port::close);
                ports.clear();
            }
            loopback.close();
        }
    }

    /** Opens two ranks that encrypt and reach each other through forgers. */
    private void open(Forger zero, Forger one) {
        loopback.encrypted = true;
        loopback.addresses.set(0, zero.address());
        loopback.addresses.set(1, one.address());
        TcpConfig config = new TcpConfig(0, CONFIG.patienceNs(), 0, 5);
        ports.add((TcpPort) loopback.open(0, config));
        ports.add((TcpPort) loopback.open(1, config));
        next = new long[2][2];
    }

    @Test
    void shouldLoseNothingWhenEncryptedRecordsAreForged() throws Exception {
        loopback = new LoopbackRanks(2);
        try (Forger zero = new Forger(loopback.addresses.get(0), 1, 20, Forger.Forgery.values());
                Forger one = new Forger(loopback.addresses.get(1), 2, 20, Forger.Forgery.values())) {
            open(zero, one);
            int sent = talk(new Rand(3), () -> zero.forgeries() + one.forgeries() < FORGERIES
                    || Stream.of(zero, one).flatMap(each -> each.kinds().stream()).distinct().count()
                            < Forger.Forgery.values().length);
            zero.calm();
            one.calm();
            awaitFrames(sent);
            assertFalse(zero.hasSeenText() || one.hasSeenText(), "something was not encrypted");
            ports.forEach(Port::close);
        }
        ports.clear();
    }

    @Test
    void shouldLoseARankWhoseRecordsAreAllForged() throws Exception {
        loopback = new LoopbackRanks(2);
        try (Forger zero = new Forger(loopback.addresses.get(0), 1, 1, Forger.Forgery.FLIP);
                Forger one = new Forger(loopback.addresses.get(1), 2, 1, Forger.Forgery.FLIP)) {
            open(zero, one);
            assertTrue(send(ports.get(0), 1, 0, 100));
            assertTrue(send(ports.get(1), 0, 0, 100));
            awaitLosses(1);
            assertTrue(losses.getFirst().getMessage().endsWith(" on localhost is lost: an encrypted record was changed,"
                    + " repeated or left out on its way, on 16 connections in turn"), losses.getFirst()::getMessage);
            assertEquals(0, received);
            ports.forEach(Port::close);
        }
        ports.clear();
    }

    @Test
    void shouldNotTalkToARankThatDoesNotEncrypt() throws Exception {
        loopback = new LoopbackRanks(2);
        TcpConfig config = CONFIG.withPatience(300_000_000);
        ports.add((TcpPort) loopback.open(0, config));
        loopback.encrypted = true;
        ports.add((TcpPort) loopback.open(1, config));
        next = new long[2][2];
        assertTrue(send(ports.get(0), 1, 0, 8));
        awaitLosses(1);
        assertEquals("rank 1 on localhost is lost: it encrypts, and this rank does not: RANKWIRE_ENCRYPT must be the"
                + " same for all ranks", losses.getFirst().getMessage());
        assertEquals(0, received);
    }

    @Test
    void shouldOpenOneConnectionForEachPairThatTalks() throws Exception {
        int ranks = 32;
        open(ranks, CONFIG);
        for (int rank = 0; rank < ranks; rank++) {
            assertTrue(send(ports.get(rank), (rank + 1) % ranks, 0, 8));
        }
        awaitFrames(ranks);
        assertEquals(2 * ranks, ends());
        for (int rank = 0; rank < ranks; rank++) {
            for (int to = 0; to < ranks; to++) {
                if (to != rank && to != (rank + 1) % ranks) {
                    assertTrue(send(ports.get(rank), to, 0, 8));
                }
            }
        }
        awaitFrames(ranks * (ranks - 1));
        assertEquals(ranks * (ranks - 1), ends());
    }

    private int ends() {
        return ports.stream().mapToInt(port -> port.connections().live.size()).sum();
    }

    @Test
    void shouldDropStrangersAndKeepTalking() throws Exception {
        open(2, CONFIG);
        byte[] garbage = new byte[1000];
        Arrays.fill(garbage, (byte) 7);
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 2 * Connections.MOST_UNPROVEN; i++) {
            Socket socket = new Socket(loopback.addresses.get(1).getAddress(), loopback.addresses.get(1).getPort());
            strangers.add(socket);
            if (i % 2 == 0) {
                socket.getOutputStream().write(garbage);
            }
        }
        assertTrue(send(ports.get(0), 1, 0, 100));
        awaitFrames(1);
        assertTrue(ports.get(1).connections().strangers() >= Connections.MOST_UNPROVEN / 2);
        // The half-open ones hold no more than their places.
        for (Socket socket : strangers) {
            socket.close();
        }
        assertTrue(send(ports.get(1), 0, 0, 100));
        awaitFrames(2);
    }

    @Test
    void shouldNotTalkToARankWithAnotherSecret() throws Exception {
        loopback = new LoopbackRanks(2);
        ports.add((TcpPort) loopback.open(0, CONFIG.withPatience(300_000_000)));
        Secret other = new Secret("another secret of a job".getBytes(StandardCharsets.UTF_8));
        ports.add((TcpPort) TcpFabric.open(loopback.members(1, other), loopback.listening.get(1), CONFIG));
        next = new long[2][2];
        assertTrue(send(ports.get(0), 1, 0, 8));
        awaitLosses(1);
        assertEquals("rank 1 on localhost is lost: it does not know the secret of the job",
                losses.getFirst().getMessage());
        assertEquals(0, received);
        assertTrue(ports.get(1).connections().strangers() > 0);
        assertTrue(ports.get(1).connections().live.isEmpty());
    }

    @Test
    void shouldReportARankThatEndsAtOnce() throws Exception {
        open(3, CONFIG);
        assertTrue(send(ports.get(0), 2, 0, 8));
        assertTrue(send(ports.get(2), 1, 0, 8));
        awaitFrames(2);
        // As the system does for a process that ends.
        TcpPort dead = ports.remove(2);
        loopback.listening.get(2).close();
        for (Connection connection : dead.connections().live) {
            connection.channel.close();
        }
        dead.pollAll((peer, meta, header, memory, payload, bytes) -> {}, 1);
        long before = System.nanoTime();
        awaitLosses(2);
        long took = System.nanoTime() - before;
        for (PeerLost lost : losses) {
            assertEquals(2, lost.rank());
            assertTrue(lost.getMessage().startsWith("rank 2 on localhost is lost: connection "), lost::getMessage);
            assertTrue(lost.getMessage().endsWith(", then connection refused"), lost::getMessage);
        }
        // A tenth of a second on a machine that is not busy; the patience would be ten seconds.
        assertTrue(took < 5_000_000_000L, () -> "took " + took + " ns");
    }

    @Test
    void shouldNotTakeAClosedPortForADeadRank() throws Exception {
        open(2, CONFIG);
        assertTrue(send(ports.get(0), 1, 0, 8));
        awaitFrames(1);
        ports.remove(1).close();
        loopback.listening.get(1).close();
        long until = System.nanoTime() + 200_000_000;
        while (System.nanoTime() < until || !ports.get(0).connections().live.isEmpty()) {
            stepWithoutLoss();
        }
        assertTrue(send(ports.get(0), 1, 1, 8));
        stepWithoutLoss();
    }

    @Test
    void shouldDeliverWhatWasSentBeforeTheClose() throws Exception {
        loopback = new LoopbackRanks(2);
        next = new long[2][2];
        TcpPort sender = (TcpPort) loopback.open(0, TcpConfig.DEFAULT);
        ports.add((TcpPort) loopback.open(1, TcpConfig.DEFAULT));
        int frames = 0;
        while (send(sender, 1, frames, 30_000)) {
            frames++;
        }
        Thread closing = new Thread(sender::close);
        closing.start();
        awaitFrames(frames);
        while (closing.isAlive()) {
            stepWithoutLoss();
        }
        stepWithoutLoss();
    }

    @Test
    void shouldWakeASleeperWhenAFrameComes() throws Exception {
        open(2, CONFIG);
        assertTrue(send(ports.get(0), 1, 0, 8));
        awaitFrames(1);
        TcpPort sleeper = ports.get(1);
        sleeper.pollAll(sink(1), 16);
        long[] woken = new long[1];
        for (int tries = 0; tries < 50; tries++) {
            Thread thread = new Thread(() -> {
                sleeper.sleep(1_000_000_000);
                woken[0] = System.nanoTime();
            });
            thread.start();
            while (thread.getState() == Thread.State.NEW || !sleeper.isAsleep()) {
                Thread.onSpinWait();
            }
            send(ports.get(0), 1, 1 + tries, 8);
            ports.get(0).rest();
            thread.join(10_000);
            assertFalse(thread.isAlive(), "the sleeper does not wake");
            while (sleeper.pollAll(sink(1), 16) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** A connection that the test makes in the place of rank 0, up to the answer of rank 1. */
    private final class Dialed implements AutoCloseable {
        private final SocketChannel channel = SocketChannel.open(loopback.addresses.get(1));
        private final Handshake handshake = new Handshake(loopback.members(0, LoopbackRanks.SECRET), 0);

        Dialed(int attempt) throws IOException {
            channel.configureBlocking(false);
            channel.write(handshake.hello(1, attempt));
            assertNull(handshake.readAnswer(read(Handshake.ANSWER)));
        }

        /** Returns whether the port takes the connection. */
        boolean commit(long generation) throws IOException {
            channel.write(handshake.commitment(generation, 0));
            return read(Handshake.WELCOME) != null;
        }

        /** Drives the ports until this number of bytes has come; null if the connection has ended. */
        private ByteBuffer read(int bytes) throws IOException {
            ByteBuffer in = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                if (channel.read(in) < 0) {
                    return null;
                }
                stepWithoutLoss();
            }
            return in.flip();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Test
    void shouldDropAConnectionThatTheLowerRankHasReplaced() throws Exception {
        loopback = new LoopbackRanks(2);
        next = new long[2][2];
        ports.add((TcpPort) loopback.open(1, CONFIG));
        try (Dialed late = new Dialed(1); Dialed used = new Dialed(2)) {
            assertTrue(used.commit(2));
            assertFalse(late.commit(1));
            ByteBuffer frame = ByteBuffer.allocate(Link.HEAD).order(ByteOrder.LITTLE_ENDIAN);
            used.channel.write(frame.putLong(5).putLong(0).flip());
            awaitFrames(1);
            assertEquals(1, ports.getFirst().connections().live.size());
        }
    }

    @Test
    void shouldSetNoDelay() throws Exception {
        open(2, CONFIG);
        assertTrue(send(ports.get(0), 1, 0, 8));
        awaitFrames(1);
        for (TcpPort port : ports) {
            var channel = (SocketChannel) port.connections().live.getFirst().channel;
            assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));
            assertNotNull(channel.getRemoteAddress());
        }
    }
}
