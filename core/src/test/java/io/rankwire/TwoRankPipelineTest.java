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

/** Large collectives of two ranks, in pieces: heap arrays and native memory, mixed among the ranks and calls. */
@Timeout(300)
class TwoRankPipelineTest {
    private static final int CALLS = 150;
    private static final int MOST = 80_000;
    /** Not commutative, and its groups of three do not fill a piece. */
    private static final Op TURNED = Op.of("turned", false, 3, (left, l, right, r, target, t, count) -> {
        int[] a = (int[]) left;
        int[] b = (int[]) right;
        for (int i = 0; i < count; i += 3) {
            int first = a[l + i] * 3 + b[r + i + 1];
            int second = a[l + i + 1] * 5 + b[r + i + 2];
            int third = a[l + i + 2] * 7 + b[r + i];
            ((int[]) target)[t + i] = first;
            ((int[]) target)[t + i + 1] = second;
            ((int[]) target)[t + i + 2] = third;
        }
    });

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
                assertTrue(i >= from && i < from + count || all[i] == -7, about + ", beside at " + i);
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

    private static int[] combined(Op op, int call, int count) {
        int[] left = given(0, call, count);
        int[] right = given(1, call, count);
        int[] result = new int[count];
        for (int i = 0; i < count; i++) {
            int group = i / 3 * 3;
            result[i] = op == TURNED
                    ? left[i] * (3 + 2 * (i - group)) + right[group + (i - group + 1) % 3] : left[i] + right[i];
        }
        return result;
    }

    @Test
    void shouldGiveWhatASerialProgramGivesWhereverBuffersAre() {
        long seed = 41;
        Ranks.run(2, world -> {
            Random random = new Random(seed);
            Random own = new Random(seed * 31 + world.communicator().rank());
            for (int i = 0; i < CALLS; i++) {
                call(world, random, own, i, "seed " + seed + ", call " + i);
            }
        });
    }

    /** @param own random choices on which the ranks need not agree */
    private static void call(World world, Random random, Random own, int call, String about) {
        Communicator all = world.communicator();
        int rank = all.rank();
        boolean plain = random.nextInt(3) == 0;
        int count = 3 * (1 + random.nextInt(MOST / 3));
        Op op = random.nextBoolean() ? TURNED : Op.SUM;
        int kind = random.nextInt(3);
        int blocks = kind == 0 ? 1 : 2;
        boolean inPlace = own.nextInt(4) == 0;
        int level = own.nextInt(3);
        int[] mine = kind == 2 ? twice(given(rank, call, count), given(rank + 5, call, count))
                : given(rank, call, count);
        int[] before = new int[blocks * count];
        if (inPlace) {
            System.arraycopy(mine, 0, before, kind == 1 ? rank * count : 0, mine.length);
        }
        int sort = plain ? 0 : own.nextInt(3);
        Buffer in = Buffer.of(world, sort, level, mine);
        Buffer out = Buffer.of(world, sort, own.nextBoolean() ? level : own.nextInt(3), before);
        int elements = sort == 0 ? count : 4 * count;
        Object from = inPlace ? Communicator.IN_PLACE : in.given();
        switch (kind) {
            case 0 -> {
                Op typed = sort == 0 ? op : op.as(int.class);
                all.allreduce(from, in.offset(), out.given(), out.offset(), elements, typed);
                assertArrayEquals(combined(op, call, count), out.values(about), about);
            }
            case 1 -> {
                all.allgather(from, in.offset(), out.given(), out.offset(), elements);
                assertArrayEquals(twice(given(0, call, count), given(1, call, count)), out.values(about), about);
            }
            default -> {
                all.alltoall(from, in.offset(), out.given(), out.offset(), elements);
                int block = rank == 0 ? 0 : 5;
                assertArrayEquals(
                        twice(given(block, call, count), given(1 + block, call, count)), out.values(about), about);
            }
        }
        if (sort == 1) {
            world.free(in.memory);
            world.free(out.memory);
        }
    }

    private static int[] twice(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void shouldNeedNoMessagesWhereARankHasArrays() {
        Ranks.run(2, world -> {
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
        RankwireException e = assertThrows(RankwireException.class, () -> Ranks.run(2, world -> {
            Communicator all = world.communicator();
            double[] in = new double[100_000 + all.rank()];
            all.allreduce(in, new double[in.length], Op.SUM);
        }));
        assertTrue(e.getMessage().contains("allreduce"), e.getMessage());
    }
}
