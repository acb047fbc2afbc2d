package io.rankwire;

import static io.rankwire.Intercommunicator.ROOT;
import static io.rankwire.AnyCommunicator.NONE;
import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every collective between two groups of 1 to 5 ranks against a serial oracle, in its three forms. */
@Timeout(300)
final class InterCollectivesTest {
    private static final int MOST = 5;
    private static final int[] COUNTS = {1, 7, 3000};
    /** The hundreds of the left operand, the last two digits of the right: associative, and shows their order. */
    private static final Op FIRST_AND_LAST =
            Op.ofLongs("first and last", false, (a, b) -> a / 100 * 100 + b % 100);

    /** One rank's view of an intercommunicator made of the first ranks and the others. */
    private record Side(Intercommunicator inter, int here, int there) {
        long mine(int i) {
            return value(here, inter.rank(), i);
        }

        long[] mine(int count, int from) {
            long[] vector = new long[count];
            Arrays.setAll(vector, i -> mine(from + i));
            return vector;
        }

        /** The root argument of this rank for a root on side 0. */
        int root(int root) {
            return here == 1 ? root : inter.rank() == root ? ROOT : NONE;
        }
    }

    private static long value(int side, int rank, int i) {
        return 1000 * (side + 1) + 37 * rank + i;
    }

    private interface Case {
        void run(Side side, int count);
    }

    private static Side between(Communicator all, int first) {
        int here = all.rank() < first ? 0 : 1;
        // The second side numbers its ranks backwards, so that ranks and world ranks differ.
        Communicator side = all.split(here, here == 0 ? all.rank() : -all.rank()).orElseThrow();
        Intercommunicator inter = side.intercommunicator(0, all, here == 0 ? all.size() - 1 : 0, 9);
        return new Side(inter, here, 1 - here);
    }

    private static void everywhere(Case body) {
        for (int first = 1; first <= MOST; first++) {
            for (int second = 1; second <= MOST; second++) {
                int near = first;
                Worlds.run(first + second, world -> {
                    Side side = between(world.communicator(), near);
                    for (int count : COUNTS) {
                        body.run(side, count);
                    }
                });
            }
        }
    }

    private static void check(String what, Side side, long expected, long seen, int i) {
        assertEquals(expected, seen, () -> what + " on " + side.inter + ", element " + i);
    }

    private static long sum(Side side, int i) {
        long sum = 0;
        for (int rank = 0; rank < side.inter.remoteSize(); rank++) {
            sum += value(side.there, rank, i);
        }
        return sum;
    }

    @Test
    void shouldBroadcastFromEveryRoot() {
        everywhere((side, count) -> {
            int roots = side.here == 0 ? side.inter.size() : side.inter.remoteSize();
            for (int root = 0; root < roots; root++) {
                boolean given = side.root(root) == ROOT;
                long[] buffer = given ? side.mine(count, 0) : side.root(root) == NONE ? null : new long[count];
                side.inter.broadcast(buffer, side.root(root));
                for (int i = 0; side.here == 1 && i < count; i++) {
                    check("broadcast", side, value(0, root, i), buffer[i], i);
                }
            }
        });
    }

    @Test
    void shouldGatherAndScatterAtEveryRoot() {
        everywhere((side, count) -> {
            int roots = side.here == 0 ? side.inter.size() : side.inter.remoteSize();
            for (int root = 0; root < roots; root++) {
                int who = side.root(root);
                long[] whole = who == ROOT ? new long[count * side.inter.remoteSize()] : null;
                long[] one = side.here == 1 ? side.mine(count, 0) : null;
                side.inter.gather(one, whole, who);
                for (int i = 0; who == ROOT && i < whole.length; i++) {
                    check("gather", side, value(1, i / count, i % count), whole[i], i);
                    whole[i]++;
                }
                long[] back = side.here == 1 ? new long[count] : null;
                side.inter.iscatter(whole, back, who).await();
                for (int i = 0; side.here == 1 && i < count; i++) {
                    check("scatter", side, side.mine(i) + 1, back[i], i);
                }
            }
        });
    }

    @Test
    void shouldGatherAndScatterBlocksOfDifferentLengths() {
        everywhere((side, count) -> {
            Intercommunicator inter = side.inter;
            int who = side.root(0);
            int ranks = side.here == 0 ? inter.remoteSize() : inter.size();
            int[] counts = new int[ranks];
            int[] offsets = new int[ranks];
            for (int r = 0; r < ranks; r++) {
                counts[r] = (r * 5 + 2) % 4 * count;
                offsets[r] = (ranks - 1 - r) * 4 * count;
            }
            long[] whole = new long[4 * count * ranks];
            int own = side.here == 1 ? counts[inter.rank()] : 0;
            long[] one = side.here == 1 ? side.mine(own, 0) : null;
            inter.gatherv(one, 0, own, whole, counts, offsets, who);
            for (int r = 0; who == ROOT && r < ranks; r++) {
                for (int i = 0; i < counts[r]; i++) {
                    check("gatherv", side, value(1, r, i), whole[offsets[r] + i], i);
                }
            }
            long[] back = new long[own];
            inter.scatterv(whole, counts, offsets, back, 0, own, who);
            for (int i = 0; i < own; i++) {
                check("scatterv", side, side.mine(i), back[i], i);
            }
        });
    }

