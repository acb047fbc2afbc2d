package io.rankwire;

import static io.rankwire.Datatype.cut;
import static io.rankwire.Datatype.side;

import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.runtime.Attributes;
import io.rankwire.runtime.Communicators;
import io.rankwire.runtime.Consensus;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Intercommunicators;
import io.rankwire.runtime.PointToPoint;
import io.rankwire.runtime.collective.Collective;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.runtime.collective.Shape.Kind;
import io.rankwire.runtime.collective.Side;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two groups without a rank in common, whose ranks send messages to the other group: every rank that a call takes or
 * gives is one of the other side. Made by {@link Communicator#intercommunicator}. The calls for messages between two
 * ranks, and collectives with datatypes, are described in {@link AnyCommunicator}.
 *
 * <p>In collectives, which come in the same three forms as in a {@link Communicator}, one side gives what the other
 * gets. All ranks of both sides call them, in the same order.
 *
 * <p>In calls with a root, data goes from the root to all of the other side, or from all of the other side to the root.
 * The root says {@link #ROOT}, the other ranks of its side {@link #NONE} (their buffers may be null), and the ranks of
 * the other side the root's rank. In calls without, both sides give and get at once, and each may give blocks of a
 * length of its own. A buffer cannot be both read and written.
 *
 * <pre>{@code
 * // Rank 2 of one side sends to all of the other.
 * inter.broadcast(news, mine ? (inter.rank() == 2 ? ROOT : NONE) : 2);
 * }</pre>
 */
public final class Intercommunicator implements AnyCommunicator {
    /** What the root of a call gives for it. */
    public static final int ROOT = -3;

    private final World world;
    private final Endpoint endpoint;
    private final Group group;
    private final Group remoteGroup;
    private final PointToPoint messages;
    private final Runner collectives;
    private final Attributes attributes;
    private volatile ErrorHandler errorHandler = ErrorHandler.THROW;

    Intercommunicator(World world, Endpoint endpoint) {
        this.world = world;
        this.endpoint = endpoint;
        this.group = new Group(endpoint.group());
        this.remoteGroup = new Group(endpoint.peers());
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

    /** How many ranks the other side has. */
    public int remoteSize() {
        return remoteGroup.size();
    }

    /** The ranks of the other side. */
    public Group remoteGroup() {
        return remoteGroup;
    }

    /** An intercommunicator of the same ranks, with messages of its own. All ranks of both sides call it. */
    public Intercommunicator duplicate() {
        endpoint.checkUsable();
        Map<Attributes.Key, Object> copies = attributes.copies();
        Intercommunicator copy = new Intercommunicator(world, Communicators.duplicate(endpoint));
        copy.errorHandler(errorHandler);
        copy.attributes.addAll(copies);
        return copy;
    }

    /**
     * A communicator of both sides, the side that is not high first. If both say the same, one of them comes first, the
     * same for all. All ranks of both sides call it; all of one side say the same.
     */
    public Communicator merge(boolean high) {
        Communicator merged = new Communicator(world, Intercommunicators.merge(endpoint, high));
        merged.errorHandler(errorHandler);
        return merged;
    }

    /** How this one and another stand to each other, worse of the two sides; nothing is sent. */
    public Comparison compare(Intercommunicator other) {
        endpoint.checkUsable();
        if (messages.given("compare: argument other", other) == this) {
            return Comparison.IDENTICAL;
        }
        Comparison near = group.compare(other.group);
        Comparison far = remoteGroup.compare(other.remoteGroup);
        Comparison worse = near.compareTo(far) > 0 ? near : far;
        return worse == Comparison.IDENTICAL ? Comparison.CONGRUENT : worse;
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
    public Intercommunicator shrink() {
        Intercommunicator live = new Intercommunicator(world, endpoint.session().consensus().shrink(endpoint));
        live.errorHandler(errorHandler);
        return live;
    }

    @Override
    public void free() {
        endpoint.checkThere();
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

    // Collectives between the two sides.

    /** Returns when all ranks of both sides have come here. */
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

    /** The root's buffer goes to all of the other side. */
    public void broadcast(Object buffer, int root) {
        broadcast(buffer, 0, elements(buffer, root), root);
    }

    /** As {@link #broadcast(Object, int)}, with a part of the buffer. */
    public void broadcast(Object buffer, int offset, int count, int root) {
        run(Kind.BROADCAST, null, 0, buffer, offset, count, null, root);
    }

    /** Starts {@link #broadcast(Object, int)} and returns at once; await the request. */
    public Request ibroadcast(Object buffer, int root) {
        return ibroadcast(buffer, 0, elements(buffer, root), root);
    }

    /** Starts {@link #broadcast(Object, int, int, int)} and returns at once; await the request. */
    public Request ibroadcast(Object buffer, int offset, int count, int root) {
        return start(Kind.BROADCAST, null, 0, buffer, offset, count, null, root);
    }

    /** A persistent {@link #broadcast(Object, int, int, int)}: each {@link Request#start} starts the call once more. */
    public Request broadcastInit(Object buffer, int offset, int count, int root) {
        return persistent(Kind.BROADCAST, null, 0, buffer, offset, count, null, root);
    }

    /** Blocks of all ranks of the other side come together at the root, in their order. */
    public void gather(Object in, Object out, int root) {
        gather(in, 0, out, 0, block(out, in, root), root);
    }

    /** As {@link #gather(Object, Object, int)}, with a part of the buffer. */
    public void gather(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(Kind.GATHER, in, inOffset, out, outOffset, count, null, root);
    }

    /** Starts {@link #gather(Object, Object, int)} and returns at once; await the request. */
    public Request igather(Object in, Object out, int root) {
        return igather(in, 0, out, 0, block(out, in, root), root);
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

    /** The root's blocks go one to each rank of the other side. */
    public void scatter(Object in, Object out, int root) {
        scatter(in, 0, out, 0, block(in, out, root), root);
    }

    /** As {@link #scatter(Object, Object, int)}, with a part of the buffer. */
    public void scatter(Object in, int inOffset, Object out, int outOffset, int count, int root) {
        run(Kind.SCATTER, in, inOffset, out, outOffset, count, null, root);
    }

    /** Starts {@link #scatter(Object, Object, int)} and returns at once; await the request. */
    public Request iscatter(Object in, Object out, int root) {
        return iscatter(in, 0, out, 0, block(in, out, root), root);
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

    /** The vectors of all ranks of the other side are combined, element by element, at the root. */
    public void reduce(Object in, Object out, Op op, int root) {
        reduce(in, 0, out, 0, elements(root == ROOT ? out : in, root), op, root);
    }

    /** As {@link #reduce(Object, Object, Op, int)}, with a part of the buffer. */
    public void reduce(Object in, int inOffset, Object out, int outOffset, int count, Op op, int root) {
        run(Kind.REDUCE, in, inOffset, out, outOffset, count, op, root);
    }

    /** Starts {@link #reduce(Object, Object, Op, int)} and returns at once; await the request. */
    public Request ireduce(Object in, Object out, Op op, int root) {
        return ireduce(in, 0, out, 0, elements(root == ROOT ? out : in, root), op, root);
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

    /**
     * The blocks of each side come together at every rank of the other. The lengths of the two sides' blocks may
     * differ.
     */
    public void allgather(Object in, Object out) {
        allgather(in, 0, elements(in), out, 0, block(out));
    }

    /** As {@link #allgather(Object, Object)}, with a part of the buffer. */
    public void allgather(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        run(Kind.ALLGATHER, Side.of(in, inOffset, inCount), Side.of(out, outOffset, outCount), null, 0);
    }

    /** Starts {@link #allgather(Object, Object)} and returns at once; await the request. */
    public Request iallgather(Object in, Object out) {
        return iallgather(in, 0, elements(in), out, 0, block(out));
    }

    /** Starts {@link #allgather(Object, int, int, Object, int, int)} and returns at once; await the request. */
    public Request iallgather(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return start(Kind.ALLGATHER, Side.of(in, inOffset, inCount), Side.of(out, outOffset, outCount), null, 0);
    }

    /**
     * A persistent {@link #allgather(Object, int, int, Object, int, int)}: each {@link Request#start} starts the call
     * once more.
     */
    public Request allgatherInit(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return persistent(Kind.ALLGATHER, Side.of(in, inOffset, inCount), Side.of(out, outOffset, outCount), null, 0);
    }

    /**
     * Block i goes to rank i of the other side, and the block of its rank i comes to place i. The lengths of the two
     * sides' blocks may differ.
     */
    public void alltoall(Object in, Object out) {
        alltoall(in, 0, block(in), out, 0, block(out));
    }

    /** As {@link #alltoall(Object, Object)}, with a part of the buffer. */
    public void alltoall(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        run(Kind.ALLTOALL, Side.of(in, inOffset, inCount), Side.of(out, outOffset, outCount), null, 0);
    }

    /** Starts {@link #alltoall(Object, Object)} and returns at once; await the request. */
    public Request ialltoall(Object in, Object out) {
        return ialltoall(in, 0, block(in), out, 0, block(out));
    }

    /** Starts {@link #alltoall(Object, int, int, Object, int, int)} and returns at once; await the request. */
    public Request ialltoall(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return start(Kind.ALLTOALL, Side.of(in, inOffset, inCount), Side.of(out, outOffset, outCount), null, 0);
    }

    /**
     * A persistent {@link #alltoall(Object, int, int, Object, int, int)}: each {@link Request#start} starts the call
     * once more.
     */
    public Request alltoallInit(Object in, int inOffset, int inCount, Object out, int outOffset, int outCount) {
        return persistent(Kind.ALLTOALL, Side.of(in, inOffset, inCount), Side.of(out, outOffset, outCount), null, 0);
    }

    /** The vectors of each side are combined, element by element, for all ranks of the other. */
    public void allreduce(Object in, Object out, Op op) {
        allreduce(in, 0, out, 0, elements(in), op);
    }

    /** As {@link #allreduce(Object, Object, Op)}, with a part of the buffer. */
    public void allreduce(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(Kind.ALLREDUCE, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Starts {@link #allreduce(Object, Object, Op)} and returns at once; await the request. */
    public Request iallreduce(Object in, Object out, Op op) {
        return iallreduce(in, 0, out, 0, elements(in), op);
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

    /**
     * The vectors of each side are combined, and block i goes to rank i of the other. The vectors of both sides are of
     * one length, and each side cuts it into as many blocks as it has ranks.
     */
    public void reduceScatterBlock(Object in, Object out, Op op) {
        reduceScatterBlock(in, 0, out, 0, elements(out), op);
    }

    /** As {@link #reduceScatterBlock(Object, Object, Op)}, with a part of the buffer. */
    public void reduceScatterBlock(Object in, int inOffset, Object out, int outOffset, int count, Op op) {
        run(Kind.REDUCE_SCATTER_BLOCK, in, inOffset, out, outOffset, count, op, 0);
    }

    /** Starts {@link #reduceScatterBlock(Object, Object, Op)} and returns at once; await the request. */
    public Request ireduceScatterBlock(Object in, Object out, Op op) {
        return ireduceScatterBlock(in, 0, out, 0, elements(out), op);
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

    /** As reduceScatterBlock, with blocks of different lengths, one for each rank of this side. */
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

    private int elements(Object buffer) {
        return Math.toIntExact(endpoint.lengthOf(buffer));
    }

    /** A rank that has nothing to do may give anything. */
    private int elements(Object buffer, int root) {
        return root == NONE ? 0 : elements(buffer);
    }

    /** Elements of one block of a buffer that holds one for each rank of the other side. */
    private int block(Object all) {
        return Math.toIntExact(endpoint.share(all, remoteSize()));
    }

    private int block(Object all, Object one, int root) {
        return root == ROOT ? block(all) : elements(one, root);
    }

    private Request request(String call, Operation operation) {
        return new Request(endpoint, call, operation);
    }

    private Request request(String call, Supplier<Operation> persistent) {
        return new Request(endpoint, call, persistent);
    }

    /** Makes a call of consecutive elements. */
    private void run(Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Op op, int root) {
        collectives.run(collectives.bind(kind, in, inOffset, out, outOffset, count, Op.operator(op), root, false));
    }

    private Request start(
            Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Op op, int root) {
        return start(collectives.bind(kind, in, inOffset, out, outOffset, count, Op.operator(op), root, false));
    }

    private Request persistent(
            Kind kind, Object in, long inOffset, Object out, long outOffset, long count, Op op, int root) {
        return persistent(collectives.bind(kind, in, inOffset, out, outOffset, count, Op.operator(op), root, true));
    }

    /** Makes a call of blocks of any form. */
    private void run(Kind kind, Side in, Side out, Op op, int root) {
        collectives.run(collectives.bind(kind, in, out, Op.operator(op), root, false));
    }

    private Request start(Kind kind, Side in, Side out, Op op, int root) {
        return start(collectives.bind(kind, in, out, Op.operator(op), root, false));
    }

    private Request persistent(Kind kind, Side in, Side out, Op op, int root) {
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
