package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class CollectivesTest {
    private static final int RANKS = 4;

    /** mpiJava: arrays with offsets. */
    public static final class Offsets implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            int me = all.Rank();
            double[] one = {-1, me, me + 0.5};
            double[] whole = new double[2 * RANKS + 1];
            all.Gather(one, 1, 2, MPI.DOUBLE, whole, 1, 2, MPI.DOUBLE, 2);
            assertArrayEquals(me == 2 ? new double[] {0, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5} : new double[9], whole);
            double[] part = new double[3];
            all.Scatter(whole, 1, 2, MPI.DOUBLE, part, 1, 2, MPI.DOUBLE, 2);
            assertArrayEquals(new double[] {0, me, me + 0.5}, part);
            double[] everywhere = new double[9];
            all.Allgather(one, 1, 2, MPI.DOUBLE, everywhere, 1, 2, MPI.DOUBLE);
            assertEquals(3.5, everywhere[8]);

            // Longer arrays than needed are fine.
            int[] counts = {1, 2, 3, 4, 99};
            int[] displs = {9, 7, 4, 0, 99};
            int[] mine = new int[me + 1];
            Arrays.fill(mine, me);
            int[] backwards = {3, 3, 3, 3, 2, 2, 2, 1, 1, 0};
            int[] gathered = new int[11];
            all.Gatherv(mine, 0, me + 1, MPI.INT, gathered, 1, counts, displs, MPI.INT, 0);
            assertArrayEquals(me == 0 ? backwards : new int[10], Arrays.copyOfRange(gathered, 1, 11));
            int[] back = new int[me + 1];
            all.Scatterv(gathered, 1, counts, displs, MPI.INT, back, 0, me + 1, MPI.INT, 0);
            assertArrayEquals(mine, back);
            int[] known = new int[10];
            all.Allgatherv(mine, 0, me + 1, MPI.INT, known, 0, counts, displs, MPI.INT);
            assertArrayEquals(backwards, known);

            char[] letters = {'x', (char) ('a' + me), (char) ('b' + me), (char) ('c' + me), (char) ('d' + me)};
            char[] got = new char[5];
            all.Alltoall(letters, 1, 1, MPI.CHAR, got, 1, 1, MPI.CHAR);
            assertArrayEquals(new char[] {0, (char) ('a' + me), (char) ('b' + me), (char) ('c' + me),
                (char) ('d' + me)}, got);
            int[] ones = {1, 1, 1, 1};
            all.Alltoallv(letters, 1, ones, new int[] {3, 2, 1, 0}, MPI.CHAR, got, 0, ones, new int[] {0, 1, 2, 3},
                    MPI.CHAR);
            assertEquals((char) ('d' + 3 - me), got[3]);
            boolean[] flags = {false, me == 1};
            all.Bcast(flags, 1, 1, MPI.BOOLEAN, 1);
            assertEquals(true, flags[1]);
            all.Barrier();
        }
    }

    @Test
    void shouldMoveArraysFromOffsets() {
        Jobs.run(RANKS, Offsets.class);
    }

    /** Open MPI: direct buffers, at once and later, and in place. */
    public static final class Direct implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            IntBuffer whole = MPI.newIntBuffer(RANKS);
            whole.put(me, 10 + me);
            if (me == 1) {
                all.gather(whole, 1, MPI.INT, 1);
            } else {
                all.gather(MPI.slice(whole, me), 1, MPI.INT, 1);
            }
            assertEquals(me == 1 || me == 3 ? 13 : 0, whole.get(3));
            all.iScatter(me == 1 ? whole : MPI.slice(whole, me), 1, MPI.INT, 1).waitFor();
            assertEquals(10 + me, whole.get(me));
            all.iAllGather(whole, 1, MPI.INT).waitFor();
            assertEquals("10 11 12 13", text(whole));
            IntBuffer turned = MPI.newIntBuffer(RANKS);
            int[] ones = {1, 1, 1, 1};
            all.allToAllv(whole, ones, new int[] {0, 1, 2, 3}, MPI.INT, turned, ones, new int[] {3, 2, 1, 0}, MPI.INT);
            assertEquals(10 + me, turned.get(0));
            // Some ranks have arrays, others memory; some a layout, others elements in a row.
            Object mixed = me % 2 == 0 ? new int[] {me == 0 ? 7 : 0, 0, me == 0 ? 8 : 0} : turned.put(0, 0).put(1, 0);
            Datatype spread = Datatype.createVector(2, 1, 2, MPI.INT);
            all.bcast(mixed, me % 2 == 0 ? 1 : 2, me % 2 == 0 ? spread : MPI.INT, 0);
            assertEquals(8, me % 2 == 0 ? ((int[]) mixed)[2] : turned.get(1));
            gatherv(all, me);
        }

        private static void gatherv(Intracomm all, int me) {
            IntBuffer row = MPI.newIntBuffer(2 * RANKS);
            int[] counts = {2, 2, 2, 2};
            int[] displs = {6, 4, 2, 0};
            row.put(displs[me], me).put(displs[me] + 1, me);
            if (me == 3) {
                all.gatherv(row, counts, displs, MPI.INT, 3);
                assertEquals("3 3 2 2 1 1 0 0", text(row));
                all.iScatterv(row, counts, displs, MPI.INT, 3).waitFor();
            } else {
                all.gatherv(MPI.slice(row, displs[me]), 2, MPI.INT, 3);
                IntBuffer two = MPI.newIntBuffer(2);
                all.iScatterv(two, 2, MPI.INT, 3).waitFor();
                assertEquals(me + " " + me, text(two));
            }
        }

        private static String text(IntBuffer buffer) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < buffer.capacity(); i++) {
                text.append(i == 0 ? "" : " ").append(buffer.get(i));
            }
            return text.toString();
        }
    }

    @Test
    void shouldMoveDirectBuffersInPlaceAndLater() {
        Jobs.run(RANKS, Direct.class);
    }

    /** Displacements in bytes, a type for each block. */
    public static final class Types implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            ByteBuffer from = ByteBuffer.allocateDirect(RANKS * 16).order(ByteOrder.nativeOrder());
            ByteBuffer to = ByteBuffer.allocateDirect(RANKS * 16).order(ByteOrder.nativeOrder());
            int[] counts = new int[RANKS];
            int[] displs = new int[RANKS];
            Datatype[] sent = new Datatype[RANKS];
            Datatype[] received = new Datatype[RANKS];
            for (int i = 0; i < RANKS; i++) {
                counts[i] = 1;
                displs[i] = 16 * i;
                sent[i] = i % 2 == 0 ? MPI.INT : MPI.DOUBLE;
                received[i] = me % 2 == 0 ? MPI.INT : MPI.DOUBLE;
                if (i % 2 == 0) {
                    from.putInt(16 * i, 100 * me + i);
                } else {
                    from.putDouble(16 * i, 100 * me + i);
                }
            }
            all.allToAllw(from, counts, displs, sent, to, counts, displs, received);
            for (int i = 0; i < RANKS; i++) {
                assertEquals(100 * i + me, me % 2 == 0 ? to.getInt(16 * i) : to.getDouble(16 * i));
            }
            ByteBuffer later = ByteBuffer.allocateDirect(RANKS * 16).order(ByteOrder.nativeOrder());
            all.iAllToAllw(from, counts, displs, sent, later, counts, displs, received).waitFor();
            assertEquals(to, later);
        }
    }

    @Test
    void shouldExchangeBlocksOfSeveralTypes() {
        Jobs.run(RANKS, Types.class);
    }

    /** A ring of ranks. */
    public static final class Neighbours implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            Intracomm ring = new Intracomm(
                    all.on.intra.cartesian(new int[] {RANKS}, new boolean[] {true}).orElseThrow(), MPI.ERRORS_RETURN);
            int me = ring.getRank();
            int before = (me + RANKS - 1) % RANKS;
            int behind = (me + 1) % RANKS;
            int[] got = new int[2];
            ring.neighborAllGather(new int[] {me}, 1, MPI.INT, got, 1, MPI.INT);
            assertArrayEquals(new int[] {before, behind}, got);
            IntBuffer two = MPI.newIntBuffer(2).put(0, 10 * me).put(1, 10 * me + 1);
            IntBuffer later = MPI.newIntBuffer(2);
            ring.iNeighborAllToAll(two, 1, MPI.INT, later, 1, MPI.INT).waitFor();
            assertEquals(10 * before + 1, later.get(0));
            assertEquals(10 * behind, later.get(1));
            int[] swapped = new int[2];
            int[] ones = {1, 1};
            ring.neighborAllToAllv(new int[] {10 * me, 10 * me + 1}, ones, new int[] {0, 1}, MPI.INT, swapped, ones,
                    new int[] {1, 0}, MPI.INT);
            assertArrayEquals(new int[] {10 * behind, 10 * before + 1}, swapped);
            ring.neighborAllGatherv(new int[] {me}, 1, MPI.INT, swapped, ones, new int[] {1, 0}, MPI.INT);
            assertArrayEquals(new int[] {behind, before}, swapped);
            Jobs.assertFails(MPI.ERR_TOPOLOGY, () -> all.neighborAllGather(got, 1, MPI.INT, got, 1, MPI.INT));
        }
    }

    @Test
    void shouldExchangeWithNeighbours() {
        Jobs.run(RANKS, Neighbours.class);
    }

    /** Calls that cannot be made. */
    public static final class Wrong implements Runnable {
        @Override
        public void run() {
            Comm all = MPI.COMM_WORLD;
            Jobs.assertFails(MPI.ERR_ROOT, () -> all.Bcast(new int[1], 0, 1, MPI.INT, 7), "root", "7");
            Jobs.assertFails(MPI.ERR_COUNT, () -> all.Bcast(new int[1], 0, 2, MPI.INT, 0), "count");
            Jobs.assertFails(MPI.ERR_TYPE, () -> all.bcast(new int[1], 1, null, 0), "type");
            Jobs.assertFails(MPI.ERR_OP, () -> all.allReduce(new int[1], 1, MPI.INT, null), "op");
        }
    }

    @Test
    void shouldTellWhatIsWrong() {
        Jobs.run(1, Wrong.class);
    }
}
