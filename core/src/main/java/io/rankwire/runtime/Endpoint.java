package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.device.Operation;
import io.rankwire.device.Unexpected;
import io.rankwire.device.match.QueueHints;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.runtime.collective.Runner;
import io.rankwire.type.ElementType;
import io.rankwire.wire.MatchWord;

/**
 * The state of one communicator, or of one side of an intercommunicator, on this rank: its ranks, the context that
 * separates its messages from others, and its collective calls. The facades of the API pass their calls on to it.
 */
public final class Endpoint extends CallChecks {
    /** Matches every rank, or every tag. */
    public static final int ANY = -1;
    /** The rank of no process: messages to and from it are not transferred. */
    public static final int NONE = -2;

    /** The root rank that the root of a call between two groups passes. */
    public static final int ROOT = -3;

    /** A power of two. */
    private static final int MEMOS = 64;

    private final Host host;
    private final RankSet group;
    /** The ranks that messages go to and come from: the same group, or the other group of an intercommunicator. */
    private final RankSet peers;
    /** All ranks that can send hidden messages to each other, in the same order on every rank. */
    private final RankSet everyone;
    private final int peerCount;
    private final int context;
    /** How often the number of the context was used before. */
    private final int use;
    private volatile String name;
    private final Messenger messages;
    private final Messenger hidden;
    private final Runner collectives;
    private final MemberLosses members = new MemberLosses(this);
    /** Whether the device knows the members, and how many calls they have agreed on; guarded by the device's lock. */
    boolean joined;
    int agreements;
    /** Results of recent receives: most receives have the result of an earlier one, and then allocate nothing. */
    private final Memo[] memos = new Memo[MEMOS];
    /** The result used last: receives that are posted together often have the same result. */
    private Memo last = new Memo(0, 0, Received.NOTHING);
    private boolean freed;
    private Meaning[] meanings = {};
    /** Freed, or its world is closed. Every message checks this one field; {@link #checkUsable} finds the reason. */
    private boolean unusable;
    /** The least source and tag of a receive: {@link #ANY}, or 0 where the program has promised not to use that. */
    private int leastSource = ANY;
    private int leastTag = ANY;
    private volatile QueueHints queueHints;
    private final int mostTag;

    /**
     * What messages of one tag mean to the program, where the library sends them for its calls; a rank follows.
     *
     * @param waiting the call that waits for one
     * @param unheard the call that sent one for which no call has waited
     */
    public record Meaning(String waiting, String unheard) {}

    private record Memo(long word, long size, Received received) {}

    /** Creates a communicator of a group. */
    Endpoint(Session session, RankSet group, long context, String name) {
        this(session, group, group, group, context, name);
    }

    private Endpoint(Session session, RankSet group, RankSet peers, RankSet everyone, long context, String name) {
        super(session, group.rankOf(session.worldRank()));
        this.host = session.host();
        this.group = group;
        this.peers = peers;
        this.everyone = everyone;
        this.peerCount = peers.size();
        this.context = (int) context;
        this.use = (int) (context >>> Integer.SIZE);
        this.name = name;
        this.messages = new Messenger(host, this, this.context);
        this.hidden = new Messenger(host, this, this.context | Contexts.HIDDEN);
        this.collectives = new Runner(this);
        this.queueHints = host.device.config().hints();
        this.mostTag = host.device.config().words().mostTag();
    }

    /** Creates one side of an intercommunicator. The group of the context's owner is first in {@link #everyone}. */
    static Endpoint between(Session session, RankSet group, RankSet peers, long context, String name) {
        return between(session, group, peers, group.rankOf(Contexts.owner((int) context)) >= 0, context, name);
    }

    /**
     * The same where the context may be of a rank that is dead.
     *
     * @param first whether this group is first in {@link #everyone}
     */
    static Endpoint between(
            Session session, RankSet group, RankSet peers, boolean first, long context, String name) {
        RankSet everyone = first ? group.union(peers) : peers.union(group);
        return new Endpoint(session, group, peers, everyone, context, name);
    }

    /** Whether this is one side of an intercommunicator. */
    public boolean isBetweenGroups() {
        return group != peers;
    }

