package io.rankwire.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rankwire.device.BoundedFabric.Sent;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.agree.Vote;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.fabric.BadFrame;
import io.rankwire.fabric.PeerLost;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Three devices that send and receive all kinds of messages. The first one gets each frame of the second also in
 * changed forms; it must take them or throw {@link BadFrame}, and still work with the third.
 */
final class HostileEpisode {
    private static final int VICTIM = 0;
    private static final int HOSTILE = 1;
    private static final int HONEST = 2;
    private static final int RANKS = 3;
    private static final int REGION = 4096;
    private static final int MOST_LIVE = 40;
    /** The context of a group that agrees on things. */
    private static final int AGREE = 9;
    /** Changed forms of each frame. */
    private static final int CHANGES = 40;
    /** Far less than what a bad length would allocate. */
    private static final long MOST_ALLOCATED = 1 << 20;
    private static final long[] NUMBERS = {0, 1, -1, 7, 8, 48, 64, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE,
        1L << 32, (1L << 47) - 1, 1L << 47, Long.MAX_VALUE, Long.MIN_VALUE, -64};
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private record Live(int rank, Operation operation) {}

    private record Ringing(int rank, int doorbell) {}

    private final Rand rand;
    private final BoundedFabric fabric = new BoundedFabric(RANKS);
    private final Device[] devices = new Device[RANKS];
    private final Device victim;
    private final List<Live> live = new ArrayList<>();
    private final List<Ringing> doorbells = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final Set<Channel> locked = new HashSet<>();
    private final List<Integer> owners = new ArrayList<>();
    private final List<Sent> seen = new ArrayList<>();
    private final MemorySegment[] shared = new MemorySegment[RANKS];
    private final int[] calls = new int[RANKS];
    private long now;
    int malformed;
    int refused;

    HostileEpisode(long seed) {
        rand = new Rand(seed);
        DeviceConfig config = new DeviceConfig(rand.chance(1, 3) ? 64 : 512, rand.chance(1, 3) ? 4096 : 1 << 20, 64, 64,
                16, 1 << 16, DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.values()[rand.below(2)], 1 << 16, 8,
                DeviceConfig.Large.values()[rand.below(4)], rand.chance(1, 2) ? 4096 : 1 << 20);
        for (int rank = 0; rank < RANKS; rank++) {
            devices[rank] = new Device(config, fabric.open(rank));
            shared[rank] = devices[rank].memory().allocate(64 << 10).memory();
        }
        victim = devices[VICTIM];
        for (int rank = 0; rank < RANKS; rank++) {
            int key = devices[rank].oneSided().regions().add(new int[REGION / 4], 0, REGION, ElementType.INT.code(),
                    RegionTable.READ | RegionTable.WRITE);
            for (int from = 0; from < RANKS; from++) {
                if (from != rank) {
                    channels.add(devices[from].oneSided().open(rank, key));
                    owners.add(from);
                }
            }
            devices[rank].datagrams().open(1, 4, 64);
            devices[rank].agreements().join(AGREE, 0, new int[] {2, 0, 1}, (rank + 1) % RANKS);
        }
    }

    /** Runs; afterwards the hostile rank is lost to the victim, and all that waited for it has ended. */
    void run(int frames) {
        for (int turns = 0; malformed < frames && turns < frames && victim.lost(HOSTILE) == null; turns++) {
            begin();
            answerHostile();
            progress(HOSTILE);
            progress(HONEST);
            attack();
            progress(VICTIM);
            release();
        }
        fabric.way(HOSTILE, VICTIM).clear();
        fabric.way(HOSTILE, VICTIM).add(new Sent(Frame.meta(200, 0), 0, BoundedFabric.payload(0)));
        settle();
        assertNotNull(victim.lost(HOSTILE), "the hostile rank is not lost");
        for (Live each : live) {
            boolean ofHostile = each.operation.peer() == HOSTILE;
            assertTrue(each.rank != VICTIM || !ofHostile || each.operation.isDone(), "waits for a lost rank");
        }
        // What the two others have not finished is in the way of what follows.
        for (Live each : live) {
            if (each.rank != HOSTILE) {
                devices[each.rank].cancel(each.operation);
            }
        }
        settle();
        for (int context = 0; context < 2; context++) {
            victim.dropContext(context);
            devices[HONEST].dropContext(context);
        }
        settle();
        exchange(100);
        exchange(20_000);
        DeviceAudit.structures(victim);
        fabric.close();
    }

