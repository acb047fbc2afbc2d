package io.rankwire.sim;

import io.rankwire.fabric.Allocations;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Memory of a simulated rank: no peer can map it, whatever goes there goes in frames. */
final class SimMemory implements SharedMemory {
    private final int self;
    private final Allocations allocations = new Allocations();
    private final Map<Long, Arena> arenas = new HashMap<>();

    SimMemory(int self) {
        this.self = self;
    }

    @Override
    public Shared allocate(long bytes) {
        long id = allocations.nextId();
        Arena arena = Arena.ofShared();
        try {
            Shared shared =
                    new Shared(id, arena.allocate(Math.max(bytes, ALIGNMENT), ALIGNMENT).asSlice(0, bytes));
            allocations.add(shared);
            arenas.put(id, arena);
            return shared;
        } catch (OutOfMemoryError e) {
            arena.close();
            throw new FabricException("no memory for " + bytes + " bytes: " + e.getMessage(), e);
        }
    }

    @Override
    public void free(Shared shared) {
        if (allocations.remove(shared)) {
            arenas.remove(shared.id()).close();
        }
    }

    @Override
    public Shared find(MemorySegment memory, long offset, long bytes) {
        return allocations.find(memory, offset, bytes);
    }

    @Override
    public MemorySegment peer(int rank, long id) {
        for (int i = 0; rank == self && i < allocations.count(); i++) {
            if (allocations.at(i).id() == id) {
                return allocations.at(i).memory();
            }
        }
        return null;
    }

    @Override
    public boolean isMappable() {
        return false;
    }

    @Override
    public MemorySegment common(long key, long bytes) {
        return null;
    }

    @Override
    public void endCommon(long key) {}

    void close() {
        while (allocations.count() > 0) {
            free(allocations.at(0));
        }
    }
}
