package io.rankwire.sim;

import io.rankwire.sim.net.TreeModel;

/**
 * The devices of a node and which of them serves whom.
 *
 * @param devices of a node; 0 for one a rank, whatever the number of ranks
 * @param sharing which device a frame comes in by, and goes out by: that of its rank here, or of its rank there
 * @param claimPs what fetching and setting the flag takes of a receive that was posted to several devices
 * @param hasTree whether nodes have a combining tree beside the network
 * @param tree what it costs
 * @param ways by which ways through the network the content of a long message goes
 * @param copyPsPerKib what copying 1,024 bytes takes a processor of the node
 */
public record NodeModel(int devices, Sharing sharing, long claimPs, boolean hasTree, TreeModel tree,
        SimFabric.Ways ways, long copyPsPerKib) {
    public static final NodeModel DEFAULT = new NodeModel(0, Sharing.PINNED, 50_000);

    /** As the default, with processors that copy 10 GB/s. */
    public static final NodeModel COPYING = DEFAULT.withCopies(102_400);

    /** Nodes with one network, all of whose messages take the first way, and processors that copy in no time. */
    public NodeModel(int devices, Sharing sharing, long claimPs) {
        this(devices, sharing, claimPs, false, TreeModel.DEFAULT, SimFabric.Ways.ONE, 0);
    }

    /** The same nodes, with processors that need this long to copy 1,024 bytes. */
    public NodeModel withCopies(long psPerKib) {
        return new NodeModel(devices, sharing, claimPs, hasTree, tree, ways, psPerKib);
    }

    public NodeModel {
        if (devices < 0 || copyPsPerKib < 0 || claimPs < 0 || claimPs > 1_000_000_000) {
            throw new IllegalArgumentException(
                    "node: devices from 1, or own; a claim from 0 to 1 ms: " + devices + ", " + claimPs + " ps");
        }
    }
}
