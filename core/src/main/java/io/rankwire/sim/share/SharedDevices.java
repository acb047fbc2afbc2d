package io.rankwire.sim.share;

import io.rankwire.sim.Events;
import java.util.BitSet;

/**
 * The devices of one node, each with lists of receives and of messages for every rank, each searching for one request
 * at a time. A message comes in by one device, decided so that messages of a source to a rank stay in order; a receive
 * is posted where messages for it may come in.
 */
public final class SharedDevices {
    /** Which device serves whom. */
    public enum Sharing {
        /** All that is for a rank comes in by its device. */
        PINNED,
        /** What comes from a source comes in by the source's device; there is no receive from any source. */
        BY_SOURCE,
        /**
         * As by source; a receive from any source is posted to all devices, and the first that sets its flag has it.
         * The others delete their copy when they come across it, and search on.
         */
        CLAIMED
    }

    /**
     * What a device costs.
     *
     * @param requestPs for each receive or message
     * @param headerPs for each header it looks at
     * @param claimPs to fetch and set a flag
     */
    public record Model(int devices, long requestPs, long headerPs, long claimPs) {}

    /** Hears who got what. */
    @FunctionalInterface
    public interface Matches {
        void matched(int receive, int message, long at);
    }

    /** A receive from any source, or of any tag. */
    public static final int ANY = -1;

    private static final int POST = 0;
    private static final int ARRIVE = 1;
    private static final int SERVE = 2;
    /** Fields of a request are kept apart by this many bits. */
    private static final int FIELD = 20;
    private static final int FIELD_MASK = (1 << FIELD) - 1;

    private final Sharing sharing;
    private final Model model;
    private final Matches matches;
    private final Events events;
    private final HeaderList[][] receives;
    private final HeaderList[][] messages;
    private final Line[] lines;
    private final BitSet claimed = new BitSet();
    private long looked;
    private long stale;
    private long last;

    public SharedDevices(Sharing sharing, Model model, int ranks, Matches matches) {
        this.sharing = sharing;
        this.model = model;
        this.matches = matches;
        events = new Events(model.devices + 1);
        receives = new HeaderList[model.devices][ranks];
        messages = new HeaderList[model.devices][ranks];
        lines = new Line[model.devices];
        for (int device = 0; device < model.devices; device++) {
            lines[device] = new Line();
            for (int rank = 0; rank < ranks; rank++) {
                receives[device][rank] = new HeaderList();
                messages[device][rank] = new HeaderList();
            }
        }
    }

    /** A rank posts a receive then; ids of receives are the caller's, from 0 on. */
    public void post(long at, int rank, int source, int tag, int id) {
        if (sharing == Sharing.BY_SOURCE && source == ANY) {
            throw new IllegalArgumentException(
                    "receive " + id + " of rank " + rank + " is from any source: no device sees all of them");
        }
        if (sharing == Sharing.CLAIMED && source == ANY) {
            for (int device = 0; device < model.devices; device++) {
                request(at, device, POST, rank, source, tag, id);
            }
        } else {
            request(at, device(rank, source), POST, rank, source, tag, id);
        }
    }

    /** A message for a rank comes in then. */
    public void arrive(long at, int rank, int source, int tag, int id) {
        request(at, device(rank, source), ARRIVE, rank, source, tag, id);
    }

    private int device(int rank, int source) {
        return (sharing == Sharing.PINNED ? rank : source) % model.devices;
    }

    private void request(long at, int device, int kind, int rank, int source, int tag, int id) {
        long fields = (long) rank << 2 * FIELD | (long) (source & FIELD_MASK) << FIELD | tag & FIELD_MASK;
        events.add(at, device, model.devices, kind, fields, id);
    }

    /** Until all requests are served; returns when the last was. */
    public long run() {
        while (events.next()) {
            int device = events.target();
            Line line = lines[device];
            if (events.kind() != SERVE) {
                line.add(events.kind(), events.first(), events.second());
            }
            if (events.kind() == SERVE || line.isIdle) {
                serve(device, line);
            }
        }
        return last;
    }

    /** The first in line, if the device is free; then the next gets its turn. */
    private void serve(int device, Line line) {
        long now = events.now();
        line.isIdle = line.isEmpty();
        if (line.isIdle) {
            return;
        }
        long fields = line.fields();
        int rank = (int) (fields >>> 2 * FIELD);
        int id = line.id();
        long before = looked;
        int claims = line.kind() == POST
                ? post(device, rank, field(fields >>> FIELD), field(fields), id)
                : arrive(device, rank, field(fields >>> FIELD), field(fields), id);
        line.drop();
        long free = now + model.requestPs + (looked - before) * model.headerPs + claims * model.claimPs;
        last = Math.max(last, free);
        events.add(free, device, device, SERVE, 0, 0);
    }

    private static int field(long bits) {
        int value = (int) bits & FIELD_MASK;
        return value == FIELD_MASK ? ANY : value;
    }

    private int post(int device, int rank, int source, int tag, int id) {
        if (claimed.get(id)) {
            stale++;
            return 1;
        }
        HeaderList waiting = messages[device][rank];
        int place = waiting.find(0, source, tag);
        looked += Math.min(place + 1, waiting.size());
        if (place == waiting.size()) {
            receives[device][rank].add(source, tag, id);
            return 0;
        }
        int message = waiting.id(place);
        waiting.remove(place);
        claimed.set(id);
        matches.matched(id, message, events.now());
        return 1;
    }

    private int arrive(int device, int rank, int source, int tag, int id) {
        HeaderList posted = receives[device][rank];
        int claims = 0;
        int place = 0;
        while (true) {
            int found = posted.find(place, source, tag);
            looked += Math.min(found + 1, posted.size()) - place;
            if (found == posted.size()) {
                messages[device][rank].add(source, tag, id);
                return claims;
            }
            int receive = posted.id(found);
            posted.remove(found);
            claims++;
            if (!claimed.get(receive)) {
                claimed.set(receive);
                matches.matched(receive, id, events.now());
                return claims;
            }
            stale++;
            place = found;
        }
    }

    /** Copies of receives that another device had taken. */
    public long staleCopies() {
        return stale;
    }

    /** Headers that were looked at. */
    public long headersLooked() {
        return looked;
    }

    public long hash() {
        return events.hash();
    }

    /** Requests that a device has not served, oldest first. */
    private static final class Line {
        boolean isIdle = true;
        private long[] words = new long[3 * 64];
        private int first;
        private int end;

        void add(int kind, long fields, long id) {
            if (end == words.length) {
                long[] more = 2 * (end - first) > end ? new long[2 * end] : words;
                System.arraycopy(words, first, more, 0, end - first);
                words = more;
                end -= first;
                first = 0;
            }
            words[end] = kind;
            words[end + 1] = fields;
            words[end + 2] = id;
            end += 3;
        }

        boolean isEmpty() {
            return first == end;
        }

        int kind() {
            return (int) words[first];
        }

        long fields() {
            return words[first + 1];
        }

        int id() {
            return (int) words[first + 2];
        }

        void drop() {
            first += 3;
        }
    }
}
