package io.rankwire;

import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.rankwire.launch.MortalRanks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls do when a rank dies before or while the others make them: ranks as threads, one host and several. */
class SurvivorsTest {
    /** All ranks on one host, or each on its own. */
    private static final Map<String, IntUnaryOperator> PLACES = new LinkedHashMap<>();

    static {
        PLACES.put("one host", null);
        PLACES.put("several hosts", rank -> rank);
    }

    /** A call that all members make. */
    private interface Call {
        void make(Communicator on) throws Exception;
    }

    private static final int LONG = 100_000;
    private static final Map<String, Call> COLLECTIVES = new LinkedHashMap<>();

    static {
        COLLECTIVES.put("barrier", Communicator::barrier);
        COLLECTIVES.put("broadcast", on -> on.broadcast(new int[3], 0));
        COLLECTIVES.put("long broadcast", on -> on.broadcast(new int[LONG], 0));
        COLLECTIVES.put("reduce", on -> on.reduce(new int[3], new int[3], Op.SUM, 0));
        COLLECTIVES.put("allreduce", on -> on.allreduce(new int[3], new int[3], Op.SUM));
        COLLECTIVES.put("long allreduce", on -> on.allreduce(new double[LONG], new double[LONG], Op.SUM));
        COLLECTIVES.put("gather", on -> on.gather(new int[2], new int[2 * on.size()], 0));
        COLLECTIVES.put("scatter", on -> on.scatter(new int[2 * on.size()], new int[2], 0));
        COLLECTIVES.put("allgather", on -> on.allgather(new int[2], new int[2 * on.size()]));
        COLLECTIVES.put("alltoall", on -> on.alltoall(new int[2 * on.size()], new int[2 * on.size()]));
        COLLECTIVES.put("scan", on -> on.scan(new int[2], new int[2], Op.SUM));
        COLLECTIVES.put("ibarrier", on -> on.ibarrier().await());
        COLLECTIVES.put("iallreduce", on -> on.iallreduce(new int[3], new int[3], Op.SUM).await());
        COLLECTIVES.put("long iallreduce", on -> on.iallreduce(new double[LONG], new double[LONG], Op.SUM).await());
        COLLECTIVES.put("persistent barrier", on -> {
            Request request = on.barrierInit();
            request.start();
            request.await();
        });
        COLLECTIVES.put("duplicate", Communicator::duplicate);
        COLLECTIVES.put("split", on -> on.split(0, on.rank()));
        COLLECTIVES.put("cartesian", on -> on.cartesian(new int[] {on.size()}, new boolean[] {true}));
        COLLECTIVES.put("window", on -> on.window(new int[4], 1));
    }

    static Stream<Arguments> collectives() {
        List<Arguments> all = new ArrayList<>();
        for (String place : PLACES.keySet()) {
            COLLECTIVES.keySet().forEach(call -> all.add(Arguments.of(place, call)));
        }
        return all.stream();
    }

