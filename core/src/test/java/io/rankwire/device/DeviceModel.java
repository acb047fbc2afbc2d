package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Words;
import io.rankwire.type.ElementType;
import io.rankwire.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Matching as the standard tells it: two lists for each rank, moved by the calls of the test and by the frames as they
 * arrive. It knows which message each receive must get, and that messages of a pair arrive in order.
 */
final class DeviceModel {
    static final int ANY = -1;

    /** A message from its send on. */
    static final class Msg {
        int id;
        int from;
        int to;
        int context;
        int tag;
        int type;
        Operation.Mode mode;
        byte[] buffer;
        /** Where the device has it, when it lies in memory that peers can map. */
        MemorySegment room;
        Operation send;
        Recv met;
        boolean taken;
        boolean withdrawn;

        boolean meets(int context, int from, int tag) {
            return this.context == context && (from == ANY || from == this.from) && (tag == ANY || tag == this.tag);
        }
    }

    /** A receive from its post on. */
    static final class Recv {
        int rank;
        int context;
        int from;
        int tag;
        int type;
        byte[] buffer;
        /** Where the device has it, when it lies in memory that peers can map. */
        MemorySegment room;
        Operation operation;
        Msg message;
        boolean cancelled;
    }

    private final DeviceConfig config;
    private final int ranks;
    final List<List<Recv>> posted = new ArrayList<>();
    final List<List<Msg>> unexpected = new ArrayList<>();
    private final List<ArrayDeque<Msg>> wires = new ArrayList<>();
    /** Messages of which the first piece came, and the last did not, by wire. */
    private final Map<Integer, Msg> inPieces = new HashMap<>();
    private final List<Map<Integer, Msg>> sends = new ArrayList<>();

    DeviceModel(DeviceConfig config, int ranks) {
        this.config = config;
        this.ranks = ranks;
        for (int i = 0; i < ranks; i++) {
            posted.add(new ArrayList<>());
            unexpected.add(new ArrayList<>());
            sends.add(new HashMap<>());
        }
        for (int i = 0; i < ranks * ranks; i++) {
            wires.add(new ArrayDeque<>());
        }
    }

    static void fill(byte[] buffer, int id) {
        int step = id * 2 + 1;
        for (int i = 0; i < buffer.length; i++) {
            buffer[i] = (byte) (i * step + (i >> 7) + id);
        }
    }

    static byte at(int id, int i) {
        return (byte) (i * (id * 2 + 1) + (i >> 7) + id);
    }

    ArrayDeque<Msg> wire(int from, int to) {
        return wires.get(from * ranks + to);
    }

    /** Before the send: it is the last on its wire; a message to itself arrives at once. */
    void send(Msg message) {
        if (message.from == message.to) {
            arrive(message);
        } else {
            wire(message.from, message.to).add(message);
        }
    }

    /** After the send, while its operation is under way. */
    void underWay(Msg message, Operation operation) {
        message.send = operation;
        sends.get(message.from).put(operation.index(), message);
    }

    void post(Recv receive) {
        Msg first = search(receive.rank, receive.context, receive.from, receive.tag);
        if (first == null) {
            posted.get(receive.rank).add(receive);
        } else {
            unexpected.get(receive.rank).remove(first);
            meet(receive, first);
        }
    }

    Msg search(int rank, int context, int from, int tag) {
        for (Msg message : unexpected.get(rank)) {
            if (message.meets(context, from, tag)) {
                return message;
            }
        }
        return null;
    }

    private void arrive(Msg message) {
        if (!meetPosted(message)) {
            unexpected.get(message.to).add(message);
        }
    }

    private boolean meetPosted(Msg message) {
        List<Recv> receives = posted.get(message.to);
        for (int i = 0; i < receives.size(); i++) {
            Recv receive = receives.get(i);
            if (message.meets(receive.context, receive.from, receive.tag)) {
                receives.remove(i);
                meet(receive, message);
                return true;
            }
        }
        return false;
    }

    void meet(Recv receive, Msg message) {
        receive.message = message;
        message.met = receive;
    }

    private Msg next(int to, int from, int meta, long header) {
        Msg message = wire(from, to).poll();
        assertTrue(message != null, "a message nobody sent");
        assertEquals(message.context, Frame.high(header), "context: overtaken");
        assertEquals(message.tag, Frame.low(header), "tag: overtaken");
        assertEquals(message.type, Frame.elementType(meta), "type: overtaken");
        return message;
    }

