package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.device.DeviceModel.Msg;
import io.rankwire.device.DeviceModel.Recv;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;
import io.rankwire.memory.Rand;
import io.rankwire.sim.fault.WatchedPort;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** Devices of one fabric and random calls on them, each told to the model too. */
final class DeviceDriver {
    private static final int[] CONTEXTS = {0, 4097, 1 << 31};
    private static final int MOST_BYTES = 200 << 10;
    private static final int TAGS = 3;

    private record Taken(int rank, Unexpected unexpected, Msg message) {}

    final DeviceModel model;
    private final List<Msg> sending = new ArrayList<>();
    private final List<Recv> receiving = new ArrayList<>();
    private final List<Taken> taken = new ArrayList<>();
    private final Rand rand;
    private final DeviceConfig config;
    private final IntConsumer clock;
    private final Device[] devices;
    private final int ranks;
    private final int depth;
    private int ids;
    private long now;
    int cancelledSends;
    int cancelledReceives;

    DeviceDriver(Rand rand, DeviceConfig config, int ranks, int depth, int ringLines) {
        this(rand, config, ranks, depth, new LocalFabric(ranks, ringLines)::open, rank -> {});
    }

    /**
     * @param clock told before each round of a rank's progress
     */
    DeviceDriver(Rand rand, DeviceConfig config, int ranks, int depth, IntFunction<Port> ports, IntConsumer clock) {
        this.rand = rand;
        this.clock = clock;
        this.config = config;
        this.ranks = ranks;
        this.depth = depth;
        model = new DeviceModel(config, ranks);
        devices = new Device[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            int to = rank;
            Port port = new WatchedPort(ports.apply(rank), (from, meta, header, memory, payload, bytes) ->
                    model.frame(to, from, meta, header, memory, payload));
            devices[rank] = new Device(config, port);
        }
    }

    private int size() {
        int kind = rand.below(100);
        int edge = Math.min(config.eagerBytes(), devices[0].outbound().eagerBytes());
        if (kind < 50) {
            return rand.below(100);
        }
        if (kind < 75) {
            return Math.max(0, edge + rand.between(-3, 3));
        }
        return kind < 97 ? rand.below(6_000) : rand.below(MOST_BYTES);
    }

    private int type() {
        return (rand.chance(1, 20) ? ElementType.INT : rand.chance(1, 5) ? ElementType.RAW : ElementType.BYTE).code();
    }

    private int context() {
        return CONTEXTS[rand.below(CONTEXTS.length)];
    }

    void send(int rank) {
        Msg message = new Msg();
        message.id = ++ids;
        message.from = rank;
        message.to = rand.below(ranks);
        if (model.unexpected.get(message.to).size() > depth || model.wire(rank, message.to).size() > depth) {
            receiveAny(message.to);
            return;
        }
        message.context = context();
        message.tag = rand.below(TAGS);
        message.type = type();
        message.mode = Operation.Mode.values()[rand.below(4)];
        message.buffer = new byte[size()];
        DeviceModel.fill(message.buffer, message.id);
        message.room = room(rank, message.buffer.length);
        if (message.room != null) {
            message.room.copyFrom(MemorySegment.ofArray(message.buffer));
        }
        start(message);
    }

    /** Sometimes memory that peers can map, somewhere in an allocation; else null. */
    private MemorySegment room(int rank, int bytes) {
        if (!rand.chance(1, 3)) {
            return null;
        }
        int lead = 8 * rand.below(10);
        return devices[rank].memory().allocate(lead + bytes).memory().asSlice(lead, bytes);
    }

    private static Object place(byte[] buffer, MemorySegment room) {
        return room != null ? room : buffer;
    }

    private void start(Msg message) {
        Device device = devices[message.from];
        Object buffer = place(message.buffer, message.room);
        if (message.mode == Operation.Mode.BUFFERED && !device.bufferAdmits(message.buffer.length)) {
            message.mode = Operation.Mode.STANDARD;
        }
        model.send(message);
        boolean mayBeNow = message.mode != Operation.Mode.SYNCHRONOUS && rand.chance(1, 2);
        if (mayBeNow && device.sendNow(message.context, message.to, message.tag, buffer, 0,
                message.buffer.length, message.type)) {
            DeviceModel.spoil(message);
            return;
        }
        Operation operation = device.send(message.mode, message.context, message.to, message.tag, buffer, 0,
                message.buffer.length, message.type);
        if (device.heldByDevice(operation)) {
            DeviceModel.spoil(message);
            return;
        }
        model.underWay(message, operation);
        sending.add(message);
    }

    void receive(int rank) {
        if (model.posted.get(rank).size() > depth) {
            cancel();
            return;
        }
        int from = rand.chance(1, 4) ? DeviceModel.ANY : rand.below(ranks);
        int tag = rand.chance(1, 4) ? DeviceModel.ANY : rand.below(TAGS);
        receive(rank, context(), from, tag, rand.chance(1, 8) ? size() : MOST_BYTES / (rand.chance(1, 30) ? 1 : 30));
    }

    private void receiveAny(int rank) {
        for (int context : CONTEXTS) {
            if (model.search(rank, context, DeviceModel.ANY, DeviceModel.ANY) != null) {
                receive(rank, context, DeviceModel.ANY, DeviceModel.ANY, 4_000);
            }
        }
    }

