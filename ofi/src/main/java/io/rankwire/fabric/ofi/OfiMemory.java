package io.rankwire.fabric.ofi;

import io.rankwire.fabric.PrivateMemory;
import io.rankwire.fabric.Shared;

/** Memory of this rank. All of it is offered to peers, and goes only when no peer and no access uses it. */
final class OfiMemory extends PrivateMemory {
    private final RemoteAccesses accesses;

    OfiMemory(int rank, RemoteAccesses accesses) {
        super(rank);
        this.accesses = accesses;
    }

    @Override
    public Shared allocate(long bytes) {
        Shared shared = super.allocate(bytes);
        accesses.offer(shared);
        return shared;
    }

    @Override
    public void free(Shared shared) {
        if (accesses.end(shared, this)) {
            super.free(shared);
        }
    }

    /** It is not used any more. */
    void ended(Shared shared) {
        super.free(shared);
    }
}
