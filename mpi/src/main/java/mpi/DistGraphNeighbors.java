package mpi;

import io.rankwire.DistributedGraphCommunicator;

/** The edges of the calling rank in a distributed graph. */
public final class DistGraphNeighbors {
    private static final int[] NONE = {};

    private final int[] sources;
    private final int[] sourceWeights;
    private final int[] destinations;
    private final int[] destinationWeights;
    private final boolean weighted;

    DistGraphNeighbors(DistributedGraphCommunicator graph) {
        weighted = graph.isWeighted();
        sources = graph.sources();
        destinations = graph.destinations();
        sourceWeights = weighted ? graph.sourceWeights() : NONE;
        destinationWeights = weighted ? graph.destinationWeights() : NONE;
    }

    /** Returns the number of edges to this rank. */
    public int getInDegree() {
        return sources.length;
    }

    /** Returns the number of edges from this rank. */
    public int getOutDegree() {
        return destinations.length;
    }

    /** Returns whether the edges have weights. */
    public boolean isWeighted() {
        return weighted;
    }

    /** Returns the rank that an edge comes from. */
    public int getSource(int i) {
        return sources[i];
    }

    /** Returns the weight of an edge to this rank. */
    public int getSourceWeight(int i) {
        return sourceWeights[i];
    }

    /** Returns the rank that an edge goes to. */
    public int getDestination(int i) {
        return destinations[i];
    }

    /** Returns the weight of an edge from this rank. */
    public int getDestinationWeight(int i) {
        return destinationWeights[i];
    }
}
