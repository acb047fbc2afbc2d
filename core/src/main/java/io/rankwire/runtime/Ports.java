package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.wire.MatchWord;
import java.util.HashSet;
import java.util.Set;

/**
 * The open ports of a rank: names by which two parts of a job that share no communicator connect. One side accepts at a
 * port that its root has opened, the other connects to it; the two roots then create an intercommunicator. The facade
 * of the world calls it.
 */
public final class Ports {
    private static final String PREFIX = "rankwire:";
    private static final int MOST = 1 << 20;
    private static final String ACCEPT = "accept";
    private static final String CONNECT = "connect";

    private final Session session;
    private final Set<Integer> open = new HashSet<>();
    private int next;

    Ports(Session session) {
        this.session = session;
    }

    /** Opens a port and returns its name. */
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

    /** Closes a port of this rank. */
    public synchronized void close(String port) {
        int[] place = place(session.all(), "closePort", port);
        if (place[0] != session.worldRank() || !open.remove(place[1])) {
            throw notOpen(session.all(), "closePort", port);
        }
    }

    private synchronized boolean isOpen(int number) {
        return open.contains(number);
    }

    /** Waits for a part of the job to connect to a port of the root; all ranks of the communicator call it. */
    public Endpoint accept(Endpoint local, String port, int root) {
        local.checkRank(ACCEPT + ": argument root", root);
        if (local.rank() != root) {
            return Intercommunicators.follow(local, root, ACCEPT);
        }
        int[] place = place(local, ACCEPT, port);
        if (place[0] != session.worldRank() || !isOpen(place[1])) {
            throw notOpen(local, ACCEPT, port);
        }
        Introduction over = new Introduction(local, ways(local), ACCEPT);
        return Intercommunicators.lead(local, over, ACCEPT,
                () -> over.answer(MatchWord.ANY, place[1]));
    }

    /** Connects to a port that another rank has opened; all ranks of the communicator call it. */
    public Endpoint connect(Endpoint local, String port, int root) {
        local.checkRank(CONNECT + ": argument root", root);
        if (local.rank() != root) {
            return Intercommunicators.follow(local, root, CONNECT);
        }
        int[] place = place(local, CONNECT, port);
        if (place[0] == session.worldRank()) {
            throw local.error(ErrorClass.ARGUMENT, CONNECT + ": argument port: " + port + " is this rank's own");
        }
        Introduction over = new Introduction(local, ways(local), CONNECT);
        return Intercommunicators.lead(local, over, CONNECT,
                () -> over.ask(place[0], place[1]));
    }

    /** The messages between roots. New ranks may be roots, too, and the communicator of the world may be revoked. */
    private Messenger ways(Endpoint local) {
        return new Messenger(session.host(), local, Contexts.PORTS | Contexts.HIDDEN);
    }

    /** Returns the world rank that has opened a port, and the number of the port there. */
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
