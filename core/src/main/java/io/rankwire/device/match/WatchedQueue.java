package io.rankwire.device.match;

import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;

/**
 * A {@link MatchQueue} that reports what happens in it to a {@link MatchWatch}. A receive that meets a waiting message
 * counts as posted until the watch completes it: it cannot be cancelled any more, and no other receive can meet that
 * message.
 */
public final class WatchedQueue implements Matching {
    /** Takes a receive together with the message that it has met, which had come before. */
    @FunctionalInterface
    public interface Side {
        void met(int handle, long word, long description, long payload);
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

    /** Reports all that is here already, as if it had just come. */
    public void report(IntToLongFunction wordOfReceive) {
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

    /** The time has come to complete a receive with the message that it has met. */
    public void complete(int handle, int entry) {
        long word = queue.word(entry);
        long description = queue.description(entry);
        long payload = queue.payload(entry);
        queue.release(entry);
        side.met(handle, word, description, payload);
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
    public int append(long exactWord, long description, long payload) {
        int entry = queue.append(exactWord, description, payload);
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
    public long description(int entry) {
        return queue.description(entry);
    }

    @Override
    public long payload(int entry) {
        return queue.payload(entry);
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
