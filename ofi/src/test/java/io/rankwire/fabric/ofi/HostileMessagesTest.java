package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages that no port has sent. Those of a stranger are dropped; those of a peer that make no sense cost that peer
 * the world, and no other.
 */
@Timeout(300)
final class HostileMessagesTest {
    private static final int WORLD = 5;
    private static final OfiConfig CONFIG = new OfiConfig(WORLD, 300_000_000_000L, 0, false);
    private static final int MOST_STEPS = 2_000_000;

    private final Arena arena = Arena.ofConfined();
    private final List<Port> ports = new ArrayList<>();
    private Engine stranger;
    private long target;
    private long bytes;
    private int frames;

    private void open(String provider, int ranks, LoopbackEndpoints endpoints) {
        ports.add(endpoints.open(0, CONFIG));
        ports.add(endpoints.open(1, CONFIG));
        try (Providers.Choice choice = new Providers(Libfabric.open())
                .choose(provider, InetAddress.getLoopbackAddress().getHostAddress())) {
            stranger = new Engine(choice, ranks);
        }
        target = stranger.insert(endpoints.names().get(0));
        bytes = Raw.allocate(arena, 1 << 20);
    }

    private void close() {
        stranger.close();
        ports.forEach(Port::close);
        arena.close();
    }

    private PeerLost step() {
        stranger.readCompletions(8);
        PeerLost lost = null;
        for (Port port : ports) {
            PeerLost now = port.advance(System.nanoTime());
            lost = lost == null ? now : lost;
            port.poll((peer, meta, header, memory, payload, length) -> frames++, 32);
            port.rest();
        }
        return lost;
    }

    /** Sends a copy: a thread of the provider may read the memory after the call, and {@link #head} changes it. */
    private void send(int length) {
        long context = Raw.allocate(arena, Abi.CONTEXT);
        long copy = Raw.allocate(arena, length);
        Raw.ALL.asSlice(copy, length).copyFrom(Raw.ALL.asSlice(bytes, length));
        for (int i = 0; i < MOST_STEPS; i++) {
            if (stranger.send(target, copy, length, 0, context) == 0) {
                return;
            }
            step();
        }
        throw new AssertionError("the message of the stranger is not taken");
    }

    private long strangers() {
        return ((OfiPort) ports.get(0)).strangers();
    }

    private void head(long token, int rank, int world, int number, int taken) {
        Raw.word(bytes + Message.TOKEN, token);
        Raw.half(bytes + Message.RANK, rank);
        Raw.half(bytes + Message.WORLD, world);
        Raw.half(bytes + Message.NUMBER, number);
        Raw.half(bytes + Message.TAKEN, taken);
    }

    private void exchange(int count) {
        int expected = frames + count;
        for (int i = 0; i < count; i++) {
            Outlet outlet = ports.get(1).outlet(0);
            long at = outlet.claim(24);
            for (int steps = 0; at == Outlet.FULL; steps++) {
                assertTrue(steps < MOST_STEPS);
                assertNull(step());
                at = outlet.claim(24);
            }
            outlet.commit(at, 24, 4, i);
        }
        for (int steps = 0; frames < expected; steps++) {
            assertTrue(steps < MOST_STEPS, "frames do not arrive");
            assertNull(step());
        }
        assertEquals(expected, frames);
    }

