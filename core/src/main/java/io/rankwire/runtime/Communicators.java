package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.util.Arrays;

/** Creates communicators from others, for the calls of the API. All ranks that take part make the same call. */
public final class Communicators {
    private Communicators() {}

    /** Creates a communicator of the same ranks with a context of its own. */
    public static Endpoint duplicate(Endpoint parent) {
        parent.checkUsable();
        return parent.isBetweenGroups() ? Intercommunicators.duplicate(parent)
                : make(parent, parent.group(), parent.name() + ".duplicate", "duplicate");
    }

    /** Creates one communicator per colour, ordered by key; returns null for a colour below zero. */
    public static Endpoint split(Endpoint parent, int colour, int key) {
        parent.checkUsable();
        return split(parent, colour, key, ".split(" + colour + ")", "split");
    }

    /** Creates one communicator per node, ordered by key. */
    public static Endpoint splitShared(Endpoint parent, int key) {
        parent.checkUsable();
        return split(parent, parent.session().node(parent.session().worldRank()), key, ".shared", "splitShared");
    }

    private static Endpoint split(Endpoint parent, int colour, int key, String suffix, String call) {
        long[][] rows = Agreement.of(parent, Contexts.MEMBERS, call).allgather(colour, key);
        return colour < 0 ? null
                : make(parent, parent.group().include(membersOf(rows, colour)), parent.name() + suffix, call);
    }

    /** Returns the ranks whose row has this colour, ordered by key and then by rank. */
    private static int[] membersOf(long[][] all, int colour) {
        Integer[] order = new Integer[all.length];
        int count = 0;
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank][0] == colour) {
                order[count++] = rank;
            }
        }
        Arrays.sort(order, 0, count, (a, b) -> Long.compare(all[a][1], all[b][1]));
        return Arrays.stream(order, 0, count).mapToInt(Integer::intValue).toArray();
    }

    /** Creates a communicator of a part of the ranks; all ranks call it, and those outside the part get null. */
    public static Endpoint create(Endpoint parent, RankSet part) {
        checkPart(parent, "create", part);
        int place = part.rankOf(parent.session().worldRank());
        return split(parent, place < 0 ? -1 : part.worldRank(0), place, ".create", "create");
    }

    /** Creates a communicator of a part of the ranks; only the ranks of the part call it. */
    public static Endpoint createGroup(Endpoint parent, RankSet part, int tag) {
        checkPart(parent, "createGroup", part);
        Contexts.checkTag(parent, "createGroup", tag);
        int worldRank = parent.session().worldRank();
        if (part.rankOf(worldRank) < 0) {
            throw parent.error(ErrorClass.COMMUNICATOR, "createGroup: argument part: world rank " + worldRank
                    + ", which calls, is not in it");
        }
        return parent.session().contexts().make(
                parent, part, part, Contexts.GROUP_TAGS | tag, "createGroup", parent.name() + ".group");
    }

    private static void checkPart(Endpoint parent, String call, RankSet part) {
        parent.checkUsable();
        if (part == null) {
            throw parent.error(ErrorClass.ARGUMENT, call + ": argument part is null");
        }
        for (int i = 0; i < part.size(); i++) {
            if (parent.group().rankOf(part.worldRank(i)) < 0) {
                throw parent.error(ErrorClass.COMMUNICATOR, call + ": argument part: world rank " + part.worldRank(i)
                        + " is not in " + parent.name());
            }
        }
    }

    /**
     * Creates a communicator of a group, in a call of all ranks; all members call this, and agree by messages of the
     * parent.
     */
    public static Endpoint make(Endpoint parent, RankSet group, String name, String call) {
        return parent.session().contexts().make(parent, group, parent.everyone(), Contexts.CONTEXT, call, name);
    }

    /** Creates a communicator of some ranks, in another order; all ranks call it, and the other ranks get null. */
    public static Endpoint ordered(Endpoint parent, int[] ranks, String call) {
        boolean isIn = Arrays.stream(ranks).anyMatch(rank -> rank == parent.rank());
        return isIn ? make(parent, parent.group().include(ranks), parent.name() + "." + call, call) : null;
    }

    /** Creates a communicator of the first ranks for a topology; all ranks call it, and the other ranks get null. */
    public static Endpoint first(Endpoint parent, int count, String call) {
        return parent.rank() >= count ? null
                : make(parent, parent.group().first(count), parent.name() + "." + call, call);
    }
}
