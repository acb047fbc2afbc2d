package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.runtime.collective.CallLog;
import io.rankwire.runtime.collective.Mismatch;
import io.rankwire.runtime.collective.SharedSlots;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
public final class Contexts {
    public static final int WORLD = 0;
    public static final int HIDDEN = 1 << 31;
    /** Carries what is said of contexts that are dropped already; its tags are their numbers. */
    private static final int ENDINGS = 1;
    private static final int NUMBER_BITS = 12;
    private static final int NUMBERS = 1 << NUMBER_BITS;

    /** Tags of hidden messages. */
    public static final int MEMBERS = 1;
    public static final int CONTEXT = 2;
    public static final int ENDING = 3;
    public static final int TOPOLOGY = 4;
    public static final int SIDES = 5;
    public static final int MERGE = 6;
    /**
     * Added to tags that programs give to calls which a part of the ranks make, perhaps several at once. Bit 30 is for
     * collectives.
     */
    public static final int GROUP_TAGS = 1 << 29;
    public static final int BRIDGE_TAGS = 3 << 28;
    public static final int PORT_TAGS = 1 << 28;
    public static final int MOST_TAG = (1 << 28) - 1;

    private final Session session;
    private final Map<Integer, Endpoint> live = new HashMap<>();
    private final ArrayDeque<Integer> used = new ArrayDeque<>();
    private int next;

    public Contexts(Session session) {
        this.session = session;
    }

    public synchronized Endpoint add(Endpoint made) {
        live.put(made.context(), made);
        return made;
    }

    public synchronized void worldClosed() {
        for (Endpoint each : live.values()) {
            each.worldClosed();
        }
    }

    /** What a context belongs to, hidden or not, or null. */
    public synchronized Endpoint of(int context) {
        return live.get(context & ~HIDDEN);
    }

    /** What others may read of the collective calls of this rank. */
    public synchronized String calls(int number) {
        return CallLog.show(number, live());
    }

    /** All endpoints that were made and not freed. */
    synchronized List<Endpoint> live() {
        return new ArrayList<>(live.values());
    }

    public static void checkTag(Endpoint on, String call, int tag) {
        if (tag < 0 || tag > MOST_TAG) {
            throw on.error(ErrorClass.TAG, call + ": argument tag: " + tag + " is not from 0 to " + MOST_TAG);
        }
    }

    /** Makes a communicator of a group whose members all call this; they agree by messages of the parent. */
    public Endpoint make(Endpoint parent, RankSet group, int tag, String call, String name) {
        Agreement members = new Agreement(parent, group, 0, tag, call);
        int context = (int) members.fromRoot(members.isRoot() ? number() : 0)[0];
        return add(new Endpoint(session, group, context, name));
    }

    /** The world rank whose range a number is of. */
    public static int owner(int context) {
        return (context >>> NUMBER_BITS) - 1;
    }

    /** Nobody drops the context before all have come here; its number is free once all have dropped it. */
    public void free(Endpoint ending) {
        RankSet everyone = ending.everyone();
        int context = ending.context();
        int root = everyone.rankOf(owner(context));
        Agreement all = new Agreement(ending, everyone, root, ENDING, "free");
        CallLog calls = ending.collectives().calls();
        int stranger = all.stranger(calls.made(), calls.history());
        if (stranger >= 0) {
            throw ending.raised(Mismatch.atFree(ending, stranger));
        }
        drop(ending);
        Messenger endings = new Messenger(session.host(), session.all(), ENDINGS | HIDDEN);
        if (new Agreement(endings, everyone, everyone.rankOf(session.worldRank()), root, context, "free").atRoot()
                != null) {
            SharedSlots.end(session.host(), context);
            giveBack(context);
        }
    }

    private void drop(Endpoint dropped) {
        WorldShutdown.reportUnreceived(session, dropped.context());
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

    public synchronized void giveBack(int number) {
        used.add(number);
    }

    public synchronized int number() {
        if (next < NUMBERS) {
            return session.worldRank() + 1 << NUMBER_BITS | next++;
        }
        Integer again = used.poll();
        if (again == null) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + session.worldRank() + " has made " + NUMBERS
                    + " communicators and freed none: free() those no longer needed");
        }
        return again;
    }
}
