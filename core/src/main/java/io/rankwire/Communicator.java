package io.rankwire;

import java.util.Map;
import java.util.Optional;

/**
 * A group of ranks that can send messages to each other, apart from all other communicators.
 *
 * <p>A buffer is any primitive array, a {@code ByteBuffer} (from its position to its limit, which do not move) or a
 * {@code MemorySegment}; offsets and counts are in its elements (bytes for the latter two). A message keeps its
 * sender's element type: receiving {@code double}s into an {@code int[]} is an error, receiving into raw memory is not.
 * Messages between two ranks are received in the order they were sent. All calls may be made from several threads at
 * once.
 */
public sealed class Communicator extends Collectives permits TopologyCommunicator {
    Communicator(World world, Group group, int context, String name) {
        super(world, group, group, context, name);
    }

    /**
     * A communicator of the same ranks, in the same topology, with messages of its own and with the attributes that
     * their keys copy. All ranks call it.
     */
    public Communicator duplicate() {
        checkUsable();
        Map<AttributeKey<?>, Object> attributes = copyAttributes();
        Communicator copy = duplicateWithoutAttributes();
        copy.takeAttributes(attributes);
        return copy;
    }

    /** As {@link #duplicate}, but for the attributes. */
    public Communicator duplicateWithoutAttributes() {
        checkUsable();
        return made(world().contexts().make(this, group(), Contexts.CONTEXT, "duplicate", this::like));
    }

    /** One of the same kind, for another context. */
    Communicator like(int context) {
        return new Communicator(world(), group(), context, name() + ".duplicate");
    }

    /**
     * One communicator for each colour, its ranks ordered by key and then by rank here. A colour below zero takes no
     * part and gets nothing. All ranks call it.
     */
    public Optional<Communicator> split(int colour, int key) {
        checkUsable();
        return Optional.ofNullable(split(colour, key, ".split(" + colour + ")", "split"));
    }

    /** One communicator for each node, whose ranks could use the same memory, ordered by key and then by rank here. */
    public Communicator splitShared(int key) {
        checkUsable();
        return split(world().node(), key, ".shared", "splitShared");
    }

    private Communicator split(int colour, int key, String suffix, String call) {
        Group part = Contexts.split(this, colour, key, call);
        return part == null ? null : made(world().contexts().make(this, part, name() + suffix, call));
    }

    /**
     * A communicator of a part of the ranks; others get nothing. All ranks call it, those of a part with the same
     * group. Several parts can be made at once, if they have no rank in common.
     */
    public Optional<Communicator> create(Group part) {
        checkUsable();
        checkPart("create", part);
        int place = part.rankOf(world().worldRank());
        return Optional.ofNullable(split(place < 0 ? -1 : part.worldRank(0), place, ".create", "create"));
    }

    /**
     * A communicator of a part of the ranks, which alone call it, with the same group and the same tag. The tag keeps
     * calls apart that several threads make at once.
     */
    public Communicator createGroup(Group part, int tag) {
        checkUsable();
        checkPart("createGroup", part);
        Contexts.checkTag(this, "createGroup", tag);
        if (part.rankOf(world().worldRank()) < 0) {
            throw error(ErrorClass.COMMUNICATOR, "createGroup: argument part: world rank " + world().worldRank()
                    + ", which calls, is not in it");
        }
        return made(world().contexts().make(this, part, Contexts.GROUP_TAGS | tag, "createGroup",
                context -> new Communicator(world(), part, context, name() + ".group")));
    }

    private void checkPart(String call, Group part) {
        if (part == null) {
            throw error(ErrorClass.ARGUMENT, call + ": argument part is null");
        }
        for (int i = 0; i < part.size(); i++) {
            if (group().rankOf(part.worldRank(i)) < 0) {
                throw error(ErrorClass.COMMUNICATOR, call + ": argument part: world rank " + part.worldRank(i)
                        + " is not in " + name());
            }
        }
    }

    /** How this one and another stand to each other; this rank's view, nothing is sent. */
    public Comparison compare(Communicator other) {
        checkUsable();
        if (other == null) {
            throw error(ErrorClass.ARGUMENT, "compare: argument other is null");
        }
        if (other == this) {
            return Comparison.IDENTICAL;
        }
        Comparison groups = group().compare(other.group());
        return groups == Comparison.IDENTICAL ? Comparison.CONGRUENT : groups;
    }

    /**
     * Joins this communicator with another one that has none of its ranks: messages then go from either to the other.
     * All ranks of both call it, each on its own communicator.
     *
     * @param leader a rank here; the same for all here
     * @param bridge a communicator that both leaders are in; others may give null
     * @param remoteLeader the other side's leader, by its rank in the bridge; only the leader's counts
     * @param tag keeps calls on the bridge apart that are made at once; the same on both sides
     */
    public Intercommunicator intercommunicator(int leader, Communicator bridge, int remoteLeader, int tag) {
        checkUsable();
        return Intercommunicator.create(this, leader, bridge, remoteLeader, tag);
    }

