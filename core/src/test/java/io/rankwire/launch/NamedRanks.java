package io.rankwire.launch;

/** Runs ranks as threads over a fabric of another module, whose tests name their class as a service. */
public interface NamedRanks {
    /**
     * As {@link ThreadRanks#run(int, ThreadRanks.Body)}, each rank on a host of its own as far as it can see.
     *
     * @param name as {@code net}, a provider of libfabric
     */
    void run(String name, int size, ThreadRanks.Body body);
}
