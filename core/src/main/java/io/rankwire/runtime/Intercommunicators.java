package io.rankwire.runtime;

import io.rankwire.ErrorClass;

/** Joins two communicators that have no rank in common, and merges them into one. */
public final class Intercommunicators {
    private static final String CREATE = "intercommunicator";
    private static final int COMMON = -1;

    private Intercommunicators() {}

    /** The leaders exchange their groups over the bridge, and each passes the other group on to its own side. */
    public static Endpoint create(Endpoint local, int leader, Endpoint bridge, int remoteLeader, int tag) {
        local.checkUsable();
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
        RankSet remote = RankSet.of(Agreement.numbers(heard, 1));
        return local.session().contexts().add(Endpoint.between(
                local.session(), local.group(), remote, (int) heard[0], local.name() + ".inter"));
    }

    /** The leader's part: the context and the other side's world ranks, or a world rank that is on both sides. */
    private static long[] meet(Endpoint local, Endpoint bridge, int remoteLeader, int tag) {
        checkBridge(local, bridge, remoteLeader);
        Contexts contexts = local.session().contexts();
        Agreement over = new Agreement(bridge, bridge.group(), 0, Contexts.BRIDGE_TAGS | tag, CREATE);
        boolean gives = bridge.rank() < remoteLeader;
        int[] members = new int[1 + local.size()];
        members[0] = gives ? contexts.number() : 0;
        System.arraycopy(local.group().members(), 0, members, 1, local.size());
        long[] theirs;
        if (gives) {
            over.tell(remoteLeader, Agreement.words(members));
            theirs = over.hear(remoteLeader);
            theirs[0] = members[0];
        } else {
            theirs = over.hear(remoteLeader);
            over.tell(remoteLeader, Agreement.words(members));
        }
        RankSet common = RankSet.of(Agreement.numbers(theirs, 1)).intersection(local.group());
        if (common.size() == 0) {
            return theirs;
        }
        if (gives) {
            contexts.giveBack(members[0]);
        }
        return new long[] {COMMON, common.worldRank(0)};
    }

    private static void checkBridge(Endpoint local, Endpoint bridge, int remoteLeader) {
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

    /** The same two groups, with messages of their own. */
    static Endpoint duplicate(Endpoint on) {
        Agreement all = together(on, Contexts.CONTEXT, "duplicate");
        long context = all.fromRoot(all.isRoot() ? on.session().contexts().number() : 0)[0];
        return on.session().contexts().add(Endpoint.between(
                on.session(), on.group(), on.peers(), (int) context, on.name() + ".duplicate"));
    }

    /** One communicator of both groups, the group that is not high first. */
    public static Endpoint merge(Endpoint on, boolean high) {
        on.checkUsable();
        Agreement all = together(on, Contexts.MERGE, "merge");
        long[][] rows = all.atRoot(high ? 1 : 0);
        long[] answer = all.fromRoot(rows == null ? new long[0] : order(on, rows));
        if (answer[0] < 0) {
            throw on.error(ErrorClass.ARGUMENT, "merge: argument high: world ranks "
                    + on.everyone().worldRank((int) answer[1]) + " and " + on.everyone().worldRank((int) answer[2])
                    + " are on the same side and do not say the same");
        }
        boolean ownersFirst = answer[1] == 0;
        RankSet merged = ownersFirst == isOwners(on) ? on.group().union(on.peers()) : on.peers().union(on.group());
        return on.session().contexts().add(
                new Endpoint(on.session(), merged, (int) answer[0], on.name() + ".merge"));
    }

    /** Whether the rank that numbered the context is of this side. */
    private static boolean isOwners(Endpoint on) {
        return on.group().rankOf(Contexts.owner(on.context())) >= 0;
    }

    /** The new context and whether the owner's side comes last; or -1 and two members that contradict each other. */
    private static long[] order(Endpoint on, long[][] rows) {
        int boundary = isOwners(on) ? on.size() : on.peers().size();
        for (int member = 0; member < rows.length; member++) {
            int speaker = member < boundary ? 0 : boundary;
            if (rows[member][0] != rows[speaker][0]) {
                return new long[] {-1, speaker, member};
            }
        }
        boolean last = rows[0][0] > rows[boundary][0];
        return new long[] {on.session().contexts().number(), last ? 1 : 0};
    }

    private static Agreement together(Endpoint on, int tag, String call) {
        return new Agreement(on, on.everyone(), on.everyone().rankOf(Contexts.owner(on.context())), tag, call);
    }
}
