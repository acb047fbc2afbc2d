package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.type.ElementType;
import io.rankwire.wire.MatchWord;

/**
 * One communicator, or one side of an intercommunicator, as this rank sees it: its ranks, the context that keeps its
 * messages apart, and the collective calls made so far.
 */
public final class Endpoint extends CallChecks {
    /** Matches every rank, or every tag. */
    public static final int ANY = -1;
    /** The rank that is no rank. */
    public static final int NONE = -2;

    /** What the root of a call between two groups gives for itself. */
    public static final int ROOT = -3;

    private static final int MEMOS = 64;

    private final Host host;
    private final RankSet group;
    /** The ranks that messages go to and come from: the same group, or the other one of two. */
    private final RankSet peers;
    /** All ranks that can send hidden messages to each other, in the same order everywhere. */
    private final RankSet everyone;
    private final int peerCount;
    private final int context;
    private volatile String name;
    private final Messenger messages;
    private final Messenger hidden;
    private final Runner collectives;
    /** Values that receives ended with of late: most receives end like one before, and then allocate nothing. */
    private final Memo[] memos = new Memo[MEMOS];
    /** The one used last: a window of receives ends with the same value over and over. */
    private Memo last = new Memo(0, 0, Received.NOTHING);
    private boolean freed;
    private boolean ofWindow;
    /** Freed, or its world is closed: one look on the way of every message; {@link #checkUsable} says which. */
    private boolean unusable;

    private record Memo(long word, long size, Received received) {}

    /** A communicator of a group. */
    public Endpoint(Session session, RankSet group, int context, String name) {
        this(session, group, group, group, context, name);
    }

    private Endpoint(
            Session session, RankSet group, RankSet peers, RankSet everyone, int context, String name) {
        super(session, group.rankOf(session.worldRank()));
        this.host = session.host();
        this.group = group;
        this.peers = peers;
        this.everyone = everyone;
        this.peerCount = peers.size();
        this.context = context;
        this.name = name;
        this.messages = new Messenger(host, this, context);
        this.hidden = new Messenger(host, this, context | Contexts.HIDDEN);
        this.collectives = new Runner(this);
    }

    /** One side of an intercommunicator. The group of the rank that numbered the context comes first among all. */
    public static Endpoint between(Session session, RankSet group, RankSet peers, int context, String name) {
        boolean first = group.rankOf(Contexts.owner(context)) >= 0;
        RankSet everyone = first ? group.union(peers) : peers.union(group);
        return new Endpoint(session, group, peers, everyone, context, name);
    }

    /** Whether this is one side of an intercommunicator. */
    public boolean isBetweenGroups() {
        return group != peers;
    }

    public int size() {
        return group.size();
    }

    /** The ranks of this side. */
    public RankSet group() {
        return group;
    }

    public RankSet peers() {
        return peers;
    }

    public RankSet everyone() {
        return everyone;
    }

    /** The ranks that schedules of collectives number: this rank's group, then the other one if there are two. */
    public RankSet team() {
        return isBetweenGroups() ? group.union(peers) : group;
    }

    @Override
    public String name() {
        return name;
    }

    public void name(String other) {
        if (other == null) {
            throw error(ErrorClass.ARGUMENT, "name: argument other is null");
        }
        name = other;
    }

    public Host host() {
        return host;
    }

    public int context() {
        return context;
    }

    /** The messages of the program. */
    public Messenger messages() {
        return messages;
    }

    /** Messages of the library between these ranks. */
    public Messenger hidden() {
        return hidden;
    }

    /** The collective calls made here. */
    public Runner collectives() {
        return collectives;
    }

    /** The world rank of a destination, or {@link #NONE}. */
    public int destOf(int dest, int tag) {
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

    /** The world rank of a source, {@link MatchWord#ANY} or {@link #NONE}. */
    public int sourceOf(int source, int tag) {
        if (source < ANY || source >= peerCount || tag < ANY || unusable) {
            return unusualSource(source, tag);
        }
        return source == ANY ? MatchWord.ANY : peers.worldRankOf(source);
    }

    private int unusualSource(int source, int tag) {
        checkUsable();
        if (source != NONE && (source < ANY || source >= peerCount)) {
            throw error(ErrorClass.RANK, "argument source: " + source + " is not a rank of " + name + ", which has "
                    + peerCount);
        }
        if (tag < ANY) {
            throw error(ErrorClass.TAG, "argument tag: " + tag + " is no tag");
        }
        return source;
    }

    public void checkOpen() {
        if (session().isClosed()) {
            throw error(ErrorClass.CLOSED, "the world is closed");
        }
    }

    @Override
    public void checkUsable() {
        checkOpen();
        if (freed) {
            throw error(ErrorClass.COMMUNICATOR, name + " was freed");
        }
    }

    void worldClosed() {
        unusable = true;
    }

    /** Ends this endpoint's context; all its ranks call it. */
    public void free() {
        session().contexts().free(this);
        freed = true;
        unusable = true;
    }

    /** The rank here of the world rank of a peer. */
    public int rankOf(int worldRank) {
        return peers.rankOf(worldRank);
    }

    /** How reports name a rank. */
    public String nameOf(int worldRank) {
        int known = rankOf(worldRank);
        if (!isBetweenGroups()) {
            return "rank " + known;
        }
        return known >= 0 ? "rank " + known + " of the other side"
                : "rank " + group.rankOf(worldRank) + " of this side";
    }

    /** Marks the messages as those by which ranks of a window say that they have posted or completed. */
    public void isOfWindow() {
        ofWindow = true;
    }

    /** The call of a window that waits for a message of this tag, or null where messages are the program's own. */
    public String waiting(int tag) {
        return !ofWindow ? null : tag == WindowTags.POST ? "start, which waits for post by "
                : tag == WindowTags.COMPLETE ? "await, which waits for complete by " : null;
    }

    /** What a message of this tag says that no call has waited for; null as above. */
    public String unheard(int tag) {
        return !ofWindow ? null : tag == WindowTags.POST ? "post, without start here, by "
                : tag == WindowTags.COMPLETE ? "complete, without await here, by " : null;
    }

    /** What a receive that is done has received. */
    public Received received(Operation receive) {
        Memo memo = last;
        return memo.word == receive.metWord() && memo.size == receive.metSize() ? memo.received : older(receive);
    }

    private Received older(Operation receive) {
        long word = receive.metWord();
        long size = receive.metSize();
        long mixed = word + size * 31;
        int place = (int) (mixed ^ mixed >>> 31) & MEMOS - 1;
        Memo memo = memos[place];
        if (memo == null || memo.word != word || memo.size != size) {
            memo = new Memo(word, size, new Received(rankOf(receive.source()), receive.matchedTag(),
                    receive.matchedBytes(), ElementType.of(receive.matchedType()), false));
            memos[place] = memo;
        }
        last = memo;
        return memo.received;
    }

    /** What a message is that was found and not received. */
    public Received found(Unexpected message) {
        return new Received(rankOf(message.source()), message.tag(), message.bytes(),
                ElementType.of(message.elementType()), false);
    }

    @Override
    public String toString() {
        String facing = isBetweenGroups() ? ", facing " + peerCount : "";
        return name + " (rank " + rank() + " of " + size() + facing + ")";
    }
}
