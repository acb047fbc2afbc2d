package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/** Takes frames as they arrive. The payload is only there during the call. */
@FunctionalInterface
public interface FrameSink {
    void frame(int peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes);

    /**
     * Offers frames that came one after another and differ in nothing but their payload; the payloads are {@code
     * stride} bytes apart. Returns how many of them were taken, from the first on; a port gives the others to {@link
     * #frame}. It throws nothing once it has taken one. Ports need not call it, and sinks need not take any.
     */
    default int frames(int peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes,
            int stride, int count) {
        return 0;
    }
}
