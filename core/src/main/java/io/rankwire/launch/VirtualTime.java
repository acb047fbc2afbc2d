package io.rankwire.launch;

import java.util.function.IntSupplier;

/**
 * The time of a rank that does not live by the machine's clock, and whoever lets it wait. Only the rank's own thread
 * calls, and it is the only one that runs; while it waits others do.
 */
public interface VirtualTime {
    /** Why a rank that had nothing to do goes on. */
    enum Wake {
        /** Something has come, or may have. */
        LOOK,
        /** Nothing will ever come, as it seems: the rank should say what it waits for, and pause again. */
        TELL,
        /** All have said so: the rank should throw if it knows what is wrong, and else pause again. */
        DOUBT
    }

    long nowNs();

    /** What drives the rank's device, once: called when something has come while the rank is away, computing. */
    void device(IntSupplier progress);

    /**
     * The device is about to be driven; returns the time. Ends with {@link #driven}.
     *
     * @param byCall whether a call of the program looks, which takes it some time
     */
    long drive(boolean byCall);

    void driven();

    /**
     * The rank cannot go on by itself.
     *
     * @param dueNs when it could though nothing has come; at or before now if never
     */
    Wake pause(long dueNs);

    /**
     * As {@link #pause}, of a rank that has ended its part and waits for the others to do so; true when all have, and
     * nothing is on its way any more.
     */
    boolean pauseAtEnd();

    /** The program computes for so long. */
    void spend(long ns);

    /** The program makes a collective call. */
    void collective();

    /** The program does nothing for so long. */
    void sleep(long ns);

    /** Whether the calling thread is the rank itself, and not one that it has started. */
    boolean isMine();
}
