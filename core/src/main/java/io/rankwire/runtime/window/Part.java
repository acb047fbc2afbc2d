package io.rankwire.runtime.window;

import io.rankwire.runtime.Agreement;
import io.rankwire.runtime.Endpoint;
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

    boolean isShared() {
        return sharedId != NOT_SHARED;
    }

    boolean hasControl() {
        return controlId != NOT_SHARED;
    }

    /** Returns the part of each rank. All ranks call it. */
    static Part[] agree(Endpoint on, Part own, String call) {
        long[][] rows = Agreement.of(on, call).allgather(
                own.bytes, own.unit, own.type.code(), own.sharedId, own.sharedOffset, own.controlId, own.key);
        return Arrays.stream(rows).map(Part::read).toArray(Part[]::new);
    }

    private static Part read(long[] row) {
        return new Part(row[0], row[1], ElementType.of((int) row[2]), row[3], row[4], row[5], (int) row[6]);
    }
}