    /** Ends a wait, so that a test fails rather than hangs. */
    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(2, TimeUnit.MINUTES));
    }

    /** A call ends, well or with an error of class PEER; returns whether it ended well. */
    private static boolean ends(Communicator on, Call call) throws Exception {
        try {
            call.make(on);
            return true;
        } catch (RankwireException e) {
            assertEquals(ErrorClass.PEER, e.errorClass(), e.getMessage());
            assertTrue(e.getMessage().contains("died"), e.getMessage());
            return false;
        }
    }

    /** The ranks that are alive send a message around. */
    private static void passAround(Communicator all, int... alive) {
        int place = Arrays.binarySearch(alive, all.rank());
        int next = alive[(place + 1) % alive.length];
        int previous = alive[(place + alive.length - 1) % alive.length];
        int[] got = new int[1];
        all.sendReceive(new int[] {all.rank()}, next, 7, got, previous, 7);
        assertEquals(previous, got[0]);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("collectives")
    void shouldRefuseCollectivesAfterADeath(String place, String name) {
        MortalRanks.run(3, PLACES.get(place), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                dies();
            }
            awaitDeaths(all, 1);
            RankwireException error = assertThrows(RankwireException.class, () -> COLLECTIVES.get(name).make(all));
            assertEquals(ErrorClass.PEER, error.errorClass(), error.getMessage());
            assertTrue(error.getMessage().contains("rank 1 died"), error.getMessage());
            passAround(all, 0, 2);
            world.close();
        });
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("collectives")
    void shouldEndCollectivesInWhichARankDies(String place, String name) {
        for (int dying = 0; dying < 4; dying++) {
            int rank = dying;
            CountDownLatch inside = new CountDownLatch(3);
            MortalRanks.run(4, PLACES.get(place), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                all.barrier();
                Communicator on = all.duplicate();
                Call call = COLLECTIVES.get(name);
                call.make(on);
                if (all.rank() == rank) {
                    await(inside);
                    Thread.sleep(2);
                    dies();
                }
                inside.countDown();
                // Some calls end at some ranks without the dead one, and then the next one finds out.
                while (ends(on, call)) {
                    Thread.sleep(1);
                }
                assertEquals(1, on.failed().size());
                passAround(all, Stream.of(0, 1, 2, 3).filter(r -> r != rank).mapToInt(r -> r).toArray());
                on.free();
                world.close();
            });
        }
    }

    @Test
    void shouldEndReceivesFromTheDeadAloneOnOneHost() {
        endReceives(null);
    }

    @Test
    void shouldEndReceivesFromTheDeadAloneOnSeveralHosts() {
        endReceives(rank -> rank);
    }

    private static void endReceives(IntUnaryOperator hosts) {
        MortalRanks.run(3, hosts, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.send(new int[] {11}, 0, 1);
                all.receive(new int[1], 0, 9);
                dies();
            }
            if (all.rank() == 2) {
                all.receive(new int[1], 0, 2);
                all.send(new int[] {22}, 0, 3);
                world.close();
                return;
            }
            int[] from2 = new int[1];
            Request live = all.irecv(from2, 2, 3);
            Request dead = all.irecv(new int[1], 1, 3);
            Request any = all.irecv(new int[1], Communicator.ANY_SOURCE, 4);
            all.send(new int[1], 1, 9);
            assertEquals(ErrorClass.PEER, assertThrows(RankwireException.class, dead::await).errorClass());
            assertEquals(ErrorClass.PEER, assertThrows(RankwireException.class, any::await).errorClass());
            // What the dead rank has sent before can be received.
            int[] got = new int[1];
            all.receive(got, 1, 1);
            assertEquals(11, got[0]);
            assertPeer(() -> all.receive(got, 1, 1));
            assertPeer(() -> all.probe(1, 1));
            assertPeer(() -> all.send(new int[1], 1, 1));
            assertPeer(() -> all.ssend(new int[1], 1, 1));
            assertPeer(() -> all.send(new int[LONG], 1, 1));
            assertPeer(() -> all.receive(got, Communicator.ANY_SOURCE, 5));
            assertPeer(() -> all.probe(Communicator.ANY_SOURCE, 5));
            assertPeer(() -> all.iprobe(Communicator.ANY_SOURCE, 5));
            assertArrayEquals(new int[] {1}, ranksOf(all, all.acknowledge()));
            Request again = all.irecv(got, Communicator.ANY_SOURCE, 3);
            all.send(new int[1], 2, 2);
            live.await();
            assertEquals(22, from2[0]);
            again.cancel();
            again.await();
            world.close();
        });
    }

    private static int[] ranksOf(Communicator on, Group group) {
        int[] all = new int[group.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = group.worldRank(i);
        }
        return all;
    }

    private static void assertPeer(org.junit.jupiter.api.function.Executable call) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(ErrorClass.PEER, error.errorClass(), error.getMessage());
    }

    @Test
    void shouldEndARankThatWasTakenForDead() {
        CountDownLatch ended = new CountDownLatch(1);
        MortalRanks.run(2, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                ranks.declare(1);
                assertPeer(() -> all.receive(new int[1], 1, 1));
                await(ended);
                world.close();
                return;
            }
            RankwireException error = assertThrows(RankwireException.class, () -> all.receive(new int[1], 0, 1));
            assertEquals("rank 1 ends: it was declared dead: rank 1 was taken for dead", error.getMessage());
            assertThrows(RankwireException.class, () -> {
                for (int i = 0; i < 1000; i++) {
                    all.iprobe(0, 1);
                }
                fail("it goes on");
            });
            ended.countDown();
        });
    }
}
