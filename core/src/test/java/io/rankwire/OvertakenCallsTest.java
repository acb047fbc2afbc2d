package io.rankwire;

import static io.rankwire.RepairTest.sum;
import static io.rankwire.launch.MortalRanks.awaitDeaths;
import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import io.rankwire.memory.Rand;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose messages, locks or members are overtaken by a death. */
class OvertakenCallsTest {
    private static final int LONG = 100_000;
    private static final int ROUNDS = 60;

    /** Ends a wait, so that a test fails rather than hangs. */
    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(2, TimeUnit.MINUTES));
    }

    private static void assertClass(ErrorClass expected, Executable call) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(expected, error.errorClass(), error.getMessage());
    }

    /** The receive was posted when rank 0 learned of it, and ended before its message came. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakeAReadyMessageWhoseReceiveADeathHasEnded(boolean severalHosts) {
        CountDownLatch posted = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            all.barrier();
            int[] large = new int[LONG];
            if (all.rank() == 2) {
                await(posted);
                dies();
            } else if (all.rank() == 1) {
                Request small = all.irecv(new int[1], Communicator.ANY_SOURCE, 1);
                Request big = all.irecv(large, Communicator.ANY_SOURCE, 2);
                posted.countDown();
                assertClass(ErrorClass.PEER, small::await);
                assertClass(ErrorClass.PEER, big::await);
                all.acknowledge();
                ended.countDown();
            } else {
                Request own = all.irecv(new int[1], Communicator.ANY_SOURCE, 3);
                assertClass(ErrorClass.PEER, own::await);
                all.rsend(new int[] {9}, 0, 3);
                await(ended);
                all.rsend(new int[] {7}, 1, 1);
                large[LONG - 1] = 8;
                Request big = all.irsend(large, 1, 2);
                assertEquals(0, all.agree(1));
                big.await();
                int[] got = new int[1];
                all.acknowledge();
                all.receive(got, Communicator.ANY_SOURCE, 3);
                assertEquals(9, got[0]);
            }
            if (all.rank() == 1) {
                assertEquals(0, all.agree(1));
                int[] got = new int[1];
                all.receive(got, Communicator.ANY_SOURCE, 1);
                assertEquals(7, got[0]);
                all.receive(large, Communicator.ANY_SOURCE, 2);
                assertEquals(8, large[LONG - 1]);
            }
            assertEquals(3, sum(all.shrink(), all.rank() + 1));
            world.close();
        });
    }

    /** Else one member would leave a call in which the others wait for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportAWrongReadySendAfterTheAgreementThatItMeets(boolean severalHosts) {
        CyclicBarrier both = new CyclicBarrier(2);
        MortalRanks.run(2, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Communicator other = all.duplicate();
            Checkpoint safe = Checkpoint.on(all);
            all.barrier();
            for (int round = 0; round < ROUNDS; round++) {
                sendWrongly(all, other, both);
                Communicator again = all.shrink();
                assertReported(other);
                assertEquals(2, sum(again, 1));
                again.free();

                sendWrongly(all, other, both);
                int[] flags = {6};
                Request agreement = all.iagree(flags);
                assertReported(other);
                agreement.await();
                assertEquals(6, flags[0]);

                sendWrongly(all, other, both);
                assertEquals(round + 1, safe.save("flags", flags));
                assertReported(other);
            }
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportAWrongReadySendAfterTheDeathOfAnAgreement(boolean severalHosts) {
        CountDownLatch begun = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 2) {
                await(begun);
                dies();
            }
            Communicator other = all.createGroup(all.group().include(0, 1), 5);
            other.barrier();
            begun.countDown();
            awaitDeaths(all, 1);
            assertEquals(0, all.agree(1));
            for (int round = 0; round < ROUNDS; round++) {
                if (all.rank() == 0) {
                    other.rsend(new int[1], 1, 1);
                }
                int[] flags = {5};
                assertClass(ErrorClass.PEER, () -> all.agreeOfLive(flags));
                assertEquals(5, flags[0]);
                assertReported(other);
                assertEquals(0, all.agree(1));
            }
            world.close();
        });
    }

    /**
     * Rank 1 has no receive for what rank 0 sends. It gets to know of the message in the agreement, or later.
     *
     * @param both where each rank waits until no earlier call of the other is under way, which would throw the error
     */
    private static void sendWrongly(Communicator all, Communicator other, CyclicBarrier both) throws Exception {
        both.await(2, TimeUnit.MINUTES);
        if (all.rank() == 0) {
            other.rsend(new int[1], 1, 1);
        }
        assertEquals(5, all.agree(5));
    }

    /** Some call of this rank throws the error of {@link #sendWrongly}. */
    private static void assertReported(Communicator other) {
        assertClass(ErrorClass.REQUEST, () -> {
            for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2); System.nanoTime() < end;) {
                other.iprobe(1 - other.rank(), 9);
            }
        });
    }

    /** A rank of another part dies in the middle of split, or a member in the middle of createGroup. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheMakingOfCommunicatorsInWhichARankDies(boolean severalHosts) {
        for (int round = 0; round < ROUNDS; round++) {
            Rand random = new Rand(round);
            CountDownLatch inside = new CountDownLatch(5);
            MortalRanks.run(5, places(severalHosts), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                inside.countDown();
                await(inside);
                if (job.rank() == 4) {
                    Thread.ofPlatform().daemon().start(() -> {
                        LockSupport.parkNanos(random.below(200_000));
                        ranks.declare(4);
                    });
                }
                // The communicators that are made before the death stay: other members may not have them.
                assertClass(ErrorClass.PEER, () -> {
                    while (true) {
                        all.split(all.rank() / 2, 0);
                    }
                });
                if (job.rank() == 0 || job.rank() == 4) {
                    world.close();
                    return;
                }
                try {
                    all.createGroup(all.group().include(1, 2, 3, 4), 5);
                } catch (RankwireException e) {
                    assertEquals(ErrorClass.PEER, e.errorClass(), e.getMessage());
                }
                assertEquals(6, sum(all.createGroup(all.group().include(1, 2, 3), 5), all.rank()));
                world.close();
            });
        }
    }

    /** Rank 1 is slow, and gives back a lock that the others took from it when it was declared dead. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepALockThatADeadRankGivesBack(boolean severalHosts) {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch takenOver = new CountDownLatch(1);
        CountDownLatch givenBack = new CountDownLatch(1);
        AtomicBoolean isHeld = new AtomicBoolean();
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window window = all.allocateWindow(8, 8);
            if (all.rank() == 1) {
                window.lock(Window.Lock.EXCLUSIVE, 0);
                held.countDown();
                await(takenOver);
                assertThrows(RankwireException.class, () -> window.unlock(0));
                givenBack.countDown();
                return;
            }
            if (all.rank() == 2) {
                await(held);
                ranks.declare(1);
                window.lock(Window.Lock.EXCLUSIVE, 0);
                isHeld.set(true);
                takenOver.countDown();
                // Rank 0 would get the lock meanwhile.
                Thread.sleep(20);
                isHeld.set(false);
                window.unlock(0);
            } else {
                while (givenBack.getCount() > 0) {
                    all.failed();
                }
                window.lock(Window.Lock.EXCLUSIVE, 0);
                assertTrue(!isHeld.get(), "two ranks have the lock");
                window.unlock(0);
            }
            world.close();
        });
    }

    /** The owner frees its part alone, as it may when a member is dead. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWaitsForALockWhoseOwnerFreesTheWindow(boolean severalHosts) {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch freed = new CountDownLatch(1);
        MortalRanks.run(4, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window window = all.allocateWindow(8, 8);
            if (all.rank() == 3) {
                await(held);
                dies();
            }
            if (all.rank() == 1) {
                window.lock(Window.Lock.EXCLUSIVE, 0);
                held.countDown();
            }
            awaitDeaths(all, 1);
            if (all.rank() == 2) {
                waiting.countDown();
                assertClass(ErrorClass.PEER, () -> window.lock(Window.Lock.EXCLUSIVE, 0));
            } else if (all.rank() == 1) {
                await(freed);
            } else {
                await(waiting);
                // The request may come before or after the part is gone.
                for (long end = System.nanoTime() + 20_000_000; System.nanoTime() < end;) {
                    all.failed();
                }
                window.free();
                freed.countDown();
            }
            assertEquals(6, sum(all.shrink(), all.rank() + 1));
            world.close();
        });
    }

    @Test
    void shouldRefuseTheSharedMemoryOfADeadRank() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window window = all.sharedWindow(8, 8);
            window.shared(1).set(ValueLayout.JAVA_BYTE, all.rank(), (byte) 1);
            all.barrier();
            if (all.rank() == 1) {
                dies();
            }
            awaitDeaths(all, 1);
            assertClass(ErrorClass.PEER, () -> window.shared(1));
            assertEquals(8, window.shared(0).byteSize());
            window.sync();
            assertEquals(2, sum(all.shrink(), 1));
            window.free();
            world.close();
        });
    }

    /** The owner frees its part, as it may when a member is dead, while entries of work queues still access it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWorkWhosePartIsFreed(boolean severalHosts) {
        for (int round = 0; round < ROUNDS / 3; round++) {
            CountDownLatch running = new CountDownLatch(1);
            MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                Window window = all.allocateWindow(8 * LONG, 8);
                if (all.rank() == 1) {
                    await(running);
                    dies();
                }
                if (all.rank() == 0) {
                    awaitDeaths(all, 1);
                    window.free();
                } else {
                    // This rank may learn of the death later than the owner.
                    window.lock(Window.Lock.EXCLUSIVE, 0);
                    assertClass(ErrorClass.PEER, () -> {
                        while (true) {
                            Work work = all.work();
                            int done = work.counter();
                            WorkTarget there = work.target(window, 0, 0);
                            WorkBuffer from = work.buffer(new long[LONG]);
                            WorkQueue queue = work.queue();
                            for (int i = 0; i < 20; i++) {
                                queue.put(from, there, done);
                            }
                            queue.await(done, 20);
                            Request run = work.start(1);
                            running.countDown();
                            run.await();
                        }
                    });
                }
                assertEquals(2, sum(all.shrink(), 1));
                world.close();
            });
        }
    }
}
