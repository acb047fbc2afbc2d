package io.rankwire.sim.net;

/**
 * Which vertices are linked and which way packets take. Nodes are the vertices from 0 on, switches follow. Links go one
 * way; each has a number. A way is a class of routes (0 or 1): two packets of different ways between the same nodes
 * share as few links as the topology has, and wait in buffers of their own.
 */
public abstract sealed class Topology permits Torus, FatTree, Crossbar {
    /** Classes of routes. */
    public static final int WAYS = 2;

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

    /** The links of the first way from one node to another. */
    public final int hops(int from, int to) {
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
     * Reads {@code torus:8x8x8}, {@code torus} (near a cube), {@code fattree:16} (that many nodes a switch) or
     * {@code crossbar}, for {@code nodes} nodes.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static Topology parse(String text, int nodes) {
        String[] parts = text.split(":", 2);
        return switch (parts[0]) {
            case "crossbar" -> new Crossbar(nodes);
            case "fattree" -> new FatTree(nodes, parts.length == 1 ? radix(nodes) : number(parts[1], text));
            case "torus" -> parts.length == 1 ? Torus.near(nodes) : torus(parts[1], text, nodes);
            default -> throw new IllegalArgumentException("topology " + text
                    + " is none of crossbar, fattree[:NODES_A_SWITCH], torus[:XxYxZ]");
        };
    }

    private static int radix(int nodes) {
        return Math.max(2, (int) Math.ceil(Math.sqrt(nodes)));
    }

    private static Topology torus(String shape, String text, int nodes) {
        String[] sides = shape.split("x");
        if (sides.length != 3) {
            throw new IllegalArgumentException("topology " + text + ": a torus has three sides, as in torus:8x8x8");
        }
        Torus torus = new Torus(number(sides[0], text), number(sides[1], text), number(sides[2], text));
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
