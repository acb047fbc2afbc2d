package io.rankwire;

import static io.rankwire.Worlds.assertFails;
import static io.rankwire.Worlds.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports to a program that leaves requests or messages behind, fails, or cannot continue. */
@Timeout(300)
final class ReportsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldReportMessagesNobodyReceived(int ranks) {
        String told = Worlds.errors(() -> Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.send(new int[3], ranks - 1, 8);
                all.bsend(new double[20_000], ranks - 1, 9);
            }
        }));
        assertHolds(told, "rank " + (ranks - 1) + ": 2 messages were sent here and never received",
                "from rank 0, tag 8, 12 bytes of int, on world", "tag 9, 160000 bytes of double, on world");
        assertFalse(told.contains("never awaited"), told);
    }

    @Test
    void shouldReportRequestsNobodyAwaited() {
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.irecv(new int[3], 1, 5);
                all.irecv(new int[3], Communicator.ANY_SOURCE, Communicator.ANY_TAG);
                all.issend(new int[1], 1, 6);
            } else {
                all.receive(new int[1], 0, 6);
            }
        }));
        assertHolds(told, "rank 0: 3 requests were started and never awaited", "irecv from rank 1, tag 5, on world",
                "irecv from any rank, any tag, on world", "issend to rank 1, tag 6, on world");
        assertFalse(told.contains("rank 1:"), told);
    }

    @Test
    void shouldReportManyInFewLines() {
        String told = Worlds.errors(() -> Worlds.run(1, world -> {
            for (int i = 0; i < 500; i++) {
                world.communicator().send(new byte[1], 0, i);
            }
        }));
        assertHolds(told, "500 messages were sent here", "tag 9,", "and 490 more");
        assertFalse(told.contains("tag 10,"), told);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldSayNothingAfterATidyEnd(int ranks) {
        String told = Worlds.errors(() -> Worlds.run(ranks, world -> {
            Communicator all = world.communicator();
            all.bsend(new byte[100_000], Worlds.next(all), 1);
            Request sent = all.isend(new byte[10], Worlds.next(all), 2);
            all.receive(new byte[100_000], Worlds.previous(all), 1);
            all.receive(new byte[10], Worlds.previous(all), 2);
            sent.await();
        }));
        assertEquals("", told);
    }

    /** A buffered send belongs to the device: its rank may close before the message has been received. */
    @Test
    void shouldNotCallABufferedSendForgotten() {
        String told = Worlds.errors(() -> Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                all.bsend(new byte[300_000], 1, 1);
                all.send(new byte[0], 1, 2);
            } else {
                all.receive(new byte[0], 0, 2);
                for (int i = 0; i < 500; i++) {
                    assertTrue(all.iprobe(0, 9).isEmpty());
                }
                all.receive(new byte[300_000], 0, 1);
            }
        }));
        assertEquals("", told);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void shouldEndTheWorldWithTheFailureOfOneRank(int ranks) {
        IllegalStateException own = new IllegalStateException("my own");
        RankwireException error = assertThrows(RankwireException.class, () -> World.run(ranks, world -> {
            Communicator all = world.communicator();
            if (all.rank() == ranks - 1) {
                throw own;
            }
            all.receive(new byte[1], ranks - 1, 1);
        }));
        assertHolds(error.getMessage(), "rank " + (ranks - 1) + " failed", "my own");
        assertSame(own, error.getCause());
        assertEquals(ErrorClass.ABORTED, error.errorClass());
    }

    /** Messages that still wait for free space must not delay or hide the failure. */
    @Test
    void shouldThrowAFailureDespiteUnsentMessages() {
        DeviceConfig tiny = DeviceConfig.DEFAULT.withUnexpectedBytes(4_096);
        RankwireException error = assertThrows(RankwireException.class, () -> World.run(2, tiny, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                for (int i = 0; i < 1_000; i++) {
                    all.isend(new byte[100], 1, 1);
                }
                throw new IllegalStateException("my own");
            }
            all.receive(new byte[1], 0, 2);
        }));
        assertHolds(error.getMessage(), "rank 0 failed", "my own");
    }

    @Test
    void shouldKeepTheErrorClassOfARanksFailure() {
        assertFails(ErrorClass.RANK, () -> World.run(2, world -> {
            if (world.communicator().rank() == 1) {
                world.communicator().send(new byte[1], 5, 1);
            }
            world.communicator().receive(new byte[1], 1, 1);
        }), "rank 1 failed", "argument dest: 5");
    }

    @Test
    void shouldFailWithTheStoresLimit() {
        DeviceConfig few = DeviceConfig.DEFAULT.withHeaders(8, 8, DeviceConfig.Overflow.FAIL);
        assertFails(ErrorClass.RESOURCE, () -> World.run(2, few, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                for (int i = 0; i < 20; i++) {
                    all.send(new byte[1], 1, 1);
                }
                all.receive(new byte[1], 1, 1);
            } else {
                all.probe(0, 2);
            }
        }), "rank 1 failed", "header store is full", "8 unexpected");
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldTellADeadlockWithItsCycle() {
        RankwireException error = assertFails(ErrorClass.ABORTED, () -> World.run(3, world -> {
            Communicator all = world.communicator().duplicate();
            all.receive(new int[1], Worlds.next(all), 40 + all.rank());
        }), "deadlock", "cycle: 0 -> 1 -> 2 -> 0");
        for (int rank = 0; rank < 3; rank++) {
            assertHolds(error.getMessage(), "rank " + rank + ": receive from rank " + (rank + 1) % 3 + ", tag "
                    + (40 + rank) + ", on world.duplicate at ReportsTest.java:");
        }
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldTellADeadlockOfSynchronousSends() {
        assertFails(ErrorClass.ABORTED, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            all.ssend(new int[1], 1 - all.rank(), 3);
            all.receive(new int[1], 1 - all.rank(), 3);
        }), "rank 0: ssend to rank 1, tag 3", "rank 1: ssend to rank 0, tag 3", "cycle: 0 -> 1 -> 0");
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldTellThatARankWaitsForOneThatHasEnded() {
        assertFails(ErrorClass.ABORTED, () -> World.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                Request.awaitAny(all.irecv(new int[1], 1, 3));
            }
        }), "rank 0: awaitAny of 1 request, ", "rank 0 waits for rank 1, which has ended");
    }

    @Test
    @ExtendWith(EndStalls.class)
    void shouldTellThatNobodyWillSend() {
        assertFails(ErrorClass.ABORTED, () -> World.run(1, world -> {
            world.communicator().mprobe(Communicator.ANY_SOURCE, 3);
        }), "mprobe from any rank, tag 3, on world at ReportsTest.java", "waits for any rank, and none sends");
    }

    /** A program that computes for some time is not a deadlock. */
    @Test
    void shouldNotMistakeALongComputationForADeadlock() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            if (all.rank() == 0) {
                long end = System.nanoTime() + 400_000_000L;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                all.send(new int[1], 1, 1);
            } else {
                all.receive(new int[1], 0, 1);
            }
        });
    }
}
