package io.rankwire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Each rank writes its own slice on all ranks, of which it keeps a model, and adds to a counter of all. */
public final class RemoteWindowProgram {
    private static final int ROUNDS = 12;

    /** How the ranks of a round end it. */
    private enum Epoch {
        FENCE,
        GROUP,
        LOCK
    }

    private final World world;
    /** Bytes that a rank writes on each rank. */
    private final int slice;
    private final Communicator all;
    private final Rand rand;
    private final Rand shared;
    private final Window window;
    private final MemorySegment buffer;
    private final byte[][] model;
    private final long slices;
    private long added;

    public RemoteWindowProgram(World world, long seed, int slice) {
        this.world = world;
        this.slice = slice;
        all = world.communicator();
        rand = new Rand(100 * seed + all.rank());
        shared = new Rand(seed);
        slices = 8;
        window = all.allocateWindow(slices + (long) slice * all.size(), 1);
        buffer = world.allocate(2 * slice);
        model = new byte[all.size()][slice];
    }

    public void run() {
        for (int round = 0; round < ROUNDS; round++) {
            Epoch epoch = Epoch.values()[shared.below(3)];
            if (epoch == Epoch.FENCE) {
                window.fence();
                for (int to = 0; to < all.size(); to++) {
                    put(to);
                }
                window.fence();
            } else if (epoch == Epoch.GROUP) {
                window.post(all.group());
                window.start(all.group());
                put(rand.below(all.size()));
                window.complete();
                window.await();
            } else {
                byLock(rand.below(all.size()));
                all.barrier();
            }
            ownSlicesHoldWhatOthersWrote(window.memory().toArray(ValueLayout.JAVA_BYTE));
            readBack();
        }
        window.fence();
        counterHoldsAll();
        window.free();
    }

    /** Puts random bytes, from allocated memory or an array; the source is spoiled when the epoch allows that. */
    private void put(int to) {
        int bytes = 1 + rand.below(rand.chance(1, 3) ? 600 : slice);
        int at = rand.below(slice - bytes + 1);
        byte[] data = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            data[i] = (byte) rand.nextLong();
        }
        System.arraycopy(data, 0, model[to], at, bytes);
        long place = slices + (long) all.rank() * slice + at;
        if (rand.chance(1, 4)) {
            window.put(data, to, place);
        } else {
            MemorySegment source = world.allocate(bytes);
            source.copyFrom(MemorySegment.ofArray(data));
            window.put(source, to, place);
        }
    }

    private void byLock(int to) {
        window.lock(Window.Lock.EXCLUSIVE, to);
        long before = window.fetchAndOp(1L, to, 0, Op.SUM);
        assertTrue(before >= 0);
        added++;
        MemorySegment source = buffer.asSlice(0, slice);
        source.fill((byte) rand.nextLong());
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, 0, model[to], 0, slice);
        window.put(source, to, slices + (long) all.rank() * slice);
        window.flushLocal(to);
        source.fill((byte) 0x33);
        window.unlock(to);
    }

    /** Looks at what was here when the epoch ended. */
    private void ownSlicesHoldWhatOthersWrote(byte[] then) {
        byte[] theirs = new byte[slice];
        for (int from = 0; from < all.size(); from++) {
            for (int to = 0; to < all.size(); to++) {
                if (from == to) {
                    continue;
                }
                if (all.rank() == from) {
                    all.send(model[to], to, 7);
                } else if (all.rank() == to) {
                    all.receive(theirs, from, 7);
                    int writer = from;
                    int at = (int) slices + from * slice;
                    byte[] here = Arrays.copyOfRange(then, at, at + slice);
                    Worlds.assertSame(theirs, here, () -> "what rank " + writer + " wrote");
                }
            }
        }
        all.barrier();
    }

    private void readBack() {
        int from = rand.below(all.size());
        window.lock(Window.Lock.SHARED, from);
        MemorySegment into = buffer.asSlice(slice, slice);
        into.fill((byte) 0x77);
        window.get(into, from, slices + (long) all.rank() * slice);
        if (rand.chance(1, 2)) {
            window.flush(from);
        } else {
            window.flushLocal(from);
        }
        byte[] found = into.toArray(ValueLayout.JAVA_BYTE);
        Worlds.assertSame(model[from], found, () -> "what comes back from rank " + from);
        window.unlock(from);
        all.barrier();
    }

    private void counterHoldsAll() {
        long[] total = new long[1];
        all.allreduce(new long[] {added}, total, Op.SUM);
        long[] there = {window.memory().get(ValueLayout.JAVA_LONG, 0)};
        long[] sum = new long[1];
        all.allreduce(there, sum, Op.SUM);
        assertEquals(total[0], sum[0], "operations on elements");
    }
}
