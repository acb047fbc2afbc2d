package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.Channel;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.Operation;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Access to memory of other ranks. Each has a slice for itself in the memory of every other one, and knows what must be
 * there; counters are shared by all.
 */
final class MemoryLoad implements Load {
    private static final int LONG = Long.BYTES;

    /** A put or get under way. */
    private record Access(Operation operation, int target, byte[] buffer, byte[] expected, int code) {}

    /** The value of a counter that is being fetched. */
    private record Fetch(Operation operation, int target, long[] result) {}

    private final int rank;
    private final Rand rand;
    private final Device device;
    private final MemoryLoad[] all;
    private final int slice;
    private final OneSided memory;
    private final byte[] mine;
    private final int key;
    private final long[] counters = new long[2];
    private final int counterKey;
    /** What all ranks have added to the first counter here, and which values the second one has had. */
    private long added;
    private final Set<Long> seen = new HashSet<>();
    private int fetched;
    /** The peer that this rank has lost, or -1. */
    private int lost = -1;

    // what this rank has to do with each other one
    private final Channel[] channels;
    private final Channel[] counterChannels;
    private final byte[][] shadows;
    private final int[] gets;
    private final int[] refusals;
    private final List<Access> accesses = new ArrayList<>();
    private final List<Fetch> fetches = new ArrayList<>();

    MemoryLoad(int rank, Rand rand, Device device, MemoryLoad[] all, int slice) {
        this.rank = rank;
        this.rand = rand;
        this.device = device;
        this.all = all;
        this.slice = slice;
        this.memory = device.oneSided();
        int ranks = all.length;
        mine = new byte[ranks * slice];
        key = memory.regions().add(mine, 0, mine.length, ElementType.BYTE.code(), RegionTable.READ | RegionTable.WRITE);
        counterKey = memory.regions().add(counters, 0, (long) counters.length * LONG, ElementType.LONG.code(),
                RegionTable.READ | RegionTable.WRITE);
        channels = new Channel[ranks];
        counterChannels = new Channel[ranks];
        shadows = new byte[ranks][];
        gets = new int[ranks];
        refusals = new int[ranks];
    }

    private void open(int target) {
        if (channels[target] == null) {
            channels[target] = memory.open(target, all[target].key);
            counterChannels[target] = memory.open(target, all[target].counterKey);
            shadows[target] = new byte[slice];
        }
    }

    @Override
    public void step() {
        int target = rand.below(all.length);
        open(target);
        int what = rand.below(10);
        if (what < 4) {
            put(target);
        } else if (what < 6) {
            get(target);
        } else if (what < 7) {
            outside(target);
        } else if (what < 8) {
            add(target);
        } else if (what < 9) {
            fetch(target);
        } else {
            memory.flush(channels[target]);
        }
    }

