package io.rankwire;

import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import io.rankwire.memory.Rand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agreement, revocation and shrinking, and programs that go on with them after random deaths. */
class RepairTest {
    private static final int LONG = 100_000;

    /** A call that waits for other ranks. */
    private interface Call {
        void make(Communicator on, Window window) throws Exception;
    }

    private static final Map<String, Call> WAITING = new LinkedHashMap<>();

    static {
        WAITING.put("receive", (on, window) -> on.receive(new int[1], 0, 1));
        WAITING.put("receive from any", (on, window) -> on.receive(new int[1], Communicator.ANY_SOURCE, 1));
        WAITING.put("awaited irecv", (on, window) -> on.irecv(new int[1], 0, 1).await());
        WAITING.put("ssend", (on, window) -> on.ssend(new int[1], 0, 1));
        WAITING.put("long send", (on, window) -> on.send(new int[LONG], 0, 1));
        WAITING.put("awaited isend", (on, window) -> on.isend(new int[LONG], 0, 1).await());
        WAITING.put("probe", (on, window) -> on.probe(0, 1));
        WAITING.put("mprobe from any", (on, window) -> on.mprobe(Communicator.ANY_SOURCE, 1));
        WAITING.put("persistent receive", (on, window) -> {
            Request request = on.receiveInit(new int[1], 0, 1, 0, 1);
            request.start();
            request.await();
        });
        WAITING.put("barrier", (on, window) -> on.barrier());
        WAITING.put("ibarrier", (on, window) -> on.ibarrier().await());
        WAITING.put("long allreduce", (on, window) -> on.allreduce(new double[LONG], new double[LONG], Op.SUM));
        WAITING.put("long iallreduce",
                (on, window) -> on.iallreduce(new double[LONG], new double[LONG], Op.SUM).await());
        WAITING.put("split", (on, window) -> on.split(0, 0));
        WAITING.put("lock held by another", (on, window) -> window.lock(Window.Lock.EXCLUSIVE, 0));
        WAITING.put("shared lock held by another", (on, window) -> window.lock(Window.Lock.SHARED, 0));
        WAITING.put("lockAll", (on, window) -> window.lockAll());
        WAITING.put("fence", (on, window) -> window.fence());
        WAITING.put("start", (on, window) -> window.start(on.group().include(0)));
        WAITING.put("awaitAny",
                (on, window) -> Request.awaitAny(on.irecv(new int[1], 0, 1), on.irecv(new int[1], 0, 2)));
    }

    static Stream<Arguments> waiting() {
        return Stream.of(false, true)
                .flatMap(hosts -> WAITING.keySet().stream().map(call -> Arguments.of(hosts, call)));
    }

    static int sum(Communicator on, int mine) {
        int[] sum = new int[1];
        on.allreduce(new int[] {mine}, sum, Op.SUM);
        return sum[0];
    }

