package io.rankwire.tools;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * A file that the ranks of a matrix job and the test share, so that they can wait for each other without a call of the
 * library. Each cell has its own words; a place is the number of a rank in its job.
 */
final class CellBoard {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int PLACES = 100;
    private static final int CELL_WORDS = 512;
    private static final int READY = 0;
    private static final int ENTERED = 1;
    private static final int DEATH = 2;
    private static final int STOP = 3;
    private static final int DEATHS = 4;
    private static final int ENDED = 16;
    private static final int ROUNDS = ENDED + PLACES;
    private static final int STARTED = ROUNDS + PLACES;

    private final MemorySegment words;

    private CellBoard(MemorySegment words) {
        this.words = words;
    }

    static CellBoard open(Path file, int cells) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new CellBoard(channel.map(FileChannel.MapMode.READ_WRITE, 0, (1L + cells) * CELL_WORDS * 8,
                    Arena.ofAuto()));
        }
    }

    private static long at(int cell, int word) {
        return ((1L + cell) * CELL_WORDS + word) * 8;
    }

    private long get(int cell, int word) {
        return (long) WORD.getVolatile(words, at(cell, word));
    }

    private void put(int cell, int word, long value) {
        WORD.setVolatile(words, at(cell, word), value);
    }

    private long count(int cell, int word) {
        return 1 + (long) WORD.getAndAdd(words, at(cell, word), 1L);
    }

    /** The cell that the job is at. */
    int cell() {
        return (int) get(-1, 0);
    }

    void cell(int cell) {
        put(-1, 0, cell);
    }

    /** Waits until that number of ranks is ready for the cell. */
    void awaitReady(int cell, int ranks) {
        count(cell, READY);
        while (get(cell, READY) < ranks) {
            LockSupport.parkNanos(50_000);
        }
    }

    /** A survivor is about to make its first call. */
    void enter(int cell, int place) {
        put(cell, STARTED + place, System.nanoTime());
        count(cell, ENTERED);
    }

    void awaitEntered(int cell, int ranks) {
        while (get(cell, ENTERED) < ranks) {
            LockSupport.parkNanos(20_000);
        }
    }

    void died(int cell) {
        put(cell, DEATH, System.nanoTime());
    }

    /** The round in which survivors that can go on for ever stop; 0 while there is none. */
    long stop(int cell) {
        return get(cell, STOP);
    }

    void stop(int cell, long round) {
        WORD.compareAndSet(words, at(cell, STOP), 0L, round);
    }

    /** How many ranks of the job are dead at the end of the cell. */
    int deaths(int cell) {
        return (int) get(cell, DEATHS);
    }

    void deaths(int cell, int count) {
        put(cell, DEATHS, count);
    }

    void ended(int cell, int place, int rounds) {
        put(cell, ROUNDS + place, rounds);
        put(cell, ENDED + place, System.nanoTime());
    }

    /** The longest time in microseconds from the death, or the call if that was later, to a survivor's result. */
    long microseconds(int cell) {
        long longest = 0;
        for (int place = 0; place < PLACES; place++) {
            long end = get(cell, ENDED + place);
            if (end != 0) {
                longest = Math.max(longest, end - Math.max(get(cell, DEATH), get(cell, STARTED + place)));
            }
        }
        return longest / 1000;
    }

    /** How many ranks had a result. */
    int results(int cell) {
        int found = 0;
        for (int place = 0; place < PLACES; place++) {
            found += get(cell, ENDED + place) == 0 ? 0 : 1;
        }
        return found;
    }
}
