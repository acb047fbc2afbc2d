package io.rankwire.fabric.tcp;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * The two streams of frames between this rank and a peer, whatever connection carries them. A position in a stream
 * counts the bytes of the frames before it. What was sent stays here until the peer has acknowledged it, so that a new
 * connection can go on where the old one broke: at the position up to which the peer has delivered frames.
 *
 * <p>A record begins with a word: bits 15..0 the meta of a frame, 31..16 its payload in bytes, 63..32 the position up
 * to which the writer has delivered frames, in units of 8 bytes. The header (8), the payload and up to 7 bytes of
 * filling follow. With meta 0 the word is a whole record that is no part of the stream, of the kind in bits
 * 31..16: an acknowledgement or a goodbye.
 */
final class Link {
    static final int HEAD = 16;
    static final int MOST_FRAME = 64 << 10;
    static final int MOST_PAYLOAD = MOST_FRAME - HEAD;
    static final int RECORD = 8;
    static final int ACKNOWLEDGE = 0;
    static final int GOODBYE = 1;
    /** Most chunks that hold what is not acknowledged: a small one, and large ones. */
    private static final int CHUNKS = 5;
    /** Delivered bytes after which an acknowledgement is due: a quarter of what the peer may have under way. */
    static final int QUARTER = (CHUNKS - 1) * Chunk.LARGE / 4;
    /** Most bytes that wait here for the connection: what a small message has to let pass first. */
    private static final int MOST_WAITING = Chunk.LARGE;

    /** The peer has sent what no peer of this version sends. */
    static final class Violation extends IOException {
        private static final long serialVersionUID = 1;

        Violation(String message) {
            super(message);
        }
    }

    private final int peer;
    private final Chunks pool;
    private final Chunk[] chunks = new Chunk[CHUNKS];
    private int first;
    private int count;
    /** Positions in the stream to the peer. */
    private long acknowledged;
    private long written;
    private long end;
    /** The furthest that was ever written: the peer can know no more. */
    private long furthest;
    /** Positions in the stream of the peer. */
    private long delivered;
    private long told;
    private boolean departed;

    Link(int peer, Chunks pool) {
        this.peer = peer;
        this.pool = pool;
    }

    /** Bytes of a frame in the stream. */
    private static int size(int payloadBytes) {
        return HEAD + (payloadBytes + 7 & ~7);
    }

    private Chunk last() {
        return chunks[(first + count - 1) % CHUNKS];
    }

    /** As {@link Outlet#claim}; the memory is that of {@link #claimed}. */
    long claim(int payloadBytes) {
        int bytes = size(payloadBytes);
        if (end - written + bytes > MOST_WAITING) {
            return Outlet.FULL;
        }
        Chunk chunk = count == 0 ? null : last();
        if (chunk == null || chunk.to + bytes > chunk.capacity) {
            if (count == CHUNKS) {
                return Outlet.FULL;
            }
            chunk = pool.take(count == 0 && bytes <= Chunk.SMALL / 4 ? Chunk.SMALL : Chunk.LARGE, end);
            chunks[(first + count++) % CHUNKS] = chunk;
        }
        return chunk.origin + chunk.to + HEAD;
    }

    MemorySegment claimed() {
        return last().reach;
    }

    void commit(long at, int payloadBytes, int meta, long header) {
        Chunk chunk = last();
        int bytes = size(payloadBytes);
        Words.store(chunk.reach, at - HEAD, word(payloadBytes << 16 | meta));
        Words.store(chunk.reach, at - 8, header);
        chunk.to += bytes;
        end += bytes;
    }

    /** The first word of a record. It says how much has come: no other acknowledgement of that is needed. */
    private long word(int low) {
        told = delivered;
        return delivered >>> 3 << 32 | Integer.toUnsignedLong(low);
    }

    /** A record without a frame; it may be written where {@link #waiting} is 0. */
    long record(int kind) {
        return word(kind << 16);
    }

    /** Bytes that were committed and not written to the connection. */
    int waiting() {
        return (int) (end - written);
    }

    /** Whether the peer has not acknowledged everything. */
    boolean isUnacknowledged() {
        return acknowledged != end;
    }

