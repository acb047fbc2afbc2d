package io.rankwire.sim.fault;

/** Calls of one sort that a rank makes, and what must come of them. */
interface Load {
    /** One random call. */
    void step();

    /** Takes the results of what is done. */
    void sweep();

    /** Calls that help the run to its end, when there are no faults any more. */
    void drain();

    /** The device of this rank has lost a peer: what waited for that one must be over. */
    void lose(int peer);

    /** What this rank still waits for, or null. */
    Object waitsFor(Faults faults);

    /** Nothing is under way any more: the last checks. */
    void finish(Faults faults);
}
