package io.rankwire.fabric.tcp;

/**
 * What can be chosen for a port.
 *
 * @param world the number of the world among those of the job: connections of another world are not taken
 * @param patienceNs how long a peer may be out of reach before it counts as lost
 * @param closingNs how long a port that closes waits for peers to take what was sent to them
 */
public record TcpConfig(int world, long patienceNs, long closingNs) {
    public static final TcpConfig DEFAULT = new TcpConfig(0, 10_000_000_000L, 1_000_000_000L);

    public TcpConfig {
        if (patienceNs <= 0 || closingNs < 0) {
            throw new IllegalArgumentException("patience of " + patienceNs + " ns, closing in " + closingNs + " ns");
        }
    }

    public TcpConfig withWorld(int number) {
        return new TcpConfig(number, patienceNs, closingNs);
    }

    public TcpConfig withPatience(long ns) {
        return new TcpConfig(world, ns, closingNs);
    }
}
