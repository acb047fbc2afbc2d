package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/** Takes frames as they arrive. The payload is only there during the call. */
@FunctionalInterface
public interface FrameSink {
    /** Drops every frame. */
    FrameSink NOTHING = new FrameSink() {
        @Override
        public void frame(int peer, int meta, long header, MemorySegment memory, long payload, int bytes) {}

        @Override
        public void placed(int peer, int meta, long header, long first, int bytes) {}
    };

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

    /**
     * Where the payload of a frame may be written that is arriving. A port that reads payloads from the system may ask,
     * and may ask again for the same frame, whose payload it has written in part. It may also ask for a frame that has
     * come whole, and hand that over as any other.
     *
     * @param first the first word of the payload
     * @param to is filled
     * @return whether it was filled; if not, the port hands the frame over as any other, or, if it was asked before and
     *     has written a part, drops what still comes of the payload and calls {@link #placed}
     */
    default boolean place(int peer, int meta, long header, long first, int payloadBytes, Place to) {
        return false;
    }

    /** A frame has arrived whose payload was written to its {@link #place}. */
    default void placed(int peer, int meta, long header, long first, int payloadBytes) {
        throw new UnsupportedOperationException("this sink has no place for payloads");
    }
}
