package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
