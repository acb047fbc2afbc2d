package io.rankwire.launch;

import io.rankwire.device.Device;

/**
 * The time of a rank that does not live by the machine's clock, and the simulation that lets it wait. Only the rank's
 * own thread calls, and it is the only one that runs; while it waits others do.
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

    /** The rank's device. */
    interface Driven {
        /** Drives it once: called when something has come while the rank is away, computing. */
        int progress();

        /** The device itself, for audits. */
        Device device();

        /** Shows the receives that are posted, those of a context in the order in which messages meet them. */
        void posted(Wishes to);

        /** When time alone gives {@link #progress} work: in the past if it has to look first, the largest if never. */
        long dueNs();
    }

    /** Receives what messages are wanted: source and tag may be any (-1). */
    @FunctionalInterface
    interface Wishes {
        void message(int context, int source, int tag);
    }

    /** In place of a context: datagrams, whose tag is their queue. */
    int DATAGRAMS = Integer.MIN_VALUE;
    /** In place of a context: what is wanted is no message of the program. */
    int OTHER = Integer.MIN_VALUE + 1;

    long nowNs();

    /** As {@link #nowNs}, but it is not the program that reads the clock: it takes no time and changes nothing. */
    long readNs();

    void device(Driven device);

    /** The rank is going to say what it waits for, until it goes on; nothing that it names: the end of a send. */
    Wishes waits();

    /** The rank's next {@link #drive} looks whether there is such a message, or whether a receive of it is done. */
    void looks(int context, int source, int tag);

    /**
     * The device is about to be driven; returns the time. Ends with {@link #driven}.
     *
     * @param byCall whether a call of the program looks, which takes it some time
     */
    long drive(boolean byCall);

    /**
     * The device was driven.
     *
     * @param dueNs when it could do something though nothing has come; at or before now if never
     */
    void driven(long dueNs);

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

    /** The program computes for {@code ns} nanoseconds. */
    void spend(long ns);

    /** The program makes a collective call. */
    void collective();

    /** The program does nothing for {@code ns} nanoseconds. */
    void sleep(long ns);

    /** Whether the calling thread is the rank itself, and not one that it has started. */
    boolean isMine();
}
