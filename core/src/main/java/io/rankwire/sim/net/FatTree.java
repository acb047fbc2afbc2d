package io.rankwire.sim.net;

/**
 * Two levels of switches: the same number of nodes on each leaf, and as many roots, each linked with every leaf. The
 * root is chosen by the target, so that ways to different targets part; the other way takes another root.
 */
public final class FatTree extends Topology {
    private final int nodes;
    private final int radix;
    private final int leaves;

    public FatTree(int nodes, int radix) {
        this.nodes = nodes;
        this.radix = radix;
        this.leaves = (nodes + radix - 1) / radix;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int vertices() {
        return nodes + leaves + radix;
    }

    /** Node up, node down, leaf up by root, root down by leaf. */
    @Override
    public int links() {
        return 2 * nodes + 2 * leaves * radix;
    }

    @Override
    public int end(int link) {
        if (link < nodes) {
            return nodes + link / radix;
        }
        if (link < 2 * nodes) {
            return link - nodes;
        }
        int between = link - 2 * nodes;
        return between < leaves * radix
                ? nodes + leaves + between % radix
                : nodes + (between - leaves * radix) / radix;
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
        int leaf = node / radix;
        if (vertex >= nodes + leaves) {
            return 2 * nodes + leaves * radix + leaf * radix + (vertex - nodes - leaves);
        }
        if (vertex - nodes == leaf) {
            return nodes + node;
        }
        int root = (node + route * (radix / 2)) % radix;
        return 2 * nodes + (vertex - nodes) * radix + root;
    }

    @Override
    public boolean entersRing(int from, int to) {
        return false;
    }

    @Override
    public String toString() {
        return "fat tree of " + nodes + ", " + radix + " a switch";
    }
}
