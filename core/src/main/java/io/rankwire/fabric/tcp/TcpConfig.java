package io.rankwire.fabric.tcp;

import io.rankwire.fabric.Seal;

/**
 * What can be chosen for a port.
 *
 * @param world the number of the world among those of the job: connections of another world are not taken
 * @param patienceNs how long a peer may be out of reach before it counts as lost
 * @param closingNs how long a port that closes waits for peers to take what was sent to them
 * @param recordsPerKey how many encrypted records a connection seals before it takes the next key
 */
public record TcpConfig(int world, long patienceNs, long closingNs, long recordsPerKey) {
    public static final TcpConfig DEFAULT = new TcpConfig(0, 10_000_000_000L, 1_000_000_000L, Seal.RECORDS);

    public TcpConfig {
        if (patienceNs <= 0 || closingNs < 0 || recordsPerKey < 1) {
            throw new IllegalArgumentException("patience of " + patienceNs + " ns, closing in " + closingNs + " ns");
        }
    }

    /** With keys that are used as long as usual. */
    public TcpConfig(int world, long patienceNs, long closingNs) {
        this(world, patienceNs, closingNs, Seal.RECORDS);
    }

    public TcpConfig withWorld(int number) {
        return new TcpConfig(number, patienceNs, closingNs, recordsPerKey);
    }

    public TcpConfig withPatience(long ns) {
        return new TcpConfig(world, ns, closingNs, recordsPerKey);
    }
}
