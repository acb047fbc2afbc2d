package mpi;

import io.rankwire.DistributedGraphCommunicator;

/** The edges that touch the calling rank in a graph of which no rank knows all. */
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

    public int getInDegree() {
        return sources.length;
    }

    public int getOutDegree() {
        return destinations.length;
    }

    public boolean isWeighted() {
        return weighted;
    }

    public int getSource(int i) {
        return sources[i];
    }

    public int getSourceWeight(int i) {
        return sourceWeights[i];
    }

    public int getDestination(int i) {
        return destinations[i];
    }

    public int getDestinationWeight(int i) {
        return destinationWeights[i];
    }
}
