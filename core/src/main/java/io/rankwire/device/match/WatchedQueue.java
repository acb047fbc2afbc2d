package io.rankwire.device.match;

/**
 * A {@link MatchQueue} that reports what happens in it to a {@link MatchWatch}. A receive that meets a waiting message
 * counts as posted until the watch completes it: it cannot be cancelled any more, and no other receive can meet that
 * message.
 */
public final class WatchedQueue extends MatchQueue {
    /** No queue has an entry of this name. */
    private static final int ON_ITS_WAY = 1 << 29;

    private final MatchWatch watch;
    private final int context;
    private final Met met;

    public WatchedQueue(HeaderStore store, HeaderShare receives, HeaderShare messages, MatchWatch watch, int context,
            Met met) {
        super(store, receives, messages);
        this.watch = watch;
        this.context = context;
        this.met = met;
        watch.software(context, false);
    }

    @Override
    public int post(long word, int handle) {
        watch.posting(word);
        int found = super.post(word, handle);
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
        long word = word(entry);
        long description = description(entry);
        long payload = payload(entry);
        release(entry);
        met.met(handle, word, description, payload);
    }

    @Override
    int appendPosted(long word, int handle) {
        int entry = super.appendPosted(word, handle);
        watch.posted(context, word, handle);
        return entry;
    }

    @Override
    public int arrive(long exactWord) {
        int handle = super.arrive(exactWord);
        watch.arrived(context, exactWord, handle);
        return handle;
    }

    /** Nothing is ready: the watch is to see each message arrive. */
    @Override
    public int ready(long exactWord) {
        return 0;
    }

    @Override
    public int append(long exactWord, long description, long payload) {
        int entry = super.append(exactWord, description, payload);
        if (entry != FULL) {
            watch.waits(context, exactWord, description, entry);
        }
        return entry;
    }

    @Override
    public void take(int entry) {
        watch.taken(word(entry), entry);
        super.take(entry);
    }

    @Override
    public boolean removePosted(int entry, int handle) {
        boolean removed = super.removePosted(entry, handle);
        if (removed) {
            watch.cancelled(context, handle);
        }
        return removed;
    }

    /** Reports only that software has the queue now, not what leaves it. */
    @Override
    public void dumpTo(ListMatcher list, Moved moved) {
        settle();
        watch.software(context, true);
        super.dumpTo(list, moved);
    }

    @Override
    public void settle() {
        watch.settle(this);
    }
}
