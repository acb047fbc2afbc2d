package io.rankwire;

import static io.rankwire.AnyCommunicator.ANY_SOURCE;
import static io.rankwire.AnyCommunicator.ANY_TAG;
import static io.rankwire.AnyCommunicator.NONE;
import static io.rankwire.Worlds.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rankwire.device.DeviceConfig;
import io.rankwire.wire.WordLayout;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(300)
final class HintsTest {
    private static final byte[] FOUR = new byte[4];

    private static Map<String, Executable> receives(Communicator on, int source, int tag) {
        return Map.of(
                "receive", () -> on.receive(FOUR, source, tag),
                "irecv", () -> on.irecv(FOUR, source, tag),
                "receiveInit", () -> on.receiveInit(FOUR, 0, 4, source, tag),
                "probe", () -> on.probe(source, tag),
                "iprobe", () -> on.iprobe(source, tag),
                "mprobe", () -> on.mprobe(source, tag),
                "improbe", () -> on.improbe(source, tag),
                "receiveObject", () -> on.receiveObject(String.class, source, tag),
                "sendReceive", () -> on.sendReceive(FOUR, NONE, 0, FOUR, source, tag));
    }

    @Test
    void shouldRefuseEveryWildcardThatWasPromisedAway() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            String rank = "rank " + all.rank() + ": ";
            all.hints(Hints.NONE.withoutAnySource());
            receives(all, ANY_SOURCE, 3).forEach((call, wrong) -> assertFails(ErrorClass.RANK, wrong,
                    rank + call + ": argument source: ANY_SOURCE, but the hints of world", " at HintsTest.java:"));
            all.hints(Hints.NONE.withoutAnyTag());
            receives(all, 0, ANY_TAG).forEach((call, wrong) -> assertFails(ErrorClass.TAG, wrong,
                    rank + call + ": argument tag: ANY_TAG, but the hints of world", " at HintsTest.java:"));
            assertEquals(0, all.receive(FOUR, NONE, ANY_TAG).count());
            assertFails(ErrorClass.ARGUMENT, () -> all.hints(null), rank + "hints: argument hints is null", " at Hint");
        });
    }

    @Test
    void shouldKeepReceivesFromBeforeThePromiseAndRefuseTheirRestart() {
        Worlds.run(2, world -> {
            Communicator all = world.communicator();
            int other = 1 - all.rank();
            int[] early = new int[1];
            int[] again = new int[1];
            Request posted = all.irecv(early, ANY_SOURCE, ANY_TAG);
            Request persistent = all.receiveInit(again, 0, 1, ANY_SOURCE, 5);
            all.hints(Hints.NONE.withoutAnySource().withoutAnyTag());
            assertFails(ErrorClass.RANK, () -> persistent.start(), "start: argument source: ANY_SOURCE",
                    " at HintsTest.java:");
            all.send(new int[] {7 + all.rank()}, other, 4);
            posted.await();
            assertEquals(7 + other, early[0]);
            all.hints(Hints.NONE);
            persistent.start();
            all.send(new int[] {9}, other, 5);
            assertEquals(other, persistent.await().source());
        });
    }

    @Test
    void shouldConcernOneCommunicatorOfOneRank() {
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            Hints promise = Hints.NONE.withoutAnySource();
            if (all.rank() == 0) {
                all.hints(promise);
            }
            Communicator copy = all.duplicate();
            assertEquals(all.rank() == 0 ? promise : Hints.NONE, all.hints());
            assertEquals(Hints.NONE, copy.hints());
            int[] word = new int[1];
            if (all.rank() == 0) {
                copy.receive(word, ANY_SOURCE, 1);
                copy.receive(word, ANY_SOURCE, ANY_TAG);
                assertFails(ErrorClass.RANK, () -> all.iprobe(ANY_SOURCE, 1));
            } else {
                copy.send(word, 0, 1);
            }
            // Collectives receive by hidden messages, which no promise is about.
            all.barrier();
        });
    }

    @Test
    void shouldRefuseNumbersOutOfRange() {
        assertFails(ErrorClass.ARGUMENT, () -> Hints.NONE.expecting(-1, 0), "argument receives: -1", " at HintsTest");
        assertFails(ErrorClass.ARGUMENT, () -> Hints.NONE.expecting(0, 1 << 21), "argument messages: 2097152");
        assertFails(ErrorClass.ARGUMENT, () -> Hints.NONE.spreadByTag(0), "argument queues: 0 is not from 1 to 1024");
        assertFails(ErrorClass.ARGUMENT, () -> new Hints(false, false, 0, 0, null, 1), "argument spread is null");
    }

    /** Hints that come and go while receives and messages wait change nothing but the way. */
    @Test
    void shouldNotChangeWhatReceivesGet() {
        Hints[] hints = {Hints.NONE.expecting(3, 5), Hints.NONE.spreadBySource(2), Hints.NONE,
            Hints.NONE.spreadByTag(3).expecting(100, 0)};
        Worlds.run(3, world -> {
            Communicator all = world.communicator();
            int[][] in = new int[40][1];
            Request[] receives = new Request[in.length];
            for (int i = 0; i < in.length; i++) {
                receives[i] = all.irecv(in[i], i % 5 == 0 ? ANY_SOURCE : (all.rank() + 1) % 3, i % 7);
                if (i % 10 == 0) {
                    all.hints(hints[i / 10]);
                    assertEquals(hints[i / 10], all.hints());
                }
            }
            for (int i = 0; i < in.length; i++) {
                all.send(new int[] {i}, (all.rank() + 2) % 3, i % 7);
            }
            Request.awaitAll(receives);
            for (int i = 0; i < in.length; i++) {
                assertEquals(i, in[i][0]);
            }
        });
    }

    /** Match words with few bits bound ranks and tags. */
    @Test
    void shouldRefuseRanksAndTagsThatMatchWordsAreTooNarrowFor() {
        DeviceConfig narrow = DeviceConfig.DEFAULT.withWords(new WordLayout(2, 15, 0));
        Worlds.run(3, narrow, world -> {
            Communicator all = world.communicator();
            assertEquals(32_767, world.maxTag());
            all.sendReceive(FOUR, (all.rank() + 1) % 3, 32_767, FOUR, (all.rank() + 2) % 3, 32_767);
            String[] parts = {"argument tag: 32768 is above 32767", " at HintsTest.java:"};
            assertFails(ErrorClass.TAG, () -> all.isend(FOUR, 0, 32_768), parts);
            assertFails(ErrorClass.TAG, () -> all.probe(0, 32_768), parts);
            all.duplicate().barrier();
        });
        assertFails(ErrorClass.RESOURCE, () -> Worlds.run(4, narrow, world -> {}), "match words with 2 bits for the",
                "are for 3 ranks, and the job has 4");
    }
}
