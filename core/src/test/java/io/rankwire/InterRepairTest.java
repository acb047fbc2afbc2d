package io.rankwire;

import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import io.rankwire.memory.Rand;
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

/** Intercommunicators of which ranks die: what each call ends with, agreement, revocation and shrinking. */
class InterRepairTest {
    private static final int LONG = 100_000;

    /** A call that needs the other side. */
    private interface Call {
        void make(Intercommunicator on) throws Exception;
    }

    /** Calls that wait for rank 0 of the other side. */
    private static final Map<String, Call> WITH_ONE = new LinkedHashMap<>();
    /** Calls of all ranks. */
    private static final Map<String, Call> OF_ALL = new LinkedHashMap<>();

    static {
        WITH_ONE.put("receive", on -> on.receive(new int[1], 0, 1));
        WITH_ONE.put("receive from any", on -> on.receive(new int[1], AnyCommunicator.ANY_SOURCE, 1));
        WITH_ONE.put("irecv", on -> on.irecv(new int[1], 0, 1).await());
        WITH_ONE.put("ssend", on -> on.ssend(new int[1], 0, 1));
        WITH_ONE.put("long send", on -> on.send(new int[LONG], 0, 1));
        WITH_ONE.put("probe", on -> on.probe(0, 1));
        WITH_ONE.put("sendReceive", on -> on.sendReceive(new int[LONG], 0, 1, new int[LONG], 0, 2));
        OF_ALL.put("barrier", Intercommunicator::barrier);
        OF_ALL.put("ibarrier", on -> on.ibarrier().await());
        OF_ALL.put("allgather", on -> on.allgather(new int[1], new int[on.remoteSize()]));
        OF_ALL.put("allreduce", on -> on.allreduce(new double[LONG], new double[LONG], Op.SUM));
        OF_ALL.put("iallreduce", on -> on.iallreduce(new int[1], new int[1], Op.SUM).await());
        OF_ALL.put("alltoall", on -> on.alltoall(new int[on.remoteSize()], new int[on.remoteSize()]));
        OF_ALL.put("persistent barrier", on -> {
            Request barrier = on.barrierInit();
            barrier.start();
            barrier.await();
        });
        OF_ALL.put("duplicate", Intercommunicator::duplicate);
        OF_ALL.put("merge", on -> on.merge(on.group().worldRank(0) == 0));
    }

    /** Connects the ranks below a number with the others. */
    private static Intercommunicator divided(Communicator all, int at) {
        boolean isLow = all.rank() < at;
        Communicator side = all.split(isLow ? 0 : 1, all.rank()).orElseThrow();
        return side.intercommunicator(0, all, isLow ? at : 0, 5);
    }

    private static RankwireException assertClass(ErrorClass expected, Intercommunicator on, Call call) {
        RankwireException error = assertThrows(RankwireException.class, () -> call.make(on));
        assertEquals(expected, error.errorClass(), error.getMessage());
        return error;
    }

    /** The sum of what the other side gives. */
    private static int sum(Intercommunicator on, int mine) {
        int[] sum = new int[1];
        on.allreduce(new int[] {mine}, sum, Op.SUM);
        return sum[0];
    }

    static Stream<Arguments> calls() {
        return Stream.of(false, true).flatMap(hosts -> Stream.of(WITH_ONE, OF_ALL)
                .flatMap(calls -> calls.keySet().stream()).map(call -> Arguments.of(hosts, call)));
    }

    private static Call call(String name) {
        return WITH_ONE.getOrDefault(name, OF_ALL.get(name));
    }

