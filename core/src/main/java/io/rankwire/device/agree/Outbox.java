package io.rankwire.device.agree;

import io.rankwire.device.Operation;

/** What agreements need of the device. */
public interface Outbox {
    /**
     * Sends a frame, now or when there is room.
     *
     * @param to a rank of the world, not this one
     * @param words its payload; the caller uses the array again
     * @param count how many of them
     */
    void send(int to, int kind, long header, long[] words, int count);

    /** An operation for the caller to wait for; null if no caller waits. */
    Operation operation(int context);

    /** A call in shared memory has begun that is not decided: {@link Agreements#poll} is needed. */
    default void pending() {}
}
