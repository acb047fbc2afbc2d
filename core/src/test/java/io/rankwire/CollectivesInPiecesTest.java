package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.runtime.Operator;
import io.rankwire.runtime.collective.Collective;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.runtime.collective.Shape.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large collectives in shared memory, in pieces: heap arrays and native memory, mixed among the ranks and calls. */
@Timeout(300)
class CollectivesInPiecesTest {
    private static final int CALLS = 150;
    private static final int MOST = 150_000;
    private static final Kind[] KINDS = {Kind.BROADCAST, Kind.GATHER, Kind.SCATTER, Kind.ALLGATHER, Kind.ALLTOALL,
        Kind.ALLREDUCE, Kind.REDUCE, Kind.REDUCE_SCATTER_BLOCK, Kind.SCAN, Kind.EXSCAN};
    /** The product of triangular matrices: not commutative, and its groups of three do not fill a piece. */
    private static final Op PRODUCT = Op.of("product", false, 3, (left, l, right, r, target, t, count) -> {
        for (int i = 0; i < count; i += 3) {
            multiply((int[]) left, l + i, (int[]) right, r + i, (int[]) target, t + i);
        }
    });

    private static void multiply(int[] a, int l, int[] b, int r, int[] target, int t) {
        int first = a[l] * b[r];
        int second = a[l] * b[r + 1] + a[l + 1] * b[r + 2];
        int third = a[l + 2] * b[r + 2];
        target[t] = first;
        target[t + 1] = second;
        target[t + 2] = third;
    }

    /** A heap array or native memory, with elements before and behind that must not change. */
    private record Buffer(int[] array, MemorySegment memory, int from, int count) {
        static Buffer of(World world, int sort, int from, int[] values) {
            int length = from + values.length + 2;
            int[] all = new int[length];
            Arrays.fill(all, -7);
            System.arraycopy(values, 0, all, from, values.length);
            if (sort == 0) {
                return new Buffer(all, null, from, values.length);
            }
            MemorySegment memory = sort == 1 ? world.allocate(4L * length) : Arena.ofAuto().allocate(4L * length, 8);
            MemorySegment.copy(all, 0, memory, ValueLayout.JAVA_INT, 0, length);
            return new Buffer(null, memory, from, values.length);
        }

        Object given() {
            return array == null ? memory : array;
        }

        /** In elements of the buffer, which are bytes for native memory. */
        int offset() {
            return array == null ? 4 * from : from;
        }

        int[] values(String about) {
            int[] all = array == null ? memory.toArray(ValueLayout.JAVA_INT) : array;
            for (int i = 0; i < all.length; i++) {
                if (i < from || i >= from + count) {
                    assertEquals(-7, all[i], about + ", beside at " + i);
                }
            }
            return Arrays.copyOfRange(all, from, from + count);
        }
    }

