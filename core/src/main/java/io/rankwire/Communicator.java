package io.rankwire;

import static io.rankwire.Datatype.cut;
import static io.rankwire.Datatype.side;

import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.runtime.Attributes;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.Consensus;
import io.rankwire.runtime.DistributedGraph;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Grid;
import io.rankwire.runtime.Intercommunicators;
import io.rankwire.runtime.PointToPoint;
import io.rankwire.runtime.RankSet;
import io.rankwire.runtime.collective.Collective;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Side;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A group of ranks that can send messages to each other, apart from all other communicators. The calls for messages
 * between two ranks, and collectives with datatypes, are described in {@link AnyCommunicator}.
 *
 * <p>Collectives are calls that all ranks of a communicator make together, in the same order. Each comes in three
 * forms: one that returns when this rank's part is done, one ({@code i…}) that returns a {@link Request} at once, and
 * one ({@code …Init}) whose request can be started over and over. Counts are of one block, that is what one rank gives
 * to or gets from another; the forms without counts take whole buffers. The device does the work by itself once it has
 * started.
 *
 * <p>With {@link #IN_PLACE} for the buffer that is read ({@code in}; of {@code scatter}, at the root, {@code out}),
 * what it would hold lies in the other buffer already, where it belongs. Operations that do not commute are applied in
 * the order of ranks. The result of a reduction is the same, to the last bit, on every rank and in every run of the
 * same ranks: what is combined with what is settled before the first message, and the order in which messages come
 * does not matter. {@link Op#reproducible} promises more.
 *
 * <p>Ranks that do not make the same call get an error that names both, at the latest when the communicator is freed or
 * the world ends: some calls return on some ranks before the others have come.
 *
 * <pre>{@code
 * Communicator all = world.communicator();
 * double[] sum = new double[1];
 * all.allreduce(new double[] {all.rank()}, sum, Op.SUM);
 * if (all.rank() == 0) {
 *     all.send(sum, 1, 7);
 * } else if (all.rank() == 1) {
 *     all.receive(sum, 0, 7);
 * }
 * }</pre>
 */
public sealed class Communicator implements AnyCommunicator permits TopologyCommunicator {
    /** Stands for a buffer whose content is in the other one already. */
    public static final Object IN_PLACE = Buffers.IN_PLACE;

    private final World world;
    private final Endpoint endpoint;
    private final Group group;
    private final PointToPoint messages;
    private final Runner collectives;
    private final Attributes attributes;
    private volatile ErrorHandler errorHandler = ErrorHandler.THROW;
    private volatile Priority priority = Priority.NORMAL;

    Communicator(World world, Endpoint endpoint) {
        this.world = world;
        this.endpoint = endpoint;
        this.group = new Group(endpoint.group());
        this.messages = new PointToPoint(endpoint);
        this.collectives = endpoint.collectives();
        this.attributes = new Attributes(endpoint, this);
    }

    @Override
    public String name() {
        return endpoint.name();
    }

    @Override
    public void name(String other) {
        endpoint.name(other);
    }

    @Override
    public int rank() {
        return endpoint.rank();
    }

    @Override
    public int size() {
        return endpoint.size();
    }

    @Override
    public Group group() {
        return group;
    }

    @Override
    public void hints(Hints hints) {
        Hints.give(endpoint, hints);
    }

    @Override
    public Hints hints() {
        return Hints.of(endpoint);
    }

    @Override
    public void errorHandler(ErrorHandler handler) {
        RankwireException.handle(endpoint, this, handler);
        errorHandler = handler;
    }

    @Override
    public ErrorHandler errorHandler() {
        return errorHandler;
    }

    @Override
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        return AttributeKey.get(attributes, key);
    }

    @Override
    public <T> void attribute(AttributeKey<T> key, T value) {
        attributes.set(AttributeKey.callbacks(key), value);
    }

    @Override
    public boolean removeAttribute(AttributeKey<?> key) {
        return attributes.remove(AttributeKey.callbacks(key));
    }

    /**
     * Sets how urgent the messages are that this rank sends on this communicator, collective calls included. Messages
     * of a communicator keep their order; those of a more urgent one pass others that wait for room or credit at their
     * receiver, and the parts of its large messages go before those of others to the same rank. Each rank sets its own
     * priority. Between ranks that copy from each other's memory directly, large messages do not wait for each other.
     *
     * <pre>{@code
     * Communicator urgent = all.duplicate();
     * urgent.priority(Priority.HIGH);
     * Request bulk = all.isend(field, 1, 7);
     * urgent.send(correction, 1, 7);               // is not behind the field
     * }</pre>
     *
     * @param other the new priority, {@link Priority#NORMAL} before the first call
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the priority is null
     */
    public void priority(Priority other) {
        if (other == null) {
            throw endpoint.error(ErrorClass.ARGUMENT, "argument other is null");
        }
        endpoint.priority(other.ordinal());
        priority = other;
    }

    /**
     * Returns how urgent the messages of this rank are.
     *
     * @return what {@link #priority(Priority)} has set last
     */
    public Priority priority() {
        return priority;
    }

    // Members that have died, in a job that goes on without them.

    @Override
    public Group failed() {
        endpoint.checkThere();
        return new Group(endpoint.members().failed());
    }

    @Override
    public Group acknowledge() {
        endpoint.checkThere();
        return new Group(endpoint.members().acknowledge());
    }

    @Override
    public Group acknowledge(int count) {
        endpoint.checkThere();
        return new Group(endpoint.members().acknowledge(count));
    }

    @Override
    public void revoke() {
        endpoint.session().consensus().revoke(endpoint);
    }

    @Override
    public boolean isRevoked() {
        endpoint.checkThere();
        return endpoint.members().lookRevoked();
    }

    @Override
    public int agree(int flags) {
        return endpoint.session().consensus().agree(endpoint, flags);
    }

    @Override
    public Request iagree(int[] flags) {
        Consensus.Pending call = endpoint.session().consensus().start(endpoint, flags, false);
        return new Request(endpoint, call, call.agreed().operation());
    }

    @Override
    public void agreeOfLive(int[] flags) {
        endpoint.session().consensus().agreeOfLive(endpoint, flags);
    }

    @Override
    public Request iagreeOfLive(int[] flags) {
        Consensus.Pending call = endpoint.session().consensus().start(endpoint, flags, true);
        return new Request(endpoint, call, call.agreed().operation());
    }

    @Override
    public Communicator shrink() {
        return made(new Communicator(world, endpoint.session().consensus().shrink(endpoint)));
    }

    /**
     * A communicator with the same ranks, in which new ones have the ranks of dead members. All live members call it
     * and get the same communicator; in the new processes or threads {@link World#join} returns then, and {@link
     * World#communicator()} is that communicator. Its members are alive when they agree on it at last, and those that
     * die before that are replaced, too. It works on a communicator that was revoked. Spares are taken first ({@code
     * rankwire run --spares=K}); else processes are started, on the host of the dead rank if that is alive, or threads
     * where ranks are threads.
     *
     * <pre>{@code
     * try {
     *     step(all);
     * } catch (RankwireException e) {
     *     all.revoke();                            // ends the calls in which others wait
     *     all = all.replace();
     * }
     * }</pre>
     *
     * @throws RankwireException of class {@link ErrorClass#RESOURCE}, at all members, if a member is dead and no other
     *     can be started: a job starts 64 new ranks at most
     */
    public Communicator replace() {
        return made(new Communicator(world, endpoint.session().consensus().replace(endpoint)));
    }

    // Communicators out of this one.

    /**
     * A communicator of the same ranks, in the same topology, with messages of its own and with the attributes that
     * their keys copy. All ranks call it.
     */
    public Communicator duplicate() {
        endpoint.checkUsable();
        Map<Attributes.Key, Object> copies = attributes.copies();
        Communicator copy = duplicateWithoutAttributes();
        copy.attributes.addAll(copies);
        return copy;
    }

    /** As {@link #duplicate}, but for the attributes. */
    public Communicator duplicateWithoutAttributes() {
        return made(like(Communicators.duplicate(endpoint)));
    }

    /** A communicator of the same kind over another endpoint. */
    Communicator like(Endpoint other) {
        return new Communicator(world, other);
    }

    /**
     * One communicator for each colour, its ranks ordered by key and then by rank here. A colour below zero takes no
     * part and gets nothing. All ranks call it.
     */
    public Optional<Communicator> split(int colour, int key) {
        return made(Optional.ofNullable(Communicators.split(endpoint, colour, key)));
    }

    /** One communicator for each node, whose ranks could use the same memory, ordered by key and then by rank here. */
    public Communicator splitShared(int key) {
        return made(new Communicator(world, Communicators.splitShared(endpoint, key)));
    }

    /**
     * A communicator of a part of the ranks; others get nothing. All ranks call it, those of a part with the same
     * group. Several parts can be made at once, if they have no rank in common.
     */
    public Optional<Communicator> create(Group part) {
        return made(Optional.ofNullable(Communicators.create(endpoint, part == null ? null : part.ranks())));
    }

    /**
     * A communicator of a part of the ranks, which alone call it, with the same group and the same tag. The tag keeps
     * calls apart that several threads make at once.
     */
    public Communicator createGroup(Group part, int tag) {
        RankSet ranks = part == null ? null : part.ranks();
        return made(new Communicator(world, Communicators.createGroup(endpoint, ranks, tag)));
    }

    /** How this one and another stand to each other; this rank's view, nothing is sent. */
    public Comparison compare(Communicator other) {
        endpoint.checkUsable();
        if (messages.given("compare: argument other", other) == this) {
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
        Endpoint over = bridge == null ? null : bridge.endpoint;
        return joined(Intercommunicators.create(endpoint, leader, over, remoteLeader, tag));
    }

    /**
     * Joins this communicator with one whose ranks call {@link #connect} with the same port, for which it waits. All
     * ranks here call it. Both are of one job and have no rank in common.
     *
     * @param port what {@link World#openPort} gave the root; only the root's counts
     * @param root the same for all here
     */
    public Intercommunicator accept(String port, int root) {
        endpoint.checkUsable();
        return joined(endpoint.session().ports().accept(endpoint, port, root));
    }

    /**
     * Joins this communicator with the one that waits at a port, or will. All ranks here call it.
     *
     * @param port what the other side's root told; only the root's counts
     * @param root the same for all here
     */
    public Intercommunicator connect(String port, int root) {
        endpoint.checkUsable();
        return joined(endpoint.session().ports().connect(endpoint, port, root));
    }

    /**
     * A communicator whose first ranks, in their order, form a grid; ranks beyond it get nothing. All ranks call it,
     * with the same arguments.
     *
     * @param dims the extent of each dimension; see {@link CartesianCommunicator#balanced}
     * @param periods for each dimension, whether its last place is next to its first
     */
    public Optional<CartesianCommunicator> cartesian(int[] dims, boolean[] periods) {
        return cartesian(dims, periods, false);
    }

    /**
     * As {@link #cartesian(int[], boolean[])}. If ranks may be reordered, those of the grid have other numbers than
     * here, chosen such that neighbours in the grid are near each other in the machine: on the same host, and in a
     * simulation few links apart. If all ranks are on one host they keep their order.
     *
     * @param dims the extent of each dimension
     * @param periods for each dimension, whether its last place is next to its first
     * @param reorder whether ranks may get other numbers
     */
    public Optional<CartesianCommunicator> cartesian(int[] dims, boolean[] periods, boolean reorder) {
        endpoint.checkUsable();
        return CartesianCommunicator.create(this, dims, periods, reorder);
    }

    /**
     * Returns the rank that this rank would get by {@link #cartesian(int[], boolean[], boolean)} with reordering, or
     * {@link #NONE} if the grid has no place for it. Other ranks need not call it.
     *
     * @param dims the extent of each dimension
     * @param periods for each dimension, whether its last place is next to its first
     */
    public int cartesianRank(int[] dims, boolean[] periods) {
        endpoint.checkUsable();
        int[] placed = Grid.local(endpoint, dims, periods).placed(endpoint);
        for (int place = 0; place < placed.length; place++) {
            if (placed[place] == rank()) {
                return place;
            }
        }
        return NONE;
    }

    /**
     * A communicator whose first ranks, in their order, are the nodes of a graph that every rank knows; ranks beyond it
     * get nothing. All ranks call it, with the same graph.
     *
     * @param neighbours for each node its neighbours
     */
    public Optional<GraphCommunicator> graph(int[][] neighbours) {
        endpoint.checkUsable();
        return GraphCommunicator.create(this, neighbours);
    }

    /** As {@link #distributedGraph(int[], int[], int[], int[])}, without weights. */
    public DistributedGraphCommunicator distributedGraph(int[] sources, int[] degrees, int[] destinations) {
        return DistributedGraphCommunicator.create(this, "distributedGraph",
                DistributedGraph.agreed(endpoint, sources, degrees, destinations, null));
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
        DistributedGraph.checkWeights(endpoint, "distributedGraph", "weights", weights);
        return DistributedGraphCommunicator.create(this, "distributedGraph",
                DistributedGraph.agreed(endpoint, sources, degrees, destinations, weights));
    }

    /** As {@link #adjacentGraph(int[], int[], int[], int[])}, without weights. */
    public DistributedGraphCommunicator adjacentGraph(int[] sources, int[] destinations) {
        return DistributedGraphCommunicator.create(this, "adjacentGraph",
                DistributedGraph.agreedAdjacent(endpoint, sources, null, destinations, null));
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
        DistributedGraph.checkWeights(endpoint, "adjacentGraph", "sourceWeights", sourceWeights);
        DistributedGraph.checkWeights(endpoint, "adjacentGraph", "destinationWeights", destinationWeights);
        return DistributedGraphCommunicator.create(this, "adjacentGraph", DistributedGraph.agreedAdjacent(
                endpoint, sources, sourceWeights, destinations, destinationWeights));
    }

    /**
     * Lets the others reach a buffer of this rank: a primitive array, {@code ByteBuffer} or {@code MemorySegment}, of
     * any size on any rank. Memory from {@link World#allocate} is reached without this rank's help. All ranks call it.
     *
     * @param displacementUnit bytes in which the others count their way into this buffer
     */
    public Window window(Object buffer, int displacementUnit) {
        endpoint.checkUsable();
        return Window.over(this, buffer, displacementUnit);
    }

    /** As {@link #window}, over new memory that all can reach: {@link Window#memory}. All ranks call it. */
    public Window allocateWindow(long bytes, int displacementUnit) {
        endpoint.checkUsable();
        return Window.allocate(this, bytes, displacementUnit, "allocateWindow");
    }

    /** As {@link #allocateWindow}; every rank's part can also be used directly: {@link Window#shared}. */
    public Window sharedWindow(long bytes, int displacementUnit) {
        endpoint.checkUsable();
        return Window.allocate(this, bytes, displacementUnit, "sharedWindow");
    }

    /** A window without memory: each rank attaches and detaches some as it goes, see {@link Window#attach}. */
    public Window dynamicWindow() {
        endpoint.checkUsable();
        return Window.dynamic(this);
    }

    /** The work queues of this rank's device. */
    public Work work() {
        endpoint.checkUsable();
        return new Work(this);
    }

    @Override
    public void free() {
        endpoint.checkThere();
        if (this == world.communicator()) {
            throw endpoint.error(ErrorClass.COMMUNICATOR, "free: the world's communicator ends with its world");
        }
        attributes.deleteAll();
        endpoint.free();
    }

    // Messages from one rank to another.

    @Override
    public void send(Object buffer, int dest, int tag) {
        messages.send(Mode.STANDARD, buffer, dest, tag);
    }

    @Override
    public void send(Object buffer, int offset, int count, int dest, int tag) {
        messages.send(Mode.STANDARD, buffer, offset, count, dest, tag);
    }

    @Override
    public void send(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        messages.send(Mode.STANDARD, buffer, offset, count, Datatype.layout(type), dest, tag);
    }

    @Override
    public void ssend(Object buffer, int dest, int tag) {
        messages.send(Mode.SYNCHRONOUS, buffer, dest, tag);
    }

    @Override
    public void ssend(Object buffer, int offset, int count, int dest, int tag) {
        messages.send(Mode.SYNCHRONOUS, buffer, offset, count, dest, tag);
    }

    @Override
    public void ssend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        messages.send(Mode.SYNCHRONOUS, buffer, offset, count, Datatype.layout(type), dest, tag);
    }

    @Override
    public void bsend(Object buffer, int dest, int tag) {
        messages.send(Mode.BUFFERED, buffer, dest, tag);
    }

    @Override
    public void bsend(Object buffer, int offset, int count, int dest, int tag) {
        messages.send(Mode.BUFFERED, buffer, offset, count, dest, tag);
    }

    @Override
    public void bsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        messages.send(Mode.BUFFERED, buffer, offset, count, Datatype.layout(type), dest, tag);
    }

    @Override
    public void rsend(Object buffer, int dest, int tag) {
        messages.send(Mode.READY, buffer, dest, tag);
    }

    @Override
    public void rsend(Object buffer, int offset, int count, int dest, int tag) {
        messages.send(Mode.READY, buffer, offset, count, dest, tag);
    }

    @Override
    public void rsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        messages.send(Mode.READY, buffer, offset, count, Datatype.layout(type), dest, tag);
    }

    @Override
    public Request isend(Object buffer, int dest, int tag) {
        return request("isend", messages.isend(Mode.STANDARD, buffer, 0, endpoint.lengthOf(buffer), dest, tag));
    }

    @Override
    public Request isend(Object buffer, int offset, int count, int dest, int tag) {
        return request("isend", messages.isend(Mode.STANDARD, buffer, offset, count, dest, tag));
    }

    @Override
    public Request isend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("isend", messages.isend(Mode.STANDARD, buffer, offset, count, Datatype.layout(type), dest, tag));
    }

    @Override
    public Request issend(Object buffer, int dest, int tag) {
        return request("isend", messages.isend(Mode.SYNCHRONOUS, buffer, 0, endpoint.lengthOf(buffer), dest, tag));
    }

    @Override
    public Request issend(Object buffer, int offset, int count, int dest, int tag) {
        return request("isend", messages.isend(Mode.SYNCHRONOUS, buffer, offset, count, dest, tag));
    }

    @Override
    public Request issend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("isend", messages.isend(Mode.SYNCHRONOUS, buffer, offset, count, Datatype.layout(type), dest,
                tag));
    }

    @Override
    public Request ibsend(Object buffer, int dest, int tag) {
        return request("isend", messages.isend(Mode.BUFFERED, buffer, 0, endpoint.lengthOf(buffer), dest, tag));
    }

    @Override
    public Request ibsend(Object buffer, int offset, int count, int dest, int tag) {
        return request("isend", messages.isend(Mode.BUFFERED, buffer, offset, count, dest, tag));
    }

    @Override
    public Request ibsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("isend", messages.isend(Mode.BUFFERED, buffer, offset, count, Datatype.layout(type), dest, tag));
    }

    @Override
    public Request irsend(Object buffer, int dest, int tag) {
        return request("isend", messages.isend(Mode.READY, buffer, 0, endpoint.lengthOf(buffer), dest, tag));
    }

    @Override
    public Request irsend(Object buffer, int offset, int count, int dest, int tag) {
        return request("isend", messages.isend(Mode.READY, buffer, offset, count, dest, tag));
    }

    @Override
    public Request irsend(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("isend", messages.isend(Mode.READY, buffer, offset, count, Datatype.layout(type), dest, tag));
    }

    @Override
    public Request sendInit(Object buffer, int offset, int count, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.STANDARD, buffer, offset, count, dest, tag));
    }

    @Override
    public Request sendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.STANDARD, buffer, offset, count,
                Datatype.layout(type), dest, tag));
    }

    @Override
    public Request ssendInit(Object buffer, int offset, int count, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.SYNCHRONOUS, buffer, offset, count, dest, tag));
    }

    @Override
    public Request ssendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.SYNCHRONOUS, buffer, offset, count,
                Datatype.layout(type), dest, tag));
    }

    @Override
    public Request bsendInit(Object buffer, int offset, int count, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.BUFFERED, buffer, offset, count, dest, tag));
    }

    @Override
    public Request bsendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.BUFFERED, buffer, offset, count,
                Datatype.layout(type), dest, tag));
    }

    @Override
    public Request rsendInit(Object buffer, int offset, int count, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.READY, buffer, offset, count, dest, tag));
    }

    @Override
    public Request rsendInit(Object buffer, long offset, long count, Datatype type, int dest, int tag) {
        return request("persistent send", messages.persistentSend(Mode.READY, buffer, offset, count,
                Datatype.layout(type), dest, tag));
    }

    @Override
    public Status receive(Object buffer, int source, int tag) {
        return Status.of(messages.receive(buffer, source, tag));
    }

    @Override
    public Status receive(Object buffer, int offset, int count, int source, int tag) {
        return Status.of(messages.receive(buffer, offset, count, source, tag));
    }

    @Override
    public Status receive(Object buffer, long offset, long count, Datatype type, int source, int tag) {
        return Status.of(messages.receive(buffer, offset, count, Datatype.layout(type), source, tag));
    }

    @Override
    public Status receive(Parcel into, Datatype type, int source, int tag) {
        return Status.of(messages.receive(Parcel.room(into), Datatype.layout(type), source, tag));
    }

    @Override
    public Request irecv(Object buffer, int source, int tag) {
        return request("irecv", messages.irecv(buffer, 0, endpoint.lengthOf(buffer), source, tag, false));
    }

    @Override
    public Request irecv(Object buffer, int offset, int count, int source, int tag) {
        return request("irecv", messages.irecv(buffer, offset, count, source, tag, false));
    }

    @Override
    public Request irecv(Object buffer, long offset, long count, Datatype type, int source, int tag) {
        return request("irecv", messages.irecv(buffer, offset, count, Datatype.layout(type), source, tag, false));
    }

    @Override
    public Request irecv(Parcel into, Datatype type, int source, int tag) {
        return request("irecv", messages.irecv(Parcel.room(into), Datatype.layout(type), source, tag));
    }

    @Override
    public Request receiveInit(Object buffer, int offset, int count, int source, int tag) {
        return request("receive", messages.persistentReceive(buffer, offset, count, source, tag));
    }

    @Override
    public Request receiveInit(Object buffer, long offset, long count, Datatype type, int source, int tag) {
        return request("receive", messages.persistentReceive(buffer, offset, count, Datatype.layout(type), source,
                tag));
    }

    @Override
    public Status sendReceive(Object sendBuffer, int dest, int sendTag, Object receiveBuffer, int source,
            int receiveTag) {
        return Status.of(messages.sendReceive(sendBuffer, 0, endpoint.lengthOf(sendBuffer), dest, sendTag,
                receiveBuffer, 0, endpoint.lengthOf(receiveBuffer), source, receiveTag));
    }

    @Override
    public Status sendReceive(Object sendBuffer, int sendOffset, int sendCount, int dest, int sendTag,
            Object receiveBuffer, int receiveOffset, int receiveCount, int source, int receiveTag) {
        return Status.of(messages.sendReceive(sendBuffer, sendOffset, sendCount, dest, sendTag, receiveBuffer,
                receiveOffset, receiveCount, source, receiveTag));
    }

    @Override
    public Status sendReceive(Object sendBuffer, long sendOffset, long sendCount, Datatype sendType, int dest,
            int sendTag, Object receiveBuffer, long receiveOffset, long receiveCount, Datatype receiveType, int source,
            int receiveTag) {
        return Status.of(messages.sendReceive(sendBuffer, sendOffset, sendCount, Datatype.layout(sendType), dest,
                sendTag, receiveBuffer, receiveOffset, receiveCount, Datatype.layout(receiveType), source, receiveTag));
    }

    @Override
    public Status sendReceiveReplace(Object buffer, long offset, long count, Datatype type, int dest, int sendTag,
            int source, int receiveTag) {
        return Status.of(messages.sendReceiveReplace(buffer, offset, count, Datatype.layout(type), dest, sendTag,
                source, receiveTag));
    }

    @Override
    public Status probe(int source, int tag) {
        return Status.of(messages.probe(source, tag));
    }

    @Override
    public Optional<Status> iprobe(int source, int tag) {
        return Optional.ofNullable(messages.iprobe(source, tag)).map(Status::of);
    }

    @Override
    public Message mprobe(int source, int tag) {
        return new Message(endpoint, messages, messages.mprobe(source, tag));
    }

    @Override
    public Optional<Message> improbe(int source, int tag) {
        return Optional.ofNullable(messages.improbe(source, tag)).map(found -> new Message(endpoint, messages, found));
    }

    @Override
    public Status mreceive(Object buffer, Message message) {
        return messages.given("argument message", message).receive(buffer);
    }

    @Override
    public Status mreceive(Object buffer, long offset, long count, Datatype type, Message message) {
        return messages.given("argument message", message).irecv(buffer, offset, count, type).await();
    }

    @Override
    public void sendObject(Object value, int dest, int tag) {
        if (endpoint.destOf(dest, tag) != NONE) {
            messages.sendObject(world.encode(value), dest, tag);
        }
    }

    @Override
    public Request isendObject(Object value, int dest, int tag) {
        endpoint.destOf(dest, tag);
        return request("isendObject", messages.isendObject(world.encode(value), dest, tag));
    }

    @Override
    public <T> T receiveObject(Class<T> type, int source, int tag) {
        messages.given("receiveObject: argument type", type);
        return receiveObject(type, mprobe(source, tag));
    }

    @Override
    public <T> T receiveObject(Class<T> type, Message message) {
        messages.given("receiveObject: argument type", type);
        return world.decode(messages.given("argument message", message).receiveBytes(), type);
    }

    // Collectives.

    /** Returns when all ranks have come here. */
    public void barrier() {
        run(Kind.BARRIER, null, 0, null, 0, 0, null, 0);
    }

    /** Starts {@link #barrier()} and returns at once; await the request. */
    public Request ibarrier() {
        return start(Kind.BARRIER, null, 0, null, 0, 0, null, 0);
    }

    /** A persistent {@link #barrier()}: each {@link Request#start} starts the call once more. */
    public Request barrierInit() {
        return persistent(Kind.BARRIER, null, 0, null, 0, 0, null, 0);
    }

    /** The root's buffer goes to all. */
    public void broadcast(Object buffer, int root) {
        broadcast(buffer, 0, elements(buffer, buffer), root);
    }

    /** As {@link #broadcast(Object, int)}, with a part of the buffer. */
    public void broadcast(Object buffer, int offset, int count, int root) {
        run(Kind.BROADCAST, null, 0, buffer, offset, count, null, root);
    }

    /** Starts {@link #broadcast(Object, int)} and returns at once; await the request. */
    public Request ibroadcast(Object buffer, int root) {
        return ibroadcast(buffer, 0, elements(buffer, buffer), root);
    }

    /** Starts {@link #broadcast(Object, int, int, int)} and returns at once; await the request. */
    public Request ibroadcast(Object buffer, int offset, int count, int root) {
        return start(Kind.BROADCAST, null, 0, buffer, offset, count, null, root);
    }

    /** A persistent {@link #broadcast(Object, int, int, int)}: each {@link Request#start} starts the call once more. */
    public Request broadcastInit(Object buffer, int offset, int count, int root) {
        return persistent(Kind.BROADCAST, null, 0, buffer, offset, count, null, root);
    }

    /** Blocks of all ranks come together at the root, in their order; other ranks' {@code out} may be null. */
    public void gather(Object in, Object out, int root) {
        gather(in, 0, out, 0, elements(in, out, false), root);
    }

    /** As {@link #gather(Object, Object, int)}, with a part of the buffer. */
    public void gather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(Kind.GATHER, in, inOffset, out, outOffset, count, null, root);
    }

    /** Starts {@link #gather(Object, Object, int)} and returns at once; await the request. */
    public Request igather(Object in, Object out, int root) {
        return igather(in, 0, out, 0, elements(in, out, false), root);
    }

    /** Starts {@link #gather(Object, int, Object, int, int, int)} and returns at once; await the request. */
    public Request igather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return start(Kind.GATHER, in, inOffset, out, outOffset, count, null, root);
    }

    /**
     * A persistent {@link #gather(Object, int, Object, int, int, int)}: each {@link Request#start} starts the call once
     * more.
     */
    public Request gatherInit(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return persistent(Kind.GATHER, in, inOffset, out, outOffset, count, null, root);
    }

    /** The root's blocks go one to each rank; other ranks' {@code in} may be null. */
    public void scatter(Object in, Object out, int root) {
        scatter(in, 0, out, 0, elements(out, in, false), root);
    }

    /** As {@link #scatter(Object, Object, int)}, with a part of the buffer. */
    public void scatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(Kind.SCATTER, in, inOffset, out, outOffset, count, null, root);
    }

    /** Starts {@link #scatter(Object, Object, int)} and returns at once; await the request. */
    public Request iscatter(Object in, Object out, int root) {
        return iscatter(in, 0, out, 0, elements(out, in, false), root);
    }

    /** Starts {@link #scatter(Object, int, Object, int, int, int)} and returns at once; await the request. */
    public Request iscatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return start(Kind.SCATTER, in, inOffset, out, outOffset, count, null, root);
    }

    /**
     * A persistent {@link #scatter(Object, int, Object, int, int, int)}: each {@link Request#start} starts the call
     * once more.
     */
    public Request scatterInit(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        return persistent(Kind.SCATTER, in, inOffset, out, outOffset, count, null, root);
    }

    /** Blocks of all ranks come together at all. */
    public void allgather(Object in, Object out) {
        allgather(in, 0, out, 0, elements(in, out, false));
    }

    /** As {@link #allgather(Object, Object)}, with a part of the buffer. */
    public void allgather(Object in, int inOffset, Object out, int outOffset, int count) {
        run(Kind.ALLGATHER, in, inOffset, out, outOffset, count, null, 0);
    }

    /** Starts {@link #allgather(Object, Object)} and returns at once; await the request. */
    public Request iallgather(Object in, Object out) {
        return iallgather(in, 0, out, 0, elements(in, out, false));
    }

    /** Starts {@link #allgather(Object, int, Object, int, int)} and returns at once; await the request. */
    public Request iallgather(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(Kind.ALLGATHER, in, inOffset, out, outOffset, count, null, 0);
    }

    /**
     * A persistent {@link #allgather(Object, int, Object, int, int)}: each {@link Request#start} starts the call once
     * more.
     */
    public Request allgatherInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(Kind.ALLGATHER, in, inOffset, out, outOffset, count, null, 0);
    }

    /** Block i goes to rank i, and the block of rank i comes to place i. */
    public void alltoall(Object in, Object out) {
        alltoall(in, 0, out, 0, elements(out, in, true));
    }

    /** As {@link #alltoall(Object, Object)}, with a part of the buffer. */
    public void alltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        run(Kind.ALLTOALL, in, inOffset, out, outOffset, count, null, 0);
    }

    /** Starts {@link #alltoall(Object, Object)} and returns at once; await the request. */
    public Request ialltoall(Object in, Object out) {
        return ialltoall(in, 0, out, 0, elements(out, in, true));
    }

    /** Starts {@link #alltoall(Object, int, Object, int, int)} and returns at once; await the request. */
    public Request ialltoall(Object in, int inOffset, Object out, int outOffset, int count) {
        return start(Kind.ALLTOALL, in, inOffset, out, outOffset, count, null, 0);
    }

    /**
     * A persistent {@link #alltoall(Object, int, Object, int, int)}: each {@link Request#start} starts the call once
     * more.
     */
    public Request alltoallInit(Object in, int inOffset, Object out, int outOffset, int count) {
        return persistent(Kind.ALLTOALL, in, inOffset, out, outOffset, count, null, 0);
    }

    /** The vectors of all ranks are combined, element by element, at the root. */
    public void reduce(Object in, Object out, Op op, int root) {
        reduce(in, 0, out, 0, elements(in, out), op, root);
    }

    /** As {@link #reduce(Object, Object, Op, int)}, with a part of the buffer. */
    public void reduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        run(Kind.REDUCE, in, inOffset, out, outOffset, count, op, root);
    }

    /** Starts {@link #reduce(Object, Object, Op, int)} and returns at once; await the request. */
    public Request ireduce(Object in, Object out, Op op, int root) {
        return ireduce(in, 0, out, 0, elements(in, out), op, root);
    }

    /** Starts {@link #reduce(Object, int, Object, int, int, Op, int)} and returns at once; await the request. */
    public Request ireduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        return start(Kind.REDUCE, in, inOffset, out, outOffset, count, op, root);
    }

    /**
     * A persistent {@link #reduce(Object, int, Object, int, int, Op, int)}: each {@link Request#start} starts the call
     * once more.
     */
    public Request reduceInit(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        return persistent(Kind.REDUCE, in, inOffset, out, outOffset, count, op, root);
    }

    /** The vectors of all ranks are combined, element by element, for all. */
    public void allreduce(Object in, Object out, Op op) {
        allreduce(in, 0, out, 0, elements(in, out), op);
    }

    /** As {@link #allreduce(Object, Object, Op)}, with a part of the buffer. */
    public void allreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(Kind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Starts {@link #allreduce(Object, Object, Op)} and returns at once; await the request. */
    public Request iallreduce(Object in, Object out, Op op) {
        return iallreduce(in, 0, out, 0, elements(in, out), op);
    }

    /** Starts {@link #allreduce(Object, int, Object, int, int, Op)} and returns at once; await the request. */
    public Request iallreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(Kind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0);
    }

    /**
     * A persistent {@link #allreduce(Object, int, Object, int, int, Op)}: each {@link Request#start} starts the call
     * once more.
     */
    public Request allreduceInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(Kind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0);
    }

    /** The vectors of all ranks are combined and block i goes to rank i. */
    public void reduceScatterBlock(Object in, Object out, Op op) {
        reduceScatterBlock(in, 0, out, 0, elements(in == IN_PLACE ? IN_PLACE : out, out, false), op);
    }

    /** As {@link #reduceScatterBlock(Object, Object, Op)}, with a part of the buffer. */
    public void reduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(Kind.REDUCE_SCATTER_BLOCK, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Starts {@link #reduceScatterBlock(Object, Object, Op)} and returns at once; await the request. */
    public Request ireduceScatterBlock(Object in, Object out, Op op) {
        return ireduceScatterBlock(in, 0, out, 0, elements(in == IN_PLACE ? IN_PLACE : out, out, false), op);
    }

    /** Starts {@link #reduceScatterBlock(Object, int, Object, int, int, Op)} and returns at once; await the request. */
    public Request ireduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(Kind.REDUCE_SCATTER_BLOCK, in, inOffset, out, outOffset, count, op, 0);
    }

    /**
     * A persistent {@link #reduceScatterBlock(Object, int, Object, int, int, Op)}: each {@link Request#start} starts
     * the call once more.
     */
    public Request reduceScatterBlockInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(Kind.REDUCE_SCATTER_BLOCK, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Each rank gets the vectors of the ranks up to and with itself, combined. */
    public void scan(Object in, Object out, Op op) {
        scan(in, 0, out, 0, elements(in, out), op);
    }

    /** As {@link #scan(Object, Object, Op)}, with a part of the buffer. */
    public void scan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(Kind.SCAN, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Starts {@link #scan(Object, Object, Op)} and returns at once; await the request. */
    public Request iscan(Object in, Object out, Op op) {
        return iscan(in, 0, out, 0, elements(in, out), op);
    }

    /** Starts {@link #scan(Object, int, Object, int, int, Op)} and returns at once; await the request. */
    public Request iscan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(Kind.SCAN, in, inOffset, out, outOffset, count, op, 0);
    }

    /**
     * A persistent {@link #scan(Object, int, Object, int, int, Op)}: each {@link Request#start} starts the call once
     * more.
     */
    public Request scanInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(Kind.SCAN, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Each rank gets the vectors of the ranks before it, combined; the {@code out} of rank 0 stays as it is. */
    public void exscan(Object in, Object out, Op op) {
        exscan(in, 0, out, 0, elements(in, out), op);
    }

    /** As {@link #exscan(Object, Object, Op)}, with a part of the buffer. */
    public void exscan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(Kind.EXSCAN, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Starts {@link #exscan(Object, Object, Op)} and returns at once; await the request. */
    public Request iexscan(Object in, Object out, Op op) {
        return iexscan(in, 0, out, 0, elements(in, out), op);
    }

    /** Starts {@link #exscan(Object, int, Object, int, int, Op)} and returns at once; await the request. */
    public Request iexscan(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return start(Kind.EXSCAN, in, inOffset, out, outOffset, count, op, 0);
    }

    /**
     * A persistent {@link #exscan(Object, int, Object, int, int, Op)}: each {@link Request#start} starts the call once
     * more.
     */
    public Request exscanInit(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        return persistent(Kind.EXSCAN, in, inOffset, out, outOffset, count, op, 0);
    }

    /** As gather, with blocks of different lengths; the root says how long each is and where it goes. */
    public void gatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets, int root) {
        run(Kind.GATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, root);
    }

    /** Starts {@link #gatherv(Object, int, int, Object, int[], int[], int)} and returns at once; await the request. */
    public Request igatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets, int root) {
        return start(Kind.GATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, root);
    }

    /**
     * A persistent {@link #gatherv(Object, int, int, Object, int[], int[], int)}: each {@link Request#start} starts the
     * call once more.
     */
    public Request gathervInit(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets,
            int root) {
        return persistent(Kind.GATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, root);
    }

    /** As scatter, with blocks of different lengths; the root says how long each is and where it lies. */
    public void scatterv(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount, int root) {
        run(Kind.SCATTERV, Side.of(in, counts, offsets), Side.of(out, outOffset, outCount), null, root);
    }

    /** Starts {@link #scatterv(Object, int[], int[], Object, int, int, int)} and returns at once; await the request. */
    public Request iscatterv(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount,
            int root) {
        return start(Kind.SCATTERV, Side.of(in, counts, offsets), Side.of(out, outOffset, outCount), null, root);
    }

    /**
     * A persistent {@link #scatterv(Object, int[], int[], Object, int, int, int)}: each {@link Request#start} starts
     * the call once more.
     */
    public Request scattervInit(Object in, int[] counts, int[] offsets, Object out, int outOffset, int outCount,
            int root) {
        return persistent(Kind.SCATTERV, Side.of(in, counts, offsets), Side.of(out, outOffset, outCount), null, root);
    }

    /** As allgather, with blocks of different lengths; each rank says where they go. */
    public void allgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        run(Kind.ALLGATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, 0);
    }

    /** Starts {@link #allgatherv(Object, int, int, Object, int[], int[])} and returns at once; await the request. */
    public Request iallgatherv(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return start(Kind.ALLGATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, 0);
    }

    /**
     * A persistent {@link #allgatherv(Object, int, int, Object, int[], int[])}: each {@link Request#start} starts the
     * call once more.
     */
    public Request allgathervInit(Object in, int inOffset, int inCount, Object out, int[] counts, int[] offsets) {
        return persistent(Kind.ALLGATHERV, Side.of(in, inOffset, inCount), Side.of(out, counts, offsets), null, 0);
    }

    /** As alltoall, with blocks of different lengths. */
    public void alltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts, int[] outOffsets) {
        run(Kind.ALLTOALLV, Side.of(in, inCounts, inOffsets), Side.of(out, outCounts, outOffsets), null, 0);
    }

    /** Starts {@link #alltoallv(Object, int[], int[], Object, int[], int[])} and returns at once; await the request. */
    public Request ialltoallv(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return start(Kind.ALLTOALLV, Side.of(in, inCounts, inOffsets), Side.of(out, outCounts, outOffsets), null, 0);
    }

    /**
     * A persistent {@link #alltoallv(Object, int[], int[], Object, int[], int[])}: each {@link Request#start} starts
     * the call once more.
     */
    public Request alltoallvInit(Object in, int[] inCounts, int[] inOffsets, Object out, int[] outCounts,
            int[] outOffsets) {
        return persistent(Kind.ALLTOALLV, Side.of(in, inCounts, inOffsets), Side.of(out, outCounts, outOffsets), null,
                0);
    }

    /** As reduceScatterBlock, with blocks of different lengths. */
    public void reduceScatter(Object in, Object out, int[] counts, Op op) {
        run(Kind.REDUCE_SCATTER, Side.cut(in, counts), Side.of(out, 0, 0), op, 0);
    }

    /** Starts {@link #reduceScatter(Object, Object, int[], Op)} and returns at once; await the request. */
    public Request ireduceScatter(Object in, Object out, int[] counts, Op op) {
        return start(Kind.REDUCE_SCATTER, Side.cut(in, counts), Side.of(out, 0, 0), op, 0);
    }

    /**
     * A persistent {@link #reduceScatter(Object, Object, int[], Op)}: each {@link Request#start} starts the call once
     * more.
     */
    public Request reduceScatterInit(Object in, Object out, int[] counts, Op op) {
        return persistent(Kind.REDUCE_SCATTER, Side.cut(in, counts), Side.of(out, 0, 0), op, 0);
    }

    /** Each rank gets the elements of the ranks up to and with itself, combined. */
    public void scan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset, long outCount,
            Datatype outType, Op op) {
        run(Kind.SCAN, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op, 0);
    }

    /**
     * Starts {@link #scan(Object, long, long, Datatype, Object, long, long, Datatype, Op)} and returns at once; await
     * the request.
     */
    public Request iscan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(Kind.SCAN, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op, 0);
    }

    /**
     * A persistent {@link #scan(Object, long, long, Datatype, Object, long, long, Datatype, Op)}: each
     * {@link Request#start} starts the call once more.
     */
    public Request scanInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(Kind.SCAN, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op,
                0);
    }

    /** Each rank gets the elements of the ranks before it, combined; the {@code out} of rank 0 stays as it is. */
    public void exscan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(Kind.EXSCAN, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op, 0);
    }

    /**
     * Starts {@link #exscan(Object, long, long, Datatype, Object, long, long, Datatype, Op)} and returns at once; await
     * the request.
     */
    public Request iexscan(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(Kind.EXSCAN, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op, 0);
    }

    /**
     * A persistent {@link #exscan(Object, long, long, Datatype, Object, long, long, Datatype, Op)}: each
     * {@link Request#start} starts the call once more.
     */
    public Request exscanInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(Kind.EXSCAN, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op,
                0);
    }

    // Collectives with datatypes.

    @Override
    public void broadcast(Object buffer, long offset, long count, Datatype type, int root) {
        run(Kind.BROADCAST, null, side(buffer, offset, count, type), null, root);
    }

    @Override
    public Request ibroadcast(Object buffer, long offset, long count, Datatype type, int root) {
        return start(Kind.BROADCAST, null, side(buffer, offset, count, type), null, root);
    }

    @Override
    public Request broadcastInit(Object buffer, long offset, long count, Datatype type, int root) {
        return persistent(Kind.BROADCAST, null, side(buffer, offset, count, type), null, root);
    }

    @Override
    public void gather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        run(Kind.GATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null, root);
    }

    @Override
    public Request igather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return start(Kind.GATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null,
                root);
    }

    @Override
    public Request gatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return persistent(Kind.GATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType),
                null, root);
    }

    @Override
    public void gatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root) {
        run(Kind.GATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts, outDisplacements,
                outType), null, root);
    }

    @Override
    public Request igatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root) {
        return start(Kind.GATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, root);
    }

    @Override
    public Request gathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType, int root) {
        return persistent(Kind.GATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, root);
    }

    @Override
    public void scatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        run(Kind.SCATTER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null, root);
    }

    @Override
    public Request iscatter(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return start(Kind.SCATTER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null,
                root);
    }

    @Override
    public Request scatterInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, int root) {
        return persistent(Kind.SCATTER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType),
                null, root);
    }

    @Override
    public void scatterv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, int root) {
        run(Kind.SCATTERV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset, outCount,
                outType), null, root);
    }

    @Override
    public Request iscatterv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, long outCount, Datatype outType, int root) {
        return start(Kind.SCATTERV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset,
                outCount, outType), null, root);
    }

    @Override
    public Request scattervInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, long outCount, Datatype outType, int root) {
        return persistent(Kind.SCATTERV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset,
                outCount, outType), null, root);
    }

    @Override
    public void allgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(Kind.ALLGATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null, 0);
    }

    @Override
    public Request iallgather(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return start(Kind.ALLGATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null,
                0);
    }

    @Override
    public Request allgatherInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return persistent(Kind.ALLGATHER, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType),
                null, 0);
    }

    @Override
    public void allgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(Kind.ALLGATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts, outDisplacements,
                outType), null, 0);
    }

    @Override
    public Request iallgatherv(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(Kind.ALLGATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, 0);
    }

    @Override
    public Request allgathervInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(Kind.ALLGATHERV, side(in, inOffset, inCount, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, 0);
    }

    @Override
    public void alltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        run(Kind.ALLTOALL, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null, 0);
    }

    @Override
    public Request ialltoall(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return start(Kind.ALLTOALL, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), null,
                0);
    }

    @Override
    public Request alltoallInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType) {
        return persistent(Kind.ALLTOALL, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType),
                null, 0);
    }

    @Override
    public void alltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType, Object out,
            long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        run(Kind.ALLTOALLV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset, outCounts,
                outDisplacements, outType), null, 0);
    }

    @Override
    public Request ialltoallv(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return start(Kind.ALLTOALLV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset,
                outCounts, outDisplacements, outType), null, 0);
    }

    @Override
    public Request alltoallvInit(Object in, long inOffset, int[] inCounts, int[] inDisplacements, Datatype inType,
            Object out, long outOffset, int[] outCounts, int[] outDisplacements, Datatype outType) {
        return persistent(Kind.ALLTOALLV, side(in, inOffset, inCounts, inDisplacements, inType), side(out, outOffset,
                outCounts, outDisplacements, outType), null, 0);
    }

    @Override
    public void alltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        run(Kind.ALLTOALLW, side(in, inCounts, inDisplacements, inTypes), side(out, outCounts, outDisplacements,
                outTypes), null, 0);
    }

    @Override
    public Request ialltoallw(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return start(Kind.ALLTOALLW, side(in, inCounts, inDisplacements, inTypes), side(out, outCounts,
                outDisplacements, outTypes), null, 0);
    }

    @Override
    public Request alltoallwInit(Object in, int[] inCounts, long[] inDisplacements, Datatype[] inTypes, Object out,
            int[] outCounts, long[] outDisplacements, Datatype[] outTypes) {
        return persistent(Kind.ALLTOALLW, side(in, inCounts, inDisplacements, inTypes), side(out, outCounts,
                outDisplacements, outTypes), null, 0);
    }

    @Override
    public void reduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        run(Kind.REDUCE, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op, root);
    }

    @Override
    public Request ireduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        return start(Kind.REDUCE, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op,
                root);
    }

    @Override
    public Request reduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op, int root) {
        return persistent(Kind.REDUCE, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op,
                root);
    }

    @Override
    public void allreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(Kind.ALLREDUCE, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op, 0);
    }

    @Override
    public Request iallreduce(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(Kind.ALLREDUCE, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op,
                0);
    }

    @Override
    public Request allreduceInit(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return persistent(Kind.ALLREDUCE, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType),
                op, 0);
    }

    @Override
    public void reduceScatterBlock(Object in, long inOffset, long inCount, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(Kind.REDUCE_SCATTER_BLOCK, side(in, inOffset, inCount, inType), side(out, outOffset, outCount, outType), op,
                0);
    }

    @Override
    public Request ireduceScatterBlock(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, Op op) {
        return start(Kind.REDUCE_SCATTER_BLOCK, side(in, inOffset, inCount, inType), side(out, outOffset, outCount,
                outType), op, 0);
    }

    @Override
    public Request reduceScatterBlockInit(Object in, long inOffset, long inCount, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, Op op) {
        return persistent(Kind.REDUCE_SCATTER_BLOCK, side(in, inOffset, inCount, inType), side(out, outOffset, outCount,
                outType), op, 0);
    }

    @Override
    public void reduceScatter(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        run(Kind.REDUCE_SCATTER, cut(in, inOffset, inCounts, inType), side(out, outOffset, outCount, outType), op, 0);
    }

    @Override
    public Request ireduceScatter(Object in, long inOffset, int[] inCounts, Datatype inType, Object out, long outOffset,
            long outCount, Datatype outType, Op op) {
        return start(Kind.REDUCE_SCATTER, cut(in, inOffset, inCounts, inType), side(out, outOffset, outCount, outType),
                op, 0);
    }

    @Override
    public Request reduceScatterInit(Object in, long inOffset, int[] inCounts, Datatype inType, Object out,
            long outOffset, long outCount, Datatype outType, Op op) {
        return persistent(Kind.REDUCE_SCATTER, cut(in, inOffset, inCounts, inType), side(out, outOffset, outCount,
                outType), op, 0);
    }

    // Below the calls.

    /** The number of elements of a vector. */
    private int elements(Object first, Object second) {
        return Math.toIntExact(endpoint.lengthOf(first == IN_PLACE ? second : first));
    }

    /** Elements of a block: all of a buffer that holds one, or a part of one that holds a block for each rank. */
    private int elements(Object first, Object second, boolean holdsAll) {
        Object buffer = first == IN_PLACE ? second : first;
        return Math.toIntExact(
                holdsAll || first == IN_PLACE ? endpoint.share(buffer, size()) : endpoint.lengthOf(buffer));
    }

    /** What is made out of this communicator starts with its error handler. */
    final <C extends Communicator> C made(C child) {
        child.errorHandler(errorHandler);
        return child;
    }

    private Optional<Communicator> made(Optional<Endpoint> child) {
        return child.map(each -> made(new Communicator(world, each)));
    }

    private Intercommunicator joined(Endpoint between) {
        Intercommunicator made = new Intercommunicator(world, between);
        made.errorHandler(errorHandler);
        return made;
    }

    World world() {
        return world;
    }

    private Request request(String call, Operation operation) {
        return new Request(endpoint, call, operation);
    }

    private Request request(String call, Supplier<Operation> persistent) {
        return new Request(endpoint, call, persistent);
    }

    /** Makes a call of consecutive elements. */
    final void run(Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Op op, int root) {
        collectives.run(collectives.bind(kind, in, inOffset, out, outOffset, count, Op.operator(op), root, false));
    }

    final Request start(Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Op op, int root) {
        return start(collectives.bind(kind, in, inOffset, out, outOffset, count, Op.operator(op), root, false));
    }

    final Request persistent(
            Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Op op, int root) {
        return persistent(collectives.bind(kind, in, inOffset, out, outOffset, count, Op.operator(op), root, true));
    }

    /** Makes a call of blocks of any form. */
    final void run(Kind kind, Side in, Side out, Op op, int root) {
        collectives.run(collectives.bind(kind, in, out, Op.operator(op), root, false));
    }

    final Request start(Kind kind, Side in, Side out, Op op, int root) {
        return start(collectives.bind(kind, in, out, Op.operator(op), root, false));
    }

    final Request persistent(Kind kind, Side in, Side out, Op op, int root) {
        return persistent(collectives.bind(kind, in, out, Op.operator(op), root, true));
    }

    private Request start(Collective call) {
        return new Request(endpoint, call, collectives.start(call));
    }

    private Request persistent(Collective call) {
        return new Request(endpoint, call, collectives.persistent(call));
    }

    Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
