package io.rankwire.sim.schedule;

import java.util.HexFormat;

/**
 * How a run went.
 *
 * @param ps when the last rank was done with its last call
 * @param hash of all that happened to each rank, in the order of the ranks
 */
public record Outcome(long ps, long events, long hash) {
    public String hashText() {
        return HexFormat.of().toHexDigits(hash);
    }
}