    /** Whether this rank's group is first in {@link #everyone}. */
    boolean isFirstSide() {
        return group.rankOf(everyone.worldRank(0)) >= 0;
    }

    /** Whether all ranks of a communicator can map each other's memory; the same on each of them. */
    public boolean sharesMemory() {
        return !isBetweenGroups() && allShareMemory();
    }

    /** Whether all ranks of both sides can map each other's memory; the same on each of them. */
    boolean allShareMemory() {
        SharedMemory memory = host.device.memory();
        boolean shares = memory.isMappable();
        for (int member = 0; shares && member < everyone.size(); member++) {
            shares = memory.reaches(everyone.worldRank(member));
        }
        return shares;
    }

    /** Whether ranks of a host share memory; in a simulation, messages are taken to cost as if they did. */
    public boolean hasSharedMemory() {
        return host.device.memory().isMappable() || session().isSimulated();
    }

    /** Whether the ranks of both sides are on one host; in a simulation, messages are taken to cost as if they were. */
    public boolean isOnOneHost() {
        boolean same = true;
        int here = session().node(session().worldRank());
        for (int member = 0; same && member < everyone.size(); member++) {
            same = session().node(everyone.worldRank(member)) == here;
        }
        return same || session().isSimulated();
    }

    public int size() {
        return group.size();
    }

    /** Returns the ranks of this communicator, or of this side. */
    public RankSet group() {
        return group;
    }

    /** Returns the ranks that messages go to and come from. */
    public RankSet peers() {
        return peers;
    }

    /** Returns the ranks of both sides, in the same order on every rank. */
    public RankSet everyone() {
        return everyone;
    }

    /** Returns the ranks in the numbering of collective schedules: this group, then the other one if there are two. */
    public RankSet team() {
        return isBetweenGroups() ? group.union(peers) : group;
    }

    @Override
    public String name() {
        return name;
    }

    /** Sets the name that reports use. */
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

    int use() {
        return use;
    }

    /** Returns the messenger of the program's messages. */
    public Messenger messages() {
        return messages;
    }

    /** Returns the messenger of the library's own messages. */
    Messenger hidden() {
        return hidden;
    }

    /** Returns which members are dead. */
    public MemberLosses members() {
        return members;
    }

    /** Returns the runner of the collective calls. */
    public Runner collectives() {
        return collectives;
    }

    /** Sets how urgent the messages sent from here are, as {@link io.rankwire.device.Priorities} has it. */
    public void priority(int priority) {
        checkUsable();
        host.lock();
        try {
            priorityHeld(priority);
        } finally {
            host.unlock();
        }
    }

    /** The same with the lock. */
    void priorityHeld(int priority) {
        host.device.priorities.set(context, priority);
        host.device.priorities.set(context | Contexts.HIDDEN, priority);
    }

    /** Checks destination and tag of a send; returns the world rank of the destination, or {@link #NONE}. */
    public int destOf(int dest, int tag) {
        if (dest < 0 || dest >= peerCount || tag < 0 || tag > mostTag || unusable) {
            return unusualDest(dest, tag);
        }
        return peers.worldRankOf(dest);
    }

    /** Throws unless an argument is a rank of this communicator; {@code argument} begins the error. */
    public void checkRank(String argument, int of) {
        if (of < 0 || of >= size()) {
            throw error(ErrorClass.RANK, argument + ": " + of + " is not a rank of " + name + ", which has " + size());
        }
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
        checkWidth(tag);
        return dest;
    }

