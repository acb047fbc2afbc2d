package io.rankwire.device;

import io.rankwire.device.match.Matching;
import io.rankwire.device.onesided.OneSided;

/**
 * What parts of a device call back: those that are made before the part they call. It is one interface, not a lambda
 * for each, because lambdas cost every rank some milliseconds at its start. {@link #run} counts one chore more.
 */
interface DeviceEvents extends Matching.Met, Runnable {
    /** The code of a receive that was removed from a divided queue. */
    int endOfRemoved(Operation operation);

    /** The header store is full: makes room for a header of this context, or throws. */
    void headersFull(int context);

    /** A peer that keeps messages for want of credit is about to get more. */
    void beforeRaise(Peer peer);

    /** A message was refused whose send has ended already. */
    void refused(Refusal refusal);

    /** The part for one-sided access, made at its first use. */
    OneSided oneSided();
}