    @Test
    void shouldGatherAtAllAndExchangeAll() {
        everywhere((side, count) -> {
            Intercommunicator inter = side.inter;
            int far = inter.remoteSize();
            // The two sides contribute blocks of different lengths.
            int mine = count + side.here;
            int theirs = count + side.there;
            long[] whole = new long[theirs * far];
            inter.allgather(side.mine(mine, 0), whole);
            long[] turned = new long[theirs * far];
            inter.ialltoall(side.mine(mine * far, 0), turned).await();
            for (int i = 0; i < whole.length; i++) {
                check("allgather", side, value(side.there, i / theirs, i % theirs), whole[i], i);
                check("alltoall", side, value(side.there, i / theirs, inter.rank() * theirs + i % theirs), turned[i],
                        i);
            }
        });
    }

    @Test
    void shouldExchangeBlocksOfDifferentLengths() {
        everywhere((side, count) -> {
            Intercommunicator inter = side.inter;
            int far = inter.remoteSize();
            int[] outCounts = new int[far];
            int[] offsets = new int[far];
            int[] inCounts = new int[far];
            int[] lengths = new int[far];
            for (int r = 0; r < far; r++) {
                outCounts[r] = (inter.rank() + 2 * r + side.here) % 3 * count;
                inCounts[r] = (r + 2 * inter.rank() + side.there) % 3 * count;
                offsets[r] = r * 3 * count;
                lengths[r] = (r + 1) % 3 * count;
            }
            long[] got = new long[3 * count * far];
            inter.alltoallv(side.mine(3 * count * far, 0), outCounts, offsets, got, inCounts, offsets);
            int own = (inter.rank() + 1) % 3 * count;
            long[] whole = new long[3 * count * far];
            inter.allgatherv(side.mine(own, 0), 0, own, whole, lengths, offsets);
            for (int r = 0; r < far; r++) {
                for (int i = 0; i < inCounts[r]; i++) {
                    check("alltoallv", side, value(side.there, r, inter.rank() * 3 * count + i), got[offsets[r] + i],
                            i);
                }
                for (int i = 0; i < lengths[r]; i++) {
                    check("allgatherv", side, value(side.there, r, i), whole[offsets[r] + i], i);
                }
            }
        });
    }

    @Test
    void shouldReduceTheOtherSidesVectors() {
        everywhere((side, count) -> {
            Intercommunicator inter = side.inter;
            long[] out = new long[count];
            inter.allreduce(side.mine(count, 0), out, Op.SUM);
            long[] ordered = new long[count];
            inter.iallreduce(side.mine(count, 0), ordered, FIRST_AND_LAST).await();
            int far = inter.remoteSize();
            for (int i = 0; i < count; i++) {
                long last = far == 1 ? value(side.there, 0, i) : value(side.there, far - 1, i);
                check("allreduce", side, sum(side, i), out[i], i);
                check("allreduce in order", side, value(side.there, 0, i) / 100 * 100 + last % 100, ordered[i], i);
            }
            int roots = side.here == 0 ? inter.size() : far;
            for (int root = 0; root < roots; root++) {
                int who = side.root(root);
                Arrays.fill(out, -1);
                inter.reduce(side.here == 1 ? side.mine(count, 0) : null, who == ROOT ? out : null, Op.SUM, who);
                for (int i = 0; i < count; i++) {
                    check("reduce", side, who == ROOT ? sum(side, i) : -1, out[i], i);
                }
            }
        });
    }

    @Test
    void shouldReducePairsOfValueAndPlace() {
        everywhere((side, count) -> {
            double[] in = new double[2 * count];
            for (int i = 0; i < count; i++) {
                in[2 * i] = (side.inter.rank() + i) % side.inter.size();
                in[2 * i + 1] = side.inter.rank();
            }
            double[] out = new double[2 * count];
            side.inter.allreduce(in, out, Op.MAXLOC);
            int far = side.inter.remoteSize();
            for (int i = 0; i < count; i++) {
                assertEquals(far - 1, out[2 * i]);
                assertEquals(Math.floorMod(far - 1 - i, far), out[2 * i + 1]);
            }
        });
    }

