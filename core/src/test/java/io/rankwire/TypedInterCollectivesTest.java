package io.rankwire;

import static io.rankwire.Intercommunicator.ROOT;
import static io.rankwire.AnyCommunicator.NONE;
import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Collectives between two groups of 1 to 3 ranks with non-contiguous elements, compared with the known values of the
 * other ranks. A pair of ints with a gap is sent and received as two consecutive ints, or the other way around.
 */
@Timeout(300)
final class TypedInterCollectivesTest {
    private static final int MOST = 3;
    private static final int LONG_COUNT = 3000;
    private static final Datatype GAP = Datatype.vector(2, 1, 2, Datatype.INT);
    private static final Datatype ROW = Datatype.contiguous(2, Datatype.INT);

    private record Side(Intercommunicator inter, int here) {
        /** The data of the first side has gaps, that of the second side is contiguous. */
        Datatype given() {
            return here == 0 ? GAP : ROW;
        }

        Datatype taken() {
            return here == 0 ? GAP : ROW;
        }

        int near() {
            return inter.size();
        }

        int far() {
            return inter.remoteSize();
        }

        int me() {
            return inter.rank();
        }

        int there() {
            return 1 - here;
        }

        /** The root argument of this rank; the root is rank 0 of the first side. */
        int root() {
            return here == 1 ? 0 : me() == 0 ? ROOT : NONE;
        }
    }

    private interface Body {
        void run(Side side, int pairs);
    }

    private static void everywhere(Body body) {
        for (int first = 1; first <= MOST; first++) {
            for (int second = 1; second <= MOST; second++) {
                int near = first;
                Worlds.run(first + second, world -> {
                    Communicator all = world.communicator();
                    int here = all.rank() < near ? 0 : 1;
                    Communicator side = all.split(here, all.rank()).orElseThrow();
                    Side both = new Side(side.intercommunicator(0, all, here == 0 ? near : 0, 9), here);
                    body.run(both, 1);
                    body.run(both, LONG_COUNT);
                });
            }
        }
    }

    private static int value(int side, int rank, int i) {
        return 100_000 * (side + 1) + 10_000 * rank + i;
    }

    /** The values of a rank from the given one on, packed. */
    private static int[] values(int side, int rank, int from, int count) {
        int[] values = new int[count];
        Arrays.setAll(values, i -> value(side, rank, from + i));
        return values;
    }

    private static int[] room(Datatype type, int count) {
        return new int[Math.toIntExact(type.extent() / Integer.BYTES) * count];
    }

    private static int[] laid(int[] packed, Datatype type) {
        int[] buffer = room(type, packed.length / 2);
        byte[] bytes = new byte[packed.length * Integer.BYTES];
        Datatype.INT.pack(packed, 0, packed.length, bytes, 0);
        type.unpack(bytes, 0, buffer, 0, packed.length / 2);
        return buffer;
    }

    private static int[] flat(int[] buffer, Datatype type) {
        int count = Math.toIntExact(buffer.length / (type.extent() / Integer.BYTES));
        byte[] bytes = new byte[Math.toIntExact(type.packSize(count))];
        type.pack(buffer, 0, count, bytes, 0);
        int[] packed = new int[2 * count];
        Datatype.INT.unpack(bytes, 0, packed, 0, packed.length);
        return packed;
    }

    private static int[] joined(int blocks, int length, java.util.function.IntFunction<int[]> block) {
        int[] all = new int[blocks * length];
        for (int i = 0; i < blocks; i++) {
            System.arraycopy(block.apply(i), 0, all, i * length, length);
        }
        return all;
    }

    private static int[] sums(Side side, int from, int count) {
        int[] sums = new int[count];
        for (int rank = 0; rank < side.far(); rank++) {
            for (int i = 0; i < count; i++) {
                sums[i] += value(side.there(), rank, from + i);
            }
        }
        return sums;
    }

