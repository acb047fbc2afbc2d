package io.rankwire.fabric.local;

import io.rankwire.fabric.Allocations;
import io.rankwire.fabric.PrivateMemory;
import io.rankwire.fabric.Shared;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory of a rank that is a thread: peers get the segment itself, through a table that all ranks see. Java fills the
 * memory with zeros when it is allocated, so every page of it exists; only the memory of processes is sparse.
 */
final class LocalMemory extends PrivateMemory {
    /** By rank, and by place: what is allocated. An array is replaced, never changed; null stands for an empty one. */
    private final AtomicReferenceArray<Shared[]> table;
    private final Map<Long, MemorySegment> commons;

    /**
     * @param commons memory that belongs to all ranks, by key
     */
    LocalMemory(AtomicReferenceArray<Shared[]> table, Map<Long, MemorySegment> commons, int rank) {
        super(rank);
        this.table = table;
        this.commons = commons;
    }

    @Override
    public Shared allocate(long bytes) {
        Shared shared = super.allocate(bytes);
        publish(Allocations.place(shared.id()), shared);
        return shared;
    }

    @Override
    public void free(Shared shared) {
        if (peer(rank(), shared.id()) != null) {
            publish(Allocations.place(shared.id()), null);
        }
        super.free(shared);
    }

    private void publish(int place, Shared shared) {
        Shared[] before = table.get(rank());
        int length = Math.max(before == null ? 0 : before.length, place + 1);
        Shared[] mine = before == null ? new Shared[length] : Arrays.copyOf(before, length);
        mine[place] = shared;
        table.set(rank(), mine);
    }

    @Override
    public MemorySegment peer(int owner, long id) {
        Shared[] theirs = table.get(owner);
        int place = Allocations.place(id);
        Shared shared = theirs != null && place < theirs.length ? theirs[place] : null;
        return shared != null && shared.id() == id ? shared.memory() : null;
    }

    @Override
    public boolean isMappable() {
        return true;
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
}
