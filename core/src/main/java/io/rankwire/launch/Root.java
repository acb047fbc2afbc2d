package io.rankwire.launch;

import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Beat;
import io.rankwire.launch.ControlMessage.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The end of all control connections, in the process of rank 0; or in that of an agent, if the job goes on when a rank
 * has failed. Each rank has two connections to it, also rank 0 itself: one in each direction ({@link KeepAlive} says
 * why). A rank is gone when the one over which it sends has ended, because its last word comes before that. One thread
 * serves all connections, and a {@link Roster} decides.
 */
public final class Root extends Thread {
    /** Watches over the processes of a job that goes on. Called on the thread of the root, and must not wait. */
    public interface Watcher {
        /** All ranks have found each other: from now on the job goes on without those that fail. */
        void started();

        /** A rank is dead. */
        void declared(int rank, String cause);

        /** A rank is to be killed: another one cannot reach it, or it takes too long to start. */
        void kill(int rank);

        /**
         * A rank is to be started that replaces a dead one.
         *
         * @param like the rank of the world at the start whose program it runs
         */
        void start(int rank, int like, int dead);

        /** A rank that waited, or was just started, has a part in the job from now on. */
        void given(int rank);

        /** The whole job ends. */
        void over(int status, String reason);
    }

    /** For a job that ends with the first rank that fails. */
    static final Watcher NOBODY = new Watcher() {
        @Override
        public void started() {}

        @Override
        public void declared(int rank, String cause) {}

        @Override
        public void kill(int rank) {}

        @Override
        public void start(int rank, int like, int dead) {}

        @Override
        public void given(int rank) {}

        @Override
        public void over(int status, String reason) {}
    };

    /** Connections without a proof that may wait at a time, besides those of ranks that have not arrived. */
    private static final int STRANGERS = 32;
    /** How long a connection may take for its proof. */
    private static final long PROOF_NS = 10_000_000_000L;
    /** How many refused connections are reported. */
    private static final int MOST_LINES = 20;
    private static final long CLOSE_NS = 2_000_000_000L;

    private final NetworkSettings settings;
    private final ServerSocketChannel listening;
    private final Selector selector;
    private final Roster roster;
    /** Connections by rank, once proven; null before. */
    private final RootConnection[] up;
    private final RootConnection[] down;
    private final List<RootConnection> strangers = new ArrayList<>();
    private final long beatNs;
    private long nextBeatNs;
    private int lines;
    /** What the watcher knows, and the roster does not yet. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
    private volatile boolean ending;

    private Root(NetworkSettings settings, ServerSocketChannel listening, Selector selector, int spares,
            Watcher watcher) {
        super(OwnThread.group(), "rankwire-root");
        this.settings = settings;
        this.listening = listening;
        this.selector = selector;
        roster = new Roster(settings.size(), settings.places(), spares, settings.root(),
                System.nanoTime() + settings.startNs(), settings.startSeconds(), settings.goesOn(), watcher);
        up = new RootConnection[settings.places()];
        down = new RootConnection[settings.places()];
        beatNs = settings.beatNs();
        setDaemon(true);
    }

    /**
     * Listens for the ranks of a job that goes on when a rank has failed.
     *
     * @param environment that of any rank
     * @param spares how many ranks behind those of the world wait to replace others
     * @throws IllegalStateException if that is not possible
     */
    public static Root ofAgent(Map<String, String> environment, int spares, Watcher watcher) {
        return listen(NetworkSettings.ofRoot(environment), spares, watcher);
    }

    /**
     * Listens where the settings say: at that address, or at all if they give a name.
     *
     * @throws IllegalStateException if that is not possible
     */
    static Root listen(NetworkSettings settings, Watcher watcher) {
        return listen(settings, 0, watcher);
    }

    private static Root listen(NetworkSettings settings, int spares, Watcher watcher) {
        ServerSocketChannel channel = null;
        try {
            InetAddress at = settings.isByName() ? null : InetAddress.getByName(settings.rootHost());
            channel = bind(settings, at, settings.rootPorts());
            return serve(settings.listeningAt(channel.socket().getLocalPort()), channel, spares, watcher);
        } catch (IOException e) {
            close(channel);
            throw new IllegalStateException(settings.rootName() + " cannot listen at " + settings.root() + " ("
                    + NetworkSettings.ROOT + "): " + e.getMessage(), e);
        }
    }

