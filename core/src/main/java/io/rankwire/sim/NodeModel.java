package io.rankwire.sim;


/**
 * The devices of a node and which of them serves whom (H11).
 *
 * @param devices of a node; 0 for one a rank, whatever the number of ranks
 * @param sharing which device a frame comes in by, and goes out by: that of its rank here, or of its rank there
 * @param claimPs what fetching and setting the flag takes of a receive that was posted to several devices
 */
public record NodeModel(int devices, Sharing sharing, long claimPs) {
    public static final NodeModel DEFAULT = new NodeModel(0, Sharing.PINNED, 50_000);

    public NodeModel {
        if (devices < 0 || claimPs < 0 || claimPs > 1_000_000_000) {
            throw new IllegalArgumentException(
                    "node: devices from 1, or own; a claim from 0 to 1 ms: " + devices + ", " + claimPs + " ps");
        }
    }
}
