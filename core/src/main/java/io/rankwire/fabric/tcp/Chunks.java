package io.rankwire.fabric.tcp;

import java.util.ArrayList;
import java.util.List;

/** The chunks of a port that are not in use. The one used last goes out first, because caches still hold it. */
final class Chunks {
    private static final class Stock {
        final List<Chunk> free = new ArrayList<>();
        /** The fewest that were free since the last {@link #trim}: no peer has needed those. */
        int leastFree;
    }

    private final Stock small = new Stock();
    private final Stock large = new Stock();

    private Stock stock(int capacity) {
        return capacity == Chunk.SMALL ? small : large;
    }

    /** Returns an empty chunk of either {@link Chunk#SMALL} or {@link Chunk#LARGE} bytes. */
    Chunk take(int capacity, long start) {
        Stock stock = stock(capacity);
        Chunk chunk = stock.free.isEmpty() ? new Chunk(capacity) : stock.free.removeLast();
        stock.leastFree = Math.min(stock.leastFree, stock.free.size());
        return chunk.empty(start);
    }

    void give(Chunk chunk) {
        stock(chunk.capacity).free.add(chunk);
    }

    /** Gives back to the JVM what was not needed since the last call. */
    void trim() {
        trim(small);
        trim(large);
    }

    private static void trim(Stock stock) {
        stock.free.subList(0, stock.leastFree).clear();
        stock.leastFree = stock.free.size();
    }

    int free() {
        return small.free.size() + large.free.size();
    }
}
