package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import io.rankwire.wire.MatchWord;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * A queue whose headers are spread over several, by source or by tag. Receives and messages that can meet are in the
 * same part, unless a receive leaves that field open. If a message waits for such a receive, it is found by a look into
 * each part. If none does, the receive makes all parts one, which is this queue itself; when that is empty, it is
 * several again.
 *
 * <p>Why the order stays exact: receives of two parts have no message in common, so only their order within a part
 * counts. Messages of two parts can meet the same receive; each has a number, by which they are merged and compared.
 * Receives have numbers too, for reports. Handles are to be small, as there is one number for each handle.
 */
public final class SpreadQueue extends MatchQueue {
    private final HeaderStore store;
    private final boolean bySource;
    private final MatchQueue[] parts;
    private final Moved moved;
    /** Whether everything is in this queue itself, and nothing in its parts; otherwise it is the other way round. */
    private boolean merged;
    private int arrivals;
    private int posts;
    /** By handle: when the receive was posted. */
    private int[] numbers = new int[16];
    private int merges;
    /** For a walk over the messages of all parts: the next one in each, and the one that was reached. */
    private final int[] cursors;
    private int reached = NONE;
    /** The part that {@link #ready(long)} was asked about. */
    private MatchQueue ready = this;

    /**
     * @param moved called with the new entries of receives when parts become one
     */
    public SpreadQueue(HeaderStore store, HeaderShare receives, HeaderShare messages, QueueHints hints, Moved moved) {
        super(store, receives, messages);
        this.store = store;
        this.bySource = hints.by() == QueueHints.By.SOURCE;
        this.moved = moved;
        this.parts = new MatchQueue[hints.queues()];
        this.cursors = new int[parts.length];
        Arrays.setAll(parts, i -> new MatchQueue(store, receives, messages));
    }

    private boolean isOpen(long word) {
        return (word & (bySource ? MatchWord.ANY_SOURCE_BIT : MatchWord.ANY_TAG_BIT)) != 0;
    }

    private int partOf(long word) {
        return (bySource ? MatchWord.source(word) : MatchWord.tag(word)) % parts.length;
    }

    private MatchQueue part(long word) {
        return parts[partOf(word)];
    }

    /** Whether everything is in this queue itself; no longer so if that is nothing. */
    private boolean isOne() {
        if (merged && super.posted() + super.unexpected() == 0) {
            merged = false;
        }
        return merged;
    }

    private void merge() {
        long[] order = postedInOrder();
        long[] words = new long[numbers.length];
        for (MatchQueue part : parts) {
            part.passOn((word, handle) -> words[handle] = word);
        }
        long[] waiting = new long[waiting()];
        int count = 0;
        for (MatchQueue part : parts) {
            for (int e = part.firstUnexpected(); e >= 0; e = part.nextUnexpected(e)) {
                waiting[count++] = (long) (store.number(e) - arrivals) << 32 | e;
            }
        }
        Arrays.sort(waiting);
        for (long each : waiting) {
            int entry = (int) each;
            part(store.word(entry)).take(entry);
            adopt(entry);
        }
        for (long each : order) {
            int handle = (int) each;
            moved.posted(handle, super.appendPosted(words[handle], handle));
        }
        merged = true;
        merges++;
    }

    /** The receives in all parts, in the order of posts: their numbers, relative to the next, and their handles. */
    private long[] postedInOrder() {
        long[] order = new long[posted()];
        int[] count = new int[1];
        for (MatchQueue part : parts) {
            part.forEachPosted(handle -> order[count[0]++] = (long) (numbers[handle] - posts) << 32 | handle);
        }
        Arrays.sort(order);
        return order;
    }

