package io.rankwire.sim;


/**
 * The devices of a node and which of them serves whom.
 *
 * @param devices of a node; 0 for one a rank, whatever the number of ranks
 * @param sharing which device a frame comes in by, and goes out by: that of its rank here, or of its rank there
 * @param claimPs what fetching and setting the flag takes of a receive that was posted to several devices
 * @param copyPsPerKib what copying 1,024 bytes takes a processor of the node
 */
public record NodeModel(int devices, Sharing sharing, long claimPs, long copyPsPerKib) {
    public static final NodeModel DEFAULT = new NodeModel(0, Sharing.PINNED, 50_000);

    /** As the default, with processors that copy 5 GB/s. */
    public static final NodeModel COPYING = new NodeModel(0, Sharing.PINNED, 50_000, 204_800);

    public NodeModel {
        if (devices < 0 || copyPsPerKib < 0 || claimPs < 0 || claimPs > 1_000_000_000) {
            throw new IllegalArgumentException(
                    "node: devices from 1, or own; a claim from 0 to 1 ms: " + devices + ", " + claimPs + " ps");
        }
    }

    /** Copies by processors take no time. */
    public NodeModel(int devices, Sharing sharing, long claimPs) {
        this(devices, sharing, claimPs, 0);
    }
}
