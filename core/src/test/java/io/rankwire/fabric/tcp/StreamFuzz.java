package io.rankwire.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Place;
import io.rankwire.fabric.Secret;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What comes over a connection: the messages of the handshake, and records. */
public final class StreamFuzz {
    private static final Secret SECRET = new Secret("a secret for tests".getBytes(StandardCharsets.UTF_8));
    private static final MemorySegment BUFFER = Arena.ofAuto().allocate(1 << 20, 64);

    private StreamFuzz() {}

    /** Valid records: frames with payloads, an acknowledgement, a goodbye. */
    public static List<byte[]> samples() {
        ByteBuffer records = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
        for (int bytes : new int[] {0, 8, 40, 100}) {
            records.putLong((long) bytes << 16 | 5).putLong(bytes).position(records.position() + (bytes + 7 & ~7));
        }
        records.putLong(0).putLong(1L << 16);
        ByteBuffer begun = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        begun.putLong(60_000L << 16 | 5).putLong(7);
        Handshake dialer = new Handshake(LoopbackRanks.somewhere(1, SECRET), 0);
        return List.of(records.array(), begun.array(), dialer.hello(0, 1).array());
    }

    public static void fuzzerTestOneInput(byte[] data) {
        hello(data);
        records(data);
    }

    private static void hello(byte[] data) {
        Handshake acceptor = new Handshake(LoopbackRanks.somewhere(0, SECRET), 0);
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(data, Handshake.MOST)).order(ByteOrder.LITTLE_ENDIAN);
        int dialer = acceptor.readHello(in, 4);
        assertTrue(dialer >= -1 && dialer < 4 && dialer != 0, "rank " + dialer);
    }

    private static void records(byte[] data) {
        Chunks pool = new Chunks();
        Chunk in = pool.take(Chunk.SMALL, 0);
        int bytes = Math.min(data.length & ~7, Chunk.SMALL);
        MemorySegment.copy(data, 0, in.reach, ValueLayout.JAVA_BYTE, in.origin, bytes);
        in.to = bytes;
        FrameSink sink = new FrameSink() {
            @Override
            public void frame(int peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes) {
                long at = payload - in.origin;
                assertTrue(at >= 0 && payloadBytes >= 0 && at + payloadBytes <= bytes, "outside of what has come");
            }

            @Override
            public boolean place(int peer, int meta, long header, long first, int payloadBytes, Place to) {
                assertTrue(payloadBytes <= Link.MOST_PAYLOAD, payloadBytes + " bytes");
                to.memory = BUFFER;
                to.offset = 0;
                to.lead = 48;
                return payloadBytes > 48;
            }
        };
        Link link = new Link(1, pool);
        try {
            link.deliver(in, sink, 16);
            link.begin(in, new Arrival(), sink, new Views(), null);
        } catch (Link.Violation e) {
            assertTrue(!e.getMessage().isEmpty());
        }
    }
}
