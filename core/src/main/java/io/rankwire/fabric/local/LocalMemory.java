package io.rankwire.fabric.local;

import io.rankwire.fabric.Allocations;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory of ranks that are threads: the segment itself is handed over, through a table all ranks see. The memory is
 * touched when allocated, since Java fills it with zeros; only the memory of processes is sparse.
 */
final class LocalMemory implements SharedMemory {
    record Owned(Shared shared, Arena arena) {}

    /** For each rank what it has allocated, by place. An array is replaced, never changed. */
    private final AtomicReferenceArray<Owned[]> table;
    private final Map<Long, MemorySegment> commons;
    private final int rank;
    private final Allocations allocations = new Allocations();

    /**
     * @param commons memory that belongs to all ranks, by key
     */
    LocalMemory(AtomicReferenceArray<Owned[]> table, Map<Long, MemorySegment> commons, int rank) {
        this.table = table;
        this.commons = commons;
        this.rank = rank;
    }

    static AtomicReferenceArray<Owned[]> table(int ranks) {
        AtomicReferenceArray<Owned[]> table = new AtomicReferenceArray<>(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            table.set(rank, new Owned[0]);
        }
        return table;
    }

    @Override
    public Shared allocate(long bytes) {
        long id = allocations.nextId();
        Arena arena = Arena.ofShared();
        MemorySegment memory;
        try {
            memory = arena.allocate(Math.max(bytes, ALIGNMENT), ALIGNMENT).asSlice(0, bytes);
        } catch (OutOfMemoryError e) {
            arena.close();
            throw new FabricException("no memory for " + bytes + " bytes: " + e.getMessage(), e);
        }
        Shared shared = new Shared(id, memory);
        allocations.add(shared);
        Owned[] mine = table.get(rank);
        mine = Arrays.copyOf(mine, Math.max(mine.length, Allocations.place(id) + 1));
        mine[Allocations.place(id)] = new Owned(shared, arena);
        table.set(rank, mine);
        return shared;
    }

    @Override
    public void free(Shared shared) {
        if (allocations.remove(shared)) {
            Owned[] mine = table.get(rank).clone();
            Owned owned = mine[Allocations.place(shared.id())];
            mine[Allocations.place(shared.id())] = null;
            table.set(rank, mine);
            owned.arena.close();
        }
    }

    @Override
    public Shared find(MemorySegment memory, long offset, long bytes) {
        return allocations.find(memory, offset, bytes);
    }

    @Override
    public MemorySegment peer(int owner, long id) {
        Owned[] theirs = table.get(owner);
        int place = Allocations.place(id);
        Owned owned = place < theirs.length ? theirs[place] : null;
        return owned != null && owned.shared.id() == id ? owned.shared.memory() : null;
    }

    @Override
    public MemorySegment common(long key, long bytes) {
        MemorySegment made = commons.get(key);
        if (made != null) {
            return made;
        }
        MemorySegment mine = Arena.ofAuto().allocate(bytes, 2 * ALIGNMENT);
        MemorySegment first = commons.putIfAbsent(key, mine);
        return first != null ? first : mine;
    }

    @Override
    public void endCommon(long key) {
        commons.remove(key);
    }

    void close() {
        while (allocations.count() > 0) {
            free(allocations.at(0));
        }
    }

    /** Ends what the ranks have left, some of which may have failed; none of them runs any more. */
    static void close(AtomicReferenceArray<Owned[]> table) {
        for (int rank = 0; rank < table.length(); rank++) {
            for (Owned owned : table.getAndSet(rank, new Owned[0])) {
                if (owned != null) {
                    owned.arena.close();
                }
            }
        }
    }
}
