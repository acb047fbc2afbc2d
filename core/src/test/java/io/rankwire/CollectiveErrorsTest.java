package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.type.ElementType;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collective calls that are wrong: alone, or because the ranks do not agree. */
@Timeout(120)
final class CollectiveErrorsTest {
    private static RankwireException failure(int ranks, World.Body body) {
        return assertThrows(RankwireException.class, () -> World.run(ranks, body));
    }

    private static void assertTells(RankwireException failure, String... parts) {
        for (String part : parts) {
            assertTrue(failure.getMessage().contains(part), () -> part + " is not in: " + failure.getMessage());
        }
    }

    @Test
    void shouldTellBothCallsAndLinesWhenRanksMakeDifferentCalls() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.allreduce(new double[4], new double[4], Op.SUM);
            } else {
                all.barrier();
            }
        });
        assertTells(failure, "allreduce of 4 × double, sum", "barrier", "CollectiveErrorsTest.java:");
        assertEquals(ErrorClass.COLLECTIVE, failure.errorClass());
        assertEquals(2, failure.getMessage().split("CollectiveErrorsTest.java:", -1).length - 1,
                "both lines in: " + failure.getMessage());
    }

    @Test
    void shouldTellWhenCountsDiffer() {
        RankwireException failure = failure(3, world -> {
            Communicator all = world.communicator();
            int count = all.rank() == 2 ? 5 : 4;
            all.allreduce(new double[count], new double[count], Op.SUM);
        });
        assertTells(failure, "allreduce of ", "another call there", "CollectiveErrorsTest.java:");
    }

    @Test
    void shouldTellWhenOperationsDiffer() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            all.allreduce(new double[1], new double[1], all.rank() == 0 ? Op.SUM : Op.MAX);
        });
        assertTells(failure, "allreduce of 1 × double, ", "or the same with other arguments");
    }

    @Test
    void shouldTellRootsAndOperationsApartForCertain() {
        Op[] ops = {Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.REPLACE,
            Op.NO_OP, Op.MINLOC, Op.MAXLOC};
        for (long bytes : new long[] {0, 8, 1 << 20}) {
            Set<Integer> seen = new HashSet<>();
            for (int root = 0; root < 256; root++) {
                for (Op op : ops) {
                    seen.add(new Shape(CollectiveKind.REDUCE, root, bytes, ElementType.LONG, op, false).agreement());
                }
            }
            assertEquals(256 * ops.length, seen.size());
        }
    }

    /** Two operations that the tag of one call does not tell apart: those of the calls behind it do. */
    @Test
    void shouldTellAtALaterCallWhatOneCallDoesNotShow() {
        Op one = Op.ofLongs("one", true, Long::sum);
        int agreement = new Shape(CollectiveKind.ALLREDUCE, 0, 8, ElementType.LONG, one, false).agreement();
        Op other = one;
        for (int i = 0; other == one; i++) {
            Op tried = Op.ofLongs("other" + i, true, Math::max);
            if (new Shape(CollectiveKind.ALLREDUCE, 0, 8, ElementType.LONG, tried, false).agreement() == agreement) {
                other = tried;
            }
        }
        Op alike = other;
        int[] made = new int[2];
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            all.iallreduce(new long[1], new long[1], all.rank() == 0 ? one : alike).await();
            made[all.rank()] = 1;
            for (int i = 0; i < 3; i++) {
                all.barrier();
            }
        });
        assertEquals(2, made[0] + made[1], "the first call goes unnoticed");
        assertTells(failure, "rank 0", "rank 1", "barrier", "the two differed in a call before");
        assertEquals(2, failure.getMessage().split("CollectiveErrorsTest.java:", -1).length - 1);
    }

    @Test
    void shouldTellWhenRootsDifferAtTheNextCall() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            all.broadcast(new int[3], all.rank());
            all.barrier();
            if (all.rank() == 0) {
                all.receive(new int[1], 1, 1);
            } else {
                all.allreduce(new int[1], new int[1], Op.SUM);
            }
        });
        assertTells(failure, "broadcast");
    }

    @Test
    void shouldTellWhenOneCallIsSmallAndTheOtherLarge() {
        for (int small = 0; small < 2; small++) {
            int who = small;
            RankwireException failure = failure(2, world -> {
                Communicator all = world.communicator();
                int count = all.rank() == who ? 1 : 1 << 20;
                all.allreduce(new double[count], new double[count], Op.SUM);
            });
            assertTells(failure, "allreduce of ", "another call there", "CollectiveErrorsTest.java:");
        }
    }

    @Test
    void shouldTellWhenOneFormBlocksAndTheOtherDoesNot() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.barrier();
            } else {
                all.ibarrier().await();
            }
        });
        assertTells(failure, "barrier", "in another form");
    }

    @Test
    void shouldTellWhenTypesDiffer() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            Object buffer = all.rank() == 0 ? new double[2] : new long[2];
            all.broadcast(buffer, 0);
        });
        assertTells(failure, "broadcast of 2 × long", "rank 0 sent 16 bytes of double", "CollectiveErrorsTest.java:");
        assertEquals(ErrorClass.COLLECTIVE, failure.errorClass());
    }

    @Test
    void shouldRefuseWrongArgumentsBeforeAnythingIsSent() {
        World.run(1, world -> {
            Communicator all = world.communicator();
            double[] two = new double[2];
            assertTells(assertThrows(RankwireException.class, () -> all.broadcast(two, 1)), "argument root: 1");
            assertTells(assertThrows(RankwireException.class, () -> all.allreduce(two, new int[2], Op.SUM)),
                    "of double and of int");
            assertTells(assertThrows(RankwireException.class, () -> all.allreduce(two, new double[1], Op.SUM)),
                    "do not fit");
            assertTells(assertThrows(RankwireException.class, () -> all.allreduce(two, two.clone(), Op.BAND)),
                    "band does not combine double");
            assertTells(assertThrows(RankwireException.class, () -> all.allreduce(two, two.clone(), null)),
                    "op is null");
            assertTells(assertThrows(RankwireException.class,
                    () -> all.allreduce(new double[3], new double[3], Op.MINLOC)), "no whole number of 2 × double");
            assertTells(assertThrows(RankwireException.class,
                    () -> all.gatherv(two, 0, 2, two.clone(), new int[2], new int[1], 0)), "one entry for each of 1");
            all.allreduce(two, two.clone(), Op.SUM);
        });
    }

    @Test
    void shouldTellWhenDatatypesDiffer() {
        Datatype column = Datatype.vector(4, 1, 2, Datatype.INT);
        assertTells(failure(2, world -> {
            Communicator all = world.communicator();
            all.allgather(new int[8], 0, all.rank() + 1, Datatype.INT, new int[8], 0, all.rank() + 1, Datatype.INT);
        }), "allgather of ", "another call there", "CollectiveErrorsTest.java:");
        assertTells(failure(2, world -> {
            Communicator all = world.communicator();
            Object buffer = all.rank() == 0 ? new int[8] : new float[4];
            all.broadcast(buffer, 0, all.rank() == 0 ? 1 : 4, all.rank() == 0 ? column : Datatype.FLOAT, 0);
        }), "rank 0 sent 16 bytes of int where 16 bytes of float were expected");
        assertTells(failure(2, world -> {
            Communicator all = world.communicator();
            Datatype[] types = {column, column};
            all.alltoallw(new int[64], new int[] {1, 1}, new long[2], types, new int[64],
                    all.rank() == 0 ? new int[] {1, 1} : new int[] {2, 1}, new long[] {0, 128}, types);
        }), "alltoallw", "rank 0 sent 16 bytes of int where 32 bytes of int were expected");
    }

    @Test
    void shouldTellWhenNeighboursDiffer() {
        assertTells(failure(2, world -> {
            CartesianCommunicator ring =
                    world.communicator().cartesian(new int[] {2}, new boolean[] {true}).orElseThrow();
            int n = ring.rank() + 1;
            ring.neighbourAlltoall(new int[2 * n], new int[2 * n]);
        }), "neighbourAlltoall of ", "another call there", "CollectiveErrorsTest.java:");
        assertTells(failure(2, world -> {
            CartesianCommunicator ring =
                    world.communicator().cartesian(new int[] {2}, new boolean[] {true}).orElseThrow();
            int n = ring.rank() == 0 ? 50_000 : 20_000;
            ring.neighbourAllgatherv(new int[n], 0, n, new int[2 * n], new int[] {n, n}, new int[] {0, n});
        }), "neighbourAllgatherv", "rank ", "200000 bytes of int", "80000 bytes of int");
    }

    @Test
    void shouldTellWhoseFailureEndedACollective() {
        RankwireException failure = failure(4, world -> {
            if (world.communicator().rank() == 2) {
                throw new IllegalStateException("had enough");
            }
            world.communicator().barrier();
        });
        assertTells(failure, "rank 2", "had enough");
    }
}