    @ParameterizedTest(name = "several hosts {0}, {1}")
    @MethodSource("waiting")
    void shouldInterruptCallsOnARevokedCommunicator(boolean severalHosts, String name) {
        CountDownLatch inside = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Communicator on = all.duplicate();
            Communicator other = all.duplicate();
            Window window = on.allocateWindow(8, 8);
            if (all.rank() == 0) {
                window.lock(Window.Lock.EXCLUSIVE, 0);
            }
            on.barrier();
            if (all.rank() == 0) {
                assertTrue(inside.await(2, TimeUnit.MINUTES));
                Thread.sleep(2);
                on.revoke();
                assertTrue(on.isRevoked());
            } else {
                inside.countDown();
                RankwireException error = assertThrows(RankwireException.class,
                        () -> WAITING.get(name).make(on, window));
                assertEquals(ErrorClass.REVOKED, error.errorClass(), error.getMessage());
                assertTrue(error.getMessage().contains("was revoked"), error.getMessage());
                assertTrue(on.isRevoked());
            }
            RankwireException later = assertThrows(RankwireException.class, () -> WAITING.get(name).make(on, window));
            assertEquals(ErrorClass.REVOKED, later.errorClass(), later.getMessage());
            assertThrows(RankwireException.class, () -> on.send(new int[1], 0, 1));
            assertEquals(3, sum(other, 1));
            assertEquals(5, on.agree(5 | all.rank() << 4));
            Communicator again = on.shrink();
            assertEquals(3, again.size());
            assertEquals(all.rank(), again.rank());
            assertEquals(6, sum(again, 2));
            window.free();
            on.free();
            again.free();
            assertEquals(9, sum(other, 3));
            world.close();
        });
    }

    static void assertRevoked(Executable call) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(ErrorClass.REVOKED, error.errorClass(), error.getMessage());
        assertTrue(error.getMessage().contains("was revoked"), error.getMessage());
    }

    @Test
    void shouldAgreeOnWhatAllGive() {
        MortalRanks.run(5, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            assertEquals(0b1000, all.agree(0b1000 | 1 << all.rank() % 3));
            int[] flags = {~(1 << all.rank())};
            all.iagree(flags).await();
            assertEquals(~0b11111, flags[0]);
            for (int i = 0; i < 100; i++) {
                assertEquals(i % 7 == 0 ? 0 : 1, all.agree(all.rank() == 3 && i % 7 == 0 ? 0 : 1));
            }
            world.close();
        });
    }

    /** The second call of the rank that computes can only begin when the first is decided. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAgreeWhileARankComputes(boolean severalHosts) {
        CountDownLatch decided = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                int[][] flags = {{3}, {5}, {6}};
                Request[] calls = Arrays.stream(flags).map(all::iagree).toArray(Request[]::new);
                assertTrue(decided.await(3, TimeUnit.MINUTES));
                Request.awaitAll(calls);
                assertEquals("[[1], [1], [2]]", Arrays.deepToString(flags));
            } else {
                assertEquals(1, all.agree(9));
                assertEquals(1, all.agree(9));
                assertEquals(2, all.agree(10));
                decided.countDown();
            }
            world.close();
        });
    }

    @Test
    void shouldCountTheDeadUntilAllHaveAcknowledgedThem() {
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 2) {
                dies();
            }
            assertEquals(0, all.agree(1));
            assertEquals(1, all.failed().size());
            if (all.rank() == 0) {
                all.acknowledge();
            }
            assertEquals(0, all.agree(1));
            all.acknowledge();
            assertEquals(1, all.agree(1));
            assertEquals(2, all.agree(2 | 1 << 4 + all.rank()));
            world.close();
        });
    }

    @Test
    void shouldShrinkToTheLiveMembers() {
        for (int dying = 0; dying < 4; dying++) {
            int first = dying;
            MortalRanks.run(4, places(dying % 2 == 1), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                if (all.rank() == first) {
                    dies();
                }
                Communicator three = all.shrink();
                int[] left = IntStream.range(0, 4).filter(rank -> rank != first).toArray();
                assertArrayEquals(left, IntStream.range(0, 3).map(three.group()::worldRank).toArray());
                assertEquals(Arrays.stream(left).sum(), sum(three, all.rank()));
                assertEquals(1, three.agree(1));
                Communicator twin = three.duplicate();
                assertEquals(3, sum(twin, 1));
                Window window = three.allocateWindow(8, 8);
                window.fence();
                window.put(new long[] {all.rank()}, (three.rank() + 1) % 3, 0);
                window.fence();
                assertEquals(left[(three.rank() + 2) % 3],
                        window.memory().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
                window.free();
                twin.free();
                if (three.rank() == 1) {
                    dies();
                }
                Communicator two = three.shrink();
                assertEquals(2, two.size());
                assertEquals(2, sum(two, 1));
                three.free();
                two.free();
                world.close();
            });
        }
    }

    /** A rank has no number for a context: that of another one counts. */
    @Test
    void shouldShrinkWhereARankCanMakeNoCommunicator() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Communicator alone = all.split(all.rank(), 0).orElseThrow();
            List<Communicator> made = new ArrayList<>();
            for (int first : new int[] {2, 0}) {
                if (all.rank() >= first) {
                    exhaust(alone, made);
                }
                if (first == 2) {
                    assertEquals(6, sum(all.shrink(), 2));
                } else {
                    RankwireException error = assertThrows(RankwireException.class, all::shrink);
                    assertEquals(ErrorClass.RESOURCE, error.errorClass(), error.getMessage());
                    assertTrue(error.getMessage().contains("no member of world can make"), error.getMessage());
                }
            }
            made.removeLast().free();
            assertEquals(6, sum(all.shrink(), 2));
            world.close();
        });
    }

    private static void exhaust(Communicator alone, List<Communicator> made) {
        RankwireException full = null;
        while (full == null) {
            try {
                made.add(alone.duplicate());
            } catch (RankwireException e) {
                full = e;
            }
        }
        assertEquals(ErrorClass.RESOURCE, full.errorClass());
        assertTrue(full.getMessage().contains("has made"), full.getMessage());
    }

    /** More often than a rank has numbers for contexts. */
    @Test
    void shouldShrinkAfterManyRepairsThatFailed() {
        MortalRanks.run(2, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            for (int i = 0; i < 2200; i++) {
                assertEquals(ErrorClass.COMMUNICATOR, assertThrows(RankwireException.class,
                        () -> (job.rank() == 0 ? all.replace() : all.shrink()).rank()).errorClass());
            }
            if (job.rank() == 0) {
                dies();
            }
            awaitDeaths(all, 1);
            for (int i = 0; i < 2200; i++) {
                assertEquals(ErrorClass.RESOURCE, assertThrows(RankwireException.class, all::replace).errorClass());
            }
            assertEquals(1, all.shrink().size());
            world.close();
        });
    }

    @Test
    void shouldNotWithdrawCallsOfAllMembers() {
        MortalRanks.run(2, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            int[] flags = {5};
            Request agree = all.iagree(flags);
            int[] sum = new int[1];
            Request reduce = all.iallreduce(new int[] {3}, sum, Op.SUM);
            agree.cancel();
            reduce.cancel();
            assertFalse(agree.await().cancelled());
            assertFalse(reduce.await().cancelled());
            assertEquals(5, flags[0]);
            assertEquals(6, sum[0]);
            all.revoke();
            RankwireException error = assertThrows(RankwireException.class, () -> all.isend(new int[1], 0, 1));
            assertTrue(error.getMessage().startsWith("rank " + job.rank() + ": isend"), error.getMessage());
            world.close();
        });
    }

    /** Each rank makes random calls on a communicator until an error or the end; then all agree, repair and go on. */
    private static void randomDeaths(long seed, int size, boolean severalHosts) {
        Rand plan = new Rand(seed);
        int rounds = 6 + plan.below(10);
        int[] diesIn = new int[size];
        Arrays.fill(diesIn, Integer.MAX_VALUE);
        for (int i = 1 + plan.below(2); i > 0; i--) {
            diesIn[plan.below(size)] = plan.below(rounds);
        }
        boolean revokes = plan.below(2) == 0;
        MortalRanks.run(size, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator on = world.communicator();
            Rand own = new Rand(seed * 31 + on.rank());
            Rand common = new Rand(seed + 7);
            int[] steps = {};
            for (int round = 0; round < rounds; round++) {
                boolean good = true;
                int kind = common.below(7);
                try {
                    if (diesIn[job.rank()] == round) {
                        diesIn(on, own);
                    }
                    step(on, kind, round);
                } catch (RankwireException e) {
                    assertTrue(e.errorClass() == ErrorClass.PEER || e.errorClass() == ErrorClass.REVOKED, e.toString());
                    good = false;
                    // In kind 5 others may wait for a receive of the rank that has got the error.
                    if (revokes || kind == 5) {
                        on.revoke();
                    }
                }
                if (on.agree(good ? 1 : 0) == 0) {
                    Communicator next = on.shrink();
                    if (on.group().size() != size) {
                        on.free();
                    }
                    on = next;
                }
                steps = Arrays.copyOf(steps, round + 1);
            }
            Communicator last = on.shrink();
            int[] members = new int[last.size()];
            last.allgather(new int[] {job.rank()}, members);
            int[] live = IntStream.range(0, size).filter(rank -> diesIn[rank] == Integer.MAX_VALUE).toArray();
            assertArrayEquals(live, members, "seed " + seed);
            assertEquals(rounds, steps.length);
            world.close();
        });
    }

    /** Dies at once, later, or in a collective call. */
    private static void diesIn(Communicator on, Rand own) throws InterruptedException {
        try {
            if (own.below(2) == 0) {
                on.iallreduce(new int[LONG], new int[LONG], Op.SUM);
            }
        } catch (RankwireException e) {
            // Another one was faster.
            assertTrue(e.errorClass() == ErrorClass.PEER || e.errorClass() == ErrorClass.REVOKED, e.toString());
        }
        if (own.below(2) == 0) {
            Thread.sleep(own.below(3));
        }
        dies();
    }

    private static void step(Communicator on, int kind, int round) {
        int size = on.size();
        int rank = on.rank();
        switch (kind) {
            case 0 -> assertEquals(size * (size + 1) / 2, sum(on, rank + 1));
            case 1 -> {
                int[] all = new int[size];
                on.allgather(new int[] {rank * round}, all);
                assertArrayEquals(IntStream.range(0, size).map(each -> each * round).toArray(), all);
            }
            case 2 -> {
                long[] data = new long[LONG];
                Arrays.fill(data, rank == 0 ? round : -1);
                on.broadcast(data, 0);
                assertTrue(Arrays.stream(data).allMatch(each -> each == round));
            }
            case 3 -> {
                double[] total = new double[LONG];
                double[] mine = new double[LONG];
                Arrays.fill(mine, rank + round);
                on.iallreduce(mine, total, Op.SUM).await();
                double expected = size * round + size * (size - 1) / 2;
                assertTrue(Arrays.stream(total).allMatch(each -> each == expected));
            }
            case 4 -> {
                int[] got = new int[1];
                on.sendReceive(new int[] {rank}, (rank + 1) % size, 7, got, (rank + size - 1) % size, 7);
                assertEquals((rank + size - 1) % size, got[0]);
            }
            case 5 -> {
                if (rank == 0) {
                    boolean[] seen = new boolean[size];
                    for (int i = 1; i < size; i++) {
                        int[] got = new int[LONG];
                        Status from = on.receive(got, Communicator.ANY_SOURCE, 9);
                        assertEquals(from.source(), got[LONG - 1]);
                        seen[from.source()] = true;
                    }
                    assertTrue(IntStream.range(1, size).allMatch(each -> seen[each]));
                } else {
                    int[] mine = new int[LONG];
                    mine[LONG - 1] = rank;
                    on.send(mine, 0, 9);
                }
            }
            default -> {
                Communicator twin = on.duplicate();
                try {
                    twin.barrier();
                } finally {
                    twin.free();
                }
            }
        }
    }

    static Stream<Arguments> seeds() {
        return IntStream.range(0, 60).mapToObj(seed -> Arguments.of((long) seed, 2 + seed % 4, seed % 3 == 0));
    }

    @ParameterizedTest(name = "seed {0}, {1} ranks, several hosts {2}")
    @MethodSource("seeds")
    void shouldGoOnAfterRandomDeaths(long seed, int size, boolean severalHosts) {
        randomDeaths(seed, size, severalHosts);
    }
}
