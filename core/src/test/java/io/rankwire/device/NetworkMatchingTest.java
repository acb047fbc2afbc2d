package io.rankwire.device;

import static io.rankwire.device.DevicePair.BYTE;
import static io.rankwire.device.DevicePair.assertDone;
import static io.rankwire.device.DevicePair.assertPattern;
import static io.rankwire.device.DevicePair.pattern;
import static io.rankwire.device.DevicePair.receive;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.Port;
import io.rankwire.memory.Rand;
import io.rankwire.memory.Words;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two devices, the second of which lets the network match. */
final class NetworkMatchingTest {
    private static final int PLACES = 12;
    private static final int WINDOW = 8;

    private final TaggedFabric fabric = new TaggedFabric(2, 256, PLACES, WINDOW, new Rand(7));
    private final DevicePair pair = new DevicePair(new Device(DeviceConfig.DEFAULT, fabric.open(0)),
            new Device(DeviceConfig.DEFAULT, fabric.open(1)));

    @BeforeEach
    void letNetworkMatch() {
        assertTrue(pair.b.network().match(0, true));
        exchange(1, 10);
    }

    /** The network may refuse something now and take it later. */
    private void settle() {
        for (int round = 0; round < 20; round++) {
            pair.settle();
        }
    }

    private void send(int tag, byte[] message) {
        Operation sent = DevicePair.send(pair.a, Mode.STANDARD, 1, tag, message);
        settle();
        assertDone(Code.OK, pair.a, sent);
    }

    /** One message, receive first. */
    private void exchange(int id, int bytes) {
        byte[] buffer = new byte[bytes];
        Operation receive = receive(pair.b, 0, 3, buffer);
        settle();
        send(3, pattern(id, bytes));
        assertDone(Code.OK, pair.b, receive);
        assertPattern(id, bytes, buffer);
    }

    @Test
    void shouldSendWithTagsOnceInvited() {
        long before = fabric.tagged();
        exchange(2, 0);
        exchange(3, 1_000);
        assertEquals(before + 2, fabric.tagged());
        assertTrue(pair.b.network().isMatched(0));
        assertFalse(pair.a.network().isMatched(0));
        pair.assertNothingLeft();
    }

    @Test
    void shouldAnnounceLargeMessagesWithTags() {
        long before = fabric.tagged();
        byte[] first = new byte[200_000];
        byte[] second = new byte[10];
        Operation receive = receive(pair.b, 0, 3, first);
        Operation next = receive(pair.b, 0, 3, second);
        Operation large = DevicePair.send(pair.a, Mode.STANDARD, 1, 3, pattern(5, first.length));
        send(3, pattern(6, second.length));
        assertDone(Code.OK, pair.a, large);
        assertDone(Code.OK, pair.b, receive);
        assertDone(Code.OK, pair.b, next);
        assertPattern(5, first.length, first);
        assertPattern(6, second.length, second);
        assertEquals(before + 2, fabric.tagged());
    }

    @Test
    void shouldKeepMoreReceivesThanThereArePlaces() {
        Operation[] receives = new Operation[100];
        byte[][] buffers = new byte[100][4];
        for (int i = 0; i < 100; i++) {
            receives[i] = receive(pair.b, 0, i % 50, buffers[i]);
        }
        settle();
        assertEquals(PLACES - 4, pair.b.network().inNetwork());
        for (int i = 99; i >= 0; i--) {
            assertTrue(pair.b.network().isMatched(0));
            send(i % 50, pattern(i, 4));
            settle();
        }
        for (int i = 0; i < 100; i++) {
            assertDone(Code.OK, pair.b, receives[i]);
            assertPattern(i < 50 ? i + 50 : i - 50, 4, buffers[i]);
        }
    }

