package io.rankwire.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * What a connection offers beside its channel: reads and writes of arrays. A channel copies those to native memory
 * first. Both may be used in turn. No call blocks.
 */
public interface ArrayChannel {
    /** Whether the calls below work for this connection. */
    boolean isUsable();

    /**
     * Writes bytes of an array, or of native memory that stays; returns how many were taken.
     *
     * @param more whether more bytes follow at once, so that these may wait for them
     */
    int write(MemorySegment from, long offset, int bytes, boolean more) throws IOException;

    /** Reads into an array; returns how many bytes have come, or -1 at the end. */
    int read(MemorySegment to, long offset, int bytes) throws IOException;
}
