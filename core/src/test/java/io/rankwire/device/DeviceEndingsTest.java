package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.INT;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.DeviceConfig.Truncation;
import io.rankwire.device.Operation.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How sends and receives end other than well: too small a buffer, another type, cancelled, no header left. */
final class DeviceEndingsTest {
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withEagerBytes(1_000);

    private final DevicePair pair = new DevicePair(CONFIG);

    /** Small messages travel whole, large ones are announced; each before and after its receive, and to itself. */
    @ParameterizedTest
    @CsvSource({"100,true,1", "100,false,1", "50000,true,1", "50000,false,1", "100,true,0", "100,false,0",
            "50000,true,0", "50000,false,0"})
    void shouldDeliverWhatFitsAndSaySo(int bytes, boolean posted, int to) {
        truncate(pair, bytes, posted, to, 60, Mode.STANDARD, Code.OK);
    }

    @ParameterizedTest
    @CsvSource({"100,true,1,STANDARD,0", "100,false,1,STANDARD,0", "100,true,1,SYNCHRONOUS,-3",
            "100,false,1,SYNCHRONOUS,-3", "50000,true,1,STANDARD,-3", "50000,false,1,STANDARD,-3",
            "100,true,0,STANDARD,-3", "100,false,0,STANDARD,0", "50000,false,0,STANDARD,-3"})
    void shouldRefuseAndTellASenderThatWaits(int bytes, boolean posted, int to, Mode mode, int sendCode) {
        DevicePair strict = new DevicePair(CONFIG.withTruncation(Truncation.REFUSE));
        truncate(strict, bytes, posted, to, 0, mode, sendCode);
    }

    private static void truncate(
            DevicePair pair, int bytes, boolean posted, int to, int delivered, Mode mode, int sendCode) {
        Device target = pair.devices[to];
        byte[] room = new byte[60];
        Operation received = posted ? receive(target, 0, 7, room) : null;
        Operation sent = send(pair.a, mode, to, 7, pattern(1, bytes));
        pair.settle();
        received = posted ? received : receive(target, 0, 7, room);
        pair.settle();
        assertEquals(bytes, received.matchedBytes());
        assertEquals(60, received.bytes());
        assertDone(Code.TRUNCATED, target, received);
        assertPattern(1, delivered, room);
        assertDone(sendCode, pair.a, sent);
        pair.assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource({"100,true,1,0", "100,false,1,0", "50000,true,1,-3", "50000,false,1,-3", "50000,false,0,-3"})
    void shouldTellBothTypesOnAMismatch(int bytes, boolean posted, int to, int sendCode) {
        Device target = pair.devices[to];
        byte[] room = new byte[bytes];
        Operation received = posted ? target.receive(0, 0, 7, room, 0, bytes, INT) : null;
        Operation sent = send(pair.a, Mode.STANDARD, to, 7, pattern(1, bytes));
        pair.settle();
        received = posted ? received : target.receive(0, 0, 7, room, 0, bytes, INT);
        pair.settle();
        assertEquals(BYTE, received.matchedType());
        assertEquals(INT, received.elementType());
        assertDone(Code.TYPE_MISMATCH, target, received);
        assertPattern(1, 0, room);
        assertDone(sendCode, pair.a, sent);
        pair.assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = {"STANDARD", "SYNCHRONOUS"})
    void shouldWithdrawAnAnnouncedSend(Mode mode) {
        Operation sent = send(pair.a, mode, 1, 3, pattern(1, mode == Mode.STANDARD ? 5_000 : 10));
        pair.settle();
        assertFalse(sent.isDone());
        assertFalse(pair.a.cancel(sent), "the peer must be asked");
        pair.settle();
        assertDone(Code.CANCELLED, pair.a, sent);
        assertEquals(-1, pair.b.probes().find(0, 0, 3));
        pair.assertNothingLeft();
    }

    @Test
    void shouldGoOnWhenTheCancelComesTooLate() {
        byte[] room = new byte[5_000];
        Operation received = receive(pair.b, 0, 3, room);
        Operation sent = send(pair.a, Mode.STANDARD, 1, 3, pattern(2, 5_000));
        assertFalse(pair.a.cancel(sent));
        pair.settle();
        assertDone(Code.OK, pair.a, sent);
        assertDone(Code.OK, pair.b, received);
        assertPattern(2, 5_000, room);
        pair.assertNothingLeft();
    }

    /** The refusal overtakes the answer to the cancel: the send's number may not be used again between the two. */
    @Test
    void shouldNotEndARefusedSendBeforeItsCancelIsAnswered() {
        byte[] room = new byte[5_000];
        Operation received = pair.b.receive(0, 0, 3, room, 0, room.length, INT);
        Operation sent = send(pair.a, Mode.STANDARD, 1, 3, pattern(2, 5_000));
        pair.b.progress(0);
        assertDone(Code.TYPE_MISMATCH, pair.b, received);
        assertFalse(pair.a.cancel(sent));
        pair.a.progress(0);
        assertFalse(sent.isDone(), "the answer to the cancel is still on its way");
        pair.settle();
        assertDone(Code.REFUSED, pair.a, sent);
        pair.assertNothingLeft();
    }

    @Test
    void shouldWithdrawASendThatHasNotLeft() {
        DevicePair tiny = new DevicePair(CONFIG.withUnexpectedBytes(2_048));
        Operation[] sent = new Operation[40];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = send(tiny.a, Mode.STANDARD, 1, i, pattern(i, 500));
        }
        assertTrue(tiny.a.cancel(sent[39]), "it waits for credit, so nobody need be asked");
        assertTrue(tiny.a.cancel(sent[37]));
        for (int i = 0; i < sent.length; i++) {
            if (i != 39 && i != 37) {
                byte[] room = new byte[500];
                Operation received = receive(tiny.b, 0, i, room);
                tiny.settle();
                assertDone(Code.OK, tiny.b, received);
                assertPattern(i, 500, room);
            }
            assertDone(i == 39 || i == 37 ? Code.CANCELLED : Code.OK, tiny.a, sent[i]);
        }
        tiny.assertNothingLeft();
    }

