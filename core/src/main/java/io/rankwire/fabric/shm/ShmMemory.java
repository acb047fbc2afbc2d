package io.rankwire.fabric.shm;

import io.rankwire.fabric.Allocations;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Memory of ranks that are processes: {@code memory.R.ID} in the job's directory, mapped by its owner R and by each
 * peer that uses it. The file keeps its name until its owner frees it, since any peer may still come for it. {@code
 * common.KEY} belongs to all.
 *
 * <pre>
 *        0  the memory
 *  size-64  1 when freed: peers let go
 *  size-56  bytes the owner asked for
 * </pre>
 */
final class ShmMemory implements SharedMemory {
    private static final int TRAILER = 64;
    private static final int BYTES = 8;
    private static final long UNKNOWN = -1;
    /** States of an allocation; 0 while it is being made. */
    private static final long READY = 1;
    private static final long FREED = 2;

    /** A file mapped here, a peer's or our own. */
    private static final class Mapping {
        final long id;
        final Arena arena = Arena.ofShared();
        final MemorySegment mapped;
        final long trailer;
        final MemorySegment memory;

        /** A peer's. */
        Mapping(long id, Path file) {
            this(id, file, UNKNOWN);
        }

        /** Our own, of {@code bytes} bytes. */
        Mapping(long id, Path file, long bytes) {
            this.id = id;
            try {
                this.mapped = SharedFile.map(file, SharedFile.ANY_SIZE, arena);
            } catch (FabricException e) {
                arena.close();
                throw e;
            }
            this.trailer = mapped.byteSize() - TRAILER;
            if (bytes != UNKNOWN) {
                Words.store(mapped, trailer + BYTES, bytes);
                Words.release(mapped, trailer, READY);
            }
            this.memory = state() == READY ? memory() : null;
        }

        /** What the owner has asked for; null if it cannot be, because the trailer is damaged. */
        private MemorySegment memory() {
            long bytes = Words.load(mapped, trailer + BYTES);
            return bytes < 0 || bytes > trailer ? null : mapped.asSlice(0, bytes);
        }

        private long state() {
            return trailer < 0 ? 0 : Words.acquire(mapped, trailer);
        }

        boolean freed() {
            return state() == FREED;
        }
    }

    private final Path directory;
    private final int rank;
    private final Allocations allocations = new Allocations();
    private Mapping[] own = new Mapping[8];
    /** For each peer whose memory was used, its mappings by place. */
    private final Mapping[][] peers;

    ShmMemory(Path directory, int rank, int size) {
        this.directory = directory;
        this.rank = rank;
        this.peers = new Mapping[size][];
    }

    @Override
    public Shared allocate(long bytes) {
        sweep();
        long id = allocations.nextId();
        Path file = file(rank, id);
        long size = (Math.max(bytes, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + TRAILER;
        SharedFile.create(file, size);
        Mapping mapping = new Mapping(id, file, bytes);
        Shared shared = new Shared(id, mapping.memory);
        allocations.add(shared);
        own = put(own, mapping);
        return shared;
    }

    @Override
    public void free(Shared shared) {
        if (allocations.remove(shared)) {
            Mapping mapping = own[Allocations.place(shared.id())];
            own[Allocations.place(shared.id())] = null;
            SharedFile.unlink(file(rank, shared.id()));
            Words.release(mapping.mapped, mapping.trailer, FREED);
            mapping.arena.close();
        }
    }

    @Override
    public Shared find(MemorySegment memory, long offset, long bytes) {
        return allocations.find(memory, offset, bytes);
    }

    @Override
    public MemorySegment peer(int owner, long id) {
        Mapping[] theirs = owner == rank ? own : peers[owner];
        int place = Allocations.place(id);
        Mapping mapping = theirs != null && place < theirs.length ? theirs[place] : null;
        if (mapping != null && mapping.id == id && !mapping.freed()) {
            return mapping.memory;
        }
        return owner == rank ? null : map(owner, id);
    }

    private MemorySegment map(int owner, long id) {
        sweep();
        Path file = file(owner, id);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        Mapping mapping;
        try {
            mapping = new Mapping(id, file);
        } catch (FabricException e) {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
            throw e;
        }
        if (mapping.memory == null) {
            mapping.arena.close();
            return null;
        }
        peers[owner] = put(peers[owner] == null ? new Mapping[4] : peers[owner], mapping);
        return mapping.memory;
    }

    @Override
    public MemorySegment common(long key, long bytes) {
        return SharedFile.make(commonFile(key), bytes, Arena.ofAuto());
    }

    @Override
    public void endCommon(long key) {
        SharedFile.unlink(commonFile(key));
    }

    private Path commonFile(long key) {
        return directory.resolve("common." + key);
    }

    /** Lets go of what owners have freed. */
    private void sweep() {
        for (Mapping[] theirs : peers) {
            for (int place = 0; theirs != null && place < theirs.length; place++) {
                if (theirs[place] != null && theirs[place].freed()) {
                    theirs[place].arena.close();
                    theirs[place] = null;
                }
            }
        }
    }

    private static Mapping[] put(Mapping[] table, Mapping mapping) {
        int place = Allocations.place(mapping.id);
        Mapping[] room = place < table.length ? table : Arrays.copyOf(table, Math.max(2 * table.length, place + 1));
        assert room[place] == null;
        room[place] = mapping;
        return room;
    }

    private Path file(int owner, long id) {
        return directory.resolve("memory." + owner + "." + id);
    }

    void close() {
        while (allocations.count() > 0) {
            free(allocations.at(0));
        }
        for (Mapping[] theirs : peers) {
            for (int place = 0; theirs != null && place < theirs.length; place++) {
                if (theirs[place] != null) {
                    theirs[place].arena.close();
                }
            }
        }
    }
}
