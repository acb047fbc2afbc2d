package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static io.rankwire.device.DevicePair.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceConfig.Large;
import io.rankwire.device.Operation.Mode;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.sim.fault.WatchedPort;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages too large for a frame: how they start, which way they go, and that each byte goes it once. */
final class LargeTransferTest {
    private static final int BYTES = 300_000;
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withEagerBytes(1_000);

    private final int[] frames = new int[64];
    private final BitSet moved = new BitSet();
    private Device a;
    private Device b;
    private DevicePair pair;

    /** Two devices; frames that reach the second are counted, and the bytes of messages in them marked. */
    private void open(DeviceConfig config) {
        LocalFabric fabric = new LocalFabric(2, 1024);
        a = new Device(config, new WatchedPort(fabric.open(0), (from, meta, header, memory, payload, bytes) ->
                frames[Frame.kind(meta)]++));
        b = new Device(config, new WatchedPort(fabric.open(1), (from, meta, header, memory, payload, bytes) -> {
            int kind = Frame.kind(meta);
            frames[kind]++;
            if (kind == Frame.EARLY || kind == Frame.DATA) {
                int at = (int) memory.get(ValueLayout.JAVA_LONG, payload);
                int end = at + bytes - Frame.DATA_LEAD;
                int twice = moved.nextSetBit(at);
                assertTrue(twice < 0 || twice >= end, () -> "byte " + twice + " moved twice");
                moved.set(at, end);
            }
        }));
        pair = new DevicePair(a, b);
    }

    @ParameterizedTest
    @EnumSource(Large.class)
    void shouldMoveEachByteOnceWhateverThePolicy(Large policy) {
        open(CONFIG.withLarge(policy, 1 << 20));
        byte[] room = new byte[BYTES];
        Operation received = receive(b, 0, 1, room);
        Operation sent = send(a, Mode.STANDARD, 1, 1, pattern(3, BYTES));
        pair.settle();
        assertDone(Code.OK, a, sent);
        assertDone(Code.OK, b, received);
        assertPattern(3, BYTES, room);
        assertEquals(BYTES, moved.cardinality());
        assertEquals(policy == Large.RENDEZVOUS, frames[Frame.EARLY] == 0, "early parts");
        pair.assertNothingLeft();
    }

    @Test
    void shouldPushFromTheFrontBeforeTheAnswerAndFromTheBackAfterIt() {
        open(CONFIG);
        byte[] room = new byte[BYTES];
        Operation received = receive(b, 0, 1, room);
        Operation sent = send(a, Mode.STANDARD, 1, 1, pattern(3, BYTES));
        b.progressAll(0);
        int early = moved.cardinality();
        assertTrue(early > 0 && early < BYTES, "pushed early: " + early);
        assertEquals(early, moved.nextClearBit(0), "the front is without gaps");
        assertPattern(3, early, Arrays.copyOf(room, early));
        a.progressAll(0);
        b.progressAll(0);
        assertTrue(moved.get(BYTES - 1), "the back comes next");
        pair.settle();
        assertDone(Code.OK, a, sent);
        assertDone(Code.OK, b, received);
        assertPattern(3, BYTES, room);
        pair.assertNothingLeft();
    }

    /** The cases of rendezvous: receive posted or not, size within the limit of one put or not. */
    @ParameterizedTest
    @CsvSource({"true,1000000", "true,50000", "false,1000000", "false,50000"})
    void shouldMeetEachCaseOfRendezvous(boolean posted, long limit) {
        for (Large policy : Large.values()) {
            moved.clear();
            Arrays.fill(frames, 0);
            open(CONFIG.withLarge(policy, limit));
            byte[] room = new byte[BYTES];
            Operation received = posted ? receive(b, 0, 1, room) : null;
            Operation sent = send(a, Mode.STANDARD, 1, 1, pattern(3, BYTES));
            if (!posted) {
                pair.settle();
                assertFalse(sent.isDone(), "the buffer is free before the finish");
                received = receive(b, 0, 1, room);
            }
            pair.settle();
            assertDone(Code.OK, a, sent);
            assertDone(Code.OK, b, received);
            assertPattern(3, BYTES, room);
            assertEquals(BYTES, moved.cardinality());
            boolean remoteGet = !posted && BYTES <= limit;
            assertEquals(posted ? 0 : 1, frames[Frame.PENDING], policy + ": told to wait");
            assertEquals(remoteGet ? 1 : 0, frames[Frame.REMOTE_GET], policy + ": remote gets");
            assertEquals(remoteGet ? 0 : 1, frames[Frame.CLEAR_TO_SEND], policy + ": clear to send");
            pair.assertNothingLeft();
        }
    }