    private void receive(int rank, int context, int from, int tag, int bytes) {
        Recv receive = fresh(rank, context, bytes);
        receive.from = from;
        receive.tag = tag;
        model.post(receive);
        receive.operation =
                devices[rank].receive(context, from, tag, place(receive.buffer, receive.room), 0,
                        receive.buffer.length, receive.type);
        receiving.add(receive);
    }

    private Recv fresh(int rank, int context, int bytes) {
        Recv receive = new Recv();
        receive.rank = rank;
        receive.context = context;
        receive.type = type();
        receive.buffer = new byte[bytes];
        receive.room = room(rank, bytes);
        return receive;
    }

    void probe(int rank) {
        int context = context();
        int from = rand.chance(1, 3) ? DeviceModel.ANY : rand.below(ranks);
        int tag = rand.chance(1, 3) ? DeviceModel.ANY : rand.below(TAGS);
        int entry = devices[rank].probe(context, from, tag);
        Msg expected = model.search(rank, context, from, tag);
        assertEquals(expected != null, entry >= 0, "probe found a message");
        if (expected == null) {
            return;
        }
        boolean take = rand.chance(1, 2);
        Unexpected found = take ? devices[rank].take(context, entry) : devices[rank].look(context, entry);
        assertEquals(expected.from, found.source(), "source probed");
        assertEquals(expected.tag, found.tag(), "tag probed");
        assertEquals(expected.buffer.length, found.bytes(), "bytes probed");
        assertEquals(expected.type, found.elementType(), "type probed");
        if (take) {
            model.unexpected.get(rank).remove(expected);
            taken.add(new Taken(rank, found, expected));
        }
    }

    void receiveTaken() {
        if (!taken.isEmpty()) {
            Taken one = taken.remove(rand.below(taken.size()));
            Recv receive = fresh(one.rank, one.message.context, rand.chance(1, 4) ? size() : one.message.buffer.length);
            model.meet(receive, one.message);
            receive.operation = devices[one.rank].receiveTaken(
                    one.unexpected, place(receive.buffer, receive.room), 0, receive.buffer.length, receive.type);
            receiving.add(receive);
        }
    }

    void cancel() {
        if (rand.chance(1, 2) && !sending.isEmpty()) {
            Msg message = sending.get(rand.below(sending.size()));
            if (devices[message.from].cancel(message.send)) {
                model.withdraw(message);
                cancelledSends++;
            }
        } else if (!receiving.isEmpty()) {
            cancel(receiving.get(rand.below(receiving.size())));
        }
    }

    private void cancel(Recv receive) {
        boolean was = devices[receive.rank].cancel(receive.operation);
        assertEquals(model.posted.get(receive.rank).remove(receive), was, "cancelled a receive");
        receive.cancelled |= was;
        cancelledReceives += was ? 1 : 0;
    }

    void progress(int rank) {
        now += rand.below(2_000);
        clock.accept(rank);
        if (rand.chance(1, 10)) {
            devices[rank].progressAll(now);
        } else {
            devices[rank].progress(now);
        }
        if (rand.chance(1, 20)) {
            devices[rank].rest();
        }
    }

    /** Takes the results of what is done. */
    void sweep() {
        receiving.removeIf(receive -> {
            if (!receive.operation.isDone()) {
                return false;
            }
            if (receive.room != null) {
                MemorySegment.ofArray(receive.buffer).copyFrom(receive.room);
            }
            model.check(receive);
            devices[receive.rank].release(receive.operation);
            return true;
        });
        sending.removeIf(message -> {
            if (!message.send.isDone()) {
                return false;
            }
            cancelledSends += message.withdrawn ? 1 : 0;
            model.check(message);
            devices[message.from].release(message.send);
            return true;
        });
    }

    void drain() {
        for (int round = 0; !drained(); round++) {
            assertTrue(round < 20_000, () -> "does not drain: " + sending.size() + " sends left, " + taken.size()
                    + " messages taken");
            receiveTaken();
            for (int rank = 0; rank < ranks; rank++) {
                receiveAny(rank);
                progress(rank);
            }
            sweep();
        }
        for (Recv receive : List.copyOf(receiving)) {
            cancel(receive);
            assertTrue(receive.operation.isDone(), "a receive that met its message is not done");
        }
        sweep();
    }

    private boolean drained() {
        for (Device device : devices) {
            if (!device.flushed() || device.bufferedHeld() > 0) {
                return false;
            }
        }
        return taken.isEmpty() && sending.isEmpty() && model.nothingUnderWay()
                && receiving.stream().allMatch(receive -> receive.message == null || receive.operation.isDone());
    }

    void checkNothingLeft() {
        for (Device device : devices) {
            while (device.progressAll(now) > 0) {
                device.rest();
            }
        }
        for (Device device : devices) {
            assertEquals(0, device.operations().inUse(), "operations");
            assertEquals(0, device.headers().inUse(), "headers");
            assertEquals(0, device.payloads().bytesHeld(), "bytes of payload");
            assertEquals(0, device.bufferedHeld(), "bytes of buffered sends");
            device.headers().checkInvariants();
            device.payloads().checkInvariants();
            assertTrue(device.unexpectedHighWater() <= config.unexpectedBytes(),
                    () -> device.unexpectedHighWater() + " bytes unexpected, the cap is " + config.unexpectedBytes());
            for (Device other : devices) {
                assertEquals(device.peer(other.self()).used, other.peer(device.self()).returned, "credit");
            }
        }
    }
}