    private static int[] given(int rank, int call, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = (rank + 1) * 1_000_003 + call * 77 + i * 13;
        }
        return values;
    }

    /** What some first ranks have given, combined in their order. */
    private static int[] combined(Op op, int ranks, int call, int count) {
        int[] result = given(0, call, count);
        for (int r = 1; r < ranks; r++) {
            int[] right = given(r, call, count);
            for (int i = 0; i < count; i += 3) {
                if (op == PRODUCT) {
                    multiply(result, i, right, i, result, i);
                } else {
                    result[i] += right[i];
                    result[i + 1] += right[i + 1];
                    result[i + 2] += right[i + 2];
                }
            }
        }
        return result;
    }

    private static int[] block(int[] all, int block, int blocks) {
        int count = all.length / blocks;
        return Arrays.copyOfRange(all, block * count, (block + 1) * count);
    }

    /** The blocks of all ranks for one of them: rank r gives the block {@code 5 * to} of its own numbers. */
    private static int[] gathered(int ranks, int to, int call, int count) {
        int[] all = new int[ranks * count];
        for (int r = 0; r < ranks; r++) {
            System.arraycopy(given(r + 5 * to, call, count), 0, all, r * count, count);
        }
        return all;
    }

    /** The blocks that one rank gives to all. */
    private static int[] spread(int ranks, int from, int call, int count) {
        int[] all = new int[ranks * count];
        for (int to = 0; to < ranks; to++) {
            System.arraycopy(given(from + 5 * to, call, count), 0, all, to * count, count);
        }
        return all;
    }

    @Test
    void shouldGiveWhatASerialProgramGivesWhereverBuffersAre() {
        for (int size : new int[] {2, 3, 4}) {
            long seed = 41 + size;
            Worlds.run(size, world -> {
                Random random = new Random(seed);
                Random own = new Random(seed * 31 + world.communicator().rank());
                for (int i = 0; i < CALLS; i++) {
                    call(world, random, own, i, size + " ranks, seed " + seed + ", call " + i);
                }
            });
        }
    }

    /**
     * One call, whose result is checked.
     *
     * @param own random choices on which the ranks need not agree
     */
    private static void call(World world, Random random, Random own, int call, String about) {
        Communicator all = world.communicator();
        int rank = all.rank();
        int size = all.size();
        boolean plain = random.nextInt(3) == 0;
        int count = 3 * (1 + random.nextInt(MOST / 3));
        Op op = random.nextBoolean() ? PRODUCT : Op.SUM;
        Kind kind = KINDS[random.nextInt(KINDS.length)];
        int root = random.nextInt(size);
        boolean takesAll = kind == Kind.ALLGATHER || kind == Kind.ALLTOALL || kind == Kind.GATHER;
        boolean givesAll = kind == Kind.SCATTER || kind == Kind.ALLTOALL || kind == Kind.REDUCE_SCATTER_BLOCK;
        boolean mayBeInPlace = kind != Kind.BROADCAST && kind != Kind.REDUCE_SCATTER_BLOCK && kind != Kind.SCATTER
                && (kind != Kind.GATHER && kind != Kind.REDUCE || rank == root);
        boolean inPlace = own.nextInt(4) == 0 && mayBeInPlace;
        int[] mine = !givesAll ? given(rank, call, count)
                : kind == Kind.REDUCE_SCATTER_BLOCK ? given(rank, call, size * count) : spread(size, rank, call, count);
        int[] before = new int[takesAll ? size * count : count];
        if (inPlace) {
            System.arraycopy(mine, 0, before, takesAll && !givesAll ? rank * count : 0, mine.length);
        } else if (kind == Kind.BROADCAST && rank == root) {
            before = given(root, call, count);
        }
        int sort = plain ? 0 : own.nextInt(3);
        int level = own.nextInt(3);
        Buffer in = Buffer.of(world, sort, level, mine);
        Buffer out = Buffer.of(world, sort, own.nextBoolean() ? level : own.nextInt(3), before);
        int elements = sort == 0 ? count : 4 * count;
        Object from = inPlace ? Communicator.IN_PLACE : in.given();
        Operator typed = Op.operator(sort == 0 ? op : op.as(int.class));
        boolean combines = kind == Kind.ALLREDUCE || kind == Kind.REDUCE || kind == Kind.REDUCE_SCATTER_BLOCK
                || kind == Kind.SCAN || kind == Kind.EXSCAN;
        Runner runner = all.endpoint().collectives();
        runner.run(runner.bind(kind, kind == Kind.BROADCAST ? null : from, in.offset(), out.given(), out.offset(),
                elements, combines ? typed : null, root, true));
        int[] expected = switch (kind) {
            case BROADCAST -> given(root, call, count);
            case GATHER -> rank == root ? gathered(size, 0, call, count) : null;
            case SCATTER -> given(root + 5 * rank, call, count);
            case ALLGATHER -> gathered(size, 0, call, count);
            case ALLTOALL -> gathered(size, rank, call, count);
            case ALLREDUCE -> combined(op, size, call, count);
            case REDUCE -> rank == root ? combined(op, size, call, count) : null;
            case REDUCE_SCATTER_BLOCK -> block(combined(op, size, call, size * count), rank, size);
            case SCAN -> combined(op, rank + 1, call, count);
            default -> rank == 0 ? null : combined(op, rank, call, count);
        };
        if (expected != null) {
            assertArrayEquals(expected, out.values(about), () -> about + ", " + kind);
        }
        if (sort == 1) {
            world.free(in.memory);
            world.free(out.memory);
        }
    }

    @Test
    void shouldNeedNoMessagesWhereARankHasArrays() {
        Worlds.assumeOneHost();
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Runner runner = all.endpoint().collectives();
            Object[] buffers = {new byte[4 << 20], Arena.ofAuto().allocate(4L << 20, 8)};
            Operator op = Op.operator(Op.MAX.as(byte.class));
            for (Kind kind : new Kind[] {Kind.ALLREDUCE, Kind.ALLGATHER, Kind.ALLTOALL}) {
                for (String ranks : new String[] {"both", "one", "none"}) {
                    boolean hasArray = ranks.equals("both") || ranks.equals("one") && all.rank() == 0;
                    Object buffer = buffers[hasArray ? 0 : 1];
                    Collective call = runner.bind(kind, buffer, 0, buffer, 2 << 20, 1 << 20, op, 0, true);
                    runner.run(call);
                    assertEquals(ranks.equals("none"), call.hasProgram(), call.call + ", arrays at " + ranks);
                }
            }
        });
    }

    @Test
    void shouldTellOfRanksThatDoNotAgree() {
        RankwireException e = assertThrows(RankwireException.class, () -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            double[] in = new double[100_000 + all.rank()];
            all.allreduce(in, new double[in.length], Op.SUM);
        }));
        assertTrue(e.getMessage().contains("allreduce"), e.getMessage());
    }
}
