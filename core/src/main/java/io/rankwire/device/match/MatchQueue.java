package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.LINK;
import static io.rankwire.device.match.HeaderStore.OWNER;
import static io.rankwire.device.match.HeaderStore.SEQUENCE;
import static io.rankwire.device.match.HeaderStore.WORD;
import static io.rankwire.device.match.HeaderStore.at;
import static io.rankwire.device.match.HeaderStore.check;
import static io.rankwire.device.match.HeaderStore.owned;

import io.rankwire.wire.MatchWord;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Matching at a cost that does not depend on how many receives are posted or messages waiting, for every wildcard
 * shape.
 *
 * <p>Why the order is exact: a posted word of any shape is one key, and the receives of a key stand in a FIFO. An
 * arrival can meet only four keys, one for each shape; the head of each is the earliest of its shape, so the least post
 * sequence of at most four heads is the earliest of all. {@link Arrivals} does the same for waiting messages.
 */
public sealed class MatchQueue implements Matching permits WatchedQueue, SpreadQueue {
    private final HeaderStore store;
    private final HeaderShare receivesFrom;
    private final HeaderShare messagesFrom;
    private final int owner;
    private final KeyTable receives = new KeyTable();
    /** Posted receives by shape, the two wild bits of the word; shapes without a receive are not probed. */
    private final int[] shapes = new int[4];
    private final Arrivals arrivals;
    private long sequence;
    /** Receives that all have one word need no table. Either the run is empty or the table is. */
    private final Run run;

    /** A queue that shares the headers of its store with others. */
    public MatchQueue(HeaderStore store) {
        this(store, store.common(), store.common());
    }

    /** A queue with shares of a store for its posted receives and its unexpected messages; both may be the same. */
    public MatchQueue(HeaderStore store, HeaderShare receives, HeaderShare messages) {
        this.store = store;
        receivesFrom = receives;
        messagesFrom = messages;
        owner = store.register();
        arrivals = new Arrivals(store, messages, owner + 1);
        run = new Run(receives);
    }

    @Override
    public int post(long word, int handle) {
        if (arrivals.count() != 0) {
            int waiting = arrivals.takeFirst(word);
            if (waiting >= 0) {
                return waiting;
            }
        }
        return enqueue(word, handle);
    }

    private int enqueue(long word, int handle) {
        assert word != 0 && handle >= 0;
        return word == run.word() && run.hasRoom() ? run.append(handle) : enqueueOther(word, handle);
    }

    private int enqueueOther(long word, int handle) {
        if (run.count() + inTable() == 0) {
            run.begin(word);
            return run.append(handle);
        }
        if (word == run.word() && run.grow()) {
            return run.append(handle);
        }
        if (receivesFrom.isFull()) {
            return FULL;
        }
        spillRun();
        return ~insert(word, handle);
    }

    private void spillRun() {
        if (run.word() != 0) {
            run.spill(this);
        }
    }

    /** Puts a receive into the table; the store must have a header left. */
    int insert(long word, int handle) {
        int entry = store.allocate(receivesFrom);
        long[] cells = store.cells;
        int at = at(entry);
        cells[at + WORD] = word;
        cells[at + SEQUENCE] = sequence++;
        cells[at + OWNER] = owned(owner, handle);
        receives.append(cells, word, entry, LINK);
        shapes[(int) (word >>> 62)]++;
        return entry;
    }

    @Override
    public int arrive(long exactWord) {
        assert exactWord > 0 && (exactWord & MatchWord.WILD_MASK) == 0;
        return run.word() != 0 ? run.meet(exactWord) : arriveAtTable(exactWord);
    }

    @Override
    public int earliestPosted(long exactWord) {
        if (run.word() != 0) {
            return MatchWord.matches(run.word(), exactWord) ? run.earliest() : NONE;
        }
        int slot = earliest(exactWord);
        return slot < 0 ? NONE : (int) store.cells[at(receives.headAt(slot)) + OWNER];
    }