    /** A frame is about to be given to the device of {@code to}. */
    void frame(int to, int from, int meta, long header, MemorySegment memory, long payload) {
        switch (Frame.kind(meta)) {
            case Frame.EAGER, Frame.EAGER_SYNC, Frame.REQUEST_TO_SEND -> arrive(next(to, from, meta, header));
            case Frame.EAGER_FIRST -> {
                Msg message = next(to, from, meta, header);
                if (!meetPosted(message)) {
                    inPieces.put(from * ranks + to, message);
                }
            }
            case Frame.EAGER_LAST -> {
                Msg message = inPieces.remove(from * ranks + to);
                if (message != null) {
                    arrive(message);
                }
            }
            case Frame.CANCEL -> {
                Msg message = sends.get(from).get((int) Words.plain(memory, payload));
                if (unexpected.get(to).remove(message)) {
                    message.withdrawn = true;
                }
            }
            default -> {}
        }
    }

    /** The send was withdrawn before it left. */
    void withdraw(Msg message) {
        boolean was = message.from == message.to
                ? unexpected.get(message.to).remove(message)
                : wire(message.from, message.to).remove(message);
        assertTrue(was, "cancelled a send that had gone");
        message.withdrawn = true;
    }

    private boolean mismatch(Recv receive) {
        boolean whole = receive.message.buffer.length % ElementType.of(receive.type).bytes() == 0;
        return receive.message.type != receive.type
                && !(ElementType.compatible(receive.message.type, receive.type) && whole);
    }

    private boolean refused(Recv receive) {
        boolean truncated = receive.message.buffer.length > receive.buffer.length;
        return mismatch(receive) || truncated && config.truncation() == DeviceConfig.Truncation.REFUSE;
    }

    /** A receive is done: is it what the lists say? */
    void check(Recv receive) {
        Operation operation = receive.operation;
        if (receive.cancelled) {
            assertEquals(Code.CANCELLED, operation.code(), "code of a cancelled receive");
            return;
        }
        Msg message = receive.message;
        assertTrue(message != null, "a receive is done that met nothing");
        int code = mismatch(receive) ? Code.TYPE_MISMATCH
                : message.buffer.length > receive.buffer.length ? Code.TRUNCATED : Code.OK;
        assertEquals(code, operation.code(), "code");
        assertEquals(message.from, operation.source(), "source");
        assertEquals(message.tag, operation.matchedTag(), "tag");
        assertEquals(message.buffer.length, operation.matchedBytes(), "bytes");
        assertEquals(message.type, operation.matchedType(), "type");
        int delivered = refused(receive) ? 0 : Math.min(message.buffer.length, receive.buffer.length);
        for (int i = 0; i < receive.buffer.length; i++) {
            byte expected = i < delivered ? at(message.id, i) : 0;
            if (receive.buffer[i] != expected) {
                throw new AssertionError("byte " + i + " of " + delivered + " of message " + message.id + " is "
                        + receive.buffer[i] + ", not " + expected);
            }
        }
    }

    /** A send is done; its buffer is the test's again, and is spoilt. */
    void check(Msg message) {
        Operation operation = message.send;
        sends.get(message.from).remove(operation.index());
        if (message.withdrawn) {
            assertEquals(Code.CANCELLED, operation.code(), "code of a withdrawn send");
        } else if (message.met != null && refused(message.met)) {
            boolean mayBeEager =
                    message.mode != Operation.Mode.SYNCHRONOUS && message.buffer.length <= config.eagerBytes();
            assertTrue(operation.code() == Code.REFUSED || mayBeEager && operation.code() == Code.OK,
                    () -> "code of a refused send is " + operation.code());
        } else {
            assertEquals(Code.OK, operation.code(), "code of a send");
        }
        if (message.mode == Operation.Mode.SYNCHRONOUS && !message.withdrawn) {
            assertTrue(message.met != null, "a synchronous send is done before its message was met");
        }
        spoil(message);
    }

    static void spoil(Msg message) {
        Arrays.fill(message.buffer, (byte) 0x55);
        if (message.room != null) {
            message.room.fill((byte) 0x55);
        }
    }

    int held(int rank) {
        return posted.get(rank).size() + unexpected.get(rank).size();
    }

    boolean nothingUnderWay() {
        return inPieces.isEmpty() && wires.stream().allMatch(ArrayDeque::isEmpty)
                && unexpected.stream().allMatch(List::isEmpty);
    }
}
