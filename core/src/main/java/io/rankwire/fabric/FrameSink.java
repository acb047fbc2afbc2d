package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/** Takes frames as they arrive. The payload is only there during the call. */
@FunctionalInterface
public interface FrameSink {
    void frame(int peer, int meta, long header, MemorySegment memory, long payload, int payloadBytes);
}
