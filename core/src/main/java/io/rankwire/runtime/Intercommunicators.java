package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.wire.MatchWord;
import java.util.function.Supplier;

/** Creates, duplicates and merges intercommunicators, for the calls of the API and for {@link Ports}. */
public final class Intercommunicators {
    private static final String CREATE = "intercommunicator";
    /** In place of a context: some rank is on both sides. */
    private static final int COMMON = -1;
    /** The same: the other side's leader is dead. */
    private static final int UNREACHED = -2;
    /** The same: the communicator that connects the leaders was revoked. */
    private static final int REVOKED = -3;

    private Intercommunicators() {}

    /** Creates an intercommunicator: the leaders exchange the groups over the bridge and broadcast them. */
    public static Endpoint create(Endpoint local, int leader, Endpoint bridge, int remoteLeader, int tag) {
        local.checkUsable();
        local.checkRank(CREATE + ": argument leader", leader);
        Contexts.checkTag(local, CREATE, tag);
        Agreement side = new Agreement(local, local.group(), leader, Contexts.SIDES, CREATE);
        long[] row = new long[0];
        if (side.isRoot()) {
            checkBridge(local, bridge, remoteLeader);
            row = reach(local, leader, bridge.group().worldRank(remoteLeader),
                    () -> exchange(local, bridge, remoteLeader, tag));
        }
        long[] answer = side.broadcast(row);
        if (answer[0] == UNREACHED || answer[0] == REVOKED) {
            boolean isDead = answer[0] == UNREACHED;
            throw local.error(isDead ? ErrorClass.PEER : ErrorClass.REVOKED, CREATE + ": the leader, rank " + leader
                    + ", cannot reach the other side: " + (isDead ? "world rank " + answer[1] + " is dead"
                            : "the communicator over which it does that was revoked"));
        }
        if (answer[0] == COMMON) {
            throw local.error(ErrorClass.COMMUNICATOR, CREATE + ": world rank " + answer[1] + " is on both sides");
        }
        RankSet remote = RankSet.of(Agreement.toInts(answer, 1));
        return local.session().contexts().add(Endpoint.between(
                local.session(), local.group(), remote, answer[0], local.name() + ".inter"));
    }

    /**
     * Does what a leader alone does to reach the other side. If that fails because a rank is dead, or because of a
     * revocation, the members that wait for the leader get an error of the same class.
     *
     * @param peer the world rank to reach, or {@link MatchWord#ANY}: then a dead rank is a member, and all know of it
     */
    static <T> T reach(Endpoint local, int leader, int peer, Supplier<T> part) {
        try {
            return part.get();
        } catch (RankwireException e) {
            boolean isDead = e.errorClass() == ErrorClass.PEER && peer != MatchWord.ANY && local.session().goesOn();
            if (isDead || e.errorClass() == ErrorClass.REVOKED) {
                Agreement side = new Agreement(
                        local.hidden().quiet(), local.group(), local.group(), leader, leader, Contexts.SIDES, CREATE);
                try {
                    side.broadcast(isDead ? UNREACHED : REVOKED, peer);
                } catch (RankwireException other) {
                    e.addSuppressed(other);
                }
            }
            throw e;
        }
    }

    /** The leader's part: returns the context and the other side's world ranks, or {@link #COMMON} and a rank. */
    private static long[] exchange(Endpoint local, Endpoint bridge, int remoteLeader, int tag) {
        bridge.checkUsable();
        Contexts contexts = local.session().contexts();
        RankSet leaders = bridge.group().include(bridge.rank(), remoteLeader);
        Agreement over = new Agreement(bridge.hidden().until(local), leaders, leaders, 0, 0,
                Contexts.BRIDGE_TAGS | tag, CREATE);
        boolean isLower = bridge.rank() < remoteLeader;
        long[] members = new long[1 + local.size()];
        members[0] = isLower ? contexts.allocate() : 0;
        System.arraycopy(Agreement.toLongs(local.group().members()), 0, members, 1, local.size());
        long[] theirs;
        if (isLower) {
            over.sendRow(1, members);
            theirs = over.receiveRow(1);
            theirs[0] = members[0];
        } else {
            theirs = over.receiveRow(1);
            over.sendRow(1, members);
        }
        RankSet common = RankSet.of(Agreement.toInts(theirs, 1)).intersection(local.group());
        if (common.size() == 0) {
            return theirs;
        }
        if (isLower) {
            contexts.release((int) members[0]);
        }
        return new long[] {COMMON, common.worldRank(0)};
    }

    private static void checkBridge(Endpoint local, Endpoint bridge, int remoteLeader) {
        String argument = CREATE + ": argument ";
        if (bridge == null) {
            throw local.error(ErrorClass.ARGUMENT, argument + "bridge is null, and this rank is the leader");
        }
        bridge.checkThere();
        if (remoteLeader < 0 || remoteLeader >= bridge.size() || remoteLeader == bridge.rank()) {
            throw local.error(ErrorClass.RANK, argument + "remoteLeader: " + remoteLeader
                    + (remoteLeader == bridge.rank() ? " is this rank itself in " : " is not a rank of ")
                    + bridge.name() + ", which has " + bridge.size());
        }
    }

    /** Creates an intercommunicator of the same two groups with a context of its own. */
    static Endpoint duplicate(Endpoint on) {
        Agreement all = together(on, Contexts.CONTEXT, "duplicate");
        long context = all.broadcast(all.isRoot() ? on.session().contexts().allocate() : 0)[0];
        return on.session().contexts().add(Endpoint.between(
                on.session(), on.group(), on.peers(), context, on.name() + ".duplicate"));
    }

    /** Creates one communicator of both groups; the ranks of the side that gives false are first. */
    public static Endpoint merge(Endpoint on, boolean high) {
        on.checkUsable();
        Agreement all = together(on, Contexts.MERGE, "merge");
        long[][] rows = all.gather(high ? 1 : 0);
        long[] answer = all.broadcast(rows == null ? new long[0] : order(on, rows));
        if (answer[0] < 0) {
            throw on.error(ErrorClass.ARGUMENT, "merge: argument high: world ranks "
                    + on.everyone().worldRank((int) answer[1]) + " and " + on.everyone().worldRank((int) answer[2])
                    + " are on the same side and give different values");
        }
        boolean firstFirst = answer[1] == 0;
        RankSet merged = firstFirst == on.isFirstSide() ? on.group().union(on.peers()) : on.peers().union(on.group());
        return on.session().contexts().add(new Endpoint(on.session(), merged, answer[0], on.name() + ".merge"));
    }

    /** Returns the new context and 1 if the first side is to be last, else 0; or -1 and two members that disagree. */
    private static long[] order(Endpoint on, long[][] rows) {
        int boundary = on.isFirstSide() ? on.size() : on.peers().size();
        for (int member = 0; member < rows.length; member++) {
            int first = member < boundary ? 0 : boundary;
            if (rows[member][0] != rows[first][0]) {
                return new long[] {-1, first, member};
            }
        }
        boolean last = rows[0][0] > rows[boundary][0];
        return new long[] {on.session().contexts().allocate(), last ? 1 : 0};
    }

    /** An agreement of both sides. */
    private static Agreement together(Endpoint on, int tag, String call) {
        return new Agreement(on, on.everyone(), Contexts.root(on), tag, call);
    }
}
