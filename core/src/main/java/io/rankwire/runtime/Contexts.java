package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Priorities;
import io.rankwire.runtime.collective.CallLog;
import io.rankwire.runtime.collective.Mismatch;
import io.rankwire.runtime.collective.SharedSlots;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The contexts of a {@link Session}: numbers that separate the messages of communicators. The first rank of a
 * communicator takes the number of its context from its own range, so two ranks never take the same number. A number is
 * used again only after every member has dropped the context. The messages that create and free communicators use
 * hidden contexts. Ranks exchange a context together with how often its number was used before.
 *
 * <pre>
 *   63 ... 32 | 31     | 30 ............ 12 | 11 .... 0
 *   use       | hidden | world rank + 1     | number
 * </pre>
 */
public final class Contexts {
    static final int WORLD = 0;
    /** The bit of a context that carries messages of the library. */
    public static final int HIDDEN = 1 << 31;
    /** The context for messages about contexts that are dropped already; its tags are their numbers. */
    static final int ENDINGS = 1;
    /** The context by which parts of the job connect that share no communicator; its tags are numbers of ports. */
    static final int PORTS = 2;
    private static final int NUMBER_BITS = 12;
    private static final int NUMBERS = 1 << NUMBER_BITS;
    /** In place of a number of a rank that has none left. */
    static final long NONE = 0;

    /** Tags of hidden messages. */
    static final int MEMBERS = 1;
    static final int CONTEXT = 2;
    static final int ENDING = 3;
    static final int TOPOLOGY = 4;
    static final int SIDES = 5;
    static final int MERGE = 6;
    static final int COPY = 7;
    /**
     * Bits that are added to the tags that programs give to calls of a part of the ranks, of which several may be under
     * way. Bit 30 marks collectives.
     */
    static final int GROUP_TAGS = 1 << 29;
    static final int BRIDGE_TAGS = 3 << 28;
    /** For what follows the request of a leader; see {@link Introduction}. */
    static final int LEADER_TAGS = 1 << 28;
    static final int MOST_TAG = (1 << 28) - 1;

    private final Session session;
    private final Map<Integer, Endpoint> live = new HashMap<>();
    /** Numbers to use again. */
    private final ArrayDeque<Integer> released = new ArrayDeque<>();
    private int next;
    private int requests;
    /** By number of this rank, how often it was used before. */
    private final Map<Integer, Integer> uses = new HashMap<>();
    /**
     * Contexts that came while this rank waited for the context of another call with the same tag, in the order in
     * which they came. A death may end a call at this rank alone, so the root may be at another call. The context of a
     * call that has failed here is never taken.
     */
    private final Map<Making, ArrayDeque<Long>> early = new HashMap<>();

    /**
     * A call that creates a communicator of a part of the ranks.
     *
     * @param hash of the members
     */
    private record Making(int parent, int tag, long hash) {}

    Contexts(Session session) {
        this.session = session;
    }

    Endpoint add(Endpoint endpoint) {
        if (session.survivors() == null && session.isSimulated()) {
            put(endpoint);
        } else {
            Host host = session.host();
            // Before put: a thread that takes in a death meanwhile would add it ahead of the earlier ones.
            host.lock();
            try {
                put(endpoint);
                session.consensus().join(endpoint);
                if (session.survivors() != null) {
                    session.survivors().dead().forEach(endpoint.members()::lose);
                }
            } finally {
                host.unlock();
            }
        }
        return endpoint;
    }

    private synchronized void put(Endpoint endpoint) {
        long most = session.host().device.config().words().mostContexts() / 2;
        if (live.size() >= most) {
            throw endpoint.error(ErrorClass.RESOURCE, "the match words of this device are for " + most
                    + " communicators, of two contexts each, and all are in use: free() those no longer needed");
        }
        live.put(endpoint.context(), endpoint);
    }

    /** Makes every later call on an endpoint fail. */
    synchronized void worldClosed() {
        for (Endpoint each : live.values()) {
            each.worldClosed();
        }
    }

    /** Returns the endpoint of a context, hidden or not, or null. */
    synchronized Endpoint of(int context) {
        return live.get(context & ~HIDDEN);
    }

    /** Returns the collective calls of this rank in the form that other ranks read. */
    synchronized String calls(int number) {
        return CallLog.show(number, live());
    }

    /** Returns all endpoints that are not freed. */
    synchronized List<Endpoint> live() {
        return new ArrayList<>(live.values());
    }

    static void checkTag(Endpoint on, String call, int tag) {
        if (tag < 0 || tag > MOST_TAG) {
            throw on.error(ErrorClass.TAG, call + ": argument tag: " + tag + " is not from 0 to " + MOST_TAG);
        }
    }

