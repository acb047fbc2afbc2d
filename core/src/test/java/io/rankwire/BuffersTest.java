package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of buffer, passed around a ring of ranks. */
@Timeout(300)
final class BuffersTest {
    private static final List<Class<?>> TYPES = List.of(byte.class, boolean.class, char.class, short.class, int.class,
            long.class, float.class, double.class);

    private static Object array(Class<?> type, int length, int seed) {
        Object array = Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, value(type, (i + 1) * 0x9E3779B97F4A7C15L + seed));
        }
        return array;
    }

    private static Object value(Class<?> type, long bits) {
        return Map.<Class<?>, Object>of(byte.class, (byte) bits, boolean.class, (bits & 4) != 0, char.class,
                (char) bits, short.class, (short) bits, int.class, (int) bits, long.class, bits, float.class,
                (float) bits, double.class, (double) bits).get(type);
    }

    private static void assertSame(Object expected, Object found, int from, int count) {
        for (int i = 0; i < Array.getLength(found); i++) {
            Object blank = Array.get(Array.newInstance(found.getClass().getComponentType(), 1), 0);
            int place = i;
            assertEquals(i >= from && i < from + count ? Array.get(expected, i) : blank, Array.get(found, i),
                    () -> found.getClass().getSimpleName() + " element " + place);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldCarryEveryPrimitiveArray(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (Class<?> type : TYPES) {
                for (int length : new int[] {0, 1, 7, 8, 9, 100, 5_000}) {
                    Object in = Array.newInstance(type, length);
                    Status status = all.sendReceive(array(type, length, all.rank()), Worlds.next(all), length, in,
                            Worlds.previous(all), length);
                    assertSame(array(type, length, Worlds.previous(all)), in, 0, length);
                    assertEquals(length, status.count());
                    assertEquals(Worlds.previous(all), status.source());
                    assertEquals(length, status.tag());
                    assertEquals(type.getName(), status.type());
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCarryPartsOfArrays(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (Class<?> type : TYPES) {
                for (int[] part : new int[][] {{0, 10}, {3, 1}, {5, 60}, {7, 5_000}, {9_000, 0}, {1, 0}}) {
                    Object out = array(type, 9_000, all.rank());
                    Object in = Array.newInstance(type, 9_000);
                    Request sent = all.isend(out, part[0], part[1], Worlds.next(all), 1);
                    Status status = all.receive(in, part[0], part[1], Worlds.previous(all), 1);
                    sent.await();
                    assertEquals(part[1], status.count());
                    assertSame(array(type, 9_000, Worlds.previous(all)), in, part[0], part[1]);
                }
            }
        });
    }

    private static ByteBuffer bytes(ByteBuffer buffer, int seed) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) (i * 3 + seed));
        }
        return buffer;
    }

    private static List<ByteBuffer> buffers(int capacity) {
        ByteBuffer slice = ByteBuffer.allocate(capacity + 40).position(17).limit(17 + capacity).slice();
        ByteBuffer directSlice = ByteBuffer.allocateDirect(capacity + 40).position(9).limit(9 + capacity).slice();
        return List.of(ByteBuffer.allocate(capacity), ByteBuffer.allocateDirect(capacity), slice, directSlice,
                ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN));
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 300, 60_000})
    void shouldCarryByteBuffersFromPositionToLimit(int capacity) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            for (ByteBuffer out : buffers(capacity)) {
                for (ByteBuffer in : buffers(capacity)) {
                    bytes(out, all.rank()).position(3).limit(capacity - 2);
                    bytes(in, 50).position(5).limit(capacity);
                    ByteBuffer sending = capacity == 300 ? out.asReadOnlyBuffer() : out;
                    Status status = all.sendReceive(sending, other, 1, in, other, 1);
                    assertEquals(capacity - 5, status.bytes());
                    assertEquals(5, in.position(), "the position moved");
                    assertEquals(capacity, in.limit(), "the limit moved");
                    for (int i = 0; i < capacity; i++) {
                        byte expected = i < 5 ? (byte) (i * 3 + 50) : (byte) ((i - 2) * 3 + other);
                        assertEquals(expected, in.get(i), "byte " + i);
                    }
                    in.clear();
                    out.clear();
                }
            }
        });
    }

    @Test
    void shouldCarryPartsOfByteBuffers() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            for (ByteBuffer buffer : buffers(50)) {
                bytes(buffer, all.rank()).position(10);
                byte[] in = new byte[4];
                Request sent = all.isend(buffer, 2, 4, other, 1);
                all.receive(in, other, 1);
                sent.await();
                assertArrayEquals(new byte[] {(byte) (36 + other), (byte) (39 + other), (byte) (42 + other),
                        (byte) (45 + other)}, in);
                buffer.clear();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 48, 4_000, 100_000})
    void shouldCarryMemorySegments(long bytes) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            try (Arena arena = Arena.ofConfined()) {
                List<MemorySegment> outs = List.of(arena.allocate(Math.max(1, bytes)).asSlice(0, bytes),
                        MemorySegment.ofArray(new byte[(int) bytes]), MemorySegment.ofArray(new int[(int) bytes / 4]),
                        MemorySegment.ofArray(new double[(int) bytes / 8 + 2]).asSlice(16, bytes));
                for (MemorySegment out : outs) {
                    fill(out, all.rank());
                    MemorySegment in = out.heapBase().isEmpty() ? arena.allocate(Math.max(1, bytes)).asSlice(0, bytes)
                            : MemorySegment.ofArray(new byte[(int) bytes]);
                    Status status = all.sendReceive(out.asReadOnly(), other, 1, in, other, 1);
                    fill(out, other);
                    assertEquals(-1, in.mismatch(out));
                    assertEquals(bytes, status.count());
                    assertEquals("raw memory", status.type());
                }
            }
        });
    }

    private static void fill(MemorySegment segment, int seed) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 5 + (i >> 8) + seed));
        }
    }

    @Test
    void shouldLetRawMemoryMeetEveryType() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.send(new int[] {1, 2, 3}, 1, 1);
                all.send(MemorySegment.ofArray(new double[] {4, 5}), 1, 2);
            } else {
                int[] ints = new int[3];
                Status status = all.receive(MemorySegment.ofArray(ints), 0, 1);
                assertArrayEquals(new int[] {1, 2, 3}, ints);
                assertEquals(3, status.count(), "as its sender counted");
                double[] doubles = new double[2];
                all.receive(doubles, 0, 2);
                assertArrayEquals(new double[] {4, 5}, doubles);
            }
        });
    }

    private record Point(int x, double[] ys, String name) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldCarryObjects(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            Point mine = new Point(all.rank(), new double[] {1, all.rank()}, "é");
            Request sent = all.isendObject(mine, Worlds.next(all), 3);
            Point point = all.receiveObject(Point.class, Worlds.previous(all), 3);
            sent.await();
            assertEquals(Worlds.previous(all), point.x());
            assertArrayEquals(new double[] {1, Worlds.previous(all)}, point.ys());
            assertEquals("é", point.name());
            if (all.size() > 1) {
                if (all.rank() == 0) {
                    all.sendObject(null, 1, 4);
                    all.sendObject("x".repeat(1_000_000), 1, 5);
                } else if (all.rank() == 1) {
                    assertNull(all.receiveObject(String.class, 0, 4));
                    Message message = all.mprobe(Communicator.ANY_SOURCE, 5);
                    assertEquals("object", message.status().type());
                    assertTrue(message.status().bytes() >= 1_000_000);
                    assertEquals(1_000_000, all.receiveObject(String.class, message).length());
                }
            }
        });
    }

    @Test
    void shouldUseTheCodecOfTheWorld() {
        Worlds.run(2, world -> {
            world.codec(Codec.serialization(info -> java.io.ObjectInputFilter.Status.ALLOWED));
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.sendObject(new java.util.BitSet(9), 1, 1);
            } else {
                assertEquals(new java.util.BitSet(9), all.receiveObject(java.util.BitSet.class, 0, 1));
            }
        });
    }
}