    @Test
    void shouldCancelAReceiveOnlyWhileItIsPosted() {
        Operation received = receive(pair.b, -1, -1, new byte[8]);
        assertTrue(pair.b.cancel(received));
        assertFalse(pair.b.cancel(received), "it is done");
        assertDone(Code.CANCELLED, pair.b, received);
        assertDone(Code.OK, pair.a, send(pair.a, Mode.STANDARD, 1, 3, new byte[8]));
        pair.settle();
        assertTrue(pair.b.probes().find(0, 0, 3) >= 0, "the message met a cancelled receive");
        assertDone(Code.OK, pair.b, receive(pair.b, 0, 3, new byte[8]));
        pair.assertNothingLeft();
    }

    @Test
    void shouldDropAContextWithAllItHolds() {
        Operation posted = pair.b.receive(9, 0, 1, new byte[8], 0, 8, BYTE);
        pair.a.release(pair.a.send(Mode.STANDARD, 9, 1, 2, pattern(1, 300), 0, 300, BYTE));
        pair.settle();
        assertTrue(pair.b.probes().find(9, 0, 2) >= 0);
        pair.b.dropContext(9);
        assertDone(Code.CANCELLED, pair.b, posted);
        assertEquals(0, pair.b.contexts().length);
        pair.assertNothingLeft();
    }

    @Test
    void shouldForgetAQueueThatSoftwareHadTakenOver() {
        DevicePair few = new DevicePair(CONFIG.withHeaders(2, 2, Overflow.SOFTWARE));
        Operation[] posted = new Operation[5];
        for (int i = 0; i < posted.length; i++) {
            posted[i] = few.b.receive(9, 0, i, new byte[8], 0, 8, BYTE);
        }
        few.settle();
        assertTrue(few.b.mayProgress(), "software waits for room");
        few.b.dropContext(9);
        for (Operation receive : posted) {
            assertDone(Code.CANCELLED, few.b, receive);
        }
        few.settle();
        assertFalse(few.b.mayProgress(), "nothing is left to do");
        few.assertNothingLeft();
    }

    @Test
    void shouldFailWithCountsWhenThePolicySaysSo() {
        DevicePair few = new DevicePair(CONFIG.withHeaders(4, 4, Overflow.FAIL));
        for (int i = 0; i < 4; i++) {
            receive(few.b, 0, i, new byte[8]);
        }
        DeviceFault fault = assertThrows(DeviceFault.class, () -> receive(few.b, 0, 9, new byte[8]));
        assertEquals(Code.NO_HEADERS, fault.code());
        assertTrue(fault.getMessage().contains("4 posted and 0 unexpected"), fault.getMessage());
    }

    @ParameterizedTest
    @EnumSource(value = Overflow.class, names = {"GROW", "SOFTWARE"})
    void shouldGoOnPastTheStoresLimit(Overflow policy) {
        DevicePair few = new DevicePair(CONFIG.withHeaders(4, 4, policy));
        Operation[] received = new Operation[100];
        byte[][] rooms = new byte[received.length][8];
        for (int i = 0; i < received.length; i++) {
            received[i] = receive(few.b, 0, i % 7, rooms[i]);
        }
        assertTrue(few.b.cancel(received[50]));
        for (int i = 0; i < received.length; i++) {
            few.a.release(send(few.a, Mode.STANDARD, 1, i % 7, pattern(i, 8)));
            few.settle();
        }
        for (int i = 0; i < received.length; i++) {
            int id = i < 50 || i % 7 != 50 % 7 ? i : i - 7;
            if (i == 50) {
                assertDone(Code.CANCELLED, few.b, received[i]);
            } else {
                assertDone(Code.OK, few.b, received[i]);
                assertPattern(id, 8, rooms[i]);
            }
        }
        byte[] room = new byte[8];
        assertDone(Code.OK, few.b, receive(few.b, 0, 50 % 7, room));
        assertPattern(99, 8, room);
        few.assertNothingLeft();
    }
}