    @ParameterizedTest
    @ValueSource(strings = {"net", "tcp;ofi_rxm", "udp;ofi_rxd", "sockets"})
    void shouldDropMessagesOfStrangers(String provider) {
        LoopbackEndpoints.assumeProvider(provider);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, 3)) {
            open(provider, 3, endpoints);
            exchange(10);
            Rand rand = new Rand(3);
            long token = Message.token(LoopbackEndpoints.secret(), WORLD, 1, 0);
            int sent = 0;
            for (int length : new int[] {1, 13, 23, 24, 40, 101, 4096, 20_001, 60_000}) {
                for (int i = 0; i < length; i += 8) {
                    Raw.word(bytes + i, rand.nextLong());
                }
                if (length >= Message.HEAD) {
                    // With all but the token, of another pair, for another world, and of no rank at all.
                    head(token + length, 1, WORLD, 10, 0);
                    send(length);
                    head(Message.token(LoopbackEndpoints.secret(), WORLD, 0, 1), 1, WORLD, 10, 0);
                    send(length);
                    head(token, 1, WORLD + 1, 10, 0);
                    send(length);
                    head(token, -3, WORLD, 10, 0);
                    sent += 3;
                }
                send(length);
                sent++;
                exchange(3);
            }
            for (int steps = 0; strangers() < sent; steps++) {
                assertTrue(steps < MOST_STEPS, strangers() + " of " + sent + " were counted");
                assertNull(step());
            }
            exchange(10);
        } finally {
            close();
        }
    }

    /** With the secret, in the name of a rank: each message below makes no sense in another way. */
    @Test
    void shouldLoseThePeerWhoseMessageMakesNoSense() {
        LoopbackEndpoints.assumeProvider("net");
        int ranks = 12;
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("net", ranks)) {
            open("net", ranks, endpoints);
            exchange(5);
            int record = Message.HEAD;
            forge(2, "message 256, where 0 is next", 256, 0, 0, Message.HEAD);
            forge(3, "message -5, where 0 is next", -5, 0, 0, Message.HEAD);
            forge(4, "it has taken 3 messages of 0", 0, 3, 0, Message.HEAD);
            forge(5, "a record of 4096 bytes, where 8 are left", 0, 0, Message.word(4096, 1), record + 24);
            forge(6, "a record of 281474976710655 bytes, where 8 are left", 0, 0, -1L << 16 | 5, record + 24);
            forge(7, "a message of 29 bytes", 0, 0, 0, Message.HEAD + 5);
            Raw.word(bytes + record + Message.HEADER, 99);
            forge(8, "a record of kind 99 with 8 bytes", 0, 0, Message.word(8, 0), record + 24);
            Raw.word(bytes + record + Message.HEADER, Message.ANSWER);
            forge(9, "an answer to no question", 0, 0, Message.word(32, 0), record + 48);
            Raw.word(bytes + record + Message.HEADER, Message.ASK);
            forge(10, "a record of kind 2 with 0 bytes", 0, 0, Message.word(0, 0), record + 16);
            forge(11, "a record of 8 bytes, where -8 are left", 0, 0, Message.word(8, 0), record + 8);
            exchange(20);
        } finally {
            close();
        }
    }

    private void forge(int rank, String wrong, int number, int taken, long word, int length) {
        head(Message.token(LoopbackEndpoints.secret(), WORLD, rank, 0), rank, WORLD, number, taken);
        Raw.word(bytes + Message.HEAD, word);
        send(length);
        PeerLost lost = null;
        for (int steps = 0; lost == null; steps++) {
            assertTrue(steps < MOST_STEPS, "nothing is reported: " + wrong);
            lost = step();
        }
        assertInstanceOf(BadFrame.class, lost);
        assertEquals(rank, lost.rank());
        assertTrue(lost.getMessage().endsWith(wrong), lost.getMessage());
        exchange(1);
    }

    /** A million changed bytes: nothing but a loss of that peer may come of it. */
    @Test
    void shouldSurviveChangedMessages() {
        LoopbackEndpoints.assumeProvider("net");
        int ranks = 300;
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("net", 2, ranks)) {
            open("net", ranks, endpoints);
            exchange(5);
            for (int rank = 2; rank < ranks; rank++) {
                Rand rand = new Rand(rank);
                int length = Message.HEAD + 8 * rand.below(40);
                for (int i = Message.HEAD; i < length; i += 8) {
                    Raw.word(bytes + i, rand.below(2) == 0 ? Message.word(8 * rand.below(6), rand.below(2))
                            : rand.below(3) == 0 ? rand.nextLong() : rand.below(7));
                }
                head(Message.token(LoopbackEndpoints.secret(), WORLD, rank, 0), rank, WORLD, 0, 0);
                send(length);
                if (rank % 10 == 0) {
                    step();
                }
            }
            int before = frames;
            for (int steps = 0; steps < 2_000; steps++) {
                step();
            }
            assertTrue(frames >= before);
            ports.get(0).outlet(1);
            int expected = frames + 1;
            Outlet outlet = ports.get(1).outlet(0);
            outlet.commit(outlet.claim(0), 0, 1, 1);
            for (int steps = 0; frames < expected; steps++) {
                assertTrue(steps < MOST_STEPS, "frames do not arrive");
                step();
            }
        } finally {
            close();
        }
    }

    @Test
    void shouldRefuseToCarryWhatIsToBeEncrypted() {
        LoopbackEndpoints.assumeProvider("net");
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("net", 1)) {
            String message = endpoints.refusalIfEncrypted();
            assertTrue(message.contains("encrypted") && message.contains("--fabric=tcp"), message);
            assertTrue(StandardCharsets.US_ASCII.newEncoder().canEncode(message));
        }
        arena.close();
    }
}
