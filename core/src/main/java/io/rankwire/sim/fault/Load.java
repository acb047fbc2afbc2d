package io.rankwire.sim.fault;

/** Calls of one sort that a rank makes, and what must come of them. */
interface Load {
    /** One random call. */
    void step();

    /** Takes the results of what is done. */
    void sweep();

    /** Calls that help the run to its end, when there are no faults any more. */
    void drain();

    /** What this rank still waits for of ranks that live, or null. */
    Object waitsFor(Faults faults);

    /** Nothing is under way any more: the last checks. */
    void finish(Faults faults);

    /** Operations that can never end, because the other rank is dead. */
    int stuck();
}
