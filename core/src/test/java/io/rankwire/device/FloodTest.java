package io.rankwire.device;

import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import io.rankwire.wire.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two senders send ten times what a receiver that looks away may hold: nothing is lost, they are slowed. */
final class FloodTest {
    private static final long CAP = 64 << 10;
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withUnexpectedBytes(CAP);

    private final DevicePair trio = new DevicePair(CONFIG, 3, 256);
    private final Device receiver = trio.devices[2];

    private record Sent(int id, Operation operation) {}

    @ParameterizedTest
    @CsvSource({"0,2", "8,2", "500,2", "1500,2", "500,3"})
    void shouldHoldBackSendersThatDoNotWait(int bytes, int receives) {
        int each = (int) (10 * CAP / 2 / Math.max(64, bytes));
        ArrayDeque<Sent> under = new ArrayDeque<>();
        for (int i = 0; i < each; i++) {
            for (int from = 0; from < 2; from++) {
                Device device = trio.devices[from];
                under.add(new Sent(from, send(device, Mode.STANDARD, 2, 1, pattern(2 * i + from, bytes))));
            }
        }
        trio.settle();
        int pending = (int) under.stream().filter(sent -> !sent.operation.isDone()).count();
        assertTrue(pending > each, () -> "only " + pending + " of " + 2 * each + " sends wait");
        assertTrue(receiver.payloads.highWater() <= CAP, () -> receiver.payloads.highWater() + " bytes held");
        assertTrue(receiver.headers.inUse() <= CAP / 64, () -> receiver.headers.inUse() + " headers held");
        takeAll(bytes, each, receives);
        for (Sent sent : under) {
            DevicePair.assertDone(Code.OK, trio.devices[sent.id], sent.operation);
        }
        assertTrue(receiver.payloads.highWater() <= CAP, () -> receiver.payloads.highWater() + " bytes held");
        trio.assertNothingLeft();
    }

    /** Each sender's messages in their order, from one at a time or from whoever is first. */
    private void takeAll(int bytes, int each, int senders) {
        int[] next = new int[2];
        for (int i = 0; i < 2 * each; i++) {
            byte[] room = new byte[bytes];
            int from = senders == 3 ? -1 : i < each ? 0 : 1;
            Operation received = receive(receiver, from, 1, room);
            for (int rounds = 0; !received.isDone(); rounds++) {
                assertTrue(rounds < 10_000, "a message is missing");
                step();
            }
            int source = received.source();
            assertPattern(2 * next[source]++ + source, bytes, room);
            DevicePair.assertDone(Code.OK, receiver, received);
        }
        trio.settle();
        assertEquals(each, next[0]);
        assertEquals(each, next[1]);
    }

    private void step() {
        trio.now += 1_000;
        for (Device device : trio.devices) {
            device.progress(trio.now);
            device.rest();
        }
    }

    /** Senders that wait for each send, as blocking calls do, stop in good time and go on when there is room. */
    @Test
    void shouldHoldBackSendersThatWait() {
        int bytes = 700;
        int each = (int) (10 * CAP / 2 / bytes);
        int[] sent = new int[2];
        int[] received = new int[2];
        Operation[] waiting = new Operation[2];
        int mostAhead = 0;
        for (int rounds = 0; received[0] + received[1] < 2 * each; rounds++) {
            assertTrue(rounds < 100 * each, "stuck after " + received[0] + " and " + received[1]);
            for (int from = 0; from < 2; from++) {
                Device device = trio.devices[from];
                if (waiting[from] != null && waiting[from].isDone()) {
                    device.release(waiting[from]);
                    waiting[from] = null;
                }
                if (waiting[from] == null && sent[from] < each) {
                    waiting[from] = send(device, Mode.STANDARD, 2, 1, pattern(2 * sent[from]++ + from, bytes));
                }
            }
            mostAhead = Math.max(mostAhead, sent[0] + sent[1] - received[0] - received[1]);
            step();
            if (rounds % 8 == 0 && receiver.probes().find(0, -1, 1) >= 0) {
                byte[] room = new byte[bytes];
                Operation one = receive(receiver, -1, 1, room);
                trio.settle();
                assertPattern(2 * received[one.source()]++ + one.source(), bytes, room);
                DevicePair.assertDone(Code.OK, receiver, one);
            }
        }
        int most = mostAhead;
        assertTrue(most <= CAP / 64, () -> most + " messages ahead of the receiver");
        assertTrue(receiver.payloads.highWater() <= CAP, () -> receiver.payloads.highWater() + " bytes held");
        trio.settle();
        for (int from = 0; from < 2; from++) {
            if (waiting[from] != null) {
                DevicePair.assertDone(Code.OK, trio.devices[from], waiting[from]);
            }
        }
        trio.assertNothingLeft();
    }

    private static final int MANY = 2_000;

