package mpi;

import io.rankwire.CartesianCommunicator;
import io.rankwire.Communicator;
import io.rankwire.GraphCommunicator;
import io.rankwire.AnyCommunicator;
import java.util.Optional;

/** Grids and graphs made out of a communicator, in both dialects. Ranks keep their order, whatever is asked for. */
abstract class Topologies extends Comm {
    Topologies() {}

    Topologies(AnyCommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    /** This rank, if it is among so many first ones. */
    final int place(long places) {
        if (places > intra().size()) {
            throw new MPIException(MPI.ERR_TOPOLOGY, "map: " + places + " places are more than the " + intra.size()
                    + " ranks of the communicator");
        }
        return intra.rank() < places ? intra.rank() : MPI.UNDEFINED;
    }

    // Open MPI: who takes no part gets a communicator that is null

    /** A grid of the first ranks. */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        try {
            Optional<CartesianCommunicator> grid = intra().cartesian(dims, periods);
            return grid.isPresent() ? new CartComm(grid.get(), getErrhandler()) : new CartComm();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** A graph that all ranks know, of the first ranks. */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
        try {
            Optional<GraphCommunicator> graph = intra().graph(GraphParms.neighbours(index, edges));
            return graph.isPresent() ? new GraphComm(graph.get(), getErrhandler()) : new GraphComm();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** A graph to which each rank gives some edges, of any ranks. */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder)
            throws MPIException {
        try {
            int[] to = named(sources, degrees, destinations);
            return made(intra().distributedGraph(sources, cut(degrees, sources), to, cut(weights, to)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder) throws MPIException {
        try {
            return made(intra().distributedGraph(
                    sources, cut(degrees, sources), named(sources, degrees, destinations)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** A graph of which each rank gives the edges that touch it. */
    public final GraphComm createDistGraphAdjacent(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder)
            throws MPIException {
        try {
            return made(intra().adjacentGraph(
                    sources, cut(sourceWeights, sources), destinations, cut(destWeights, destinations)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info info, boolean reorder)
            throws MPIException {
        try {
            return made(intra().adjacentGraph(sources, destinations));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** One number for each of others; programs may give more. */
    private static int[] cut(int[] numbers, int[] others) {
        return others == null ? numbers : first(numbers, others.length);
    }

    /** As many destinations as the degrees of the sources tell. */
    private static int[] named(int[] sources, int[] degrees, int[] destinations) {
        if (sources == null || degrees == null || destinations == null) {
            return destinations;
        }
        long edges = 0;
        for (int i = 0; i < Math.min(sources.length, degrees.length); i++) {
            edges += degrees[i];
        }
        return edges < 0 || edges > destinations.length ? destinations : first(destinations, (int) edges);
    }

    private GraphComm made(Communicator graph) {
        return new GraphComm(graph, getErrhandler());
    }

    // mpiJava: who takes no part gets null

    public final Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        try {
            Optional<CartesianCommunicator> grid = intra().cartesian(dims, periods);
            return grid.isPresent() ? new Cartcomm(grid.get(), getErrhandler()) : null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
        try {
            Optional<GraphCommunicator> graph = intra().graph(GraphParms.neighbours(index, edges));
            return graph.isPresent() ? new Graphcomm(graph.get(), getErrhandler()) : null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }
}
