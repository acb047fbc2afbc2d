package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.device.Unexpected;
import io.rankwire.type.ElementType;
import io.rankwire.wire.MatchWord;
import java.util.Optional;

/**
 * Messages from one rank to another, as a {@link Communicator} offers them within a group and an
 * {@link Intercommunicator} between two.
 */
public abstract sealed class PointToPoint extends Attributed permits TypedMessages {
    /** Matches messages of every rank. */
    public static final int ANY_SOURCE = -1;
    /** Matches messages of every tag. */
    public static final int ANY_TAG = -1;
    /** A rank that is nobody: sends to it and receives from it are done at once and move nothing. */
    public static final int NONE = -2;

    private static final int STATUSES = 64;

    private final World world;
    private final Host host;
    private final Group group;
    /** Whom messages go to and come from: the same group, or the other one of two. */
    private final Group peers;
    private final int rank;
    private final int peerCount;
    private final int context;
    private volatile String name;
    private final Messenger messages;
    private final Messenger hidden;
    /** Statuses given out of late: most receives end like one before, and then allocate nothing. */
    private final StatusMemo[] memos = new StatusMemo[STATUSES];
    /** The one given out last: a window of receives ends with the same status over and over. */
    private StatusMemo last = new StatusMemo(0, 0, Status.NOTHING);
    private boolean freed;
    private boolean ofWindow;
    /** Freed, or its world is closed: one look on the way of every message; {@link #checkUsable} says which. */
    private boolean unusable;

    PointToPoint(World world, Group group, Group peers, int context, String name) {
        this.world = world;
        this.host = world.host();
        this.group = group;
        this.peers = peers;
        this.rank = group.rankOf(world.worldRank());
        this.peerCount = peers.size();
        this.context = context;
        this.name = name;
        this.messages = new Messenger(host, on(), context);
        this.hidden = new Messenger(host, on(), context | Contexts.HIDDEN);
    }

    PointToPoint on() {
        return this;
    }

    public int rank() {
        return rank;
    }

    public int size() {
        return group.size();
    }

    /** The ranks of this communicator. */
    public Group group() {
        return group;
    }

    /** How reports call it: {@code world}, {@code world.split(1)} … */
    @Override
    public String name() {
        return name;
    }

    /** Gives it a name for reports on this rank. */
    public void name(String other) {
        if (other == null) {
            throw error(ErrorClass.ARGUMENT, "name: argument other is null");
        }
        name = other;
    }

    /** What was made out of this one has its handler. */
    final <C extends PointToPoint> C made(C child) {
        child.errorHandler(errorHandler());
        return child;
    }

    /** An error of a call: {@code what} names it, its argument and the value. */
    final RankwireException error(ErrorClass errorClass, String what) {
        return raised(new RankwireException(errorClass, "rank " + rank + ": " + CallSite.tell(what)));
    }

    /** Sends; returns when the buffer may be used again. */
    public void send(Object buffer, int dest, int tag) {
        send(Mode.STANDARD, buffer, dest, tag);
    }

    public void send(Object buffer, int offset, int count, int dest, int tag) {
        send(Mode.STANDARD, buffer, offset, count, dest, tag);
    }

    /** Sends; returns when the message has met its receive. */
    public void ssend(Object buffer, int dest, int tag) {
        send(Mode.SYNCHRONOUS, buffer, dest, tag);
    }

    public void ssend(Object buffer, int offset, int count, int dest, int tag) {
        send(Mode.SYNCHRONOUS, buffer, offset, count, dest, tag);
    }

    /** Sends without ever waiting: what cannot leave at once is copied. */
    public void bsend(Object buffer, int dest, int tag) {
        send(Mode.BUFFERED, buffer, dest, tag);
    }

    public void bsend(Object buffer, int offset, int count, int dest, int tag) {
        send(Mode.BUFFERED, buffer, offset, count, dest, tag);
    }

    /** Sends to a receive that the program knows to be posted. */
    public void rsend(Object buffer, int dest, int tag) {
        send(Mode.READY, buffer, dest, tag);
    }