    @ParameterizedTest(name = "several hosts {0}, {1}")
    @MethodSource("calls")
    void shouldInterruptCallsOnBothSides(boolean severalHosts, String name) {
        CountDownLatch inside = new CountDownLatch(3);
        MortalRanks.run(4, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, 2);
            if (all.rank() == 0) {
                assertTrue(inside.await(2, TimeUnit.MINUTES));
                Thread.sleep(2);
                on.revoke();
            } else {
                inside.countDown();
                // Rank 1 may have all it needs of the other side once, and not twice.
                RankwireException error = assertClass(ErrorClass.REVOKED, on, inter -> {
                    call(name).make(inter);
                    call(name).make(inter);
                });
                assertTrue(error.getMessage().contains("was revoked"), error.getMessage());
            }
            assertTrue(on.isRevoked());
            assertClass(ErrorClass.REVOKED, on, call(name));
            assertEquals(5, on.agree(5 | all.rank() << 4));
            Intercommunicator again = on.shrink();
            assertEquals(2, again.remoteSize());
            assertEquals(6, sum(again, 3));
            on.free();
            again.free();
            world.close();
        });
    }

    @ParameterizedTest(name = "several hosts {0}, {1}")
    @MethodSource("calls")
    void shouldEndCallsThatNeedTheDeadRank(boolean severalHosts, String name) {
        CountDownLatch inside = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, 1);
            if (all.rank() == 0) {
                assertTrue(inside.await(2, TimeUnit.MINUTES));
                Thread.sleep(2);
                dies();
            }
            inside.countDown();
            RankwireException error = assertClass(ErrorClass.PEER, on, call(name));
            assertTrue(error.getMessage().contains("rank 0 died"), error.getMessage());
            assertClass(ErrorClass.PEER, on, call(name));
            assertEquals(0, on.failed().worldRank(0));
            on.free();
            world.close();
        });
    }

    @Test
    void shouldEndCallsOfAllWhenARankOfTheSameSideIsDead() {
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, 2);
            if (all.rank() == 1) {
                dies();
            }
            awaitDeaths(on, 1);
            for (Call each : OF_ALL.values()) {
                assertClass(ErrorClass.PEER, on, each);
            }
            // Its own side gets no message of the dead rank, and needs no acknowledgement.
            int[] got = new int[1];
            if (all.rank() == 0) {
                assertEquals(1, on.receive(got, AnyCommunicator.ANY_SOURCE, 3).source());
                on.send(got, 1, 4);
            } else if (all.rank() == 3) {
                on.send(new int[] {7}, 0, 3);
                on.receive(got, 0, 4);
                assertEquals(7, got[0]);
                assertClass(ErrorClass.PEER, on, inter -> inter.receive(got, AnyCommunicator.ANY_SOURCE, 9));
                assertEquals(0, on.acknowledge(0).size());
                assertEquals(1, on.acknowledge(5).size());
                Request open = on.irecv(got, AnyCommunicator.ANY_SOURCE, 9);
                assertTrue(!open.test());
                open.cancel();
                open.await();
            }
            world.close();
        });
    }

    @Test
    void shouldAgreeOverBothSides() {
        MortalRanks.run(5, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, 2);
            assertEquals(~0b11111, on.agree(~(1 << all.rank())));
            int[] flags = {-1 << all.rank()};
            on.iagree(flags).await();
            assertEquals(-1 << 4, flags[0]);
            for (int i = 0; i < 20; i++) {
                assertEquals(i % 7 == 0 ? 0 : 1, on.agree(all.rank() == 3 && i % 7 == 0 ? 0 : 1));
            }
            int theirs = all.rank() < 2 ? ~0b11100 : ~0b00011;
            flags[0] = ~(1 << all.rank());
            on.agreeOfLive(flags);
            assertEquals(theirs, flags[0]);
            flags[0] = ~(1 << all.rank());
            on.iagreeOfLive(flags).await();
            assertEquals(theirs, flags[0]);
            flags[0] = ~(1 << all.rank());
            all.agreeOfLive(flags);
            assertEquals(~0b11111, flags[0]);
            assertEquals(ErrorClass.ARGUMENT,
                    assertThrows(RankwireException.class, () -> on.agreeOfLive(null)).errorClass());
            assertEquals(ErrorClass.COUNT,
                    assertThrows(RankwireException.class, () -> on.iagree(new int[0])).errorClass());
            world.close();
        });
    }

    @Test
    void shouldFailAtBothSidesUntilAllHaveAcknowledgedADeath() {
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, 2);
            if (all.rank() == 3) {
                dies();
            }
            assertEquals(0, on.agree(1));
            int[] flags = {1};
            int[] later = {2};
            assertTrue(assertClass(ErrorClass.PEER, on, inter -> inter.agreeOfLive(flags)).getMessage()
                    .contains("rank 3 died"));
            assertEquals(1, flags[0]);
            if (all.rank() != 0) {
                on.acknowledge();
            }
            assertEquals(0, on.agree(1));
            assertClass(ErrorClass.PEER, on, inter -> inter.iagreeOfLive(later).await());
            assertEquals(2, later[0]);
            on.acknowledge();
            assertEquals(1, on.agree(1));
            on.agreeOfLive(flags);
            assertEquals(1, flags[0]);
            world.close();
        });
    }

    @Test
    void shouldShrinkBothSides() {
        for (int dying = 0; dying < 5; dying++) {
            int first = dying;
            MortalRanks.run(5, places(dying % 2 == 1), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                Intercommunicator on = divided(all, 2);
                if (all.rank() == first) {
                    dies();
                }
                Intercommunicator four = on.shrink();
                check(four, 2, new int[] {first});
                if (four.group().worldRank(four.rank()) == (first == 4 ? 3 : 4)) {
                    dies();
                }
                Intercommunicator three = four.shrink();
                check(three, 2, new int[] {first, first == 4 ? 3 : 4});
                four.free();
                on.free();
                world.close();
            });
        }
    }

    /** Makes calls on an intercommunicator that was divided at a rank, of which some are dead. */
    private static void check(Intercommunicator on, int at, int[] dead) {
        int[] live = IntStream.range(0, 5).filter(rank -> Arrays.stream(dead).noneMatch(each -> each == rank))
                .toArray();
        boolean isLow = on.group().worldRank(0) < at;
        int[] mine = Arrays.stream(live).filter(rank -> rank < at == isLow).toArray();
        int[] theirs = Arrays.stream(live).filter(rank -> rank < at != isLow).toArray();
        int self = on.group().worldRank(on.rank());
        assertArrayEquals(mine, IntStream.range(0, on.size()).map(on.group()::worldRank).toArray());
        assertArrayEquals(theirs, IntStream.range(0, on.remoteSize()).map(on.remoteGroup()::worldRank).toArray());
        assertEquals(Arrays.stream(theirs).sum(), sum(on, self));
        assertEquals(1, on.agree(1));
        Intercommunicator twin = on.duplicate();
        assertEquals(theirs.length, sum(twin, 1));
        twin.free();
        Communicator merged = on.merge(isLow);
        int[] order = new int[live.length];
        merged.allgather(new int[] {self}, order);
        int[] high = Arrays.stream(live).filter(rank -> rank >= at).toArray();
        int[] low = Arrays.stream(live).filter(rank -> rank < at).toArray();
        assertArrayEquals(IntStream.concat(Arrays.stream(high), Arrays.stream(low)).toArray(), order);
        merged.free();
    }

    @Test
    void shouldRefuseToShrinkWhenASideIsGone() {
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, 1);
            if (all.rank() == 0) {
                dies();
            }
            for (int i = 0; i < 3; i++) {
                RankwireException error = assertClass(ErrorClass.PEER, on, Intercommunicator::shrink);
                assertTrue(error.getMessage().contains("no rank of the other side"), error.getMessage());
            }
            on.free();
            assertEquals(3, all.shrink().size());
            world.close();
        });
    }

    static Stream<Arguments> seeds() {
        return IntStream.range(0, 40).mapToObj(seed -> Arguments.of((long) seed, 3 + seed % 3, seed % 3 == 0));
    }

    /** Each rank makes random calls until an error or the end; then all agree, repair and go on. */
    @ParameterizedTest(name = "seed {0}, {1} ranks, several hosts {2}")
    @MethodSource("seeds")
    void shouldGoOnAfterRandomDeaths(long seed, int size, boolean severalHosts) {
        Rand plan = new Rand(seed);
        int at = 1 + plan.below(size - 1);
        int rounds = 5 + plan.below(8);
        int[] diesIn = new int[size];
        Arrays.fill(diesIn, Integer.MAX_VALUE);
        // The first rank of each side lives, so that no side is gone.
        for (int i = 0; i < 2; i++) {
            int rank = plan.below(size);
            diesIn[rank] = rank == 0 || rank == at ? Integer.MAX_VALUE : plan.below(rounds);
        }
        MortalRanks.run(size, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Intercommunicator on = divided(all, at);
            Rand common = new Rand(seed + 7);
            for (int round = 0; round < rounds; round++) {
                int kind = common.below(5);
                boolean good = true;
                try {
                    if (diesIn[job.rank()] == round) {
                        dies();
                    }
                    step(on, kind, round);
                } catch (RankwireException e) {
                    assertTrue(e.errorClass() == ErrorClass.PEER || e.errorClass() == ErrorClass.REVOKED, e.toString());
                    good = false;
                    on.revoke();
                }
                if (on.agree(good ? 1 : 0) == 0) {
                    Intercommunicator next = on.shrink();
                    on.free();
                    on = next;
                }
            }
            Intercommunicator last = on.shrink();
            int[] theirs = new int[last.remoteSize()];
            last.allgather(new int[] {job.rank()}, theirs);
            boolean isLow = job.rank() < at;
            assertArrayEquals(IntStream.range(0, size)
                    .filter(rank -> rank < at != isLow && diesIn[rank] == Integer.MAX_VALUE).toArray(), theirs);
            world.close();
        });
    }

    /** What the leader alone uses to reach the other side was revoked: the members that wait for it get that, too. */
    @Test
    void shouldFailAtAllMembersIfTheWayToTheOtherSideWasRevoked() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Communicator bridge = all.duplicate();
            Communicator part = all.split(job.rank() < 2 ? 0 : 1, 0).orElseThrow();
            bridge.revoke();
            RankwireException error = assertThrows(RankwireException.class,
                    () -> part.intercommunicator(0, bridge, job.rank() == 2 ? 0 : 2, 1));
            assertEquals(ErrorClass.REVOKED, error.errorClass(), error.getMessage());
            assertTrue(error.getMessage().contains("was revoked"), error.getMessage());
            assertEquals(1, all.agree(1));
            world.close();
        });
    }

    /** The other side never comes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheWaitForAnotherSideWhenTheOwnCommunicatorIsRevoked(boolean severalHosts) {
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            String port = world.openPort();
            for (int kind = 0; kind < 2; kind++) {
                boolean accepts = kind == 0;
                Communicator part = all.split(job.rank() < 2 ? 0 : 1, 0).orElseThrow();
                if (job.rank() == 1) {
                    part.revoke();
                }
                if (job.rank() < 2) {
                    RankwireException error = assertThrows(RankwireException.class,
                            () -> join(part, accepts, port, all));
                    assertEquals(ErrorClass.REVOKED, error.errorClass(), error.getMessage());
                    assertTrue(error.getMessage().contains("world.split(0) was revoked"), error.getMessage());
                }
            }
            assertEquals(1, all.agree(1));
            world.close();
        });
    }

    private static Intercommunicator join(Communicator part, boolean accepts, String port, Communicator bridge) {
        return accepts ? part.accept(port, 0) : part.intercommunicator(0, bridge, 2, 1);
    }

    private static void step(Intercommunicator on, int kind, int round) {
        switch (kind) {
            case 0 -> assertEquals(on.remoteSize() * round, sum(on, round));
            case 1 -> {
                double[] total = new double[LONG];
                double[] mine = new double[LONG];
                Arrays.fill(mine, round);
                on.iallreduce(mine, total, Op.SUM).await();
                assertTrue(Arrays.stream(total).allMatch(each -> each == on.remoteSize() * round));
            }
            case 2 -> {
                int[] got = new int[1];
                int common = Math.min(on.size(), on.remoteSize());
                if (on.rank() < common) {
                    on.sendReceive(new int[] {round}, on.rank(), 7, got, on.rank(), 7);
                    assertEquals(round, got[0]);
                }
            }
            case 3 -> {
                Intercommunicator twin = on.duplicate();
                try {
                    twin.barrier();
                } finally {
                    twin.free();
                }
            }
            default -> {
                Communicator merged = on.merge(on.group().worldRank(0) == 0);
                try {
                    int[] sum = new int[1];
                    merged.allreduce(new int[] {1}, sum, Op.SUM);
                    assertEquals(on.size() + on.remoteSize(), sum[0]);
                } finally {
                    merged.free();
                }
            }
        }
    }
}
