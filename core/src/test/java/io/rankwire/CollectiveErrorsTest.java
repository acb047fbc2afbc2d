package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.runtime.CallName;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Shape;
import io.rankwire.type.ElementType;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong collective calls: wrong on one rank, or because the ranks do not agree. */
@Timeout(300)
final class CollectiveErrorsTest {
    private static RankwireException failure(int ranks, World.Body body) {
        return assertThrows(RankwireException.class, () -> World.run(ranks, body));
    }

    private static void assertTells(RankwireException failure, String... parts) {
        assertTells(failure.getMessage(), parts);
    }

    private static void assertTells(String text, String... parts) {
        Worlds.assertHolds(text, parts);
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
        assertTells(failure, "\n  rank 0: allreduce of 4 × double, sum at CollectiveErrorsTest.java:",
                "\n  rank 1: barrier at CollectiveErrorsTest.java:");
    }

    @Test
    void shouldTellWhenCountsDiffer() {
        RankwireException failure = failure(3, world -> {
            Communicator all = world.communicator();
            int count = all.rank() == 2 ? 5 : 4;
            all.allreduce(new double[count], new double[count], Op.SUM);
        });
        assertTells(failure, "allreduce of ", "do not make the same calls", "CollectiveErrorsTest.java:");
    }

    @Test
    void shouldTellWhenOperationsDiffer() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            all.allreduce(new double[1], new double[1], all.rank() == 0 ? Op.SUM : Op.MAX);
        });
        assertTells(failure, "rank 0: allreduce of 1 × double, sum at Coll",
                "rank 1: allreduce of 1 × double, max at Coll");
    }

    @Test
    void shouldTellRootsAndOperationsApartForCertain() {
        Op[] ops = {Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.REPLACE,
            Op.NO_OP, Op.MINLOC, Op.MAXLOC};
        for (long bytes : new long[] {0, 8, 1 << 20}) {
            Set<Integer> seen = new HashSet<>();
            for (int root = 0; root < 256; root++) {
                for (Op op : ops) {
                    seen.add(agreement(Kind.REDUCE, root, bytes, op));
                }
            }
            assertEquals(256 * ops.length, seen.size());
        }
    }

    private static int agreement(Kind kind, int root, long bytes, Op op) {
        Shape.Team team = new Shape.Team(0, 256, 0, true, false, null, null);
        return new Shape(kind, root, bytes, ElementType.LONG, Op.operator(op), false, team, null).agreement();
    }

    /** The tag of one call cannot distinguish the two operations; the tags of later calls can. */
    @Test
    void shouldTellAtALaterCallWhatOneCallDoesNotShow() {
        Op one = Op.ofLongs("one", true, Long::sum);
        int agreement = agreement(Kind.ALLREDUCE, 0, 8, one);
        Op other = one;
        for (int i = 0; other == one; i++) {
            Op tried = Op.ofLongs("other" + i, true, Math::max);
            if (agreement(Kind.ALLREDUCE, 0, 8, tried) == agreement) {
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
        assertTells(failure, "barrier, on world at Coll", "call 1 on world is",
                "\n  rank 0: iallreduce of 1 × long, one at Coll", "\n  rank 1: iallreduce of 1 × long, other");
    }

    @Test
    void shouldTellWhenRootsDifferAtTheNextCall() {
        RankwireException failure = failure(2, world -> {
            Communicator all = world.communicator();
            all.broadcast(new int[3], all.rank());
            all.barrier();
        });
        assertTells(failure, ": barrier, on world at Coll", "\n  rank 0: broadcast of 3 × int, root 0 at Coll",
                "\n  rank 1: broadcast of 3 × int, root 1 at Coll");
    }

    /** All forms of a call, short and long, as the last call of the program. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldTellWhenRootsDifferInTheLastCall(int ranks) {
        for (int count : new int[] {0, 1, 100_000}) {
            for (CallName.Form form : CallName.Form.values()) {
                for (boolean each : new boolean[] {true, false}) {
                    RankwireException failure = failure(ranks, world -> {
                        Communicator all = world.communicator();
                        int root = each || all.rank() == 1 ? all.rank() : 0;
                        int[] buffer = new int[count];
                        switch (form) {
                            case BLOCKING -> all.broadcast(buffer, root);
                            case NONBLOCKING -> all.ibroadcast(buffer, root).await();
                            case PERSISTENT -> {
                                Request request = all.broadcastInit(buffer, 0, count, root);
                                request.start();
                                request.await();
                            }
                        }
                    });
                    String call = switch (form) {
                        case BLOCKING -> "broadcast";
                        case NONBLOCKING -> "ibroadcast";
                        case PERSISTENT -> "broadcastInit";
                    };
                    assertTells(failure, "call 1 on world is");
                    String line = "\\n  rank \\d: " + call + (count == 0 ? "" : " of " + count + " × int")
                            + ", root \\d at CollectiveErrorsTest.java:\\d+";
                    assertEquals(2, failure.getMessage().split(line, -1).length - 1, failure.getMessage());
                    assertEquals(ErrorClass.COLLECTIVE, failure.errorClass());
                }
            }
        }
    }

    @Test
    void shouldTellCallsThatWaitForNobodyAtTheEnd() {
        assertTells(failure(2, world -> {
            Communicator all = world.communicator();
            all.gather(new int[1], new int[2], 1 - all.rank());
        }), "close: the ranks do not make", "rank 0: gather of 1 × int, root 1 at",
                "rank 1: gather of 1 × int, root 0 at");
        assertTells(failure(3, world -> {
            if (world.communicator().rank() == 0) {
                world.communicator().broadcast(new int[1], 0);
            }
        }), "rank 0: broadcast of 1 × int, root 0 at Coll", "no call, until it closed its world");
        assertTells(failure(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Request request = all.broadcastInit(new int[1], 0, 1, 0);
                request.start();
                request.await();
            } else {
                all.broadcast(new int[1], 0);
            }
        }), "rank 0: no call, until it closed its world; its last: broadcastInit of 1 × int, root 0 at Coll",
                "rank 1: broadcast of 1 × int, root 0 at Coll");
    }

    @Test
    void shouldTellAtTheEndOfACommunicator() {
        assertTells(failure(3, world -> {
            Communicator all = world.communicator().duplicate();
            all.broadcast(new int[1], all.rank() == 2 ? 2 : 0);
            all.free();
        }), "free, on world.duplicate at Coll", "root 2 at Coll", "root 0 at Coll");
        assertTells(failure(3, world -> {
            Communicator all = world.communicator().duplicate();
            all.broadcast(new int[1], all.rank() == 2 ? 2 : 0);
        }), "call 1 on world.duplicate is", "root 2 at Coll", "root 0 at Coll");
    }

    @Test
    void shouldTellWhenRequestsAreMadeInAnotherOrder() {
        assertTells(failure(2, world -> {
            Communicator all = world.communicator();
            Request one = all.rank() == 0 ? all.ibarrier() : all.iallreduce(new int[1], new int[1], Op.SUM);
            Request other = all.rank() == 1 ? all.ibarrier() : all.iallreduce(new int[1], new int[1], Op.SUM);
            Request.awaitAll(one, other);
        }), "call 1 on world is\n  rank 0: ibarrier at Coll", "rank 1: iallreduce of 1 × int, sum at Coll");
    }

    /** A report at the end of a program must not list requests that are parts of a collective call. */
    @Test
    void shouldNotListMessagesOfCallsAsRequests() {
        String told = Worlds.errors(() -> failure(2, world -> {
            try (world) {
                world.communicator().broadcast(new int[1_000_000], world.communicator().rank());
            }
        }));
        assertEquals("", told);
        told = Worlds.errors(() -> Worlds.run(3, world -> world.communicator().ibroadcast(new int[100_000], 0)));
        assertTells(told, "1 request", "never awaited", "ibroadcast of 100000 × int, root 0, on world");
        assertFalse(told.contains("isend") || told.contains("irecv"), told);
    }

    /** Call numbers in tags wrap around: a rank that is thousands of calls ahead is not an error. */
    @Test
    void shouldNotTakeACallFarAheadForAnother() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 2) {
                all.receive(new byte[0], 1, 7);
                Thread.sleep(50);
            }
            for (int i = 0; i < 5_000; i++) {
                int count = 1 + i % 3;
                all.igather(new int[count], all.rank() == 0 ? new int[3 * count] : null, 0).await();
            }
            if (all.rank() == 1) {
                all.send(new byte[0], 2, 7);
            }
            all.barrier();
        });
    }

    /** An empty buffer has no element type. */
    @Test
    void shouldNotCompareTypesOfEmptyBuffers() {
        Worlds.run(4, world -> {
            Communicator all = world.communicator();
            Object[] kinds = {new int[0], new float[0], new byte[0], new double[0]};
            Object none = kinds[all.rank()];
            all.broadcast(none, 1);
            all.ibroadcast(none, 2).await();
            all.allgather(none, none);
            all.ialltoall(none, none).await();
            all.allreduce(none, none, Op.SUM);
            all.iallreduce(none, none, Op.MAX).await();
            all.gatherv(none, 0, 0, none, new int[4], new int[4], 3);
        });
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
            assertTells(failure, "allreduce of ", "do not make the same calls", "CollectiveErrorsTest.java:");
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
        assertTells(failure, "\n  rank 0: barrier at Coll", "\n  rank 1: ibarrier at Coll");
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
        }), "allgather of ", "do not make the same calls", "CollectiveErrorsTest.java:");
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
        }), "neighbourAlltoall of ", "do not make the same calls", "CollectiveErrorsTest.java:");
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