    /**
     * Joins this communicator with one whose ranks call {@link #connect} with the same port, for which it waits. All
     * ranks here call it. Both are of one job and have no rank in common.
     *
     * @param port what {@link World#openPort} gave the root; only the root's counts
     * @param root the same for all here
     */
    public Intercommunicator accept(String port, int root) {
        checkUsable();
        return world().ports().accept(this, port, root);
    }

    /**
     * Joins this communicator with the one that waits at a port, or will. All ranks here call it.
     *
     * @param port what the other side's root told; only the root's counts
     * @param root the same for all here
     */
    public Intercommunicator connect(String port, int root) {
        checkUsable();
        return world().ports().connect(this, port, root);
    }

    /**
     * A communicator whose first ranks, in their order, form a grid; ranks beyond it get nothing. All ranks call it,
     * with the same arguments.
     *
     * @param dims the extent of each dimension; see {@link CartesianCommunicator#balanced}
     * @param periods for each dimension, whether its last place is next to its first
     */
    public Optional<CartesianCommunicator> cartesian(int[] dims, boolean[] periods) {
        checkUsable();
        return CartesianCommunicator.create(this, dims, periods);
    }

    /**
     * A communicator whose first ranks, in their order, are the nodes of a graph that every rank knows; ranks beyond it
     * get nothing. All ranks call it, with the same graph.
     *
     * @param neighbours for each node its neighbours
     */
    public Optional<GraphCommunicator> graph(int[][] neighbours) {
        checkUsable();
        return GraphCommunicator.create(this, neighbours);
    }

    /** As {@link #distributedGraph(int[], int[], int[], int[])}, without weights. */
    public DistributedGraphCommunicator distributedGraph(int[] sources, int[] degrees, int[] destinations) {
        checkUsable();
        return DistributedGraphCommunicator.create(this, sources, degrees, destinations, null);
    }

    /**
     * A communicator of the same ranks as nodes of a graph, to which each rank gives some edges, of any ranks. All
     * ranks call it, all with weights or all without.
     *
     * @param sources nodes that edges given here start from
     * @param degrees for each of them, how many
     * @param destinations where they lead, those of the first source first
     * @param weights one for each edge
     */
    public DistributedGraphCommunicator distributedGraph(
            int[] sources, int[] degrees, int[] destinations, int[] weights) {
        checkUsable();
        DistributedGraphCommunicator.checkWeights(this, "distributedGraph", "weights", weights);
        return DistributedGraphCommunicator.create(this, sources, degrees, destinations, weights);
    }

    /** As {@link #adjacentGraph(int[], int[], int[], int[])}, without weights. */
    public DistributedGraphCommunicator adjacentGraph(int[] sources, int[] destinations) {
        checkUsable();
        return DistributedGraphCommunicator.createAdjacent(this, sources, null, destinations, null);
    }

    /**
     * A communicator of the same ranks as nodes of a graph of which each rank gives the edges that touch it. All ranks
     * call it; each edge is given by both its ends.
     *
     * @param sources nodes with an edge to this rank
     * @param destinations nodes with an edge from this rank
     */
    public DistributedGraphCommunicator adjacentGraph(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
        checkUsable();
        DistributedGraphCommunicator.checkWeights(this, "adjacentGraph", "sourceWeights", sourceWeights);
        DistributedGraphCommunicator.checkWeights(this, "adjacentGraph", "destinationWeights", destinationWeights);
        return DistributedGraphCommunicator.createAdjacent(
                this, sources, sourceWeights, destinations, destinationWeights);
    }

    /**
     * Lets the others reach a buffer of this rank: a primitive array, {@code ByteBuffer} or {@code MemorySegment}, of
     * any size on any rank. Memory from {@link World#allocate} is reached without this rank's help. All ranks call it.
     *
     * @param displacementUnit bytes in which the others count their way into this buffer
     */
    public Window window(Object buffer, int displacementUnit) {
        checkUsable();
        return Window.over(this, buffer, displacementUnit);
    }

    /** As {@link #window}, over new memory that all can reach: {@link Window#memory}. All ranks call it. */
    public Window allocateWindow(long bytes, int displacementUnit) {
        checkUsable();
        return Window.allocate(this, bytes, displacementUnit, "allocateWindow");
    }

    /** As {@link #allocateWindow}; every rank's part can also be used directly: {@link Window#shared}. */
    public Window sharedWindow(long bytes, int displacementUnit) {
        checkUsable();
        return Window.allocate(this, bytes, displacementUnit, "sharedWindow");
    }

    /** A window without memory: each rank attaches and detaches some as it goes, see {@link Window#attach}. */
    public Window dynamicWindow() {
        checkUsable();
        return Window.dynamic(this);
    }

    /** The work queues of this rank's device. */
    public Work work() {
        checkUsable();
        return new Work(this);
    }

    /** Ends it, its attributes first. All ranks call it; messages nobody has received are reported and dropped. */
    public void free() {
        checkUsable();
        if (context() == Contexts.WORLD) {
            throw error(ErrorClass.COMMUNICATOR, "free: the world's communicator ends with its world");
        }
        deleteAttributes();
        world().contexts().free(this);
        freed();
    }
}