    /** While bytes are read nothing is written there: no promise covers what would be read. */
    private void put(int target) {
        if (gets[target] > 0) {
            return;
        }
        int at = rand.below(slice);
        byte[] bytes = new byte[1 + rand.below(slice - at)];
        int start = rand.below(1 << 20);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Message.at(start, i);
        }
        System.arraycopy(bytes, 0, shadows[target], at, bytes.length);
        Operation operation = device.begin(0, target, bytes.length);
        memory.put(channels[target], ElementType.BYTE.code(), bytes, 0, bytes.length, (long) rank * slice + at,
                operation);
        accesses.add(new Access(operation, target, bytes, null, Code.OK));
    }

    private void get(int target) {
        int at = rand.below(slice);
        int bytes = 1 + rand.below(slice - at);
        read(target, (long) rank * slice + at, Arrays.copyOfRange(shadows[target], at, at + bytes), Code.OK);
    }

    private void read(int target, long at, byte[] expected, int code) {
        byte[] buffer = new byte[expected.length];
        Operation operation = device.begin(0, target, buffer.length);
        gets[target]++;
        memory.get(channels[target], ElementType.BYTE.code(), buffer, 0, buffer.length, at, operation);
        accesses.add(new Access(operation, target, buffer, expected, code));
    }

    /** An access that must be refused and touch nothing. */
    private void outside(int target) {
        long end = (long) all.length * slice;
        if (rand.chance(1, 2)) {
            read(target, end - 3, new byte[4 + rand.below(60)], Code.OUT_OF_BOUNDS);
        } else {
            refusals[target]++;
            memory.put(channels[target], ElementType.BYTE.code(), new byte[8], 0, 8, end - 7, null);
        }
    }

    private void add(int target) {
        long value = rand.nextLong() >> 20;
        all[target].added += value;
        Operation operation = device.begin(0, target, LONG);
        memory.accumulate(counterChannels[target], ElementType.LONG.code(), Reduction.SUM, new long[] {value}, 0, LONG,
                0, operation);
        accesses.add(new Access(operation, target, new byte[0], null, Code.OK));
    }

    private void fetch(int target) {
        long[] result = {-1};
        all[target].fetched++;
        Operation operation = device.begin(0, target, LONG);
        memory.fetch(counterChannels[target], ElementType.LONG.code(), Reduction.SUM, new long[] {1}, 0, result, 0,
                LONG, LONG, operation);
        fetches.add(new Fetch(operation, target, result));
    }

    @Override
    public void sweep() {
        for (int i = accesses.size() - 1; i >= 0; i--) {
            Access access = accesses.get(i);
            if (access.operation.isDone()) {
                accesses.remove(i);
                done(access);
            }
        }
        for (int i = fetches.size() - 1; i >= 0; i--) {
            if (fetches.get(i).operation.isDone()) {
                done(fetches.remove(i));
            }
        }
    }

    private void done(Fetch fetch) {
        boolean failed = fetch.operation.code() == Code.PEER_DEAD;
        device.release(fetch.operation);
        long value = fetch.result[0];
        MemoryLoad target = all[fetch.target];
        boolean expected = failed && fetch.target == lost;
        if (!expected && (value < 0 || value >= target.fetched || !target.seen.add(value))) {
            throw new Violation("rank " + rank + " has fetched " + value + " from a counter at rank " + fetch.target
                    + " that had " + target.seen.size() + " values of " + target.fetched);
        }
    }

    private void done(Access access) {
        if (access.operation.code() == Code.PEER_DEAD && access.target == lost) {
            device.release(access.operation);
            gets[access.target] -= access.expected == null ? 0 : 1;
            return;
        }
        if (access.operation.code() != access.code) {
            throw new Violation("rank " + rank + " accessed memory of rank " + access.target + " with code "
                    + access.operation.code() + ", expected " + access.code);
        }
        device.release(access.operation);
        if (access.expected == null) {
            Arrays.fill(access.buffer, (byte) 0x55);
            return;
        }
        gets[access.target]--;
        if (!Arrays.equals(access.buffer, access.expected)) {
            throw new Violation("rank " + rank + " has read " + access.buffer.length + " bytes of rank "
                    + access.target + ", of which byte " + Arrays.mismatch(access.buffer, access.expected)
                    + " is wrong");
        }
    }

    @Override
    public void drain() {
        sweep();
        for (int target = 0; target < all.length; target++) {
            if (channels[target] != null) {
                memory.flush(channels[target]);
                memory.flush(counterChannels[target]);
            }
        }
    }

    @Override
    public void lose(int peer) {
        lost = peer;
        for (Access access : accesses) {
            check(access.target != peer || access.operation.isDone(), "rank " + rank
                    + " still accesses memory of rank " + peer + ", which it has lost");
        }
        for (Fetch fetch : fetches) {
            check(fetch.target != peer || fetch.operation.isDone(), "rank " + rank
                    + " still fetches from rank " + peer + ", which it has lost");
        }
        check(channels[peer] == null || channels[peer].flushed() && channels[peer].takeRefusal() < 0,
                "rank " + rank + " got no report that memory of rank " + peer + " is lost");
    }

    @Override
    public Object waitsFor(Faults faults) {
        for (int target = 0; target < all.length; target++) {
            if (channels[target] != null && !(channels[target].flushed() && counterChannels[target].flushed())) {
                return "memory of rank " + target;
            }
        }
        return null;
    }

    @Override
    public void finish(Faults faults) {
        sweep();
        for (int target = 0; target < all.length; target++) {
            if (channels[target] != null && !faults.isDead(target)) {
                compare(target);
            }
        }
        boolean certain = !faults.anyDead();
        if (certain && (counters[0] != added || counters[1] != fetched || seen.size() != fetched)) {
            throw new Violation("counters at rank " + rank + " are " + Arrays.toString(counters) + ", expected " + added
                    + " and " + fetched);
        }
    }

    private void compare(int target) {
        int wrong = Arrays.mismatch(all[target].mine, rank * slice, (rank + 1) * slice, shadows[target], 0, slice);
        if (wrong >= 0) {
            throw new Violation("byte " + wrong + " of what rank " + rank + " has written at rank " + target
                    + " is not there");
        }
        int refusal = channels[target].takeRefusal();
        if (refusal != (refusals[target] > 0 ? Code.OUT_OF_BOUNDS : Code.OK)) {
            throw new Violation("rank " + rank + " was refused by rank " + target + " with code " + refusal + ", "
                    + refusals[target] + " times expected");
        }
    }
}
