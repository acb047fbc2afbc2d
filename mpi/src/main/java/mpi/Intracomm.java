package mpi;

import io.rankwire.Communicator;
import io.rankwire.ErrorClass;
import io.rankwire.Intercommunicator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A communicator of one group, in both dialects. A rank that is not part of a new communicator gets a null communicator
 * from calls of Open MPI, and null from calls of mpiJava. Grids reorder their ranks if they may, graphs never.
 */
public class Intracomm extends Comm {
    /** Makes a null communicator. */
    Intracomm() {
        this(null, MPI.ERRORS_RETURN);
    }

    Intracomm(Communicator core, Errhandler errhandler) {
        super(new CommHandle(core, errhandler));
    }

    /** {@inheritDoc} */
    @Override
    public Intracomm clone() {
        return dup();
    }

    /** {@inheritDoc} */
    @Override
    public Intracomm dup() throws MPIException {
        return on.get(() -> new Intracomm(on.intra().duplicate(), getErrhandler()));
    }

    /** {@inheritDoc} */
    @Override
    public Intracomm iDup() throws MPIException {
        return (Intracomm) super.iDup();
    }

    /** {@inheritDoc} */
    @Override
    public Intracomm dupWithInfo(Info info) throws MPIException {
        return (Intracomm) super.dupWithInfo(info);
    }

    // Without ranks that have failed, and with others in their place

    /** {@inheritDoc} */
    @Override
    public final Intracomm shrink() throws MPIException {
        return on.get(() -> new Intracomm(on.intra().shrink(), getErrhandler()));
    }

    /** {@inheritDoc} */
    @Override
    public final Intracomm iShrink() throws MPIException {
        return (Intracomm) super.iShrink();
    }

    /**
     * Makes a communicator with the same ranks, in which new processes have the ranks of those that have failed; all
     * live ranks call it. In the new processes {@code MPI.Init} returns then, and {@link MPI#COMM_WORLD} is that
     * communicator. This is an extension of Rankwire; see {@link io.rankwire.Communicator#replace}.
     */
    public final Intracomm replace() throws MPIException {
        try {
            return new Intracomm(on.intra().replace(), getErrhandler());
        } catch (RuntimeException e) {
            throw on.raised(e, ErrorClass.RESOURCE, MPI.ERR_SPAWN);
        }
    }

    /** As {@link #shrink}. */
    public final Intracomm Shrink() throws MPIException {
        return shrink();
    }

    /** As {@link #replace}. */
    public final Intracomm Replace() throws MPIException {
        return replace();
    }

    // Parts of the group, Open MPI

    /** Makes a communicator for each colour, its ranks ordered by key (MPI_Comm_split). */
    public final Intracomm split(int colour, int key) throws MPIException {
        Intracomm part = Split(colour, key);
        return part == null ? new Intracomm() : part;
    }

