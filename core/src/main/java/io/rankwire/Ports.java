package io.rankwire;

import io.rankwire.wire.MatchWord;
import java.util.HashSet;
import java.util.Set;

/**
 * The names by which parts of a job meet that know nothing of each other: one side waits at a port that its root has
 * opened, the other knocks there. What the roots then do is what leaders do that know each other.
 */
final class Ports {
    private static final String PREFIX = "rankwire:";
    private static final int MOST = 1 << 20;
    private static final String ACCEPT = "accept";
    private static final String CONNECT = "connect";

    private final World world;
    private final Set<Integer> open = new HashSet<>();
    private int next;

    Ports(World world) {
        this.world = world;
    }

    synchronized String open() {
        if (open.size() == MOST) {
            throw world.communicator().error(ErrorClass.RESOURCE, "openPort: " + MOST + " ports are open");
        }
        while (!open.add(next)) {
            next = (next + 1) % MOST;
        }
        String name = PREFIX + world.worldRank() + ":" + next;
        next = (next + 1) % MOST;
        return name;
    }

    synchronized void close(String port) {
        int[] place = place(world.communicator(), "closePort", port);
        if (place[0] != world.worldRank() || !open.remove(place[1])) {
            throw notOpen(world.communicator(), "closePort", port);
        }
    }

    private synchronized boolean isOpen(int number) {
        return open.contains(number);
    }

    Intercommunicator accept(Communicator local, String port, int root) {
        checkRoot(local, ACCEPT, root);
        if (local.rank() != root) {
            return Intercommunicator.create(local, root, null, 0, 0);
        }
        int[] place = place(local, ACCEPT, port);
        if (place[0] != world.worldRank() || !isOpen(place[1])) {
            throw notOpen(local, ACCEPT, port);
        }
        Communicator all = world.communicator();
        long[] knock = all.hidden().hear(MatchWord.ANY, Contexts.PORT_TAGS | place[1], ACCEPT);
        return Intercommunicator.create(local, root, all, (int) knock[0], tag(place[1]));
    }

    Intercommunicator connect(Communicator local, String port, int root) {
        checkRoot(local, CONNECT, root);
        if (local.rank() != root) {
            return Intercommunicator.create(local, root, null, 0, 0);
        }
        int[] place = place(local, CONNECT, port);
        Communicator all = world.communicator();
        if (place[0] == world.worldRank()) {
            throw local.error(ErrorClass.ARGUMENT, CONNECT + ": argument port: " + port + " is this rank's own");
        }
        all.hidden().tell(new long[] {world.worldRank()}, place[0], Contexts.PORT_TAGS | place[1], CONNECT);
        return Intercommunicator.create(local, root, all, place[0], tag(place[1]));
    }

    /** From the far end of those that programs may use. */
    private static int tag(int number) {
        return Contexts.MOST_TAG - number;
    }

    private static void checkRoot(Communicator local, String call, int root) {
        if (root < 0 || root >= local.size()) {
            throw local.error(ErrorClass.RANK, call + ": argument root: " + root + " is not a rank of " + local.name()
                    + ", which has " + local.size());
        }
    }

    /** The world rank that has opened it, and its number there. */
    private int[] place(Communicator on, String call, String port) {
        if (port != null && port.startsWith(PREFIX)) {
            int colon = port.indexOf(':', PREFIX.length());
            try {
                int rank = Integer.parseInt(port.substring(PREFIX.length(), Math.max(PREFIX.length(), colon)));
                int number = Integer.parseInt(port.substring(colon + 1));
                if (rank >= 0 && rank < world.communicator().size() && number >= 0 && number < MOST) {
                    return new int[] {rank, number};
                }
            } catch (NumberFormatException e) {
                throw notOpen(on, call, port);
            }
        }
        throw notOpen(on, call, port);
    }

    private static RankwireException notOpen(Communicator on, String call, String port) {
        return on.error(ErrorClass.ARGUMENT, call + ": argument port: " + port
                + " is no port that " + (call.equals(CONNECT) ? "a rank of this job" : "this rank") + " has opened");
    }
}
