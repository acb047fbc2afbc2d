package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GroupTest {
    /** Sets of ranks in both dialects. */
    public static final class Sets implements Runnable {
        @Override
        public void run() {
            int me = MPI.COMM_WORLD.getRank();
            Group all = MPI.COMM_WORLD.getGroup();
            assertEquals(4, all.Size());
            assertEquals(me, all.Rank());
            Group even = all.Incl(new int[] {2, 0});
            Group odd = all.excl(new int[] {0, 2});
            assertEquals(me % 2 == 0 ? (me == 2 ? 0 : 1) : MPI.UNDEFINED, even.getRank());
            assertArrayEquals(new int[] {MPI.UNDEFINED, 1, MPI.PROC_NULL},
                    Group.Translate_ranks(all, new int[] {1, 0, MPI.PROC_NULL}, even));
            assertEquals(MPI.IDENT, Group.Compare(all, Group.union(all, odd)));
            assertEquals(MPI.SIMILAR, Group.compare(all, Group.Union(even, odd)));
            assertEquals(MPI.UNEQUAL, Group.compare(even, odd));
            assertEquals(MPI.IDENT, Group.Compare(MPI.GROUP_EMPTY, Group.Intersection(even, odd)));
            assertEquals(MPI.IDENT, Group.compare(odd, Group.difference(all, even)));
            assertEquals(MPI.IDENT, Group.compare(odd, all.Range_incl(new int[][] {{1, 3, 2}})));
            assertEquals(MPI.IDENT, Group.compare(odd, all.rangeExcl(new int[][] {{2, 0, -2}})));
            Jobs.assertFails(MPI.ERR_RANK, () -> all.Incl(new int[] {4}), "4");
            Jobs.assertFails(MPI.ERR_ARG, () -> all.rangeIncl(new int[][] {{1, 3, 0}}), "step");
            odd.free();
            assertTrue(odd.isNull());
            Jobs.assertFails(MPI.ERR_GROUP, odd::getSize, "null");
        }
    }

    @Test
    void shouldDoSetsInBothDialects() {
        Jobs.run(4, Sets.class);
    }

    /** Communicators made of parts. */
    public static final class Parts implements Runnable {
        @Override
        public void run() {
            Intracomm all = MPI.COMM_WORLD;
            int me = all.Rank();
            Intracomm half = all.Split(me % 2, -me);
            assertEquals(2, half.Size());
            assertEquals(me < 2 ? 1 : 0, half.Rank());
            assertEquals(me == 3, all.split(me == 3 ? MPI.UNDEFINED : 0, 0).isNull());
            assertEquals(me == 3, all.Split(me == 3 ? MPI.UNDEFINED : 0, 0) == MPI.COMM_NULL);
            Group first = all.Group().Incl(new int[] {0, 1});
            assertEquals(me > 1, all.create(first).isNull());
            assertEquals(me > 1, all.Create(first) == null);
            Intracomm copy = all.clone();
            assertEquals(MPI.CONGRUENT, Comm.Compare(all, copy));
            copy.Free();
            assertTrue(copy.isNull());
            Intercomm between = all.Create_intercomm(half, 0, 3 - me % 2 == 3 ? 3 : 2, 5);
            assertEquals(2, between.Remote_size());
            assertTrue(between.isInter());
            int[] word = {me};
            between.Sendrecv_replace(word, 0, 1, MPI.INT, half.Rank(), 1, half.Rank(), 1);
            assertEquals(me ^ 1, word[0]);
            Intracomm merged = between.merge(me % 2 == 1);
            assertEquals(4, merged.getSize());
            assertEquals(me % 2 * 2 + half.Rank(), merged.Rank());
        }
    }

    @Test
    void shouldMakeCommunicatorsOfParts() {
        Jobs.run(4, Parts.class);
    }
}