    @Test
    void shouldTakeMessagesOutOfNetworkWhenTooManyWait() {
        for (int i = 0; i < 3 * WINDOW; i++) {
            send(i, pattern(i, 20));
        }
        settle();
        assertTrue(DeviceAudit.unexpected(pair.b, 0) >= 2 * WINDOW);
        for (int i = 3 * WINDOW - 1; i >= 0; i--) {
            byte[] buffer = new byte[20];
            Operation receive = receive(pair.b, 0, i, buffer);
            settle();
            assertDone(Code.OK, pair.b, receive);
            assertPattern(i, 20, buffer);
        }
    }

    /** Found over the provider sockets: messages with tags came before frames, and before the sender's beginning. */
    @Test
    void shouldNotPostReceivesBeforeTheSenderHasBegun() {
        int context = 4097;
        byte[] nothing = {};
        byte[] one = new byte[20];
        byte[] two = new byte[20];
        assertTrue(pair.b.network().match(context, true));
        Operation inviting = pair.b.receive(context, 0, 1, nothing, 0, 0, BYTE);
        pair.b.progress(0);
        assertTrue(pair.a.sendNow(context, 1, 3, pattern(1, 20), 0, 20, BYTE));
        long before = fabric.tagged();
        for (int i = 0; i < 20; i++) {
            pair.a.progress(0);
        }
        Operation second = pair.a.send(Mode.STANDARD, context, 1, 3, pattern(2, 20), 0, 20, BYTE);
        for (int i = 0; i < 20; i++) {
            pair.a.progress(0);
        }
        assertEquals(before + 1, fabric.tagged());
        fabric.holdsFrames = true;
        assertFalse(pair.b.network().match(context, false));
        Operation first = pair.b.receive(context, 0, 3, one, 0, 20, BYTE);
        Operation next = pair.b.receive(context, 0, 3, two, 0, 20, BYTE);
        for (int i = 0; i < 20; i++) {
            pair.b.progress(0);
        }
        fabric.holdsFrames = false;
        settle();
        assertDone(Code.OK, pair.a, second);
        assertDone(Code.OK, pair.b, first);
        assertDone(Code.OK, pair.b, next);
        assertPattern(1, 20, one);
        assertPattern(2, 20, two);
        assertTrue(pair.a.sendNow(context, 1, 1, nothing, 0, 0, BYTE));
        settle();
        assertDone(Code.OK, pair.b, inviting);
        pair.assertNothingLeft();
    }

    @Test
    void shouldFindMessageInNetworkByProbe() {
        send(9, pattern(4, 20));
        settle();
        assertEquals(Probes.NONE, pair.b.probes().find(0, 0, 9));
        settle();
        assertTrue(pair.b.probes().find(0, 0, 9) >= 0);
        assertFalse(pair.b.network().isMatched(0));
        byte[] buffer = new byte[20];
        assertDone(Code.OK, pair.b, receive(pair.b, 0, 9, buffer));
        assertPattern(4, 20, buffer);
        long before = fabric.tagged();
        exchange(2, 30);
        assertEquals(before, fabric.tagged());
        pair.assertNothingLeft();
    }

    @Test
    void shouldStopForReceiveWithWildcard() {
        send(9, pattern(4, 20));
        send(8, pattern(5, 20));
        settle();
        byte[] buffer = new byte[20];
        Operation any = receive(pair.b, 0, MatchWord.ANY, buffer);
        settle();
        assertDone(Code.OK, pair.b, any);
        assertPattern(4, 20, buffer);
        assertFalse(pair.b.network().isMatched(0));
    }

    @Test
    void shouldNotStartWhileWildcardIsPosted() {
        Operation any = pair.b.receive(7, MatchWord.ANY, 3, new byte[4], 0, 4, BYTE);
        assertFalse(pair.b.network().match(7, true));
        pair.b.cancel(any);
        assertTrue(pair.b.network().match(7, true));
    }