    /** Delivered bytes that the peer does not know of. */
    long owed() {
        return delivered - told;
    }

    long delivered() {
        return delivered;
    }

    /** Whether the peer has said goodbye: it sends no more, and takes no more. */
    boolean isDeparted() {
        return departed;
    }

    /** Writes what the connection takes; returns whether that is all. */
    boolean write(WritableByteChannel connection) throws IOException {
        for (int i = 0; written < end; i++) {
            Chunk chunk = chunks[(first + i) % CHUNKS];
            int from = (int) (written - chunk.start);
            if (from >= chunk.to) {
                continue;
            }
            ByteBuffer bytes = chunk.bytes(from, chunk.to);
            written += connection.write(bytes);
            furthest = Math.max(furthest, written);
            if (bytes.hasRemaining()) {
                return false;
            }
        }
        return true;
    }

    /** A new connection goes on where the peer has stopped: what was written behind that is written again. */
    void resume(long peerDelivered) throws Violation {
        if (peerDelivered < acknowledged || peerDelivered > furthest) {
            throw new Violation("position " + peerDelivered + " is not between " + acknowledged + " and " + furthest);
        }
        written = peerDelivered;
        acknowledge(peerDelivered);
        told = delivered;
    }

    private void acknowledge(long position) {
        acknowledged = position;
        while (count > 0 && chunks[first].start + chunks[first].to <= position) {
            pool.give(chunks[first]);
            chunks[first] = null;
            first = (first + 1) % CHUNKS;
            count--;
        }
    }

    private void acknowledged(int units) throws Violation {
        int more = units - (int) (acknowledged >>> 3);
        if (more > 0) {
            long position = acknowledged + 8L * more;
            if (position > written) {
                throw new Violation("acknowledges " + (position - written) + " bytes that were not sent");
            }
            acknowledge(position);
        }
    }

    /** Hands over frames that have arrived, in place, at most {@code limit}. */
    int deliver(Chunk in, FrameSink sink, int limit) throws Violation {
        MemorySegment memory = in.reach;
        int work = 0;
        while (work < limit && in.to - in.from >= RECORD) {
            long at = in.origin + in.from;
            long word = Words.load(memory, at);
            int meta = (int) word & 0xFFFF;
            int bytes = (int) word >>> 16;
            if (meta == 0) {
                in.from += RECORD;
                control(bytes, (int) (word >>> 32));
                continue;
            }
            int size = size(bytes);
            if (size > MOST_FRAME) {
                throw new Violation("a frame of " + bytes + " bytes");
            }
            if (in.to - in.from < size) {
                break;
            }
            acknowledged((int) (word >>> 32));
            long header = Words.load(memory, at + 8);
            in.from += size;
            delivered += size;
            work++;
            sink.frame(peer, meta, header, memory, at + HEAD, bytes);
        }
        return work;
    }

    private void control(int kind, int units) throws Violation {
        if (kind > GOODBYE) {
            throw new Violation("a record of kind " + kind);
        }
        acknowledged(units);
        departed |= kind == GOODBYE;
    }

    /** Drops what waits: the peer will not take it. */
    void drop() {
        acknowledge(end);
        written = end;
    }

    /** Returns what is wrong with the positions and the memory, or null. */
    String wrong() {
        long held = 0;
        for (int i = 0; i < count; i++) {
            Chunk chunk = chunks[(first + i) % CHUNKS];
            if (i > 0 && chunk.start != end - waitingFrom(i)) {
                return "chunk " + i + " begins at " + chunk.start;
            }
            held += chunk.to;
        }
        boolean isOrdered = acknowledged <= written && written <= end && furthest <= end && told <= delivered;
        return !isOrdered ? "acknowledged " + acknowledged + ", written " + written + ", furthest " + furthest
                + ", end " + end : end - acknowledged > held ? end - acknowledged + " bytes, held " + held : null;
    }

    /** Bytes in the chunks from this one on. */
    private long waitingFrom(int chunk) {
        long bytes = 0;
        for (int i = chunk; i < count; i++) {
            bytes += chunks[(first + i) % CHUNKS].to;
        }
        return bytes;
    }
}
