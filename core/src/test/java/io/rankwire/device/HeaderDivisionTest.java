package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.match.ListMatcher;
import io.rankwire.device.match.MatchQueue;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.SpreadQueue;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One communicator with headers of its own beside one that gets more messages than there are headers. */
final class HeaderDivisionTest {
    private static final int OWN = 4097;
    private static final int FLOODED = 4098;
    private static final QueueHints FOUR_EACH = new QueueHints(4, 4, QueueHints.By.SOURCE, 1);

    private DevicePair pair;
    private final List<Operation> sent = new ArrayList<>();

    private Device small(Overflow policy) {
        pair = new DevicePair(DeviceConfig.DEFAULT.withHeaders(16, 16, policy));
        return pair.b;
    }

    private void send(int context, int tag) {
        sent.add(pair.a.send(Mode.STANDARD, context, 1, tag, new byte[] {(byte) tag}, 0, 1, BYTE));
        pair.settle();
    }

    private Operation post(int context, int from, int tag) {
        return pair.b.receive(context, from, tag, new byte[1], 0, 1, BYTE);
    }

    private void flood(int messages) {
        for (int i = 0; i < messages; i++) {
            send(FLOODED, i);
        }
    }

    /** Receives all messages; each has its tag as content, and comes in order. */
    private void drain(int context, int messages) {
        for (int i = 0; i < messages; i++) {
            byte[] content = new byte[1];
            Operation received = pair.b.receive(context, MatchWord.ANY, MatchWord.ANY, content, 0, 1, BYTE);
            assertEquals(i, received.matchedTag());
            assertEquals((byte) i, content[0]);
            pair.b.release(received);
        }
        pair.settle();
        sent.forEach(pair.a::release);
        sent.clear();
        DeviceAudit.structures(pair.b);
        pair.assertNothingLeft();
    }

    @Test
    void shouldTakeOverTheFloodedQueueAndNoOther() {
        Device device = small(Overflow.SOFTWARE);
        assertEquals(FOUR_EACH, device.hint(OWN, FOUR_EACH));
        flood(16);
        assertInstanceOf(ListMatcher.class, device.queues().get(FLOODED));
        assertEquals(FOUR_EACH, device.hint(FLOODED, FOUR_EACH), "while software has the queue");
        for (int tag = 0; tag < 4; tag++) {
            send(OWN, tag);
        }
        assertInstanceOf(MatchQueue.class, device.queues().get(OWN));
        DeviceAudit.structures(device);
        for (int tag = 0; tag < 16; tag++) {
            pair.b.release(post(FLOODED, 0, tag));
        }
        pair.settle();
        assertInstanceOf(MatchQueue.class, device.queues().get(FLOODED), "not handed back");
        drain(OWN, 4);
    }

    @Test
    void shouldFailOnlyWhenNothingIsLeftForTheQueue() {
        Device device = small(Overflow.FAIL);
        device.hint(OWN, FOUR_EACH);
        flood(8);
        DeviceFault full = assertThrows(DeviceFault.class, () -> send(FLOODED, 8));
        assertTrue(full.getMessage().contains("0 posted and 8 unexpected"), full.getMessage());
        for (int i = 0; i < 4; i++) {
            post(OWN, 0, i);
        }
        full = assertThrows(DeviceFault.class, () -> post(OWN, 0, 4));
        assertTrue(full.getMessage().contains("4 posted and 0 unexpected, and 4 and 4 headers set aside"),
                full.getMessage());
        assertEquals(12, device.headers.inUse());
    }

    /** What one queue does not use goes to the other, and back; what is set aside stays. */
    @Test
    void shouldRedivideWhatIsNotInUse() {
        Device device = small(Overflow.FAIL);
        device.hint(OWN, FOUR_EACH);
        for (int i = 0; i < 12; i++) {
            send(OWN, i);
        }
        drain(OWN, 12);
        flood(8);
        drain(FLOODED, 8);
        for (int i = 0; i < 12; i++) {
            send(OWN, i);
        }
        drain(OWN, 12);
    }

    /** A queue that is in use gets shares, then several queues, then nothing again; its messages stay in order. */
    @Test
    void shouldDivideAQueueThatIsInUse() {
        Device device = small(Overflow.FAIL);
        for (int i = 0; i < 8; i++) {
            send(OWN, i);
        }
        Operation waiting = post(OWN, 0, 99);
        assertEquals(new QueueHints(0, 15, QueueHints.By.TAG, 3),
                device.hint(OWN, new QueueHints(0, 20, QueueHints.By.TAG, 3)), "more than there are");
        assertInstanceOf(SpreadQueue.class, device.queues().get(OWN));
        DeviceAudit.structures(device);
        send(OWN, 99);
        assertTrue(waiting.isDone());
        device.release(waiting);
        assertEquals(new QueueHints(8, 0, QueueHints.By.TAG, 3),
                device.hint(OWN, new QueueHints(20, 0, QueueHints.By.TAG, 3)), "messages keep their headers");
        waiting = post(OWN, 0, 98);
        assertEquals(QueueHints.NONE, device.hint(OWN, QueueHints.NONE));
        assertTrue(device.cancel(waiting));
        device.release(waiting);
        drain(OWN, 8);
        device.hint(OWN, FOUR_EACH);
        device.dropContext(OWN);
        flood(16);
        drain(FLOODED, 16);
    }

    @Test
    void shouldGrowForWhatIsSetAside() {
        Device device = small(Overflow.GROW);
        QueueHints many = new QueueHints(100, 200, QueueHints.By.SOURCE, 1);
        assertEquals(many, device.hint(OWN, many));
        assertTrue(device.headers.capacity() >= 300, "memory is made ready");
        flood(100);
        drain(FLOODED, 100);
    }
}
