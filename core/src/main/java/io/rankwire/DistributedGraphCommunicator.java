package io.rankwire;

import java.util.Arrays;

/**
 * A communicator whose ranks are the nodes of a directed graph of which each rank knows the edges that touch it. Made
 * by {@link Communicator#distributedGraph} and {@link Communicator#adjacentGraph}. Edges may run from a rank to itself,
 * and twice.
 */
public final class DistributedGraphCommunicator extends TopologyCommunicator {
    /** One end of the edges of this rank: the other ends, and the weights or null. */
    private record Ends(int[] ranks, int[] weights) {}

    private final Ends in;
    private final Ends out;

    private DistributedGraphCommunicator(World world, Group group, int context, String name, Ends in, Ends out) {
        super(world, group, context, name);
        this.in = in;
        this.out = out;
    }

    static DistributedGraphCommunicator create(
            Communicator all, int[] sources, int[] degrees, int[] destinations, int[] weights) {
        String call = "distributedGraph";
        checkNodes(all, call, "sources", sources);
        checkNodes(all, call, "destinations", destinations);
        checkDegrees(all, call, sources, degrees, destinations);
        checkLength(all, call, "weights", weights, destinations.length);
        long[] row = new long[1 + 3 * destinations.length];
        row[0] = weights == null ? 0 : 1;
        int at = 1;
        int edge = 0;
        for (int i = 0; i < sources.length; i++) {
            for (int k = 0; k < degrees[i]; k++, edge++) {
                row[at++] = sources[i];
                row[at++] = destinations[edge];
                row[at++] = weights == null ? 0 : weights[edge];
            }
        }
        long[][] rows = Agreement.of(all, Contexts.TOPOLOGY, call).everywhere(row);
        checkAlike(all, call, rows);
        return make(all, call, ends(rows, all.rank(), 1, weights != null), ends(rows, all.rank(), 0, weights != null));
    }

    static DistributedGraphCommunicator createAdjacent(
            Communicator all, int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
        String call = "adjacentGraph";
        checkNodes(all, call, "sources", sources);
        checkNodes(all, call, "destinations", destinations);
        checkLength(all, call, "sourceWeights", sourceWeights, sources.length);
        checkLength(all, call, "destinationWeights", destinationWeights, destinations.length);
        int weighted = sourceWeights == null ? 0 : 1;
        checkAlike(all, call, Agreement.of(all, Contexts.TOPOLOGY, call).everywhere(weighted));
        return make(all, call, ends(sources, sourceWeights), ends(destinations, destinationWeights));
    }

    private static DistributedGraphCommunicator make(Communicator all, String call, Ends in, Ends out) {
        return all.made(all.world().contexts().make(all, all.group(), Contexts.CONTEXT, call, context ->
                new DistributedGraphCommunicator(all.world(), all.group(), context, all.name() + "." + call, in, out)));
    }

    private static Ends ends(int[] ranks, int[] weights) {
        return new Ends(ranks.clone(), weights == null ? null : weights.clone());
    }

    /** The edges that have this rank at one end, in the order of the ranks that gave them and as they gave them. */
    private static Ends ends(long[][] rows, int rank, int end, boolean weighted) {
        int[] ranks = new int[8];
        int[] weights = new int[8];
        int count = 0;
        for (long[] row : rows) {
            for (int at = 1; at < row.length; at += 3) {
                if (row[at + end] != rank) {
                    continue;
                }
                if (count == ranks.length) {
                    ranks = Arrays.copyOf(ranks, 2 * count);
                    weights = Arrays.copyOf(weights, 2 * count);
                }
                ranks[count] = (int) row[at + 1 - end];
                weights[count++] = (int) row[at + 2];
            }
        }
        return new Ends(Arrays.copyOf(ranks, count), weighted ? Arrays.copyOf(weights, count) : null);
    }

    private static void checkNodes(Communicator all, String call, String argument, int[] nodes) {
        if (nodes == null) {
            throw all.error(ErrorClass.ARGUMENT, call + ": argument " + argument + " is null");
        }
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i] < 0 || nodes[i] >= all.size()) {
                throw all.error(ErrorClass.TOPOLOGY, call + ": argument " + argument + "[" + i + "]: " + nodes[i]
                        + " is not a rank of " + all.name() + ", which has " + all.size());
            }
        }
    }

    private static void checkDegrees(
            Communicator all, String call, int[] sources, int[] degrees, int[] destinations) {
        if (degrees == null || degrees.length != sources.length) {
            throw all.error(ErrorClass.TOPOLOGY, call + ": argument degrees: "
                    + (degrees == null ? "null" : degrees.length + " entries") + " for " + sources.length + " sources");
        }
        long edges = 0;
        for (int i = 0; i < degrees.length; i++) {
            if (degrees[i] < 0) {
                throw all.error(ErrorClass.TOPOLOGY, call + ": argument degrees[" + i + "]: " + degrees[i]
                        + " is below zero");
            }
            edges += degrees[i];
        }
        if (edges != destinations.length) {
            throw all.error(ErrorClass.TOPOLOGY, call + ": argument destinations: has " + destinations.length
                    + " entries, degrees tell " + edges);
        }
    }

    static void checkWeights(Communicator all, String call, String argument, int[] weights) {
        if (weights == null) {
            throw all.error(ErrorClass.ARGUMENT, call + ": argument " + argument
                    + " is null: leave the weights out for a graph without");
        }
    }

    private static void checkLength(Communicator all, String call, String argument, int[] weights, int edges) {
        if (weights == null) {
            return;
        }
        if (weights.length != edges) {
            throw all.error(ErrorClass.TOPOLOGY, call + ": argument " + argument + ": has " + weights.length
                    + " entries for " + edges + " edges");
        }
        for (int i = 0; i < edges; i++) {
            if (weights[i] < 0) {
                throw all.error(ErrorClass.TOPOLOGY, call + ": argument " + argument + "[" + i + "]: " + weights[i]
                        + " is below zero");
            }
        }
    }

    private static void checkAlike(Communicator all, String call, long[][] rows) {
        for (int rank = 1; rank < rows.length; rank++) {
            if (rows[rank][0] != rows[0][0]) {
                throw all.error(ErrorClass.TOPOLOGY, call + ": of ranks 0 and " + rank + " only one gives weights");
            }
        }
    }

    /** The ranks with an edge to this one. */
    public int[] sources() {
        return in.ranks.clone();
    }

    /** The ranks this one has an edge to. */
    public int[] destinations() {
        return out.ranks.clone();
    }

    public boolean isWeighted() {
        return in.weights != null;
    }

    /** The weights of the edges from {@link #sources}. */
    public int[] sourceWeights() {
        return weights("sourceWeights", in);
    }

    /** The weights of the edges to {@link #destinations}. */
    public int[] destinationWeights() {
        return weights("destinationWeights", out);
    }

    private int[] weights(String call, Ends ends) {
        if (ends.weights == null) {
            throw error(ErrorClass.TOPOLOGY, call + ": " + name() + " was made without weights");
        }
        return ends.weights.clone();
    }

    @Override
    public DistributedGraphCommunicator duplicate() {
        return (DistributedGraphCommunicator) super.duplicate();
    }

    @Override
    public DistributedGraphCommunicator duplicateWithoutAttributes() {
        return (DistributedGraphCommunicator) super.duplicateWithoutAttributes();
    }

    @Override
    DistributedGraphCommunicator like(int context) {
        return new DistributedGraphCommunicator(world(), group(), context, name() + ".duplicate", in, out);
    }

    @Override
    Neighbourhood neighbourhood() {
        return new Neighbourhood(in.ranks, out.ranks);
    }
}
