package io.rankwire.fabric.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import io.rankwire.memory.Rand;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random reads, writes and frames between several ports, against arrays. Each rank has a strip of every other's memory
 * that it alone writes. A frame behind a write says what the strip holds: it must hold that when the frame comes.
 */
@Timeout(600)
final class RemoteMemoryModelTest {
    private static final int RANKS = 3;
    private static final int STRIP = 300_000;
    private static final int STEPS = 600;
    private static final int NUMBER = 7;

    private final List<Port> ports = new ArrayList<>();
    private final List<Shared> memories = new ArrayList<>();
    private final List<Shared> sources = new ArrayList<>();
    /** What strip {@code [owner][writer]} holds once all writes that were started are done. */
    private final byte[][][] model = new byte[RANKS][RANKS][STRIP];
    /** Frames that were sent and have come, by sender and receiver. */
    private final int[][] sent = new int[RANKS][RANKS];
    private final int[][] come = new int[RANKS][RANKS];
    private Rand rand;

    @ParameterizedTest
    @CsvSource({"net,1,false", "net,2,true", "tcp;ofi_rxm,3,false", "tcp;ofi_rxm,4,true", "udp;ofi_rxd,5,false",
        "udp;ofi_rxd,8,true", "sockets,6,false", "sockets,7,true"})
    void shouldKeepBytesAndOrder(String provider, long seed, boolean confirms) {
        LoopbackEndpoints.assumeProvider(provider);
        rand = new Rand(seed);
        String where = provider + ", seed " + seed;
        OfiConfig config = new OfiConfig(1, 300_000_000_000L, 0, confirms);
        try (LoopbackEndpoints endpoints = new LoopbackEndpoints(provider, RANKS)) {
            for (int rank = 0; rank < RANKS; rank++) {
                ports.add(endpoints.open(rank, config));
                memories.add(ports.get(rank).memory().allocate((long) RANKS * STRIP));
                sources.add(ports.get(rank).memory().allocate(STRIP));
            }
            for (int step = 0; step < STEPS; step++) {
                int self = rand.below(RANKS);
                int peer = (self + 1 + rand.below(RANKS - 1)) % RANKS;
                int bytes = rand.below(4) == 0 ? rand.below(STRIP) : rand.below(2_000);
                int offset = rand.below(STRIP - bytes + 1);
                if (rand.below(3) == 0) {
                    read(self, peer, rand.below(RANKS), offset, bytes, where + ", step " + step);
                } else {
                    write(self, peer, offset, bytes, where + ", step " + step);
                }
            }
            awaitFrames(where);
            refuse(where);
            withdraw(where);
        } finally {
            ports.forEach(Port::close);
        }
    }

    private void step() {
        for (Port port : ports) {
            assertNull(port.advance(System.nanoTime()));
            port.poll(sink(port.self()), 32);
            port.rest();
        }
    }

    private FrameSink sink(int self) {
        return (peer, meta, header, memory, payload, bytes) -> {
            assertEquals(NUMBER, meta);
            come[peer][self]++;
            // The header says where the sender has written last, and the payload what: it must be there by now.
            long offset = header >>> 32;
            int count = (int) header;
            long strip = (long) peer * STRIP + offset;
            byte first = memory.get(ValueLayout.JAVA_BYTE, payload);
            for (int i = 0; i < count; i += Math.max(1, count / 50)) {
                assertEquals((byte) (first + i), memories.get(self).memory().get(ValueLayout.JAVA_BYTE, strip + i),
                        "byte " + i + " of " + count + " of a write by " + peer + " to " + self);
            }
            if (count > 0) {
                assertEquals((byte) (first + count - 1),
                        memories.get(self).memory().get(ValueLayout.JAVA_BYTE, strip + count - 1), "the last byte");
            }
        };
    }

