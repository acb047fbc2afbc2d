package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Messages that are alike and lie in the ring together, whose receives are not all alike. */
final class AlikeTest {
    private static final int COUNT = 20;
    private static final int BYTES = 12;
    private static final int RAW = 8;

    private final DevicePair pair = new DevicePair(DeviceConfig.DEFAULT);

    private final byte[][] rooms = new byte[COUNT][BYTES];
    private final Operation[] receives = new Operation[COUNT];

    private void post(int from, int to) {
        for (int i = from; i < to; i++) {
            receives[i] = receive(pair.b, 0, 5, rooms[i]);
        }
    }

    private void sendAll() {
        for (int i = 0; i < COUNT; i++) {
            assertDone(Code.OK, pair.a, send(pair.a, Mode.STANDARD, 1, 5, pattern(i, BYTES)));
        }
    }

    private void assertReceived(int i, int id) {
        Operation receive = receives[i];
        assertEquals(0, receive.source());
        assertEquals(5, receive.matchedTag());
        assertEquals(BYTES, receive.matchedBytes());
        assertEquals(BYTE, receive.matchedType());
        assertDone(Code.OK, pair.b, receive);
        assertPattern(id, BYTES, rooms[i]);
    }

    @Test
    void shouldGiveEachItsOwnBytesInOrder() {
        post(0, COUNT);
        sendAll();
        pair.settle();
        for (int i = 0; i < COUNT; i++) {
            assertReceived(i, i);
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldKeepThoseThatFindNoReceive() {
        post(0, 7);
        sendAll();
        pair.settle();
        post(7, COUNT);
        pair.settle();
        for (int i = 0; i < COUNT; i++) {
            assertReceived(i, i);
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldStepOverCancelledReceives() {
        post(0, COUNT);
        assertTrue(pair.b.cancel(receives[3]));
        assertTrue(pair.b.cancel(receives[4]));
        assertTrue(pair.b.cancel(receives[COUNT - 1]));
        sendAll();
        pair.settle();
        int id = 0;
        for (int i = 0; i < COUNT; i++) {
            if (i == 3 || i == 4 || i == COUNT - 1) {
                assertDone(Code.CANCELLED, pair.b, receives[i]);
            } else {
                assertReceived(i, id++);
            }
        }
        for (int i = 0; id < COUNT; i++, id++) {
            receives[i] = receive(pair.b, 0, 5, rooms[i]);
            assertReceived(i, id);
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldTellTruncationAndTypeOfThoseInTheMiddle() {
        post(0, 5);
        byte[] small = new byte[BYTES - 1];
        Operation truncated = receive(pair.b, 0, 5, small);
        Operation mistaken = pair.b.receive(0, 0, 5, new double[4], 0, 32, 7);
        MemorySegment memory = Arena.ofAuto().allocate(BYTES);
        Operation raw = pair.b.receive(0, 0, 5, memory, 0, BYTES, RAW);
        post(8, COUNT);
        sendAll();
        pair.settle();
        assertDone(Code.TRUNCATED, pair.b, truncated);
        assertDone(Code.TYPE_MISMATCH, pair.b, mistaken);
        assertDone(Code.OK, pair.b, raw);
        assertEquals(-1, memory.mismatch(MemorySegment.ofArray(pattern(7, BYTES))));
        for (int i = 0; i < COUNT; i++) {
            if (i < 5 || i >= 8) {
                assertReceived(i, i);
            }
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldDeliverOnceWhenAReceiveInTheMiddleCannotBeWritten() {
        post(0, 5);
        Arena closing = Arena.ofConfined();
        Operation broken = pair.b.receive(0, 0, 5, closing.allocate(BYTES), 0, BYTES, RAW);
        post(6, COUNT);
        closing.close();
        sendAll();
        pair.settle();
        assertDone(Code.MEMORY_ENDED, pair.b, broken);
        for (int i = 0; i < COUNT; i++) {
            if (i != 5) {
                assertReceived(i, i);
            }
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldGiveCreditBackForAllOfThem() {
        for (int round = 0; round < 5_000; round++) {
            post(0, COUNT);
            sendAll();
            pair.settle();
            for (int i = 0; i < COUNT; i++) {
                assertReceived(i, i);
            }
        }
        pair.assertNothingLeft();
    }
}
