package io.rankwire.fabric.tcp;

import java.util.ArrayList;
import java.util.List;

/** The chunks of a port that are not in use. The one used last goes out first, because caches still hold it. */
final class Chunks {
    private final List<Chunk> free = new ArrayList<>();
    /** The fewest that were free since the last {@link #trim}: no peer has needed those. */
    private int leastFree;

    Chunk take(long start) {
        if (free.isEmpty()) {
            leastFree = 0;
            return new Chunk().empty(start);
        }
        Chunk chunk = free.removeLast();
        leastFree = Math.min(leastFree, free.size());
        return chunk.empty(start);
    }

    void give(Chunk chunk) {
        free.add(chunk);
    }

    /** Gives back to the JVM what was not needed since the last call. */
    void trim() {
        free.subList(0, leastFree).clear();
        leastFree = free.size();
    }

    int free() {
        return free.size();
    }
}