    @Test
    void shouldMoveDataWithARoot() {
        everywhere((side, pairs) -> {
            int n = 2 * pairs;
            int root = side.root();
            Datatype type = side.given();
            int[] data = root == ROOT ? laid(values(0, 0, 0, n), type) : room(type, pairs);
            side.inter.broadcast(data, 0, pairs, type, root);
            if (root != NONE) {
                assertArrayEquals(values(0, 0, 0, n), flat(data, type));
            }
            int[] all = room(type, pairs * side.far());
            side.inter.gather(laid(values(1, side.me(), 0, n), type), 0, pairs, type, all, 0, pairs, type, root);
            int[] expected = joined(side.far(), n, i -> values(1, i, 0, n));
            if (root == ROOT) {
                assertArrayEquals(expected, flat(all, type));
            }
            int[] mine = room(type, pairs);
            side.inter.iscatter(all, 0, pairs, type, mine, 0, pairs, type, root).await();
            if (root >= 0) {
                assertArrayEquals(values(1, side.me(), 0, n), flat(mine, type));
            }
            int[] counts = new int[side.far()];
            int[] places = new int[side.far()];
            Arrays.fill(counts, pairs);
            Arrays.setAll(places, i -> (places.length - 1 - i) * pairs);
            int[] turned = room(type, pairs * side.far());
            side.inter.gatherv(laid(values(1, side.me(), 0, n), type), 0, pairs, type, turned, 0, counts, places, type,
                    root);
            if (root == ROOT) {
                assertArrayEquals(joined(side.far(), n, i -> values(1, side.far() - 1 - i, 0, n)), flat(turned, type));
            }
            int[] back = room(type, pairs);
            Request again = side.inter.scattervInit(turned, 0, counts, places, type, back, 0, pairs, type, root);
            for (int turn = 0; turn < 2; turn++) {
                Arrays.fill(back, 0);
                again.start();
                again.await();
                if (root >= 0) {
                    assertArrayEquals(values(1, side.me(), 0, n), flat(back, type));
                }
            }
            int[] total = room(type, pairs);
            side.inter.reduce(laid(values(1, side.me(), 0, n), type), 0, pairs, type, total, 0, pairs, type, Op.SUM,
                    root);
            if (root == ROOT) {
                assertArrayEquals(sums(side, 0, n), flat(total, type));
            }
        });
    }

    @Test
    void shouldMoveDataBothWays() {
        everywhere((side, pairs) -> {
            int n = 2 * pairs;
            Datatype in = side.given();
            Datatype out = side.here() == 0 ? ROW : GAP;
            int[] own = laid(values(side.here(), side.me(), 0, n), in);
            int[] expected = joined(side.far(), n, i -> values(side.there(), i, 0, n));
            int[] all = room(out, pairs * side.far());
            side.inter.allgather(own, 0, pairs, in, all, 0, pairs, out);
            assertArrayEquals(expected, flat(all, out));
            int[] counts = new int[side.far()];
            int[] places = new int[side.far()];
            Arrays.fill(counts, pairs);
            Arrays.setAll(places, i -> (places.length - 1 - i) * pairs);
            all = room(out, pairs * side.far());
            side.inter.iallgatherv(own, 0, pairs, in, all, 0, counts, places, out).await();
            assertArrayEquals(joined(side.far(), n, i -> values(side.there(), side.far() - 1 - i, 0, n)),
                    flat(all, out));
            // Block j of a rank is for rank j of the other side.
            int[] blocks = laid(values(side.here(), side.me(), 0, n * side.far()), in);
            int[] forMe = joined(side.far(), n, i -> values(side.there(), i, n * side.me(), n));
            int[] got = room(out, pairs * side.far());
            side.inter.alltoall(blocks, 0, pairs, in, got, 0, pairs, out);
            assertArrayEquals(forMe, flat(got, out));
            int[] inPlaces = new int[side.far()];
            Arrays.setAll(inPlaces, i -> i * pairs);
            got = room(out, pairs * side.far());
            side.inter.alltoallv(blocks, 0, counts, inPlaces, in, got, 0, counts, places, out);
            assertArrayEquals(joined(side.far(), n, i -> values(side.there(), side.far() - 1 - i, n * side.me(), n)),
                    flat(got, out));
            long[] from = new long[side.far()];
            long[] to = new long[side.far()];
            Datatype[] inTypes = new Datatype[side.far()];
            Datatype[] outTypes = new Datatype[side.far()];
            Arrays.setAll(from, i -> inPlaces[i] * in.extent());
            Arrays.setAll(to, i -> inPlaces[i] * out.extent());
            Arrays.fill(inTypes, in);
            Arrays.fill(outTypes, out);
            got = room(out, pairs * side.far());
            side.inter.alltoallw(blocks, counts, from, inTypes, got, counts, to, outTypes);
            assertArrayEquals(forMe, flat(got, out));
        });
    }