    /** Makes a communicator of the ranks that share memory (MPI_Comm_split_type). */
    public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED) {
            throw on.raised(new MPIException(MPI.ERR_ARG, "splitType: argument splitType: " + splitType));
        }
        return splitType == MPI.UNDEFINED ? split(MPI.UNDEFINED, key)
                : on.get(() -> new Intracomm(on.intra().splitShared(key), getErrhandler()));
    }

    /** Makes a communicator of a group; called by all ranks (MPI_Comm_create). */
    public final Intracomm create(Group group) throws MPIException {
        Intracomm part = Create(group);
        return part == null ? new Intracomm() : part;
    }

    /** Makes a communicator of a group; called by its members (MPI_Comm_create_group). */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        return on.get(() -> new Intracomm(on.intra().createGroup(Group.core(group), tag), getErrhandler()));
    }

    // Parts of the group, mpiJava

    /** Makes a communicator for each colour, its ranks ordered by key (MPI_Comm_split). */
    public final Intracomm Split(int colour, int key) throws MPIException {
        if (colour < 0 && colour != MPI.UNDEFINED) {
            throw on.raised(new MPIException(MPI.ERR_ARG, "split: argument colour: " + colour + " is below zero"));
        }
        return made(() -> on.intra().split(colour, key));
    }

    /** Makes a communicator of a group; called by all ranks (MPI_Comm_create). */
    public final Intracomm Create(Group group) throws MPIException {
        return made(() -> on.intra().create(Group.core(group)));
    }

    /** As {@link #Create}; an earlier version of mpiJava has this name. */
    public final Intracomm Creat(Group group) throws MPIException {
        return Create(group);
    }

    private Intracomm made(Supplier<Optional<Communicator>> call) {
        return on.get(() -> call.get().map(part -> new Intracomm(part, getErrhandler())).orElse(null));
    }

    // Topologies, Open MPI

    /** Makes a grid of the first ranks (MPI_Cart_create). */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return on.get(() -> on.intra().cartesian(dims, periods, reorder)
                .map(grid -> new CartComm(grid, getErrhandler())).orElseGet(CartComm::new));
    }

    /** Makes a graph of the first ranks, known to all of them (MPI_Graph_create). */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return on.get(() -> on.intra().graph(GraphParms.neighbours(index, edges))
                .map(graph -> new GraphComm(graph, getErrhandler())).orElseGet(GraphComm::new));
    }

    /** Makes a graph to which each rank contributes weighted edges between any ranks (MPI_Dist_graph_create). */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder)
            throws MPIException {
        int[] to = GraphParms.destinations(sources, degrees, destinations);
        return graph(() -> on.intra().distributedGraph(
                sources, GraphParms.forEach(sources, degrees), to, GraphParms.forEach(to, weights)));
    }

    /** Makes a graph to which each rank contributes edges between any ranks (MPI_Dist_graph_create). */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder) throws MPIException {
        return graph(() -> on.intra().distributedGraph(sources, GraphParms.forEach(sources, degrees),
                GraphParms.destinations(sources, degrees, destinations)));
    }

    /** Makes a graph to which each rank contributes its own weighted edges (MPI_Dist_graph_create_adjacent). */
    public final GraphComm createDistGraphAdjacent(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info info, boolean reorder)
            throws MPIException {
        return graph(() -> on.intra().adjacentGraph(sources, GraphParms.forEach(sources, sourceWeights),
                destinations, GraphParms.forEach(destinations, destWeights)));
    }

    /** Makes a graph to which each rank contributes its own edges (MPI_Dist_graph_create_adjacent). */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info info, boolean reorder)
            throws MPIException {
        return graph(() -> on.intra().adjacentGraph(sources, destinations));
    }

    private GraphComm graph(Supplier<Communicator> call) {
        return on.get(() -> new GraphComm(call.get(), getErrhandler()));
    }

    // Topologies, mpiJava

    /** Makes a grid of the first ranks (MPI_Cart_create). */
    public final Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return on.get(() -> on.intra().cartesian(dims, periods, reorder)
                .map(grid -> new Cartcomm(grid, getErrhandler())).orElse(null));
    }

    /** Makes a graph of the first ranks, known to all of them (MPI_Graph_create). */
    public final Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return on.get(() -> on.intra().graph(GraphParms.neighbours(index, edges))
                .map(graph -> new Graphcomm(graph, getErrhandler())).orElse(null));
    }

    // Ports, Open MPI: parts of one job can meet

    /** Opens a port and returns its name (MPI_Open_port). */
    public static String openPort() throws MPIException {
        CommHandle all = PerRank.COMM_WORLD().on;
        return all.get(() -> {
            all.core();
            return RankState.mine().world.openPort();
        });
    }

    /** As {@link #openPort()}. */
    public static String openPort(Info info) throws MPIException {
        return openPort();
    }

    /** Closes a port (MPI_Close_port). */
    public static void closePort(String name) throws MPIException {
        CommHandle all = PerRank.COMM_WORLD().on;
        try {
            all.core();
            RankState.mine().world.closePort(name);
        } catch (RuntimeException e) {
            throw all.raised(e, ErrorClass.ARGUMENT, MPI.ERR_PORT);
        }
    }

    /** Waits for a part of this job that connects to a port (MPI_Comm_accept). */
    public final Intercomm accept(String port, int root) throws MPIException {
        return met(() -> on.intra().accept(port, root));
    }

    /** As {@link #accept(String, int)}. */
    public final Intercomm accept(String port, Info info, int root) throws MPIException {
        return accept(port, root);
    }

    /** Connects to a part of this job that accepts at a port (MPI_Comm_connect). */
    public final Intercomm connect(String port, int root) throws MPIException {
        return met(() -> on.intra().connect(port, root));
    }

    /** As {@link #connect(String, int)}. */
    public final Intercomm connect(String port, Info info, int root) throws MPIException {
        return connect(port, root);
    }

    private Intercomm met(Supplier<Intercommunicator> call) {
        try {
            return new Intercomm(call.get(), getErrhandler());
        } catch (RuntimeException e) {
            throw on.raised(e, ErrorClass.ARGUMENT, MPI.ERR_PORT);
        }
    }

    // Other processes, Open MPI: not supported yet

    /** Throws: not supported yet (MPI_Publish_name). */
    public static void publishName(String service, String port) throws MPIException {
        throw NotYet.processes("publishName");
    }

    /** Throws: not supported yet (MPI_Publish_name). */
    public static void publishName(String service, Info info, String port) throws MPIException {
        throw NotYet.processes("publishName");
    }

    /** Throws: not supported yet (MPI_Unpublish_name). */
    public static void unpublishName(String service, String port) throws MPIException {
        throw NotYet.processes("unpublishName");
    }

    /** Throws: not supported yet (MPI_Unpublish_name). */
    public static void unpublishName(String service, Info info, String port) throws MPIException {
        throw NotYet.processes("unpublishName");
    }

    /** Throws: not supported yet (MPI_Lookup_name). */
    public static String lookupName(String service) throws MPIException {
        throw NotYet.processes("lookupName");
    }

    /** Throws: not supported yet (MPI_Lookup_name). */
    public static String lookupName(String service, Info info) throws MPIException {
        throw NotYet.processes("lookupName");
    }

    /** Throws: not supported yet (MPI_Comm_spawn). */
    public final Intercomm spawn(String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
            throws MPIException {
        throw NotYet.processes("spawn");
    }

    /** Throws: not supported yet (MPI_Comm_spawn_multiple). */
    public final Intercomm spawnMultiple(
            String[] commands, String[][] argv, int[] maxprocs, Info[] info, int root, int[] errcodes)
            throws MPIException {
        throw NotYet.processes("spawnMultiple");
    }
}
