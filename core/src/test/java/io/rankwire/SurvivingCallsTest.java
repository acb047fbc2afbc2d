package io.rankwire;

import static io.rankwire.launch.MortalRanks.dies;
import static io.rankwire.launch.MortalRanks.places;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.launch.MortalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows, datagrams, active messages, work queues and other groups when a rank dies: on one host and on several. */
class SurvivingCallsTest {
    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(2, TimeUnit.MINUTES));
    }

    private static void assertPeer(Executable call) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(ErrorClass.PEER, error.errorClass(), error.getMessage());
        assertTrue(error.getMessage().contains("rank 1 died"), error.getMessage());
    }

    private static void awaitDeath(Communicator all) {
        while (all.failed().size() == 0) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveLocksOfADeadRankOn(boolean severalHosts) {
        for (Window.Lock how : Window.Lock.values()) {
            CountDownLatch locked = new CountDownLatch(1);
            CountDownLatch waits = new CountDownLatch(2);
            MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                Window window = all.allocateWindow(16, 8);
                if (all.rank() == 1) {
                    window.lock(how, 0);
                    locked.countDown();
                    await(waits);
                    dies();
                }
                await(locked);
                waits.countDown();
                for (int i = 0; i < 50; i++) {
                    window.lock(Window.Lock.EXCLUSIVE, 0);
                    long[] now = new long[1];
                    window.get(now, 0, 0);
                    window.flush(0);
                    window.put(new long[] {now[0] + 1}, 0, 0);
                    window.unlock(0);
                }
                awaitDeath(all);
                all.sendReceive(new int[1], 2 - all.rank(), 1, new int[1], 2 - all.rank(), 1);
                if (all.rank() == 0) {
                    window.lock(Window.Lock.SHARED, 0);
                    assertEquals(100, window.memory().get(ValueLayout.JAVA_LONG, 0));
                    window.unlock(0);
                }
                window.free();
                world.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndAccessesToADeadRankAlone(boolean severalHosts) {
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window window = all.allocateWindow(16, 8);
            Window fenced = all.window(new long[2], 8);
            window.lockAll();
            if (all.rank() == 1) {
                all.receive(new int[1], 0, 3);
                all.receive(new int[1], 2, 3);
                dies();
            }
            all.send(new int[1], 1, 3);
            awaitDeath(all);
            int other = 2 - all.rank();
            assertPeer(() -> {
                window.put(new long[1], 1, 0);
                window.flush(1);
            });
            assertPeer(() -> {
                window.get(new long[1], 1, 0);
                window.flush(1);
            });
            assertPeer(() -> {
                window.accumulate(new long[1], 1, 0, Op.SUM);
                window.flush(1);
            });
            window.accumulate(new long[] {5}, other, 0, Op.SUM);
            window.flush(other);
            assertPeer(window::flushAll);
            assertPeer(window::unlockAll);
            assertPeer(window::lockAll);
            assertPeer(() -> window.lock(Window.Lock.SHARED, 1));
            window.lock(Window.Lock.EXCLUSIVE, other);
            window.put(new long[] {7}, other, 1);
            window.unlock(other);
            all.sendReceive(new int[1], other, 1, new int[1], other, 1);
            assertEquals(5, window.memory().get(ValueLayout.JAVA_LONG, 0));
            assertEquals(7, window.memory().get(ValueLayout.JAVA_LONG, 8));
            assertPeer(fenced::fence);
            window.free();
            fenced.free();
            world.close();
        });
    }

    /** Another live rank has the lock at the dead one, and does not give it back. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWaitsForALockAtADeadRank(boolean severalHosts) {
        for (Window.Lock how : Window.Lock.values()) {
            CountDownLatch locked = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                Window window = all.allocateWindow(16, 8);
                if (all.rank() == 1) {
                    // The others are about to wait, and make this call meanwhile.
                    all.receive(new int[1], 2, 3);
                    dies();
                }
                if (all.rank() == 0) {
                    window.lock(Window.Lock.EXCLUSIVE, 1);
                    locked.countDown();
                    await(over);
                    assertPeer(() -> window.unlock(1));
                } else {
                    await(locked);
                    all.send(new int[1], 1, 3);
                    assertPeer(() -> window.lock(how, 1));
                    assertPeer(() -> window.lock(how, 1));
                    over.countDown();
                }
                window.free();
                world.close();
            });
        }
    }

    /** Accesses to mapped memory neither wait nor move messages. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndLoopsOfAccessesToADeadRank(boolean severalHosts) {
        CountDownLatch begun = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window window = all.allocateWindow(16, 8);
            window.lockAll();
            if (all.rank() == 1) {
                await(begun);
                dies();
            }
            Work work = all.work();
            int done = work.counter();
            work.queue().put(work.buffer(new long[1]), work.target(window, 1, 0), done).await(done, 1);
            begun.countDown();
            assertPeer(() -> {
                while (true) {
                    if (all.rank() == 0) {
                        window.fetchAndOp(1L, 1, 0, Op.SUM);
                    } else {
                        work.start(1).await();
                    }
                }
            });
            assertPeer(window::unlockAll);
            window.free();
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndRequestsThatNoCallWaitsFor(boolean severalHosts) {
        CountDownLatch begun = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                await(begun);
                dies();
            }
            CompletableFuture<Status> future = all.irecv(new int[1], 1, 1).toFuture();
            begun.countDown();
            ExecutionException error = assertThrows(ExecutionException.class, () -> future.get(2, TimeUnit.MINUTES));
            assertPeer(() -> {
                throw error.getCause();
            });
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndFencesInWhichARankDies(boolean severalHosts) {
        for (int ranks = 2; ranks <= 5; ranks++) {
            int size = ranks;
            CountDownLatch inside = new CountDownLatch(size - 1);
            MortalRanks.run(size, places(severalHosts), (mortals, job) -> {
                World world = World.join();
                Window window = world.communicator().allocateWindow(8, 8);
                window.fence();
                if (job.rank() == 1) {
                    await(inside);
                    Thread.sleep(2);
                    dies();
                }
                inside.countDown();
                assertPeer(window::fence);
                window.free();
                world.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWithTheOthersOfAGroup(boolean severalHosts) {
        CountDownLatch started = new CountDownLatch(1);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Window window = all.allocateWindow(8, 8);
            if (all.rank() == 0) {
                assertPeer(() -> {
                    window.post(all.group().include(1, 2));
                    started.countDown();
                    window.await();
                });
                assertEquals(9, window.memory().get(ValueLayout.JAVA_LONG, 0));
            } else if (all.rank() == 1) {
                window.start(all.group().include(0));
                await(started);
                dies();
            } else {
                window.start(all.group().include(0));
                window.put(new long[] {9}, 0, 0);
                window.complete();
                awaitDeath(all);
                assertPeer(() -> window.start(all.group().include(1)));
                assertPeer(window::complete);
            }
            window.free();
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRevokeActiveMessagesWithTheirCommunicator(boolean severalHosts) {
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Communicator part = all.duplicate();
            for (int round = 0; round < 3; round++) {
                ActiveMessages active = ActiveMessages.open(part);
                active.handle(1, (source, payload) -> { });
                all.barrier();
                if (job.rank() == 0) {
                    active.post(1, 1, new byte[8]);
                    part.revoke();
                }
                assertRevoked(() -> active.await(() -> false));
                assertRevoked(() -> active.post(1, 2, new byte[8]));
                assertRevoked(active::fence);
                active.free();
                Communicator next = part.shrink();
                part.free();
                part = next;
            }
            assertEquals(1, all.agree(1));
            world.close();
        });
    }

    private static void assertRevoked(Executable call) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(ErrorClass.REVOKED, error.errorClass(), error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendDatagramsAndActiveMessagesToOthers(boolean severalHosts) {
        CountDownLatch met = new CountDownLatch(2);
        CountDownLatch dead = new CountDownLatch(2);
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            ActiveMessages active = ActiveMessages.open(all);
            int[] came = new int[1];
            active.handle(3, (bytes, from) -> came[0]++);
            Datagram socket = Datagram.open(world);
            socket.bind(5);
            all.barrier();
            if (all.rank() == 1) {
                // Others may still be in the barrier.
                await(met);
                dies();
            }
            met.countDown();
            int other = 2 - all.rank();
            assertPeer(() -> active.await(() -> came[0] > 0));
            dead.countDown();
            await(dead);
            RankwireException error = assertThrows(RankwireException.class, () -> socket.sendTo(new byte[8], 1, 5));
            assertEquals(ErrorClass.PEER, error.errorClass(), error.getMessage());
            assertTrue(error.getMessage().contains("sendTo node 1, queue 5 at SurvivingCallsTest.java:"),
                    error.getMessage());
            assertPeer(() -> active.post(3, 1, new byte[8]));
            active.post(3, other, new byte[8]);
            active.await(() -> came[0] > 0);
            socket.sendTo(new byte[8], other, 5);
            socket.receiveFrom(new byte[8]);
            socket.close();
            active.free();
            world.close();
        });
    }

    @Test
    void shouldCallNoErrorHandlerWhenActiveMessagesEnd() {
        MortalRanks.run(3, null, (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            AtomicInteger heard = new AtomicInteger();
            all.errorHandler((on, error) -> heard.incrementAndGet());
            ActiveMessages active = ActiveMessages.open(all);
            if (all.rank() == 1) {
                dies();
            }
            while (all.failed().size() == 0) {
                Thread.onSpinWait();
            }
            active.free();
            assertEquals(0, heard.get());
            assertPeer(all::barrier);
            assertEquals(1, heard.get());
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWorkThatNeedsADeadRankAlone(boolean severalHosts) {
        MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                dies();
            }
            int other = 2 - all.rank();
            int[] got = new int[1];
            Work good = all.work();
            int came = good.counter();
            good.queue().send(other, good.buffer(new int[] {all.rank()}), good.counter())
                    .receive(other, good.buffer(got), came).await(came, 1);
            Work bad = all.work();
            int never = bad.counter();
            bad.queue().receive(1, bad.buffer(new int[1]), never).await(never, 1);
            Request first = bad.start(1);
            assertPeer(first::await);
            good.start(2).await();
            assertEquals(other, got[0]);
            assertPeer(() -> bad.start(3).await());
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndCallsBetweenGroupsAndOfNeighbours(boolean severalHosts) {
        CountDownLatch inside = new CountDownLatch(3);
        MortalRanks.run(4, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            int here = all.rank() / 2;
            Communicator side = all.split(here, 0).orElseThrow();
            Intercommunicator inter = side.intercommunicator(0, all, here == 0 ? 2 : 0, 9);
            CartesianCommunicator ring = all.cartesian(new int[] {4}, new boolean[] {true}).orElseThrow();
            if (all.rank() == 1) {
                await(inside);
                Thread.sleep(2);
                dies();
            }
            inside.countDown();
            if (all.rank() == 2) {
                assertPeer(() -> ring.neighbourAllgather(new int[1], new int[2]));
            } else {
                assertPeer(inter::barrier);
            }
            assertPeer(inter::barrier);
            assertPeer(() -> ring.neighbourAllgather(new int[1], new int[2]));
            assertPeer(() -> inter.merge(here == 1));
            if (here == 1) {
                side.barrier();
                RankwireException error = assertThrows(RankwireException.class,
                        () -> side.intercommunicator(0, all, 1, 10));
                assertEquals(ErrorClass.PEER, error.errorClass(), error.getMessage());
            }
            if (all.rank() != 0) {
                Communicator pair = all.createGroup(all.group().include(2, 3), 4);
                pair.barrier();
                pair.free();
            }
            inter.free();
            ring.free();
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCallNoErrorHandlerInAFreeThatADeathInterrupts(boolean severalHosts) {
        CountDownLatch inside = new CountDownLatch(3);
        MortalRanks.run(4, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Communicator twin = all.duplicate();
            ErrorHandler never = (on, error) -> {
                throw new AssertionError("handler of " + on.name(), error);
            };
            all.errorHandler(never);
            twin.errorHandler(never);
            if (all.rank() == 2) {
                await(inside);
                Thread.sleep(2);
                dies();
            }
            inside.countDown();
            twin.free();
            all.errorHandler(ErrorHandler.THROW);
            assertEquals(3, all.shrink().size());
            world.close();
        });
    }

    private static void assertClass(ErrorClass expected, Executable call) {
        RankwireException error = assertThrows(RankwireException.class, call);
        assertEquals(expected, error.errorClass(), error.getMessage());
    }

    private interface Access {
        void make(Window window);
    }

    private static final Access[] ACCESSES = {
        window -> window.put(new long[1], 0, 0),
        window -> window.put(new int[2], 0, 0),
        window -> window.get(new long[1], 0, 0),
        window -> window.accumulate(new long[1], 0, 0, Op.SUM),
        window -> window.fetchAndOp(1L, 0, 0, Op.SUM),
        window -> window.compareAndSwap(new long[1], new long[1], new long[1], 0, 0),
        window -> window.rget(new long[1], 0, 1, 0, 0).await(),
    };

    /** A rank that does not know of the revocation yet accesses memory that another one has freed because of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportTheRevocationWhereAPartIsGone(boolean severalHosts) {
        for (int i = -1; i < ACCESSES.length; i++) {
            Access access = i < 0 ? null : ACCESSES[i];
            CountDownLatch opened = new CountDownLatch(1);
            CountDownLatch freed = new CountDownLatch(1);
            MortalRanks.run(2, places(severalHosts), (ranks, job) -> {
                World world = World.join();
                Communicator on = world.communicator().duplicate();
                Window first = on.allocateWindow(16, 8);
                Window known = on.allocateWindow(16, 8);
                on.barrier();
                if (on.rank() == 0) {
                    await(opened);
                    on.revoke();
                    first.free();
                    known.free();
                    freed.countDown();
                } else {
                    if (access == null) {
                        known.lock(Window.Lock.SHARED, 0);
                        known.unlock(0);
                    } else {
                        known.lockAll();
                        known.flushAll();
                    }
                    opened.countDown();
                    await(freed);
                    assertClass(ErrorClass.REVOKED, () -> first.lock(Window.Lock.EXCLUSIVE, 0));
                    assertClass(ErrorClass.REVOKED, () -> {
                        if (access == null) {
                            known.lock(Window.Lock.EXCLUSIVE, 0);
                        } else {
                            access.make(known);
                            known.flush(0);
                        }
                    });
                    first.free();
                    known.free();
                }
                on.free();
                world.close();
            });
        }
    }

    /** Nobody is dead, and nothing was revoked. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportMemoryThatWasFreedTooEarly(boolean severalHosts) {
        CountDownLatch freed = new CountDownLatch(1);
        MortalRanks.run(2, places(severalHosts), (ranks, job) -> {
            World world = World.join();
            Communicator all = world.communicator();
            Arena arena = Arena.ofShared();
            Window window = all.window(arena.allocate(16), 8);
            if (all.rank() == 0) {
                arena.close();
                freed.countDown();
            } else {
                await(freed);
                window.lock(Window.Lock.SHARED, 0);
                assertClass(ErrorClass.DISPLACEMENT, () -> {
                    window.put(new long[1], 0, 0);
                    window.flush(0);
                });
                window.unlock(0);
                arena.close();
            }
            all.barrier();
            window.free();
            world.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCallNoErrorHandlerWhenAWindowIsFreedAfterADeath(boolean severalHosts) {
        for (boolean isKnown : new boolean[] {false, true}) {
            CountDownLatch inside = new CountDownLatch(2);
            MortalRanks.run(3, places(severalHosts), (ranks, job) -> {
                World world = World.join();
                Communicator all = world.communicator();
                ErrorHandler never = (on, error) -> {
                    throw new AssertionError("handler of " + on.name(), error);
                };
                all.errorHandler(never);
                Window window = all.allocateWindow(16, 8);
                window.errorHandler(never);
                if (all.rank() == 1) {
                    await(inside);
                    Thread.sleep(2);
                    dies();
                }
                inside.countDown();
                if (isKnown) {
                    awaitDeath(all);
                }
                window.free();
                world.close();
            });
        }
    }
}
