package io.rankwire.sim;

/**
 * What goes wrong on a simulated fabric. A fabric without one is asked nothing. It is asked where a device claims room
 * for a frame, and where a frame has come to the device it is for; there it decides what becomes of it, by {@link
 * SimFabric#handOver}, {@link Frames#give} and the calls beside it.
 */
public interface Interference {
    /** Whether frames may be lost, doubled, changed or overtaken; otherwise it keeps the order of each pair. */
    boolean isLossy();

    /** Whether a claim finds no room although there is some. */
    boolean refuses(int from, int to, int payloadBytes);

    /** Whether there is no memory for an allocation of a rank. */
    boolean hasNoMemory(int rank, long bytes);

    /** Whether a rank is dead at that time, and sends nothing then. */
    boolean isDeadAt(int rank, long at);

    /** A frame is at its target's device, which will have taken it in at that time. */
    void arrived(int frame, long at);
}