    private void write(int self, int peer, int offset, int bytes, String where) {
        awaitFrames(self, peer, where);
        byte first = (byte) rand.nextLong();
        for (int i = 0; i < bytes; i++) {
            sources.get(self).memory().set(ValueLayout.JAVA_BYTE, i, (byte) (first + i));
            model[peer][self][offset + i] = (byte) (first + i);
        }
        RemoteMemory remote = ports.get(self).remoteMemory();
        long place = memories.get(peer).id();
        long ticket = RemoteMemory.FULL;
        for (int i = 0; ticket == RemoteMemory.FULL; i++) {
            ticket = remote.write(peer, place, (long) self * STRIP + offset, sources.get(self), 0, bytes);
            assertSteps(i, where);
        }
        Outlet outlet = ports.get(self).outlet(peer);
        for (int i = 0;; i++) {
            long at = outlet.claim(1);
            if (at != Outlet.FULL) {
                outlet.memory().set(ValueLayout.JAVA_BYTE, at, first);
                outlet.commit(at, 1, NUMBER, (long) offset << 32 | bytes);
                sent[self][peer]++;
                break;
            }
            assertSteps(i, where);
        }
        await(remote, ticket, RemoteMemory.DONE, where);
    }

    private void read(int self, int peer, int writer, int offset, int bytes, String where) {
        awaitFrames(writer, peer, where);
        RemoteMemory remote = ports.get(self).remoteMemory();
        long ticket = RemoteMemory.FULL;
        for (int i = 0; ticket == RemoteMemory.FULL; i++) {
            ticket = remote.read(peer, memories.get(peer).id(), (long) writer * STRIP + offset, sources.get(self), 0,
                    bytes);
            assertSteps(i, where);
        }
        await(remote, ticket, RemoteMemory.DONE, where);
        for (int i = 0; i < bytes; i++) {
            assertEquals(model[peer][writer][offset + i], sources.get(self).memory().get(ValueLayout.JAVA_BYTE, i),
                    where + ", byte " + i + " of " + bytes);
        }
    }

    /** What cannot be is refused, and nothing else suffers. */
    private void refuse(String where) {
        RemoteMemory remote = ports.get(0).remoteMemory();
        long place = memories.get(1).id();
        long size = (long) RANKS * STRIP;
        long[][] wrong = {{place, size - 3, 4}, {place, -1, 4}, {place, Long.MAX_VALUE - 2, 4}, {place + 77, 0, 4},
            {place + (1L << 20), 0, 4}};
        for (long[] each : wrong) {
            long ticket = RemoteMemory.FULL;
            for (int i = 0; ticket == RemoteMemory.FULL; i++) {
                ticket = remote.write(1, each[0], each[1], sources.get(0), 0, each[2]);
                assertSteps(i, where);
            }
            await(remote, ticket, RemoteMemory.REFUSED, where);
        }
        read(0, 1, 2, 0, 1000, where);
    }

    /** Memory that ends is refused from then on, and is freed when peers have said that they do not use it. */
    private void withdraw(String where) {
        Shared gone = memories.get(2);
        ports.get(2).memory().free(gone);
        for (int i = 0; gone.memory().scope().isAlive(); i++) {
            assertSteps(i, where + ": memory is not freed");
        }
        RemoteMemory remote = ports.get(0).remoteMemory();
        long ticket = RemoteMemory.FULL;
        for (int i = 0; ticket == RemoteMemory.FULL; i++) {
            ticket = remote.read(2, gone.id(), 0, sources.get(0), 0, 10);
            assertSteps(i, where);
        }
        await(remote, ticket, RemoteMemory.REFUSED, where);
        read(0, 1, 0, 5, 1000, where);
    }

    private void await(RemoteMemory remote, long ticket, int expected, String where) {
        int state = remote.state(ticket);
        for (int i = 0; state == RemoteMemory.PENDING; i++) {
            assertSteps(i, where);
            state = remote.state(ticket);
        }
        assertEquals(expected, state, where);
    }

    private void awaitFrames(int from, int to, String where) {
        for (int i = 0; come[from][to] < sent[from][to]; i++) {
            assertSteps(i, where);
        }
    }

    private void awaitFrames(String where) {
        for (int from = 0; from < RANKS; from++) {
            for (int to = 0; to < RANKS; to++) {
                awaitFrames(from, to, where);
            }
        }
    }

    private void assertSteps(int steps, String where) {
        assertTrue(steps < 2_000_000, where + ": nothing moves");
        step();
    }
}
