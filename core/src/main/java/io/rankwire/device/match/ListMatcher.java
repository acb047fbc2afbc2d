package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Matching as the MPI standard describes it: two lists, searched from the front. It is unbounded, takes over a queue
 * whose store has overflowed, and {@link MatchQueue} is tested against it. Its cost grows with depth and it allocates.
 */
public final class ListMatcher implements Matching {
    private record Header(int entry, long word, int handle, long description, long payload) {}

    private final List<Header> receives = new ArrayList<>();
    private final List<Header> messages = new ArrayList<>();
    private final Map<Integer, Header> taken = new HashMap<>();
    private int entries;

    private int nextEntry() {
        entries = entries + 1 & Integer.MAX_VALUE;
        return entries;
    }

    @Override
    public int post(long word, int handle) {
        int waiting = search(word);
        if (waiting >= 0) {
            take(waiting);
            return waiting;
        }
        return ~appendPosted(word, handle);
    }

    int appendPosted(long word, int handle) {
        Header header = new Header(nextEntry(), word, handle, 0, 0);
        receives.add(header);
        return header.entry;
    }

    @Override
    public int arrive(long exactWord) {
        for (int i = 0; i < receives.size(); i++) {
            if (MatchWord.matches(receives.get(i).word, exactWord)) {
                return receives.remove(i).handle;
            }
        }
        return NONE;
    }

    @Override
    public int earliestPosted(long exactWord) {
        for (Header receive : receives) {
            if (MatchWord.matches(receive.word, exactWord)) {
                return receive.handle;
            }
        }
        return NONE;
    }

    @Override
    public int append(long exactWord, long description, long payload) {
        Header header = new Header(nextEntry(), exactWord, 0, description, payload);
        messages.add(header);
        return header.entry;
    }

    @Override
    public int search(long word) {
        for (int i = 0; i < messages.size(); i++) {
            if (MatchWord.matches(word, messages.get(i).word)) {
                return messages.get(i).entry;
            }
        }
        return NONE;
    }

    @Override
    public void take(int entry) {
        Header header = messages.remove(indexOf(messages, entry));
        taken.put(entry, header);
    }

    @Override
    public boolean removePosted(int entry, int handle) {
        int i = indexOf(receives, entry);
        if (i < 0 || receives.get(i).handle != handle) {
            return false;
        }
        receives.remove(i);
        return true;
    }

    @Override
    public void release(int entry) {
        check(taken.remove(entry) != null, "released twice, or never taken");
    }

    @Override
    public long word(int entry) {
        return message(entry).word;
    }

    @Override
    public long description(int entry) {
        return message(entry).description;
    }

    @Override
    public long payload(int entry) {
        return message(entry).payload;
    }

    private Header message(int entry) {
        Header header = taken.get(entry);
        return header != null ? header : messages.get(indexOf(messages, entry));
    }

    /** Entries ascend in both lists; counting from the first keeps that true when the numbers wrap. */
    private static int indexOf(List<Header> headers, int entry) {
        int low = 0;
        int high = headers.size() - 1;
        int origin = high < 0 ? 0 : headers.getFirst().entry;
        int wanted = entry - origin & Integer.MAX_VALUE;
        while (low <= high) {
            int middle = low + high >>> 1;
            int found = headers.get(middle).entry - origin & Integer.MAX_VALUE;
            if (found == wanted) {
                return middle;
            }
            if (found < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    @Override
    public int posted() {
        return receives.size();
    }

    @Override
    public int unexpected() {
        return messages.size();
    }

    @Override
    public int firstUnexpected() {
        return messages.isEmpty() ? NONE : messages.getFirst().entry;
    }

    @Override
    public int nextUnexpected(int entry) {
        int i = indexOf(messages, entry) + 1;
        return i == messages.size() ? NONE : messages.get(i).entry;
    }

    @Override
    public void forEachPosted(IntConsumer handle) {
        receives.forEach(header -> handle.accept(header.handle));
    }

    @Override
    public void forEachWord(LongConsumer word) {
        receives.forEach(header -> word.accept(header.word));
    }

    /**
     * Moves everything back into an empty queue, in order. False, with nothing changed, if its store has no room: raise
     * {@link HeaderStore#limit(int)} first.
     */
    public boolean handBack(MatchQueue queue, Moved moved) {
        check(queue.posted() == 0 && queue.unexpected() == 0, "the queue is not empty");
        if (!queue.hasRoom(receives.size(), messages.size())) {
            return false;
        }
        for (Header header : receives) {
            moved.posted(header.handle, queue.appendPosted(header.word, header.handle));
        }
        for (Header header : messages) {
            queue.append(header.word, header.description, header.payload);
        }
        receives.clear();
        messages.clear();
        return true;
    }

    @Override
    public void checkInvariants() {
        for (Header receive : receives) {
            for (Header message : messages) {
                check(!MatchWord.matches(receive.word, message.word), "a receive and a message wait for each other");
            }
        }
    }
}