    public void rsend(Object buffer, int offset, int count, int dest, int tag) {
        send(Mode.READY, buffer, offset, count, dest, tag);
    }

    /** Starts a send; the buffer must not change until it is done. */
    public Request isend(Object buffer, int dest, int tag) {
        return isend(Mode.STANDARD, buffer, 0, all(buffer), dest, tag);
    }

    public Request isend(Object buffer, int offset, int count, int dest, int tag) {
        return isend(Mode.STANDARD, buffer, offset, count, dest, tag);
    }

    public Request issend(Object buffer, int dest, int tag) {
        return isend(Mode.SYNCHRONOUS, buffer, 0, all(buffer), dest, tag);
    }

    public Request issend(Object buffer, int offset, int count, int dest, int tag) {
        return isend(Mode.SYNCHRONOUS, buffer, offset, count, dest, tag);
    }

    public Request ibsend(Object buffer, int dest, int tag) {
        return isend(Mode.BUFFERED, buffer, 0, all(buffer), dest, tag);
    }

    public Request ibsend(Object buffer, int offset, int count, int dest, int tag) {
        return isend(Mode.BUFFERED, buffer, offset, count, dest, tag);
    }

    public Request irsend(Object buffer, int dest, int tag) {
        return isend(Mode.READY, buffer, 0, all(buffer), dest, tag);
    }

    public Request irsend(Object buffer, int offset, int count, int dest, int tag) {
        return isend(Mode.READY, buffer, offset, count, dest, tag);
    }

    /** Receives the earliest message that matches; source and tag may be wildcards. */
    public Status receive(Object buffer, int source, int tag) {
        ElementType type = typeOf(buffer);
        return receive(buffer, type, 0, Buffers.length(buffer), source, tag);
    }

    public Status receive(Object buffer, int offset, int count, int source, int tag) {
        ElementType type = typeOf(buffer);
        checkPart(buffer, offset, count);
        return receive(buffer, type, offset, count, source, tag);
    }

    /** Starts a receive; the buffer must be left alone until it is done. */
    public Request irecv(Object buffer, int source, int tag) {
        return irecv(buffer, 0L, all(buffer), source, tag, false);
    }

    public Request irecv(Object buffer, int offset, int count, int source, int tag) {
        return irecv(buffer, (long) offset, count, source, tag, false);
    }

    /** Sends and receives at once, so that a ring of ranks can do it without order. */
    public Status sendReceive(
            Object sendBuffer, int dest, int sendTag, Object receiveBuffer, int source, int receiveTag) {
        checkSend(sendBuffer, 0, all(sendBuffer), dest, sendTag);
        Request received = irecv(receiveBuffer, 0, all(receiveBuffer), source, receiveTag, true);
        return sendBeside(received, sendBuffer, 0, all(sendBuffer), dest, sendTag);
    }

    public Status sendReceive(Object sendBuffer, int sendOffset, int sendCount, int dest, int sendTag,
            Object receiveBuffer, int receiveOffset, int receiveCount, int source, int receiveTag) {
        checkSend(sendBuffer, sendOffset, sendCount, dest, sendTag);
        Request received = irecv(receiveBuffer, receiveOffset, receiveCount, source, receiveTag, true);
        return sendBeside(received, sendBuffer, sendOffset, sendCount, dest, sendTag);
    }

    private Status sendBeside(Request received, Object buffer, long offset, long count, int dest, int tag) {
        ElementType type = typeOf(buffer);
        return sendBeside(received, Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(),
                count * type.bytes(), type, destOf(dest, tag), tag);
    }

    /** The rest of a call that has started a receive, and also sends. */
    final Status sendBeside(Request received, Object base, long start, long bytes, ElementType type, int to, int tag) {
        try {
            if (to != NONE) {
                messages.send(Mode.STANDARD, base, start, bytes, type, to, tag);
            }
        } catch (RankwireException e) {
            received.giveUp(e);
            throw e;
        }
        return received.await();
    }

