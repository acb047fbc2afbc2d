package io.rankwire.sim.schedule;

/** Sees what ranks do, in an order in which they may have done it. */
interface Watcher {
    /** A rank has come past a step of its schedule. */
    void passed(int rank, int step);

    /** A rank has what was sent to it; transfers are named as in the schedules. */
    void received(int from, int send, int rank, int receive);
}
