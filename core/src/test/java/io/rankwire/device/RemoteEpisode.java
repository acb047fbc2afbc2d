package io.rankwire.device;

import io.rankwire.device.Operation.Mode;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteFabric;
import io.rankwire.fabric.Shared;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Large messages between random buffers over a {@link RemoteFabric} or another fabric like it, compared with what was
 * sent. A buffer is filled with another byte when its operation is over, and looked at again at the end: nothing may
 * have changed it since.
 */
public final class RemoteEpisode {
    private static final int MESSAGES = 60;
    private static final int MOST_ROUNDS = 200_000;
    private static final long MOST_NS = 300_000_000_000L;
    private static final byte CANARY = 0x5A;

    /** A buffer of one operation. */
    private static final class Room {
        Object buffer;
        Shared shared;
        long offset;
        int bytes;
        boolean freed;

        MemorySegment memory() {
            return buffer instanceof byte[] array ? MemorySegment.ofArray(array) : (MemorySegment) buffer;
        }

        MemorySegment part() {
            return memory().asSlice(offset, bytes);
        }

        void fill(int id) {
            part().copyFrom(MemorySegment.ofArray(DevicePair.pattern(id, bytes)));
        }
    }

    private static final class Message {
        int id;
        int from;
        int to;
        Room source;
        Room target;
        Operation sent;
        Operation received;
        boolean sendOver;
        boolean receiveOver;
    }

    private final Rand rand;
    private final int ranks;
    /** Null over a real network. */
    private final RemoteFabric fabric;
    private final Device[] devices;
    private final List<Message> messages = new ArrayList<>();
    private final boolean frees;
    private final int killRound;
    private int killed = -1;
    private long now;
    /** The first thing that is wrong, or null. */
    private String wrong;

    RemoteEpisode(long seed, RemoteFabric.Bug bug) {
        rand = new Rand(seed);
        ranks = 2 + rand.below(2);
        fabric = new RemoteFabric(ranks, seed, bug, rand.chance(1, 3) ? 12 : 0);
        frees = bug == RemoteFabric.Bug.NONE && rand.chance(1, 2);
        killRound = bug == RemoteFabric.Bug.NONE && rand.chance(1, 4) ? rand.below(400) : -1;
        devices = new Device[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            devices[rank] = new Device(DeviceConfig.DEFAULT.withEagerBytes(1_000), fabric.open(rank));
        }
    }

    /** An episode over ports of a network, which are there for it alone. */
    public RemoteEpisode(long seed, List<Port> ports) {
        rand = new Rand(seed);
        ranks = ports.size();
        fabric = null;
        frees = rand.chance(1, 2);
        killRound = -1;
        devices = new Device[ranks];
        Arrays.setAll(devices, rank -> new Device(DeviceConfig.DEFAULT.withEagerBytes(1_000), ports.get(rank)));
    }

    /** What went wrong, or null. */
    public String run() {
        long end = System.nanoTime() + MOST_NS;
        for (int round = 0; wrong == null && (fabric != null || System.nanoTime() < end)
                && (fabric == null || round < MOST_ROUNDS); round++) {
            if (messages.size() < MESSAGES && rand.chance(1, 6)) {
                begin();
            }
            step(round);
            look();
            if (messages.size() == MESSAGES && isOver() && (fabric == null || fabric.underWay() == 0)) {
                checkCanaries();
                return wrong;
            }
        }
        return wrong != null ? wrong : "never comes to rest";
    }

    long accesses() {
        return fabric.made();
    }

    /** Bytes that were read by the network. */
    public long directBytes() {
        return Arrays.stream(devices).mapToLong(device -> device.peers().counts().directBytes).sum();
    }

    private void step(int round) {
        if (round == killRound) {
            killed = rand.below(ranks);
            fabric.kill(killed);
        }
        now = fabric == null ? System.nanoTime() : now + 10_000;
        int rank = rand.below(ranks);
        if (rank != killed) {
            devices[rank].advance(now);
            devices[rank].progressAll(now);
        }
        if (frees && rand.chance(1, 40) && !messages.isEmpty()) {
            Message message = messages.get(rand.below(messages.size()));
            boolean source = rand.chance(1, 2);
            free(source ? message.from : message.to, source ? message.source : message.target);
        }
    }

    private void free(int rank, Room room) {
        if (rank != killed && room.shared != null && !room.freed) {
            room.freed = true;
            devices[rank].remote().free(room.shared);
        }
    }

