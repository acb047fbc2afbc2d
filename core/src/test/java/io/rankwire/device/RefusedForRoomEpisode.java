package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.Operation.Mode;
import io.rankwire.memory.Rand;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;

/** Random sends, receives and probes of some devices, compared with one list of messages for each pair. */
final class RefusedForRoomEpisode {
    private static final int MESSAGES = 150;
    private static final int[] SIZES = {0, 8, 100, 900, 5000};

    private record Message(int id, int context, int tag, Operation send) {}

    private record Receive(int context, int from, int tag, byte[] room, Operation operation) {}

    private final DevicePair all;
    private final Rand rand;
    private final String seed;
    private final int ranks;
    /** By sender and receiver: what was sent and not received, in order. */
    private final List<List<Message>> pairs = new ArrayList<>();
    private final Receive[] receives;
    private final List<Message> open = new ArrayList<>();
    private int sent;
    private int received;

    RefusedForRoomEpisode(DevicePair all, Rand rand, String seed) {
        this.all = all;
        this.rand = rand;
        this.seed = seed;
        this.ranks = all.devices.length;
        this.receives = new Receive[ranks];
        for (int i = 0; i < ranks * ranks; i++) {
            pairs.add(new ArrayList<>());
        }
    }

    private static int size(int id) {
        return SIZES[id % SIZES.length];
    }

    void run() {
        for (int step = 0; received < MESSAGES; step++) {
            assertTrue(step < 1_000_000, seed + ": only " + received + " messages have come");
            int rank = rand.below(ranks);
            if (sent < MESSAGES && rand.chance(1, 2)) {
                send(rank);
            } else if (rand.chance(1, 8) || sent == MESSAGES) {
                receive(rank);
            }
            all.now += rand.below(200_000);
            all.devices[rand.below(ranks)].progress(all.now);
            check();
        }
        all.now += 100_000_000;
        all.settle();
        for (Message message : open) {
            assertTrue(message.send.isDone(), seed + ": a send is not done");
            assertEquals(Code.OK, message.send.code(), seed);
        }
        open.forEach(message -> release(message.send));
    }

    private void release(Operation send) {
        all.devices[owner(send)].release(send);
    }

    private int owner(Operation send) {
        for (int rank = 0; rank < ranks; rank++) {
            if (all.devices[rank].operations().at(send.index()) == send) {
                return rank;
            }
        }
        throw new AssertionError("of no device");
    }

    private void send(int from) {
        int to = (from + 1 + rand.below(ranks - 1)) % ranks;
        int id = sent++;
        Mode mode = rand.chance(1, 4) ? Mode.SYNCHRONOUS : Mode.STANDARD;
        int context = rand.below(2);
        int tag = rand.below(3);
        Operation send = all.devices[from].send(mode, context, to, tag, DevicePair.pattern(id, size(id)), 0, size(id),
                DevicePair.BYTE);
        Message message = new Message(id, context, tag, send);
        pairs.get(from * ranks + to).add(message);
        open.add(message);
    }

    /** At most one receive of a rank waits, so that what it may take is the first of a sender that fits. */
    private void receive(int rank) {
        if (receives[rank] != null) {
            return;
        }
        int from = rand.chance(1, 2) ? MatchWord.ANY : (rank + 1 + rand.below(ranks - 1)) % ranks;
        int tag = rand.chance(1, 2) ? MatchWord.ANY : rand.below(3);
        int context = rand.below(2);
        if (!isAnyFor(rank, context, from, tag)) {
            return;
        }
        if (rand.chance(1, 3) && all.devices[rank].probes().find(context, from, tag) == Probes.NONE) {
            return;
        }
        byte[] room = new byte[5000];
        receives[rank] = new Receive(context, from, tag, room,
                all.devices[rank].receive(context, from, tag, room, 0, room.length, DevicePair.BYTE));
    }

    private boolean isAnyFor(int rank, int context, int from, int tag) {
        for (int source = 0; source < ranks; source++) {
            if ((from == MatchWord.ANY || from == source) && first(source, rank, context, tag) != null) {
                return true;
            }
        }
        return false;
    }

    private Message first(int from, int to, int context, int tag) {
        for (Message message : pairs.get(from * ranks + to)) {
            if (message.context == context && (tag == MatchWord.ANY || tag == message.tag)) {
                return message;
            }
        }
        return null;
    }

    private void check() {
        for (int rank = 0; rank < ranks; rank++) {
            Receive one = receives[rank];
            if (one == null || !one.operation.isDone()) {
                continue;
            }
            int source = one.operation.source();
            Message expected = first(source, rank, one.context, one.tag);
            assertNotNull(expected, seed);
            assertEquals(expected.tag, one.operation.matchedTag(), seed + ", message " + expected.id);
            assertEquals(size(expected.id), one.operation.matchedBytes(), seed + ", message " + expected.id);
            byte[] want = java.util.Arrays.copyOf(DevicePair.pattern(expected.id, size(expected.id)), 5000);
            assertArrayEquals(want, one.room, seed + ", message " + expected.id);
            pairs.get(source * ranks + rank).remove(expected);
            all.devices[rank].release(one.operation);
            receives[rank] = null;
            received++;
        }
    }
}
