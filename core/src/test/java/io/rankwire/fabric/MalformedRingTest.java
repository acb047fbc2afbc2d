package io.rankwire.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.memory.RingLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Rings, slabs and bells whose words were damaged. All memory is on the heap, where an access outside of it throws. */
@Execution(ExecutionMode.CONCURRENT)
final class MalformedRingTest {
    private static final long SEED = Long.getLong("rankwire.hostile.seed", 20261116);
    private static final int FRAMES = Integer.getInteger("rankwire.hostile.frames", 400_000);
    private static final int RANKS = 3;
    private static final int LINES = 64;
    private static final int RING = (int) RingLayout.bytes(LINES);
    private static final int MOST_PAYLOAD = Geometry.mostInFrame(LINES);
    private static final int SLAB = 8 * Geometry.chunkBytes(LINES);
    private static final int ROUNDS = 40;

    /** Memory of all ranks as arrays of words. */
    private static final class Memory {
        final MemorySegment[][] rings = new MemorySegment[RANKS][RANKS];
        final MemorySegment[] slabs = new MemorySegment[RANKS];
        final MemorySegment[] bells = new MemorySegment[RANKS];

        Memory() {
            for (int rank = 0; rank < RANKS; rank++) {
                slabs[rank] = words(SLAB);
                bells[rank] = words((int) RingPort.bellBytes(RANKS));
                for (int other = 0; other < RANKS; other++) {
                    rings[rank][other] = words(RING);
                }
            }
        }

        private static MemorySegment words(int bytes) {
            return MemorySegment.ofArray(new long[bytes / 8]);
        }

        RingPort open(int rank) {
            return new RingPort(rank, RANKS, LINES, new Geometry(64, 256 << 10), new Rings() {
                @Override
                public MemorySegment outbound(int peer) {
                    return rings[rank][peer];
                }

                @Override
                public MemorySegment inbound(int peer) {
                    return rings[peer][rank];
                }

                @Override
                public void end(int peer) {}

                @Override
                public MemorySegment slab(int owner) {
                    return slabs[owner];
                }

                @Override
                public boolean releaseSlab() {
                    return false;
                }

                @Override
                public void restoreSlab() {}

                @Override
                public MemorySegment bells(int of) {
                    return bells[of];
                }

                @Override
                public SharedMemory memory() {
                    return null;
                }

                @Override
                public PeerMemory peerMemory() {
                    return null;
                }

                @Override
                public void close() {}
            });
        }
    }

    private final Rand rand = new Rand(SEED);
    private int honest;
    private long sum;

    /** Reads all that it gets; the frames of rank 2 say what they are. */
    private void frame(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
        assertTrue(bytes >= 0 && bytes <= MOST_PAYLOAD, () -> bytes + " bytes");
        for (int i = 0; i < bytes; i++) {
            sum += memory.get(ValueLayout.JAVA_BYTE, payload + i);
        }
        if (peer == 2) {
            assertEquals(honest, header);
            assertEquals(honest % 7 * 100, bytes);
            honest++;
        }
    }

    private final class Sink implements FrameSink {
        @Override
        public void frame(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {
            MalformedRingTest.this.frame(peer, meta, header, memory, payload, bytes);
        }

        @Override
        public int frames(int peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes,
                int stride, int count) {
            if (peer == 2) {
                return 0;
            }
            int taken = rand.below(count + 1);
            for (int i = 0; i < taken; i++) {
                frame(peer, meta, header, memory, payload + (long) i * stride, payloadBytes);
            }
            return taken;
        }
    }

    private static boolean send(Port port, int to, int payloadBytes, int meta, long header) {
        Outlet outlet = port.outlet(to);
        long at = outlet.claim(payloadBytes, meta, header);
        if (at >= 0) {
            outlet.commit(at, payloadBytes, meta, header);
        }
        return at >= 0;
    }

    private void damage(Memory memory) {
        MemorySegment ring = memory.rings[1][0];
        int line = (int) RingLayout.LINES / 8 + 8 * rand.below(LINES);
        int at = rand.chance(3, 4) ? line : line + rand.below(8);
        long word = ring.getAtIndex(ValueLayout.JAVA_LONG, at);
        long other = switch (rand.below(6)) {
            case 0 -> word ^ 1L << rand.below(40);
            case 1 -> word ^ 1L << rand.below(64);
            // Another length, number of bodies or place, behind the same sequence.
            case 2 -> word & -1L << 36 | (long) rand.below(1 << 20) << 16 | rand.below(3);
            case 3 -> word & -1L << 40 | (long) rand.below(16) << 36 | (long) rand.below(70) << 16 | 1;
            case 4 -> word & ~0xFFFFL;
            default -> rand.chance(1, 2) ? rand.nextLong() : rand.below(1 << 14);
        };
        ring.setAtIndex(ValueLayout.JAVA_LONG, at, other);
        if (rand.chance(1, 100)) {
            long read = rand.chance(1, 2) ? rand.nextLong() : rand.below(2 * LINES);
            memory.rings[0][1].set(ValueLayout.JAVA_LONG, RingLayout.CONSUMED, read);
        }
        if (rand.chance(1, 16)) {
            MemorySegment bells = memory.bells[0];
            int bell = rand.below((int) bells.byteSize() / 8);
            bells.setAtIndex(ValueLayout.JAVA_LONG, bell, bells.getAtIndex(ValueLayout.JAVA_LONG, bell)
                    | rand.nextLong());
        }
    }

    @Test
    void shouldRefuseThemAndWorkOnWithOthers() {
        Sink sink = new Sink();
        int damaged = 0;
        int refused = 0;
        int reports = 0;
        while (damaged < FRAMES) {
            Memory memory = new Memory();
            Port victim = memory.open(0);
            Port hostile = memory.open(1);
            Port other = memory.open(2);
            honest = 0;
            boolean isLost = false;
            int sent = 0;
            for (int round = 0; round < ROUNDS && !isLost; round++) {
                for (int i = rand.below(12); i > 0; i--) {
                    send(hostile, 0, rand.chance(1, 2) ? rand.below(60) : rand.below(MOST_PAYLOAD), 1, rand.below(2));
                }
                sent += send(other, 0, sent % 7 * 100, 1, sent) ? 1 : 0;
                send(victim, 1, rand.below(MOST_PAYLOAD), 1, 0);
                for (int i = 0; i < 6; i++) {
                    damage(memory);
                    damaged++;
                }
                try {
                    victim.pollAll(sink, 32);
                } catch (BadFrame e) {
                    assertEquals(1, e.rank());
                    isLost = true;
                    refused++;
                    reports += e.getMessage().contains("report") ? 1 : 0;
                }
            }
            victim.dismiss(1);
            sent += send(other, 0, sent % 7 * 100, 1, sent) ? 1 : 0;
            for (int i = 0; i < 8; i++) {
                victim.pollAll(sink, 32);
            }
            assertEquals(sent, honest, "frames of the other rank");
            victim.close();
        }
        assertTrue(refused > damaged / 500, refused + " refused");
        assertTrue(reports > 10, reports + " refused for what they say that they have read");
    }
}
