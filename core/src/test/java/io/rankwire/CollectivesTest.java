package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every collective against a serial oracle: element types, operations, roots and forms, with 1 to 9 ranks. */
@Timeout(300)
final class CollectivesTest {
    private static final int MOST = 9;
    private static final List<Class<?>> TYPES =
            List.of(byte.class, char.class, short.class, int.class, long.class, float.class, double.class);

    /** Values so small that sums are exact in every type, and different for each rank and place. */
    private static long value(int rank, int i) {
        return (rank * 7 + i * 3) % 11 + 1;
    }

    private static Object vector(Class<?> type, int rank, int count) {
        Object array = Array.newInstance(type, count);
        for (int i = 0; i < count; i++) {
            put(array, i, value(rank, i));
        }
        return array;
    }

    private static void put(Object array, int i, long value) {
        switch (array) {
            case byte[] a -> a[i] = (byte) value;
            case char[] a -> a[i] = (char) value;
            case short[] a -> a[i] = (short) value;
            case int[] a -> a[i] = (int) value;
            case long[] a -> a[i] = value;
            case float[] a -> a[i] = value;
            case double[] a -> a[i] = value;
            default -> throw new AssertionError(array);
        }
    }

    private static long get(Object array, int i) {
        return switch (array) {
            case byte[] a -> a[i];
            case char[] a -> a[i];
            case short[] a -> a[i];
            case int[] a -> a[i];
            case long[] a -> a[i];
            case float[] a -> (long) a[i];
            case double[] a -> (long) a[i];
            default -> throw new AssertionError(array);
        };
    }

    private record Named(Op op, LongBinaryOperator oracle) {}

    private static final List<Named> OPS = List.of(new Named(Op.SUM, Long::sum), new Named(Op.MIN, Math::min),
            new Named(Op.MAX, Math::max));

    private static long combined(Named op, int from, int to, int i) {
        long result = value(from, i);
        for (int rank = from + 1; rank < to; rank++) {
            result = op.oracle.applyAsLong(result, value(rank, i));
        }
        return result;
    }

    private interface Case {
        void run(Communicator all, Class<?> type, int count);
    }

