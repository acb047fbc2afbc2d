package io.rankwire.sim;

import java.util.Arrays;

/**
 * The threads of one kind, requesters or responders, of one device, and the payload buffer that they share. A thread is
 * taken when a frame begins, for a time that is not known yet; when it is known, the thread has an end. So threads
 * become free without an event. A frame that finds none free waits in line, and only then an event is needed.
 */
final class Threads {
    /** The end of a thread is not known yet. */
    static final long UNKNOWN = Long.MAX_VALUE;

    private final Frames frames;
    private final int count;
    private final long buffer;
    private final FrameQueue line;
    /** What all threads together hold in the buffer. */
    private long full;
    /** Threads that are taken and have no end yet. */
    private int open;
    /** When the others end, earliest first, and what they hold until then. */
    private long[] ends = new long[4];
    private int[] held = new int[4];
    private int ending;
    /** When there is an event to look after the line; in the past if there is none. */
    private long look = -1;

    Threads(Frames frames, int count, long buffer) {
        this.frames = frames;
        this.count = count;
        this.buffer = buffer;
        this.line = new FrameQueue(frames);
    }

    /** A frame begins at a time that is not before now; or it gets in line, and the result is false. */
    boolean begin(int frame, long at, long now) {
        forget(now);
        if (!line.isEmpty() || freeFrom(frames.bytes(frame), at) != at) {
            line.add(frame);
            return false;
        }
        take(frame);
        return true;
    }

    private void take(int frame) {
        open++;
        full += frames.bytes(frame);
    }

    /** Has the first in line begin, if it can now; returns it, or -1. */
    int beginFirst(long now) {
        forget(now);
        int frame = line.first();
        if (frame < 0 || frames.since(frame) > now || freeFrom(frames.bytes(frame), now) != now) {
            return -1;
        }
        line.take();
        take(frame);
        return frame;
    }

    /** The thread of a frame that has begun ends at a time that is not before now. */
    void end(int bytes, long at) {
        if (ending == ends.length) {
            ends = Arrays.copyOf(ends, 2 * ending);
            held = Arrays.copyOf(held, 2 * ending);
        }
        open--;
        int i = ending++;
        for (; i > 0 && ends[i - 1] > at; i--) {
            ends[i] = ends[i - 1];
            held[i] = held[i - 1];
        }
        ends[i] = at;
        held[i] = bytes;
    }

    private void forget(long now) {
        int over = 0;
        while (over < ending && ends[over] <= now) {
            full -= held[over++];
        }
        if (over > 0) {
            ending -= over;
            System.arraycopy(ends, over, ends, 0, ending);
            System.arraycopy(held, over, held, 0, ending);
        }
    }

    /** From when on, not before a time, a frame of this size finds a thread; {@link #UNKNOWN} if that is not known. */
    private long freeFrom(int bytes, long at) {
        int taken = open + ending;
        long holds = full;
        long from = at;
        for (int i = 0; taken >= count || holds > 0 && holds + bytes > buffer; i++) {
            if (i == ending) {
                return UNKNOWN;
            }
            taken--;
            holds -= held[i];
            from = Math.max(at, ends[i]);
        }
        return from;
    }

    /**
     * When an event has to look after the line, or {@link #UNKNOWN} if there is such an event, no line, or no thread of
     * which the end is known. The caller adds the event.
     */
    long lookAt(long now) {
        int first = line.first();
        if (first < 0) {
            return UNKNOWN;
        }
        long at = freeFrom(frames.bytes(first), Math.max(now, frames.since(first)));
        if (at == UNKNOWN || look > now && look <= at) {
            return UNKNOWN;
        }
        look = at;
        return at;
    }

    /** Frames that wait for a thread. */
    boolean hasLine() {
        return !line.isEmpty();
    }
}
