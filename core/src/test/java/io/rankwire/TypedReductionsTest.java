package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reductions with datatypes, compared with folds of their packed streams; gaps must not change. */
@Timeout(300)
final class TypedReductionsTest {
    private static final int MOST = 9;

    /** An operation and its effect on two packed streams. */
    private record Case(Op op, List<Datatype> elements, BinaryOperator<byte[]> oracle) {}

    private static final List<Case> CASES = List.of(
            new Case(Op.SUM, List.of(Datatype.INT, Datatype.INT), TypedReductionsTest::sumInts),
            new Case(Op.BXOR, List.of(Datatype.LONG), TypedReductionsTest::xor),
            new Case(Op.of("compose", false, 2, TypedReductionsTest::compose),
                    List.of(Datatype.LONG, Datatype.LONG), TypedReductionsTest::composed),
            new Case(Op.MINLOC, List.of(Datatype.LONG, Datatype.INT), TypedReductionsTest::least),
            new Case(Op.of("tally", true, 5, TypedReductionsTest::tally),
                    List.of(Datatype.INT, Datatype.BYTE), TypedReductionsTest::tallied));

    private static byte[] sumInts(byte[] left, byte[] right) {
        byte[] sum = left.clone();
        for (int i = 0; i < sum.length; i += 4) {
            MemorySegment.ofArray(sum).set(ValueLayout.JAVA_INT_UNALIGNED, i,
                    MemorySegment.ofArray(left).get(ValueLayout.JAVA_INT_UNALIGNED, i)
                            + MemorySegment.ofArray(right).get(ValueLayout.JAVA_INT_UNALIGNED, i));
        }
        return sum;
    }

    /** The minimum of packed pairs, each a long followed by an int. */
    private static byte[] least(byte[] left, byte[] right) {
        byte[] result = right.clone();
        MemorySegment one = MemorySegment.ofArray(left);
        MemorySegment other = MemorySegment.ofArray(right);
        for (int i = 0; i < result.length; i += 12) {
            long value = one.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
            long otherValue = other.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
            boolean nearer = one.get(ValueLayout.JAVA_INT_UNALIGNED, i + 8)
                    < other.get(ValueLayout.JAVA_INT_UNALIGNED, i + 8);
            if (value < otherValue || value == otherValue && nearer) {
                System.arraycopy(left, i, result, i, 12);
            }
        }
        return result;
    }