    private static void everywhere(int[] counts, Case body) {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                for (Class<?> type : TYPES) {
                    for (int count : counts) {
                        body.run(world.communicator(), type, count);
                    }
                }
            });
        }
    }

    private static void check(String what, Communicator all, Object array, int i, long expected) {
        if (get(array, i) != expected) {
            assertEquals(expected, get(array, i), what + " of " + array.getClass().getSimpleName() + ", rank "
                    + all.rank() + " of " + all.size() + ", element " + i);
        }
    }

    @Test
    void shouldReduce() {
        everywhere(new int[] {1, 5, 3000}, (all, type, count) -> {
            for (Named op : OPS) {
                Object out = Array.newInstance(type, count);
                all.allreduce(vector(type, all.rank(), count), out, op.op);
                Object here = vector(type, all.rank(), count);
                all.allreduce(Communicator.IN_PLACE, here, op.op);
                Object scan = Array.newInstance(type, count);
                all.scan(vector(type, all.rank(), count), scan, op.op);
                Object before = vector(type, all.rank(), count);
                all.exscan(Communicator.IN_PLACE, before, op.op);
                for (int i = 0; i < count; i++) {
                    check("allreduce", all, out, i, combined(op, 0, all.size(), i));
                    check("allreduce in place", all, here, i, combined(op, 0, all.size(), i));
                    check("scan", all, scan, i, combined(op, 0, all.rank() + 1, i));
                    check("exscan", all, before, i,
                            all.rank() == 0 ? value(0, i) : combined(op, 0, all.rank(), i));
                }
            }
        });
    }

    @Test
    void shouldReduceToEveryRoot() {
        everywhere(new int[] {1, 7, 2000}, (all, type, count) -> {
            for (int root = 0; root < all.size(); root++) {
                Object out = all.rank() == root ? Array.newInstance(type, count) : null;
                all.reduce(vector(type, all.rank(), count), out, Op.SUM, root);
                Object here = vector(type, all.rank(), count);
                if (all.rank() == root) {
                    all.reduce(Communicator.IN_PLACE, here, Op.SUM, root);
                } else {
                    all.reduce(here, null, Op.SUM, root);
                }
                for (int i = 0; all.rank() == root && i < count; i++) {
                    check("reduce", all, out, i, combined(OPS.get(0), 0, all.size(), i));
                    check("reduce in place", all, here, i, combined(OPS.get(0), 0, all.size(), i));
                }
            }
        });
    }

    @Test
    void shouldBroadcastFromEveryRoot() {
        everywhere(new int[] {0, 1, 9, 5000}, (all, type, count) -> {
            for (int root = 0; root < all.size(); root++) {
                Object buffer = all.rank() == root ? vector(type, root, count) : Array.newInstance(type, count);
                all.broadcast(buffer, root);
                for (int i = 0; i < count; i++) {
                    check("broadcast", all, buffer, i, value(root, i));
                }
            }
        });
    }

    @Test
    void shouldGatherAndScatterAtEveryRoot() {
        everywhere(new int[] {1, 6, 1200}, (all, type, count) -> {
            int size = all.size();
            for (int root = 0; root < size; root++) {
                boolean here = all.rank() == root;
                Object whole = here ? Array.newInstance(type, count * size) : null;
                all.gather(vector(type, all.rank(), count), whole, root);
                for (int i = 0; here && i < count * size; i++) {
                    check("gather", all, whole, i, value(i / count, i % count));
                }
                Object again = Array.newInstance(type, count);
                all.scatter(whole, again, root);
                for (int i = 0; i < count; i++) {
                    check("scatter", all, again, i, value(all.rank(), i));
                }
                if (here) {
                    all.gather(Communicator.IN_PLACE, whole, root);
                    all.scatter(whole, Communicator.IN_PLACE, root);
                } else {
                    put(again, 0, 5);
                    all.gather(again, null, root);
                    all.scatter(null, again, root);
                }
                for (int i = 0; here && i < count * size; i++) {
                    long other = i / count != root && i % count == 0 ? 5 : value(i / count, i % count);
                    check("gather in place", all, whole, i, other);
                }
            }
        });
    }

    @Test
    void shouldAllgatherAndAlltoall() {
        everywhere(new int[] {1, 3, 1500}, (all, type, count) -> {
            int size = all.size();
            Object whole = Array.newInstance(type, count * size);
            all.allgather(vector(type, all.rank(), count), whole);
            Object turned = Array.newInstance(type, count * size);
            all.alltoall(vector(type, all.rank(), count * size), turned);
            Object here = vector(type, all.rank(), count * size);
            all.alltoall(Communicator.IN_PLACE, here);
            for (int i = 0; i < count * size; i++) {
                check("allgather", all, whole, i, value(i / count, i % count));
                check("alltoall", all, turned, i, value(i / count, all.rank() * count + i % count));
                check("alltoall in place", all, here, i, value(i / count, all.rank() * count + i % count));
            }
            Object own = Array.newInstance(type, count * size);
            System.arraycopy(vector(type, all.rank(), count), 0, own, all.rank() * count, count);
            all.allgather(Communicator.IN_PLACE, own);
            for (int i = 0; i < count * size; i++) {
                check("allgather in place", all, own, i, value(i / count, i % count));
            }
        });
    }

    @Test
    void shouldReduceAndScatter() {
        everywhere(new int[] {1, 4, 800}, (all, type, count) -> {
            int size = all.size();
            Object out = Array.newInstance(type, count);
            all.reduceScatterBlock(vector(type, all.rank(), count * size), out, Op.SUM);
            Object here = vector(type, all.rank(), count * size);
            all.reduceScatterBlock(Communicator.IN_PLACE, here, Op.SUM);
            for (int i = 0; i < count; i++) {
                long sum = combined(OPS.get(0), 0, size, all.rank() * count + i);
                check("reduceScatterBlock", all, out, i, sum);
                check("reduceScatterBlock in place", all, here, i, sum);
            }
            int[] counts = new int[size];
            Arrays.setAll(counts, r -> r * count % 5);
            int[] starts = starts(counts);
            Object part = Array.newInstance(type, counts[all.rank()]);
            all.reduceScatter(vector(type, all.rank(), starts[size]), part, counts, Op.SUM);
            for (int i = 0; i < counts[all.rank()]; i++) {
                check("reduceScatter", all, part, i, combined(OPS.get(0), 0, size, starts[all.rank()] + i));
            }
        });
    }

    private static int[] starts(int[] counts) {
        int[] starts = new int[counts.length + 1];
        for (int i = 0; i < counts.length; i++) {
            starts[i + 1] = starts[i] + counts[i];
        }
        return starts;
    }

    @Test
    void shouldMoveBlocksOfDifferentLengths() {
        everywhere(new int[] {1, 700}, (all, type, count) -> {
            int size = all.size();
            int root = count % size;
            int[] counts = new int[size];
            Arrays.setAll(counts, r -> r % 3 == 1 ? 0 : r * 2 + count);
            int[] starts = starts(counts);
            int[] offsets = Arrays.copyOf(starts, size);
            int own = counts[all.rank()];
            Object whole = Array.newInstance(type, starts[size]);
            all.gatherv(vector(type, all.rank(), own), 0, own, whole, counts, offsets, root);
            Object back = Array.newInstance(type, own);
            all.scatterv(whole, counts, offsets, back, 0, own, root);
            Object everywhere = Array.newInstance(type, starts[size]);
            all.allgatherv(back, 0, own, everywhere, counts, offsets);
            for (int r = 0; r < size; r++) {
                for (int i = 0; i < counts[r]; i++) {
                    check("allgatherv", all, everywhere, starts[r] + i, value(r, i));
                }
            }
            int[] out = new int[size];
            Arrays.setAll(out, r -> (all.rank() + 2 * r) % 4 * count);
            int[] in = new int[size];
            Arrays.setAll(in, r -> (r + 2 * all.rank()) % 4 * count);
            Object turned = Array.newInstance(type, starts(in)[size]);
            all.alltoallv(vector(type, all.rank(), starts(out)[size]), out, Arrays.copyOf(starts(out), size), turned,
                    in, Arrays.copyOf(starts(in), size));
            for (int r = 0; r < size; r++) {
                int theirs = 0;
                for (int to = 0; to < all.rank(); to++) {
                    theirs += (r + 2 * to) % 4 * count;
                }
                for (int i = 0; i < in[r]; i++) {
                    check("alltoallv", all, turned, starts(in)[r] + i, value(r, theirs + i));
                }
            }
        });
    }

    /** Products of 2 × 2 matrices: associative and not commutative. */
    @Test
    void shouldKeepTheOrderOfRanksWhenTheOperationDoesNotCommute() {
        Op product = Op.of("matrix product", false, 4, (left, l, right, r, target, t, count) -> {
            long[] a = (long[]) left;
            long[] b = (long[]) right;
            for (int i = 0; i < count; i += 4) {
                long[] c = {a[l + i] * b[r + i] + a[l + i + 1] * b[r + i + 2],
                    a[l + i] * b[r + i + 1] + a[l + i + 1] * b[r + i + 3],
                    a[l + i + 2] * b[r + i] + a[l + i + 3] * b[r + i + 2],
                    a[l + i + 2] * b[r + i + 1] + a[l + i + 3] * b[r + i + 3]};
                System.arraycopy(c, 0, target, t + i, 4);
            }
        });
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                for (int count : new int[] {4, 4000}) {
                    long[] mine = new long[count];
                    Arrays.setAll(mine, i -> (all.rank() + i) % 3 + i % 4);
                    long[] sum = new long[count];
                    all.allreduce(mine, sum, product);
                    long[] scan = new long[count];
                    all.scan(mine, scan, product);
                    long[] block = new long[count];
                    long[] many = new long[count * all.size()];
                    for (int r = 0; r < all.size(); r++) {
                        System.arraycopy(mine, 0, many, r * count, count);
                    }
                    all.reduceScatterBlock(many, block, product);
                    long[] last = new long[count];
                    all.broadcast(all.rank() == all.size() - 1 ? copy(scan, last) : last, all.size() - 1);
                    long[] atRoot = new long[count];
                    all.reduce(mine, atRoot, product, all.size() / 2);
                    assertEquals(Arrays.toString(sum), Arrays.toString(last), "allreduce and the last of scan");
                    assertEquals(Arrays.toString(sum), Arrays.toString(block), "allreduce and reduceScatterBlock");
                    if (all.rank() == all.size() / 2) {
                        assertEquals(Arrays.toString(sum), Arrays.toString(atRoot), "allreduce and reduce");
                    }
                }
            });
        }
    }

    private static long[] copy(long[] from, long[] to) {
        System.arraycopy(from, 0, to, 0, to.length);
        return to;
    }

    @Test
    void shouldFindTheLeastAndWhereItIs() {
        for (int ranks = 1; ranks <= MOST; ranks++) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                double[] mine = {all.rank() % 3 - 1, all.rank(), -all.rank(), all.rank()};
                double[] least = new double[4];
                all.allreduce(mine, least, Op.MINLOC);
                assertEquals("[-1.0, 0.0, " + (-(all.size() - 1) + 0.0) + ", " + (all.size() - 1.0) + "]",
                        Arrays.toString(least).replace("-0.0", "0.0"));
                int[] greatest = new int[2];
                all.allreduce(new int[] {5, all.rank()}, greatest, Op.MAXLOC);
                assertEquals("[5, 0]", Arrays.toString(greatest));
            });
        }
    }

    @Test
    void shouldTakeEveryKindOfBuffer() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = arena.allocate(8 * 2000, 8);
                for (int i = 0; i < 2000; i++) {
                    in.setAtIndex(ValueLayout.JAVA_DOUBLE, i, all.rank() + i);
                }
                MemorySegment out = world.allocate(8 * 2000);
                all.allreduce(in, out, Op.SUM.as(double.class));
                ByteBuffer bytes = ByteBuffer.allocate(8 * 2000 + 8).position(8);
                all.allreduce(in, bytes, Op.MAX.as(double.class));
                double[] first = new double[2000];
                all.broadcast(all.rank() == 1 ? in : first, 1);
                for (int i = 0; i < 2000; i++) {
                    assertEquals(3.0 + 3 * i, out.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
                    assertEquals(2.0 + i, bytes.order(java.nio.ByteOrder.nativeOrder()).getDouble(8 + 8 * i));
                    assertEquals(1.0 + i, all.rank() == 1 ? 1.0 + i : first[i]);
                }
            }
        });
    }

    @Test
    void shouldGoOnSideBySideAndOverAndOver() {
        for (int ranks : new int[] {1, 2, 3, 8}) {
            Worlds.run(ranks, world -> {
                Communicator all = world.communicator();
                int[] sum = new int[100];
                int[] mine = new int[100];
                Request again = all.allreduceInit(mine, 0, sum, 0, 100, Op.SUM);
                Request gate = all.barrierInit();
                for (int round = 0; round < 50; round++) {
                    int turn = round;
                    Arrays.fill(mine, all.rank() + round);
                    long[] max = {0};
                    double[] one = {all.rank() == turn % all.size() ? turn : -1};
                    Request[] under = {all.iallreduce(new long[] {all.rank() * (turn + 1L)}, max, Op.MAX),
                        all.ibroadcast(one, turn % all.size()), all.ibarrier(),
                        all.iallreduce(new long[] {1}, new long[1], Op.SUM)};
                    again.start();
                    gate.start();
                    for (int i = under.length - 1; i >= 0; i--) {
                        under[i].await();
                    }
                    again.await();
                    gate.await();
                    assertEquals((all.size() - 1) * (turn + 1L), max[0]);
                    assertEquals(turn, one[0]);
                    assertEquals(all.size() * (all.size() - 1) / 2 + all.size() * turn, sum[99]);
                }
            });
        }
    }
}
