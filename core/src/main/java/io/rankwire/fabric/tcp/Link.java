package io.rankwire.fabric.tcp;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Outlet;
import io.rankwire.fabric.Place;
import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;

/**
 * The two streams of frames between this rank and a peer, whatever connection carries them. A position in a stream
 * counts the bytes of the frames before it. What was sent stays here until the peer has acknowledged it, so that a new
 * connection can go on where the old one broke: at the position up to which the peer has delivered frames.
 *
 * <p>A record begins with a word: bits 15..0 the meta of a frame, 35..16 its payload in bytes, 63..36 the position up
 * to which the writer has delivered frames, in units of 8 bytes. The header (8), the payload and up to 7 bytes of
 * filling follow. With meta 0 the word is a whole record that is no part of the stream, of the kind in bits
 * 35..16: an acknowledgement or a goodbye.
 */
final class Link {
    static final int HEAD = 16;
    private static final int LENGTH = 16;
    private static final int LENGTH_MASK = (1 << 20) - 1;
    private static final int POSITION = 36;
    /** A part of 256 KiB of a large message fits, with what the device puts before it. */
    static final int MOST_FRAME = (256 << 10) + 64;
    static final int MOST_PAYLOAD = MOST_FRAME - HEAD;
    static final int RECORD = 8;
    static final int ACKNOWLEDGE = 0;
    static final int GOODBYE = 1;
    /** Most chunks that hold what is not acknowledged: a small one, and large ones. */
    private static final int CHUNKS = 9;
    /** Delivered bytes after which an acknowledgement is due: a part of what the peer may have under way. */
    static final int DUE = 256 << 10;
    /** Most bytes that wait here for the connection: what a small message has to let pass first. */
    private static final int MOST_WAITING = Chunk.LARGE;
    private static final int MOST_LOANS = 32;
    /** Most parts of one write. */
    private static final int MOST_PARTS = 16;

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
    /** Whether a frame came whole that could have been read to its place. */
    boolean hasPlaces;
    private final Place place = new Place();

    /** Parts of the stream to the peer that are in memory of the program, in their order; made at first use. */
    private Loan[] loans;
    private int firstLoan;
    private int loanCount;
    /** Those among them that are in arrays. */
    private int arrayCount;
    /** What is before this position cannot be sent again: its memory was closed. */
    private long spoiled;
    private final ByteBuffer[] parts = new ByteBuffer[MOST_PARTS];
    private long gathered;

    Link(int peer, Chunks pool) {
        this.peer = peer;
        this.pool = pool;
    }

    /** Bytes of a frame in the stream. */
    static int size(int payloadBytes) {
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
        Words.store(chunk.reach, at - HEAD, word(payloadBytes, meta));
        Words.store(chunk.reach, at - 8, header);
        chunk.to += bytes;
        end += bytes;
    }

    /** The first word of a record. It says how much has come: no other acknowledgement of that is needed. */
    private long word(int length, int meta) {
        told = delivered;
        return delivered >>> 3 << POSITION | (long) length << LENGTH | meta;
    }

    /** The length in the first word of a record, or its kind. */
    static int length(long word) {
        return (int) (word >>> LENGTH) & LENGTH_MASK;
    }