    private int numbered(int handle, int entry) {
        if (handle >= numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * handle);
        }
        numbers[handle] = posts++;
        return entry;
    }

    private int waiting() {
        int sum = 0;
        for (MatchQueue part : parts) {
            sum += part.unexpected();
        }
        return sum;
    }

    @Override
    public int post(long word, int handle) {
        if (!isOne()) {
            if (!isOpen(word)) {
                int part = partOf(word);
                int found = parts[part].post(word, handle);
                if (found >= 0) {
                    leave(part, found);
                    return found;
                }
                return found == FULL ? FULL : numbered(handle, found);
            }
            int waiting = search(word);
            if (waiting >= 0) {
                take(waiting);
                return waiting;
            }
            merge();
        }
        return super.post(word, handle);
    }

    @Override
    int appendPosted(long word, int handle) {
        if (!isOne()) {
            if (!isOpen(word)) {
                return numbered(handle, part(word).appendPosted(word, handle));
            }
            merge();
        }
        return super.appendPosted(word, handle);
    }

    @Override
    public int arrive(long exactWord) {
        return isOne() ? super.arrive(exactWord) : part(exactWord).arrive(exactWord);
    }

    @Override
    public int earliestPosted(long exactWord) {
        return merged ? super.earliestPosted(exactWord) : part(exactWord).earliestPosted(exactWord);
    }

    @Override
    public int foresee(long exactWord) {
        return merged ? super.foresee(exactWord) : part(exactWord).foresee(exactWord);
    }

    @Override
    public int ready(long exactWord) {
        ready = merged ? this : part(exactWord);
        return merged ? super.ready(exactWord) : ready.ready(exactWord);
    }

    @Override
    public int ready(int after) {
        return ready == this ? super.ready(after) : ready.ready(after);
    }

    @Override
    public void meetReady(int messages) {
        if (ready == this) {
            super.meetReady(messages);
        } else {
            ready.meetReady(messages);
        }
    }

    @Override
    public int append(long exactWord, long description, long payload) {
        if (isOne()) {
            return super.append(exactWord, description, payload);
        }
        int entry = part(exactWord).append(exactWord, description, payload);
        if (entry != FULL) {
            store.number(entry, arrivals++);
        }
        return entry;
    }

    @Override
    public int search(long word) {
        if (merged) {
            return super.search(word);
        }
        if (!isOpen(word)) {
            return part(word).search(word);
        }
        int earliest = NONE;
        for (MatchQueue part : parts) {
            int entry = part.search(word);
            if (entry >= 0 && (earliest < 0 || store.number(entry) - store.number(earliest) < 0)) {
                earliest = entry;
            }
        }
        return earliest;
    }

    @Override
    public void take(int entry) {
        if (merged) {
            super.take(entry);
        } else {
            int part = partOf(store.word(entry));
            parts[part].take(entry);
            leave(part, entry);
        }
    }

    /** A message has left a part; a walk that would have come to it begins anew. */
    private void leave(int part, int entry) {
        if (cursors[part] == entry) {
            reached = NONE;
        }
    }

    /** Looks into all parts: two of them can have receives by the same entry, but not with the same handle. */
    @Override
    public boolean removePosted(int entry, int handle) {
        if (merged) {
            return super.removePosted(entry, handle);
        }
        boolean removed = false;
        for (int i = 0; i < parts.length && !removed; i++) {
            removed = parts[i].removePosted(entry, handle);
        }
        return removed;
    }

    @Override
    public int posted() {
        int sum = super.posted();
        for (int i = 0; i < parts.length && !merged; i++) {
            sum += parts[i].posted();
        }
        return sum;
    }

    @Override
    public int unexpected() {
        return merged ? super.unexpected() : waiting();
    }

    @Override
    public int firstUnexpected() {
        if (merged) {
            return super.firstUnexpected();
        }
        for (int i = 0; i < parts.length; i++) {
            cursors[i] = parts[i].firstUnexpected();
        }
        return earliest();
    }

    @Override
    public int nextUnexpected(int entry) {
        if (merged) {
            return super.nextUnexpected(entry);
        }
        if (entry != reached) {
            for (int i = 0; i < parts.length; i++) {
                int next = parts[i].firstUnexpected();
                while (next >= 0 && store.number(next) - store.number(entry) <= 0) {
                    next = parts[i].nextUnexpected(next);
                }
                cursors[i] = next;
            }
        }
        return earliest();
    }

    /** The first message of those that a walk has come to in each part; the walk goes on behind it. */
    private int earliest() {
        int part = NONE;
        for (int i = 0; i < cursors.length; i++) {
            if (cursors[i] >= 0
                    && (part < 0 || store.number(cursors[i]) - store.number(cursors[part]) < 0)) {
                part = i;
            }
        }
        reached = part < 0 ? NONE : cursors[part];
        if (part >= 0) {
            cursors[part] = parts[part].nextUnexpected(reached);
        }
        return reached;
    }

    @Override
    public void forEachPosted(IntConsumer handle) {
        if (merged) {
            super.forEachPosted(handle);
            return;
        }
        for (long each : postedInOrder()) {
            handle.accept((int) each);
        }
    }

    @Override
    public void forEachWord(LongConsumer word) {
        super.forEachWord(word);
        for (MatchQueue part : parts) {
            part.forEachWord(word);
        }
    }

    @Override
    public void dumpTo(ListMatcher list, Moved moved) {
        if (!isOne()) {
            merge();
        }
        super.dumpTo(list, moved);
    }

    /** How many receives each part has; for tests. */
    int[] postedByPart() {
        return Arrays.stream(parts).mapToInt(MatchQueue::posted).toArray();
    }

    /** How many messages each part has; for tests. */
    int[] unexpectedByPart() {
        return Arrays.stream(parts).mapToInt(MatchQueue::unexpected).toArray();
    }

    /** How often parts were made one; for tests. */
    int merges() {
        return merges;
    }

    @Override
    public void checkInvariants() {
        super.checkInvariants();
        check(merged || super.posted() + super.unexpected() == 0, "headers outside of all parts");
        for (int i = 0; i < parts.length; i++) {
            int number = i;
            parts[i].checkInvariants();
            check(!merged || parts[i].posted() + parts[i].unexpected() == 0, "headers in a part of a merged queue");
            parts[i].forEachWord(word -> check(!isOpen(word) && partOf(word) == number, "a receive in a wrong part"));
            for (int e = parts[i].firstUnexpected(); e >= 0; e = parts[i].nextUnexpected(e)) {
                check(partOf(store.word(e)) == number, "a message in a wrong part");
            }
        }
    }
}