    private static byte[] xor(byte[] left, byte[] right) {
        byte[] result = left.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= right[i];
        }
        return result;
    }

    /** Composition of maps x → a x + b: associative and not commutative. */
    private static void compose(
            Object left, int leftAt, Object right, int rightAt, Object target, int targetAt, int count) {
        long[] l = (long[]) left;
        long[] r = (long[]) right;
        for (int i = 0; i < count; i += 2) {
            long a = l[leftAt + i] * r[rightAt + i];
            long b = l[leftAt + i + 1] * r[rightAt + i] + r[rightAt + i + 1];
            ((long[]) target)[targetAt + i] = a;
            ((long[]) target)[targetAt + i + 1] = b;
        }
    }

    private static byte[] composed(byte[] left, byte[] right) {
        long[] l = MemorySegment.ofArray(left).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
        long[] r = MemorySegment.ofArray(right).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
        compose(l, 0, r, 0, l, 0, l.length);
        return MemorySegment.ofArray(l).toArray(ValueLayout.JAVA_BYTE);
    }

    /** On packed pairs: sums the ints and combines the bytes by or. */
    private static void tally(
            Object left, int leftAt, Object right, int rightAt, Object target, int targetAt, int count) {
        MemorySegment l = MemorySegment.ofArray((byte[]) left);
        MemorySegment r = MemorySegment.ofArray((byte[]) right);
        MemorySegment t = MemorySegment.ofArray((byte[]) target);
        for (int i = 0; i < count; i += 5) {
            t.set(ValueLayout.JAVA_INT_UNALIGNED, targetAt + i, l.get(ValueLayout.JAVA_INT_UNALIGNED, leftAt + i)
                    + r.get(ValueLayout.JAVA_INT_UNALIGNED, rightAt + i));
            t.set(ValueLayout.JAVA_BYTE, targetAt + i + 4, (byte) (l.get(ValueLayout.JAVA_BYTE, leftAt + i + 4)
                    | r.get(ValueLayout.JAVA_BYTE, rightAt + i + 4)));
        }
    }

    private static byte[] tallied(byte[] left, byte[] right) {
        byte[] result = new byte[left.length];
        tally(left, 0, right, 0, result, 0, left.length);
        return result;
    }

    private interface Body {
        void run(Communicator all, Case each, int sixths, int seed);
    }

    private static void everywhere(Body body) {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                int seed = 0;
                for (Case each : CASES) {
                    for (int sixths : new int[] {0, 1, 2, 250}) {
                        body.run(world.communicator(), each, sixths, ++seed);
                    }
                }
            });
        }
    }

    private static TypedBlocks side(int seed, int rank, int side, Case each, int blocks, int sixths) {
        return TypedBlocks.row(new SplittableRandom(seed * 1000L + rank * 10 + side), each.elements, blocks, sixths);
    }

    /** One block of the inputs of some ranks, folded in the order of the ranks. */
    private static byte[] folded(int seed, int from, int to, int side, Case each, int blocks, int block, int sixths) {
        byte[] result = side(seed, from, side, each, blocks, sixths).get(block);
        for (int rank = from + 1; rank < to; rank++) {
            result = each.oracle.apply(result, side(seed, rank, side, each, blocks, sixths).get(block));
        }
        return result;
    }

    private static void check(String what, Communicator all, Case each, TypedBlocks expected, TypedBlocks found) {
        Worlds.assertSame(expected.bytes(), found.bytes(),
                () -> what + ", " + each.op + ", rank " + all.rank() + " of " + all.size());
    }

    private static void finish(Request request) {
        request.start();
        request.await();
        request.start();
        request.await();
    }

    @Test
    void shouldReduceToAll() {
        everywhere((all, each, sixths, seed) -> {
            int rank = all.rank();
            TypedBlocks in = side(seed, rank, 0, each, 1, sixths);
            TypedBlocks out = side(seed, rank, 1, each, 1, sixths);
            TypedBlocks expected = side(seed, rank, 1, each, 1, sixths);
            expected.set(0, folded(seed, 0, all.size(), 0, each, 1, 0, sixths));
            finish(all.allreduceInit(in.buffer, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(),
                    out.type(), each.op));
            check("allreduce", all, each, expected, out);
            expected.set(0, folded(seed, 0, all.size(), 1, each, 1, 0, sixths));
            out.set(0, side(seed, rank, 1, each, 1, sixths).get(0));
            all.allreduce(Communicator.IN_PLACE, 0, 0, null, out.buffer, out.offset, out.count(), out.type(), each.op);
            check("allreduce in place", all, each, expected, out);
        });
    }

    @Test
    void shouldReduceToARoot() {
        everywhere((all, each, sixths, seed) -> {
            int rank = all.rank();
            int root = seed % all.size();
            TypedBlocks in = side(seed, rank, 0, each, 1, sixths);
            TypedBlocks out = side(seed, rank, 1, each, 1, sixths);
            TypedBlocks expected = side(seed, rank, 1, each, 1, sixths);
            if (rank == root) {
                expected.set(0, folded(seed, 0, all.size(), 0, each, 1, 0, sixths));
            }
            Object to = rank == root ? out.buffer : null;
            Datatype toType = rank == root ? out.type() : null;
            if (seed % 2 == 0) {
                all.reduce(in.buffer, in.offset, in.count(), in.type(), to, out.offset, out.count(), toType, each.op,
                        root);
            } else {
                all.ireduce(in.buffer, in.offset, in.count(), in.type(), to, out.offset, out.count(), toType, each.op,
                        root).await();
            }
            check("reduce", all, each, expected, out);
            Object from = rank == root ? Communicator.IN_PLACE : out.buffer;
            out.set(0, side(seed, rank, 1, each, 1, sixths).get(0));
            Request request = all.reduceInit(from, out.offset, out.count(), out.type(), out.buffer, out.offset,
                    out.count(), out.type(), each.op, root);
            request.start();
            request.await();
            expected.set(0, rank == root ? folded(seed, 0, all.size(), 1, each, 1, 0, sixths)
                    : side(seed, rank, 1, each, 1, sixths).get(0));
            check("reduce in place", all, each, expected, out);
        });
    }

    @Test
    void shouldScan() {
        everywhere((all, each, sixths, seed) -> {
            int rank = all.rank();
            TypedBlocks in = side(seed, rank, 0, each, 1, sixths);
            TypedBlocks out = side(seed, rank, 1, each, 1, sixths);
            TypedBlocks expected = side(seed, rank, 1, each, 1, sixths);
            expected.set(0, folded(seed, 0, rank + 1, 0, each, 1, 0, sixths));
            finish(all.scanInit(in.buffer, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(),
                    out.type(), each.op));
            check("scan", all, each, expected, out);
            if (rank > 0) {
                expected.set(0, folded(seed, 0, rank, 0, each, 1, 0, sixths));
            }
            all.iexscan(in.buffer, in.offset, in.count(), in.type(), out.buffer, out.offset, out.count(), out.type(),
                    each.op).await();
            check("exscan", all, each, expected, out);
            out.set(0, side(seed, rank, 1, each, 1, sixths).get(0));
            all.iscan(Communicator.IN_PLACE, 0, 0, null, out.buffer, out.offset, out.count(), out.type(), each.op)
                    .await();
            expected.set(0, folded(seed, 0, rank + 1, 1, each, 1, 0, sixths));
            check("scan in place", all, each, expected, out);
        });
    }

    @Test
    void shouldReduceAndScatter() {
        everywhere((all, each, sixths, seed) -> {
            int rank = all.rank();
            int size = all.size();
            int length = sixths > 100 ? 20 : sixths;
            TypedBlocks in = side(seed, rank, 0, each, size, length);
            TypedBlocks out = side(seed, rank, 1, each, 1, length);
            TypedBlocks expected = side(seed, rank, 1, each, 1, length);
            expected.set(0, folded(seed, 0, size, 0, each, size, rank, length));
            finish(all.reduceScatterBlockInit(in.buffer, in.offset, in.count(), in.type(), out.buffer, out.offset,
                    out.count(), out.type(), each.op));
            check("reduceScatterBlock", all, each, expected, out);
            TypedBlocks again = side(seed, rank, 1, each, 1, length);
            all.reduceScatter(in.buffer, in.offset, in.counts, in.type(), again.buffer, again.offset, again.count(),
                    again.type(), each.op);
            check("reduceScatter of one length", all, each, expected, again);
            TypedBlocks here = side(seed, rank, 0, each, size, length);
            TypedBlocks result = side(seed, rank, 0, each, size, length);
            result.set(0, folded(seed, 0, size, 0, each, size, rank, length));
            all.ireduceScatter(Communicator.IN_PLACE, 0, here.counts, null, here.buffer, here.offset, 0, here.type(),
                    each.op).await();
            assertEquals(Arrays.toString(result.get(0)), Arrays.toString(here.get(0)), "reduceScatter in place");
        });
    }

    @Test
    void shouldReduceAndScatterBlocksOfDifferentLengths() {
        Datatype pair = Datatype.vector(2, 1, 3, Datatype.INT);
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                int[] counts = new int[all.size()];
                Arrays.setAll(counts, r -> r * 5 % 4);
                int total = Arrays.stream(counts).sum();
                int[] in = new int[4 * total];
                Arrays.setAll(in, i -> i * (all.rank() + 1));
                int own = counts[all.rank()];
                int[] out = new int[2 * own];
                Request request = all.reduceScatterInit(in, 0, counts, pair, out, 0, 2L * own, Datatype.INT, Op.SUM);
                finish(request);
                int first = 0;
                for (int r = 0; r < all.rank(); r++) {
                    first += counts[r];
                }
                int factor = all.size() * (all.size() + 1) / 2;
                for (int i = 0; i < own; i++) {
                    assertEquals(4 * (first + i) * factor, out[2 * i], "first of pair " + i);
                    assertEquals((4 * (first + i) + 3) * factor, out[2 * i + 1], "second of pair " + i);
                }
            });
        }
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Datatype mixed = Datatype.struct(new int[] {1, 1}, new long[] {0, 4},
                    new Datatype[] {Datatype.INT, Datatype.BYTE});
            byte[] bytes = new byte[60];
            Worlds.assertFails(ErrorClass.TYPE, () -> all.allreduce(bytes, 0, 4, mixed, bytes.clone(), 0, 4, mixed,
                    Op.SUM), "sum does not combine mixed types", "TypedReductionsTest.java:");
            Worlds.assertFails(ErrorClass.TYPE, () -> all.allreduce(bytes, 0, 4, Datatype.INT, bytes.clone(), 0, 3,
                    Datatype.INT, Op.SUM), "4 × int is 4 int, but 3 × int is 3 int");
            Worlds.assertFails(ErrorClass.ARGUMENT, () -> all.allreduce(bytes, 0, 4, null, bytes.clone(), 0, 4,
                    Datatype.INT, Op.SUM), "type is null");
            Worlds.assertFails(ErrorClass.COUNT, () -> all.allgather(bytes, 0, 30, Datatype.INT, bytes.clone(), 0, 30,
                    Datatype.INT), "count 30");
            Worlds.assertFails(ErrorClass.RANK, () -> all.broadcast(bytes, 0, 1, mixed, 3), "argument root: 3");
            Worlds.assertFails(ErrorClass.COUNT, () -> all.alltoallv(bytes, 0, new int[] {1}, new int[1], mixed,
                    bytes.clone(), 0, new int[] {2}, new int[1], mixed), "takes 2 (int, byte) from itself");
            Worlds.assertFails(ErrorClass.COUNT, () -> all.alltoallw(bytes, new int[] {1}, new long[] {58},
                    new Datatype[] {mixed}, bytes.clone(), new int[] {1}, new long[1], new Datatype[] {mixed}),
                    "block 0", "58 bytes");
            Worlds.assertFails(ErrorClass.ARGUMENT, () -> all.alltoallw(bytes, new int[2], new long[] {58},
                    new Datatype[] {mixed}, bytes.clone(), new int[] {1}, new long[1], new Datatype[] {mixed}),
                    "one entry for each of 1 blocks");
            Worlds.assertFails(ErrorClass.TYPE, () -> all.alltoallw(bytes, new int[1], new long[1],
                    new Datatype[] {mixed}, new int[9], new int[] {1}, new long[] {2}, new Datatype[] {Datatype.INT}),
                    "block 0", "whole elements of a int[]");
            Worlds.assertFails(ErrorClass.ARGUMENT, () -> all.broadcast(Communicator.IN_PLACE, 0, 1, mixed, 0),
                    "IN_PLACE cannot stand");
        });
    }
}
