package io.rankwire.fabric;

/** Where other ranks reach this one over a {@link NetworkFabric}; open before this rank knows them. */
public interface NetworkEndpoint extends AutoCloseable {
    /** The address of this rank, in bytes that only the fabric understands; at most 1,024 of them. */
    byte[] name();

    /**
     * Opens the port of this rank, on which each frame arrives once and in order. The port closes this endpoint when it
     * is closed.
     *
     * @param members all ranks, with their {@link Members#names}
     * @param world the number of the world among those of the job
     * @param silenceSeconds for how long the network may carry nothing; a port has some patience anyway
     */
    Port open(Members members, int world, int silenceSeconds);

    @Override
    void close();
}
