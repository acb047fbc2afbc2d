package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Members;
import io.rankwire.fabric.PeerLost;
import io.rankwire.fabric.tcp.Connection.Phase;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;

/**
 * Makes the connections of a port, agrees with each peer on one of them, and makes new ones when they break.
 *
 * <p>Both ranks of a pair may dial, also at the same time. The lower rank decides which connection is used: it commits
 * itself to its own one by its commitment, or to one of the other rank by its welcome, and gives it the next number.
 * The other rank follows each decision with a higher number than the last, so that one that comes late is harmless.
 * Each side says up to which position it has delivered frames when it reads from no older connection any more.
 */
final class Connections {
    private static final long FIRST_PAUSE_NS = 20_000_000;
    private static final long LONGEST_PAUSE_NS = 200_000_000;
    /** Most connections that have not been proven, besides one for each rank. */
    static final int MOST_UNPROVEN = 64;
    /** Most connections that are taken at a time, between which frames go on. */
    private static final int MOST_AT_ONCE = 16;
    /** Connections in turn that may end with a record that the peer has not sealed. */
    static final int MOST_FORGERIES = 16;
    private static final long PROOF_NS = 5_000_000_000L;
    /** After so long without a welcome, the lower rank may decide for a connection of the other one. */
    private static final long WELCOME_NS = 1_000_000_000;

    private final Members members;
    private final TcpConfig config;
    private final Network network;
    private final TcpPort port;
    private final List<Peer> sought = new ArrayList<>();
    private final List<Connection> unproven = new ArrayList<>();
    final List<Connection> live = new ArrayList<>();
    private final Queue<PeerLost> losses = new ArrayDeque<>();
    /** The clock of the port. It does not jump: time in which this process did not run counts for no peer. */
    long now;
    private boolean arriving;
    private long strangers;

    Connections(Members members, TcpConfig config, Network network, TcpPort port) {
        this.members = members;
        this.config = config;
        this.network = network;
        this.port = port;
    }

    PeerLost nextLoss() {
        return losses.poll();
    }

    boolean hasLoss() {
        return !losses.isEmpty();
    }

    boolean isSeeking() {
        return !sought.isEmpty() || !unproven.isEmpty();
    }

    /** Whether a tick may find something to do on a live connection. */
    boolean hasTimers() {
        for (Connection connection : live) {
            Link link = connection.peer.link;
            if (link.owed() > 0 || link.isUnacknowledged()) {
                return true;
            }
        }
        return false;
    }

    /** Connections that were dropped because the other side has not proven that it is a peer. */
    long strangers() {
        return strangers;
    }

    /** Makes a connection to a peer that has none. */
    void seek(Peer peer, String cause, long delay) {
        if (!peer.isSought) {
            peer.isSought = true;
            sought.add(peer);
        }
        peer.since = now;
        peer.cause = cause;
        peer.pause = FIRST_PAUSE_NS;
        peer.nextDial = now + delay;
        if (delay == 0) {
            dial(peer);
        }
    }

    private void dial(Peer peer) {
        Connection connection = new Connection(true, new Handshake(members, config.world()), now + config.patienceNs());
        connection.peer = peer;
        connection.phase = Phase.DIALED;
        peer.own = connection;
        peer.attempts++;
        try {
            connection.channel = network.dial(peer.rank, connection);
        } catch (IOException e) {
            failed(connection, e);
            return;
        }
        step(connection);
    }

    void arriving() {
        arriving = true;
    }

    /** Takes new connections. Peers prove themselves at once, so of too many the one that has waited longest goes. */
    void accept() {
        for (int taken = 0; arriving && taken < MOST_AT_ONCE; taken++) {
            if (unproven.size() >= MOST_UNPROVEN + members.size()) {
                refuse(unproven.getFirst());
            }
            Connection connection = new Connection(false, new Handshake(members, config.world()), now + PROOF_NS);
            try {
                connection.channel = network.accept(connection);
            } catch (IOException e) {
                // The other side has gone already, or there are too many files: it will try again.
                arriving = false;
                return;
            }
            if (connection.channel == null) {
                arriving = false;
                return;
            }
            unproven.add(connection);
            connection.expect(Phase.ACCEPTED, Handshake.HELLO);
            step(connection);
        }
    }

    /** Does what a connection can do before it is live. */
    void step(Connection connection) {
        try {
            if (connection.phase == Phase.DIALED) {
                if (!network.finish(connection.channel)) {
                    return;
                }
                connection.deadline = now + config.patienceNs();
                connection.expect(Phase.GREETED, Handshake.ANSWER);
                connection.send(connection.handshake.hello(connection.peer.rank, connection.peer.attempts));
            }
            while (connection.phase != Phase.LIVE && !connection.isClosed()) {
                if (!connection.writeOut()) {
                    return;
                }
                if (connection.channel.read(connection.in) < 0) {
                    throw new IOException("connection closed before it was agreed on");
                }
                if (connection.in.hasRemaining()) {
                    return;
                }
                connection.in.flip();
                next(connection);
            }
        } catch (IOException e) {
            failed(connection, e);
        }
    }

