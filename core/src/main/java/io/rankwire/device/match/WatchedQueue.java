package io.rankwire.device.match;

import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;

/**
 * A {@link MatchQueue} that tells a {@link MatchWatch} what happens in it. A receive that meets a waiting message
 * counts as posted until the watch lets it show: it cannot be cancelled any more, and nothing else can meet that
 * message.
 */
public final class WatchedQueue implements Matching {
    /** Told of a receive that has met a message which had come before. */
    @FunctionalInterface
    public interface Side {
        void met(int handle, long word, long a, long b);
    }

    /** No queue has an entry of this name. */
    private static final int ON_ITS_WAY = 1 << 29;

    private final MatchQueue queue;
    private final MatchWatch watch;
    private final int context;
    private final Side side;

    public WatchedQueue(MatchQueue queue, MatchWatch watch, int context, Side side) {
        this.queue = queue;
        this.watch = watch;
        this.context = context;
        this.side = side;
    }

    /** Tells of all that is here already, as if it had just come. */
    public void tell(IntToLongFunction wordOfReceive) {
        queue.forEachPosted(handle -> watch.posted(context, wordOfReceive.applyAsLong(handle), handle));
        for (int entry = queue.firstUnexpected(); entry >= 0; entry = queue.nextUnexpected(entry)) {
            watch.waits(context, queue.word(entry), entry);
        }
    }

    /** The queue itself, which is watched no more. */
    public MatchQueue unwatched() {
        settle();
        watch.software(context, true);
        return queue;
    }

    @Override
    public int post(long word, int handle) {
        watch.posting(word);
        int found = queue.post(word, handle);
        if (found >= 0) {
            watch.met(this, context, word, handle, found);
            return ~ON_ITS_WAY;
        }
        if (found != FULL) {
            watch.posted(context, word, handle);
        }
        return found;
    }

    /** What a receive has met shows. */
    public void complete(int handle, int entry) {
        long word = queue.word(entry);
        long a = queue.a(entry);
        long b = queue.b(entry);
        queue.release(entry);
        side.met(handle, word, a, b);
    }

    @Override
    public int arrive(long exactWord) {
        int handle = queue.arrive(exactWord);
        watch.arrived(context, exactWord, handle);
        return handle;
    }

    @Override
    public int earliestPosted(long exactWord) {
        return queue.earliestPosted(exactWord);
    }

    @Override
    public int ready(long exactWord) {
        return 0;
    }

    @Override
    public int ready(int after) {
        return NONE;
    }

    @Override
    public void meetReady(int messages) {
        HeaderStore.check(messages == 0, "nothing was ready");
    }

    @Override
    public int append(long exactWord, long a, long b) {
        int entry = queue.append(exactWord, a, b);
        if (entry != FULL) {
            watch.waits(context, exactWord, entry);
        }
        return entry;
    }

    @Override
    public int search(long word) {
        return queue.search(word);
    }

    @Override
    public void take(int entry) {
        watch.taken(queue.word(entry), entry);
        queue.take(entry);
    }

    @Override
    public int find(long exactWord, long b) {
        return queue.find(exactWord, b);
    }

    @Override
    public boolean removePosted(int entry, int handle) {
        boolean removed = queue.removePosted(entry, handle);
        if (removed) {
            watch.cancelled(context, handle);
        }
        return removed;
    }

    @Override
    public void release(int entry) {
        queue.release(entry);
    }

    @Override
    public long word(int entry) {
        return queue.word(entry);
    }

    @Override
    public long a(int entry) {
        return queue.a(entry);
    }

    @Override
    public long b(int entry) {
        return queue.b(entry);
    }

    @Override
    public int posted() {
        return queue.posted();
    }

    @Override
    public int unexpected() {
        return queue.unexpected();
    }

    @Override
    public int firstUnexpected() {
        return queue.firstUnexpected();
    }

    @Override
    public int nextUnexpected(int entry) {
        return queue.nextUnexpected(entry);
    }

    @Override
    public void forEachPosted(IntConsumer handle) {
        queue.forEachPosted(handle);
    }

    @Override
    public void forEachWord(LongConsumer word) {
        queue.forEachWord(word);
    }

    @Override
    public void settle() {
        watch.settle(this);
    }

    @Override
    public void checkInvariants() {
        queue.checkInvariants();
    }
}
