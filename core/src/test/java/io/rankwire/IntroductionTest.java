package io.rankwire;

import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import io.rankwire.memory.Rand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Two sides meet for an intercommunicator, where a side gives up, or comes again. */
class IntroductionTest {
    private static final int ROUNDS = 20;

    /** How one side meets the other. */
    enum Way {
        /** The lower leader answers, the higher one asks. */
        LOWER,
        HIGHER,
        ACCEPT,
        CONNECT;

        /** The way of the other side. */
        Way opposite() {
            return switch (this) {
                case LOWER -> HIGHER;
                case HIGHER -> LOWER;
                case ACCEPT -> CONNECT;
                case CONNECT -> ACCEPT;
            };
        }

        Intercommunicator meet(Communicator side, Communicator bridge, int other, String port) {
            return switch (this) {
                case ACCEPT -> side.accept(port, 0);
                case CONNECT -> side.connect(port, 0);
                default -> side.intercommunicator(0, bridge, other, 3);
            };
        }
    }

    private static void await(CountDownLatch event) throws InterruptedException {
        assertTrue(event.await(3, TimeUnit.MINUTES));
    }

    /** Returns a port of the side that accepts, at all ranks. */
    private static String port(World world, int opener) {
        return port(world, world.communicator(), opener);
    }

    private static String port(World world, Communicator all, int opener) {
        byte[] name = new byte[32];
        if (all.rank() == opener) {
            byte[] mine = world.openPort().getBytes();
            System.arraycopy(mine, 0, name, 0, mine.length);
        }
        all.broadcast(name, opener);
        return new String(name).trim();
    }

    /** The other side never comes. */
    @ParameterizedTest(name = "several hosts {0}, {1}")
    @CsvSource({"false, LOWER", "false, HIGHER", "false, ACCEPT", "false, CONNECT", "true, HIGHER", "true, ACCEPT"})
    void shouldEndAtAllMembersWhenOneOfTheOwnSideDies(boolean severalHosts, Way way) {
        MortalRanks.run(5, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            int other = way == Way.LOWER ? 4 : 0;
            String port = port(world, way == Way.ACCEPT ? 1 : other);
            Communicator side = all.split(job.rank() == other ? 1 : 0, job.rank()).orElseThrow();
            if (side.size() > 1) {
                if (side.rank() == 2) {
                    dies();
                }
                RankwireException error = assertThrows(RankwireException.class, () -> way.meet(side, all, other, port));
                assertEquals(ErrorClass.PEER, error.errorClass(), error.getMessage());
            }
            all.agree(1);
            world.close();
        });
    }

    /** A side gives up before the other one comes, and meets it with a communicator that it has repaired. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void shouldMeetWhenASideComesAgain(Way way) {
        CountDownLatch[] gaveUp = new CountDownLatch[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            gaveUp[round] = new CountDownLatch(2);
        }
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            boolean isLow = job.rank() < 2;
            boolean givesUp = isLow == (way != Way.HIGHER);
            int giver = way == Way.HIGHER ? 2 : 0;
            String port = port(world, way == Way.ACCEPT ? giver : 2 - giver);
            Rand random = new Rand(job.rank());
            for (int round = 0; round < ROUNDS; round++) {
                Communicator side = all.split(isLow ? 0 : 1, job.rank()).orElseThrow();
                Way mine = givesUp ? way : way.opposite();
                int other = isLow ? 2 : 0;
                if (givesUp) {
                    Communicator first = side;
                    if (side.rank() == 1) {
                        for (int i = random.below(100_000); i > 0; i--) {
                            Thread.onSpinWait();
                        }
                        side.revoke();
                    }
                    RankwireException error = assertThrows(
                            RankwireException.class, () -> mine.meet(first, all, other, port));
                    assertEquals(ErrorClass.REVOKED, error.errorClass(), error.getMessage());
                    gaveUp[round].countDown();
                    side = first.shrink();
                    first.free();
                } else {
                    await(gaveUp[round]);
                }
                Intercommunicator both = mine.meet(side, all, other, port);
                int[] got = new int[1];
                both.sendReceive(new int[] {round}, side.rank(), 1, got, side.rank(), 1);
                assertEquals(round, got[0]);
                both.free();
                side.free();
            }
            world.close();
        });
    }

    /** The request of a side that has given up stands before that of another one. */
    @ParameterizedTest
    @CsvSource({"0", "3"})
    void shouldAcceptTheNextSideWhenOneHasGivenUp(int server) {
        CountDownLatch gaveUp = new CountDownLatch(2);
        CountDownLatch asked = new CountDownLatch(1);
        MortalRanks.run(4, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            String port = port(world, server);
            int last = 3 - server;
            Communicator side = all.split(job.rank() == server ? 0 : job.rank() == last ? 1 : 2, 0).orElseThrow();
            if (job.rank() == server) {
                await(gaveUp);
                asked.countDown();
                assertEquals(last, side.accept(port, 0).remoteGroup().worldRank(0));
            } else if (job.rank() == last) {
                await(asked);
                assertEquals(server, side.connect(port, 0).remoteGroup().worldRank(0));
            } else {
                if (side.rank() == 1) {
                    side.revoke();
                }
                assertThrows(RankwireException.class, () -> side.connect(port, 0));
                gaveUp.countDown();
            }
            all.barrier();
            world.close();
        });
    }

    /** The communicator of the world was revoked, and a new rank accepts, connects, or is no root. */
    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void shouldConnectAfterARepair(int victim) {
        Ranks.Results<Integer> sizes = Ranks.threads(4).goOn().timeout(Duration.ofMinutes(3)).run(world -> {
            Communicator all = world.communicator();
            if (!world.isReplacement()) {
                if (all.rank() == victim) {
                    throw new IllegalStateException("dies");
                }
                assertThrows(RankwireException.class, all::barrier);
                all.revoke();
                all = all.replace();
            }
            String port = port(world, all, 0);
            Communicator side = all.split(all.rank() / 2, all.rank()).orElseThrow();
            Intercommunicator both = all.rank() < 2 ? side.accept(port, 0) : side.connect(port, 0);
            int[] sum = new int[1];
            both.allreduce(new int[] {1 + all.rank()}, sum, Op.SUM);
            both.free();
            return sum[0];
        });
        assertEquals(List.of(7, 7, 3, 3), sizes.values());
    }

    /** The error is one of the communicator of the call, and not of that over which the leader asks. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void shouldCallTheHandlerOfTheSideAlone(Way way) {
        AtomicInteger ofSide = new AtomicInteger();
        AtomicInteger ofAll = new AtomicInteger();
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            int other = way == Way.LOWER ? 2 : 0;
            String port = port(world, way == Way.ACCEPT ? 1 : other);
            Communicator side = all.split(job.rank() == other ? 1 : 0, job.rank()).orElseThrow();
            all.errorHandler((on, error) -> ofAll.incrementAndGet());
            side.errorHandler((on, error) -> ofSide.incrementAndGet());
            if (side.size() > 1) {
                if (side.rank() == 1) {
                    side.revoke();
                }
                assertThrows(RankwireException.class, () -> way.meet(side, all, other, port));
            }
            all.barrier();
            world.close();
        });
        assertEquals(0, ofAll.get());
        assertEquals(2, ofSide.get());
    }
}