    /** Serves ranks that connect to a channel, which is bound already. */
    static Root serve(NetworkSettings settings, ServerSocketChannel channel, Watcher watcher) throws IOException {
        return serve(settings, channel, 0, watcher);
    }

    private static Root serve(NetworkSettings settings, ServerSocketChannel channel, int spares, Watcher watcher)
            throws IOException {
        channel.configureBlocking(false);
        Selector selector = Selector.open();
        channel.register(selector, SelectionKey.OP_ACCEPT);
        Root root = new Root(settings, channel, selector, spares, watcher);
        root.start();
        return root;
    }

    /**
     * Listens at all addresses, at the first port that ranks may use.
     *
     * @throws IllegalStateException if that is not possible
     */
    static ServerSocketChannel bind(NetworkSettings settings) {
        try {
            return bind(settings, null, settings.ports());
        } catch (IOException e) {
            throw new IllegalStateException("rank 0 cannot listen at " + settings.ports() + ": " + e.getMessage(), e);
        }
    }

    private static ServerSocketChannel bind(NetworkSettings settings, InetAddress at, PortRange ports)
            throws IOException {
        for (int port = ports.first();; port++) {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                return channel.bind(new InetSocketAddress(at, port), settings.places() + STRANGERS);
            } catch (IOException e) {
                close(channel);
                if (port == ports.last()) {
                    throw e;
                }
            }
        }
    }

    /** The settings of the root, with the port at which this root listens. */
    NetworkSettings settings() {
        return settings;
    }

    /** Where rank 0 itself reaches this root. */
    InetSocketAddress address() {
        InetAddress at = listening.socket().getInetAddress();
        return new InetSocketAddress(at.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : at,
                listening.socket().getLocalPort());
    }

    /** A rank is dead, as its watcher knows. May be called by any thread. */
    public void declare(int rank, String cause) {
        note(() -> roster.declare(rank, cause));
    }

    /** The process of a rank has ended with status 0, as its watcher knows. May be called by any thread. */
    public void endedWell(int rank) {
        note(() -> roster.endedWell(rank));
    }

    /** The process of a rank runs that was started to replace another one. May be called by any thread. */
    public void runs(int rank) {
        note(() -> roster.late.runs(rank));
    }

    /**
     * Has something run on the thread of the root once the watcher knows all that follows from what ranks have sent so
     * far. May be called by any thread.
     */
    public void settle(Runnable then) {
        // What has come since the last look at the connections is read before the next turn ends.
        note(() -> note(then));
    }

    private void note(Runnable one) {
        news.add(one);
        selector.wakeup();
    }

    /** Rank 0 has closed its own connections, or the agent ends: sends what is left to be sent, and ends. */
    public void finish() {
        ending = true;
        selector.wakeup();
        try {
            join(CLOSE_NS / 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try {
            while (!ending || up[0] != null && !settings.goesOn()) {
                turn();
            }
            roster.close();
            long until = System.nanoTime() + CLOSE_NS;
            do {
                turn();
            } while (isSending() && System.nanoTime() - until < 0);
        } catch (IOException e) {
            roster.abort(Roster.LOST, settings.rootAt() + " cannot serve the other ranks: "
                    + e.getMessage());
            sendAll();
        } finally {
            closeAll();
        }
    }

    private void turn() throws IOException {
        selector.select(key -> {
            // The end of one connection of a rank closes the other.
            if (key.isValid() && key.isAcceptable()) {
                accept();
            } else if (key.isValid()) {
                serve((RootConnection) key.attachment(), key);
            }
        }, beatNs / 2_000_000);
        for (int left = news.size(); left > 0; left--) {
            news.remove().run();
        }
        long now = System.nanoTime();
        roster.check(now);
        if (now - nextBeatNs >= 0) {
            nextBeatNs = now + beatNs;
            beat();
        }
        for (RootConnection stranger : List.copyOf(strangers)) {
            if (now - stranger.deadlineNs >= 0) {
                drop(stranger, "has proven nothing for " + PROOF_NS / 1_000_000_000 + " s");
            }
        }
        sendAll();
    }

    private void accept() {
        try {
            SocketChannel channel = listening.accept();
            if (channel == null) {
                return;
            }
            if (strangers.size() >= STRANGERS + 2 * settings.places()) {
                // Ranks prove themselves at once, so the one that has waited longest is none.
                drop(strangers.getFirst(), "has proven nothing while others came");
            }
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            RootConnection connection = new RootConnection(channel, settings, System.nanoTime() + PROOF_NS);
            connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
            strangers.add(connection);
        } catch (IOException e) {
            say("cannot accept a connection: " + e.getMessage());
        }
    }

    private void serve(RootConnection connection, SelectionKey key) {
        try {
            if (key.isReadable()) {
                connection.read(this::proven, this::received);
            }
            if (key.isValid() && key.isWritable()) {
                connection.flush();
            }
        } catch (IOException e) {
            drop(connection, String.valueOf(e.getMessage()));
        }
    }

    /** Called when a connection has proven the secret. */
    private void proven(RootConnection connection) throws IOException {
        ControlProof proof = connection.proof();
        String obstacle = roster.obstacle(proof.rank(), proof.size());
        boolean isUp = proof.way() == ControlProof.UP;
        if (obstacle == null && (isUp ? up : down)[proof.rank()] != null) {
            obstacle = "rank " + proof.rank() + " of the job at " + settings.root()
                    + " has come twice: start each rank once";
        }
        if (obstacle == null && proof.mode() != settings.mode()) {
            obstacle = "rank " + proof.rank() + (settings.encrypted() ? " does not encrypt, but rank 0 does: "
                    : " encrypts, but rank 0 does not: ") + Fabrics.ENCRYPT + " must be the same for all ranks";
        }
        if (obstacle != null) {
            say("refused " + connection + ": " + obstacle);
            connection.closeAfter(new Refusal(obstacle).encode());
            return;
        }
        strangers.remove(connection);
        (isUp ? up : down)[proof.rank()] = connection;
        connection.rank = proof.rank();
        if (isUp) {
            KeepAlive.set(connection.channel, settings.silenceSeconds());
        }
    }

    private void received(RootConnection connection, ControlMessage message) throws IOException {
        int rank = connection.rank;
        if (rank < 0 || up[rank] != connection) {
            throw new IOException("sent " + message + " out of turn");
        }
        if (connection.hasArrived) {
            roster.receive(rank, message);
        } else if (message instanceof Arrival arrival && down[rank] != null) {
            connection.hasArrived = true;
            roster.arrive(rank, arrival);
        } else {
            throw new IOException("sent " + message + " before it arrived");
        }
    }

    private void beat() {
        byte[] beat = new Beat().encode();
        for (RootConnection connection : down) {
            if (connection != null && !connection.isSending()) {
                send(connection, beat);
            }
        }
    }

    private void sendAll() {
        for (Roster.Outgoing next = roster.take(); next != null; next = roster.take()) {
            RootConnection connection = down[next.rank()];
            if (connection != null) {
                send(connection, next.message().encode());
            }
        }
    }

    private void send(RootConnection connection, byte[] bytes) {
        try {
            connection.send(bytes);
        } catch (IOException e) {
            drop(connection, e.getMessage());
        }
    }

    private boolean isSending() {
        for (RootConnection connection : down) {
            if (connection != null && connection.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Ends a connection, for this reason. */
    private void drop(RootConnection connection, String how) {
        int rank = connection.rank;
        connection.close();
        if (strangers.remove(connection)) {
            if (connection.isWorthReport() && !ending) {
                say("dropped " + connection + ", which " + how);
            }
        } else if (rank >= 0 && down[rank] == connection) {
            down[rank] = null;
        } else if (rank >= 0 && up[rank] == connection) {
            up[rank] = null;
            if (connection.hasArrived) {
                roster.lost(rank, how);
            }
            if (down[rank] != null) {
                down[rank].close();
                down[rank] = null;
            }
        }
    }

    private void say(String what) {
        if (lines++ < MOST_LINES) {
            System.err.println("rankwire: " + settings.rootName() + " " + what);
        }
    }

    private void closeAll() {
        for (SelectionKey key : selector.keys()) {
            close(key.channel());
        }
        close(selector);
    }

    static void close(AutoCloseable what) {
        try {
            if (what != null) {
                what.close();
            }
        } catch (Exception e) {
            // It is of no use any more.
        }
    }
}
