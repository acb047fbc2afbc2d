package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Large;
import io.rankwire.device.Operation.Mode;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import io.rankwire.sim.fault.WatchedPort;
import io.rankwire.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Urgent messages pass others: in the line for room and credit, and chunk by chunk among large ones. */
final class PrioritiesTest {
    private static final int URGENT = 11;
    private static final int USUAL = 12;
    private static final int BULK = 13;
    private static final int BYTES = 600_000;

    /** Frames of bytes that reach the second device: the receive's name of each DATA, the send's of each EARLY. */
    private final List<Integer> parts = new ArrayList<>();
    private final List<Integer> contexts = new ArrayList<>();
    private Device a;
    private Device b;
    private DevicePair pair;

    private void open(DeviceConfig config) {
        LocalFabric fabric = new LocalFabric(2, 1024);
        a = new Device(config, fabric.open(0));
        b = new Device(config, new WatchedPort(fabric.open(1), (from, meta, header, memory, payload, bytes) -> {
            int kind = Frame.kind(meta);
            if (kind == Frame.EARLY || kind == Frame.DATA) {
                parts.add(kind == Frame.DATA ? Frame.high(header) : -Frame.high(header));
            } else if (kind == Frame.EAGER) {
                contexts.add(Frame.high(header));
            }
        }));
        pair = new DevicePair(a, b);
        a.priorities.set(URGENT, Priorities.HIGH);
        a.priorities.set(BULK, Priorities.LOW);
    }

    private Operation send(int context, int tag, byte[] bytes) {
        return a.send(Mode.STANDARD, context, 1, tag, bytes, 0, bytes.length, BYTE);
    }

    /** The place of the last part of a receive among all parts. */
    private int last(Operation receive) {
        return parts.lastIndexOf(receive.id());
    }

    @Test
    void shouldSendTheLargeMessagesOfAnUrgentContextFirst() {
        open(DeviceConfig.DEFAULT.withLarge(Large.TWO_ENDED, 1 << 20));
        int[] order = {BULK, USUAL, URGENT};
        Operation[] received = new Operation[3];
        Operation[] sent = new Operation[3];
        byte[][] rooms = new byte[3][BYTES];
        for (int i = 0; i < 3; i++) {
            received[i] = b.receive(order[i], 0, 1, rooms[i], 0, BYTES, BYTE);
            sent[i] = send(order[i], 1, pattern(i, BYTES));
        }
        pair.settle();
        for (int i = 0; i < 3; i++) {
            assertPattern(i, BYTES, rooms[i]);
        }
        assertTrue(last(received[2]) < last(received[1]), "the urgent message is before the usual one");
        int firstOfBulk = parts.indexOf(received[0].id());
        assertTrue(last(received[1]) < firstOfBulk, "the bulk message is behind all others");
        for (int i = 0; i < 3; i++) {
            assertDone(Code.OK, a, sent[i]);
            assertDone(Code.OK, b, received[i]);
        }
        pair.assertNothingLeft();
    }

    /** A put that the receiver has asked for goes before early bytes of a message that it may not want yet. */
    @Test
    void shouldSendWhatARemoteGetAsksForBeforeEarlyBytes() {
        open(DeviceConfig.DEFAULT.withLarge(Large.EAGER, 1 << 20).withEagerBytes(1_000));
        Operation waits = send(USUAL, 1, pattern(1, BYTES));
        pair.settle();
        byte[] room = new byte[BYTES];
        parts.clear();
        Operation early = send(USUAL, 2, pattern(2, BYTES));
        Operation received = b.receive(USUAL, 0, 1, room, 0, BYTES, BYTE);
        a.progressAll(0);
        b.progressAll(0);
        int firstPut = parts.indexOf(received.id());
        assertTrue(firstPut > 0, "early parts, then those of the remote get: " + parts);
        List<Integer> after = parts.subList(firstPut, parts.size());
        assertEquals(after.size(), after.stream().filter(each -> each == received.id()).count(), after.toString());
        pair.settle();
        assertPattern(1, BYTES, room);
        assertDone(Code.OK, a, waits);
        assertDone(Code.OK, b, received);
        Operation rest = b.receive(USUAL, 0, 2, room, 0, BYTES, BYTE);
        pair.settle();
        assertPattern(2, BYTES, room);
        assertDone(Code.OK, a, early);
        assertDone(Code.OK, b, rest);
        pair.assertNothingLeft();
    }

    @Test
    void shouldPassMessagesThatWaitForRoom() {
        open(DeviceConfig.DEFAULT);
        List<Operation> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(send(i % 2 == 0 ? BULK : USUAL, i, pattern(i, 900)));
        }
        assertFalse(sent.getLast().isDone(), "there is room for all");
        sent.add(send(URGENT, 7, pattern(7, 900)));
        pair.settle();
        int place = contexts.indexOf(URGENT);
        assertTrue(place >= 0 && place < 190, "the urgent message is number " + place);
        int waiting = contexts.size() - 1;
        while (contexts.get(waiting) == BULK) {
            waiting--;
        }
        assertTrue(contexts.size() - 1 - waiting > 20, "bulk messages that had to wait are last");
        for (int i = 0; i < sent.size(); i++) {
            int context = i == 200 ? URGENT : i % 2 == 0 ? BULK : USUAL;
            byte[] room = new byte[900];
            int tag = i == 200 ? 7 : i;
            Operation received = b.receive(context, 0, tag, room, 0, 900, BYTE);
            pair.settle();
            assertPattern(tag, 900, room);
            assertDone(Code.OK, b, received);
            assertDone(Code.OK, a, sent.get(i));
        }
        pair.assertNothingLeft();
    }

    /** The line against a list that is sorted as the rule says, for each message that comes or goes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKeepTheLineOfTheModel(long seed) {
        Rand rand = new Rand(seed);
        Peer peer = new Peer(1, null, 64, 1_000, null, null);
        List<Operation> model = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            if (model.size() < 30 && rand.chance(3, 5) || model.isEmpty()) {
                Operation added = new Operation(step);
                added.context = rand.below(5);
                // Most contexts keep their priority; what one of them changes holds for later messages.
                added.priority = rand.chance(1, 10) ? rand.below(3) : added.context % 3;
                int place = model.size();
                while (place > 0 && model.get(place - 1).priority > added.priority
                        && model.get(place - 1).context != added.context) {
                    place--;
                }
                model.add(place, added);
                peer.addPending(added);
            } else {
                peer.removePending(model.remove(rand.below(model.size())));
            }
            List<Operation> line = new ArrayList<>();
            for (Operation each = peer.firstPending; each != null; each = each.next) {
                line.add(each);
            }
            assertEquals(model, line, "seed " + seed + ", step " + step);
            assertTrue(line.isEmpty() || peer.lastPending == line.getLast(), "the end of the line");
        }
    }
}
