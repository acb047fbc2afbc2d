package io.rankwire;

import java.util.Map;

/**
 * Two groups without a rank in common, whose ranks send messages to the other group: every rank that a call takes or
 * gives is one of the other side. Made by {@link Communicator#intercommunicator}.
 *
 * <pre>{@code
 * // Rank 2 of one side tells all of the other.
 * inter.broadcast(news, mine ? (inter.rank() == 2 ? ROOT : NONE) : 2);
 * }</pre>
 */
public final class Intercommunicator extends InterCollectives {
    private static final String CREATE = "intercommunicator";
    private static final int COMMON = -1;

    /** Both groups, that of the context's owner first: the same on all ranks. */
    private final Group everyone;
    private final boolean first;

    private Intercommunicator(World world, Group local, Group remote, int context, String name) {
        super(world, local, remote, context, name);
        this.first = local.rankOf(Contexts.owner(context)) >= 0;
        this.everyone = first ? local.union(remote) : remote.union(local);
    }

    /** The leaders tell each other their groups over the bridge, and the others what they have heard. */
    static Intercommunicator create(
            Communicator local, int leader, Communicator bridge, int remoteLeader, int tag) {
        if (leader < 0 || leader >= local.size()) {
            throw local.error(ErrorClass.RANK, CREATE + ": argument leader: " + leader + " is not a rank of "
                    + local.name() + ", which has " + local.size());
        }
        Contexts.checkTag(local, CREATE, tag);
        Agreement side = new Agreement(local, local.group(), leader, Contexts.SIDES, CREATE);
        long[] heard = side.fromRoot(side.isRoot() ? meet(local, bridge, remoteLeader, tag) : new long[0]);
        if (heard[0] == COMMON) {
            throw local.error(ErrorClass.COMMUNICATOR, CREATE + ": world rank " + heard[1] + " is on both sides");
        }
        Group remote = Group.of(Agreement.numbers(heard, 1));
        return local.made(local.world().contexts().make((int) heard[0], context ->
                new Intercommunicator(local.world(), local.group(), remote, context, local.name() + ".inter")));
    }

    /** The leader's part: the context and the other side's world ranks, or a world rank that is on both. */
    private static long[] meet(Communicator local, Communicator bridge, int remoteLeader, int tag) {
        checkBridge(local, bridge, remoteLeader);
        Contexts contexts = local.world().contexts();
        Agreement over = new Agreement(bridge, bridge.group(), 0, Contexts.BRIDGE_TAGS | tag, CREATE);
        boolean gives = bridge.rank() < remoteLeader;
        int[] members = new int[1 + local.size()];
        members[0] = gives ? contexts.number() : 0;
        for (int rank = 0; rank < local.size(); rank++) {
            members[1 + rank] = local.group().worldRank(rank);
        }
        long[] theirs;
        if (gives) {
            over.tell(remoteLeader, Agreement.words(members));
            theirs = over.hear(remoteLeader);
            theirs[0] = members[0];
        } else {
            theirs = over.hear(remoteLeader);
            over.tell(remoteLeader, Agreement.words(members));
        }
        Group common = Group.of(Agreement.numbers(theirs, 1)).intersection(local.group());
        if (common.size() == 0) {
            return theirs;
        }
        if (gives) {
            contexts.giveBack(members[0]);
        }
        return new long[] {COMMON, common.worldRank(0)};
    }

    private static void checkBridge(Communicator local, Communicator bridge, int remoteLeader) {
        String argument = CREATE + ": argument ";
        if (bridge == null) {
            throw local.error(ErrorClass.ARGUMENT, argument + "bridge is null, and this rank is the leader");
        }
        bridge.checkUsable();
        if (remoteLeader < 0 || remoteLeader >= bridge.size() || remoteLeader == bridge.rank()) {
            throw local.error(ErrorClass.RANK, argument + "remoteLeader: " + remoteLeader
                    + (remoteLeader == bridge.rank() ? " is this rank itself in " : " is not a rank of ")
                    + bridge.name() + ", which has " + bridge.size());
        }
    }