    @Test
    void shouldCombineDataBothWays() {
        everywhere((side, pairs) -> {
            int n = 2 * pairs;
            Datatype in = side.given();
            Datatype out = side.here() == 0 ? ROW : GAP;
            int[] own = laid(values(side.here(), side.me(), 0, n), in);
            int[] got = room(out, pairs);
            side.inter.allreduce(own, 0, pairs, in, got, 0, pairs, out, Op.SUM);
            assertArrayEquals(sums(side, 0, n), flat(got, out));
            // Both sides have vectors of the same length, which each divides among its own ranks.
            int whole = 6 * pairs;
            int part = whole / side.near();
            int[] vector = laid(values(side.here(), side.me(), 0, 2 * whole), in);
            int[] mine = room(out, part);
            side.inter.reduceScatterBlock(vector, 0, part, in, mine, 0, part, out, Op.SUM);
            assertArrayEquals(sums(side, 2 * part * side.me(), 2 * part), flat(mine, out));
            int[] counts = new int[side.near()];
            Arrays.fill(counts, 1);
            counts[0] = whole - side.near() + 1;
            int start = side.me() == 0 ? 0 : counts[0] + side.me() - 1;
            mine = room(out, counts[side.me()]);
            side.inter.reduceScatter(vector, 0, counts, in, mine, 0, counts[side.me()], out, Op.SUM);
            assertArrayEquals(sums(side, 2 * start, 2 * counts[side.me()]), flat(mine, out));
        });
    }

    @Test
    void shouldFindPlacesOfValuesOfAnotherType() {
        Datatype pair = Datatype.resized(0, 16,
                Datatype.struct(new int[] {1, 1}, new long[] {0, 8}, new Datatype[] {Datatype.DOUBLE, Datatype.INT}));
        everywhere((side, pairs) -> {
            MemorySegment in = MemorySegment.ofArray(new byte[16]);
            in.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, 0.5 + side.me() % 2);
            in.set(ValueLayout.JAVA_INT_UNALIGNED, 8, 10 * side.here() + side.me());
            MemorySegment out = MemorySegment.ofArray(new byte[16]);
            side.inter.allreduce(in, 0, 1, pair, out, 0, 1, pair, Op.MAXLOC);
            assertEquals(side.far() > 1 ? 1.5 : 0.5, out.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0));
            assertEquals(10 * side.there() + (side.far() > 1 ? 1 : 0), out.get(ValueLayout.JAVA_INT_UNALIGNED, 8));
        });
    }

    @Test
    void shouldTellWhatIsWrongBeforeAnythingIsSent() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Communicator alone = all.split(all.rank(), 0).orElseThrow();
            Intercommunicator inter = alone.intercommunicator(0, all, 1 - all.rank(), 9);
            assertFails(ErrorClass.RANK, () -> inter.broadcast(new int[3], 0, 1, GAP, 7), "root", "7");
            assertFails(ErrorClass.TYPE, () -> inter.allreduce(new int[3], 0, 1, GAP, new int[4], 0, 1, Datatype.INT,
                    Op.SUM), "int");
            assertFails(ErrorClass.ARGUMENT, () -> inter.alltoallv(new int[3], 0, new int[2], new int[2], GAP,
                    new int[3], 0, new int[1], new int[1], GAP), "counts");
            inter.barrier();
        });
    }
}