    @Test
    void shouldCancelSendWhoseAnnouncementIsInNetwork() {
        Operation send = DevicePair.send(pair.a, Mode.SYNCHRONOUS, 1, 9, pattern(4, 20));
        settle();
        assertFalse(pair.a.cancel(send));
        settle();
        assertDone(Code.CANCELLED, pair.a, send);
        exchange(2, 30);
        pair.assertNothingLeft();
    }

    @Test
    void shouldEndReceivesOfLostPeer() {
        byte[] buffer = new byte[20];
        Operation[] receives = new Operation[2 * PLACES];
        for (int i = 0; i < receives.length; i++) {
            receives[i] = receive(pair.b, 0, 5, buffer);
        }
        settle();
        pair.b.lose(new PeerLost(0, "it was switched off"));
        for (Operation receive : receives) {
            assertDone(Code.PEER_DEAD, pair.b, receive);
        }
        pair.b.progressAll(pair.now += 1_000);
        pair.b.progressAll(pair.now += 1_000);
        assertEquals(0, pair.b.network().inNetwork());
        assertDone(Code.PEER_DEAD, pair.b, receive(pair.b, 0, 5, buffer));
    }

    @Test
    void shouldDropMessagesInNetworkWithTheirContext() {
        for (int i = 0; i < WINDOW; i++) {
            send(i, pattern(i, 20));
        }
        Operation receive = receive(pair.b, 0, 1 << 20, new byte[4]);
        settle();
        pair.b.dropContext(0);
        assertDone(Code.CANCELLED, pair.b, receive);
        settle();
        assertTrue(fabric.isEmpty());
        assertEquals(null, DeviceAudit.creditAtRest(pair.a, pair.b));
        pair.assertNothingLeft();
    }

    /** Frames about channels that cannot be true cost their sender the world, and the other rank nothing. */
    @ParameterizedTest
    @CsvSource({"55,0,0,9", "55,0,0,100", "55,0,1,0", "56,7,0,0", "57,7,0,0", "58,0,5,0", "53,3,-1,0"})
    void shouldRefuseFramesThatCannotBeTrue(int kind, int high, int low, long word) {
        TaggedFabric other = new TaggedFabric(2, 256, PLACES, WINDOW, new Rand(7));
        Port hostile = other.open(0);
        Device device = new Device(DeviceConfig.DEFAULT, other.open(1));
        assertTrue(device.network().match(0, true));
        Operation receive = receive(device, 0, 3, new byte[4]);
        frame(hostile, Frame.TAG_BEGIN, Frame.header(0, 0), 0);
        device.progressAll(1_000);
        // The first message is taken: one more than none is said to have been sent.
        long at = hostile.tagMatcher().claim(1, 0);
        hostile.tagMatcher().commit(1, Math.max(0, at), 0, Frame.meta(Frame.EAGER, BYTE), Frame.header(0, 3), 3);
        for (int i = 0; i < 50 && !receive.isDone(); i++) {
            device.progressAll(1_000);
        }
        assertDone(Code.OK, device, receive);
        assertNull(device.lost(0));
        frame(hostile, kind, Frame.header(high, low), word);
        device.progressAll(2_000);
        if (kind == Frame.TAG_END && word == 9) {
            assertNull(device.lost(0), "as many as may be under way");
        } else {
            assertEquals(0, device.lost(0).rank());
        }
    }

    private static void frame(Port port, int kind, long header, long word) {
        Outlet outlet = port.outlet(1);
        int bytes = Frame.controlWords(kind) * Long.BYTES;
        long at = outlet.claim(bytes);
        if (bytes > 0) {
            Words.store(outlet.memory(), at, word);
        }
        outlet.commit(at, bytes, Frame.meta(kind, 0), header);
    }

    @Test
    void shouldHandMessagesOverWhenSenderCloses() {
        send(9, pattern(4, 20));
        settle();
        assertEquals(0, DeviceAudit.unexpected(pair.b, 0));
        assertTrue(pair.a.flushed());
        settle();
        assertEquals(1, DeviceAudit.unexpected(pair.b, 0));
    }
}
