package io.rankwire.fabric.tcp;

import io.rankwire.fabric.FrameSink;
import io.rankwire.fabric.Place;
import io.rankwire.memory.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;

/** A frame of a connection whose payload is read straight to where the sink wants it. */
final class Arrival {
    /** Bytes of a frame that say what it is, with the first word of the payload. */
    private static final int KNOWN = Link.HEAD + 8;
    /** Fewer bytes are not worth a read of their own. */
    static final int LEAST = 16 << 10;

    private final Place place = new Place();
    private final ByteBuffer[] parts = new ByteBuffer[2];
    private int meta;
    private int payload;
    private long header;
    private long first;
    /** Bytes of the payload that are still to come; 0 if no frame is arriving this way. */
    private int left;

    boolean isActive() {
        return left > 0;
    }

    /** Takes the beginning of a frame, of which a chunk has a part, if the sink has a place for it. */
    boolean begin(int peer, Chunk in, FrameSink sink, Views views, ArrayChannel arrays) {
        int here = in.to - in.from - Link.HEAD;
        long at = in.origin + in.from;
        long word = Words.load(in.reach, at);
        payload = Link.length(word);
        if (here < KNOWN - Link.HEAD || payload - here < LEAST || (payload & 7) != 0) {
            return false;
        }
        meta = (int) word & 0xFFFF;
        header = Words.load(in.reach, at + 8);
        first = Words.load(in.reach, at + Link.HEAD);
        if (!sink.place(peer, meta, header, first, payload, place) || here < place.lead
                || !Views.isNative(place.memory) && (arrays == null || !arrays.isUsable())) {
            return false;
        }
        boolean interrupted = Words.isInterrupted();
        try {
            MemorySegment.copy(in.reach, at + Link.HEAD + place.lead, target(views), place.offset, here - place.lead);
        } catch (IllegalStateException e) {
            // The memory was closed, so the sink will have no place any more when it is asked again.
            Words.accessEnded(interrupted);
        }
        left = payload - here;
        return true;
    }

    private MemorySegment target(Views views) {
        return Views.isNative(place.memory) ? Words.accessible((MemorySegment) place.memory)
                : views.ofArray(place.memory);
    }

    /**
     * Reads more of the payload, and the head of the next frame into an empty chunk.
     *
     * @return as the channel does
     */
    long read(int peer, ScatteringByteChannel channel, ArrayChannel arrays, Views views, Chunk next, FrameSink sink)
            throws IOException {
        if (!sink.place(peer, meta, header, first, payload, place)) {
            int dropped = channel.read(next.bytes(0, Math.min(next.capacity, left)));
            left -= Math.max(0, dropped);
            return dropped;
        }
        long from = place.offset + payload - place.lead - left;
        if (!Views.isNative(place.memory)) {
            int come = arrays.read(views.ofArray(place.memory), from, left);
            place.memory = null;
            left -= Math.max(0, come);
            return come;
        }
        int at = Views.at(from);
        parts[0] = views.of((MemorySegment) place.memory, from).limit(at + left).position(at);
        parts[1] = next.bytes(0, Link.HEAD + place.lead);
        long bytes;
        try {
            bytes = channel.read(parts, 0, 2);
        } catch (IllegalStateException e) {
            // The memory was closed just now.
            return 0;
        } finally {
            left = parts[0].remaining();
            next.to = parts[1].position();
            place.memory = null;
        }
        return bytes;
    }

    /** Bytes of the frame in the stream. */
    int bytes() {
        return Link.HEAD + payload;
    }

    void deliver(int peer, FrameSink sink) {
        sink.placed(peer, meta, header, first, payload);
    }
}
