package io.rankwire;

import static io.rankwire.Ranks.assertFails;
import static io.rankwire.Ranks.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ErrorHandlerTest {
    @Test
    void shouldHearOfEveryErrorOnce() {
        Ranks.run(2, world -> {
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
    void shouldPassOnToWhatIsMadeOfIt() {
        Ranks.run(2, world -> {
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
            List<PointToPoint> made = List.of(copy, self, inter, inter.duplicate(), grid.sub(true), merged);
            for (PointToPoint each : made) {
                assertSame(handler, each.errorHandler(), each.name());
                assertFails(ErrorClass.RANK, () -> each.send(new int[1], 99, 0), each.name());
            }
            assertFails(ErrorClass.RANK, () -> all.send(new int[1], 99, 0), "world");
            assertEquals(made.stream().map(Attributed::name).toList(), heard);
            assertFails(ErrorClass.ARGUMENT, () -> all.errorHandler(null), "handler is null");
        });
    }

    @Test
    void shouldLetAHandlerCallAndThrowInstead() {
        Ranks.run(2, world -> {
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
