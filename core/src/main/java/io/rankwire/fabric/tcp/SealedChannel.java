package io.rankwire.fabric.tcp;

import io.rankwire.fabric.ForgedRecord;
import io.rankwire.fabric.Seal;
import io.rankwire.fabric.tcp.Pieces.Piece;
import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/**
 * A connection whose bytes are encrypted. What is written together is sealed as one record, in pieces if it is long: a
 * length of 4 bytes, the bytes, and their tag. What was taken and is not in the system yet waits for {@link #flush}.
 * Nothing here blocks.
 */
final class SealedChannel implements ByteChannel, GatheringByteChannel, ScatteringByteChannel, ArrayChannel {
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Arrays of at least this many bytes are sealed, opened, read and written in place. */
    private static final int IN_PLACE = 8 << 10;

    private final ByteChannel channel;
    /** For arrays; null if the network has no such calls. */
    private final ArrayChannel arrays;
    private final Seal sealing;
    private final Seal opening;
    private final Pieces pool;
    /** What is to be sealed, sealed records on their way out, those that come, and bytes of the last; null for none. */
    private Piece plain;
    private Piece sealed;
    private Piece coming;
    private Piece opened;
    /** Why no more can be written, found after bytes were taken: the next call reports it. */
    private IOException failure;
    /** Whether long records have come. */
    private boolean isLong;
    /** Whether the last read of the connection has brought all that was there. */
    private boolean isDrained;

