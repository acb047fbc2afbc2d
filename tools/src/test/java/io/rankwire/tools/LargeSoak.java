package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Request;
import io.rankwire.Status;
import io.rankwire.World;
import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Random messages of all sizes, modes and kinds of memory, some received by wildcards, some cancelled. All ranks draw
 * the same plan from one seed, so each knows what it will get; a message's tag tells which one it is, and its bytes
 * follow from the tag. Arguments: seed, turns.
 */
final class LargeSoak {
    private static final int MOST_MESSAGES = 5;
    private static final int[] SIZES = {40, 3_000, 9_000, 70_000, 600_000, 1_500_000};
    private static final int CANCELLED = 1 << 20;
    private static final int NOTE = CANCELLED + 1;
    private static final int NEVER = CANCELLED + 2;

    private record Plan(int from, int to, int bytes, int tag) {}

    private record Posted(Request request, MemorySegment room) {}

    private final World world;
    private final Communicator all;
    private final Communicator aside;
    /** Draws what all ranks must agree on. */
    private final Rand plan;
    /** Draws what is this rank's own business. */
    private final Rand own;

    private LargeSoak(World world, long seed) {
        this.world = world;
        this.all = world.communicator();
        this.aside = all.duplicate();
        this.plan = new Rand(seed);
        this.own = new Rand(seed * 31 + all.rank());
    }

    public static void main(String[] args) {
        try (World world = World.join()) {
            LargeSoak soak = new LargeSoak(world, Long.parseLong(args[0]));
            long sum = 0;
            for (int turn = 0; turn < Integer.parseInt(args[1]); turn++) {
                sum += soak.turn();
            }
            System.out.println("soaked " + (sum > 0 || world.communicator().size() == 1));
        }
    }

    private long turn() {
        List<Plan> messages = new ArrayList<>();
        int mostBytes = 0;
        for (int i = plan.between(1, MOST_MESSAGES); i > 0; i--) {
            int bytes = plan.below(SIZES[plan.below(SIZES.length)]);
            mostBytes = Math.max(mostBytes, bytes);
            messages.add(new Plan(plan.below(all.size()), plan.below(all.size()), bytes, messages.size()));
        }
        boolean wild = plan.chance(1, 3);
        List<Posted> posted = new ArrayList<>();
        Request never = all.irecv(new byte[8], Communicator.ANY_SOURCE, NEVER);
        boolean first = own.chance(1, 2);
        if (first) {
            post(messages, wild, mostBytes, posted);
        }
        List<Request> sent = new ArrayList<>();
        for (Plan message : messages) {
            if (message.from == all.rank()) {
                sent.add(send(message));
            }
        }
        if (!first) {
            post(messages, wild, mostBytes, posted);
        }
        long sum = 0;
        for (Posted receive : posted) {
            Status status = receive.request.await();
            sum += check(messages, status, receive.room);
        }
        Request.awaitAll(sent.toArray(Request[]::new));
        cancelled();
        never.cancel();
        expect(never.await().cancelled(), "a receive nobody sends to was met");
        barrier();
        return sum;
    }

    private void post(List<Plan> messages, boolean wild, int mostBytes, List<Posted> posted) {
        for (Plan message : messages) {
            if (message.to == all.rank()) {
                MemorySegment room = memory(wild ? mostBytes : message.bytes);
                posted.add(new Posted(wild
                        ? all.irecv(buffer(room), Communicator.ANY_SOURCE, Communicator.ANY_TAG)
                        : all.irecv(buffer(room), message.from, message.tag), room));
            }
        }
    }

    private Request send(Plan message) {
        MemorySegment memory = memory(message.bytes);
        memory.copyFrom(MemorySegment.ofArray(bytesOf(message)));
        Object buffer = buffer(memory);
        return switch (own.below(3)) {
            case 0 -> all.issend(buffer, message.to, message.tag);
            case 1 -> all.ibsend(buffer, message.to, message.tag);
            default -> all.isend(buffer, message.to, message.tag);
        };
    }

    private long check(List<Plan> messages, Status status, MemorySegment room) {
        Plan message = messages.get(status.tag());
        expect(message.from == status.source() && message.to == all.rank(), "not mine: " + message);
        expect(message.bytes == status.bytes(), "bytes of " + message + ": " + status.bytes());
        long wrong = room.asSlice(0, message.bytes).mismatch(MemorySegment.ofArray(bytesOf(message)));
        expect(wrong < 0, "byte " + wrong + " of " + message);
        return message.bytes;
    }

    /** A send is started and withdrawn; a note tells the receiver whether that was in time. */
    private void cancelled() {
        int from = plan.below(all.size());
        int to = plan.below(all.size());
        int bytes = plan.below(200_000);
        if (from == to) {
            return;
        }
        MemorySegment room = memory(bytes);
        if (all.rank() == from) {
            Request request = aside.isend(buffer(room), to, CANCELLED);
            if (own.chance(1, 2)) {
                request.test();
            }
            request.cancel();
            aside.send(new byte[] {(byte) (request.await().cancelled() ? 1 : 0)}, to, NOTE);
        } else if (all.rank() == to) {
            Request early = own.chance(1, 2) ? aside.irecv(buffer(room), from, CANCELLED) : null;
            byte[] note = new byte[1];
            aside.receive(note, from, NOTE);
            if (early != null && note[0] == 1) {
                early.cancel();
                expect(early.await().cancelled(), "a withdrawn message was received");
            } else if (early != null) {
                early.await();
            } else if (note[0] == 0) {
                aside.receive(buffer(room), from, CANCELLED);
            }
        }
    }

    /** No rank starts a turn before all have ended theirs: wildcards would meet its messages. */
    private void barrier() {
        byte[] token = new byte[1];
        int next = (all.rank() + 1) % all.size();
        int previous = (all.rank() + all.size() - 1) % all.size();
        for (int round = 1; round < all.size(); round++) {
            aside.sendReceive(token, next, round, new byte[1], previous, round);
        }
    }

    private MemorySegment memory(int bytes) {
        return switch (own.below(3)) {
            case 0 -> world.allocate(bytes);
            case 1 -> Arena.ofAuto().allocate(bytes, 8);
            default -> MemorySegment.ofArray(new byte[bytes]);
        };
    }

    /** The memory itself, its array, or a byte buffer on it. */
    private Object buffer(MemorySegment memory) {
        if (own.chance(1, 3)) {
            return memory.asByteBuffer();
        }
        return memory.isNative() ? memory : memory.heapBase().orElseThrow();
    }

    /** In an array, whose loop is fast before it is compiled well. */
    private static byte[] bytesOf(Plan message) {
        byte[] bytes = new byte[message.bytes];
        int seed = message.tag * 13 + message.from;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 + (i >> 9) + seed);
        }
        return bytes;
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