    @Override
    public int foresee(long exactWord) {
        if (run.word() != 0) {
            return run.first();
        }
        int slot = receives.peek(exactWord);
        return slot < 0 ? NONE : (int) store.cells[at(receives.headAt(slot)) + OWNER];
    }

    @Override
    public int ready(long exactWord) {
        return run.ready(exactWord);
    }

    @Override
    public int ready(int after) {
        return run.ready(after);
    }

    @Override
    public void meetReady(int messages) {
        run.meetReady(messages);
    }

    private int arriveAtTable(long exactWord) {
        int[] shapes = this.shapes;
        int slot;
        if ((shapes[1] | shapes[2] | shapes[3]) != 0) {
            slot = earliest(exactWord);
        } else {
            slot = shapes[0] == 0 ? -1 : receives.find(exactWord);
        }
        return slot < 0 ? NONE : meet(slot);
    }

    /** The slot whose head was posted first among the keys the message can meet, or -1. */
    private int earliest(long exactWord) {
        int[] shapes = this.shapes;
        int exact = shapes[0] == 0 ? -1 : receives.find(exactWord);
        int anyTag = shapes[1] == 0 ? -1 : receives.find(MatchWord.anyTag(exactWord));
        int anySource = shapes[2] == 0 ? -1 : receives.find(MatchWord.anySource(exactWord));
        int any = shapes[3] == 0 ? -1 : receives.find(MatchWord.WILD_MASK);
        int misses = (exact >>> 31) + (anyTag >>> 31) + (anySource >>> 31) + (any >>> 31);
        if (misses >= 3) {
            // At most one is not -1. Which one cannot be predicted, so there is no branch on it.
            return exact & anyTag & anySource & any;
        }
        return earlier(earlier(exact, anyTag), earlier(anySource, any));
    }

    private int earlier(int slot, int other) {
        if (slot < 0 || other < 0) {
            return Math.max(slot, other);
        }
        long[] cells = store.cells;
        long first = cells[at(receives.headAt(slot)) + SEQUENCE];
        return first < cells[at(receives.headAt(other)) + SEQUENCE] ? slot : other;
    }

    private int meet(int slot) {
        long[] cells = store.cells;
        int shape = receives.shapeAt(slot);
        int entry = receives.headAt(slot);
        int at = at(entry);
        int handle = (int) cells[at + OWNER];
        receives.removeHead(cells, slot, LINK);
        shapes[shape]--;
        store.free(entry, receivesFrom);
        return handle;
    }

    @Override
    public boolean removePosted(int entry, int handle) {
        return remove(entry, handle);
    }

    private boolean remove(int posted, int handle) {
        int entry = posted;
        if (Run.isPlace(posted)) {
            if (run.word() != 0) {
                return run.remove(posted, handle);
            }
            entry = run.headerOf(posted);
        }
        long[] cells = store.cells;
        if (entry < 0 || entry >= store.capacity() || cells[at(entry) + OWNER] != owned(owner, handle)) {
            return false;
        }
        long word = cells[at(entry) + WORD];
        receives.remove(cells, word, entry, LINK);
        shapes[(int) (word >>> 62)]--;
        store.free(entry, receivesFrom);
        return true;
    }

    @Override
    public int append(long exactWord, long description, long payload) {
        return arrivals.append(exactWord, description, payload);
    }

    @Override
    public int search(long word) {
        return arrivals.count() == 0 ? NONE : arrivals.search(word);
    }

    @Override
    public void take(int entry) {
        arrivals.take(entry);
    }

    @Override
    public void release(int entry) {
        store.free(entry, messagesFrom);
    }

    @Override
    public long word(int entry) {
        return store.word(entry);
    }

    @Override
    public long description(int entry) {
        return store.description(entry);
    }

    @Override
    public long payload(int entry) {
        return store.payload(entry);
    }

    @Override
    public int posted() {
        return run.count() + inTable();
    }

