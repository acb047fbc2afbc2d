package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages with datatypes. */
@Timeout(300)
final class TypedMessagesTest {
    private static final int ROUNDS = 3_000;

    /** A random datatype with a suitable buffer. */
    private record Placed(Datatype type, int count, int origin, byte[] buffer) {
        static Placed random(SplittableRandom random) {
            TypeModel one = TypeModel.random(random);
            int count = random.nextInt(5) == 0 ? random.nextInt(200) : random.nextInt(4);
            long low = Math.min(one.low(), one.low() + (count - 1L) * (one.upper() - one.lower()));
            long high = Math.max(one.high(), one.high() + (count - 1L) * (one.upper() - one.lower()));
            int origin = (int) -Math.min(0, low);
            byte[] buffer = new byte[(int) Math.max(origin, origin + high)];
            random.nextBytes(buffer);
            return new Placed(one.type(), count, origin, buffer);
        }

        byte[] packed() {
            byte[] packed = new byte[(int) type.packSize(count)];
            type.pack(buffer, origin, count, packed, 0);
            return packed;
        }

        Object memory(SplittableRandom random, Arena arena) {
            return random.nextBoolean() ? buffer
                    : arena.allocate(buffer.length).copyFrom(MemorySegment.ofArray(buffer));
        }
    }

    /** Both sides draw the same datatypes from the same seed, so each knows the data of the other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCarryRandomDatatypes(int ranks) {
        Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            for (int round = 0; round < ROUNDS / ranks; round++) {
                try (Arena arena = Arena.ofShared()) {
                    SplittableRandom random = new SplittableRandom(1000L * ranks + round);
                    Placed sent = Placed.random(random);
                    byte[] expected = sent.packed();
                    SplittableRandom own = new SplittableRandom(round * 31L + all.rank());
                    byte[] got = new byte[expected.length + 3];
                    Object out = sent.memory(own, arena);
                    Request sending = switch (own.nextInt(3)) {
                        case 0 -> all.isend(out, sent.origin, sent.count, sent.type, Worlds.next(all), 1);
                        case 1 -> all.issend(out, sent.origin, sent.count, sent.type, Worlds.next(all), 1);
                        default -> all.ibsend(out, sent.origin, sent.count, sent.type, Worlds.next(all), 1);
                    };
                    Status status = receive(all, own, sent, got, Worlds.previous(all));
                    sending.await();
                    String about = "round " + round + ": " + sent.count + " × " + sent.type;
                    assertEquals(expected.length, status.bytes(), about);
                    assertArrayEquals(expected, Arrays.copyOf(got, expected.length), about);
                }
            }
        });
    }

    /** Received as the same datatype, in memory with different contents outside of it; or as raw memory. */
    private static Status receive(Communicator all, SplittableRandom own, Placed sent, byte[] got, int from) {
        if (own.nextBoolean() || Datatype.layout(sent.type).overlaps(sent.count)) {
            return all.receive(MemorySegment.ofArray(got), from, 1);
        }
        byte[] into = new byte[sent.buffer.length];
        Arrays.fill(into, (byte) 77);
        byte[] after = into.clone();
        sent.type.unpack(sent.packed(), 0, after, sent.origin, sent.count);
        Status status;
        if (own.nextBoolean()) {
            status = all.receive(into, sent.origin, sent.count, sent.type, from, 1);
        } else {
            status = all.mreceive(into, sent.origin, sent.count, sent.type, all.mprobe(from, 1));
        }
        assertArrayEquals(after, into, () -> "holes and elements of " + sent.type);
        assertEquals(sent.packed().length == 0 ? 0 : sent.count, status.count(sent.type));
        sent.type.pack(into, sent.origin, sent.count, got, 0);
        return status;
    }

