package io.rankwire.runtime;

import io.rankwire.device.Counter;
import io.rankwire.device.Counts;

/** What the calls of a program count, beside the {@link Counts} of the device. */
public final class HostCounts {
    private static final int GRANT = 256;

    long calls;
    long waits;
    long sleeps;
    long waitNs;
    /** Collective calls that the program has begun. */
    public long collectives;
    /** Accesses made so far plus {@link #untilGrant}: {@link #grant} adds 256 in advance. */
    private long granted;
    /**
     * Accesses left before the next {@link #grant}. Each counts this down, which costs less than to count up and test
     * for each 256th. Accesses take no lock, so threads that make some at once may lose a count.
     */
    public int untilGrant;
    /** Active messages whose handlers have returned. */
    long handled;

    /** Called by one access in 256, which is counted with it. */
    public void grant() {
        granted += GRANT;
        untilGrant = GRANT - 1;
    }

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
        into[Counter.ONE_SIDED_ACCESSES.ordinal()] = granted - untilGrant;
        into[Counter.ACTIVE_MESSAGES_HANDLED.ordinal()] = handled;
    }
}