    /** A whole message of the handshake has come. */
    private void next(Connection connection) throws IOException {
        Handshake handshake = connection.handshake;
        switch (connection.phase) {
            case GREETED -> answered(connection);
            case COMMITTED -> {
                if (!handshake.readWelcome(connection.in)) {
                    throw new IOException("its welcome was changed on its way");
                }
                welcomed(connection);
            }
            case ACCEPTED -> {
                connection.claimed = handshake.readHello(connection.in, members.size());
                if (connection.claimed < 0) {
                    refuse(connection);
                    return;
                }
                if (isOver(port.known(connection.claimed))) {
                    // It gets no answer, and will take this rank for lost.
                    drop(connection);
                    return;
                }
                connection.send(handshake.answer());
                connection.expect(Phase.CHALLENGED, Handshake.COMMITMENT);
                if (handshake.isRefusal()) {
                    drop(connection);
                }
            }
            case CHALLENGED -> {
                if (handshake.readCommitment(connection.in)) {
                    proven(connection);
                } else {
                    refuse(connection);
                }
            }
            default -> throw new IllegalStateException("a message in phase " + connection.phase);
        }
    }

    private void answered(Connection connection) throws IOException {
        Peer peer = connection.peer;
        String wrong = connection.handshake.readAnswer(connection.in);
        if (wrong != null) {
            if (connection.handshake.isOtherWorld) {
                peer.since = now;
            }
            throw new IOException(wrong);
        }
        // It lives, even if it does not take this connection because it waits for another.
        peer.since = now;
        if (decides(peer)) {
            peer.generation++;
        }
        connection.deadline = now + config.patienceNs();
        connection.expect(Phase.COMMITTED, Handshake.WELCOME);
        connection.send(connection.handshake.commitment(peer.generation, peer.link.delivered()));
    }

    private boolean decides(Peer peer) {
        return members.self() < peer.rank;
    }

    private void welcomed(Connection connection) throws IOException {
        Peer peer = connection.peer;
        long number = connection.handshake.generation;
        if (decides(peer) ? number != peer.generation : number <= peer.generation) {
            throw new IOException("a welcome for another connection");
        }
        peer.generation = number;
        peer.followed = number;
        use(connection);
    }

    /** The dialer has proven that it is the peer: the connection is used unless there is a better one. */
    private void proven(Connection connection) throws IOException {
        Peer peer = port.peer(connection.claimed);
        Handshake handshake = connection.handshake;
        if (!accepts(peer, handshake)) {
            drop(connection);
            return;
        }
        peer.generation = decides(peer) ? peer.generation + 1 : handshake.generation;
        peer.lastAttempt = handshake.attempt;
        connection.peer = peer;
        use(connection);
        if (connection.phase == Phase.LIVE) {
            connection.send(handshake.welcome(peer.generation, peer.link.delivered()));
        }
    }

    private static boolean isOver(Peer peer) {
        return peer != null && (peer.isLost || peer.link.isDeparted());
    }

    private boolean accepts(Peer peer, Handshake handshake) {
        if (isOver(peer)) {
            return false;
        }
        if (!decides(peer)) {
            return handshake.generation > peer.generation;
        }
        // A commitment that is not answered in time may be to a connection that has ended at the other side.
        boolean isCommitted = peer.own != null && peer.own.phase == Phase.COMMITTED
                && now < peer.own.deadline - config.patienceNs() + WELCOME_NS;
        boolean isLate = handshake.attempt < peer.lastAttempt || handshake.generation < peer.followed;
        return !isCommitted && !isLate;
    }

    /** Both sides have agreed on the connection: all others with the peer end. */
    private void use(Connection connection) {
        Peer peer = connection.peer;
        unproven.remove(connection);
        if (peer.own != null && peer.own != connection) {
            peer.own.close();
        }
        peer.own = null;
        if (peer.live != null) {
            retire(peer.live);
        }
        stopSeeking(peer);
        try {
            peer.link.resume(connection.handshake.delivered);
        } catch (Link.Violation e) {
            connection.close();
            lose(peer, e.getMessage());
            return;
        }
        connection.phase = Phase.LIVE;
        connection.in = null;
        peer.live = connection;
        peer.wasLive = true;
        peer.heard = now;
        live.add(connection);
        port.begins(connection);
    }

