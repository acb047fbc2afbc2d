package io.rankwire.runtime.window;

import io.rankwire.device.Operation.Mode;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.PointToPoint;
import io.rankwire.type.ElementType;
import java.util.Arrays;

/**
 * The part of one rank, and how others reach it.
 *
 * @param bytes its size
 * @param unit bytes in which other ranks count their way into it
 * @param type what it is made of
 * @param sharedId the shared memory that it lies in, or {@link #NOT_SHARED}
 * @param sharedOffset where it begins there
 * @param controlId the shared memory of the words of a {@link MappedTarget}, or {@link #NOT_SHARED}: then the owner's
 *     device keeps locks and combines elements
 * @param key the device's region, for a part that some ranks reach by frames
 */
record Part(long bytes, long unit, ElementType type, long sharedId, long sharedOffset, long controlId, int key) {
    /** No shared memory: the part is reached by frames. */
    static final long NOT_SHARED = -1;

    private static final int WORDS = 7;
    private static final int TAG = 0;

    boolean isShared() {
        return sharedId != NOT_SHARED;
    }

    boolean hasControl() {
        return controlId != NOT_SHARED;
    }

    /** Returns the part of each rank. All ranks call it; rank 0 collects all and sends them to all. */
    static Part[] agree(Endpoint on, Part own) {
        PointToPoint messages = new PointToPoint(on);
        long[] mine = {own.bytes, own.unit, own.type.code(), own.sharedId, own.sharedOffset, own.controlId, own.key};
        long[] all = Arrays.copyOf(mine, WORDS * on.size());
        if (on.rank() == 0) {
            for (int rank = 1; rank < on.size(); rank++) {
                messages.receive(all, WORDS * rank, WORDS, rank, TAG);
            }
            for (int rank = 1; rank < on.size(); rank++) {
                messages.send(Mode.STANDARD, all, rank, TAG);
            }
        } else {
            messages.send(Mode.STANDARD, mine, 0, TAG);
            messages.receive(all, 0, TAG);
        }
        Part[] parts = new Part[on.size()];
        Arrays.setAll(parts, rank -> read(all, WORDS * rank));
        return parts;
    }

    private static Part read(long[] words, int at) {
        return new Part(words[at], words[at + 1], ElementType.of((int) words[at + 2]), words[at + 3], words[at + 4],
                words[at + 5], (int) words[at + 6]);
    }
}
