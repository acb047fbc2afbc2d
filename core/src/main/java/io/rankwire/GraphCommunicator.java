package io.rankwire;

import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Graph;
import java.util.Optional;

/** A communicator whose ranks are the nodes of a graph that every rank knows, made by {@link Communicator#graph}. */
public final class GraphCommunicator extends TopologyCommunicator {
    private final Graph graph;

    private GraphCommunicator(World world, Endpoint endpoint, Graph graph) {
        super(world, endpoint, graph.neighbourhood(endpoint.rank()), () -> graph.checkNeighbours(endpoint));
        this.graph = graph;
    }

    static Optional<GraphCommunicator> create(Communicator all, int[][] neighbours) {
        Endpoint parent = all.endpoint();
        Graph graph = Graph.agreed(parent, neighbours);
        return Optional.ofNullable(Communicators.first(parent, graph.nodes(), "graph"))
                .map(each -> all.made(new GraphCommunicator(all.world(), each, graph)));
    }

    /** The neighbours of this rank. */
    public int[] neighbours() {
        return graph.neighbours(rank());
    }

    /** The neighbours of any rank. */
    public int[] neighbours(int of) {
        endpoint().checkRank("neighbours: argument of", of);
        return graph.neighbours(of);
    }

    /** How many edges all nodes have together. */
    public int edges() {
        return graph.edges();
    }

    @Override
    public GraphCommunicator duplicate() {
        return (GraphCommunicator) super.duplicate();
    }

    @Override
    public GraphCommunicator duplicateWithoutAttributes() {
        return (GraphCommunicator) super.duplicateWithoutAttributes();
    }

    @Override
    GraphCommunicator like(Endpoint other) {
        return new GraphCommunicator(world(), other, graph);
    }
}
