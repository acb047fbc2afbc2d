package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that waits for counters of the provider, and atomic accesses, between two endpoints of {@code sockets}. */
@Timeout(300)
final class DeferredWorkTest {
    private static final long WANTED = Abi.FI_TRIGGER | Abi.FI_ATOMIC;
    private static final long ALL_ACCESS = Abi.FI_SEND | Abi.FI_RECV | Abi.FI_READ | Abi.FI_WRITE
            | Abi.FI_REMOTE_READ | Abi.FI_REMOTE_WRITE;

    private static Engine open(String provider, long more) {
        try (Providers.Choice choice = new Providers(Libfabric.open())
                .choose(provider, InetAddress.getLoopbackAddress().getHostAddress(), more)) {
            return new Engine(choice, 2);
        }
    }

    private static void await(BooleanSupplier isThere, Engine... engines) {
        long until = System.nanoTime() + 120_000_000_000L;
        while (!isThere.getAsBoolean()) {
            assertTrue(System.nanoTime() < until, "nothing happens");
            for (Engine engine : engines) {
                engine.readCompletions(4);
            }
            Thread.yield();
        }
    }

    @Test
    void shouldRunAChainOfWork() {
        LoopbackEndpoints.assumeProvider("sockets");
        try (Engine a = open("sockets", WANTED); Engine b = open("sockets", WANTED); Arena arena = Arena.ofShared()) {
            assertTrue(DeferredWork.isTaken(a));
            long peer = a.insert(b.name());
            b.insert(a.name());
            long from = Raw.allocate(arena, 64);
            long to = Raw.allocate(arena, 64);
            Region theirs = b.register(to, 64, ALL_ACCESS, new int[1]);
            Raw.word(from, 4711);
            Raw.word(from + 8, 4712);
            assertEquals(0, b.receiveMany(to + 32, 24, 0, Raw.allocate(arena, 64)));
            Counter start = a.counter();
            Counter added = a.counter();
            Counter sent = a.counter();
            try (DeferredWork work = new DeferredWork(a, 2)) {
                long place = work.take();
                Raw.word(DeferredWork.head(place), 4711);
                assertEquals(0, work.send(place, added, 1, sent, peer, 8, from + 8, 4));
                assertEquals(0, work.add(work.take(), start, 1, added));
                assertEquals(0, work.left());
                assertEquals(0, sent.value());
                start.add(1);
                await(() -> Raw.word(to + 32) == 4711 && Raw.word(to + 40) == 4712 && sent.value() == 1, a, b);
                assertEquals(1, added.value());
                assertEquals(0, sent.errors());
            }
            theirs.close();
            for (Counter each : new Counter[] {start, added, sent}) {
                assertEquals(0, each.close());
            }
        }
    }

    @Test
    void shouldKnowWhoTakesNoWork() {
        LoopbackEndpoints.assumeProvider("net");
        try (Engine engine = open("net", 0)) {
            assertFalse(DeferredWork.isTaken(engine));
        }
    }
}
