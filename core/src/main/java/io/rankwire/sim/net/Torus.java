package io.rankwire.sim.net;

/**
 * Nodes in three dimensions, each linked with its six neighbours; in a torus the last with the first, in a mesh not.
 * Packets go along one dimension after another, in a torus the shorter way round: x, y, z on way 0; z, y, x on way 1,
 * which also goes the longer way round when only one dimension differs, so that the two ways have no link in common. In
 * a mesh, two nodes of one line have only one way.
 */
public final class Torus extends Topology {
    private static final int DIRECTIONS = 6;
    private static final int MOST_NODES = 1 << 24;
    /** The bits of a route for the three dimensions. */
    private static final int ALL_DOWN = 0b1110;

    private final int[] sides;
    private final int nodes;
    private final boolean wraps;
    /** Places of the nodes, by dimension. */
    private final short[][] places;
    private final int[] ends;

    public Torus(int x, int y, int z) {
        this(x, y, z, true);
    }

    /** @param wraps false for a mesh, whose links from the last node of a line to the first no packet takes */
    public Torus(int x, int y, int z, boolean wraps) {
        if (x < 1 || y < 1 || z < 1 || (long) x * y * z > MOST_NODES || Math.max(x, Math.max(y, z)) > Short.MAX_VALUE) {
            throw new IllegalArgumentException("there is no torus of " + x + " x " + y + " x " + z
                    + ": sides are 1 to 32767, nodes at most " + MOST_NODES);
        }
        this.wraps = wraps;
        sides = new int[] {x, y, z};
        nodes = x * y * z;
        places = new short[3][nodes];
        ends = new int[nodes * DIRECTIONS];
        for (int node = 0; node < nodes; node++) {
            places[0][node] = (short) (node % x);
            places[1][node] = (short) (node / x % y);
            places[2][node] = (short) (node / (x * y));
        }
        int[] strides = {1, x, x * y};
        for (int link = 0; link < ends.length; link++) {
            int node = link / DIRECTIONS;
            int dimension = link % DIRECTIONS >> 1;
            int ahead = (link & 1) == 0 ? 1 : sides[dimension] - 1;
            int place = place(node, dimension);
            ends[link] = node + ((place + ahead) % sides[dimension] - place) * strides[dimension];
        }
    }

    /** A torus or mesh of at least this many nodes whose sides differ little. */
    public static Torus near(int nodes, boolean wraps) {
        int x = Math.max(1, (int) Math.round(Math.cbrt(nodes)));
        int y = Math.max(1, (int) Math.round(Math.sqrt((double) nodes / x)));
        int z = Math.max(1, (nodes + x * y - 1) / (x * y));
        return new Torus(x, y, z, wraps);
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int vertices() {
        return nodes;
    }

    @Override
    public int links() {
        return nodes * DIRECTIONS;
    }

    public int side(int dimension) {
        return sides[dimension];
    }

    public int at(int x, int y, int z) {
        return x + sides[0] * (y + sides[1] * z);
    }

    public int place(int node, int dimension) {
        return places[dimension][node];
    }

    /** The direction of a link: twice the dimension, one more when it goes down. */
    public int direction(int link) {
        return link % DIRECTIONS;
    }

    @Override
    public int end(int link) {
        return ends[link];
    }

    /** The way, and a bit for each dimension that is gone through downwards. */
    @Override
    public int route(int from, int to, int way) {
        int route = way;
        int differ = 0;
        for (int dimension = 0; dimension < 3; dimension++) {
            int side = sides[dimension];
            if (!wraps) {
                route |= place(to, dimension) < place(from, dimension) ? 2 << dimension : 0;
                continue;
            }
            int ahead = Math.floorMod(place(to, dimension) - place(from, dimension), side);
            differ += ahead == 0 ? 0 : 1;
            route |= 2 * ahead > side ? 2 << dimension : 0;
        }
        return differ == 1 && way == 1 ? route ^ ALL_DOWN : route;
    }

    @Override
    public int next(int vertex, int node, int route) {
        int first = (route & 1) == 0 ? 0 : 2;
        if (places[first][vertex] != places[first][node]) {
            return link(vertex, first, route);
        }
        if (places[1][vertex] != places[1][node]) {
            return link(vertex, 1, route);
        }
        return link(vertex, 2 - first, route);
    }

    private static int link(int vertex, int dimension, int route) {
        return vertex * DIRECTIONS + 2 * dimension + (route >> dimension + 1 & 1);
    }

    @Override
    public boolean entersRing(int from, int to) {
        return wraps && (from < 0 || from % DIRECTIONS != to % DIRECTIONS);
    }

    @Override
    public int[] coordinates(int node) {
        return new int[] {place(node, 0), place(node, 1), place(node, 2)};
    }

    @Override
    public int hops(int from, int to) {
        int hops = 0;
        for (int dimension = 0; dimension < 3; dimension++) {
            int apart = Math.abs(place(to, dimension) - place(from, dimension));
            hops += wraps ? Math.min(apart, sides[dimension] - apart) : apart;
        }
        return hops;
    }

    @Override
    public String toString() {
        return (wraps ? "torus of " : "mesh of ") + sides[0] + " x " + sides[1] + " x " + sides[2];
    }
}
