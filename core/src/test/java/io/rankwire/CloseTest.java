package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a world while other threads of its rank wait in calls. */
@Timeout(300)
final class CloseTest {
    private static final int LARGE = 300_000;
    private static final Datatype COLUMN = Datatype.vector(8, 1, 4, Datatype.INT);

    /** Starts a thread that makes a call, and returns when it waits; the future has the outcome of the call. */
    private static CompletableFuture<Throwable> waitIn(World world, Executable call) throws InterruptedException {
        CompletableFuture<Throwable> got = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                call.execute();
                got.complete(null);
            } catch (Throwable e) {
                got.complete(e);
            }
        }, "waiter");
        thread.setDaemon(true);
        thread.start();
        while (!world.session().host().sleeping()) {
            Thread.sleep(1);
        }
        return got;
    }

    private static Executable call(String name, Communicator all, Datagram socket, Window window) {
        byte[] few = new byte[8];
        byte[] many = new byte[LARGE];
        return switch (name) {
            case "receive" -> () -> all.receive(few, 1, 5);
            case "receive any" -> () -> all.receive(few, Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            case "receive typed" -> () -> all.receive(new int[32], 0, 1, COLUMN, 1, 5);
            case "ssend" -> () -> all.ssend(few, 1, 5);
            case "ssend large" -> () -> all.ssend(many, 1, 5);
            case "send" -> () -> all.send(many, 1, 5);
            case "sendReceive" -> () -> all.sendReceive(few, 1, 5, few, 1, 5);
            case "sendReceive large" -> () -> all.sendReceive(many, 1, 5, few, 1, 5);
            case "probe" -> () -> all.probe(1, 5);
            case "mprobe" -> () -> all.mprobe(1, 5);
            case "receiveObject" -> () -> all.receiveObject(String.class, 1, 5);
            case "await" -> () -> all.irecv(few, 1, 5).await();
            case "await send" -> () -> all.isend(many, 1, 5).await();
            case "awaitAny" -> () -> Request.awaitAny(all.irecv(few, 1, 5), all.irecv(many, 1, 6));
            case "awaitAll" -> () -> Request.awaitAll(all.irecv(few, 1, 5), all.isend(many, 1, 6));
            case "barrier" -> all::barrier;
            case "allreduce" -> () -> all.allreduce(new double[4], new double[4], Op.SUM);
            case "allreduce large" -> () -> all.allreduce(new double[LARGE], new double[LARGE], Op.SUM);
            case "iallreduce" -> () -> all.iallreduce(new double[LARGE], new double[LARGE], Op.SUM).await();
            case "split" -> () -> all.split(0, 0);
            case "fence" -> window::fence;
            case "lock" -> () -> window.lock(Window.Lock.EXCLUSIVE, 1);
            case "datagram receiveFrom" -> () -> socket.receiveFrom(few);
            default -> throw new AssertionError(name);
        };
    }

    /** The name of the operation that a call waits for. */
    private static String toldAs(String name) {
        return switch (name) {
            case "receiveObject" -> "mprobe from rank 1, tag 5, on world";
            case "sendReceive" -> "sendReceive from rank 1, tag 5, on world";
            case "await", "awaitAll" -> "irecv from rank 1, tag 5, on world";
            case "sendReceive large" -> "send to rank 1, tag 5, on world";
            case "await send" -> "isend to rank 1, tag 5, on world";
            case "awaitAny" -> "awaitAny of 2 requests, one of them irecv from rank 1, tag 5, on world";
            case "iallreduce" -> "allreduce of " + LARGE + " × double, sum, on world";
            case "fence" -> "sendReceive from rank 1";
            case "datagram receiveFrom" -> name;
            default -> name.split(" ")[0];
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"receive", "receive any", "receive typed", "ssend", "ssend large", "send", "sendReceive",
        "sendReceive large", "probe", "mprobe", "receiveObject", "await", "await send", "awaitAny", "awaitAll",
        "barrier", "allreduce", "allreduce large", "iallreduce", "split", "fence", "lock", "datagram receiveFrom"})
    void shouldEndACallThatWaits(String name) {
        CountDownLatch closed = new CountDownLatch(1);
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Datagram socket = Datagram.open(world);
            socket.bind();
            Window window = all.window(new byte[64], 1);
            if (all.rank() == 1) {
                window.lock(Window.Lock.EXCLUSIVE, 1);
                all.barrier();
                closed.await();
                window.unlock(1);
                return;
            }
            all.barrier();
            CompletableFuture<Throwable> got = waitIn(world, call(name, all, socket, window));
            world.close();
            closed.countDown();
            RankwireException error = assertInstanceOf(RankwireException.class, got.get());
            assertEquals(ErrorClass.CLOSED, error.errorClass(), error.getMessage());
            assertHolds(error.getMessage(), "rank 0: " + toldAs(name), " at CloseTest.java:",
                    "was given up: thread rank-0 has closed the world at CloseTest.java:");
            socket.close();
        }));
        assertFalse(told.contains("never awaited"), told);
        boolean sentForGood = name.equals("sendReceive") || name.equals("fence");
        assertEquals(sentForGood, told.contains("1 message was sent here and never received"), told);
    }

    @Test
    void shouldEndAllThreadsThatWaitAndLetTheOthersGoOn() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            List<CompletableFuture<Throwable>> waits = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int tag = i;
                waits.add(waitIn(world, () -> all.receive(new byte[8], 1 - all.rank(), tag)));
            }
            world.close();
            for (CompletableFuture<Throwable> each : waits) {
                assertTrue(each.get() instanceof RankwireException error && error.errorClass() == ErrorClass.CLOSED,
                        String.valueOf(each.get()));
            }
            assertFails(ErrorClass.CLOSED, () -> all.receive(new byte[8], 1 - all.rank(), 0), "the world is closed");
        });
    }

    @Test
    void shouldRefuseCallsOfThreadsThatComeWhileItCloses() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            List<Thread> callers = new ArrayList<>();
            List<CompletableFuture<Throwable>> ends = new ArrayList<>();
            CountDownLatch calling = new CountDownLatch(3);
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Throwable> end = new CompletableFuture<>();
                ends.add(end);
                Thread caller = new Thread(() -> {
                    try {
                        for (int n = 0; ; n++) {
                            all.sendReceive(new byte[8], 0, 1, new byte[8], 0, 1);
                            if (n == 100) {
                                calling.countDown();
                            }
                        }
                    } catch (Throwable e) {
                        end.complete(e);
                    }
                });
                caller.start();
                callers.add(caller);
            }
            calling.await();
            world.close();
            for (CompletableFuture<Throwable> end : ends) {
                RankwireException error = assertInstanceOf(RankwireException.class, end.get());
                assertEquals(ErrorClass.CLOSED, error.errorClass(), error.getMessage());
            }
        });
    }

    @Test
    void shouldNameForgottenRequestsAsWhatTheyAre() {
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            all.iallreduce(new double[LARGE], new double[LARGE], Op.SUM);
            all.ibarrier().await();
        }));
        assertHolds(told, "rank 0: 1 request was started and never awaited\n  iallreduce of ");
    }
}
