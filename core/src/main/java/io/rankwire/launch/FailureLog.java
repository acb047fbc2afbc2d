package io.rankwire.launch;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The ranks of a job that were declared dead, in the order of their declarations, which is the same for all ranks. The
 * watcher of the job alone declares: it sees processes end, and it decides about ranks that others cannot reach. On
 * several hosts that is the root, and the ranks of each host write what it has declared. What is written does not
 * change. Entry i lies behind the words of rank i on the board, with what rank i suspects:
 *
 * <pre>
 *  0  number of entries (with entry 0)      4  whether the job goes on (with entry 0)
 *  8  rank of the entry + 1                12  length of the cause
 * 16  whether the rank with these words is dead
 * 20  the rank that it suspects + 1, written by that rank
 * 24  whether this place was given to a rank that replaces another
 * 28  how often that rank has asked for replacements, written by it
 * 32  cause, UTF-8
 * </pre>
 */
public final class FailureLog {
    private static final int COUNT = 0;
    private static final int GOES_ON = 4;
    private static final int RANK = 8;
    private static final int LENGTH = 12;
    static final int DEAD = 16;
    private static final int SUSPECT = 20;
    private static final int GIVEN = 24;
    private static final int REQUESTS = 28;
    private static final int CAUSE = 32;
    private static final int CAUSE_BYTES = 480;

    private final BoardWords words;
    private final int base;
    private final int stride;
    private final int size;
    /** What the rank that looks has heard of; null if it sees all. */
    private final News news;

    /** What one rank has heard of the log, where ranks hear of deaths one by one. */
    public interface News {
        /** How many entries the rank knows of. */
        int heard();

        /** The rank cannot reach another one. */
        void suspect(int rank);
    }

    /**
     * @param base where entry 0 lies
     * @param stride how far entries are apart
     * @param size the number of ranks
     * @param news what the rank that looks has heard of; null if it sees all
     */
    FailureLog(BoardWords words, int base, int stride, int size, News news) {
        this.words = words;
        this.base = base;
        this.stride = stride;
        this.size = size;
        this.news = news;
    }

    /** Lets the job go on when a rank has failed; called before the ranks start. */
    public void goOn() {
        words.putInt(base + GOES_ON, 1);
    }

    /** Whether the job goes on when a rank has failed. */
    public boolean goesOn() {
        return words.getInt(base + GOES_ON) != 0;
    }

    /**
     * Declares a rank dead, for good; the watcher alone calls this. Returns false if it was declared before.
     *
     * @param cause names the rank: "rank 2 was killed by signal 9"
     */
    public boolean declare(int rank, String cause) {
        if (isDead(rank)) {
            return false;
        }
        int count = count();
        write(count, rank, cause);
        words.putInt(base + COUNT, count + 1);
        return true;
    }

    /**
     * Writes what the root of a job on several hosts has declared. Every rank of the host does so, in the order of the
     * numbers: the words are the same, and the number of entries grows once for each.
     *
     * @param number the place of the entry, counted from 0
     */
    void declared(int number, int rank, String cause) {
        if (count() <= number) {
            write(number, rank, cause);
            Counting.INT.compareAndSet(words.memory(), base + COUNT, number, number + 1);
        }
    }

    private void write(int number, int rank, String cause) {
        words.putText(entry(number) + CAUSE, CAUSE_BYTES, entry(number) + LENGTH, cause);
        words.putInt(entry(number) + RANK, rank + 1);
        words.putInt(entry(rank) + DEAD, 1);
    }

    /** Made when a job on several hosts has lost a rank, and not before. */
    private static final class Counting {
        static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    }

    /** The number of ranks that are dead. */
    public int count() {
        int count = words.getInt(base + COUNT);
        return news == null ? count : Math.min(count, news.heard());
    }

    /** The word with the number of entries, for a rank that looks at it often; null if that rank does not see all. */
    public MemorySegment countWord() {
        return news != null ? null : MemorySegment.ofBuffer(words.memory()).asSlice(base + COUNT, Long.BYTES);
    }

    /** The rank that was declared dead in this place, counted from 0. */
    public int rank(int index) {
        return words.getInt(entry(index) + RANK) - 1;
    }

    /** Why the rank in this place is dead. */
    public String cause(int index) {
        return words.getText(entry(index) + CAUSE, CAUSE_BYTES, entry(index) + LENGTH);
    }

    public boolean isDead(int rank) {
        return words.getInt(entry(rank) + DEAD) != 0 && (news == null || whyDead(rank) != null);
    }

    /** Why a rank is dead; null while it is not. */
    public String whyDead(int rank) {
        int known = news == null ? size : count();
        for (int i = 0; i < known && rank(i) >= 0; i++) {
            if (rank(i) == rank) {
                return cause(i);
            }
        }
        return null;
    }

    /** A rank cannot reach another one; the watcher decides what that means. */
    public void suspect(int by, int suspect) {
        words.putInt(entry(by) + SUSPECT, suspect + 1);
        if (news != null) {
            news.suspect(suspect);
        }
    }

    /** The rank that another one cannot reach, as that has reported last; -1 for none, and if one of both is dead. */
    public int suspectOf(int by) {
        int suspect = words.getInt(entry(by) + SUSPECT) - 1;
        return suspect < 0 || isDead(by) || isDead(suspect) ? -1 : suspect;
    }

    /** Gives a place that no rank of the world at the start has to a rank that replaces another. */
    public void give(int rank) {
        words.putInt(entry(rank) + GIVEN, 1);
    }

    boolean isGiven(int rank) {
        return words.getInt(entry(rank) + GIVEN) != 0;
    }

    /** A rank has asked for replacements once more. */
    void asked(int rank, int requests) {
        words.putInt(entry(rank) + REQUESTS, requests);
    }

    int requests(int rank) {
        return words.getInt(entry(rank) + REQUESTS);
    }

    private int entry(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("entry " + index + " of a log of " + size);
        }
        return base + index * stride;
    }
}