    SealedChannel(ByteChannel channel, ArrayChannel arrays, Seal sealing, Seal opening, Pieces pool) {
        this.channel = channel;
        this.arrays = arrays;
        this.sealing = sealing;
        this.opening = opening;
        this.pool = pool;
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    private boolean isInPlace(int bytes) {
        return bytes >= IN_PLACE && arrays != null && arrays.isUsable();
    }

    /** Whether bytes wait that were taken. */
    boolean hasPending() {
        return plain != null || sealed != null;
    }

    /** Writes what was taken; returns whether that is all. */
    boolean flush() throws IOException {
        check();
        return pushAll();
    }

    private boolean pushAll() throws IOException {
        if (!push()) {
            return false;
        }
        if (plain != null) {
            seal();
        }
        return push();
    }

    private void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Does so after bytes were taken, which the caller has to know. */
    private void flushTaken() {
        try {
            pushAll();
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Writes what is sealed; returns whether that is all. */
    private boolean push() throws IOException {
        if (sealed == null) {
            return true;
        }
        while (sealed.from < sealed.to) {
            int left = sealed.length();
            int taken = isInPlace(left) ? arrays.write(sealed.segment, sealed.from, left, false)
                    : channel.write(sealed.view.limit(sealed.to).position(sealed.from));
            sealed.from += taken;
            if (taken == 0) {
                return false;
            }
        }
        pool.give(sealed);
        sealed = null;
        return true;
    }

    private void seal() {
        if (plain.to > 0) {
            seal(plain.bytes, 0, plain.to);
        }
        pool.give(plain);
        plain = null;
    }

    private void seal(byte[] bytes, int at, int count) {
        sealed = pool.take();
        sealed.segment.set(LENGTH, 0, count);
        sealed.to = Pieces.HEAD + sealing.seal(bytes, at, count, sealed.bytes, Pieces.HEAD);
    }

    /** The array of bytes that a segment is a part of, or null. */
    private static byte[] array(MemorySegment segment) {
        return segment.heapBase().orElse(null) instanceof byte[] bytes ? bytes : null;
    }

    /** Makes room for bytes that are to be sealed; returns how many it has, 0 if the connection takes no more. */
    private int room() {
        try {
            if (!push() || plain != null && plain.to == Pieces.MOST && !pushAll()) {
                return 0;
            }
        } catch (IOException e) {
            failure = e;
            return 0;
        }
        if (plain == null) {
            plain = pool.take();
        }
        return Pieces.MOST - plain.to;
    }

    @Override
    public int write(MemorySegment from, long offset, int bytes, boolean more) throws IOException {
        check();
        byte[] array = bytes >= IN_PLACE ? array(from) : null;
        int taken = 0;
        while (taken < bytes) {
            int room = Math.min(room(), bytes - taken);
            if (room == 0) {
                return taken;
            }
            if (array != null && plain.to == 0 && room >= IN_PLACE) {
                seal(array, (int) (from.address() + offset + taken), room);
                taken += room;
                continue;
            }
            MemorySegment.copy(from, offset + taken, plain.segment, plain.to, room);
            plain.to += room;
            taken += room;
        }
        if (!more) {
            flushTaken();
        }
        return taken;
    }

    /** Takes what there is room for; memory that was closed is reported if nothing was taken before. */
    private int take(ByteBuffer source, long taken) {
        int before = source.remaining();
        while (source.hasRemaining()) {
            int room = Math.min(room(), source.remaining());
            if (room == 0) {
                break;
            }
            boolean interrupted = Words.isInterrupted();
            try {
                source.get(plain.bytes, plain.to, room);
            } catch (IllegalStateException e) {
                Words.accessEnded(interrupted);
                if (taken + before - source.remaining() > 0) {
                    break;
                }
                throw e;
            }
            plain.to += room;
        }
        return before - source.remaining();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        check();
        int taken = take(source, 0);
        flushTaken();
        return taken;
    }

    /** Seals a word; all before it is written. */
    void write(long word) throws IOException {
        check();
        room();
        plain.segment.set(WORD, 0, word);
        plain.to = Long.BYTES;
        pushAll();
    }

    @Override
    public long write(ByteBuffer[] sources, int first, int count) throws IOException {
        check();
        long taken = 0;
        for (int i = first; i < first + count; i++) {
            taken += take(sources[i], taken);
            if (sources[i].hasRemaining()) {
                return taken;
            }
        }
        flushTaken();
        return taken;
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    /** Whether a read gives bytes though none may come over the connection. */
    boolean holdsBytes() {
        return opened != null || coming != null && coming.length() >= whole(coming);
    }

    /** Bytes of the record that begins here with its head, or of a head if that has not come whole. */
    private static int whole(Piece piece) {
        return piece.length() < Pieces.HEAD ? Pieces.HEAD : Pieces.HEAD + length(piece) + Seal.TAG;
    }

    /** The bytes that the head of a record says; one that is too long is as good as too short. */
    private static int length(Piece piece) {
        int length = piece.segment.get(LENGTH, piece.from);
        return length > Pieces.MOST ? 0 : Math.max(length, 0);
    }

    /** Opens the next record, if it has come or can be read; returns as a channel does. */
    private int next() throws IOException {
        int come = arrive();
        if (come > 0) {
            opened = pool.take();
            opened.to = come;
            open(opened.bytes, 0);
        }
        return come;
    }

    /** Reads until a record has come whole; returns how many bytes it has when it is opened, or as a channel does. */
    private int arrive() throws IOException {
        if (coming == null) {
            coming = pool.take();
        }
        while (true) {
            int missing = whole(coming) - coming.length();
            if (coming.length() >= Pieces.HEAD) {
                if (length(coming) == 0) {
                    throw new ForgedRecord();
                }
                if (missing <= 0) {
                    return length(coming);
                }
            }
            int come = isDrained ? 0 : read(missing);
            if (come <= 0) {
                if (coming.length() == 0) {
                    pool.give(coming);
                    coming = null;
                }
                return come;
            }
        }
    }

    /** Reads the rest of a long record and the head of the next, or whatever is there. */
    private int read(int missing) throws IOException {
        int wanted = missing >= IN_PLACE ? missing + Pieces.HEAD : Pieces.CAPACITY - coming.length();
        if (coming.to + wanted > Pieces.CAPACITY) {
            coming.compact();
        }
        isLong |= missing >= IN_PLACE;
        int come = isLong && isInPlace(wanted) ? arrays.read(coming.segment, coming.to, wanted)
                : channel.read(coming.view.limit(coming.to + wanted).position(coming.to));
        coming.to += Math.max(0, come);
        isDrained = come < wanted;
        return come;
    }

    private void open(byte[] to, int at) throws IOException {
        int bytes = whole(coming);
        opening.open(coming.bytes, coming.from + Pieces.HEAD, bytes - Pieces.HEAD, to, at);
        coming.from += bytes;
        if (coming.length() == 0) {
            pool.give(coming);
            coming = null;
        }
    }

    private void taken(int bytes) {
        opened.from += bytes;
        if (opened.length() == 0) {
            pool.give(opened);
            opened = null;
        }
    }

    @Override
    public int read(MemorySegment to, long offset, int bytes) throws IOException {
        isDrained = false;
        byte[] array = bytes >= IN_PLACE ? array(to) : null;
        int given = 0;
        while (given < bytes) {
            boolean isPlaced = array != null && opened == null;
            int come = isPlaced ? arrive() : opened != null ? opened.length() : next();
            if (come <= 0) {
                return given > 0 ? given : come;
            }
            if (isPlaced && come <= bytes - given) {
                open(array, (int) (to.address() + offset + given));
                given += come;
                continue;
            }
            if (isPlaced) {
                next();
            }
            int count = Math.min(come, bytes - given);
            MemorySegment.copy(opened.segment, opened.from, to, offset + given, count);
            taken(count);
            given += count;
        }
        return given;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        isDrained = false;
        return give(target);
    }

    private int give(ByteBuffer target) throws IOException {
        int before = target.remaining();
        while (target.hasRemaining()) {
            int come = opened != null ? opened.length() : next();
            if (come <= 0) {
                return target.remaining() < before ? before - target.remaining() : come;
            }
            int count = Math.min(come, target.remaining());
            boolean interrupted = Words.isInterrupted();
            try {
                target.put(opened.bytes, opened.from, count);
            } catch (IllegalStateException e) {
                Words.accessEnded(interrupted);
                throw e;
            }
            taken(count);
        }
        return before;
    }

    @Override
    public long read(ByteBuffer[] targets, int first, int count) throws IOException {
        isDrained = false;
        long given = 0;
        for (int i = first; i < first + count; i++) {
            int come = give(targets[i]);
            if (come < 0 && given == 0) {
                return come;
            }
            given += Math.max(0, come);
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return given;
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return read(targets, 0, targets.length);
    }

    /** Gives back all memory; the connection is over. */
    void release() {
        for (Piece piece : new Piece[] {plain, sealed, coming, opened}) {
            if (piece != null) {
                pool.give(piece);
            }
        }
        plain = null;
        sealed = null;
        coming = null;
        opened = null;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
