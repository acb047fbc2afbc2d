package io.rankwire.sim.net;

/** One switch between all nodes: a link up and a link down each, so packets meet at their target only. */
public final class Crossbar extends Topology {
    private final int nodes;

    public Crossbar(int nodes) {
        this.nodes = nodes;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int vertices() {
        return nodes + 1;
    }

    @Override
    public int links() {
        return 2 * nodes;
    }

    @Override
    public int end(int link) {
        return link < nodes ? nodes : link - nodes;
    }

    @Override
    public int route(int from, int to, int way) {
        return way;
    }

    @Override
    public int next(int vertex, int node, int route) {
        return vertex == nodes ? nodes + node : vertex;
    }

    @Override
    public boolean entersRing(int from, int to) {
        return false;
    }

    @Override
    public int[] coordinates(int node) {
        return new int[] {node};
    }

    @Override
    public String toString() {
        return "crossbar of " + nodes;
    }
}
