package io.rankwire.launch;

import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/** A control connection as the root sees it: first the proof, then messages. Nothing here blocks. */
final class RootConnection {
    /** What has come over a connection. */
    interface Receiver {
        void received(RootConnection from, ControlMessage message) throws IOException;
    }

    /** Called when the other side has proven the secret. */
    interface Proven {
        void proven(RootConnection connection) throws IOException;
    }

    private enum Part { PREFIX, GREETING, PROOF, LENGTH, BODY, NOTHING }

    final SocketChannel channel;
    /** When the proof must be there. */
    final long deadlineNs;
    SelectionKey key;
    /** The rank at the other end, or -1. */
    int rank = -1;
    boolean hasArrived;

    private final NetworkSettings settings;
    private final SocketAddress from;
    private final Queue<ByteBuffer> out = new ArrayDeque<>();
    private ByteBuffer in = ByteBuffer.allocate(ControlProof.GREETING).limit(ControlProof.PREFIX);
    private Part part = Part.PREFIX;
    private ControlProof proof;
    /** Null if messages are not encrypted, or before the proof. */
    private ControlSeal seal;
    private boolean closing;

    RootConnection(SocketChannel channel, NetworkSettings settings, long deadlineNs) throws IOException {
        this.channel = channel;
        this.settings = settings;
        this.deadlineNs = deadlineNs;
        this.from = channel.getRemoteAddress();
    }

    /** What the other side has proven, or null. */
    ControlProof proof() {
        return proof;
    }

    /** Whether the other side speaks this protocol and was not refused: its end is worth a report. */
    boolean isWorthReport() {
        return part != Part.PREFIX && !closing;
    }

    /**
     * Takes in what is there.
     *
     * @throws IOException when the connection is over, with a message that says how
     */
    void read(Proven proven, Receiver receiver) throws IOException {
        while (true) {
            int count = channel.read(in);
            if (count < 0) {
                throw new IOException(part == Part.PROOF
                        ? "did not like this rank's proof, most likely because it has another secret"
                        : Roster.CLOSED);
            }
            if (in.hasRemaining()) {
                return;
            }
            in.flip();
            next(proven, receiver);
        }
    }

    private void next(Proven proven, Receiver receiver) throws IOException {
        switch (part) {
            case PREFIX -> prefix();
            case GREETING -> {
                proof = ControlProof.ofGreeting(in, settings.size(), settings.mode());
                send(proof.answer(settings.secret()));
                expect(Part.PROOF, Secret.PROOF);
            }
            case PROOF -> {
                byte[] given = new byte[Secret.PROOF];
                in.get(given);
                if (!proof.isProofOfRank(given, settings.secret())) {
                    throw new IOException("does not know the secret");
                }
                seal = ControlSeal.of(proof, settings.secret(), true);
                expect(Part.LENGTH, Integer.BYTES);
                proven.proven(this);
            }
            case LENGTH -> {
                int length = in.getInt();
                int most = hasArrived ? ControlMessage.MOST_BYTES : ControlMessage.MOST_BYTES_FIRST;
                if (length < 1 || length > most) {
                    throw new IOException("sent a message of " + length + " bytes");
                }
                expect(Part.BODY, length);
            }
            case BODY -> {
                byte[] body = in.array();
                expect(Part.LENGTH, Integer.BYTES);
                receiver.received(this, ControlMessage.decode(seal == null ? body : seal.open(body)));
            }
            case NOTHING -> in.clear();
        }
    }

    private void prefix() throws IOException {
        if (in.getInt() != ControlProof.MAGIC) {
            throw new IOException("speaks another protocol");
        }
        int version = in.getInt();
        part = Part.GREETING;
        if (version != ControlProof.VERSION) {
            out.add(ByteBuffer.allocate(ControlProof.PREFIX)
                    .putInt(ControlProof.MAGIC).putInt(ControlProof.VERSION).flip());
            flush();
            throw new IOException("has version " + version + " of the control protocol; this rank has "
                    + ControlProof.VERSION);
        }
        in.limit(in.capacity());
    }

    private void expect(Part next, int bytes) {
        part = next;
        in = ByteBuffer.allocate(bytes);
    }

    void send(byte[] bytes) throws IOException {
        out.add(ByteBuffer.wrap(seal == null ? bytes : seal.seal(bytes)));
        flush();
    }

    /** Sends these bytes as the last ones, and ignores what comes until the other side closes the connection. */
    void closeAfter(byte[] bytes) throws IOException {
        closing = true;
        part = Part.NOTHING;
        in = ByteBuffer.allocate(1);
        send(bytes);
    }

    boolean isSending() {
        return !out.isEmpty();
    }

    void flush() throws IOException {
        while (!out.isEmpty()) {
            channel.write(out.peek());
            if (out.peek().hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            out.remove();
        }
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_READ);
        }
        if (closing) {
            channel.shutdownOutput();
        }
    }

    void close() {
        Root.close(channel);
    }

    @Override
    public String toString() {
        return "a process at " + from + (proof == null ? "" : " as rank " + proof.rank());
    }
}
