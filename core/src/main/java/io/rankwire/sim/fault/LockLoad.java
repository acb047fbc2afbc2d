package io.rankwire.sim.fault;

import io.rankwire.device.Channel;
import io.rankwire.device.Device;
import io.rankwire.device.onesided.OneSided;
import io.rankwire.device.onesided.RegionTable;
import io.rankwire.memory.Rand;
import io.rankwire.type.ElementType;
import java.util.HashMap;
import java.util.Map;

/** Locks on memory of other ranks, and elements that are swapped if they are what one thinks. */
final class LockLoad implements Load {
    private static final int FREE = 0;
    private static final int SHARED = 1;
    private static final int ALONE = 2;

    private final int rank;
    private final Rand rand;
    private final LockLoad[] all;
    private final OneSided memory;
    private final long[] word = new long[1];
    private final int key;
    // of the lock here: how many have it
    private int sharing;
    private int alone;
    /** Of the element here: what each value was swapped for. */
    private final Map<Long, Long> swaps = new HashMap<>();

    // by the other rank
    private final Channel[] channels;
    private final Channel[] swapChannels;
    private final int[] asked;
    private final boolean[] held;
    private final long[] known;
    private final long[] wish;
    private final long[][] result;
    private long values;
    /** The peer that this rank has lost, or -1. */
    private int lost = -1;

    LockLoad(int rank, Rand rand, Device device, LockLoad[] all) {
        this.rank = rank;
        this.rand = rand;
        this.all = all;
        this.memory = device.oneSided();
        key = memory.regions().add(word, 0, Long.BYTES, ElementType.LONG.code(), RegionTable.READ | RegionTable.WRITE);
        int ranks = all.length;
        channels = new Channel[ranks];
        swapChannels = new Channel[ranks];
        asked = new int[ranks];
        held = new boolean[ranks];
        known = new long[ranks];
        wish = new long[ranks];
        result = new long[ranks][];
    }

    @Override
    public void step() {
        int target = rand.below(all.length);
        if (target == lost) {
            return;
        }
        if (channels[target] == null) {
            channels[target] = memory.open(target, all[target].key);
            swapChannels[target] = memory.open(target, all[target].key);
        }
        if (rand.chance(1, 2)) {
            swap(target);
        } else if (held[target]) {
            unlock(target);
        } else if (asked[target] == FREE) {
            asked[target] = rand.between(SHARED, ALONE);
            memory.lock(channels[target], asked[target] == ALONE);
        }
    }

    private void unlock(int target) {
        boolean exclusive = asked[target] == ALONE;
        all[target].alone -= exclusive ? 1 : 0;
        all[target].sharing -= exclusive ? 0 : 1;
        held[target] = false;
        asked[target] = FREE;
        memory.unlock(channels[target], exclusive);
    }

    private void swap(int target) {
        if (result[target] == null) {
            result[target] = new long[1];
            wish[target] = ++values << 8 | rank;
            memory.compareAndSwap(swapChannels[target], ElementType.LONG.code(), known[target], wish[target],
                    result[target], 0, 0);
        }
    }

    @Override
    public void lose(int peer) {
        lost = peer;
        boolean answered = asked[peer] == FREE || channels[peer].lockAnswered();
        if (!answered || result[peer] != null && !swapChannels[peer].localDone()) {
            throw new Violation("rank " + rank + " waits for a lock or a swap at rank " + peer + ", which is lost");
        }
        asked[peer] = FREE;
        held[peer] = false;
        result[peer] = null;
        // What the lost rank holds here is given to others.
        LockLoad there = all[peer];
        if (there.held[rank]) {
            there.held[rank] = false;
            alone -= there.asked[rank] == ALONE ? 1 : 0;
            sharing -= there.asked[rank] == SHARED ? 1 : 0;
        }
    }

    @Override
    public void sweep() {
        for (int target = 0; target < all.length; target++) {
            if (target == lost) {
                continue;
            }
            if (asked[target] != FREE && !held[target] && channels[target].lockAnswered()) {
                granted(target);
            }
            if (result[target] != null && swapChannels[target].localDone()) {
                swapped(target);
            }
        }
    }

    private void granted(int target) {
        LockLoad there = all[target];
        held[target] = true;
        boolean exclusive = asked[target] == ALONE;
        there.alone += exclusive ? 1 : 0;
        there.sharing += exclusive ? 0 : 1;
        if (there.alone > 1 || there.alone == 1 && there.sharing > 0) {
            throw new Violation("the lock at rank " + target + " is held by " + there.alone + " alone and shared by "
                    + there.sharing + ", rank " + rank + " is the last of them");
        }
    }

    private void swapped(int target) {
        long before = result[target][0];
        result[target] = null;
        if (before == known[target] && all[target].swaps.put(before, wish[target]) != null) {
            throw new Violation("two ranks have swapped " + before + " at rank " + target + ", rank " + rank
                    + " is the second");
        }
        known[target] = before == known[target] ? wish[target] : before;
    }

    @Override
    public void drain() {
        sweep();
        for (int target = 0; target < all.length; target++) {
            if (held[target]) {
                unlock(target);
            }
        }
    }

    @Override
    public Object waitsFor(Faults faults) {
        for (int target = 0; target < all.length; target++) {
            if (asked[target] != FREE || result[target] != null) {
                return (result[target] != null ? "a swap at rank " : "the lock of rank ") + target;
            }
        }
        return null;
    }

    @Override
    public void finish(Faults faults) {
        if (faults.anyDead()) {
            // Of a swap that the dead rank has made it may not have heard.
            return;
        }
        long last = 0;
        int links = 0;
        for (Long next = swaps.get(last); next != null && links <= swaps.size(); next = swaps.get(last)) {
            last = next;
            links++;
        }
        if (links != swaps.size() || word[0] != last) {
            throw new Violation("the element at rank " + rank + " is " + word[0] + ", and " + last + " after "
                    + links + " swaps of " + swaps.size());
        }
    }
}
