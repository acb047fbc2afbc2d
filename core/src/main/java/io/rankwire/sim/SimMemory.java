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
    private final Allocations allocations = new Allocations();
    private final Map<Long, Arena> arenas = new HashMap<>();
    private final int rank;
    private final Interference interference;

    SimMemory(int rank, Interference interference) {
        this.rank = rank;
        this.interference = interference;
    }

    @Override
    public Shared allocate(long bytes) {
        if (interference != null && interference.hasNoMemory(rank, bytes)) {
            throw new FabricException("no memory for " + bytes + " bytes", null);
        }
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
    public MemorySegment peer(int owner, long id) {
        for (int i = 0; owner == rank && i < allocations.count(); i++) {
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
