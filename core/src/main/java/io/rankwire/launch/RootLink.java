package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import io.rankwire.launch.ControlMessage.Abort;
import io.rankwire.launch.ControlMessage.Addresses;
import io.rankwire.launch.ControlMessage.Agreed;
import io.rankwire.launch.ControlMessage.AllClosed;
import io.rankwire.launch.ControlMessage.Answered;
import io.rankwire.launch.ControlMessage.Declared;
import io.rankwire.launch.ControlMessage.Given;
import io.rankwire.launch.ControlMessage.Leave;
import io.rankwire.launch.ControlMessage.Listening;
import io.rankwire.launch.ControlMessage.NewRank;
import io.rankwire.launch.ControlMessage.Refusal;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * The control connections of one rank to the root of its job: one over which only the rank sends, and one over which
 * only the root sends.
 */
final class RootLink implements AutoCloseable {
    /** What happens to the job, as the root says it. Called on one thread. */
    interface Listener {
        void aborted(int status, String reason);

        void allClosed(int worlds);

        /** What the network costs. */
        void agreed(NetworkCost cost);

        /**
         * A rank is dead.
         *
         * @param number how many were declared dead before
         */
        void declared(int number, int rank, String cause);

        /** The connection to the root was lost. */
        void cutOff(String reason);

        /** The answer to a request for ranks that replace others. */
        void answered(int number, Replacements.Answer answer);

        /** A rank that came later is to replace another one; the root waits until this one has noted that. */
        void newRank(NewRank rank);

        /**
         * What this rank, which came later, is to join.
         *
         * @param world the addresses of that world
         */
        void given(Replacements.Part part, List<Listening> world);

        /** The addresses of a world; or, if there will be none, the reason. */
        void addresses(Addresses addresses, String reason);
    }

    private static final int PAUSE_MS = 100;
    private static final int CONNECT_MS = 5_000;
    /** The same where other addresses are left to try. */
    private static final int CONNECT_ONE_MS = 1_000;
    /** How long the root may take for its proof. */
    private static final int PROOF_MS = 10_000;

    /**
     * A connection over which both sides have proven the secret.
     *
     * @param seal null if messages are not encrypted
     */
    private record Proven(SocketChannel channel, ControlSeal seal) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private final SocketChannel up;
    private final ControlSeal sealing;
    private final SocketChannel down;
    private final ControlSeal opening;
    private final DataInputStream in;
    private volatile boolean closed;

    private RootLink(Proven up, Proven down) throws IOException {
        this.up = up.channel;
        this.sealing = up.seal;
        this.down = down.channel;
        this.opening = down.seal;
        this.in = new DataInputStream(this.down.socket().getInputStream());
    }

    /** Opens both connections, and tries again until the start takes too long. */
    static RootLink connect(NetworkSettings settings, InetSocketAddress known, long deadlineNs) {
        for (int attempt = 0;; attempt++) {
            String cause;
            boolean tryNext = false;
            try {
                List<InetSocketAddress> all = known != null ? List.of(known) : settings.candidates();
                int which = attempt % all.size();
                tryNext = which + 1 < all.size();
                long left = (deadlineNs - System.nanoTime()) / 1_000_000;
                return open(settings, all.get(which),
                        Math.clamp(left, PAUSE_MS, all.size() == 1 ? CONNECT_MS : CONNECT_ONE_MS));
            } catch (UnknownHostException e) {
                cause = "its name does not resolve";
            } catch (SocketTimeoutException e) {
                cause = "it did not answer";
            } catch (EOFException e) {
                cause = "it dropped the connection";
            } catch (IOException e) {
                cause = e.getMessage();
            }
            if (System.nanoTime() - deadlineNs >= 0) {
                throw unreachable(settings, cause);
            }
            if (!tryNext) {
                pause();
            }
        }
    }

