package io.rankwire.fabric;

import io.rankwire.memory.RingWriter;
import io.rankwire.memory.Words;
import java.lang.foreign.MemorySegment;

/** The way to one peer through a line ring. The header word opens the ring frame's body. */
final class RingOutlet implements Outlet {
    private static final int HEADER = 8;

    private final RingWriter ring;
    private final MemorySegment memory;
    private final Bells bells;
    private final int self;
    /** Whether the reader may put this ring to sleep at all: see {@link RingPort}. */
    private final boolean mayNap;
    private boolean rung;

    RingOutlet(RingWriter ring, Bells bells, int self, boolean mayNap) {
        this.ring = ring;
        this.memory = ring.memory();
        this.bells = bells;
        this.self = self;
        this.mayNap = mayNap;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long claim(int payloadBytes) {
        long body = ring.claim(payloadBytes + HEADER);
        return body < 0 ? FULL : body + HEADER;
    }

    @Override
    public void commit(long at, int payloadBytes, int meta, long header) {
        Words.store(memory, at - HEADER, header);
        ring.commit(payloadBytes + HEADER, meta);
        if (!rung || mayNap) {
            ringIfAsleep();
        }
    }

    private void ringIfAsleep() {
        if (!rung || ring.readerAsleep()) {
            rung = true;
            bells.ring(self);
        }
    }
}
