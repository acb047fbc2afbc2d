package io.rankwire.sim.schedule;

import java.util.HexFormat;

/**
 * How a run went.
 *
 * @param starts the last start of each call
 * @param ends the last end of each call
 * @param meanEnd of the ranks' last ends
 * @param hash of all that happened to each rank, in the order of the ranks
 */
public record Outcome(long[] starts, long[] ends, double meanEnd, long events, long hash) {
    /** When the last rank was done with its last call. */
    public long ps() {
        return ends[ends.length - 1];
    }

    /** From the last start of a call to its last end, on average. */
    public double meanPs() {
        double sum = 0;
        for (int call = 0; call < ends.length; call++) {
            sum += ends[call] - starts[call];
        }
        return sum / ends.length;
    }

    public String hashText() {
        return HexFormat.of().toHexDigits(hash);
    }
}