    @Test
    void shouldKeepEarlyPartsWithinTheCapAndNeverSendThemAgain() {
        // Room for a few frames, of 16 KiB each, of the many that the messages have.
        int cap = 128 << 10;
        open(CONFIG.withUnexpectedBytes(cap).withLarge(Large.EAGER, 1 << 20));
        Operation[] sent = new Operation[8];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = send(a, Mode.STANDARD, 1, i, pattern(i, BYTES));
        }
        pair.settle();
        assertTrue(b.payloads.highWater() > 0 && b.payloads.highWater() <= cap, "held: "
                + b.payloads.highWater());
        for (int i = sent.length - 1; i >= 0; i--) {
            byte[] room = new byte[BYTES];
            Operation received = receive(b, 0, i, room);
            moved.clear();
            pair.settle();
            assertDone(Code.OK, a, sent[i]);
            assertDone(Code.OK, b, received);
            assertPattern(i, BYTES, room);
        }
        pair.assertNothingLeft();
    }

    @Test
    void shouldDropEarlyPartsOfAWithdrawnMessage() {
        open(CONFIG);
        Operation sent = send(a, Mode.STANDARD, 1, 1, pattern(3, BYTES));
        b.progressAll(0);
        assertTrue(b.payloads.bytesHeld() > 0);
        assertFalse(a.cancel(sent));
        pair.settle();
        assertDone(Code.CANCELLED, a, sent);
        pair.assertNothingLeft();
    }

    /** Memory of the sender, of the receiver, of both can be mapped, and the receive is posted or not. */
    @ParameterizedTest
    @CsvSource({"true,false,true", "true,false,false", "false,true,true", "false,true,false", "true,true,true",
            "true,true,false"})
    void shouldCopyOnceBetweenMappedBuffers(boolean from, boolean to, boolean posted) {
        open(CONFIG);
        byte[] message = pattern(5, BYTES);
        Object source = from ? shared(a, message) : message;
        MemorySegment target = to ? shared(b, new byte[BYTES]) : MemorySegment.ofArray(new byte[BYTES]);
        Object room = to ? target : target.heapBase().orElseThrow();
        Operation received = posted ? b.receive(0, 0, 1, room, 0, BYTES, BYTE) : null;
        Operation sent = a.send(Mode.STANDARD, 0, 1, 1, source, 0, BYTES, BYTE);
        pair.settle();
        received = posted ? received : b.receive(0, 0, 1, room, 0, BYTES, BYTE);
        pair.settle();
        assertDone(Code.OK, a, sent);
        assertDone(Code.OK, b, received);
        assertEquals(-1, MemorySegment.ofArray(message).mismatch(target));
        assertEquals(0, from ? moved.cardinality() : frames[Frame.DATA], "bytes through the ring");
        assertEquals(from && to ? 1 : 0, frames[Frame.SHARE], "two cores");
        assertEquals(from ? 0 : 1, frames[Frame.PUT_DONE], "put by the sender");
        pair.assertNothingLeft();
    }

    @Test
    void shouldFinishATransferOfTwoCoresWhenTheSenderStaysAway() {
        open(CONFIG);
        byte[] message = pattern(5, BYTES);
        MemorySegment target = shared(b, new byte[BYTES]);
        Operation received = b.receive(0, 0, 1, target, 0, BYTES, BYTE);
        Operation sent = a.send(Mode.STANDARD, 0, 1, 1, shared(a, message), 0, BYTES, BYTE);
        for (int i = 0; i < 100; i++) {
            b.progress(0);
        }
        assertTrue(received.isDone());
        assertFalse(sent.isDone());
        assertEquals(-1, MemorySegment.ofArray(message).mismatch(target));
        pair.settle();
        assertDone(Code.OK, a, sent);
        assertDone(Code.OK, b, received);
        pair.assertNothingLeft();
    }

    @Test
    void shouldAnswerACancelThatCrossesADirectCopy() {
        open(CONFIG);
        byte[] room = new byte[BYTES];
        byte[] message = pattern(5, BYTES);
        Operation received = receive(b, 0, 1, room);
        Operation sent = a.send(Mode.STANDARD, 0, 1, 1, shared(a, message), 0, BYTES, BYTE);
        b.progress(0);
        assertFalse(a.cancel(sent));
        pair.settle();
        assertDone(Code.OK, a, sent);
        assertDone(Code.OK, b, received);
        assertPattern(5, BYTES, room);
        pair.assertNothingLeft();
    }

    private static MemorySegment shared(Device device, byte[] content) {
        MemorySegment memory = device.memory().allocate(content.length).memory();
        return memory.copyFrom(MemorySegment.ofArray(content));
    }
}
