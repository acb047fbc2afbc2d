package io.rankwire.fabric;

import io.rankwire.fabric.local.LocalFabric;

/** Ranks that are threads of one JVM. */
final class LocalFabricTest extends RingContract {
    private LocalFabric fabric;

    @Override
    Port open(int rank, int ranks, int ringLines) {
        if (fabric == null) {
            fabric = new LocalFabric(ranks, ringLines);
        }
        return fabric.open(rank);
    }
}
