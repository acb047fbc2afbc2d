package io.rankwire.fabric.ofi;

/**
 * What can be chosen for a port.
 *
 * @param world the number of the world among those of the job
 * @param patienceNs how long a peer may take nothing before it counts as lost, or {@link #FOREVER}
 * @param closingNs how long a port that closes waits for peers to take what was sent to them
 * @param confirmsWrites whether frames wait for the confirmation of writes before them, even where the provider keeps
 *     the order of both
 */
public record OfiConfig(int world, long patienceNs, long closingNs, boolean confirmsWrites) {
    /** Silence proves nothing: a rank that computes takes nothing, too. */
    public static final long FOREVER = Long.MAX_VALUE;
    public static final OfiConfig DEFAULT = new OfiConfig(0, FOREVER, 1_000_000_000L, false);

    public OfiConfig {
        if (patienceNs <= 0 || closingNs < 0) {
            throw new IllegalArgumentException("patience of " + patienceNs + " ns, closing in " + closingNs + " ns");
        }
    }

    public OfiConfig withWorld(int number) {
        return new OfiConfig(number, patienceNs, closingNs, confirmsWrites);
    }

    public OfiConfig withPatience(long ns) {
        return new OfiConfig(world, ns, closingNs, confirmsWrites);
    }
}
