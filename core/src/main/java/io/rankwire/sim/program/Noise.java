package io.rankwire.sim.program;

/** When the operating system has a rank's processor: for a while at the start of every period, from a phase on. */
final class Noise {
    private final long period;
    private final long length;
    private final long phase;

    /**
     * @param phase into the first period at time 0, below the period
     */
    Noise(long period, long length, long phase) {
        this.period = period;
        this.length = length;
        this.phase = phase;
    }

    /** The first moment from this one on at which the rank has its processor. */
    long free(long at) {
        if (length == 0) {
            return at;
        }
        long into = (at + phase) % period;
        return into < length ? at + length - into : at;
    }

    /** When work of so long is done that begins then. */
    long done(long at, long work) {
        if (length == 0) {
            return at + work;
        }
        long from = free(at);
        long first = period - (from + phase) % period;
        if (work <= first) {
            return from + work;
        }
        long rest = work - first;
        long whole = (rest - 1) / (period - length);
        return from + first + whole * period + length + rest - whole * (period - length);
    }
}
