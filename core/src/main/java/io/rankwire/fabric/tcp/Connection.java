package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Seal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;

/** One connection with a peer, or with a stranger until the other side has proven that it is a peer. */
public final class Connection {
    /** What comes next on a connection. */
    enum Phase {
        /** This side dials: the network completes the connection. */
        DIALED,
        /** This side has dialed: the answer of the other. */
        GREETED,
        /** This side has dialed, and both have proven: the welcome of the other. */
        COMMITTED,
        /** The other side has dialed: its hello. */
        ACCEPTED,
        /** The other side has dialed: its proof. */
        CHALLENGED,
        /** Frames. */
        LIVE,
        CLOSED
    }

    /** Null for one that was accepted, until the other side has proven that it is the rank that it claims to be. */
    Peer peer;
    int claimed = -1;
    Phase phase;
    ByteChannel channel;
    /** What carries frames: the channel, or one that encrypts what goes through it. */
    ByteChannel stream;
    private SealedChannel sealed;
    /** For arrays; null if the network has no such calls. */
    ArrayChannel arrays;
    final boolean isOwn;
    final Handshake handshake;
    /** What comes in the handshake. */
    ByteBuffer in;
    /** What goes before the frames: the handshake, then records without a frame. */
    final ByteBuffer out = ByteBuffer.allocate(Handshake.MOST).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    /** When the other side must have answered. */
    long deadline;
    /** Frames that have arrived and were not delivered; null if there are none. */
    Chunk chunk;
    /** A frame whose payload is read to its place. */
    final Arrival arrival = new Arrival();
    /** Why the connection is over, but for the frames that have arrived; null before. */
    String failure;
    /** Whether that is a record which the peer has not sealed. */
    boolean isForged;
    /** Why it takes no more bytes; what the peer has sent before may still come. */
    String writeFailure;
    /** Most bytes that are read before it is known what comes. */
    int blind = Chunk.LARGE;
    /** Whether the port reads this connection at each poll, and how many polls have found nothing. */
    boolean isActive;
    int idle;
    /** Whether the port counts it among those that hold bytes. */
    boolean isHolding;
    /** Whether the network is prepared for many bytes. */
    boolean carriesMany;
    /** Whether the last write did not take everything, and whether the network watches for room. */
    boolean isFull;
    boolean awaitsRoom;

    Connection(boolean isOwn, Handshake handshake, long deadline) {
        this.isOwn = isOwn;
        this.handshake = handshake;
        this.deadline = deadline;
    }

    /** Waits for a message of the handshake, and for no byte behind it. */
    void expect(Phase next, int bytes) {
        phase = next;
        in = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Queues a message of the handshake. The other side answers each before the next, so there is always room. */
    void send(ByteBuffer message) throws IOException {
        out.compact().put(message).flip();
        writeOut();
    }

    /**
     * Frames follow.
     *
     * @param inPlace for arrays, or null
     * @param pieces memory for encrypted records; null if they are not encrypted
     */
    void begin(ArrayChannel inPlace, Pieces pieces, long recordsPerKey) {
        stream = channel;
        arrays = inPlace;
        if (pieces != null) {
            sealed = new SealedChannel(channel, inPlace,
                    Seal.sealing(epoch -> handshake.material(isOwn, true, epoch), recordsPerKey),
                    Seal.opening(epoch -> handshake.material(isOwn, false, epoch), recordsPerKey), pieces);
            stream = sealed;
            arrays = sealed;
        }
    }

    /** It carries many bytes from now on. */
    void prepareForMany(Network network) {
        carriesMany = true;
        network.prepareForMany(channel);
    }

    /** Queues a record without a frame. All frames before it are written. */
    void send(long record) throws IOException {
        if (sealed != null) {
            sealed.write(record);
            return;
        }
        out.compact().putLong(record).flip();
        writeOut();
    }

    boolean readsArrays() {
        return arrays != null && arrays.isUsable();
    }

    boolean hasOut() {
        return out.hasRemaining() || sealed != null && sealed.hasPending();
    }

    /** Writes encrypted frames that the channel did not take before; returns whether that is all. */
    boolean flush() throws IOException {
        return sealed == null || sealed.flush();
    }

    /** Whether frames may have come that the network does not show any more. */
    boolean holdsBytes() {
        return !isClosed() && sealed != null && sealed.holdsBytes();
    }

    boolean writeOut() throws IOException {
        if (out.hasRemaining()) {
            channel.write(out);
        }
        return !out.hasRemaining();
    }

    void close() {
        phase = Phase.CLOSED;
        if (sealed != null) {
            sealed.release();
            sealed = null;
        }
        try {
            channel.close();
        } catch (IOException ignored) {
            // The connection is over in any case; what was not acknowledged goes through the next one.
        }
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }
}