    /**
     * Creates a communicator of a group; all members call it, and agree by messages of the parent.
     *
     * @param needed as in {@link Agreement}
     */
    Endpoint make(Endpoint parent, RankSet group, RankSet needed, int tag, String call, String name) {
        Agreement members = new Agreement(parent, group, needed, 0, tag, call);
        // A call of all ranks is refused after a death, so its row can be of no other call.
        long hash = tag == CONTEXT ? 0 : Arrays.hashCode(group.members());
        Making making = new Making(parent.context(), tag, hash);
        Long context = members.isRoot() ? Long.valueOf(members.broadcast(allocate(), hash)[0]) : takeEarly(making);
        while (context == null) {
            long[] row = members.receiveRow(0);
            if (row[1] == hash) {
                context = row[0];
            } else {
                keepEarly(new Making(parent.context(), tag, row[1]), row[0]);
            }
        }
        return add(new Endpoint(session, group, context, name));
    }

    private synchronized void keepEarly(Making making, long context) {
        early.computeIfAbsent(making, first -> new ArrayDeque<>()).add(context);
    }

    /** Returns the first context that came for a call like this one, or null. */
    private synchronized Long takeEarly(Making making) {
        ArrayDeque<Long> contexts = early.get(making);
        Long first = contexts == null ? null : contexts.poll();
        if (first != null && contexts.isEmpty()) {
            early.remove(making);
        }
        return first;
    }

    /** Whether a context is of no communicator in particular, so that no revocation ends its messages. */
    static boolean isLasting(int context) {
        int visible = context & ~HIDDEN;
        return visible == ENDINGS || visible == PORTS;
    }

    /** Returns the world rank whose range holds the number of a context. */
    static int owner(int context) {
        return (context >>> NUMBER_BITS) - 1;
    }

    /** The member that rows about a communicator pass through: the owner of its context, which may be a dead rank. */
    static int root(Endpoint on) {
        return Math.max(0, on.everyone().rankOf(owner(on.context())));
    }

    /**
     * Ends an endpoint; all its ranks call it. A rank drops the context after all ranks have called this, and the
     * number is released after all ranks have dropped the context. Where a member is dead, or the communicator was
     * revoked, each rank drops the context by itself, and the number is not used again.
     */
    void free(Endpoint ending) {
        if (!ending.members().isInterrupted()) {
            try {
                freeTogether(ending);
                return;
            } catch (RankwireException e) {
                // A communicator that is dropped already does not get to know of deaths and revocations.
                boolean isOfDeath = session.goesOn()
                        && (e.errorClass() == ErrorClass.PEER || e.errorClass() == ErrorClass.REVOKED);
                if (!isOfDeath && !ending.members().isInterrupted()) {
                    throw ending.failed(e);
                }
            }
        }
        freeAlone(ending);
    }

    private void freeAlone(Endpoint ending) {
        Host host = session.host();
        host.lock();
        try {
            // Messages that still come are discarded.
            host.device.revoke(ending.context());
            host.device.revoke(ending.context() | HIDDEN);
        } finally {
            host.unlock();
        }
        if (of(ending.context()) != null) {
            drop(ending);
        }
        SharedSlots.end(host, ending.context());
        session.consensus().endAlone(ending);
    }

    private void freeTogether(Endpoint ending) {
        RankSet everyone = ending.everyone();
        int context = ending.context();
        int root = root(ending);
        int rank = everyone.rankOf(session.worldRank());
        Agreement all = new Agreement(ending.hidden().quiet(), everyone, everyone, rank, root, ENDING, "free");
        CallLog calls = ending.collectives().calls();
        int other = all.firstDifferent(calls.made(), calls.history());
        if (other >= 0) {
            throw Mismatch.atFree(ending, other);
        }
        drop(ending);
        // A member that gets to know of the revocation before the others frees alone, and sends nothing.
        Messenger endings = new Messenger(session.host(), session.all(), ENDINGS | HIDDEN).quiet()
                .until(ending, ending.members()::isOriginRevoked);
        if (new Agreement(endings, everyone, everyone, rank, root, context, "free").gather() != null) {
            SharedSlots.end(session.host(), context);
            session.consensus().end(context);
            if (owner(context) == session.worldRank()) {
                release(context);
            }
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
            session.consensus().drop(dropped);
            dropped.priorityHeld(Priorities.NORMAL);
        } finally {
            host.unlock();
        }
    }

    /** Returns a number for a request of this rank to another one; see {@link Introduction}. */
    synchronized int nextRequest() {
        return requests++;
    }

    /** Makes a number of this rank available again that no member uses any more. */
    synchronized void release(int number) {
        released.add(number);
        uses.merge(number, 1, Integer::sum);
    }

    /** Takes a number from this rank's range; returns it with how often it was used before. */
    long allocate() {
        long number = allocateIfAny();
        if (number == NONE) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + session.worldRank() + " has made " + NUMBERS
                    + " communicators and can use none of their numbers again: free() those no longer needed"
                    + (session.goesOn() ? "; numbers of communicators that were revoked, or have a dead member, are"
                            + " not used again" : ""));
        }
        return number;
    }

    /** The same, or {@link #NONE} if all are in use. */
    synchronized long allocateIfAny() {
        if (next < NUMBERS) {
            return session.worldRank() + 1 << NUMBER_BITS | next++;
        }
        Integer number = released.poll();
        return number == null ? NONE : (long) uses.get(number) << Integer.SIZE | number;
    }
}
