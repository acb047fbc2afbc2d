package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/**
 * The edges of a directed graph that begin or end at this rank. The facade of distributed graphs creates it by a call
 * that all ranks make.
 *
 * @param in the edges to this rank
 * @param out the edges from this rank
 */
public record DistributedGraph(Ends in, Ends out) {
    /** Edges of this rank: the ranks at their other ends, and their weights or null. */
    public record Ends(int[] ranks, int[] weights) {}

    /** Creates the graph from edges that each rank gives for any ranks; all ranks call it. */
    public static DistributedGraph agreed(
            Endpoint all, int[] sources, int[] degrees, int[] destinations, int[] weights) {
        String call = "distributedGraph";
        all.checkUsable();
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
        long[][] rows = Agreement.of(all, Contexts.TOPOLOGY, call).allgather(row);
        checkAlike(all, call, rows);
        return new DistributedGraph(
                ends(rows, all.rank(), 1, weights != null), ends(rows, all.rank(), 0, weights != null));
    }

    /** Creates the graph from the edges that begin or end at each rank; all ranks call it. */
    public static DistributedGraph agreedAdjacent(
            Endpoint all, int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
        String call = "adjacentGraph";
        all.checkUsable();
        checkNodes(all, call, "sources", sources);
        checkNodes(all, call, "destinations", destinations);
        checkLength(all, call, "sourceWeights", sourceWeights, sources.length);
        checkLength(all, call, "destinationWeights", destinationWeights, destinations.length);
        int weighted = sourceWeights == null ? 0 : 1;
        checkAlike(all, call, Agreement.of(all, Contexts.TOPOLOGY, call).allgather(weighted));
        return new DistributedGraph(ends(sources, sourceWeights), ends(destinations, destinationWeights));
    }

    private static Ends ends(int[] ranks, int[] weights) {
        return new Ends(ranks.clone(), weights == null ? null : weights.clone());
    }

    /**
     * Returns the edges of this rank, in the order of the ranks that gave them and then in the order given.
     *
     * @param end 0 for edges that begin at this rank, 1 for edges that end there
     */
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

    private static void checkNodes(Endpoint all, String call, String argument, int[] nodes) {
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

    private static void checkDegrees(Endpoint all, String call, int[] sources, int[] degrees, int[] destinations) {
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
                    + " entries, but the sum of degrees is " + edges);
        }
    }

    /** Throws if an argument that must hold weights is null. */
    public static void checkWeights(Endpoint all, String call, String argument, int[] weights) {
        if (weights == null) {
            throw all.error(ErrorClass.ARGUMENT, call + ": argument " + argument
                    + " is null: leave the weights out for a graph without");
        }
    }

    private static void checkLength(Endpoint all, String call, String argument, int[] weights, int edges) {
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

    private static void checkAlike(Endpoint all, String call, long[][] rows) {
        for (int rank = 1; rank < rows.length; rank++) {
            if (rows[rank][0] != rows[0][0]) {
                throw all.error(ErrorClass.TOPOLOGY, call + ": of ranks 0 and " + rank + " only one gives weights");
            }
        }
    }

    /** Returns the ranks that collectives of neighbours receive from and send to. */
    public Neighbourhood neighbourhood() {
        return new Neighbourhood(in.ranks, out.ranks);
    }
}
