package io.rankwire.runtime;

import io.rankwire.device.Counter;
import io.rankwire.device.Counts;

/** What the calls of a program count, beside the {@link Counts} of the device. */
public final class HostCounts {
    long calls;
    long waits;
    long sleeps;
    long waitNs;
    /** Collective calls that the program has begun. */
    public long collectives;
    /** Accesses to windows. They take no lock, so threads that make some at once may lose a count. */
    public long accesses;
    /** Active messages whose handlers have returned. */
    long handled;

    /** Writes all numbers of a rank, those of its device too; see {@link Counts#read}. */
    void read(Host host, long[] into) {
        Counts.read(host.device, into);
        into[Counter.PROGRESS_ROUNDS.ordinal()] = host.rounds;
        into[Counter.PROGRESS_VISITS.ordinal()] = host.visits.made();
        into[Counter.CALLS.ordinal()] = calls;
        into[Counter.WAITS.ordinal()] = waits;
        into[Counter.SLEEPS.ordinal()] = sleeps;
        into[Counter.WAIT_NANOS.ordinal()] = waitNs;
        into[Counter.COLLECTIVE_CALLS.ordinal()] = collectives;
        into[Counter.ONE_SIDED_ACCESSES.ordinal()] = accesses;
        into[Counter.ACTIVE_MESSAGES_HANDLED.ordinal()] = handled;
    }
}
