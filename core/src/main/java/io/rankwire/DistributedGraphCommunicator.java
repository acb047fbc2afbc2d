package io.rankwire;

import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.DistributedGraph;
import io.rankwire.runtime.Endpoint;

/**
 * A communicator whose ranks are the nodes of a directed graph of which each rank knows the edges that touch it. Made
 * by {@link Communicator#distributedGraph} and {@link Communicator#adjacentGraph}. Edges may run from a rank to itself,
 * and twice.
 */
public final class DistributedGraphCommunicator extends TopologyCommunicator {
    private final DistributedGraph graph;

    private DistributedGraphCommunicator(World world, Endpoint endpoint, DistributedGraph graph) {
        super(world, endpoint, graph.neighbourhood(), () -> {});
        this.graph = graph;
    }

    static DistributedGraphCommunicator create(Communicator all, String call, DistributedGraph graph) {
        Endpoint parent = all.endpoint();
        Endpoint made = Communicators.make(parent, parent.group(), parent.name() + "." + call, call);
        return all.made(new DistributedGraphCommunicator(all.world(), made, graph));
    }

    /** The ranks with an edge to this one. */
    public int[] sources() {
        return graph.in().ranks().clone();
    }

    /** The ranks this one has an edge to. */
    public int[] destinations() {
        return graph.out().ranks().clone();
    }

    /** Whether the edges have weights. */
    public boolean isWeighted() {
        return graph.in().weights() != null;
    }

    /** The weights of the edges from {@link #sources}. */
    public int[] sourceWeights() {
        return weights("sourceWeights", graph.in());
    }

    /** The weights of the edges to {@link #destinations}. */
    public int[] destinationWeights() {
        return weights("destinationWeights", graph.out());
    }

    private int[] weights(String call, DistributedGraph.Ends ends) {
        if (ends.weights() == null) {
            throw endpoint().error(ErrorClass.TOPOLOGY, call + ": " + name() + " was made without weights");
        }
        return ends.weights().clone();
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
    DistributedGraphCommunicator like(Endpoint other) {
        return new DistributedGraphCommunicator(world(), other, graph);
    }
}
