package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TopologyTest {
    private static final int RANKS = 5;

    /** mpiJava: ranks outside get null. */
    public static final class MpiJava implements Runnable {
        @Override
        public void run() {
            int me = MPI.COMM_WORLD.Rank();
            int[] dims = {0, 2};
            Cartcomm.Dims_create(4, dims);
            assertArrayEquals(new int[] {2, 2}, dims);
            Cartcomm grid = MPI.COMM_WORLD.Create_cart(dims, new boolean[] {true, false}, false);
            Graphcomm ring = MPI.COMM_WORLD.Create_graph(new int[] {1, 2, 4}, new int[] {1, 2, 0, 1}, false);
            if (me >= 4) {
                assertNull(grid);
                assertNull(ring);
                return;
            }
            assertEquals(MPI.CART, grid.Topo_test());
            assertEquals(me, grid.Rank(grid.Coords(me)));
            ShiftParms across = grid.Shift(1, 1);
            assertEquals(me % 2 == 0 ? MPI.PROC_NULL : me - 1, across.rank_source);
            assertEquals(me % 2 == 0 ? me + 1 : MPI.PROC_NULL, across.rank_dest);
            assertEquals((me + 2) % 4, grid.Shift(0, 1).rank_dest);
            CartParms parms = grid.Get();
            assertArrayEquals(new boolean[] {true, false}, parms.periods);
            assertArrayEquals(grid.Coords(me), parms.coords);
            Cartcomm row = grid.Sub(new boolean[] {false, true});
            assertEquals(2, row.Size());
            assertEquals(me % 2, row.Rank());
            assertEquals(me < 3 ? me : MPI.UNDEFINED, grid.Map(new int[] {3}, new boolean[] {false}));
            Cartcomm copy = grid.clone();
            assertEquals(MPI.CONGRUENT, Comm.Compare(copy, grid));
            copy.Free();
            if (me < 3) {
                assertEquals(MPI.GRAPH, ring.Topo_test());
                assertArrayEquals(new int[] {0, 1}, ring.Neighbours(2));
                assertArrayEquals(new int[] {1, 2, 4}, ring.Get().index);
                assertArrayEquals(new int[] {1, 2, 0, 1}, ring.Get().edges);
            }
        }
    }

    @Test
    void shouldMakeGridsAndGraphsOfMpiJava() {
        Jobs.run(RANKS, MpiJava.class);
    }

    /** Open MPI: ranks outside get communicators that are null. */
    public static final class OpenMpi implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            CartComm grid = all.createCart(new int[] {2, 2}, new boolean[2], true);
            assertEquals(me == 4, grid.isNull());
            if (me < 4) {
                assertEquals(me, grid.getRank(grid.getCoords(me)));
                assertEquals(2, grid.getTopo().getDimCount());
                assertEquals(me / 2, grid.getTopo().getCoord(0));
                assertEquals(me < 2 ? MPI.PROC_NULL : me - 2, grid.shift(0, 1).getRankSource());
                assertEquals(1, grid.sub(new boolean[2]).getSize());
                assertEquals(MPI.CART, grid.iDup().getTopology());
                Jobs.assertFails(MPI.ERR_RANK, () -> grid.getCoords(9));
            }
            int next = (me + 1) % RANKS;
            int before = (me + RANKS - 1) % RANKS;
            GraphComm ring = all.createDistGraphAdjacent(new int[] {before}, new int[] {3}, new int[] {next},
                    new int[] {4}, MPI.INFO_NULL, false);
            DistGraphNeighbors around = ring.getDistGraphNeighbors();
            assertEquals(MPI.DIST_GRAPH, ring.getTopology());
            assertTrue(around.isWeighted());
            assertEquals(before, around.getSource(0));
            assertEquals(3, around.getSourceWeight(0));
            assertEquals(next, around.getDestination(0));
            assertEquals(4, around.getDestinationWeight(0));
            GraphComm same = all.createDistGraph(new int[] {me}, new int[] {1}, new int[] {next}, MPI.INFO_NULL, false);
            assertFalse(same.getDistGraphNeighbors().isWeighted());
            assertEquals(1, same.getDistGraphNeighbors().getInDegree());
            assertEquals(before, same.getDistGraphNeighbors().getSource(0));
            GraphComm known = all.createGraph(new int[] {1, 2}, new int[] {1, 0}, false);
            assertEquals(me >= 2, known.isNull());
            if (me < 2) {
                assertEquals(2, known.getDims().getIndexCount());
                assertEquals(2, known.getDims().getEdgeCount());
                assertArrayEquals(new int[] {1 - me}, known.getNeighbors(me));
                assertEquals(me, known.map(new int[] {1, 2}, new int[] {1, 0}));
            }
        }
    }

    @Test
    void shouldMakeGridsAndGraphsOfOpenMpi() {
        Jobs.run(RANKS, OpenMpi.class);
    }

    /** Arrays that are longer than the neighbours are many, as in C. */
    public static final class LongArrays implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.getRank();
            int next = (me + 1) % RANKS;
            int before = (me + RANKS - 1) % RANKS;
            GraphComm ring = all.createDistGraphAdjacent(new int[] {before}, new int[] {1, 9, 9}, new int[] {next},
                    new int[] {1, 9}, MPI.INFO_NULL, false);
            assertEquals(1, ring.getDistGraphNeighbors().getOutDegree());
            GraphComm same = all.createDistGraph(new int[] {me}, new int[] {1, 7}, new int[] {next, 0, 0},
                    new int[] {5, 0, 0}, MPI.INFO_NULL, false);
            assertEquals(5, same.getDistGraphNeighbors().getSourceWeight(0));
            CartComm line = all.createCart(new int[] {RANKS}, new boolean[1], false);
            assertEquals(me, line.getRank(new int[] {me, 7}));
            assertEquals(RANKS, line.sub(new boolean[] {true, false, true}).getSize());
            int[] counts = {2, 0, 0};
            int[] displs = {1, 0, 0};
            int[] mine = {0, me, me + 1};
            int[] got = new int[3];
            ring.neighborAllToAllv(mine, counts, displs, MPI.INT, got, counts, displs, MPI.INT);
            assertArrayEquals(new int[] {0, before, before + 1}, got);
            got = new int[3];
            ring.neighborAllGatherv(mine, 2, MPI.INT, got, counts, displs, MPI.INT);
            assertArrayEquals(new int[] {0, 0, before}, got);
            IntBuffer from = MPI.newIntBuffer(3).put(1, me);
            IntBuffer to = MPI.newIntBuffer(3);
            ring.iNeighborAllToAllv(from, counts, displs, MPI.INT, to, counts, displs, MPI.INT).waitFor();
            assertEquals(before, to.get(1));
            ring.iNeighborAllGatherv(from, 2, MPI.INT, to, counts, displs, MPI.INT).waitFor();
            assertEquals(before, to.get(2));
        }
    }

    @Test
    void shouldTakeLongerArraysThanThereAreNeighbours() {
        Jobs.run(RANKS, LongArrays.class);
    }
}
