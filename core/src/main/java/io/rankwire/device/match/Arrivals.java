package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.DESCRIPTION;
import static io.rankwire.device.match.HeaderStore.ARRIVAL_LINK;
import static io.rankwire.device.match.HeaderStore.PAYLOAD;
import static io.rankwire.device.match.HeaderStore.LINK;
import static io.rankwire.device.match.HeaderStore.OUT;
import static io.rankwire.device.match.HeaderStore.OWNER;
import static io.rankwire.device.match.HeaderStore.SOURCE_LINK;
import static io.rankwire.device.match.HeaderStore.TAG_LINK;
import static io.rankwire.device.match.HeaderStore.WORD;
import static io.rankwire.device.match.HeaderStore.at;
import static io.rankwire.device.match.HeaderStore.check;
import static io.rankwire.device.match.HeaderStore.owned;

import io.rankwire.wire.MatchWord;

/**
 * The unexpected messages of one context. A message always stands in the FIFO of its exact key and in the list of all
 * arrivals. The FIFOs by source and by tag are built by the first search that needs them and kept until the queue is
 * empty, so programs without wildcards never pay for them.
 */
final class Arrivals {
    private static final int ANY_TAG = 1;
    private static final int ANY_SOURCE = 2;
    private static final int ANY_BOTH = 3;

    private final HeaderStore store;
    private final HeaderShare share;
    private final int owner;
    /** Exact keys and, when built, the keys by source and by tag: their wild bits keep them apart. */
    private final KeyTable keys = new KeyTable();
    private int first = -1;
    private int last = -1;
    private int count;
    private boolean bySource;
    private boolean byTag;

    Arrivals(HeaderStore store, HeaderShare share, int owner) {
        this.store = store;
        this.share = share;
        this.owner = owner;
    }

    int count() {
        return count;
    }

    int first() {
        return first;
    }

    int next(int entry) {
        return (int) (store.cells[at(entry) + ARRIVAL_LINK] >> 32);
    }

    int append(long exactWord, long description, long payload) {
        assert exactWord > 0 && (exactWord & MatchWord.WILD_MASK) == 0;
        int entry = store.allocate(share);
        if (entry < 0) {
            return Matching.FULL;
        }
        long[] cells = store.cells;
        int at = at(entry);
        cells[at + WORD] = exactWord;
        cells[at + DESCRIPTION] = description;
        cells[at + PAYLOAD] = payload;
        join(cells, exactWord, entry);
        return entry;
    }

    /** Appends a message that another queue of the same share had, and that was taken there. */
    void adopt(int entry) {
        join(store.cells, store.word(entry), entry);
    }

    private void join(long[] cells, long exactWord, int entry) {
        int at = at(entry);
        cells[at + OWNER] = owned(owner, 0);
        keys.append(cells, exactWord, entry, LINK);
        if (bySource) {
            keys.append(cells, MatchWord.anyTag(exactWord), entry, SOURCE_LINK);
        }
        if (byTag) {
            keys.append(cells, MatchWord.anySource(exactWord), entry, TAG_LINK);
        }
        cells[at + ARRIVAL_LINK] = 0xFFFFFFFF00000000L | last & 0xFFFFFFFFL;
        if (last < 0) {
            first = entry;
        } else {
            int lastLink = at(last) + ARRIVAL_LINK;
            cells[lastLink] = cells[lastLink] & 0xFFFFFFFFL | (long) entry << 32;
        }
        last = entry;
        count++;
    }

    /** Takes the earliest message for this word, or -1. The common case finds the key once, not twice. */
    int takeFirst(long word) {
        if (word >>> 62 != 0) {
            int entry = search(word);
            if (entry >= 0) {
                take(entry);
            }
            return entry;
        }
        int slot = keys.find(word);
        if (slot < 0) {
            return -1;
        }
        long[] cells = store.cells;
        int entry = keys.headAt(slot);
        keys.removeHead(cells, slot, LINK);
        leave(cells, at(entry), word, entry);
        return entry;
    }

    /** The earliest message a receive with this word would take, or -1. */
    int search(long word) {
        int shape = (int) (word >>> 62);
        if (shape == ANY_BOTH) {
            return first;
        }
        if (shape != 0 && count != 0) {
            index(shape);
        }
        return keys.head(word);
    }

    private void index(int shape) {
        if (shape == ANY_TAG && !bySource) {
            bySource = true;
            for (int e = first; e >= 0; e = next(e)) {
                keys.append(store.cells, MatchWord.anyTag(store.word(e)), e, SOURCE_LINK);
            }
        } else if (shape == ANY_SOURCE && !byTag) {
            byTag = true;
            for (int e = first; e >= 0; e = next(e)) {
                keys.append(store.cells, MatchWord.anySource(store.word(e)), e, TAG_LINK);
            }
        }
    }

    void take(int entry) {
        long[] cells = store.cells;
        int at = at(entry);
        assert cells[at + OWNER] >>> 32 == owner : "not a waiting message: " + entry;
        long word = cells[at + WORD];
        keys.remove(cells, word, entry, LINK);
        leave(cells, at, word, entry);
    }

    /** Takes a header that is out of its exact key's FIFO out of everything else. */
    private void leave(long[] cells, int at, long word, int entry) {
        if (bySource) {
            keys.remove(cells, MatchWord.anyTag(word), entry, SOURCE_LINK);
        }
        if (byTag) {
            keys.remove(cells, MatchWord.anySource(word), entry, TAG_LINK);
        }
        unlink(cells, cells[at + ARRIVAL_LINK]);
        cells[at + OWNER] = OUT;
        if (--count == 0) {
            bySource = false;
            byTag = false;
        }
    }

    /** Takes a header with these links out of the arrival list, whose ends are -1. */
    private void unlink(long[] cells, long links) {
        int next = (int) (links >> 32);
        int previous = (int) links;
        if (previous < 0) {
            first = next;
        } else {
            int link = at(previous) + ARRIVAL_LINK;
            cells[link] = cells[link] & 0xFFFFFFFFL | links & 0xFFFFFFFF00000000L;
        }
        if (next < 0) {
            last = previous;
        } else {
            int link = at(next) + ARRIVAL_LINK;
            cells[link] = cells[link] & 0xFFFFFFFF00000000L | links & 0xFFFFFFFFL;
        }
    }

    void checkInvariants() {
        long[] cells = store.cells;
        keys.checkInvariants();
        int seen = 0;
        int previous = -1;
        for (int e = first; e >= 0; e = next(e)) {
            long word = cells[at(e) + WORD];
            check(++seen <= count, "arrival list too long");
            check((int) cells[at(e) + ARRIVAL_LINK] == previous, "arrival links disagree");
            check(cells[at(e) + OWNER] >>> 32 == owner, "arrival list holds another's header");
            check(keys.find(word) >= 0, "message under no key");
            check(!bySource || keys.find(MatchWord.anyTag(word)) >= 0, "message under no source");
            check(!byTag || keys.find(MatchWord.anySource(word)) >= 0, "message under no tag");
            previous = e;
        }
        check(count != 0 || !bySource && !byTag && keys.keys() == 0, "empty, with an index left");
        check(seen == count && last == previous, "messages lost or counted twice");
        check(keys.length(cells, 0, LINK, count) == count, "exact index");
        check(keys.length(cells, 1, SOURCE_LINK, count) == (bySource ? count : 0), "index by source");
        check(keys.length(cells, 2, TAG_LINK, count) == (byTag ? count : 0), "index by tag");
        check(keys.length(cells, 3, LINK, count) == 0, "a key without source and tag");
    }
}