    /** Waits for a message that matches and says what it is; it stays where it is. */
    public Status probe(int source, int tag) {
        int from = sourceOf(source, tag);
        return from == NONE ? Status.NOTHING : status(messages.await(from, tag, false, "probe"));
    }

    /** What a message that matches is, if one is here. */
    public Optional<Status> iprobe(int source, int tag) {
        int from = sourceOf(source, tag);
        if (from == NONE) {
            return Optional.of(Status.NOTHING);
        }
        Unexpected found = messages.look(from, tag, false);
        return found == null ? Optional.empty() : Optional.of(status(found));
    }

    /** Waits for a message that matches and takes it: only {@link #mreceive} gets it. */
    public Message mprobe(int source, int tag) {
        Unexpected found = messages.await(realSourceOf(source, tag), tag, true, "mprobe");
        return new Message(on(), messages, found, status(found));
    }

    /** Takes a message that matches, if one is here. */
    public Optional<Message> improbe(int source, int tag) {
        Unexpected found = messages.look(realSourceOf(source, tag), tag, true);
        return found == null ? Optional.empty() : Optional.of(new Message(on(), messages, found, status(found)));
    }

    /** Receives a message taken by {@link #mprobe}. */
    public Status mreceive(Object buffer, Message message) {
        return given(message).receive(buffer);
    }

    /** A persistent send: {@link Request#start} sends the buffer as it is then. */
    public Request sendInit(Object buffer, int offset, int count, int dest, int tag) {
        return persistentSend(Mode.STANDARD, buffer, offset, count, dest, tag);
    }

    public Request ssendInit(Object buffer, int offset, int count, int dest, int tag) {
        return persistentSend(Mode.SYNCHRONOUS, buffer, offset, count, dest, tag);
    }

    public Request bsendInit(Object buffer, int offset, int count, int dest, int tag) {
        return persistentSend(Mode.BUFFERED, buffer, offset, count, dest, tag);
    }

    public Request rsendInit(Object buffer, int offset, int count, int dest, int tag) {
        return persistentSend(Mode.READY, buffer, offset, count, dest, tag);
    }

    /** A persistent receive. */
    public Request receiveInit(Object buffer, int offset, int count, int source, int tag) {
        ElementType type = typeOf(buffer);
        checkPart(buffer, offset, count);
        checkWritable(buffer);
        int from = sourceOf(source, tag);
        Object base = Buffers.base(buffer);
        long start = Buffers.start(buffer) + (long) offset * type.bytes();
        long bytes = (long) count * type.bytes();
        return new Request(on(), "receive",
                () -> from == NONE ? null : messages.irecv(base, start, bytes, type, from, tag));
    }

    /** Sends an object, encoded by the world's codec. */
    public void sendObject(Object value, int dest, int tag) {
        int to = destOf(dest, tag);
        if (to != NONE) {
            byte[] bytes = world.encode(value);
            messages.send(Mode.STANDARD, bytes, 0, bytes.length, ElementType.OBJECT, to, tag);
        }
    }

    /** Starts sending an object; it is encoded before the call returns. */
    public Request isendObject(Object value, int dest, int tag) {
        int to = destOf(dest, tag);
        byte[] bytes = world.encode(value);
        return new Request(on(), "isendObject", to == NONE ? null
                : messages.isend(Mode.STANDARD, bytes, 0, bytes.length, ElementType.OBJECT, to, tag), Status.SENT);
    }

    /** Receives an object of the given type, which must be what the codec can make. */
    public <T> T receiveObject(Class<T> type, int source, int tag) {
        if (type == null) {
            throw error(ErrorClass.ARGUMENT, "receiveObject: argument type is null");
        }
        return receiveObject(type, mprobe(source, tag));
    }

    /** Receives an object from a message taken by {@link #mprobe}; its status says who sent it. */
    public <T> T receiveObject(Class<T> type, Message message) {
        if (type == null) {
            throw error(ErrorClass.ARGUMENT, "receiveObject: argument type is null");
        }
        return world.decode(given(message).receiveBytes(), type);
    }

