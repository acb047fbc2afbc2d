package io.rankwire.sim.schedule;

/**
 * What a rank's program does: it makes some calls of the collective and computes in between.
 *
 * @param computePs work of the host between two calls
 * @param overlap whether, where devices drive, it computes between start and completion of a call, else behind it
 */
public record Load(int calls, long computePs, boolean overlap) {
    public static final Load ONCE = new Load(1, 0, false);

    public Load {
        if (calls < 1 || computePs < 0) {
            throw new IllegalArgumentException("load: " + calls + " calls, " + computePs + " ps of work");
        }
    }
}
