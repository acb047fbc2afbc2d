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

import io.rankwire.device.DeviceConfig.Overflow;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.match.Split;
import io.rankwire.device.match.Split.Closing;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import io.rankwire.sim.fault.WatchedPort;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole devices that hold very few receives: what meets what depends on the order alone, whatever the delays. */
final class SplitDeviceTest {
    private static final long SEEDS = Long.getLong("rankwire.splitdevice.seeds", 400);
    private static final long SEED = Long.getLong("rankwire.splitdevice.seed", 20_261_116);
    private static final int STEPS = 400;
    private static final int LARGEST = 5_000;
    private static final DeviceConfig CONFIG = DeviceConfig.DEFAULT.withEagerBytes(1_000);

    @ParameterizedTest
    @EnumSource
    void shouldReceiveInOrderThroughOnePlace(Closing closing) {
        DevicePair pair = new DevicePair(CONFIG.withSplit(new Split(1, closing, 2, 4, 0)));
        Operation[] received = new Operation[50];
        byte[][] rooms = new byte[received.length][8];
        for (int i = 0; i < received.length; i++) {
            received[i] = receive(pair.b, i % 3 == 0 ? -1 : 0, i % 5 == 0 ? -1 : 7, rooms[i]);
        }
        for (int i = 0; i < received.length; i++) {
            pair.a.release(send(pair.a, Mode.STANDARD, 1, 7, pattern(i, 8)));
        }
        pair.settle();
        for (int i = 0; i < received.length; i++) {
            assertDone(Code.OK, pair.b, received[i]);
            assertPattern(i, 8, rooms[i]);
        }
        pair.assertNothingLeft();
    }