    /** How many ranks the other side has. */
    public int remoteSize() {
        return peers().size();
    }

    /** The ranks of the other side. */
    public Group remoteGroup() {
        return peers();
    }

    /** An intercommunicator of the same ranks, with messages of its own. All ranks of both sides call it. */
    public Intercommunicator duplicate() {
        checkUsable();
        Map<AttributeKey<?>, Object> attributes = copyAttributes();
        long context = together(Contexts.CONTEXT, "duplicate").fromRoot(root() ? world().contexts().number() : 0)[0];
        Intercommunicator copy = made(world().contexts().make((int) context, number ->
                new Intercommunicator(world(), group(), peers(), number, name() + ".duplicate")));
        copy.takeAttributes(attributes);
        return copy;
    }

    /**
     * A communicator of both sides, the side that is not high first. If both say the same, one of them comes first, the
     * same for all. All ranks of both sides call it; all of one side say the same.
     */
    public Communicator merge(boolean high) {
        checkUsable();
        Agreement all = together(Contexts.MERGE, "merge");
        long[][] rows = all.atRoot(high ? 1 : 0);
        long[] answer = all.fromRoot(rows == null ? new long[0] : order(rows));
        if (answer[0] < 0) {
            throw error(ErrorClass.ARGUMENT, "merge: argument high: world ranks " + everyone.worldRank((int) answer[1])
                    + " and " + everyone.worldRank((int) answer[2]) + " are on the same side and do not say the same");
        }
        boolean ownersFirst = answer[1] == 0;
        Group merged = ownersFirst == first ? group().union(peers()) : peers().union(group());
        return made(world().contexts().make((int) answer[0], context ->
                new Communicator(world(), merged, context, name() + ".merge")));
    }

    /** The new context and whether the owner's side comes last; or -1 and two members that contradict each other. */
    private long[] order(long[][] rows) {
        int boundary = first ? size() : remoteSize();
        for (int member = 0; member < rows.length; member++) {
            int speaker = member < boundary ? 0 : boundary;
            if (rows[member][0] != rows[speaker][0]) {
                return new long[] {-1, speaker, member};
            }
        }
        boolean last = rows[0][0] > rows[boundary][0];
        return new long[] {world().contexts().number(), last ? 1 : 0};
    }

    /** How this one and another stand to each other, worse of the two sides; nothing is sent. */
    public Comparison compare(Intercommunicator other) {
        checkUsable();
        if (other == null) {
            throw error(ErrorClass.ARGUMENT, "compare: argument other is null");
        }
        if (other == this) {
            return Comparison.IDENTICAL;
        }
        Comparison near = group().compare(other.group());
        Comparison far = peers().compare(other.peers());
        Comparison worse = near.compareTo(far) > 0 ? near : far;
        return worse == Comparison.IDENTICAL ? Comparison.CONGRUENT : worse;
    }

    /** Ends it, its attributes first. All ranks of both sides call it. */
    public void free() {
        checkUsable();
        deleteAttributes();
        world().contexts().free(this);
        freed();
    }

    @Override
    Group team() {
        return group().union(peers());
    }

    @Override
    String nameOf(int worldRank) {
        int there = rankOf(worldRank);
        return there >= 0 ? "rank " + there + " of the other side"
                : "rank " + group().rankOf(worldRank) + " of this side";
    }

    private Agreement together(int tag, String call) {
        return new Agreement(this, everyone, everyone.rankOf(Contexts.owner(context())), tag, call);
    }

    private boolean root() {
        return Contexts.owner(context()) == world().worldRank();
    }

    @Override
    Group everyone() {
        return everyone;
    }

    @Override
    public String toString() {
        return name() + " (rank " + rank() + " of " + size() + ", facing " + remoteSize() + ")";
    }
}
