package io.rankwire.tools.hosts;

import java.util.List;

/** Which rank is on which host. */
public final class Placement {
    private Placement() {}

    /**
     * Places ranks.
     *
     * @param slots of the hosts, each above 0
     * @param byNode whether each rank goes to the next host; else a host is filled before the next
     * @param oversubscribe whether hosts may have more ranks than slots
     * @return the host of each rank, or null if there are too few slots
     */
    public static int[] of(int ranks, List<Integer> slots, boolean byNode, boolean oversubscribe) {
        int total = slots.stream().mapToInt(Integer::intValue).sum();
        if (ranks > total && !oversubscribe) {
            return null;
        }
        int[] hosts = new int[ranks];
        int rounds = (ranks + total - 1) / total;
        int[] used = new int[slots.size()];
        int host = 0;
        for (int rank = 0; rank < ranks; rank++) {
            // In this number of rounds over all slots every rank finds a place.
            while (used[host] >= rounds * slots.get(host)) {
                host = (host + 1) % slots.size();
            }
            hosts[rank] = host;
            used[host]++;
            if (byNode) {
                host = (host + 1) % slots.size();
            }
        }
        return hosts;
    }
}