    /** The receive is on its way down when the message arrives, and the message on its way up when the receive does. */
    @Test
    void shouldCloseTheRaceBetweenAReceiveAndItsMessage() {
        DevicePair pair = new DevicePair(CONFIG.withSplit(new Split(4, Closing.OPTIMISTIC, 2, 4, 0)));
        for (int i = 0; i < 20; i++) {
            byte[] room = new byte[8];
            Operation received = receive(pair.b, 0, 3, room);
            pair.a.release(send(pair.a, Mode.STANDARD, 1, 3, pattern(i, 8)));
            pair.settle();
            assertDone(Code.OK, pair.b, received);
            assertPattern(i, 8, room);
        }
        assertTrue(pair.b.splits.races() > 0, "no race");
        pair.assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void shouldCancelWhereverTheReceiveIs(Closing closing) {
        DevicePair pair = new DevicePair(CONFIG.withSplit(new Split(1, closing, 2, 4, 0)));
        Operation down = receive(pair.b, 0, 1, new byte[8]);
        Operation waiting = receive(pair.b, 0, 1, new byte[8]);
        assertTrue(pair.b.cancel(waiting), "it waits in software");
        assertDone(Code.CANCELLED, pair.b, waiting);
        pair.settle();
        assertFalse(pair.b.cancel(down), "the device has to be asked");
        pair.settle();
        assertDone(Code.CANCELLED, pair.b, down);
        Operation late = receive(pair.b, 0, 1, new byte[8]);
        pair.settle();
        pair.a.release(send(pair.a, Mode.STANDARD, 1, 1, pattern(1, 8)));
        assertFalse(pair.b.cancel(late));
        pair.settle();
        assertDone(Code.OK, pair.b, late);
        pair.assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void shouldDropAContextWithAllItHolds(Closing closing) {
        DevicePair pair = new DevicePair(CONFIG.withSplit(new Split(2, closing, 0, 2, 1_000_000)));
        Operation[] posted = new Operation[5];
        for (int i = 0; i < posted.length; i++) {
            posted[i] = pair.b.receive(9, 0, 1, new byte[8], 0, 8, BYTE);
        }
        for (int i = 0; i < 7; i++) {
            pair.a.release(pair.a.send(Mode.STANDARD, 9, 1, 2, pattern(1, 300), 0, 300, BYTE));
        }
        pair.b.progress(0);
        assertTrue(pair.b.due() < Long.MAX_VALUE, "something is on its way");
        pair.b.dropContext(9);
        for (Operation receive : posted) {
            assertDone(Code.CANCELLED, pair.b, receive);
        }
        pair.assertNothingLeft();
        assertEquals(Long.MAX_VALUE, pair.b.due());
    }

    private static final class Msg {
        int id;
        int from;
        int context;
        int tag;
        byte[] buffer;
        Operation send;
        boolean withdrawn;
        boolean done;
    }

    private static final class Recv {
        int context;
        int from;
        int tag;
        byte[] buffer = new byte[LARGEST];
        Operation operation;
        /** What it got, once done. */
        int source;
        int matchedTag;
        int bytes = -1;
        boolean cancelled;

        boolean meets(Msg message) {
            return context == message.context && (from == MatchWord.ANY || from == message.from)
                    && (tag == MatchWord.ANY || tag == message.tag);
        }
    }

    /** Random calls on devices of one fabric; arrivals are seen as the frames come in. */
    private static final class Episode {
        final Rand rand;
        final int ranks;
        final DeviceConfig config;
        final Device[] devices;
        final List<List<Msg>> arrived = new ArrayList<>();
        final List<List<Recv>> receives = new ArrayList<>();
        final List<ArrayDeque<Msg>> wires = new ArrayList<>();
        final List<Msg> messages = new ArrayList<>();
        long now;
        int cancelled;
        int withdrawn;

        Episode(long seed) {
            rand = new Rand(seed);
            ranks = rand.between(1, 3);
            Split split = new Split(rand.between(1, 6), Closing.values()[rand.below(2)], rand.below(5),
                    rand.between(2, 8), new int[] {0, 300, 5_000}[rand.below(3)]);
            int headers = rand.between(2, 64);
            boolean whole = rand.chance(1, 2);
            config = CONFIG.withSplit(split)
                    .withEagerBytes(whole ? 16 << 10 : 1_000)
                    .withUnexpectedBytes(whole ? 64 << 10 : 16 << 10)
                    .withHeaders(headers, headers, rand.chance(1, 2) ? Overflow.GROW : Overflow.SOFTWARE);
            devices = new Device[ranks];
            LocalFabric fabric = new LocalFabric(ranks, whole ? 2048 : 256);
            for (int i = 0; i < ranks * ranks; i++) {
                wires.add(new ArrayDeque<>());
            }
            for (int rank = 0; rank < ranks; rank++) {
                int to = rank;
                arrived.add(new ArrayList<>());
                receives.add(new ArrayList<>());
                devices[rank] = new Device(config, new WatchedPort(fabric.open(rank),
                        (from, meta, header, memory, payload, bytes) -> frame(to, from, Frame.kind(meta))));
            }
        }

        private void frame(int to, int from, int kind) {
            int wire = from * ranks + to;
            switch (kind) {
                case Frame.EAGER, Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND ->
                    arrived.get(to).add(wires.get(wire).remove());
                default -> {}
            }
        }

        void send(int from) {
            Msg message = new Msg();
            message.id = messages.size();
            message.from = from;
            message.context = rand.below(2);
            message.tag = rand.below(3);
            int bytes = rand.chance(1, 4) ? rand.between(1_001, LARGEST) : rand.below(200);
            message.buffer = pattern(message.id, bytes);
            int to = rand.below(ranks);
            messages.add(message);
            if (to == from) {
                arrived.get(to).add(message);
            } else {
                wires.get(from * ranks + to).add(message);
            }
            Mode mode = rand.chance(1, 4) ? Mode.SYNCHRONOUS : Mode.STANDARD;
            message.send = devices[from].send(mode, message.context, to, message.tag, message.buffer, 0, bytes, BYTE);
        }

        void receive(int rank, int context, int from, int tag) {
            Recv receive = new Recv();
            receive.context = context;
            receive.from = from;
            receive.tag = tag;
            receives.get(rank).add(receive);
            receive.operation = devices[rank].receive(context, from, tag, receive.buffer, 0, LARGEST, BYTE);
        }

        void cancelReceive(int rank) {
            List<Recv> mine = receives.get(rank);
            if (!mine.isEmpty()) {
                Recv receive = mine.get(mine.size() - 1 - rand.below(Math.min(mine.size(), 10)));
                if (receive.operation != null) {
                    devices[rank].cancel(receive.operation);
                }
            }
        }

        void cancelSend() {
            Msg message = messages.isEmpty() ? null : messages.get(messages.size() - 1 - rand.below(
                    Math.min(messages.size(), 10)));
            if (message != null && !message.done && devices[message.from].cancel(message.send)) {
                wires.forEach(wire -> wire.remove(message));
            }
        }

        /** Takes a message by a probe: a receive at this point of the order. */
        void take(int rank) {
            int context = rand.below(2);
            int tag = rand.chance(1, 2) ? MatchWord.ANY : rand.below(3);
            int entry = devices[rank].probes().find(context, MatchWord.ANY, tag);
            if (entry >= 0) {
                Recv receive = new Recv();
                receive.context = context;
                receive.from = MatchWord.ANY;
                receive.tag = tag;
                receives.get(rank).add(receive);
                Unexpected taken = devices[rank].probes().take(context, entry);
                receive.operation = devices[rank].probes().receive(taken, receive.buffer, 0, LARGEST, BYTE);
            }
        }

        void progress(int rank) {
            now += rand.below(1_000);
            devices[rank].progress(now);
            if (rand.chance(1, 8)) {
                devices[rank].rest();
            }
            devices[rank].splits.checkInvariants();
        }

        void sweep() {
            for (int rank = 0; rank < ranks; rank++) {
                for (Recv receive : receives.get(rank)) {
                    Operation operation = receive.operation;
                    if (operation != null && operation.isDone()) {
                        receive.cancelled = operation.code() == Code.CANCELLED;
                        cancelled += receive.cancelled ? 1 : 0;
                        assertTrue(receive.cancelled || operation.code() == Code.OK, () -> "code " + operation.code());
                        receive.source = operation.source();
                        receive.matchedTag = operation.matchedTag();
                        receive.bytes = (int) operation.matchedBytes();
                        devices[rank].release(operation);
                        receive.operation = null;
                    }
                }
            }
            for (Msg message : messages) {
                if (!message.done && message.send.isDone()) {
                    message.done = true;
                    message.withdrawn = message.send.code() == Code.CANCELLED;
                    withdrawn += message.withdrawn ? 1 : 0;
                    devices[message.from].release(message.send);
                }
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                int rank = rand.below(ranks);
                int what = rand.below(100);
                if (what < 35) {
                    send(rank);
                } else if (what < 68) {
                    receive(rank, rand.below(2), rand.chance(1, 4) ? MatchWord.ANY : rand.below(ranks),
                            rand.chance(1, 4) ? MatchWord.ANY : rand.below(3));
                } else if (what < 78) {
                    cancelReceive(rank);
                } else if (what < 84) {
                    cancelSend();
                } else if (what < 90) {
                    take(rank);
                } else {
                    sweep();
                }
                if (rand.chance(2, 3)) {
                    progress(rand.below(ranks));
                }
            }
            drain();
            judge();
        }

        private void drain() {
            for (int round = 0; round < 60 || messages.stream().anyMatch(message -> !message.done); round++) {
                assertTrue(round < 20_000, "does not drain");
                for (int rank = 0; rank < ranks; rank++) {
                    progress(rank);
                    for (int context = 0; context < 2; context++) {
                        if (devices[rank].probes().find(context, MatchWord.ANY, MatchWord.ANY) >= 0) {
                            receive(rank, context, MatchWord.ANY, MatchWord.ANY);
                        }
                    }
                }
                sweep();
            }
            for (int rank = 0; rank < ranks; rank++) {
                for (Recv receive : receives.get(rank)) {
                    if (receive.operation != null) {
                        devices[rank].cancel(receive.operation);
                    }
                }
            }
            for (int round = 0; round < 2_000; round++) {
                progress(round % ranks);
            }
            sweep();
        }

        private void judge() {
            for (int rank = 0; rank < ranks; rank++) {
                List<Msg> left = new ArrayList<>(arrived.get(rank));
                left.removeIf(message -> message.withdrawn);
                int order = 0;
                for (Recv receive : receives.get(rank)) {
                    String which = "receive " + order++ + " of rank " + rank;
                    assertTrue(receive.operation == null, () -> which + " is not done");
                    if (receive.cancelled) {
                        continue;
                    }
                    Msg expected = left.stream().filter(receive::meets).findFirst().orElse(null);
                    assertTrue(expected != null, () -> which + " met a message it should not");
                    left.remove(expected);
                    assertEquals(expected.from, receive.source, () -> which + ": source");
                    assertEquals(expected.tag, receive.matchedTag, () -> which + ": tag");
                    assertEquals(expected.buffer.length, receive.bytes, () -> which + ": bytes");
                    byte[] whole = Arrays.copyOf(expected.buffer, LARGEST);
                    assertEquals(-1, Arrays.mismatch(whole, receive.buffer), () -> which + ": payload");
                }
                assertEquals(0, left.size(), "messages left");
                assertEquals(0, devices[rank].operations().inUse(), "operations");
                assertEquals(0, devices[rank].headers.inUse(), "headers");
                assertEquals(0, devices[rank].payloads.bytesHeld(), "bytes of payload");
                assertEquals(Long.MAX_VALUE, devices[rank].due(), "something on its way");
            }
        }
    }

    @Test
    void shouldMatchByOrderAloneOnRandomOperations() {
        long races = 0;
        long cancelled = 0;
        long withdrawn = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Episode episode = new Episode(seed);
            try {
                episode.run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("-Drankwire.splitdevice.seed=" + seed + ": " + episode.ranks + " ranks, "
                        + episode.config + ": " + failure, failure);
            }
            for (Device device : episode.devices) {
                races += device.splits.races();
            }
            cancelled += episode.cancelled;
            withdrawn += episode.withdrawn;
        }
        if (SEEDS >= 100) {
            String seen = races + " races, " + cancelled + " receives and " + withdrawn + " sends cancelled";
            assertTrue(races > SEEDS && cancelled > SEEDS && withdrawn > SEEDS, seen);
        }
    }
}