    /** Posted receives that are not in the run. */
    int inTable() {
        return shapes[0] + shapes[1] + shapes[2] + shapes[3];
    }

    @Override
    public int unexpected() {
        return arrivals.count();
    }

    @Override
    public int firstUnexpected() {
        return arrivals.first();
    }

    @Override
    public int nextUnexpected(int entry) {
        return arrivals.next(entry);
    }

    HeaderStore headers() {
        return store;
    }

    @Override
    public void forEachPosted(IntConsumer handle) {
        if (run.word() != 0) {
            run.forEach(handle);
            return;
        }
        for (int entry : tableInOrder()) {
            handle.accept((int) store.cells[at(entry) + OWNER]);
        }
    }

    @Override
    public void forEachWord(LongConsumer word) {
        if (run.count() > 0) {
            word.accept(run.word());
        }
        receives.forEachKey(word);
    }

    private int[] tableInOrder() {
        int[] entries = new int[inTable()];
        int count = receives.collect(store.cells, LINK, entries);
        check(count == inTable(), "posted receives lost");
        return IntStream.of(entries)
                .boxed()
                .sorted((a, b) -> Long.compare(store.cells[at(a) + SEQUENCE], store.cells[at(b) + SEQUENCE]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Moves everything into a matcher in ordinary memory, in order, and frees the headers: the software takes matching
     * over. The other matcher must be empty.
     */
    public void dumpTo(ListMatcher list, Moved moved) {
        check(list.posted() == 0 && list.unexpected() == 0, "the other matcher is not empty");
        passOn((word, handle) -> moved.posted(handle, list.appendPosted(word, handle)));
        for (int entry = arrivals.first(); entry >= 0; entry = arrivals.first()) {
            list.append(word(entry), description(entry), payload(entry));
            arrivals.take(entry);
            release(entry);
        }
    }

    /** Takes a posted receive that has left its queue. */
    @FunctionalInterface
    interface Receives {
        void take(long word, int handle);
    }

    /** Removes all posted receives, in order, and passes them on. */
    final void passOn(Receives to) {
        spillRun();
        for (int entry : tableInOrder()) {
            int handle = (int) store.cells[at(entry) + OWNER];
            long word = store.word(entry);
            remove(entry, handle);
            to.take(word, handle);
        }
    }

    /** Appends a message that another queue with the same share of headers had, and that was taken there. */
    final void adopt(int entry) {
        arrivals.adopt(entry);
    }

    /** Whether there are headers for some more receives and messages. */
    public final boolean hasRoom(int receives, int messages) {
        int forMessages = messagesFrom.limit() - messagesFrom.inUse();
        return receivesFrom == messagesFrom ? receives + messages <= forMessages
                : messages <= forMessages && receives <= receivesFrom.limit() - receivesFrom.inUse();
    }

    /** Appends a posted receive without a search: for a queue that is being handed back. */
    int appendPosted(long word, int handle) {
        return ~enqueue(word, handle);
    }

    @Override
    public void checkInvariants() {
        long[] cells = store.cells;
        receives.checkInvariants();
        run.checkInvariants();
        check(run.count() == 0 || inTable() == 0, "receives in the run and in the table");
        int[] entries = new int[inTable()];
        check(receives.collect(cells, LINK, entries) == inTable(), "posted receives lost or counted twice");
        int[] seen = new int[4];
        for (int entry : entries) {
            long word = cells[at(entry) + WORD];
            seen[(int) (word >>> 62)]++;
            check((int) (cells[at(entry) + OWNER] >>> 32) == owner, "posted header of another queue");
            check(cells[at(entry) + SEQUENCE] < sequence, "sequence from the future");
            check(receives.find(word) >= 0, "posted header under no key");
        }
        check(Arrays.equals(seen, shapes), "shapes miscounted");
        for (int shape = 0; shape < 4; shape++) {
            check(receives.length(cells, shape, LINK, inTable()) == seen[shape], "FIFOs of a shape");
        }
        arrivals.checkInvariants();
    }
}