    /** The victim and the honest rank still reach each other. */
    private void exchange(int bytes) {
        byte[] there = new byte[bytes];
        Operation receive = DevicePair.receive(devices[HONEST], VICTIM, 77, there);
        Operation send = DevicePair.send(victim, Mode.STANDARD, HONEST, 77, DevicePair.pattern(3, bytes));
        byte[] here = new byte[bytes];
        Operation answer = DevicePair.receive(victim, HONEST, 78, here);
        Operation back = DevicePair.send(devices[HONEST], Mode.STANDARD, VICTIM, 78, DevicePair.pattern(4, bytes));
        settle();
        DevicePair.assertDone(Code.OK, victim, send);
        DevicePair.assertDone(Code.OK, victim, answer);
        DevicePair.assertDone(Code.OK, devices[HONEST], receive);
        DevicePair.assertDone(Code.OK, devices[HONEST], back);
        DevicePair.assertPattern(3, bytes, there);
        DevicePair.assertPattern(4, bytes, here);
    }

    private void settle() {
        // Messages that wait for room in the way, and datagrams for room in a queue, need some rounds.
        for (int quiet = 0, rounds = 0; quiet < 3; rounds++) {
            assertTrue(rounds < 100_000, "never comes to rest");
            int work = progress(VICTIM) + progress(HONEST);
            quiet = work == 0 ? quiet + 1 : 0;
            fabric.way(VICTIM, HOSTILE).clear();
            fabric.way(HONEST, HOSTILE).clear();
        }
    }

    private int progress(int rank) {
        now += 2_000_000;
        PeerLost lost = devices[rank].advance(now);
        assertTrue(lost == null || rank != HONEST || lost.rank() == HOSTILE, () -> String.valueOf(lost));
        assertTrue(lost == null || rank != VICTIM || lost.rank() == HOSTILE, () -> String.valueOf(lost));
        return devices[rank].progressAll(now);
    }

    private void begin() {
        if (live.size() >= MOST_LIVE) {
            Live one = live.get(rand.below(live.size()));
            devices[one.rank].cancel(one.operation);
        }
        for (int i = rand.below(6); i > 0; i--) {
            int rank = rand.below(RANKS);
            int other = rand.chance(3, 4) ? (rank == VICTIM ? HOSTILE : VICTIM) : (rank + 1) % RANKS;
            if (other == rank) {
                continue;
            }
            switch (rand.below(9)) {
                case 0, 1, 2 -> message(rank, other, true);
                case 3, 4, 5 -> message(rank, other, false);
                case 6 -> access();
                case 7 -> agree(rank);
                default -> datagram(rank, other);
            }
        }
    }

    private void message(int rank, int other, boolean isSend) {
        int bytes = switch (rand.below(4)) {
            case 0 -> 8 * rand.below(6);
            case 1 -> 8 * rand.below(100);
            default -> 64 * rand.below(600);
        };
        Object buffer = rand.chance(1, 3) ? shared[rank] : new byte[bytes];
        int type = buffer instanceof byte[] ? ElementType.BYTE.code() : ElementType.RAW.code();
        int context = rand.below(2);
        int tag = rand.below(3);
        Device device = devices[rank];
        Operation operation = isSend
                ? device.send(Mode.values()[rand.below(2)], context, other, tag, buffer, 0, bytes, type)
                : device.receive(context, rand.chance(1, 6) ? MatchWord.ANY : other, rand.chance(1, 6)
                        ? MatchWord.ANY : tag, buffer, 0, bytes, type);
        live.add(new Live(rank, operation));
    }

    private void access() {
        int chosen = rand.below(channels.size());
        Channel channel = channels.get(chosen);
        var from = devices[owners.get(chosen)].oneSided();
        int type = ElementType.INT.code();
        int bytes = 4 * (1 + rand.below(REGION / 8));
        int at = 4 * rand.below(REGION / 8);
        switch (rand.below(7)) {
            case 0 -> from.put(channel, type, new int[bytes / 4], 0, bytes, at, null);
            case 1 -> from.get(channel, type, new int[bytes / 4], 0, bytes, at, null);
            case 2 -> from.accumulate(channel, type, Reduction.SUM, new int[bytes / 4], 0, bytes, at, null);
            case 3 -> from.fetch(channel, type, Reduction.SUM, new int[bytes / 4], 0, new int[bytes / 4], 0, bytes, at,
                    null);
            case 4 -> from.compareAndSwap(channel, type, 0, 1, new int[1], 0, at);
            case 5 -> from.flush(channel);
            default -> {
                if (locked.add(channel)) {
                    from.lock(channel, rand.chance(1, 2));
                }
            }
        }
        channel.takeRefusal();
    }

    private void agree(int rank) {
        if (rand.chance(1, 20)) {
            devices[rank].agreements().revoke(AGREE);
        }
        devices[rank].agreements().begin(AGREE, calls[rank]++, new long[Vote.WORDS]);
    }

