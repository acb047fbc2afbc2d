package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import io.rankwire.sim.program.Settings;
import io.rankwire.sim.program.SimulatedRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions and futures of requests: when and where they run, and what they must not disturb. */
@Timeout(300)
final class RequestActionTest {
    private static final int ROUNDS = 200;

    @Test
    void shouldRunAtTheEndOfTheCallThatFindsTheRequestDone() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            List<String> seen = new ArrayList<>();
            int[] in = new int[1];
            all.irecv(in, 0, 1).whenDone(done -> {
                seen.add(in[0] + " with tag " + done.status().tag() + " on " + Thread.currentThread().getName());
                all.sendReceive(new int[] {8}, 0, 2, in, 0, 2);
            });
            assertEquals(List.of(), seen);
            all.send(new int[] {7}, 0, 1);
            assertEquals(List.of("7 with tag 1 on " + Thread.currentThread().getName()), seen);
            assertEquals(8, in[0]);
            Request done = all.isend(in, 0, 3);
            all.receive(in, 0, 3);
            done.whenDone(request -> seen.add("at once"));
            assertEquals("at once", seen.getLast());
        });
    }

    /** No thread is inside a call: both main threads wait for a latch, and each action starts the next message. */
    @Test
    void shouldRunWhileNoThreadMakesACall() {
        Worlds.run(2, world -> {
            CountDownLatch over = new CountDownLatch(1);
            Thread main = Thread.currentThread();
            new PingPong(world.communicator(), round -> {
                if (round == ROUNDS) {
                    over.countDown();
                }
            }).receive(0);
            await(over);
            assertEquals("rank-" + world.communicator().rank(), main.getName());
        });
    }

    private interface Rounds {
        void passed(int round);
    }

    /** Messages between two ranks, each sent by the action of the receive before. */
    private record PingPong(Communicator all, Rounds rounds) {
        void receive(int round) {
            int[] in = new int[1];
            int other = 1 - all.rank();
            all.irecv(in, other, round).whenDone(done -> {
                assertEquals(round, in[0]);
                if (round < ROUNDS) {
                    receive(round + 1);
                }
                if (all.rank() == 1) {
                    all.send(in, other, round);
                } else if (round < ROUNDS) {
                    all.send(new int[] {round + 1}, other, round + 1);
                }
                rounds.passed(round);
            });
            if (all.rank() == 0 && round == 0) {
                all.send(new int[] {0}, other, 0);
            }
        }
    }

    /** A call waits for a message that the other rank sends only after an action of this one. */
    private static void answerInAnAction(World world) {
        Communicator all = world.communicator();
        int other = 1 - all.rank();
        int[] in = new int[1];
        if (all.rank() == 0) {
            all.irecv(in, other, 1).whenDone(done -> all.send(new int[] {in[0] + 1}, other, 2));
            int[] last = new int[1];
            all.receive(last, other, 3);
            assertEquals(6, last[0]);
        } else {
            all.send(new int[] {5}, other, 1);
            all.receive(in, other, 2);
            all.send(in, other, 3);
        }
    }

    @Test
    void shouldRunInsideACallThatWaits() {
        Worlds.run(2, RequestActionTest::answerInAnAction);
    }

    @Test
    void shouldRunInASimulation() {
        SimulatedRanks.run(Settings.DEFAULT, 2,
                World.rank(DeviceConfig.DEFAULT, RequestActionTest::answerInAnAction));
        long[] hashes = new long[2];
        for (int run = 0; run < 2; run++) {
            hashes[run] = SimulatedRanks.run(Settings.DEFAULT, 2,
                    World.rank(DeviceConfig.DEFAULT, world -> {
                        int[] passed = new int[1];
                        new PingPong(world.communicator(), round -> passed[0]++).receive(0);
                        while (passed[0] <= ROUNDS) {
                            world.communicator().iprobe(Communicator.ANY_SOURCE, ROUNDS + 1);
                        }
                    })).hash();
        }
        assertEquals(hashes[0], hashes[1]);
    }

    /** A thread that waits in a call runs the action of another request, and a third thread makes calls meanwhile. */
    @Test
    void shouldNotKeepTheDeviceFromOtherThreadsMeanwhile() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                Worlds.meet(all);
                Thread.sleep(50);
                all.send(new int[1], 0, 1);
                Thread.sleep(200);
                all.send(new int[1], 0, 3);
                return;
            }
            CountDownLatch called = new CountDownLatch(1);
            AtomicReference<Boolean> inTime = new AtomicReference<>();
            AtomicReference<Thread> ran = new AtomicReference<>();
            Request other = all.irecv(new int[1], 1, 3);
            all.irecv(new int[1], 1, 1).whenDone(done -> {
                ran.set(Thread.currentThread());
                Thread.ofPlatform().daemon().start(() -> {
                    all.iprobe(1, 4);
                    called.countDown();
                });
                inTime.set(isOver(called));
            });
            Worlds.meet(all);
            other.await();
            assertTrue(isOver(called));
            assertEquals(true, inTime.get(), "another thread made a call while " + ran.get() + " ran the action");
        });
    }

    private static boolean isOver(CountDownLatch latch) {
        try {
            return latch.await(2, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldCompleteFutures() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            int[] in = new int[1];
            CompletableFuture<Integer> received = all.irecv(in, other, 4).toFuture()
                    .thenApply(status -> in[0] * 100 + status.tag());
            CompletableFuture<Status> sent = all.isend(new int[] {all.rank()}, other, 4).toFuture();
            assertEquals(other * 100 + 4, received.join());
            sent.join();
            CompletableFuture<Status> failed = all.irecv(new int[1], all.rank(), 5).toFuture();
            all.send(new int[2], all.rank(), 5);
            ExecutionException thrown = assertThrows(ExecutionException.class, failed::get);
            assertEquals(ErrorClass.TRUNCATE,
                    assertInstanceOf(RankwireException.class, thrown.getCause()).errorClass());
        });
    }

    @Test
    void shouldNotDisturbTheCallInWhichAnActionThrows() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            AtomicReference<Throwable> caught = new AtomicReference<>();
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> caught.set(thrown));
            RuntimeException mine = new IllegalStateException("of the program");
            int[] after = new int[1];
            for (int tag = 0; tag < 2; tag++) {
                all.irecv(new int[1], 0, tag).whenDone(done -> {
                    after[0]++;
                    throw mine;
                });
            }
            all.send(new int[1], 0, 0);
            all.send(new int[1], 0, 1);
            assertEquals(mine, caught.get());
            assertEquals(2, after[0]);
            Thread.currentThread().setUncaughtExceptionHandler(null);
        });
    }

    @Test
    void shouldRefuseWhatAnActionCouldNotDo() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            Request once = all.irecv(new int[1], 0, 1);
            once.whenDone(done -> { });
            assertEquals(ErrorClass.REQUEST, assertThrows(RankwireException.class, once::await).errorClass());
            assertThrows(RankwireException.class, () -> once.whenDone(done -> { }));
            all.send(new int[1], 0, 1);
            assertThrows(RankwireException.class, () -> all.isend(new int[1], 0, 2).whenDone(null));
            all.receive(new int[1], 0, 2);
        });
    }

    /** The action of a large receive into memory of one thread would have to run on that thread. */
    @Test
    void shouldRefuseMemoryOfOneThread() {
        Worlds.run(1, world -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(8);
                Communicator all = world.communicator();
                Request request = all.irecv(memory, 0, 1);
                RankwireException error = assertThrows(RankwireException.class, () -> request.whenDone(done -> { }));
                assertTrue(error.getMessage().contains("Arena.ofConfined()"), error.getMessage());
                all.send(new byte[8], 0, 1);
                request.await();
            }
        });
    }

    /** More actions than the table had places for. A call and a virtual thread may run some at the same time. */
    @Test
    void shouldRunEachOfThousandsOfActionsOnce() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int count = 3_000;
            AtomicInteger runs = new AtomicInteger();
            AtomicIntegerArray seen = new AtomicIntegerArray(count);
            for (int tag = 0; tag < count; tag++) {
                int own = tag;
                all.irecv(new int[1], 1 - all.rank(), tag).whenDone(done -> {
                    seen.incrementAndGet(own);
                    runs.incrementAndGet();
                });
            }
            all.barrier();
            for (int tag = count - 1; tag >= 0; tag--) {
                all.send(new int[1], 1 - all.rank(), tag);
            }
            all.barrier();
            while (runs.get() < count) {
                all.iprobe(Communicator.ANY_SOURCE, count);
            }
            for (int i = 0; i < count; i++) {
                assertEquals(1, seen.get(i));
            }
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
