package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.function.Supplier;

/** Creates, duplicates and merges intercommunicators, for the calls of the API and for {@link Ports}. */
public final class Intercommunicators {
    private static final String CREATE = "intercommunicator";
    /** In place of a context: the leader has failed, with an error of the class that follows. */
    private static final int FAILED = -2;

    private Intercommunicators() {}

    /** Creates an intercommunicator; the leaders exchange the groups over the bridge. */
    public static Endpoint create(Endpoint local, int leader, Endpoint bridge, int remoteLeader, int tag) {
        local.checkUsable();
        local.checkRank(CREATE + ": argument leader", leader);
        Contexts.checkTag(local, CREATE, tag);
        if (local.rank() != leader) {
            return follow(local, leader, CREATE);
        }
        checkBridge(local, bridge, remoteLeader);
        int peer = bridge.group().worldRank(remoteLeader);
        Introduction over = new Introduction(local, bridge.hidden(), CREATE);
        return lead(local, over, CREATE, () -> bridge.rank() < remoteLeader
                ? over.answer(peer, Contexts.BRIDGE_TAGS | tag) : over.ask(peer, Contexts.BRIDGE_TAGS | tag));
    }

    /**
     * The part of the leader. If it cannot reach the other side, the members that wait for it get an error of the same
     * class.
     *
     * @param reach exchanges the groups with the other leader
     */
    static Endpoint lead(Endpoint local, Introduction over, String call, Supplier<long[]> reach) {
        Agreement side = new Agreement(local, local.group(), local.rank(), Contexts.SIDES, call);
        long[] reached;
        try {
            local.members().look();
            local.members().checkInterrupted(call);
            reached = reach.get();
        } catch (RankwireException e) {
            if (!local.members().isInterrupted()) {
                try {
                    side.broadcast(FAILED, e.errorClass().ordinal(), over.peer());
                } catch (RankwireException other) {
                    e.addSuppressed(other);
                }
            }
            throw local.failed(e);
        }
        return made(local, side.broadcast(reached), call);
    }

    /** The part of the other members. */
    static Endpoint follow(Endpoint local, int leader, String call) {
        long[] answer = new Agreement(local, local.group(), leader, Contexts.SIDES, call).broadcast();
        if (answer[0] == FAILED) {
            ErrorClass reason = ErrorClass.values()[(int) answer[1]];
            throw local.error(reason, call + ": the leader, rank " + leader + ", cannot reach the other side: "
                    + switch (reason) {
                        case PEER -> "world rank " + answer[2] + " is dead";
                        case REVOKED -> "the communicator over which it does that was revoked";
                        default -> "its own error has the reason";
                    });
        }
        return made(local, answer, call);
    }

    private static Endpoint made(Endpoint local, long[] answer, String call) {
        if (answer[0] == Introduction.COMMON) {
            throw local.error(ErrorClass.COMMUNICATOR, call + ": world rank " + answer[1] + " is on both sides");
        }
        RankSet remote = RankSet.of(Agreement.toInts(answer, 1));
        return local.session().contexts().add(Endpoint.between(
                local.session(), local.group(), remote, answer[0], local.name() + ".inter"));
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