    private Room room(int rank, int bytes) {
        Room room = new Room();
        room.bytes = bytes;
        room.offset = rand.below(5) * 8L;
        if (rand.chance(1, 5)) {
            room.buffer = new byte[(int) room.offset + bytes];
        } else {
            room.shared = devices[rank].memory().allocate(room.offset + bytes + rand.below(100));
            room.buffer = room.shared.memory();
        }
        return room;
    }

    private void begin() {
        Message message = new Message();
        message.id = messages.size();
        message.from = rand.below(ranks);
        message.to = (message.from + 1 + rand.below(ranks - 1)) % ranks;
        if (message.from == killed || message.to == killed) {
            message.sendOver = true;
            message.receiveOver = true;
            message.source = new Room();
            message.target = new Room();
            messages.add(message);
            return;
        }
        int bytes = rand.chance(1, 4) ? rand.below(20_000) : 1 + rand.below(rand.chance(1, 5) ? 3_000_000 : 100_000);
        message.source = room(message.from, bytes);
        message.source.fill(message.id);
        message.target = room(message.to, rand.chance(1, 6) ? rand.below(bytes + 1) : bytes);
        messages.add(message);
        if (rand.chance(1, 2)) {
            receive(message);
        }
        message.sent = devices[message.from].send(Mode.STANDARD, 0, message.to, message.id, message.source.buffer,
                message.source.offset, bytes, ElementType.BYTE.code());
    }

    private void receive(Message message) {
        if (message.target.freed) {
            message.target = room(message.to, message.target.bytes);
        }
        message.received = devices[message.to].receive(0, message.from, message.id, message.target.buffer,
                message.target.offset, message.target.bytes, ElementType.BYTE.code());
    }

    private void look() {
        for (Message message : messages) {
            boolean isAlive = message.to != killed;
            if (message.received == null && !message.receiveOver && isAlive && rand.chance(1, 30)) {
                receive(message);
            }
            if (!message.sendOver && message.from == killed || message.sent != null && message.sent.isDone()) {
                endSend(message);
            }
            if (!message.receiveOver && !isAlive || message.received != null && message.received.isDone()) {
                endReceive(message);
            }
        }
    }

    private void endSend(Message message) {
        message.sendOver = true;
        if (message.from != killed) {
            int code = message.sent.code();
            devices[message.from].release(message.sent);
            boolean isExcused = code == Code.PEER_DEAD && killed == message.to
                    || code == Code.MEMORY_ENDED && message.source.freed;
            require(code == Code.OK || isExcused, message, "the send ends with " + code);
            spoil(message.from, message.source);
        }
        message.sent = null;
    }

    private void endReceive(Message message) {
        message.receiveOver = true;
        if (message.to != killed) {
            int code = message.received.code();
            devices[message.to].release(message.received);
            boolean isExcused = code == Code.PEER_DEAD && killed == message.from
                    || code == Code.MEMORY_ENDED && message.target.freed
                    || code == Code.MESSAGE_ENDED && message.source.freed
                    || code == Code.TRUNCATED && message.target.bytes < message.source.bytes;
            require(code == Code.OK || isExcused, message, "the receive ends with " + code);
            if ((code == Code.OK || code == Code.TRUNCATED) && !message.target.freed) {
                compare(message);
            }
            spoil(message.to, message.target);
        }
        message.received = null;
    }

    private void compare(Message message) {
        Room target = message.target;
        long differs = target.part().mismatch(MemorySegment.ofArray(DevicePair.pattern(message.id, target.bytes)));
        require(differs < 0, message, "byte " + differs + " of " + target.bytes + " differs");
    }

    private void spoil(int rank, Room room) {
        if (room.shared != null && frees && rand.chance(1, 2)) {
            free(rank, room);
        }
        if (!room.freed) {
            room.part().fill(CANARY);
        }
    }

    private boolean isOver() {
        return messages.stream().allMatch(message -> message.sendOver && message.receiveOver);
    }

    private void checkCanaries() {
        for (Message message : messages) {
            for (Room room : List.of(message.source, message.target)) {
                int rank = room == message.source ? message.from : message.to;
                if (room.buffer != null && !room.freed && rank != killed) {
                    byte[] canaries = new byte[room.bytes];
                    Arrays.fill(canaries, CANARY);
                    long differs = room.part().mismatch(MemorySegment.ofArray(canaries));
                    require(differs < 0, message, "byte " + differs + " of a buffer has changed after the end");
                }
            }
        }
    }

    private void require(boolean holds, Message message, String what) {
        if (!holds && wrong == null) {
            wrong = "message " + message.id + " from " + message.from + " to " + message.to + ": " + what;
        }
    }
}
