package io.rankwire;

import io.rankwire.device.Operation.Mode;
import io.rankwire.type.ElementType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
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
    private static final int NUMBERS = 1 << 12;
    private static final int MEMBERS = 1;
    private static final int CONTEXT = 2;
    private static final int ARRIVED = 3;
    private static final int GO = 4;

    private final World world;
    private final Map<Integer, Communicator> live = new HashMap<>();
    private final ArrayDeque<Integer> used = new ArrayDeque<>();
    private int next;

    Contexts(World world) {
        this.world = world;
    }

    synchronized void add(Communicator communicator) {
        live.put(communicator.context(), communicator);
    }

    synchronized void worldClosed() {
        for (Communicator communicator : live.values()) {
            communicator.worldClosed();
        }
    }

    /** The communicator of a context, hidden or not, or null. */
    synchronized Communicator of(int context) {
        return live.get(context & ~HIDDEN);
    }

    Communicator split(Communicator parent, int colour, int key) {
        long[] mine = {colour, key};
        long[] members;
        if (parent.rank() == 0) {
            members = hear(parent, mine);
        } else {
            send(parent, mine, 0, MEMBERS);
            members = new long[parent.size()];
            int count = receive(parent, members, 0, MEMBERS);
            members = Arrays.copyOf(members, count);
        }
        if (colour < 0) {
            return null;
        }
        int[] worldRanks = new int[members.length];
        for (int i = 0; i < members.length; i++) {
            worldRanks[i] = parent.group().worldRank((int) members[i]);
        }
        return make(parent, Group.of(worldRanks), parent.name() + ".split(" + colour + ")");
    }

    /** Rank 0 hears all colours and keys and tells each rank the members of its part. */
    private static long[] hear(Communicator parent, long[] mine) {
        int size = parent.size();
        long[][] all = new long[size][2];
        all[0] = mine;
        for (int rank = 1; rank < size; rank++) {
            receive(parent, all[rank], rank, MEMBERS);
        }
        long[] own = null;
        for (int rank = 0; rank < size; rank++) {
            long[] part = membersOf(all, all[rank][0]);
            if (rank == 0) {
                own = part;
            } else {
                send(parent, part, rank, MEMBERS);
            }
        }
        return own;
    }

    private static long[] membersOf(long[][] all, long colour) {
        Integer[] order = new Integer[all.length];
        int count = 0;
        for (int rank = 0; rank < all.length; rank++) {
            if (colour >= 0 && all[rank][0] == colour) {
                order[count++] = rank;
            }
        }
        Arrays.sort(order, 0, count, (a, b) -> Long.compare(all[a][1], all[b][1]));
        long[] members = new long[count];
        for (int i = 0; i < count; i++) {
            members[i] = order[i];
        }
        return members;
    }

    /** Makes a communicator of a group whose members all call this, talking over their parent. */
    Communicator make(Communicator parent, Group group, String name) {
        int first = parent.rankOf(group.worldRank(0));
        long[] context = new long[1];
        if (parent.rank() == first) {
            context[0] = number();
            for (int i = 1; i < group.size(); i++) {
                send(parent, context, parent.rankOf(group.worldRank(i)), CONTEXT);
            }
        } else {
            receive(parent, context, first, CONTEXT);
        }
        Communicator made = new Communicator(world, group, (int) context[0], name);
        add(made);
        return made;
    }

    /** Nobody drops the context before all have come here; its number is free once all have dropped it. */
    void free(Communicator communicator) {
        long[] word = {communicator.context()};
        int size = communicator.size();
        Communicator all = world.communicator();
        if (communicator.rank() != 0) {
            send(communicator, word, 0, ARRIVED);
            receive(communicator, word, 0, GO);
            drop(communicator);
            send(all, word, communicator.group().worldRank(0), communicator.context());
            return;
        }
        for (int rank = 1; rank < size; rank++) {
            receive(communicator, word, rank, ARRIVED);
        }
        for (int rank = 1; rank < size; rank++) {
            send(communicator, word, rank, GO);
        }
        drop(communicator);
        for (int rank = 1; rank < size; rank++) {
            receive(all, word, communicator.group().worldRank(rank), communicator.context());
        }
        synchronized (this) {
            used.add(communicator.context());
        }
    }

    private void drop(Communicator communicator) {
        Closing.reportUnreceived(world, communicator.context());
        synchronized (this) {
            live.remove(communicator.context());
        }
        Host host = communicator.host();
        host.lock();
        try {
            host.device.dropContext(communicator.context());
            host.device.dropContext(communicator.context() | HIDDEN);
        } finally {
            host.unlock();
        }
    }

    private synchronized int number() {
        if (next < NUMBERS) {
            return world.worldRank() + 1 << 12 | next++;
        }
        Integer again = used.poll();
        if (again == null) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + world.worldRank() + " has made " + NUMBERS
                    + " communicators and freed none: free() those no longer needed");
        }
        return again;
    }

    private static void send(Communicator on, long[] words, int rank, int tag) {
        on.hidden().send(
                Mode.STANDARD, words, 0, 8L * words.length, ElementType.LONG, on.group().worldRank(rank), tag);
    }

    private static int receive(Communicator on, long[] words, int rank, int tag) {
        return (int) on.hidden().receive(
                words, 0, 8L * words.length, ElementType.LONG, on.group().worldRank(rank), tag).count();
    }
}