    @Test
    void shouldReduceAndScatter() {
        everywhere((side, count) -> {
            Intercommunicator inter = side.inter;
            int near = inter.size();
            int total = count * near * inter.remoteSize();
            int block = total / near;
            long[] in = side.mine(total, 0);
            long[] out = new long[block];
            inter.reduceScatterBlock(in, out, Op.SUM);
            int[] counts = new int[near];
            counts[near - 1] = total;
            for (int r = 0; r < near - 1; r++) {
                counts[r] = r * count % 5 * (total > 20 ? 1 : 0);
                counts[near - 1] -= counts[r];
            }
            int start = total;
            for (int r = near - 1; r >= inter.rank(); r--) {
                start -= counts[r];
            }
            long[] part = new long[counts[inter.rank()]];
            inter.reduceScatter(in, part, counts, Op.MAX);
            for (int i = 0; i < block; i++) {
                check("reduceScatterBlock", side, sum(side, inter.rank() * block + i), out[i], i);
            }
            for (int i = 0; i < part.length; i++) {
                check("reduceScatter", side, value(side.there, inter.remoteSize() - 1, start + i), part[i], i);
            }
        });
    }

    @Test
    void shouldGoOnSideBySideAndOverAndOver() {
        Worlds.run(5, world -> {
            Side side = between(world.communicator(), 2);
            Intercommunicator inter = side.inter;
            long[] in = new long[50];
            long[] sum = new long[50];
            Request again = inter.allreduceInit(in, 0, sum, 0, 50, Op.SUM);
            long[] news = new long[20];
            Request told = inter.broadcastInit(news, 0, 20, side.root(1));
            Request met = inter.barrierInit();
            for (int round = 0; round < 40; round++) {
                Arrays.fill(in, inter.rank() + round);
                if (side.root(1) == ROOT) {
                    Arrays.fill(news, round);
                }
                Request.startAll(again, told, met);
                long[] ones = new long[inter.remoteSize()];
                Request beside = inter.iallgather(new long[] {inter.rank()}, ones);
                inter.barrier();
                Request.awaitAll(beside, again, told, met);
                int far = inter.remoteSize();
                assertEquals(far * (far - 1) / 2 + (long) far * round, sum[49]);
                assertEquals(side.here == 1 || side.root(1) == ROOT ? round : 0, news[19]);
                assertEquals(far - 1, ones[far - 1]);
            }
        });
    }

    @Test
    void shouldHoldEveryoneUntilAllHaveCome() {
        for (int first = 1; first <= 4; first++) {
            int near = first;
            AtomicInteger come = new AtomicInteger();
            Worlds.run(5, world -> {
                Side side = between(world.communicator(), near);
                for (int round = 1; round <= 30; round++) {
                    come.incrementAndGet();
                    side.inter.barrier();
                    assertEquals(true, come.get() >= 5 * round, "somebody had not come");
                }
            });
        }
    }

    @Test
    void shouldTellBothCallsAndSidesWhenTheyDiffer() {
        RankwireException failure = assertThrows(RankwireException.class, () -> World.run(3, world -> {
            Side side = between(world.communicator(), 1);
            if (side.here == 0) {
                side.inter.allreduce(new long[3], new long[3], Op.SUM);
            } else {
                side.inter.barrier();
            }
        }));
        assertHolds(failure.getMessage(), "of the other side", "allreduce", "barrier", "InterCollectivesTest.java:");
        assertEquals(ErrorClass.COLLECTIVE, failure.errorClass());
    }

    @Test
    void shouldTellWhenTheSidesDoNotAgreeAboutLengths() {
        RankwireException failure = assertThrows(RankwireException.class, () -> World.run(2, world -> {
            Side side = between(world.communicator(), 1);
            side.inter.allgather(new long[3 + side.here], new long[3 + side.here]);
        }));
        assertHolds(failure.getMessage(), "rank 0 of the other side sent ", "where ");
    }

    @Test
    void shouldTellWhenBothSidesHaveARoot() {
        RankwireException failure = assertThrows(RankwireException.class, () -> World.run(3, world -> {
            Side side = between(world.communicator(), 1);
            side.inter.broadcast(new long[3], side.inter.rank() == 0 ? ROOT : NONE);
            side.inter.barrier();
            if (side.here == 0) {
                side.inter.receive(new long[1], 0, 1);
            } else {
                side.inter.barrier();
            }
        }));
        assertHolds(failure.getMessage(), "broadcast");
    }

    @Test
    void shouldRefuseWrongArgumentsBeforeAnythingIsSent() {
        Worlds.run(3, world -> {
            Side side = between(world.communicator(), 1);
            Intercommunicator inter = side.inter;
            long[] two = new long[2];
            assertFails(ErrorClass.RANK, () -> inter.broadcast(two, inter.remoteSize()),
                    "argument root: " + inter.remoteSize() + " is neither ROOT nor NONE nor a rank of the other side");
            assertFails(ErrorClass.ARGUMENT, () -> inter.allreduce(Communicator.IN_PLACE, 0, two, 0, 2, Op.SUM),
                    "IN_PLACE");
            assertFails(ErrorClass.COUNT, () -> inter.gather(null, 0, two, 1, 3, ROOT), "do not fit");
            assertFails(ErrorClass.ARGUMENT,
                    () -> inter.reduceScatter(two, two, new int[inter.size() + 1], Op.SUM), "one entry for each");
            long[] sum = new long[2];
            inter.allreduce(two, sum, Op.SUM);
            assertArrayEquals(new long[2], sum);
        });
    }
}