    /** A column to a row and a row to a column, by every call, at sizes that use every protocol. */
    @ParameterizedTest
    @ValueSource(ints = {4, 300, 1200})
    void shouldTransposeByEveryCall(int n) {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            double[] matrix = new double[n * n];
            Arrays.setAll(matrix, i -> i + 0.5);
            Datatype column = Datatype.resized(0, 8, Datatype.vector(n, 1, n, Datatype.DOUBLE));
            Datatype rows = Datatype.contiguous(n, Datatype.DOUBLE);
            for (int way = 0; way < 6; way++) {
                MemorySegment shared = world.allocate(8L * n * n);
                Object into = way % 2 == 0 ? new double[n * n] : shared;
                switch (way / 2) {
                    case 0 -> {
                        Status status = all.sendReceive(matrix, 0, n, column, other, 3, into, 0, n, rows, other, 3);
                        assertEquals(n, status.count(rows));
                        assertEquals((long) n * n, status.elements(rows));
                    }
                    case 1 -> {
                        Request in = all.receiveInit(into, 0, n, column, other, 4);
                        Request out = all.ssendInit(matrix, 0, n, rows, other, 4);
                        Request.startAll(in, out);
                        Request.awaitAll(in, out);
                    }
                    default -> {
                        Request in = all.irecv(into, 0, n, column, other, 5);
                        all.bsend(matrix, 0, n, rows, other, 5);
                        in.await();
                    }
                }
                double[] found = new double[n * n];
                Datatype.DOUBLE.pack(into, 0, (long) n * n, MemorySegment.ofArray(found), 0);
                for (int i = 0; i < n * n; i++) {
                    assertEquals(matrix[i % n * n + i / n], found[i], "way " + way + ", element " + i);
                }
                Worlds.meet(all);
                world.free(shared);
            }
        });
    }

    private record Point(double x, double y) {}

    private record Particle(int id, Point at, boolean charged, char kind) {}

    @Test
    void shouldCarryRecords() {
        Datatype type = Datatype.ofRecord(Particle.class);
        assertEquals(4 + 16 + 1 + 2, type.size());
        assertEquals("int, 2 double, boolean, char", type.signature());
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            byte[] cells = new byte[23 * 100];
            if (all.rank() == 0) {
                for (int i = 0; i < 100; i++) {
                    type.write(new Particle(i, new Point(i / 3.0, -i), i % 2 == 0, (char) ('a' + i)), cells, 23L * i);
                }
                all.send(cells, 0, 100, type, 1, 1);
            } else {
                MemorySegment memory = MemorySegment.ofArray(cells);
                assertEquals(100, all.receive(memory, 0, 100, type, 0, 1).count(type));
                for (int i = 0; i < 100; i++) {
                    assertEquals(new Particle(i, new Point(i / 3.0, -i), i % 2 == 0, (char) ('a' + i)),
                            type.read(Particle.class, memory, 23L * i));
                }
            }
        });
    }

    @Test
    void shouldCountWhatCameShort() {
        Datatype pair = Datatype.struct(new int[] {1, 2}, new long[] {0, 8},
                new Datatype[] {Datatype.INT, Datatype.DOUBLE});
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Request sent = all.isend(MemorySegment.ofArray(new byte[20 * 2 + 12]), 0, 1);
            Status status = all.receive(new byte[24 * 5], 0, 5, pair, 0, 1);
            sent.await();
            assertEquals(-1, status.count(pair));
            assertEquals(2 * 3 + 2, status.elements(pair));
            assertEquals(-1, status.elements(Datatype.contiguous(3, Datatype.LONG)));
            assertEquals(13, status.elements(Datatype.INT));
        });
    }

    @Test
    void shouldNameBothSidesWhenTheyDoNotFit() {
        Datatype ints = Datatype.vector(4, 1, 2, Datatype.INT);
        Datatype mixed = Datatype.struct(new int[] {1, 1}, new long[] {0, 8},
                new Datatype[] {Datatype.INT, Datatype.DOUBLE});
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Request sent = all.isend(new int[20], 0, 2, ints, 0, 7);
            Worlds.assertFails(ErrorClass.TRUNCATE, () -> all.receive(new int[20], 0, 1, ints, 0, 7), "rank 0",
                    "receive from rank 0, tag 7", "has 32 bytes, the buffer only 16", "TypedMessagesTest.java:");
            sent.test();
            Request wrong = all.isend(new double[9], 0, 3, Datatype.DOUBLE, 0, 8);
            Worlds.assertFails(ErrorClass.TYPE, () -> all.receive(new byte[64], 0, 2, mixed, 0, 8),
                    "is of double (24 bytes), the buffer of mixed types");
            wrong.test();
            Request back = all.isend(new byte[64], 0, 2, mixed, 0, 9);
            Worlds.assertFails(ErrorClass.TYPE, () -> all.receive(new double[9], 0, 9), "is of mixed types",
                    "the buffer of double");
            back.test();
        });
    }

    @Test
    void shouldRefuseWhatDoesNotSuitTheBuffer() {
        Datatype twice = Datatype.hvector(3, 1, 4, Datatype.DOUBLE);
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Worlds.assertFails(ErrorClass.TYPE, () -> all.receive(new byte[64], 0, 1, twice, 0, 1),
                    "1 × hvector(3, 1, 4)", "names a byte twice");
            Worlds.assertFails(ErrorClass.TYPE, () -> all.send(new int[9], 0, 1, Datatype.DOUBLE, 0, 1), "double",
                    "the buffer a int[]");
            Worlds.assertFails(ErrorClass.TYPE, () -> all.send(new double[9], 0, 1, twice, 0, 1),
                    "whole elements of a double[]");
            Datatype column = Datatype.vector(4, 1, 3, Datatype.INT);
            Worlds.assertFails(ErrorClass.COUNT, () -> all.send(new int[9], 0, 1, column, 0, 1),
                    "touches bytes 0 to 40", "int[] of 36 bytes");
            Worlds.assertFails(ErrorClass.COUNT, () -> all.send(new int[9], 0, -1, column, 0, 1), "count -1");
            Worlds.assertFails(ErrorClass.COUNT, () -> all.send(new int[9], 0, Long.MAX_VALUE, column, 0, 1), "count");
            Datatype back = Datatype.hvector(2, 1, -8, Datatype.INT);
            Worlds.assertFails(ErrorClass.COUNT, () -> all.send(new int[9], 1, 1, back, 0, 1), "bytes -8 to 4");
            Worlds.assertFails(ErrorClass.ARGUMENT, () -> all.send(new int[9], 0, 1, null, 0, 1), "type is null");
            Worlds.assertFails(ErrorClass.BUFFER, () -> all.send("text", 0, 1, Datatype.CHAR, 0, 1), "sendObject");
            Worlds.assertFails(ErrorClass.RANK, () -> all.send(new int[9], 0, 1, Datatype.INT, 5, 1), "dest: 5");
            Worlds.assertFails(ErrorClass.BUFFER, () -> all.receive(MemorySegment.ofArray(new int[9]).asReadOnly(), 0,
                    1, Datatype.INT, 0, 1), "read-only");
            all.send(new int[9], 0, 1, Datatype.INT, Communicator.NONE, 1);
            assertEquals(0, all.receive(new int[9], 0, 1, Datatype.INT, Communicator.NONE, 1).bytes());
        });
    }

    @Test
    void shouldSayWhyADatatypeCannotBe() {
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.contiguous(-1, Datatype.INT), "contiguous(-1)", "count");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.vector(1, 1, 1, null), "argument of is null");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.indexed(new int[2], new int[3], Datatype.INT),
                "blockLengths has 2", "displacements 3");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.indexed(new int[] {1, -4}, new int[2], Datatype.INT),
                "blockLengths[1]", "-4");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.struct(new int[1], new long[1], new Datatype[1]),
                "types[0] is null");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.subarray(new int[] {4, 4}, new int[] {2, 3},
                new int[] {0, 2}, Datatype.Order.C, Datatype.INT), "dimension 1", "3 from 2", "size of 4");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.hvector(2_000_000_000, 1, Long.MAX_VALUE / 2,
                Datatype.INT), "64 bits");
        record Named(int id, String name) {}
        record Chain(int id, Chain next) {}
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.ofRecord(Named.class), "component name",
                "java.lang.String");
        Worlds.assertFails(ErrorClass.ARGUMENT, () -> Datatype.ofRecord(Chain.class), "holds itself");
        Datatype point = Datatype.ofRecord(Point.class);
        Worlds.assertFails(ErrorClass.TYPE, () -> point.read(Particle.class, new byte[99], 0), "record Point",
                "Particle");
        Worlds.assertFails(ErrorClass.COUNT, () -> point.write(new Point(1, 2), new byte[15], 0), "16", "15 bytes");
        assertTrue(point.isContiguous());
    }
}
