package io.rankwire.sim.net;

/**
 * Levels of switches: some nodes on each switch of the first level, some of these switches in a group of the second,
 * and so on; at the top all are one group. A switch has as many links up as down, so a group of level i + 1 has as many
 * switches side by side as one of level i has links up. A packet goes up to the lowest group that has its target, and
 * down. Which links it goes up by is chosen by the target, so that ways to different targets part; the other way takes
 * other links.
 */
public final class FatTree extends Topology {
    private final int nodes;
    private final int levels;
    /** By level, from 1: groups of the level below, or nodes, in a group; the top has all. */
    private final int[] below;
    /** By level: nodes of a group, groups, and switches side by side in each. */
    private final int[] spans;
    private final int[] groups;
    private final int[] wide;
    /** By level: its first switch, its first link up, and the first link down to it. */
    private final int[] first;
    private final int[] up;
    private final int[] down;
    private final int links;

    /**
     * @param below nodes on a switch, switches in a group of the second level, and so on; the level above the last
     *     connects all
     */
    public FatTree(int nodes, int... below) {
        this.nodes = nodes;
        levels = below.length + 1;
        this.below = new int[levels + 1];
        spans = new int[levels + 1];
        groups = new int[levels + 1];
        wide = new int[levels + 1];
        first = new int[levels + 2];
        up = new int[levels + 1];
        down = new int[levels + 1];
        spans[0] = 1;
        wide[1] = 1;
        first[1] = nodes;
        int next = 2 * nodes;
        for (int level = 1; level < levels; level++) {
            this.below[level] = below[level - 1];
            spans[level] = (int) Math.min(nodes, (long) spans[level - 1] * below[level - 1]);
            groups[level] = (nodes + spans[level] - 1) / spans[level];
            wide[level + 1] = Math.multiplyExact(wide[level], below[level - 1]);
            int between = Math.multiplyExact(groups[level], wide[level + 1]);
            up[level] = next;
            down[level] = Math.addExact(next, between);
            next = Math.addExact(down[level], between);
            first[level + 1] = first[level] + groups[level] * wide[level];
        }
        spans[levels] = nodes;
        groups[levels] = 1;
        first[levels + 1] = first[levels] + wide[levels];
        links = next;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int vertices() {
        return first[levels + 1];
    }

    /** Node up, node down; then for each level up by switch, and down by group. */
    @Override
    public int links() {
        return links;
    }

    @Override
    public int end(int link) {
        if (link < nodes) {
            return first[1] + link / spans[1];
        }
        if (link < 2 * nodes) {
            return link - nodes;
        }
        int level = 1;
        while (level + 1 < levels && link >= up[level + 1]) {
            level++;
        }
        if (link >= down[level]) {
            int group = (link - down[level]) / wide[level + 1];
            return first[level] + group * wide[level] + (link - down[level]) % wide[level + 1] % wide[level];
        }
        int from = (link - up[level]) / below[level];
        int beside = from % wide[level] + wide[level] * ((link - up[level]) % below[level]);
        int group = level + 1 == levels ? 0 : from / wide[level] / below[level + 1];
        return first[level + 1] + group * wide[level + 1] + beside;
    }

    @Override
    public int route(int from, int to, int way) {
        return way;
    }

    @Override
    public int next(int vertex, int node, int route) {
        if (vertex < nodes) {
            return vertex;
        }
        int level = 1;
        while (vertex >= first[level + 1]) {
            level++;
        }
        int number = vertex - first[level];
        if (level == levels || number / wide[level] == node / spans[level]) {
            return level == 1 ? nodes + node
                    : down[level - 1] + node / spans[level - 1] * wide[level] + number % wide[level];
        }
        int choice = (node / spans[level - 1] + route * (below[level] / 2)) % below[level];
        return up[level] + number * below[level] + choice;
    }

    @Override
    public boolean entersRing(int from, int to) {
        return false;
    }

    /** From the top: which group, which group in it, and so on; at last which node of its switch. */
    @Override
    public int[] coordinates(int node) {
        int[] coordinates = new int[levels];
        int rest = node;
        for (int level = levels - 1; level >= 0; level--) {
            coordinates[levels - 1 - level] = rest / spans[level];
            rest %= spans[level];
        }
        return coordinates;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("fat tree of ").append(nodes).append(", ").append(below[1])
                .append(" a switch");
        for (int level = 2; level < levels; level++) {
            text.append(", ").append(below[level]).append(level == 2 ? " switches a group" : " groups a group");
        }
        return text.toString();
    }
}