    final Message given(Message message) {
        if (message == null) {
            throw error(ErrorClass.ARGUMENT, "argument message is null");
        }
        return message;
    }

    @Override
    public String toString() {
        return name + " (rank " + rank + " of " + size() + ")";
    }

    private void send(Mode mode, Object buffer, int dest, int tag) {
        ElementType type = typeOf(buffer);
        int to = destOf(dest, tag);
        if (to != NONE) {
            long bytes = Buffers.length(buffer) * type.bytes();
            messages.send(mode, Buffers.base(buffer), Buffers.start(buffer), bytes, type, to, tag);
        }
    }

    private void send(Mode mode, Object buffer, int offset, int count, int dest, int tag) {
        ElementType type = typeOf(buffer);
        checkPart(buffer, offset, count);
        int to = destOf(dest, tag);
        if (to != NONE) {
            messages.send(mode, Buffers.base(buffer), Buffers.start(buffer) + (long) offset * type.bytes(),
                    (long) count * type.bytes(), type, to, tag);
        }
    }

    private Request isend(Mode mode, Object buffer, long offset, long count, int dest, int tag) {
        ElementType type = typeOf(buffer);
        checkPart(buffer, offset, count);
        int to = destOf(dest, tag);
        Operation operation = to == NONE ? null
                : messages.isend(mode, Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(),
                        count * type.bytes(), type, to, tag);
        if (operation != null) {
            host().leaveBehind();
        }
        return new Request(on(), "isend", operation, Status.SENT);
    }

    private Request persistentSend(Mode mode, Object buffer, int offset, int count, int dest, int tag) {
        ElementType type = typeOf(buffer);
        checkPart(buffer, offset, count);
        int to = destOf(dest, tag);
        Object base = Buffers.base(buffer);
        long start = Buffers.start(buffer) + (long) offset * type.bytes();
        long bytes = (long) count * type.bytes();
        return new Request(on(), "persistent send",
                () -> to == NONE ? null : messages.isend(mode, base, start, bytes, type, to, tag));
    }

    private Status receive(Object buffer, ElementType type, long offset, long count, int source, int tag) {
        checkWritable(buffer);
        int from = sourceOf(source, tag);
        return from == NONE
                ? Status.NOTHING
                : messages.receive(Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(),
                        count * type.bytes(), type, from, tag);
    }

    private Request irecv(Object buffer, long offset, long count, int source, int tag, boolean ofCall) {
        ElementType type = typeOf(buffer);
        checkPart(buffer, offset, count);
        checkWritable(buffer);
        int from = sourceOf(source, tag);
        long bytes = count * type.bytes();
        Operation operation = from == NONE ? null
                : messages.irecv(Buffers.base(buffer), Buffers.start(buffer) + offset * type.bytes(), bytes, type, from,
                        tag, ofCall);
        if (bytes >= Host.LARGE_BYTES) {
            host().leaveBehind();
        }
        return new Request(on(), ofCall ? "sendReceive" : "irecv", operation, Status.NOTHING);
    }

    private long all(Object buffer) {
        typeOf(buffer);
        return Buffers.length(buffer);
    }

    /** So that a call that does both has started nothing when its send cannot be. */
    private void checkSend(Object buffer, long offset, long count, int dest, int tag) {
        typeOf(buffer);
        checkPart(buffer, offset, count);
        destOf(dest, tag);
    }

    int destOf(int dest, int tag) {
        if (dest < 0 || dest >= peerCount || tag < 0 || unusable) {
            return unusualDest(dest, tag);
        }
        return peers.worldRankOf(dest);
    }

    private int unusualDest(int dest, int tag) {
        checkUsable();
        if (dest != NONE && (dest < 0 || dest >= peerCount)) {
            throw error(ErrorClass.RANK, "argument dest: " + dest + " is not a rank of " + name + ", which has "
                    + peerCount);
        }
        if (tag < 0) {
            throw error(ErrorClass.TAG, "argument tag: " + tag + " is below zero");
        }
        return dest;
    }

