package io.rankwire.tools;

import java.util.Arrays;
import java.util.function.IntPredicate;

/** Which host each rank of a job is on, and where a rank goes that replaces another. Hosts are numbered by agent. */
final class HostSlots {
    private static final int NOWHERE = -1;

    private final int[] hosts;
    private final int[] slots;

    /**
     * @param places the number of ranks, those that come later included
     * @param placed the hosts of the first ranks
     * @param slots of each host
     */
    HostSlots(int places, int[] placed, int[] slots) {
        hosts = Arrays.copyOf(placed, places);
        Arrays.fill(hosts, placed.length, places, NOWHERE);
        this.slots = slots;
    }

    int places() {
        return hosts.length;
    }

    /** The number of hosts. */
    int hosts() {
        return slots.length;
    }

    /** The host of a rank; -1 if it was not started. */
    int of(int rank) {
        return hosts[rank];
    }

    void put(int rank, int host) {
        hosts[rank] = host;
    }

    /**
     * The host for a rank that replaces a dead one: the same if it can be used, else the one with the fewest ranks for
     * its slots.
     *
     * @param isUsable whether a host can have a new rank
     * @param isThere whether a rank is on its host
     * @return the host, or -1 if none can be used
     */
    int choose(int dead, IntPredicate isUsable, IntPredicate isThere) {
        if (hosts[dead] >= 0 && isUsable.test(hosts[dead])) {
            return hosts[dead];
        }
        int best = NOWHERE;
        long[] ranks = new long[slots.length];
        for (int rank = 0; rank < hosts.length; rank++) {
            if (hosts[rank] >= 0 && isThere.test(rank)) {
                ranks[hosts[rank]]++;
            }
        }
        for (int host = 0; host < slots.length; host++) {
            if (isUsable.test(host)
                    && (best < 0 || (ranks[host] + 1) * slots[best] < (ranks[best] + 1) * slots[host])) {
                best = host;
            }
        }
        return best;
    }
}
