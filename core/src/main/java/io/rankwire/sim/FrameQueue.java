package io.rankwire.sim;

/** Frames in the order they were added, linked through {@link Frames#next}. */
final class FrameQueue {
    private static final int NONE = -1;

    private final Frames frames;
    private int first = NONE;
    private int last;

    FrameQueue(Frames frames) {
        this.frames = frames;
    }

    boolean isEmpty() {
        return first == NONE;
    }

    /** The oldest frame, or -1. */
    int first() {
        return first;
    }

    void add(int frame) {
        frames.next(frame, NONE);
        if (first == NONE) {
            first = frame;
        } else {
            frames.next(last, frame);
        }
        last = frame;
    }

    /** Removes the oldest frame; there is one. */
    int take() {
        int frame = first;
        first = frames.next(frame);
        return frame;
    }
}
