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
    private long header;
    private boolean rung;

    RingOutlet(RingWriter ring, Bells bells, int self) {
        this.ring = ring;
        this.memory = ring.memory();
        this.bells = bells;
        this.self = self;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long claim(int payloadBytes) {
        long body = ring.claim(payloadBytes + HEADER);
        header = body;
        return body < 0 ? FULL : body + HEADER;
    }

    @Override
    public void commit(int meta, long headerWord) {
        Words.plain(memory, header, headerWord);
        ring.commit(meta);
        if (!rung || ring.readerAsleep()) {
            rung = true;
            bells.ring(self);
        }
    }
}
