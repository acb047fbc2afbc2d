package io.rankwire.device.match;

import static io.rankwire.device.match.HeaderStore.check;

import io.rankwire.fabric.TagMatcher;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The head of the posted receives, in the places of a network's matcher; software has all of them in its queue, which
 * is the shadow. Receives that found no place wait, and are promoted in order as places get free.
 *
 * <p>A key is what the network compares. Receives of one key are alike here: a place has a buffer of its own, and the
 * message that comes to it goes to the earliest receive of its key in software's queue. So a receive that is cancelled
 * is gone at once, and the network gives back one place too many, or a message, which then waits in software's queue
 * for the next receive. Messages of a key are handed over in the order in which their places were posted, which is the
 * order of the messages, however the network reports them.
 *
 * <p>A few places are for {@link #postAny}, which takes messages out of the network that no receive waits for. They
 * cannot be used up by receives that wait for ever.
 */
public class NetworkList implements TagMatcher.Sink {
    /** Places that no receive takes. */
    public static final int RESERVED = 4;
    /** Bits of a key below the channel. */
    public static final int TAG_BITS = 31;

    private static final int NONE = -1;
    private static final long TAG_MASK = (1L << TAG_BITS) - 1;
    /** Marks the key of a place that takes any message of its channel. */
    private static final long ANY = 1L << 63;

    static final byte FREE = 0;
    static final byte POSTED = 1;
    static final byte CANCELLING = 2;
    /** Its message is here, and waits for those of earlier places. */
    static final byte CAME = 3;

    /** What happens here while the network is polled. */
    public interface Side {
        /** The network has not taken a receive: {@link #promote} is to be called again. */
        void refused();

        /** A message of a channel has come; it lies there until this returns. */
        void arrived(int channel, int from, int meta, long header, MemorySegment memory, long payload, int bytes);
    }

    /** The receives and places of one key. */
    static final class Key {
        long key;
        /** Receives in software's queue. */
        int wanted;
        /** Places that are posted or whose message came, without those that were asked back. */
        int inNetwork;
        /** Entries of the line that were kept, see {@link #makeRoom}. */
        int kept;
        int first = NONE;
        int last = NONE;
        /** The next one in its bucket, or among those that are free. */
        Key chain;
    }

    private final TagMatcher matcher;
    private final Side side;

    // by place
    private final Key[] keys;
    final byte[] states;
    final int[] next;
    private final int[] previous;
    private final int[] froms;
    private final int[] metas;
    private final int[] lengths;
    private final long[] headers;
    private final long[] payloads;
    private final MemorySegment[] memories;
    private final int[] free;
    private int freeCount;

    private Key[] buckets = new Key[64];
    private int keyCount;
    private Key freeKey;

    /** Keys of receives that had no place, in order; some of them have one by now, or need none any more. */
    private long[] waiting = new long[64];
    private int head;
    private int tail;

    public NetworkList(TagMatcher matcher, Side side) {
        this.matcher = matcher;
        this.side = side;
        int places = matcher.places();
        keys = new Key[places];
        states = new byte[places];
        next = new int[places];
        previous = new int[places];
        froms = new int[places];
        metas = new int[places];
        lengths = new int[places];
        headers = new long[places];
        payloads = new long[places];
        memories = new MemorySegment[places];
        free = new int[places];
        for (int place = places - 1; place >= 0; place--) {
            free[freeCount++] = place;
        }
    }

    /** The tag of a message, and the key of a receive. */
    public static long key(int channel, int tag) {
        return (long) channel << TAG_BITS | tag;
    }

    private static int channel(long key) {
        return (int) ((key & ~ANY) >>> TAG_BITS);
    }

    /** A receive of this key was posted in software's queue. */
    public void want(long word) {
        Key key = find(word);
        if (key == null) {
            key = add(word);
        }
        key.wanted++;
        if (head != tail || freeCount <= RESERVED || !post(key, 0)) {
            await(word);
            promoteOrRetry();
        }
    }

    private void promoteOrRetry() {
        promote();
        if (mayPromote()) {
            side.refused();
        }
    }

    /** A receive of this key has left software's queue, and has met nothing. */
    public void unwant(long word) {
        Key key = find(word);
        if (key == null || key.wanted == 0) {
            return;
        }
        key.wanted--;
        balance(key);
        drop(key);
    }

    /** Asks back the last places that no receive waits for. */
    void balance(Key key) {
        for (int place = key.last; place >= 0 && key.inNetwork > key.wanted; place = previous[place]) {
            if (states[place] == POSTED) {
                askBack(place);
            }
        }
    }

    private void askBack(int place) {
        states[place] = CANCELLING;
        keys[place].inNetwork--;
        matcher.cancel(place);
    }

    /** Gives places that are free to receives that wait, the earliest first. */
    public void promote() {
        while (head != tail && freeCount > RESERVED) {
            Key key = find(waiting[head]);
            if (key != null && key.wanted > key.inNetwork && !post(key, 0)) {
                return;
            }
            head = head + 1 & waiting.length - 1;
        }
    }

    /** Whether {@link #promote} could do something. */
    public boolean mayPromote() {
        return head != tail && freeCount > RESERVED;
    }

    /** Posts a place for any message of a channel; false if that is not possible now. */
    public boolean postAny(int channel) {
        long word = key(channel, 0) | ANY;
        Key key = find(word);
        if (key == null) {
            key = add(word);
        }
        if (freeCount == 0 || !post(key, TAG_MASK)) {
            drop(key);
            return false;
        }
        key.wanted++;
        return true;
    }

    /** No receive of this channel is wanted in the network any more: its places are asked back. */
    public void leave(int channel) {
        for (Key bucket : buckets) {
            for (Key key = bucket; key != null;) {
                Key after = key.chain;
                if (channel(key.key) == channel) {
                    key.wanted = 0;
                    balance(key);
                    drop(key);
                }
                key = after;
            }
        }
    }

    /** Places for the receives of a channel that the network has, or whose message was not handed over. */
    public int receivesOf(int channel) {
        return places(channel, false);
    }

    /** The same of {@link #postAny}. */
    public int anyOf(int channel) {
        return places(channel, true);
    }

    private int places(int channel, boolean any) {
        int count = 0;
        for (int place = 0; place < states.length; place++) {
            boolean counts = states[place] != FREE && channel(keys[place].key) == channel;
            count += counts && keys[place].key < 0 == any ? 1 : 0;
        }
        return count;
    }

    /** Receives that the network holds, or places that it has not given back. */
    public int inNetwork() {
        return states.length - freeCount;
    }

    private boolean post(Key key, long ignored) {
        int place = free[freeCount - 1];
        if (!matcher.post(place, key.key & ~ANY, ignored)) {
            return false;
        }
        freeCount--;
        keys[place] = key;
        states[place] = POSTED;
        previous[place] = key.last;
        next[place] = NONE;
        if (key.last < 0) {
            key.first = place;
        } else {
            next[key.last] = place;
        }
        key.last = place;
        key.inNetwork++;
        return true;
    }

    @Override
    public void matched(int place, int from, int meta, long header, MemorySegment memory, long payload, int bytes) {
        check(states[place] == POSTED || states[place] == CANCELLING, "a message for a place that is not posted");
        Key key = keys[place];
        if (states[place] == CANCELLING) {
            key.inNetwork++;
        }
        states[place] = CAME;
        froms[place] = from;
        metas[place] = meta;
        headers[place] = header;
        memories[place] = memory;
        payloads[place] = payload;
        lengths[place] = bytes;
        handOver(key);
    }

    @Override
    public void cancelled(int place) {
        check(states[place] == CANCELLING, "a place was given back that was not asked for");
        Key key = keys[place];
        unlink(key, place);
        giveBack(place);
        handOver(key);
    }

    /** Hands over the messages of a key up to the first that is missing. */
    void handOver(Key key) {
        try {
            for (int place = ready(key); place >= 0; place = ready(key)) {
                unlink(key, place);
                key.inNetwork--;
                if (key.wanted > 0) {
                    key.wanted--;
                }
                try {
                    side.arrived(channel(key.key), froms[place], metas[place], headers[place], memories[place],
                            payloads[place], lengths[place]);
                } finally {
                    giveBack(place);
                }
            }
        } finally {
            balance(key);
            drop(key);
            promoteOrRetry();
        }
    }

    /** The place whose message is the next one of its key and has come, or a negative number. */
    int ready(Key key) {
        return key.first >= 0 && states[key.first] == CAME ? key.first : NONE;
    }

    private void unlink(Key key, int place) {
        int before = previous[place];
        int after = next[place];
        if (before < 0) {
            key.first = after;
        } else {
            next[before] = after;
        }
        if (after < 0) {
            key.last = before;
        } else {
            previous[after] = before;
        }
    }

    private void giveBack(int place) {
        states[place] = FREE;
        keys[place] = null;
        memories[place] = null;
        free[freeCount++] = place;
    }

    private void await(long word) {
        waiting[tail] = word;
        tail = tail + 1 & waiting.length - 1;
        if (tail == head) {
            makeRoom();
        }
    }

    /** Leaves out what does not wait any more; takes more memory if that is less than half. */
    private void makeRoom() {
        for (Key bucket : buckets) {
            for (Key key = bucket; key != null; key = key.chain) {
                key.kept = 0;
            }
        }
        long[] rest = new long[waiting.length];
        int count = 0;
        for (int i = 0; i < waiting.length; i++) {
            long word = waiting[head + i & waiting.length - 1];
            Key key = find(word);
            if (key != null && key.kept < key.wanted - key.inNetwork) {
                key.kept++;
                rest[count++] = word;
            }
        }
        waiting = 2 * count < rest.length ? rest : Arrays.copyOf(rest, 2 * rest.length);
        head = 0;
        tail = count;
    }

    private static int bucket(long word, int length) {
        return (int) (word * 0x9E3779B97F4A7C15L >>> 40) & length - 1;
    }

    private Key find(long word) {
        Key key = buckets[bucket(word, buckets.length)];
        while (key != null && key.key != word) {
            key = key.chain;
        }
        return key;
    }

    private Key add(long word) {
        if (keyCount == buckets.length) {
            grow();
        }
        Key key = freeKey;
        if (key == null) {
            key = new Key();
        } else {
            freeKey = key.chain;
        }
        key.key = word;
        int at = bucket(word, buckets.length);
        key.chain = buckets[at];
        buckets[at] = key;
        keyCount++;
        return key;
    }

    /** Forgets a key that has neither receives nor places. */
    private void drop(Key key) {
        if (key.wanted > 0 || key.first >= 0) {
            return;
        }
        int at = bucket(key.key, buckets.length);
        Key before = null;
        Key here = buckets[at];
        while (here != key) {
            if (here == null) {
                return;
            }
            before = here;
            here = here.chain;
        }
        if (before == null) {
            buckets[at] = key.chain;
        } else {
            before.chain = key.chain;
        }
        key.chain = freeKey;
        freeKey = key;
        keyCount--;
    }

    private void grow() {
        Key[] more = new Key[2 * buckets.length];
        for (Key bucket : buckets) {
            for (Key key = bucket; key != null;) {
                Key after = key.chain;
                int at = bucket(key.key, more.length);
                key.chain = more[at];
                more[at] = key;
                key = after;
            }
        }
        buckets = more;
    }

    public void checkInvariants() {
        int[] posted = new int[states.length];
        int linked = 0;
        int known = 0;
        for (Key bucket : buckets) {
            for (Key key = bucket; key != null; key = key.chain) {
                known++;
                int inNetwork = 0;
                int before = NONE;
                for (int place = key.first; place >= 0; place = next[place]) {
                    check(keys[place] == key && previous[place] == before && posted[place]++ == 0, "links of places");
                    inNetwork += states[place] == CANCELLING ? 0 : 1;
                    before = place;
                    linked++;
                }
                check(key.last == before && inNetwork == key.inNetwork, "places of a key miscounted");
                check(key.wanted > 0 || key.first >= 0, "a key that nothing is known of");
                check(key.wanted >= count(key, POSTED), "places that no receive waits for");
            }
        }
        check(known == keyCount && linked + freeCount == states.length, "keys or places lost");
    }

    private int count(Key key, byte state) {
        int count = 0;
        for (int place = key.first; place >= 0; place = next[place]) {
            count += states[place] == state ? 1 : 0;
        }
        return count;
    }

    @Override
    public String toString() {
        return "network list of " + states.length + " places " + Arrays.toString(states);
    }
}
