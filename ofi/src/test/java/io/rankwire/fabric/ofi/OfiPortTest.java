package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a port, and peers that take nothing, between two threads. */
@Timeout(300)
final class OfiPortTest {
    private static final OfiConfig CONFIG = new OfiConfig(0, 3_000_000_000L, 60_000_000_000L, false);
    private static final int FRAMES = 5_000;

    private static boolean send(Port port, int to, int bytes, long header) {
        Outlet outlet = port.outlet(to);
        long at = outlet.claim(bytes);
        if (at != Outlet.FULL) {
            outlet.commit(at, bytes, 1, header);
        }
        return at != Outlet.FULL;
    }

    /** A port that is closed at once delivers what was committed, and its peer does not count it as lost. */
    @ParameterizedTest
    @ValueSource(strings = {"net", "tcp;ofi_rxm", "udp;ofi_rxd", "sockets"})
    void shouldDeliverBeforeItCloses(String provider) throws InterruptedException {
        LoopbackEndpoints.assumeProvider(provider);
        AtomicInteger come = new AtomicInteger();
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, 2);
                Port reader = endpoints.open(1, CONFIG)) {
            Thread writer = Thread.ofPlatform().start(() -> {
                try (Port port = endpoints.open(0, CONFIG)) {
                    for (int i = 0; i < FRAMES;) {
                        boolean isSent = send(port, 1, i % 300, i);
                        i += isSent ? 1 : 0;
                        if (!isSent || i % 16 == 0) {
                            port.advance(System.nanoTime());
                            port.poll((peer, meta, header, memory, payload, bytes) -> {}, 8);
                        }
                    }
                }
            });
            while (come.get() < FRAMES || writer.isAlive()) {
                assertNull(reader.advance(System.nanoTime()));
                reader.poll((peer, meta, header, memory, payload, bytes) ->
                        assertEquals(come.getAndIncrement(), header), 64);
                reader.rest();
            }
            writer.join();
            // Longer than the patience: a rank that has left is not lost, and takes all that is sent to it.
            for (long from = System.nanoTime(); System.nanoTime() - from < 4_000_000_000L;) {
                assertTrue(send(reader, 0, 2_000, 1));
                assertNull(reader.advance(System.nanoTime()));
                reader.poll((peer, meta, header, memory, payload, bytes) -> {}, 8);
                // Other tests use the processor while time passes.
                Thread.sleep(1);
            }
        }
    }

    /** Senders stop when a peer takes nothing, and go on when it does. */
    @ParameterizedTest
    @ValueSource(strings = {"net", "tcp;ofi_rxm", "udp;ofi_rxd", "sockets"})
    void shouldStopWhileThePeerTakesNothing(String provider) {
        LoopbackEndpoints.assumeProvider(provider);
        OfiConfig config = new OfiConfig(0, 300_000_000_000L, 0, false);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, 2);
                Port writer = endpoints.open(0, config);
                Port reader = endpoints.open(1, config)) {
            AtomicInteger come = new AtomicInteger();
            int sent = 0;
            for (int round = 0; round < 3; round++) {
                int before = sent;
                // The writer alone is driven.
                for (int i = 0; i < 20_000; i++) {
                    sent += send(writer, 1, 1_000, sent) ? 1 : 0;
                    writer.advance(System.nanoTime());
                    writer.poll((peer, meta, header, memory, payload, bytes) -> {}, 8);
                }
                assertTrue(sent - before < 10_000, "no end: " + (sent - before));
                assertNotEquals(before, sent);
                while (come.get() < sent || !OfiFabric.isAtRest(writer)) {
                    reader.advance(System.nanoTime());
                    reader.poll((peer, meta, header, memory, payload, bytes) ->
                            assertEquals(come.getAndIncrement(), header), 64);
                    reader.rest();
                    writer.advance(System.nanoTime());
                    writer.poll((peer, meta, header, memory, payload, bytes) -> {}, 8);
                }
            }
        }
    }

    /** What is kept of a peer that waits for an answer does not grow with the messages that carry answers. */
    @Test
    void shouldKeepOneEntryForAPeerThatIsAnswered() {
        LoopbackEndpoints.assumeProvider("net");
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints("net", 2);
                Port one = endpoints.open(0, CONFIG);
                Port other = endpoints.open(1, CONFIG)) {
            AtomicInteger come = new AtomicInteger();
            for (int i = 0; i < 1_000; i++) {
                Port from = i % 2 == 0 ? one : other;
                Port to = i % 2 == 0 ? other : one;
                while (!send(from, to.self(), 8, i)) {
                    from.poll((peer, meta, header, memory, payload, bytes) -> {}, 8);
                }
                while (come.get() <= i) {
                    from.poll((peer, meta, header, memory, payload, bytes) -> {}, 8);
                    to.poll((peer, meta, header, memory, payload, bytes) -> come.incrementAndGet(), 8);
                }
            }
            assertTrue(((OfiPort) one).owed() <= 1 && ((OfiPort) other).owed() <= 1);
        }
    }
}