    private void retire(Connection connection) {
        connection.peer.live = null;
        connection.close();
        live.remove(connection);
        port.ended(connection);
    }

    private void stopSeeking(Peer peer) {
        if (peer.isSought) {
            peer.isSought = false;
            sought.remove(peer);
        }
    }

    /** Ends a connection whose other side has not proven anything, or not in time. */
    private void refuse(Connection connection) {
        strangers++;
        drop(connection);
    }

    private void drop(Connection connection) {
        unproven.remove(connection);
        connection.close();
    }

    /** A connection has ended before it was live. */
    private void failed(Connection connection, IOException e) {
        if (connection.phase == Phase.LIVE) {
            // The welcome could not be written.
            connection.writeFailure = text(e);
            return;
        }
        if (connection.channel != null) {
            connection.close();
        }
        connection.phase = Phase.CLOSED;
        if (!connection.isOwn) {
            unproven.remove(connection);
            strangers += connection.in.position() > 0 || hasGivenUp(connection) ? 1 : 0;
            return;
        }
        Peer peer = connection.peer;
        peer.own = null;
        String cause = text(e);
        if (peer.wasLive && e instanceof ConnectException && cause.contains("refused")) {
            lose(peer, then(peer, cause));
            return;
        }
        peer.lastFailure = cause;
        peer.nextDial = now + peer.pause;
        peer.pause = Math.min(2 * peer.pause, LONGEST_PAUSE_NS);
    }

    /** Whether a dialer has ended the connection though the rank that it claimed to be had no reason to. */
    private boolean hasGivenUp(Connection connection) {
        Peer peer = connection.claimed < 0 ? null : port.known(connection.claimed);
        return connection.claimed >= 0 && (peer == null || peer.live == null && peer.own == null);
    }

    static String text(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName()
                : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static String then(Peer peer, String cause) {
        return peer.cause == null ? cause : peer.cause + ", then " + cause;
    }

    /** A live connection has ended, and what came through it is delivered. */
    void broken(Connection connection) {
        Peer peer = connection.peer;
        retire(connection);
        if (peer.isLost) {
            return;
        }
        if (peer.link.isDeparted()) {
            peer.link.drop();
            return;
        }
        if (connection.isForged) {
            peer.forgeries = peer.link.delivered() == peer.beforeForgery ? peer.forgeries + 1 : 1;
            peer.beforeForgery = peer.link.delivered();
            if (peer.forgeries == MOST_FORGERIES) {
                lose(peer, connection.failure + ", on " + MOST_FORGERIES + " connections in turn");
                return;
            }
        }
        seek(peer, connection.failure, decides(peer) ? 0 : FIRST_PAUSE_NS);
    }

    /** A peer counts as lost from now on. */
    void lose(Peer peer, String cause) {
        forget(peer);
        losses.add(new PeerLost(peer.rank, members.name(peer.rank) + " is lost: " + cause));
    }

    void forget(Peer peer) {
        peer.isLost = true;
        stopSeeking(peer);
        if (peer.own != null) {
            peer.own.close();
            peer.own = null;
        }
        if (peer.live != null) {
            retire(peer.live);
        }
        peer.link.drop();
    }

    /** Does what time brings. */
    void advance() {
        for (int i = sought.size() - 1; i >= 0; i--) {
            advance(sought.get(i));
        }
        for (int i = unproven.size() - 1; i >= 0; i--) {
            Connection connection = unproven.get(i);
            if (now >= connection.deadline) {
                refuse(connection);
            }
        }
    }

    private void advance(Peer peer) {
        Connection own = peer.own;
        boolean isOut = now - peer.since >= config.patienceNs();
        if (own != null && own.phase != Phase.DIALED) {
            if (now >= own.deadline) {
                // The peer's system has taken the connection: its process is there, but stopped or busy.
                own.close();
                peer.own = null;
                peer.since = now;
                dial(peer);
            }
        } else if (own != null && isOut) {
            lose(peer, then(peer, "no answer for " + seconds(config.patienceNs())));
        } else if (own == null && isOut) {
            lose(peer, then(peer, peer.lastFailure == null ? "no connection" : peer.lastFailure));
        } else if (own == null && now >= peer.nextDial) {
            dial(peer);
        }
    }

    static String seconds(long ns) {
        return ns % 1_000_000_000 == 0 ? ns / 1_000_000_000 + " s" : ns / 1e9 + " s";
    }

    void close() {
        for (Connection connection : unproven) {
            connection.close();
        }
        for (Peer peer : sought) {
            if (peer.own != null) {
                peer.own.close();
            }
        }
        for (Connection connection : live) {
            connection.close();
        }
    }
}