    /** A record without a frame; it may be written where {@link #waiting} is 0. */
    long record(int kind) {
        return word(kind, 0);
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

    /** Whether there is room for one more loan. */
    boolean borrows() {
        return loanCount < MOST_LOANS;
    }

    /** As {@link #commit}; the payload behind the lead is in memory of the program. */
    long lend(long at, int payloadBytes, int meta, long header, int lead, ByteBuffer memory, int offset) {
        nextLoan().fill(memory, offset, last(), end + HEAD + lead, payloadBytes - lead);
        commit(at, payloadBytes, meta, header);
        return end;
    }

    /** The same for an array. */
    long lend(long at, int payloadBytes, int meta, long header, int lead, MemorySegment array, long offset) {
        nextLoan().fill(array, offset, last(), end + HEAD + lead, payloadBytes - lead);
        arrayCount++;
        commit(at, payloadBytes, meta, header);
        return end;
    }

    private Loan nextLoan() {
        if (loans == null) {
            loans = new Loan[MOST_LOANS];
            Arrays.setAll(loans, i -> new Loan());
        }
        return loan(loanCount++);
    }

    /** Whether no loan is left before a position. */
    boolean isBack(long position) {
        return loanCount == 0 || loan(0).from >= position;
    }

    private Loan loan(int number) {
        return loans[(firstLoan + number) % MOST_LOANS];
    }

    /** Ends the last loan, if there is one: copies what may have to be written again. */
    void settleLast() {
        if (loanCount > 0) {
            Loan loan = loan(--loanCount);
            if (!loan.settle()) {
                spoiled = Math.max(spoiled, loan.to);
            }
            forget(loan);
        }
    }

    /** Ends all loans. */
    void settle() {
        while (loanCount > 0) {
            settleLast();
        }
    }

    private void forget(Loan loan) {
        arrayCount -= loan.isArray() ? 1 : 0;
        loan.forget();
    }

    private void endLoan() {
        forget(loan(0));
        firstLoan = (firstLoan + 1) % MOST_LOANS;
        loanCount--;
    }

    /**
     * Ends the loans that are not written whole; returns whether there were any. What was closed before it was written
     * goes with any content.
     */
    boolean settleUnwritten() {
        int before = loanCount;
        while (loanCount > 0 && loan(loanCount - 1).to > written) {
            Loan loan = loan(--loanCount);
            loan.settle();
            forget(loan);
        }
        return loanCount < before;
    }

    /** Writes what the connection takes; returns whether that is all. */
    boolean write(GatheringByteChannel connection, ArrayChannel arrays) throws IOException {
        if (arrayCount > 0 && (arrays == null || !arrays.isUsable())) {
            settle();
        }
        while (written < end) {
            long until;
            long bytes;
            try {
                if (arrayCount > 0) {
                    until = endOfPart();
                    bytes = writePart(until, connection, arrays);
                } else {
                    int count = gather();
                    until = gathered;
                    bytes = count == 1 ? connection.write(parts[0]) : connection.write(parts, 0, count);
                }
            } catch (IllegalStateException e) {
                if (!settleUnwritten()) {
                    throw e;
                }
                continue;
            }
            written += bytes;
            furthest = Math.max(furthest, written);
            if (written < until) {
                return false;
            }
        }
        return true;
    }

    private Loan loanAt(long position) {
        int next = 0;
        while (next < loanCount && loan(next).to <= position) {
            next++;
        }
        return next < loanCount ? loan(next) : null;
    }

    private Chunk chunkAt(long position) {
        int next = 0;
        while (chunks[(first + next) % CHUNKS].start + chunks[(first + next) % CHUNKS].to <= position) {
            next++;
        }
        return chunks[(first + next) % CHUNKS];
    }

    /** Where the bytes end that are written next and lie together. */
    private long endOfPart() {
        Loan loan = loanAt(written);
        Chunk chunk = chunkAt(written);
        return loan == null ? chunk.start + chunk.to
                : loan.from <= written ? loan.to : Math.min(loan.from, chunk.start + chunk.to);
    }

    /** Writes one part. One that others follow may wait for them in the system. */
    private int writePart(long until, GatheringByteChannel connection, ArrayChannel arrays) throws IOException {
        Loan loan = loanAt(written);
        if (loan == null || loan.from > written) {
            Chunk chunk = chunkAt(written);
            return arrays.write(chunk.reach, chunk.origin + written - chunk.start, (int) (until - written),
                    until < end);
        }
        return loan.isArray() ? loan.write(written, arrays, until < end) : connection.write(loan.bytes(written));
    }

    /** Finds the parts of the stream that are to be written next, and where they end; returns how many. */
    private int gather() {
        int count = 0;
        int next = 0;
        long at = written;
        while (next < loanCount && loan(next).to <= at) {
            next++;
        }
        for (int i = 0; i < this.count && count < MOST_PARTS; i++) {
            Chunk chunk = chunks[(first + i) % CHUNKS];
            long chunkEnd = chunk.start + chunk.to;
            for (int part = 0; at < chunkEnd && part < Chunk.MOST_PARTS && count < MOST_PARTS; count++) {
                Loan loan = next < loanCount ? loan(next) : null;
                if (loan != null && loan.from <= at) {
                    parts[count] = loan.bytes(at);
                    at = loan.to;
                    next++;
                } else {
                    long until = loan == null ? chunkEnd : Math.min(chunkEnd, loan.from);
                    parts[count] = chunk.part(part++, (int) (at - chunk.start), (int) (until - chunk.start));
                    at = until;
                }
            }
            if (at < chunkEnd) {
                break;
            }
        }
        gathered = at;
        return count;
    }

    /** A new connection goes on where the peer has stopped: what was written behind that is written again. */
    void resume(long peerDelivered) throws Violation {
        if (peerDelivered < acknowledged || peerDelivered > furthest) {
            throw new Violation("position " + peerDelivered + " is not between " + acknowledged + " and " + furthest);
        }
        if (peerDelivered < spoiled) {
            throw new Violation("what it did not get was in memory that is closed now");
        }
        written = peerDelivered;
        acknowledge(peerDelivered);
        told = delivered;
    }

    private void acknowledge(long position) {
        acknowledged = position;
        while (loanCount > 0 && loan(0).to <= position) {
            endLoan();
        }
        while (count > 0 && chunks[first].start + chunks[first].to <= position) {
            pool.give(chunks[first]);
            chunks[first] = null;
            first = (first + 1) % CHUNKS;
            count--;
        }
    }

    /** Takes the position in the first word of a record, of which only the lowest bits are there. */
    private void acknowledged(long word) throws Violation {
        long more = word - (acknowledged >>> 3 << POSITION) >> POSITION;
        if (more > 0) {
            long position = acknowledged + 8 * more;
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
            int bytes = length(word);
            if (meta == 0) {
                in.from += RECORD;
                control(bytes, word);
                continue;
            }
            int size = size(bytes);
            if (size > MOST_FRAME) {
                throw new Violation("sent a frame of " + bytes + " bytes");
            }
            if (in.to - in.from < size) {
                break;
            }
            acknowledged(word);
            long header = Words.load(memory, at + 8);
            if (bytes >= Arrival.LEAST) {
                hasPlaces |= sink.place(peer, meta, header, Words.load(memory, at + HEAD), bytes, place);
                place.memory = null;
            }
            in.from += size;
            delivered += size;
            work++;
            sink.frame(peer, meta, header, memory, at + HEAD, bytes);
        }
        return work;
    }

    /** As {@link #deliver} for a frame of which a part has come, whose payload the sink has a place for. */
    boolean begin(Chunk in, Arrival arrival, FrameSink sink, Views views, ArrayChannel arrays) throws Violation {
        if (in.to - in.from < HEAD || length(Words.load(in.reach, in.origin + in.from)) > MOST_PAYLOAD
                || !arrival.begin(peer, in, sink, views, arrays)) {
            return false;
        }
        acknowledged(Words.load(in.reach, in.origin + in.from));
        in.from = in.to;
        return true;
    }

    /** Hands over a frame whose payload has come to its place. */
    void deliver(Arrival arrival, FrameSink sink) {
        delivered += arrival.bytes();
        arrival.deliver(peer, sink);
    }

    private void control(int kind, long word) throws Violation {
        if (kind > GOODBYE) {
            throw new Violation("sent a record of kind " + kind);
        }
        acknowledged(word);
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
