package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class ErrorHandlerTest {
    @Test
    void shouldHearOfEveryErrorOnce() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            List<ErrorClass> heard = new ArrayList<>();
            assertSame(ErrorHandler.THROW, all.errorHandler());
            all.errorHandler((on, error) -> {
                assertSame(all, on);
                heard.add(error.errorClass());
            });
            assertFails(ErrorClass.RANK, () -> all.send(new int[1], 2, 0), "dest: 2");
            assertFails(ErrorClass.TAG, () -> all.irecv(new int[1], 0, -5), "tag: -5");
            assertFails(ErrorClass.TOPOLOGY, () -> all.cartesian(new int[] {3}, new boolean[1]), "[3]");
            assertFails(ErrorClass.ARGUMENT, () -> all.create(null), "part is null");
            assertFails(ErrorClass.COMMUNICATOR, all::free, "ends with its world");
            assertEquals(List.of(ErrorClass.RANK, ErrorClass.TAG, ErrorClass.TOPOLOGY, ErrorClass.ARGUMENT,
                    ErrorClass.COMMUNICATOR), heard);
            heard.clear();

            int other = 1 - all.rank();
            Request one = all.isend(new int[4], other, 1);
            Request two = all.isend(new int[4], other, 2);
            Request three = all.isend(new int[4], other, 3);
            assertFails(ErrorClass.TRUNCATE, () -> all.receive(new int[3], other, 1), "16 bytes");
            Request received = all.irecv(new float[4], other, 2);
            assertFails(ErrorClass.TYPE, received::await, "float");
            Request cut = all.irecv(new int[1], other, 3);
            assertFails(ErrorClass.TRUNCATE, () -> Request.awaitAll(one, two, three, cut), "16 bytes");
            assertFails(ErrorClass.REQUEST, received::await, "second await");
            assertEquals(List.of(ErrorClass.TRUNCATE, ErrorClass.TYPE, ErrorClass.TRUNCATE, ErrorClass.REQUEST), heard);
        });
    }

    @Test
    void shouldHearOfBuffersThatAreWrong() {
        Worlds.run(1, world -> {
            Communicator all = world.communicator();
            List<ErrorClass> heard = new ArrayList<>();
            all.errorHandler((on, error) -> heard.add(error.errorClass()));
            int[] two = new int[2];
            Datatype column = Datatype.vector(2, 1, 5, Datatype.INT);
            assertFails(ErrorClass.COUNT, () -> all.send(two, 1, 2, 0, 0), "do not fit");
            assertFails(ErrorClass.BUFFER, () -> all.isend("text", 0, 0), "String");
            assertFails(ErrorClass.BUFFER, () -> all.receive(ByteBuffer.allocate(4).asReadOnlyBuffer(), 0, 0),
                    "read-only");
            assertFails(ErrorClass.COUNT, () -> all.send(two, 0, 1, column, 0, 0), "do not lie");
            assertFails(ErrorClass.COUNT, () -> all.broadcast(two, 1, 2, 0), "do not fit");
            assertFails(ErrorClass.BUFFER, () -> all.allreduce(null, two, Op.SUM), "null");
            assertFails(ErrorClass.TYPE, () -> all.allreduce(new float[2], new float[2], Op.BAND), "rank 0", "band");
            assertFails(ErrorClass.RANK, () -> all.broadcast(two, 4), "rank 0", "root: 4");
            assertFails(ErrorClass.ARGUMENT, () -> all.receiveObject(null, 0, 0), "type is null");
            assertEquals(List.of(ErrorClass.COUNT, ErrorClass.BUFFER, ErrorClass.BUFFER, ErrorClass.COUNT,
                    ErrorClass.COUNT, ErrorClass.BUFFER, ErrorClass.TYPE, ErrorClass.RANK, ErrorClass.ARGUMENT), heard);
        });
    }

    @Test
    void shouldHearOfCollectivesThatDoNotFit() {
        List<ErrorClass> heard = new ArrayList<>();
        assertThrows(RankwireException.class, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 1) {
                all.errorHandler((on, error) -> heard.add(error.errorClass()));
            }
            all.broadcast(all.rank() == 0 ? new double[2] : new long[2], 0);
        }));
        assertEquals(List.of(ErrorClass.COLLECTIVE), heard);
    }

    /** One rank makes a different call; each of the others waits in a different way and gets the error. */
    @Test
    void shouldHearOfOtherCallsWhileRequestsAreAwaited() {
        List<Consumer<Request>> ways = List.of(Request::await, Request::awaitAll, Request::awaitAny, request -> {
            if (!request.test()) {
                request.await();
            }
        });
        for (Consumer<Request> way : ways) {
            List<ErrorClass> heard = new ArrayList<>();
            assertThrows(RankwireException.class, () -> World.run(2, world -> {
                Communicator all = world.communicator();
                if (all.rank() == 0) {
                    all.ibroadcast(new int[1], 0);
                    all.receive(new int[1], 1, 0);
                } else {
                    all.errorHandler((on, error) -> heard.add(error.errorClass()));
                    way.accept(all.ireduce(new int[1], new int[1], Op.SUM, 1));
                }
            }));
            assertEquals(List.of(ErrorClass.COLLECTIVE), heard);
        }
    }

    @Test
    void shouldHearOfWhatCannotBeStartedOrHasFailedWithAnother() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            List<ErrorClass> heard = new ArrayList<>();
            all.errorHandler((on, error) -> heard.add(error.errorClass()));
            int other = 1 - all.rank();
            byte[] much = new byte[65 << 20];
            assertFails(ErrorClass.RESOURCE, () -> all.bsend(much, other, 0), "buffered sends");
            assertFails(ErrorClass.RESOURCE, () -> all.ibsend(much, other, 0), "buffered sends");
            Request never = all.irecv(new int[1], other, 7);
            Request cut = all.irecv(new int[1], other, 8);
            all.send(new int[4], other, 8);
            RankwireException error = assertFails(ErrorClass.TRUNCATE, () -> Request.awaitAny(never, cut), "16 bytes");
            assertSame(error, cut.error().orElseThrow());
            assertTrue(never.error().isEmpty());
            never.cancel();
            never.await();
            assertEquals(List.of(ErrorClass.RESOURCE, ErrorClass.RESOURCE, ErrorClass.TRUNCATE), heard);
        });
    }

    /** Once with mapped memory, once with arrays, which only their owner can access. */
    @Test
    void shouldHearOfErrorsOfAWindow() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            List<String> heard = new ArrayList<>();
            all.errorHandler((on, error) -> heard.add(error.errorClass() + " of " + on.name()));
            for (Window window : List.of(all.window(new int[4], 4), all.allocateWindow(16, 4))) {
                heard.clear();
                int other = 1 - all.rank();
                assertFails(ErrorClass.WINDOW, () -> window.put(new int[1], other, 0), "no epoch");
                window.fence();
                assertFails(ErrorClass.DISPLACEMENT, () -> window.put(new int[2], other, 3), "outside");
                assertFails(ErrorClass.COUNT, () -> window.get(new int[2], 1, 2, other, 0), "do not fit");
                assertFails(ErrorClass.BUFFER, () -> window.put("text", other, 0), "String");
                assertFails(ErrorClass.RANK, () -> window.get(new int[1], 2, 0), "not a rank");
                assertFails(ErrorClass.COUNT, () -> window.put(new int[2], 0, 1,
                        Datatype.vector(2, 1, 5, Datatype.INT), other, 0, 2, Datatype.INT), "do not lie");
                window.fence();
                assertEquals(List.of("WINDOW of world.window", "DISPLACEMENT of world.window",
                        "COUNT of world.window", "BUFFER of world.window", "RANK of world.window",
                        "COUNT of world.window"), heard);
                List<ErrorClass> own = new ArrayList<>();
                window.errorHandler((on, error) -> {
                    assertSame(window, on);
                    own.add(error.errorClass());
                });
                assertFails(ErrorClass.WINDOW, window::unlockAll, "without lockAll");
                assertEquals(List.of(ErrorClass.WINDOW), own);
                window.free();
            }
        });
    }

    /** Only the owner knows that its memory is read-only: the error appears at the end of the epoch. */
    @Test
    void shouldHearOfWhatATargetRefuses() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            ByteBuffer part = ByteBuffer.allocate(16).asReadOnlyBuffer();
            Window window = all.window(part, 1);
            List<ErrorClass> heard = new ArrayList<>();
            window.errorHandler((on, error) -> heard.add(error.errorClass()));
            window.lock(Window.Lock.SHARED, 1 - all.rank());
            window.put(new byte[4], 1 - all.rank(), 0);
            assertFails(ErrorClass.DISPLACEMENT, () -> window.flush(1 - all.rank()), "read-only");
            assertEquals(List.of(ErrorClass.DISPLACEMENT), heard);
            window.unlock(1 - all.rank());
            window.free();
        });
    }

    @Test
    void shouldPassOnToWhatIsMadeOfIt() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            List<String> heard = new ArrayList<>();
            ErrorHandler handler = (on, error) -> heard.add(on.name());
            all.errorHandler(handler);
            Communicator copy = all.duplicate();
            Communicator self = copy.split(all.rank(), 0).orElseThrow();
            Intercommunicator inter = self.intercommunicator(0, all, 1 - all.rank(), 0);
            CartesianCommunicator grid = all.cartesian(new int[] {2}, new boolean[1]).orElseThrow();
            Communicator merged = inter.merge(all.rank() == 0);
            all.errorHandler(ErrorHandler.THROW);
            List<AnyCommunicator> made = List.of(copy, self, inter, inter.duplicate(), grid.sub(true), merged);
            for (AnyCommunicator each : made) {
                assertSame(handler, each.errorHandler(), each.name());
                assertFails(ErrorClass.RANK, () -> each.send(new int[1], 99, 0), each.name());
            }
            assertFails(ErrorClass.RANK, () -> all.send(new int[1], 99, 0), "world");
            assertEquals(made.stream().map(Handle::name).toList(), heard);
            assertFails(ErrorClass.ARGUMENT, () -> all.errorHandler(null), "handler is null");
        });
    }

    @Test
    void shouldLetAHandlerCallAndThrowInstead() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            Communicator other = all.duplicate();
            other.errorHandler((on, error) -> {
                all.send(new int[] {error.errorClass().ordinal()}, 1 - all.rank(), 9);
                throw new IllegalStateException("mine", error);
            });
            Request sent = other.isend(new int[4], 1 - all.rank(), 1);
            IllegalStateException mine = assertThrows(
                    IllegalStateException.class, () -> other.receive(new int[1], 1 - all.rank(), 1));
            assertHolds(mine.getCause().getMessage(), "16 bytes");
            int[] told = new int[1];
            all.receive(told, 1 - all.rank(), 9);
            assertEquals(ErrorClass.TRUNCATE.ordinal(), told[0]);
            sent.await();
        });
    }

    @Test
    void shouldEndTheJobWhateverTheProgramCatches() {
        RankwireException failure = assertThrows(RankwireException.class, () -> World.run(3, world -> {
            Communicator all = world.communicator();
            all.errorHandler(ErrorHandler.ABORT);
            if (all.rank() == 1) {
                try {
                    all.send(new int[1], 7, 0);
                } catch (RankwireException e) {
                    all.receive(new int[1], 0, 0);
                }
            } else {
                all.receive(new int[1], 1, 0);
            }
        }));
        assertEquals(ErrorClass.RANK, failure.errorClass());
        assertHolds(failure.getMessage(), "rank 1 failed", "dest: 7", "ErrorHandlerTest.java:");
    }
}