    static IllegalStateException unreachable(NetworkSettings settings, String cause) {
        return new IllegalStateException("rank " + settings.rank() + " cannot reach " + settings.rootAt()
                + " within " + settings.startSeconds() + " s: " + cause);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the start of this rank was interrupted", e);
        }
    }

    private static RootLink open(NetworkSettings settings, InetSocketAddress root, int limitMs) throws IOException {
        Proven down = null;
        Proven up = null;
        try {
            down = open(settings, root, limitMs, ControlProof.DOWN);
            KeepAlive.set(down.channel, settings.silenceSeconds());
            up = open(settings, root, limitMs, ControlProof.UP);
            return new RootLink(up, down);
        } catch (IOException | RuntimeException e) {
            Root.close(down);
            Root.close(up);
            throw e;
        }
    }

    private static Proven open(NetworkSettings settings, InetSocketAddress root, int limitMs, int way)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Socket socket = channel.socket();
            socket.connect(root, limitMs);
            socket.setSoTimeout(PROOF_MS);
            return prove(settings, channel, new DataInputStream(socket.getInputStream()), way);
        } catch (IOException | RuntimeException e) {
            Root.close(channel);
            throw e;
        }
    }

    private static Proven prove(NetworkSettings settings, SocketChannel channel, DataInputStream in, int way)
            throws IOException {
        byte[] challenge = Secret.challenge();
        write(channel, ControlProof.greeting(settings.rank(), settings.size(), way, settings.mode(), challenge));
        byte[] answer = new byte[ControlProof.ANSWER];
        in.readFully(answer, 0, ControlProof.PREFIX);
        ByteBuffer prefix = ByteBuffer.wrap(answer);
        if (prefix.getInt() != ControlProof.MAGIC) {
            throw new IOException("what listens there is no rank of a job");
        }
        int version = prefix.getInt();
        if (version != ControlProof.VERSION) {
            throw new IllegalStateException("rank " + settings.rank() + ": " + settings.rootAt()
                    + " has version " + version + " of the control protocol, and this rank version "
                    + ControlProof.VERSION + ": all ranks need the same version of Rankwire");
        }
        in.readFully(answer, ControlProof.PREFIX, ControlProof.ANSWER - ControlProof.PREFIX);
        ControlProof both = ControlProof.ofAnswer(
                answer, settings.rank(), settings.size(), way, settings.mode(), challenge, settings.secret());
        if (both == null && settings.rootAddresses() != null) {
            // Another host may have this address too, on a network of its own.
            throw new IOException("it has another secret");
        }
        if (both == null) {
            throw new IllegalStateException("rank " + settings.rank() + ": " + settings.rootAt()
                    + " has another secret: " + NetworkSettings.SECRET_FILE
                    + " must name the same bytes for all ranks");
        }
        write(channel, both.proofOfRank(settings.secret()));
        return new Proven(channel, ControlSeal.of(both, settings.secret(), false));
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    /** The address by which this rank reaches the root. */
    InetAddress rootAddress() {
        return down.socket().getInetAddress();
    }

    /** The address of this rank on the way to the root. */
    InetAddress ownAddress() {
        return down.socket().getLocalAddress();
    }

    /**
     * Sends; a connection that is broken is found by {@link #listen}. A channel is closed under a thread that is
     * interrupted, so this is done by a thread that no program knows.
     */
    void send(ControlMessage message) {
        byte[] bytes = message.encode();
        OwnThread.run("rankwire-send", () -> write(bytes));
    }

    /** The same by a thread of this library. */
    void sendBeat() {
        write(new ControlMessage.Beat().encode());
    }

    private void write(byte[] bytes) {
        synchronized (up) {
            try {
                write(up, sealing == null ? bytes : sealing.seal(bytes));
            } catch (IOException e) {
                // The other connection ends too, and its reader reports that.
            }
        }
    }

    /** The next message of the root that is no beat, before the job has started. */
    ControlMessage next(long deadlineNs) throws IOException {
        while (true) {
            long left = (deadlineNs - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            down.socket().setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            ControlMessage message = read();
            if (!(message instanceof ControlMessage.Beat)) {
                return message;
            }
        }
    }

    private ControlMessage read() throws IOException {
        int length = in.readInt();
        if (length < 1 || length > ControlMessage.MOST_BYTES) {
            throw new IOException("a control message of " + length + " bytes");
        }
        byte[] body = new byte[length];
        in.readFully(body);
        return ControlMessage.decode(opening == null ? body : opening.open(body));
    }

    /** Passes on what the root says until the connection ends. */
    void listen(Listener listener, String root) {
        try {
            down.socket().setSoTimeout(0);
            while (true) {
                ControlMessage message = read();
                if (message instanceof Abort(int status, String reason)) {
                    listener.aborted(status, reason);
                } else if (message instanceof AllClosed(int worlds)) {
                    listener.allClosed(worlds);
                } else if (message instanceof Declared(int number, int rank, String cause)) {
                    listener.declared(number, rank, cause);
                } else if (message instanceof Addresses all) {
                    listener.addresses(all, null);
                } else if (message instanceof Agreed(String cost)) {
                    listener.agreed(NetworkCost.parse(cost));
                } else if (message instanceof Answered(int number, String answer)) {
                    listener.answered(number, Replacements.Answer.parse(answer));
                } else if (message instanceof NewRank rank) {
                    listener.newRank(rank);
                } else if (message instanceof Given(String part, List<Listening> world)) {
                    listener.given(Replacements.Part.parse(part), world);
                } else if (message instanceof Refusal(String reason)) {
                    listener.addresses(null, reason);
                } else if (message instanceof Leave) {
                    listener.addresses(null, root + " has ended and joins no other world");
                    return;
                }
            }
        } catch (IOException e) {
            if (!closed) {
                listener.cutOff(
                        Roster.gone(root, e instanceof EOFException ? Roster.CLOSED : String.valueOf(e.getMessage())));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Root.close(up);
        Root.close(down);
    }
}
