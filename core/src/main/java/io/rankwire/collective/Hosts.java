package io.rankwire.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ranks of a communicator by host, for algorithms that use the network between hosts as little as they can. One
 * rank of each host leads: the root on its own host, elsewhere the first.
 *
 * @param of the number of each rank's host, in the order of their first ranks
 * @param ranks the ranks of each host, in order
 * @param inside what messages cost inside a host
 * @param between what they cost between hosts, for one pair of ranks alone
 */
public record Hosts(int[] of, int[][] ranks, Cost inside, Cost between) {
    /**
     * @param nodes any numbers that are the same for ranks of one host
     */
    public static Hosts of(int[] nodes, Cost inside, Cost between) {
        Map<Integer, List<Integer>> found = new LinkedHashMap<>();
        for (int rank = 0; rank < nodes.length; rank++) {
            found.computeIfAbsent(nodes[rank], node -> new ArrayList<>()).add(rank);
        }
        int[] of = new int[nodes.length];
        int[][] ranks = new int[found.size()][];
        int next = 0;
        for (List<Integer> members : found.values()) {
            int host = next++;
            ranks[host] = members.stream().mapToInt(Integer::intValue).toArray();
            members.forEach(rank -> of[rank] = host);
        }
        return new Hosts(of, ranks, inside, between);
    }

    public int count() {
        return ranks.length;
    }

    /** Ranks of the host that has most. */
    public int most() {
        return Arrays.stream(ranks).mapToInt(each -> each.length).max().orElse(0);
    }

    /** Whether all hosts have as many ranks. */
    public boolean isEven() {
        return Arrays.stream(ranks).allMatch(each -> each.length == ranks[0].length);
    }

    /** Whether the ranks of each host follow one another. */
    public boolean isInRows() {
        return Arrays.stream(ranks).allMatch(each -> each[each.length - 1] - each[0] == each.length - 1);
    }

    /** The ranks of a rank's own host. */
    int[] around(int rank) {
        return ranks[of[rank]];
    }

    /** The place of a rank among those of its host. */
    int place(int rank) {
        return Arrays.binarySearch(around(rank), rank);
    }

    /** The rank of each host that leads. */
    int[] leaders(int root) {
        int[] leaders = new int[count()];
        Arrays.setAll(leaders, host -> host == of[root] ? root : ranks[host][0]);
        return leaders;
    }

    /** The ranks of all hosts that have this place on theirs. */
    int[] alike(int place) {
        return Arrays.stream(ranks).mapToInt(each -> each[place]).toArray();
    }
}
