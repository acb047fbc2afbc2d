package io.rankwire.fabric;

import io.rankwire.memory.RingLayout;
import io.rankwire.memory.RingWriter;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * The way to one peer through a line ring. The header word opens the ring frame's body. A longer payload lies in the
 * {@link Slab} of this rank, while there is room.
 */
final class RingOutlet implements Outlet {
    private static final int HEADER = 8;
    /** A payload begins here in its chunk: as far from the start of a line as in the ring. */
    static final int LEAD = 16;

    private final RingWriter ring;
    private final MemorySegment memory;
    private final Bells bells;
    private final int self;
    /** Whether the reader may put this ring to sleep at all: see {@link RingPort}. */
    private final boolean mayNap;
    /** Payloads of more bytes go through the slab. */
    private final int mostInRing;
    private final Supplier<Slab> slabs;
    /** The slab, or null before the first long payload. */
    private Slab slab;
    /** The positions behind the last frames that went through the slab, in turn: a peer gets half of it at most. */
    private long[] ends;
    private int frames;
    private boolean staged;
    private boolean rung;
    /** The position behind the last mark that asks the reader how far it has read; -1 before. */
    private long asked = -1;

    /**
     * @param slabs gives the slab of this rank, null if there is no memory for one
     */
    RingOutlet(RingWriter ring, Bells bells, int self, boolean mayNap, int mostInRing, Supplier<Slab> slabs) {
        this.ring = ring;
        this.memory = ring.memory();
        this.bells = bells;
        this.self = self;
        this.mayNap = mayNap;
        this.mostInRing = mostInRing;
        this.slabs = slabs;
    }

    @Override
    public MemorySegment memory() {
        return staged ? slab.memory() : memory;
    }

    @Override
    public long claim(int payloadBytes) {
        staged = false;
        if (payloadBytes > mostInRing) {
            long at = claimChunk();
            if (at >= 0) {
                return at;
            }
        }
        long body = ring.claim(payloadBytes + HEADER);
        return body < 0 ? FULL : body + HEADER;
    }

    @Override
    public long claim(int payloadBytes, int meta, long header) {
        long at = ring.claimMore(payloadBytes + HEADER, meta, header);
        if (at < 0) {
            return claim(payloadBytes);
        }
        staged = false;
        return at;
    }

    private long claimChunk() {
        if (ends == null) {
            slab = slabs.get();
            ends = new long[slab == null ? 0 : slab.chunks() / 2];
        }
        if (slab == null || !ring.hasRead(ends[frames]) || ring.claim(2 * HEADER) < 0) {
            return FULL;
        }
        long at = slab.claim();
        staged = at >= 0;
        return at < 0 ? FULL : at + LEAD;
    }

    @Override
    public void commit(long at, int payloadBytes, int meta, long header) {
        if (staged) {
            commitChunk(payloadBytes, meta, header);
        } else if (ring.isMore(at)) {
            ring.commitMore();
        } else {
            ring.commit(payloadBytes + HEADER, meta, header);
        }
        if (!rung || mayNap) {
            ringIfAsleep();
        }
    }

    private void commitChunk(int payloadBytes, int meta, long header) {
        Words.store(memory, ring.claim(2 * HEADER), header);
        long end = ring.commitStaged(payloadBytes + HEADER, meta, slab.place() + LEAD);
        slab.commit(ring, end);
        ends[frames] = end;
        frames = frames + 1 == ends.length ? 0 : frames + 1;
    }

    /**
     * Ends the ring, which no frame goes through any more. That takes a second call, after the reader has answered the
     * first: it may have read a frame to which more could be added, and then has not gone past it.
     *
     * @return false if the reader has not read all frames, or is not known to
     */
    boolean end(Rings rings, int peer) {
        if (asked != ring.head()) {
            asked = ring.mark(RingLayout.REPORT) ? ring.head() : -1;
            ringIfAsleep();
            return false;
        }
        if (!ring.hasRead(asked)) {
            return false;
        }
        // The reader looks for the next ring when it comes to the mark.
        rings.end(peer);
        ring.mark(RingLayout.END);
        ringIfAsleep();
        if (slab != null) {
            slab.forget(ring);
        }
        return true;
    }

    /** What is wrong with what the peer has written into the ring, or null. */
    String wrong() {
        return ring.wrong();
    }

    private void ringIfAsleep() {
        if (!rung || ring.readerAsleep()) {
            rung = true;
            bells.ring(self);
        }
    }
}