    /** Checks source and tag of a receive; returns a world rank, {@link MatchWord#ANY} or {@link #NONE}. */
    int sourceOf(int source, int tag) {
        if (source < leastSource || source >= peerCount || tag < leastTag || tag > mostTag || unusable) {
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
        checkWidth(tag);
        checkPromises(source, tag);
        return source;
    }

    private void checkWidth(int tag) {
        if (tag > mostTag) {
            throw error(ErrorClass.TAG, "argument tag: " + tag + " is above " + mostTag
                    + ", the largest tag of this device's match words");
        }
    }

    /** Divides the queue of the program's messages as the program expects to use it. */
    public void hint(QueueHints wish) {
        host.lock();
        try {
            queueHints = host.device.hint(context, wish);
        } finally {
            host.unlock();
        }
    }

    /** Returns the hints that are in force. */
    public QueueHints queueHints() {
        return queueHints;
    }

    /** Promises that no receive or probe of the program leaves its source, or its tag, open. */
    public void promise(boolean noAnySource, boolean noAnyTag) {
        leastSource = noAnySource ? 0 : ANY;
        leastTag = noAnyTag ? 0 : ANY;
    }

    /** Has the network match messages, if the program wants that or the property does, and both promises are given. */
    public void matchByNetwork(boolean wanted) {
        boolean isWanted = (wanted || DeviceProperties.matchesByNetwork()) && promisesSource() && promisesTag();
        host.lock();
        try {
            host.device.network().match(context, isWanted);
        } finally {
            host.unlock();
        }
    }

    /** Returns whether the network matches messages. */
    public boolean isMatchedByNetwork() {
        host.lock();
        try {
            return host.device.network().isMatched(context);
        } finally {
            host.unlock();
        }
    }

    public boolean promisesSource() {
        return leastSource == 0;
    }

    public boolean promisesTag() {
        return leastTag == 0;
    }

    /** Throws if a receive has a wildcard that the program has promised not to use. */
    void checkPromises(int source, int tag) {
        if (source == ANY && promisesSource()) {
            throw error(ErrorClass.RANK, "argument source: ANY_SOURCE, but the hints of " + name
                    + " promise that no receive uses it");
        }
        if (tag == ANY && promisesTag() && source != NONE) {
            throw error(ErrorClass.TAG, "argument tag: ANY_TAG, but the hints of " + name
                    + " promise that no receive uses it");
        }
    }

    /** Throws if the world is closed. */
    public void checkOpen() {
        if (session().isClosed()) {
            throw error(ErrorClass.CLOSED, "the world is closed");
        }
    }

    /** Throws if the communicator was freed, or the world is closed: for calls that need nothing else of it. */
    public void checkThere() {
        checkOpen();
        if (freed) {
            throw error(ErrorClass.COMMUNICATOR, name + " was freed");
        }
    }

    @Override
    public void checkUsable() {
        checkThere();
        if (members.isRevoked()) {
            throw raised(members.revocation());
        }
    }

    /** Called when the communicator was revoked: every later call fails but those that repair. */
    void interrupted() {
        unusable = true;
    }

    /** Called when the world is closed: every later call fails. */
    void worldClosed() {
        unusable = true;
    }

    /** Ends this endpoint's context; all its ranks call it. */
    public void free() {
        session().contexts().free(this);
        freed = true;
        unusable = true;
    }

    /** Returns the rank of a peer given by its world rank, or -1. */
    public int rankOf(int worldRank) {
        return peers.rankOf(worldRank);
    }

    /** Returns the name of a rank in reports. */
    public String nameOf(int worldRank) {
        int known = rankOf(worldRank);
        if (!isBetweenGroups()) {
            return "rank " + known;
        }
        return known >= 0 ? "rank " + known + " of the other side"
                : "rank " + group.rankOf(worldRank) + " of this side";
    }

    /** Has reports say what the messages here mean, by tag; for tags without a meaning they name the tag. */
    public void meanings(Meaning[] byTag) {
        meanings = byTag;
    }

    /** Whether all messages are of the library, for calls of a window. */
    boolean isOfWindow() {
        return meanings.length > 0;
    }

    /** The call that waits for a message of this tag, or null where messages are the program's own. */
    public String waiting(int tag) {
        Meaning meaning = meaning(tag);
        return meaning == null ? null : meaning.waiting();
    }

    /** What a message of this tag says that no call has waited for; null as above. */
    public String unheard(int tag) {
        Meaning meaning = meaning(tag);
        return meaning == null ? null : meaning.unheard();
    }

    private Meaning meaning(int tag) {
        return tag >= 0 && tag < meanings.length ? meanings[tag] : null;
    }

    /** Returns the result of a receive that is done. */
    Received received(Operation receive) {
        Memo memo = last;
        return memo.word == receive.metWord() && memo.size == receive.metSize() ? memo.received : remembered(receive);
    }

    private Received remembered(Operation receive) {
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

    /** Returns the description of a message that a probe has found. */
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
