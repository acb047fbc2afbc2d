package io.rankwire.sim.net;

/**
 * What an adapter of a combining tree costs: a node's place in a network of its own for collectives.
 *
 * @param links to the parent and to the children
 * @param packetBytes what a packet carries at most
 * @param aluPs of each packet that is combined with another
 * @param aluPsPerKib what 1,024 bytes take then
 */
public record TreeModel(LinkModel links, int packetBytes, long aluPs, long aluPsPerKib) {
    private static final int LEAST_PACKET = 8;

    /** Links as in the torus; 256 bytes a packet, 20 ns to combine, 10 GB/s. */
    public static final TreeModel DEFAULT = new TreeModel(LinkModel.DEFAULT, 256, 20_000, 102_400);

    public TreeModel {
        if (packetBytes < LEAST_PACKET || aluPs < 0 || aluPsPerKib < 0) {
            throw new IllegalArgumentException("tree: packets from " + LEAST_PACKET + " B, costs from 0: "
                    + packetBytes + " B, " + aluPs + " ps, " + aluPsPerKib + " ps a KiB");
        }
    }

    /** How many packets a vector of this many bytes is; nothing is one, too. */
    public int packets(long bytes) {
        return Math.toIntExact(Math.max(1, (bytes + packetBytes - 1) / packetBytes));
    }

    /** The bytes of one of them, counted from 0. */
    public int size(long bytes, int packet) {
        return (int) Math.min(packetBytes, bytes - (long) packet * packetBytes);
    }

    /** How long an ALU needs to combine a packet of this size with {@code others} others. */
    public long combines(int others, int size) {
        return others * (aluPs + (size * aluPsPerKib + 1023 >> 10));
    }
}
