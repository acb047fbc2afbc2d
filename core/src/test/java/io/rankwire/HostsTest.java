package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.collective.Collective;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.runtime.collective.Shape.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks on several hosts: shared memory inside of each, another fabric between them, whose memory no rank may ask for.
 * Tests of one host must hold there too; all of them run so with {@code -Drankwire.test.hosts=2}.
 */
@Timeout(300)
class HostsTest {
    /** How ranks are put on hosts. */
    private enum Places implements IntUnaryOperator {
        ROWS_OF_TWO, ROWS_OF_THREE, IN_TURN;

        @Override
        public int applyAsInt(int rank) {
            return this == ROWS_OF_TWO ? rank / 2 : this == ROWS_OF_THREE ? rank / 3 : rank % 2;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSplitByHost(Places places) throws Throwable {
        Worlds.onHosts(places, () -> Worlds.run(6, world -> {
            Communicator all = world.communicator();
            Communicator near = all.splitShared(0);
            int size = 0;
            for (int rank = 0; rank < 6; rank++) {
                if (places.applyAsInt(rank) == places.applyAsInt(all.rank())) {
                    assertEquals(rank, near.group().translate(size, all.group()));
                    size++;
                }
            }
            assertEquals(size, near.size());
            Window window = near.sharedWindow(8, 8);
            if (near.rank() == 0) {
                for (int rank = 0; rank < size; rank++) {
                    window.shared(rank).set(ValueLayout.JAVA_INT, 0, 7 + rank);
                }
            }
            window.fence();
            assertEquals(7 + near.rank(), window.memory().get(ValueLayout.JAVA_INT, 0));
            window.free();
            near.free();
        }));
    }

    /** A call inside a host needs no messages; one of all hosts has candidates that know hosts. */
    @Test
    void shouldUseSharedMemoryInsideAHostAlone() throws Throwable {
        Worlds.onHosts(Places.ROWS_OF_TWO, () -> Worlds.run(4, world -> {
            Communicator all = world.communicator();
            Communicator near = all.splitShared(0);
            assertTrue(near.endpoint().sharesMemory() && !all.endpoint().sharesMemory());
            for (Kind kind : new Kind[] {Kind.BARRIER, Kind.BROADCAST, Kind.REDUCE, Kind.ALLREDUCE, Kind.ALLGATHER}) {
                assertFalse(run(near.endpoint(), kind).hasProgram(), "inside: " + kind);
                Collective call = run(all.endpoint(), kind);
                assertTrue(call.hasProgram(), "of all: " + kind);
                assertTrue(call.algorithm().startsWith("by hosts"), () -> kind + ": " + call.algorithm());
            }
            near.free();
        }));
    }

    private static Collective run(Endpoint on, Kind kind) {
        Runner runner = on.collectives();
        Collective call = runner.bind(kind, new double[4], 0, new double[16], 0, 4, Op.operator(Op.SUM), 0, false);
        runner.run(call);
        return call;
    }

    @Test
    void shouldMakeEveryCollectiveCall() throws Throwable {
        CollectivesTest collectives = new CollectivesTest();
        Worlds.onHosts(Places.ROWS_OF_THREE, () -> {
            collectives.shouldReduceToEveryRoot();
            collectives.shouldBroadcastFromEveryRoot();
            collectives.shouldGatherAndScatterAtEveryRoot();
            collectives.shouldReduceAndScatter();
            collectives.shouldMoveBlocksOfDifferentLengths();
            collectives.shouldGoOnSideBySideAndOverAndOver();
        });
        Worlds.onHosts(Places.IN_TURN, () -> {
            collectives.shouldReduce();
            collectives.shouldKeepTheOrderOfRanksWhenTheOperationDoesNotCommute();
            new ReproducibleTest().shouldGiveTheSameBitsForAnyLengthAndRoot(6);
        });
        Worlds.onHosts(Places.ROWS_OF_TWO, () -> {
            collectives.shouldAllgatherAndAlltoall();
            new CollectivesInPiecesTest().shouldGiveWhatASerialProgramGivesWhereverBuffersAre();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheOrderOfEachSenderForAnySource(Places places) throws Throwable {
        Worlds.onHosts(places, () -> {
            PointToPointTest messages = new PointToPointTest();
            messages.shouldKeepTheOrderOfEachSender(7);
            messages.shouldCarryEverySize(4);
            messages.shouldSendInEveryMode(4);
            messages.shouldChooseBySourceAndTag();
        });
    }

    /** Both ends may lie in allocated, native or heap memory, on one host or on two. */
    @Test
    void shouldMoveLargeMessagesWhereverTheyLie() throws Throwable {
        int bytes = (3 << 20) + 5;
        Worlds.onHosts(Places.ROWS_OF_TWO, () -> Worlds.run(4, world -> {
            Communicator all = world.communicator();
            MemorySegment[] from = {world.allocate(bytes), Arena.ofAuto().allocate(bytes),
                MemorySegment.ofArray(new byte[bytes])};
            MemorySegment[] to = {world.allocate(bytes), Arena.ofAuto().allocate(bytes),
                MemorySegment.ofArray(new byte[bytes])};
            Rand rand = new Rand(all.rank());
            for (int round = 0; round < 36; round++) {
                int apart = 1 + round % 3;
                MemorySegment out = from[round / 3 % 3].fill((byte) (round + all.rank()));
                long at = rand.below(bytes);
                out.set(ValueLayout.JAVA_BYTE, at, (byte) 99);
                MemorySegment in = to[round / 9 % 3];
                int source = (all.rank() + 4 - apart) % 4;
                Request sent = all.isend(out, (all.rank() + apart) % 4, round);
                all.receive(in, source, round);
                sent.await();
                long[] place = {at};
                all.sendReceive(place, (all.rank() + apart) % 4, 100, place.clone(), source, 100);
                long[] there = new long[1];
                all.sendReceive(place, (all.rank() + apart) % 4, 101, there, source, 101);
                assertEquals(99, in.get(ValueLayout.JAVA_BYTE, there[0]), "round " + round);
                in.set(ValueLayout.JAVA_BYTE, there[0], (byte) (round + source));
                MemorySegment expected = MemorySegment.ofArray(new byte[bytes]).fill((byte) (round + source));
                assertEquals(-1, expected.mismatch(in), "round " + round);
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReachWindowsOfAllHosts(boolean mapped) throws Throwable {
        WindowTest windows = new WindowTest();
        Worlds.onHosts(Places.ROWS_OF_TWO, () -> {
            windows.shouldPutAndGetBetweenFences(5, mapped);
            windows.shouldAccumulateFromAllRanks(5, mapped);
            windows.shouldFetchWhatWasThere(4, mapped);
            windows.shouldCompareAndSwap(4, mapped);
            windows.shouldLockAloneAndTogether(5, mapped);
            windows.shouldSynchroniseAFewWithAFew(5, mapped);
            windows.shouldTellWhenRequestsAreDone(4, mapped);
            new TypedWindowTest().shouldAccessAsRandomDatatypesSay(mapped);
        });
        Worlds.onHosts(Places.IN_TURN, () -> {
            for (long seed = mapped ? 2 : 1; seed <= 6; seed += 2) {
                new WindowModelTest().shouldCountEveryChangeOnce(seed);
                new WindowModelTest().shouldMoveBytesAsTheModelSays(seed);
            }
            new DynamicWindowTest().shouldReachWhatIsAttached();
        });
    }

    /** On its own host a part is memory; locks and changes of elements are the same for ranks of all hosts. */
    @Test
    void shouldCopyInsideAHostAndKeepTheOrderOfAccesses() throws Throwable {
        Worlds.onHosts(Places.ROWS_OF_TWO, () -> Worlds.run(4, world -> {
            Communicator all = world.communicator();
            Window window = all.allocateWindow(64, 8);
            int near = all.rank() ^ 1;
            window.shared(near).set(ValueLayout.JAVA_LONG, 0, 40L + all.rank());
            Worlds.assertFails(ErrorClass.WINDOW, () -> window.shared(all.rank() ^ 2), "on another host");
            window.fence();
            assertEquals(40L + near, window.memory().get(ValueLayout.JAVA_LONG, 0));
            window.fence();
            window.lockAll();
            for (long i = 0; i < 200; i++) {
                window.put(new long[] {i}, near, 1);
                window.accumulate(new long[] {1000}, near, 1, Op.SUM);
                window.put(new long[] {i + 5}, near, 2);
                long[] got = new long[2];
                window.get(got, near, 1);
                window.flush(near);
                assertEquals(i + 1000, got[0], "an access has overtaken another");
                assertEquals(i + 5, got[1], "an access has overtaken another");
            }
            for (int i = 0; i < 200; i++) {
                window.accumulate(new long[] {1}, 0, 3, Op.SUM);
            }
            window.unlockAll();
            window.fence();
            for (int i = 0; i < 100; i++) {
                window.fence();
                window.lock(Window.Lock.EXCLUSIVE, 3);
                long[] count = new long[1];
                window.get(count, 3, 4);
                window.flush(3);
                window.put(new long[] {count[0] + 1}, 3, 4);
                window.unlock(3);
            }
            window.fence();
            assertEquals(all.rank() == 0 ? 800 : 0, window.memory().get(ValueLayout.JAVA_LONG, 24));
            assertEquals(all.rank() == 3 ? 400 : 0, window.memory().get(ValueLayout.JAVA_LONG, 32));
            window.free();
        }));
    }

    @Test
    void shouldCarryDatagramsObjectsAndWork() throws Throwable {
        Worlds.onHosts(Places.IN_TURN, () -> {
            DatagramTest datagrams = new DatagramTest();
            datagrams.shouldReachEveryNodeWithoutAConnection(4);
            datagrams.shouldSlowASenderWhileTheQueueIsFull();
            WorkTest work = new WorkTest();
            work.shouldSendEachKindOfMessageInEachRun();
            work.shouldPipeALongMessageThrough();
            new ProbeTest().shouldProbeWithoutTakingAndTakeWithMprobe(5);
            new InterCollectivesTest().shouldReduceTheOtherSidesVectors();
            new InterCollectivesTest().shouldGatherAtAllAndExchangeAll();
            new NeighbourCollectivesTest().shouldExchangeBlocksOfOneLength();
        });
    }

    @Test
    void shouldNameBothCallsWhenRanksOfTwoHostsDiffer() throws Throwable {
        Worlds.onHosts(Places.IN_TURN, () -> {
            CollectiveErrorsTest errors = new CollectiveErrorsTest();
            errors.shouldTellBothCallsAndLinesWhenRanksMakeDifferentCalls();
            errors.shouldTellWhenCountsDiffer();
        });
    }
}
