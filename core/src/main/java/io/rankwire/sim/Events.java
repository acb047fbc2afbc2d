package io.rankwire.sim;

import static io.rankwire.sim.EventBins.ACTORS;
import static io.rankwire.sim.EventBins.BINS;
import static io.rankwire.sim.EventBins.FIRST;
import static io.rankwire.sim.EventBins.NUMBER;
import static io.rankwire.sim.EventBins.SECOND;
import static io.rankwire.sim.EventBins.TIME;
import static io.rankwire.sim.EventBins.WORDS;

/**
 * What is going to happen, and when. Events happen in the order (time, target, source, number the source gave it), so
 * neither the order in which they were added nor anything of the machine can be seen in a run. None is an object.
 *
 * <p>A calendar: events of the near future lie unsorted in bins of equal width, the bin whose turn it is has been
 * sorted, later ones wait in a heap, and so do those that are added to the bin being worked off.
 */
public final class Events {
    /** Events in a bin that are worth a change of the bins' width. */
    private static final int CROWD = 64;
    private static final int FEW = 2;

    private final int[] given;
    private final long[] hashes;

    private final EventBins bins;
    private int shift = 10;
    /** The bin being worked off, counted from time 0. */
    private long turn;
    private final SortedEvents sorted;
    private final EventHeap near = new EventHeap();
    private final EventHeap far = new EventHeap();
    private int emptyTurns;

    /** Of the sorted ones, those that were announced before their time. */
    private int foreseen;

    private long now;
    private long count;
    // The event that this is about.
    private long actors;
    private long number;
    private long first;
    private long second;

    /**
     * @param actors targets and sources are numbered below this
     */
    public Events(int actors) {
        this(actors, 1024);
    }

    public Events(int actors, int room) {
        given = new int[actors];
        hashes = new long[actors];
        bins = new EventBins(room);
        sorted = new SortedEvents(bins);
    }

    /** The time of the event that is happening. */
    public long now() {
        return now;
    }

    /** Turns the clock to the time of an event that has happened and is dealt with only now. */
    void clock(long time) {
        now = time;
    }

    /** Events that have happened. */
    public long count() {
        return count;
    }

    public boolean isEmpty() {
        return pending() == 0;
    }

    public int pending() {
        return bins.size() + sorted.size() + near.size() + far.size();
    }

    /**
     * Something will happen.
     *
     * @param at not before now
     * @param kind from 0 to 255
     */
    public void add(long at, int target, int source, int kind, long first, long second) {
        assert at >= now : "at " + at + ", and it is " + now;
        place(at, (long) target << 32 | source, (long) given[source]++ << 8 | kind, first, second);
    }

    private void place(long time, long actors, long number, long first, long second) {
        long bin = time >>> shift;
        if (bin <= turn) {
            near.add(time, actors, number, first, second);
        } else if (bin - turn < BINS) {
            bins.add(bin, time, actors, number, first, second);
        } else {
            far.add(time, actors, number, first, second);
        }
    }

    private void place(long[] words, int at) {
        place(words[at + TIME], words[at + ACTORS], words[at + NUMBER], words[at + FIRST], words[at + SECOND]);
    }