    private void datagram(int rank, int other) {
        var datagrams = devices[rank].datagrams();
        int doorbell = datagrams.allocate();
        if (doorbell >= 0) {
            doorbells.add(new Ringing(rank, doorbell));
            datagrams.ring(doorbell, new byte[64], 0, rand.below(64), other, 1, 1);
        }
    }

    /** The hostile rank does not mind answers that make no sense to it, as those to changed frames may be. */
    private void answerHostile() {
        Queue<Sent> way = fabric.way(VICTIM, HOSTILE);
        for (Sent sent = way.poll(); sent != null; sent = way.poll()) {
            try {
                devices[HOSTILE].frame(VICTIM, sent.meta(), sent.header(), sent.payload(), 0, sent.bytes());
            } catch (BadFrame e) {
                assertEquals(VICTIM, e.rank());
            }
        }
    }

    /** Hands the victim what the hostile rank has sent, in many forms. */
    private void attack() {
        Queue<Sent> way = fabric.way(HOSTILE, VICTIM);
        if (way.isEmpty() && !seen.isEmpty()) {
            way.add(seen.get(rand.below(seen.size())));
        }
        for (Sent sent = way.poll(); sent != null && victim.lost(HOSTILE) == null; sent = way.poll()) {
            if (seen.size() < 200) {
                seen.add(sent);
            } else {
                seen.set(rand.below(200), sent);
            }
            for (int i = 0; i < CHANGES; i++) {
                malformed++;
                feed(changed(sent));
            }
            feed(sent);
        }
    }

    private void feed(Sent sent) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            victim.frame(HOSTILE, sent.meta(), sent.header(), sent.payload(), 0, sent.bytes());
        } catch (BadFrame e) {
            refused++;
            assertEquals(HOSTILE, e.rank());
            assertTrue(e.getMessage().startsWith("rank 1 has sent a damaged frame, "), e.getMessage());
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < MOST_ALLOCATED, () -> "one frame has allocated " + allocated + " bytes");
    }

    private Sent changed(Sent sent) {
        Sent other = rand.chance(1, 4) ? seen.get(rand.below(seen.size())) : sent;
        int meta = other.meta();
        long header = other.header();
        MemorySegment payload = copy(other, other.bytes());
        switch (rand.below(9)) {
            case 0 -> meta = rand.below(1 << 16);
            case 1 -> meta = meta & 0xFF00 | rand.below(72);
            case 2 -> header ^= 1L << rand.below(64);
            case 3 -> header = Frame.header((int) number(), Frame.low(header));
            case 4 -> header = Frame.header(Frame.high(header), (int) number());
            case 5 -> payload = copy(other, rand.below(other.bytes() + 1));
            case 6 -> payload = copy(other, Math.min(BoundedFabric.MOST_PAYLOAD, other.bytes() + rand.below(70)));
            case 7 -> change(payload);
            default -> {
                meta = Frame.meta(rand.below(72), rand.below(12));
                header = Frame.header((int) number(), (int) number());
                payload = BoundedFabric.payload(8 * rand.below(8));
                for (int i = rand.below(4); i > 0; i--) {
                    change(payload);
                }
            }
        }
        return new Sent(meta, header, payload);
    }

    private static MemorySegment copy(Sent sent, int bytes) {
        MemorySegment copy = BoundedFabric.payload(bytes);
        MemorySegment.copy(sent.payload(), 0, copy, 0, Math.min(bytes, sent.bytes()));
        return copy;
    }

    private void change(MemorySegment payload) {
        int words = (int) payload.byteSize() / 8;
        if (words > 0) {
            int word = rand.below(Math.min(words, 7));
            long value = rand.chance(1, 3) ? payload.getAtIndex(ValueLayout.JAVA_LONG, word) ^ 1L << rand.below(64)
                    : number();
            payload.setAtIndex(ValueLayout.JAVA_LONG, word, value);
        }
    }

    private long number() {
        return switch (rand.below(4)) {
            case 0 -> NUMBERS[rand.below(NUMBERS.length)];
            case 1 -> rand.below(64);
            case 2 -> rand.nextLong();
            default -> seen.get(rand.below(seen.size())).header() >>> (rand.chance(1, 2) ? 32 : 0);
        };
    }

    private void release() {
        for (Iterator<Live> it = live.iterator(); it.hasNext(); ) {
            Live one = it.next();
            if (one.operation.isDone()) {
                devices[one.rank].release(one.operation);
                it.remove();
            }
        }
        doorbells.removeIf(ringing -> devices[ringing.rank].datagrams().free(ringing.doorbell));
    }
}
