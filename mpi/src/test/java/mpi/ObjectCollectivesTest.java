package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ObjectCollectivesTest {
    private static final int RANKS = 3;

    private static String word(int i) {
        return "word".repeat(50 * i) + i;
    }

    /** Every call that moves data. */
    public static final class Moves implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int me = all.Rank();
            String[] shared = {"", me == 1 ? word(9) : null};
            all.Bcast(shared, 1, 1, MPI.OBJECT, 1);
            assertEquals(word(9), shared[1]);
            String[] mine = {null, word(me)};
            String[] whole = new String[RANKS + 1];
            all.Gather(mine, 1, 1, MPI.OBJECT, whole, 1, 1, MPI.OBJECT, 2);
            String[] words = {null, word(0), word(1), word(2)};
            assertArrayEquals(me == 2 ? words : new String[4], whole);
            String[] got = new String[2];
            all.Scatter(whole, 1, 1, MPI.OBJECT, got, 1, 1, MPI.OBJECT, 2);
            assertArrayEquals(mine, got);
            all.Allgather(mine, 1, 1, MPI.OBJECT, whole, 1, 1, MPI.OBJECT);
            assertArrayEquals(words, whole);
            Object[] sent = {me, me + 0.5, new int[] {me}};
            Object[] received = new Object[RANKS];
            all.Alltoall(sent, 0, 1, MPI.OBJECT, received, 0, 1, MPI.OBJECT);
            if (me == 2) {
                assertArrayEquals(new int[] {2}, (int[]) received[2]);
            } else {
                assertEquals(me == 0 ? (Object) 2 : (Object) 2.5, received[2]);
            }
            int[] counts = {0, 1, 2};
            int[] displs = {0, 2, 0};
            Object[] blocks = new Object[me];
            Arrays.fill(blocks, "of " + me);
            Object[] back = new Object[3];
            all.Allgatherv(blocks, 0, me, MPI.OBJECT, back, 0, counts, displs, MPI.OBJECT);
            assertArrayEquals(new Object[] {"of 2", "of 2", "of 1"}, back);
            Object[] some = new Object[3];
            all.Gatherv(blocks, 0, me, MPI.OBJECT, some, 0, counts, displs, MPI.OBJECT, 0);
            assertArrayEquals(me == 0 ? back : new Object[3], some);
            Object[] own = new Object[me];
            all.Scatterv(back, 0, counts, displs, MPI.OBJECT, own, 0, me, MPI.OBJECT, 1);
            assertArrayEquals(blocks, own);
            all.Alltoallv(back, 0, new int[] {1, 1, 1}, new int[] {0, 1, 2}, MPI.OBJECT, some, 0,
                    new int[] {1, 1, 1}, new int[] {2, 1, 0}, MPI.OBJECT);
            assertEquals(back[me], some[0]);
            Datatype second = Datatype.Vector(2, 1, 2, MPI.OBJECT);
            Object[] spread = new Object[9];
            all.Allgather(new Object[] {me, me + 10}, 0, 2, MPI.OBJECT, spread, 0, 1, second);
            assertArrayEquals(new Object[] {0, null, 10, 1, null, 11, 2, null, 12}, spread);
        }
    }

    @Test
    void shouldMoveObjects() {
        Jobs.run(RANKS, Moves.class);
    }

    /** Words behind each other, in the order of ranks. */
    public static final class Sums implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int me = all.Rank();
            Op join = new Op(new User_function() {
                @Override
                public void Call(Object in, int inAt, Object inOut, int at, int count, Datatype type) {
                    for (int i = 0; i < count; i++) {
                        ((String[]) inOut)[at + i] = ((String[]) in)[inAt + i] + ((String[]) inOut)[at + i];
                    }
                }
            }, false);
            String[] mine = {null, "a" + me, "b" + me, "c" + me};
            String[] out = new String[4];
            all.Reduce(mine, 1, out, 1, 3, MPI.OBJECT, join, 1);
            String[] joined = {null, "a0a1a2", "b0b1b2", "c0c1c2"};
            assertArrayEquals(me == 1 ? joined : new String[4], out);
            all.Allreduce(mine, 1, out, 1, 3, MPI.OBJECT, join);
            assertArrayEquals(joined, out);
            all.Scan(mine, 1, out, 0, 1, MPI.OBJECT, join);
            assertEquals("a0a1a2".substring(0, 2 * me + 2), out[0]);
            all.Reduce_scatter(mine, 1, out, 0, new int[] {1, 1, 1}, MPI.OBJECT, join);
            assertEquals(joined[me + 1], out[0]);
            Jobs.assertFails(MPI.ERR_OP, () -> all.Allreduce(mine, 0, out, 0, 1, MPI.OBJECT, MPI.SUM), "objects");
        }
    }

    @Test
    void shouldCombineObjectsInTheOrderOfRanks() {
        Jobs.run(RANKS, Sums.class);
    }

    /** The overloads of one buffer, and prefixes that leave the rank itself out. */
    public static final class InPlace implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            String[] words = {word(0), word(1), word(2)};
            String[] row = me == 1 ? new String[] {null, word(1), null} : new String[] {word(me)};
            String own = row[row.length / 2];
            all.gather(row, 1, MPI.OBJECT, 1);
            assertArrayEquals(me == 1 ? words : new String[] {word(me)}, row);
            assertSame(own, row[row.length / 2]);
            String[] part = me == 1 ? words.clone() : new String[1];
            all.scatter(part, 1, MPI.OBJECT, 1);
            assertArrayEquals(me == 1 ? words : new String[] {word(me)}, part);
            String[] every = new String[RANKS];
            every[me] = word(me);
            all.allGather(every, 1, MPI.OBJECT);
            assertArrayEquals(words, every);
            String[] parts = new String[4];
            Arrays.fill(parts, me == 0 ? 0 : 2 * me - 1, me == 0 ? 1 : Math.min(4, 2 * me + 1), "of " + me);
            all.allGatherv(parts, new int[] {1, 2, 1}, new int[] {0, 1, 3}, MPI.OBJECT);
            assertArrayEquals(new String[] {"of 0", "of 1", "of 1", "of 2"}, parts);
            Op join = new Op(new Joins(), false);
            String[] sum = {"a" + me, "b" + me, "c" + me};
            String[] mine = sum.clone();
            all.reduce(sum, 3, MPI.OBJECT, join, 2);
            String[] joined = {"a0a1a2", "b0b1b2", "c0c1c2"};
            assertArrayEquals(me == 2 ? joined : mine, sum);
            sum = mine.clone();
            all.allReduce(sum, 3, MPI.OBJECT, join);
            assertArrayEquals(joined, sum);
            sum = mine.clone();
            all.reduceScatter(sum, new int[] {1, 1, 1}, MPI.OBJECT, join);
            assertEquals(joined[me], sum[0]);
            sum = mine.clone();
            all.scan(sum, 1, MPI.OBJECT, join);
            assertEquals("a0a1a2".substring(0, 2 * me + 2), sum[0]);
            sum = mine.clone();
            all.exScan(sum, 1, MPI.OBJECT, join);
            assertEquals(me == 0 ? "a0" : "a0a1a2".substring(0, 2 * me), sum[0]);
            String[] before = {"before"};
            all.exScan(mine, before, 1, MPI.OBJECT, join);
            assertEquals(me == 0 ? "before" : "a0a1a2".substring(0, 2 * me), before[0]);
            String[] right = {"right"};
            Comm.reduceLocal(new String[] {"left"}, right, 1, MPI.OBJECT, join);
            assertEquals("leftright", right[0]);
        }
    }

    /** One word behind the other. */
    public static final class Joins extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            for (int i = 0; i < count; i++) {
                ((Object[]) inOut)[i] = "" + ((Object[]) in)[i] + ((Object[]) inOut)[i];
            }
        }
    }

    @Test
    void shouldLeaveObjectsInPlace() {
        Jobs.run(RANKS, InPlace.class);
    }
}