    int sourceOf(int source, int tag) {
        if (source < ANY_SOURCE || source >= peerCount || tag < ANY_TAG || unusable) {
            return unusualSource(source, tag);
        }
        return source == ANY_SOURCE ? MatchWord.ANY : peers.worldRankOf(source);
    }

    private int unusualSource(int source, int tag) {
        checkUsable();
        if (source != NONE && (source < ANY_SOURCE || source >= peerCount)) {
            throw error(ErrorClass.RANK, "argument source: " + source + " is not a rank of " + name + ", which has "
                    + peerCount);
        }
        if (tag < ANY_TAG) {
            throw error(ErrorClass.TAG, "argument tag: " + tag + " is no tag");
        }
        return source;
    }

    private int realSourceOf(int source, int tag) {
        int from = sourceOf(source, tag);
        if (from == NONE) {
            throw error(ErrorClass.RANK, "argument source: this call needs a rank, not NONE");
        }
        return from;
    }

    void checkOpen() {
        if (world.isClosed()) {
            throw error(ErrorClass.CLOSED, "the world is closed");
        }
    }

    @Override
    void checkUsable() {
        checkOpen();
        if (freed) {
            throw error(ErrorClass.COMMUNICATOR, name + " was freed");
        }
    }

    void worldClosed() {
        unusable = true;
    }

    void freed() {
        freed = true;
        unusable = true;
    }

    /** The rank here of the world rank of a peer. */
    int rankOf(int worldRank) {
        return peers.rankOf(worldRank);
    }

    /** Who can be told something by hidden messages, in the same order everywhere. */
    Group everyone() {
        return group;
    }

    /** Whom schedules of collectives number: this rank's group, and behind it the other one if there are two. */
    Group team() {
        return group;
    }

    /** Its messages are those by which ranks of a window tell each other that they have posted or completed. */
    void isOfWindow() {
        ofWindow = true;
    }

    /** The call of a window that waits for a message of this tag, or null where messages are the program's own. */
    String waiting(int tag) {
        return !ofWindow ? null : tag == Window.POST ? "start, which waits for post by "
                : tag == Window.COMPLETE ? "await, which waits for complete by " : null;
    }

    /** What a message of this tag says that no call has waited for; null as above. */
    String unheard(int tag) {
        return !ofWindow ? null : tag == Window.POST ? "post, without start here, by "
                : tag == Window.COMPLETE ? "complete, without await here, by " : null;
    }

    /** How reports name a peer. */
    String nameOf(int worldRank) {
        return "rank " + rankOf(worldRank);
    }

    Group peers() {
        return peers;
    }

    World world() {
        return world;
    }

    Host host() {
        return host;
    }

    int context() {
        return context;
    }

    Messenger messages() {
        return messages;
    }

    /** Messages of the library itself between these ranks. */
    Messenger hidden() {
        return hidden;
    }

    Status status(Operation receive) {
        StatusMemo memo = last;
        return memo.word == receive.metWord() && memo.size == receive.metSize() ? memo.status : olderStatus(receive);
    }

    private Status olderStatus(Operation receive) {
        long word = receive.metWord();
        long size = receive.metSize();
        long mixed = word + size * 31;
        int place = (int) (mixed ^ mixed >>> 31) & STATUSES - 1;
        StatusMemo memo = memos[place];
        if (memo == null || memo.word != word || memo.size != size) {
            memo = new StatusMemo(word, size, newStatus(receive));
            memos[place] = memo;
        }
        last = memo;
        return memo.status;
    }

    private Status newStatus(Operation receive) {
        return new Status(rankOf(receive.source()), receive.matchedTag(), receive.matchedBytes(),
                ElementType.of(receive.matchedType()), false);
    }

    private record StatusMemo(long word, long size, Status status) {}

    private Status status(Unexpected found) {
        return new Status(
                rankOf(found.source()), found.tag(), found.bytes(), ElementType.of(found.elementType()), false);
    }
}
