package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.wire.MatchWord;
import java.util.HashSet;
import java.util.Set;

/**
 * The names by which parts of a job meet that know nothing of each other: one side waits at a port that its root has
 * opened, the other knocks there. What the roots then do is what leaders do that know each other.
 */
public final class Ports {
    private static final String PREFIX = "rankwire:";
    private static final int MOST = 1 << 20;
    private static final String ACCEPT = "accept";
    private static final String CONNECT = "connect";

    private final Session session;
    private final Set<Integer> open = new HashSet<>();
    private int next;

    public Ports(Session session) {
        this.session = session;
    }

    public synchronized String open() {
        if (open.size() == MOST) {
            throw session.all().error(ErrorClass.RESOURCE, "openPort: " + MOST + " ports are open");
        }
        while (!open.add(next)) {
            next = (next + 1) % MOST;
        }
        String name = PREFIX + session.worldRank() + ":" + next;
        next = (next + 1) % MOST;
        return name;
    }

    public synchronized void close(String port) {
        int[] place = place(session.all(), "closePort", port);
        if (place[0] != session.worldRank() || !open.remove(place[1])) {
            throw notOpen(session.all(), "closePort", port);
        }
    }

    private synchronized boolean isOpen(int number) {
        return open.contains(number);
    }

    public Endpoint accept(Endpoint local, String port, int root) {
        checkRoot(local, ACCEPT, root);
        if (local.rank() != root) {
            return Intercommunicators.create(local, root, null, 0, 0);
        }
        int[] place = place(local, ACCEPT, port);
        if (place[0] != session.worldRank() || !isOpen(place[1])) {
            throw notOpen(local, ACCEPT, port);
        }
        Endpoint all = session.all();
        long[] knock = all.hidden().hear(MatchWord.ANY, Contexts.PORT_TAGS | place[1], ACCEPT);
        return Intercommunicators.create(local, root, all, (int) knock[0], tag(place[1]));
    }

    public Endpoint connect(Endpoint local, String port, int root) {
        checkRoot(local, CONNECT, root);
        if (local.rank() != root) {
            return Intercommunicators.create(local, root, null, 0, 0);
        }
        int[] place = place(local, CONNECT, port);
        Endpoint all = session.all();
        if (place[0] == session.worldRank()) {
            throw local.error(ErrorClass.ARGUMENT, CONNECT + ": argument port: " + port + " is this rank's own");
        }
        all.hidden().tell(new long[] {session.worldRank()}, place[0], Contexts.PORT_TAGS | place[1], CONNECT);
        return Intercommunicators.create(local, root, all, place[0], tag(place[1]));
    }

    /** From the far end of those that programs may use. */
    private static int tag(int number) {
        return Contexts.MOST_TAG - number;
    }

    private static void checkRoot(Endpoint local, String call, int root) {
        if (root < 0 || root >= local.size()) {
            throw local.error(ErrorClass.RANK, call + ": argument root: " + root + " is not a rank of " + local.name()
                    + ", which has " + local.size());
        }
    }

    /** The world rank that has opened it, and its number there. */
    private int[] place(Endpoint on, String call, String port) {
        if (port != null && port.startsWith(PREFIX)) {
            int colon = port.indexOf(':', PREFIX.length());
            try {
                int rank = Integer.parseInt(port.substring(PREFIX.length(), Math.max(PREFIX.length(), colon)));
                int number = Integer.parseInt(port.substring(colon + 1));
                if (rank >= 0 && rank < session.size() && number >= 0 && number < MOST) {
                    return new int[] {rank, number};
                }
            } catch (NumberFormatException e) {
                throw notOpen(on, call, port);
            }
        }
        throw notOpen(on, call, port);
    }

    private static RankwireException notOpen(Endpoint on, String call, String port) {
        return on.error(ErrorClass.ARGUMENT, call + ": argument port: " + port
                + " is no port that " + (call.equals(CONNECT) ? "a rank of this job" : "this rank") + " has opened");
    }
}