    /** Goes to the next event; false when there is none. Then this is about it until the next call. */
    public boolean next() {
        if (sorted.isEmpty() && near.isEmpty() && !turnOver()) {
            return false;
        }
        if (near.isEmpty() || !sorted.isEmpty() && EventBins.order(bins.words, sorted.place(0), near.words, 0) < 0) {
            int place = sorted.place(0);
            sorted.drop();
            foreseen--;
            now = bins.words[place + TIME];
            read(bins.words, place);
        } else {
            now = near.time();
            read(near.words, 0);
            near.drop();
        }
        count++;
        int target = target();
        long mixed = hashes[target] ^ now;
        mixed = mixed * 0x9E3779B97F4A7C15L + actors;
        mixed = (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L + number;
        hashes[target] = mixed ^ mixed >>> 32;
        return true;
    }

    private void read(long[] words, int at) {
        actors = words[at + ACTORS];
        number = words[at + NUMBER];
        first = words[at + FIRST];
        second = words[at + SECOND];
    }

    /**
     * Announces the next events as far as their order is known, so that what they need can be fetched: {@code most} of
     * them at most, and none while some that were announced are to come. Others may still come between them.
     *
     * @return how many {@link #about} can be asked for before the next event happens
     */
    public int foresee(int most) {
        if (foreseen > 0 || sorted.isEmpty() && (!near.isEmpty() || !turnOver())) {
            return 0;
        }
        foreseen = Math.min(sorted.size(), most);
        return foreseen;
    }

    /** Until the next call this is about one of the events that {@link #foresee} announced. */
    public void about(int i) {
        read(bins.words, sorted.place(i));
    }

    /** The time of the next event, or -1. */
    public long nextTime() {
        if (sorted.isEmpty() && near.isEmpty() && !turnOver()) {
            return -1;
        }
        long first = sorted.isEmpty() ? Long.MAX_VALUE : bins.words[sorted.place(0) + TIME];
        return near.isEmpty() ? first : Math.min(first, near.time());
    }

    public int target() {
        return (int) (actors >>> 32);
    }

    public int source() {
        return (int) actors;
    }

    public int kind() {
        return (int) number & 0xFF;
    }

    public long first() {
        return first;
    }

    public long second() {
        return second;
    }

    /** Something about the event that is happening which must be the same in every run. */
    public void note(int target, long what) {
        long mixed = (hashes[target] ^ what) * 0x94D049BB133111EBL;
        hashes[target] = mixed ^ mixed >>> 31;
    }

    /** The hash of all that has happened to each actor, in order. */
    public long hash() {
        long mixed = 0;
        for (long hash : hashes) {
            mixed = (mixed ^ hash) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }

    /** Finds the next bin with events and sorts it. */
    private boolean turnOver() {
        if (bins.size() == 0) {
            if (far.isEmpty()) {
                return false;
            }
            turn = (far.time() >>> shift) - 1;
        }
        do {
            turn++;
            while (!far.isEmpty() && far.time() >>> shift < turn + BINS) {
                long[] words = far.words;
                bins.add(far.time() >>> shift, far.time(), words[ACTORS], words[NUMBER], words[FIRST], words[SECOND]);
                far.drop();
            }
            emptyTurns++;
        } while (bins.count(turn) == 0);
        foreseen = 0;
        adapt(sorted.take(turn, shift));
        return true;
    }

    /** Wider bins where most are empty, narrower ones where many events share a bin and not the time. */
    private void adapt(int found) {
        if (found > CROWD && shift > 0 && !sorted.atOnce()) {
            resize(Math.max(0, shift - 2));
        } else if (emptyTurns > 1024) {
            if (pending() > FEW) {
                resize(Math.min(shift + 2, 50));
            }
            emptyTurns = 0;
        } else if (found > FEW) {
            emptyTurns = Math.max(0, emptyTurns - 64);
        }
    }

    /** What lies in bins is put there anew; the sorted rest of the bin goes to the near heap. */
    private void resize(int newShift) {
        if (newShift == shift) {
            return;
        }
        long[] all = new long[(bins.size() + sorted.size()) * WORDS];
        int end = 0;
        turn = bins.words[sorted.place(0) + TIME] >>> newShift;
        for (int i = 0; i < sorted.size(); i++, end += WORDS) {
            System.arraycopy(bins.words, sorted.place(i), all, end, WORDS);
        }
        sorted.clear();
        bins.drain(all, end);
        shift = newShift;
        for (int at = 0; at < all.length; at += WORDS) {
            place(all, at);
        }
        while (!far.isEmpty() && far.time() >>> shift < turn + BINS) {
            long[] words = far.words;
            place(words, 0);
            far.drop();
        }
    }
}