    /** Rank 0 sends more than may lie at the receiver, in the context given; all of it waits. */
    private List<Operation> flood(int context) {
        List<Operation> under = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            under.add(trio.a.send(Mode.STANDARD, context, 2, 1, pattern(i, 16), 0, 16, DevicePair.BYTE));
        }
        trio.settle();
        assertFalse(under.getLast().isDone());
        return under;
    }

    private void takeFlood(int context, List<Operation> under) {
        for (int i = 0; i < MANY; i++) {
            byte[] room = new byte[16];
            Operation received = receiver.receive(context, 0, i % 2 == 0 ? 1 : -1, room, 0, 16, DevicePair.BYTE);
            trio.settle();
            assertPattern(i, 16, room);
            DevicePair.assertDone(Code.OK, receiver, received);
        }
        for (Operation sent : under) {
            DevicePair.assertDone(Code.OK, trio.a, sent);
        }
        assertTrue(receiver.payloads.highWater() <= CAP, () -> receiver.payloads.highWater() + " bytes held");
    }

    @ParameterizedTest
    @CsvSource({"0,false,16", "-1,false,16", "0,true,16", "-1,true,16", "0,false,100000"})
    void shouldReceiveAMessageBehindTheFlood(int from, boolean postedBefore, int bytes) {
        byte[] room = new byte[bytes];
        Operation received = postedBefore ? receive(receiver, from, 2, room) : null;
        List<Operation> under = flood(0);
        Operation behind = send(trio.a, Mode.SYNCHRONOUS, 2, 2, pattern(7, bytes));
        Operation last = send(trio.a, Mode.STANDARD, 2, 2, pattern(8, bytes));
        trio.settle();
        received = postedBefore ? received : receive(receiver, from, 2, room);
        trio.settle();
        DevicePair.assertDone(Code.OK, receiver, received);
        assertPattern(7, bytes, room);
        DevicePair.assertDone(Code.OK, trio.a, behind);
        assertFalse(under.getLast().isDone());
        takeFlood(0, under);
        trio.settle();
        received = receive(receiver, 0, 2, room);
        trio.settle();
        DevicePair.assertDone(Code.OK, receiver, received);
        DevicePair.assertDone(Code.OK, trio.a, last);
        assertPattern(8, bytes, room);
        trio.assertNothingLeft();
    }

    /** A probe shows what a receive of the same kind would get; one of any tag gets what was sent before. */
    @Test
    void shouldKeepTheOrderOfWhatProbesHaveSeen() {
        List<Operation> under = flood(5);
        Operation first = send(trio.a, Mode.STANDARD, 2, 1, pattern(1, 10));
        Operation second = send(trio.a, Mode.STANDARD, 2, 2, pattern(2, 20));
        Operation third = send(trio.a, Mode.STANDARD, 2, 2, pattern(3, 30));
        assertEquals(Probes.NONE, receiver.probes().find(0, 0, 2));
        trio.settle();
        assertEquals(Probes.KEPT, receiver.probes().find(0, -1, 2));
        assertEquals(20, receiver.probes().look(0, Probes.KEPT).bytes());
        byte[] room = new byte[10];
        Operation received = receive(receiver, -1, -1, room);
        assertEquals(Probes.NONE, receiver.probes().find(0, 0, 2));
        trio.settle();
        assertPattern(1, 10, room);
        DevicePair.assertDone(Code.OK, receiver, received);
        assertEquals(Probes.KEPT, receiver.probes().find(0, 0, -1));
        Unexpected taken = receiver.probes().take(0, Probes.KEPT);
        trio.settle();
        assertEquals(Probes.KEPT, receiver.probes().find(0, 0, 2));
        assertEquals(30, receiver.probes().look(0, Probes.KEPT).bytes());
        assertFalse(trio.a.cancel(third));
        trio.settle();
        assertEquals(Probes.NONE, receiver.probes().find(0, 0, 2));
        byte[] more = new byte[20];
        received = receiver.probes().receive(taken, more, 0, 20, DevicePair.BYTE);
        trio.settle();
        assertPattern(2, 20, more);
        DevicePair.assertDone(Code.OK, receiver, received);
        DevicePair.assertDone(Code.OK, trio.a, first);
        DevicePair.assertDone(Code.OK, trio.a, second);
        DevicePair.assertDone(Code.CANCELLED, trio.a, third);
        takeFlood(5, under);
        trio.assertNothingLeft();
    }

    /** A want that found no room waits until then; campaign seed 3,006,000. */
    @Test
    void shouldNotOfferAgainWhatIsBeingCancelled() {
        List<Operation> under = flood(5);
        Operation sent = send(trio.a, Mode.STANDARD, 2, 2, pattern(1, 10));
        receiver.probes().find(0, 0, 2);
        trio.settle();
        assertEquals(Probes.KEPT, receiver.probes().find(0, 0, 2));
        assertFalse(trio.a.cancel(sent));
        trio.a.frame(2, Frame.meta(Frame.DECLINE, 0), Frame.header(sent.id(), 0), null, 0, 0);
        trio.a.frame(2, Frame.meta(Frame.WANT, 0), Frame.header(0, -1), null, 0, 0);
        trio.settle();
        assertEquals(Probes.NONE, receiver.probes().find(0, 0, 2));
        DevicePair.assertDone(Code.CANCELLED, trio.a, sent);
        takeFlood(5, under);
        trio.assertNothingLeft();
    }

    @Test
    void shouldGiveAnIdleSendersShareToABusyOneAndBack() {
        ArrayDeque<Sent> under = new ArrayDeque<>();
        for (int from = 0; from < 2; from++) {
            for (int i = 0; i < 1_000; i++) {
                under.add(new Sent(from, send(trio.devices[from], Mode.STANDARD, 2, 1, new byte[100])));
            }
            trio.settle();
            assertTrue(receiver.payloads.highWater() <= CAP);
        }
        assertFalse(under.stream().allMatch(sent -> sent.operation.isDone()));
        for (int i = 0; i < 2_000; i++) {
            Operation received = receive(receiver, i % 2, 1, new byte[100]);
            trio.settle();
            DevicePair.assertDone(Code.OK, receiver, received);
        }
        for (Sent sent : under) {
            DevicePair.assertDone(Code.OK, trio.devices[sent.id], sent.operation);
        }
        trio.assertNothingLeft();
    }
}
