package io.rankwire.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Memory of a rank that no peer can map. Whatever goes there goes in frames. */
public class PrivateMemory implements SharedMemory {
    private final int rank;
    private final Allocations allocations = new Allocations();
    private final Map<Long, Arena> arenas = new HashMap<>();

    public PrivateMemory(int rank) {
        this.rank = rank;
    }

    protected final int rank() {
        return rank;
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
    public final Shared find(MemorySegment memory, long offset, long bytes) {
        return allocations.find(memory, offset, bytes);
    }

    @Override
    public MemorySegment peer(int owner, long id) {
        Shared own = owner == rank ? allocations.get(id) : null;
        return own == null ? null : own.memory();
    }

    @Override
    public boolean isMappable() {
        return false;
    }

    @Override
    public boolean reaches(int peer) {
        return peer == rank || isMappable();
    }

    @Override
    public MemorySegment common(long key, long bytes) {
        return null;
    }

    @Override
    public void endCommon(long key) {}

    public final void close() {
        while (allocations.count() > 0) {
            free(allocations.at(0));
        }
    }
}
