package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.IntBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ranks on one side, three on the other. */
@Timeout(300)
class InterCollectivesTest {
    private static final int RANKS = 5;

    private static boolean isLow() {
        return MPI.COMM_WORLD.getRank() < 2;
    }

    private static Intercomm between() {
        Intracomm side = MPI.COMM_WORLD.split(isLow() ? 0 : 1, 0);
        return MPI.COMM_WORLD.createIntercomm(side, 0, isLow() ? 2 : 0, 1);
    }

    /** With a root on the low side. */
    public static final class Rooted implements Runnable {
        @Override
        public void run() {
            Intercomm both = between();
            int me = both.getRank();
            int root = isLow() ? me == 1 ? MPI.ROOT : MPI.PROC_NULL : 1;
            Datatype spread = Datatype.createVector(2, 1, 2, MPI.INT);
            int[] data = {isLow() ? 5 : 0, 1, isLow() ? 6 : 0};
            both.bcast(data, 1, spread, root);
            assertArrayEquals(root == MPI.PROC_NULL ? data : new int[] {5, 1, 6}, data);
            IntBuffer two = MPI.newIntBuffer(2).put(0, isLow() ? 8 : 0);
            both.iBcast(two, 2, MPI.INT, root).waitFor();
            assertEquals(8, two.get(0));

            int[] gathered = new int[6];
            both.gather(new int[] {me, 0, 10 * me}, 1, spread, gathered, 2, MPI.INT, root);
            assertArrayEquals(root == MPI.ROOT ? new int[] {0, 0, 1, 10, 2, 20} : new int[6], gathered);
            int[] got = new int[2];
            both.scatter(gathered, 2, MPI.INT, got, 2, MPI.INT, root);
            assertArrayEquals(root >= 0 ? new int[] {me, 10 * me} : new int[2], got);
            int[] counts = {1, 2, 3};
            int[] displs = {5, 3, 0};
            both.gatherv(new int[] {me, me, me}, me + 1, MPI.INT, gathered, counts, displs, MPI.INT, root);
            assertArrayEquals(root == MPI.ROOT ? new int[] {2, 2, 2, 1, 1, 0} : new int[6], gathered);
            IntBuffer direct = MPI.newIntBuffer(6);
            direct.put(0, gathered);
            IntBuffer back = MPI.newIntBuffer(3);
            both.scatterv(direct, counts, displs, MPI.INT, back, me + 1, MPI.INT, root);
            assertEquals(root >= 0 ? me : 0, back.get(me));
            int[] sum = new int[2];
            both.reduce(new int[] {me, 1}, sum, 2, MPI.INT, MPI.SUM, root);
            assertArrayEquals(root == MPI.ROOT ? new int[] {3, 3} : new int[2], sum);
            IntBuffer most = MPI.newIntBuffer(2);
            both.reduce(MPI.newIntBuffer(2).put(0, me).put(1, 7 + me), most, 1, MPI.INT2, MPI.MAXLOC, root);
            assertEquals(root == MPI.ROOT ? 9 : 0, most.get(1));
            both.Barrier();
        }
    }

    @Test
    void shouldMoveDataToAndFromARoot() {
        Jobs.run(RANKS, Rooted.class);
    }

    /** Both sides give and get. */
    public static final class All implements Runnable {
        @Override
        public void run() {
            Intercomm both = between();
            int me = both.getRank();
            int far = both.getRemoteSize();
            int sum = far * (far - 1) / 2;
            int[] known = new int[far];
            both.allGather(new int[] {10 + me}, 1, MPI.INT, known, 1, MPI.INT);
            assertEquals(10 + far - 1, known[far - 1]);
            IntBuffer total = MPI.newIntBuffer(1);
            both.allReduce(MPI.newIntBuffer(1).put(0, me), total, 1, MPI.INT, MPI.SUM);
            assertEquals(sum, total.get(0));
            int[] mine = new int[far];
            int[] counts = new int[far];
            int[] displs = new int[far];
            for (int i = 0; i < far; i++) {
                mine[i] = 100 * me + i;
                counts[i] = 1;
                displs[i] = far - 1 - i;
            }
            int[] got = new int[far];
            both.allToAll(mine, 1, MPI.INT, got, 1, MPI.INT);
            assertEquals(100 * (far - 1) + me, got[far - 1]);
            both.Alltoallv(mine, 0, counts, displs, MPI.INT, got, 0, counts, displs, MPI.INT);
            assertEquals(100 * (far - 1) + both.getSize() - 1 - me, got[0]);
            Datatype[] types = new Datatype[far];
            Arrays.fill(types, MPI.INT);
            for (int i = 0; i < far; i++) {
                displs[i] = 4 * i;
            }
            both.allToAllw(mine, counts, displs, types, got, counts, displs, types);
            assertEquals(100 * (far - 1) + me, got[far - 1]);
            int[] six = {1, 2, 3, 4, 5, 6};
            int each = 6 / both.getSize();
            int[] part = new int[each];
            both.reduceScatterBlock(six, part, each, MPI.INT, MPI.SUM);
            assertEquals(far * (each * me + 1), part[0]);
            int[] parts = new int[both.getSize()];
            Arrays.fill(parts, each);
            both.Reduce_scatter(new int[] {0, 1, 2, 3, 4, 5, 6}, 1, part, 0, parts, MPI.INT, MPI.PROD);
            assertEquals((int) Math.pow(each * me + 1, far), part[0]);

            String[] names = new String[far];
            both.Allgather(new String[] {"name " + me}, 0, 1, MPI.OBJECT, names, 0, 1, MPI.OBJECT);
            assertEquals("name " + (far - 1), names[far - 1]);
        }
    }

    @Test
    void shouldExchangeDataOfBothSides() {
        Jobs.run(RANKS, All.class);
    }
}
