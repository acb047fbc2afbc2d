package io.rankwire.device;

import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.Operation.Mode;
import io.rankwire.memory.Rand;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that a device refuses because its header store is full, and that their senders send again. */
@Timeout(300)
final class RefusedForRoomTest {
    private static final int HEADERS = 4;

    private static DeviceConfig config(int retries) {
        return new DeviceConfig(1024, 1 << 20, 64, 64, HEADERS, HEADERS, Overflow.REFUSE,
                DeviceConfig.Truncation.DELIVER, 1 << 16, 4, DeviceConfig.Large.AUTO, 1 << 20).withRetries(retries);
    }

    private static List<Operation> flood(DevicePair pair, int messages) {
        List<Operation> sends = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            sends.add(send(pair.a, Mode.STANDARD, 1, i % 2, pattern(i, 100)));
        }
        pair.settle();
        return sends;
    }

    /** Lets time pass, in which refused messages are sent again. */
    private static void pass(DevicePair pair, long ns) {
        for (long end = pair.now + ns; pair.now < end; ) {
            pair.now += 5_000_000;
            pair.settle();
        }
    }

    @Test
    void shouldStopTheQueueAndGoOnInOrderWhenThereIsRoom() {
        DevicePair pair = new DevicePair(config(100));
        List<Operation> sends = flood(pair, 40);
        assertEquals(HEADERS, DeviceAudit.unexpected(pair.b, 0));
        assertEquals(1, pair.b.overflow.interrupts(), "the queue has not stopped");
        assertTrue(sends.get(HEADERS - 1).isDone());
        assertFalse(sends.get(HEADERS).isDone(), "a refused send is done");
        pass(pair, 50_000_000);
        assertEquals(HEADERS, DeviceAudit.unexpected(pair.b, 0));
        for (int i = 0; i < 40; i++) {
            byte[] room = new byte[100];
            Operation received = receive(pair.b, 0, MatchWord.ANY, room);
            pass(pair, 20_000_000);
            assertDone(Code.OK, pair.b, received);
            assertPattern(i, 100, room);
        }
        sends.forEach(sent -> assertDone(Code.OK, pair.a, sent));
        pair.assertNothingLeft();
    }

    @Test
    void shouldGiveUpAfterSoManyRefusalsAndGoOnWithTheNext() {
        DevicePair pair = new DevicePair(config(3));
        List<Operation> sends = flood(pair, HEADERS + 2);
        pass(pair, 20_000_000);
        Operation given = sends.remove(HEADERS);
        assertEquals(Code.NOT_READY, given.refusal());
        assertEquals(3, given.matchedBytes());
        assertDone(Code.REFUSED, pair.a, given);
        byte[] room = new byte[100];
        for (int i = 0; i <= HEADERS; i++) {
            Operation received = receive(pair.b, 0, MatchWord.ANY, room);
            pass(pair, 20_000_000);
            if (i < HEADERS || received.isDone()) {
                assertDone(Code.OK, pair.b, received);
                assertPattern(i < HEADERS ? i : HEADERS + 1, 100, room);
            } else {
                assertTrue(pair.b.cancel(received), "the message behind was given up too");
                assertDone(Code.CANCELLED, pair.b, received);
                assertDone(Code.REFUSED, pair.a, sends.removeLast());
            }
        }
        sends.forEach(sent -> assertDone(Code.OK, pair.a, sent));
        pair.assertNothingLeft();
    }

    /** The message that a receive waits for is behind those that fill the store: software takes the queue over. */
    @Test
    void shouldTurnMatchingOffForAQueueThatACallWaitsFor() {
        for (boolean probe : new boolean[] {true, false}) {
            DevicePair pair = new DevicePair(config(100));
            flood(pair, 20).forEach(sent -> { });
            Operation behind = send(pair.a, Mode.SYNCHRONOUS, 1, 9, pattern(9, 3000));
            pass(pair, 50_000_000);
            byte[] room = new byte[3000];
            Operation received = null;
            if (probe) {
                assertEquals(Probes.NONE, pair.b.probes().find(0, 0, 9));
                pass(pair, 50_000_000);
                assertNotEquals(Probes.NONE, pair.b.probes().find(0, 0, 9));
            }
            received = receive(pair.b, 0, 9, room);
            pass(pair, 50_000_000);
            assertDone(Code.OK, pair.b, received);
            assertPattern(9, 3000, room);
            assertDone(Code.OK, pair.a, behind);
        }
    }

    /** Every message once, and none before an earlier one of its sender that the receive would have taken. */
    @Test
    void shouldKeepTheOrderWhateverIsRefused() {
        int refused = 0;
        for (int seed = 1; seed <= 20; seed++) {
            Rand rand = new Rand(seed);
            int ranks = rand.between(2, 4);
            DevicePair all = new DevicePair(config(1 << 20), ranks, rand.chance(1, 2) ? 64 : 2048);
            RefusedForRoomEpisode episode = new RefusedForRoomEpisode(all, rand, "seed " + seed);
            episode.run();
            for (Device device : all.devices) {
                refused += (int) device.overflow.interrupts();
            }
            all.assertNothingLeft();
        }
        assertTrue(refused > 50, "hardly any queue has stopped: " + refused);
    }
}
