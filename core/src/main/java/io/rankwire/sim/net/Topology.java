package io.rankwire.sim.net;

/**
 * Which vertices are linked and which way packets take. Nodes are the vertices from 0 on, switches follow. Links go one
 * way; each has a number. A way is a class of routes (0 or 1): two packets of different ways between the same nodes
 * share as few links as the topology has, and wait in buffers of their own.
 */
public abstract sealed class Topology permits Torus, FatTree, Crossbar {
    /** Classes of routes. */
    public static final int WAYS = 2;
    private static final int MOST_BESIDE = 1 << 20;

    public abstract int nodes();

    /** Nodes and switches. */
    public abstract int vertices();

    public abstract int links();

    /** The vertex a link leads to. */
    public abstract int end(int link);

    /** What a packet between two nodes carries with it to find its way; its lowest bit is the way. */
    public abstract int route(int from, int to, int way);

    /** The link to take next at a vertex, on a route to a node that is not there. */
    public abstract int next(int vertex, int node, int route);

    /** Where a node is, the same number of coordinates for all nodes. */
    public abstract int[] coordinates(int node);

    /** The links of the first way from one node to another. */
    public int hops(int from, int to) {
        int route = route(from, to, 0);
        int hops = 0;
        for (int vertex = from; vertex != to; vertex = end(next(vertex, to, route))) {
            hops++;
        }
        return hops;
    }

    /**
     * Whether a packet that came over one link (-1: from the node itself) enters a ring with the other: then it must
     * leave room behind it, or the ring could fill up and stand still.
     */
    public abstract boolean entersRing(int from, int to);

    /**
     * Reads {@code torus:8x8x8}, {@code torus} (near a cube), {@code mesh} likewise, {@code fattree:16} (that many
     * nodes a switch), {@code fattree:4,8} (and that many switches a group) or {@code crossbar}, for {@code nodes}
     * nodes.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static Topology parse(String text, int nodes) {
        String[] parts = text.split(":", 2);
        return switch (parts[0]) {
            case "crossbar" -> new Crossbar(nodes);
            case "fattree" -> parts.length == 1 ? new FatTree(nodes, radix(nodes)) : fatTree(parts[1], text, nodes);
            case "torus", "mesh" -> torus(parts.length == 1 ? null : parts[1], text, nodes, parts[0].equals("torus"));
            default -> throw new IllegalArgumentException("topology " + text + " is none of crossbar,"
                    + " fattree[:NODES_A_SWITCH[,SWITCHES_A_GROUP...]], torus[:XxYxZ], mesh[:XxYxZ]");
        };
    }

    private static int radix(int nodes) {
        return Math.max(2, (int) Math.ceil(Math.sqrt(nodes)));
    }

    private static Topology fatTree(String shape, String text, int nodes) {
        String[] parts = shape.split(",", -1);
        int[] below = new int[parts.length];
        long most = 1;
        for (int i = 0; i < parts.length; i++) {
            below[i] = number(parts[i], text);
            most *= below[i];
            if (most > MOST_BESIDE) {
                throw new IllegalArgumentException("topology " + text + ": more than " + MOST_BESIDE
                        + " switches side by side at the top");
            }
        }
        return new FatTree(nodes, below);
    }

    private static Topology torus(String shape, String text, int nodes, boolean wraps) {
        if (shape == null) {
            return Torus.near(nodes, wraps);
        }
        String[] sides = shape.split("x");
        if (sides.length != 3) {
            String kind = wraps ? "torus" : "mesh";
            throw new IllegalArgumentException("topology " + text + ": a " + kind + " has three sides, as in " + kind
                    + ":8x8x8");
        }
        Torus torus = new Torus(number(sides[0], text), number(sides[1], text), number(sides[2], text), wraps);
        if (torus.nodes() < nodes) {
            throw new IllegalArgumentException(
                    "topology " + text + " has " + torus.nodes() + " nodes, too few for " + nodes);
        }
        return torus;
    }

    private static int number(String text, String topology) {
        try {
            int number = Integer.parseInt(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("topology " + topology + ": " + text + " is no number above zero");
    }
}
