package io.rankwire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Contexts keep the messages of communicators apart. A context is numbered by the first rank of its communicator, from
 * a range of that rank's own, so numbers never meet and need no agreement; it is used again only after every member has
 * dropped it. What ranks tell each other for this goes over hidden contexts.
 *
 * <pre>
 *   31     | 30 ............ 12 | 11 .... 0
 *   hidden | world rank + 1     | number
 * </pre>
 */
final class Contexts {
    static final int WORLD = 0;
    static final int HIDDEN = 1 << 31;
    /** Carries what is said of contexts that are dropped already; its tags are their numbers. */
    private static final int ENDINGS = 1;
    private static final int NUMBER_BITS = 12;
    private static final int NUMBERS = 1 << NUMBER_BITS;

    /** Tags of hidden messages. */
    static final int MEMBERS = 1;
    static final int CONTEXT = 2;
    static final int ENDING = 3;
    static final int TOPOLOGY = 4;
    static final int SIDES = 5;
    static final int MERGE = 6;
    /**
     * Added to tags that programs give to calls which a part of the ranks make, perhaps several at once. Bit 30 is for
     * collectives.
     */
    static final int GROUP_TAGS = 1 << 29;
    static final int BRIDGE_TAGS = 3 << 28;
    static final int PORT_TAGS = 1 << 28;
    static final int MOST_TAG = (1 << 28) - 1;

    /** Makes what a context is for. */
    @FunctionalInterface
    interface Maker<C extends PointToPoint> {
        C make(int context);
    }

    private final World world;
    private final Map<Integer, PointToPoint> live = new HashMap<>();
    private final ArrayDeque<Integer> used = new ArrayDeque<>();
    private int next;

    Contexts(World world) {
        this.world = world;
    }

    synchronized void add(PointToPoint made) {
        live.put(made.context(), made);
    }

    synchronized void worldClosed() {
        for (PointToPoint each : live.values()) {
            each.worldClosed();
        }
    }

    /** What a context belongs to, hidden or not, or null. */
    synchronized PointToPoint of(int context) {
        return live.get(context & ~HIDDEN);
    }

    /** What others may read of the collective calls of this rank. */
    synchronized String calls(int number) {
        return CallLog.show(number, collectives());
    }

    synchronized List<CollectiveStarts> collectives() {
        List<CollectiveStarts> found = new ArrayList<>();
        for (PointToPoint each : live.values()) {
            if (each instanceof CollectiveStarts one) {
                found.add(one);
            }
        }
        return found;
    }

    static void checkTag(PointToPoint on, String call, int tag) {
        if (tag < 0 || tag > MOST_TAG) {
            throw on.error(ErrorClass.TAG, call + ": argument tag: " + tag + " is not from 0 to " + MOST_TAG);
        }
    }

    /** The group of those who give the same colour, ordered by key; null for a colour below zero. */
    static Group split(Communicator parent, int colour, int key, String call) {
        long[][] rows = Agreement.of(parent, MEMBERS, call).everywhere(colour, key);
        return colour < 0 ? null : parent.group().include(membersOf(rows, colour));
    }

    private static int[] membersOf(long[][] all, int colour) {
        Integer[] order = new Integer[all.length];
        int count = 0;
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank][0] == colour) {
                order[count++] = rank;
            }
        }
        Arrays.sort(order, 0, count, (a, b) -> Long.compare(all[a][1], all[b][1]));
        int[] members = new int[count];
        for (int i = 0; i < count; i++) {
            members[i] = order[i];
        }
        return members;
    }

    /** Makes a communicator of a group whose members all call this, talking over their parent. */
    Communicator make(Communicator parent, Group group, String name, String call) {
        return make(parent, group, CONTEXT, call, context -> new Communicator(world, group, context, name));
    }

    <C extends PointToPoint> C make(PointToPoint parent, Group group, int tag, String call, Maker<C> maker) {
        Agreement members = new Agreement(parent, group, 0, tag, call);
        return make((int) members.fromRoot(members.isRoot() ? number() : 0)[0], maker);
    }

    /** For a number that its ranks have agreed on. */
    <C extends PointToPoint> C make(int context, Maker<C> maker) {
        C made = maker.make(context);
        add(made);
        return made;
    }

    /** The world rank whose range a number is of. */
    static int owner(int context) {
        return (context >>> NUMBER_BITS) - 1;
    }

    /** Nobody drops the context before all have come here; its number is free once all have dropped it. */
    void free(PointToPoint ending) {
        Group everyone = ending.everyone();
        int context = ending.context();
        int root = everyone.rankOf(owner(context));
        Agreement all = new Agreement(ending, everyone, root, ENDING, "free");
        int stranger = all.stranger(ending instanceof CollectiveStarts made
                ? new long[] {made.calls.made(), made.calls.history()} : new long[2]);
        if (stranger >= 0) {
            throw ending.raised(CollectiveMismatch.atFree((CollectiveStarts) ending, stranger));
        }
        drop(ending);
        Messenger endings = new Messenger(world.host(), world.communicator(), ENDINGS | HIDDEN);
        if (new Agreement(endings, everyone, everyone.rankOf(world.worldRank()), root, context, "free").atRoot()
                != null) {
            Meeting.end(world.host(), context);
            giveBack(context);
        }
    }

    private void drop(PointToPoint dropped) {
        Closing.reportUnreceived(world, dropped.context());
        synchronized (this) {
            live.remove(dropped.context());
        }
        Host host = dropped.host();
        host.lock();
        try {
            host.device.dropContext(dropped.context());
            host.device.dropContext(dropped.context() | HIDDEN);
        } finally {
            host.unlock();
        }
    }

    synchronized void giveBack(int number) {
        used.add(number);
    }

    synchronized int number() {
        if (next < NUMBERS) {
            return world.worldRank() + 1 << NUMBER_BITS | next++;
        }
        Integer again = used.poll();
        if (again == null) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + world.worldRank() + " has made " + NUMBERS
                    + " communicators and freed none: free() those no longer needed");
        }
        return again;
    }
}
