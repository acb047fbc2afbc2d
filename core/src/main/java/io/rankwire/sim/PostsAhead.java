package io.rankwire.sim;

/** Receives that are to be posted at a later time, in a ring, in the order of their times. */
final class PostsAhead {
    private static final int GONE = -1;

    private long[] times = {};
    private long[] words = {};
    private int[] contexts = {};
    private int[] handles = {};
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
        int more = Math.max(4, 2 * room);
        long[] moreTimes = new long[more];
        long[] moreWords = new long[more];
        int[] moreContexts = new int[more];
        int[] moreHandles = new int[more];
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
