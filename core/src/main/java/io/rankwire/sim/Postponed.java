package io.rankwire.sim;

/** Receives that are to be posted at a later time, in a ring, in the order of their times. */
final class Postponed {
    private static final int GONE = -1;

    private long[] times = new long[4];
    private long[] words = new long[4];
    private int[] contexts = new int[4];
    private int[] handles = new int[4];
    private int first;
    private int end;

    void add(long at, int context, long word, int handle) {
        if (end - first == times.length) {
            grow();
        }
        int place = end++ & times.length - 1;
        times[place] = at;
        words[place] = word;
        contexts[place] = context;
        handles[place] = handle;
    }

    private void grow() {
        int room = times.length;
        long[] moreTimes = new long[2 * room];
        long[] moreWords = new long[2 * room];
        int[] moreContexts = new int[2 * room];
        int[] moreHandles = new int[2 * room];
        for (int i = 0; i < room; i++) {
            int from = first + i & room - 1;
            moreTimes[i] = times[from];
            moreWords[i] = words[from];
            moreContexts[i] = contexts[from];
            moreHandles[i] = handles[from];
        }
        times = moreTimes;
        words = moreWords;
        contexts = moreContexts;
        handles = moreHandles;
        end -= first;
        first = 0;
    }

    int count() {
        int count = 0;
        for (int i = first; i != end; i++) {
            count += handles[i & times.length - 1] == GONE ? 0 : 1;
        }
        return count;
    }

    boolean isDue(long now) {
        return first != end && times[first & times.length - 1] <= now;
    }

    long at() {
        return times[first & times.length - 1];
    }

    long word() {
        return words[first & times.length - 1];
    }

    int context() {
        return contexts[first & times.length - 1];
    }

    /** Negative if it was removed. */
    int handle() {
        return handles[first & times.length - 1];
    }

    void drop() {
        first++;
    }

    void remove(int handle) {
        for (int i = first; i != end; i++) {
            if (handles[i & times.length - 1] == handle) {
                handles[i & times.length - 1] = GONE;
                return;
            }
        }
    }

    void removeAll(int context) {
        for (int i = first; i != end; i++) {
            if (contexts[i & times.length - 1] == context) {
                handles[i & times.length - 1] = GONE;
            }
        }
    }
}
