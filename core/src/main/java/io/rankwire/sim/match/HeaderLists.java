package io.rankwire.sim.match;

import java.util.Arrays;

/**
 * Lists of headers, two for each queue, in two flat arrays that grow as needed: what belongs to a header lies together,
 * and so does what belongs to a queue, because there may be thousands of devices and each is seldom in a cache.
 *
 * <pre>
 *  long  header                            queue
 *  0     match word                        first:32 | last:32 of the receives
 *  1     number of the request that        first:32 | last:32 of the messages
 *        made it; negative if free
 *  2     the cycle before which no request length:32 | length:32
 *        may look at it: an older request
 *        was not past it
 *  3     next:32 | previous:32             the cycle in which the last of its requests was decided
 *  4     list:24 | marks:8 | id:32         headers it has had so far
 *  5     its place: the queue's number and count, which decides about the bank
 * </pre>
 */
final class HeaderLists {
    static final int NONE = -1;

    /** Marks of a header: a request that is under way has met it, so it is there no more for those behind. */
    static final int TAKEN = 1;
    /** Other devices have copies of it, so a flag must be fetched before it is anyone's. */
    static final int SHARED = 2;
    /** Another device has set that flag; a search that comes across it finds that out, and then it is taken. */
    static final int STALE = 4;
    /** Only the list knows it any more. */
    static final int DETACHED = 8;

    private static final int WORD = 0;
    private static final int NUMBER = 1;
    private static final int NOT_BEFORE = 2;
    private static final int LINKS = 3;
    private static final int ID = 4;
    private static final int PLACE = 5;
    private static final int HEADER = 6;

    private static final int LENGTHS = 2;
    private static final int DECIDED = 3;
    private static final int COUNT = 4;
    private static final int QUEUE = 5;

    private static final long LOW = 0xFFFF_FFFFL;
    private static final int MARKS = 32;
    private static final int LIST = 40;

    private long[] headers = new long[4 * HEADER];
    private long[] queues = new long[0];
    private int made;
    private int free = NONE;
    private int inUse;

    /** From now on there are at least this many queues. */
    void reach(int count) {
        int before = queues.length;
        if (count * QUEUE > before) {
            queues = Arrays.copyOf(queues, Math.max(count * QUEUE, 2 * before));
            for (int at = before; at < queues.length; at += QUEUE) {
                queues[at] = -1;
                queues[at + 1] = -1;
            }
        }
    }

    private static int ends(int list) {
        return (list >> 1) * QUEUE + (list & 1);
    }

    int first(int list) {
        return (int) (queues[ends(list)] >> 32);
    }

    private int last(int list) {
        return (int) queues[ends(list)];
    }

    private void ends(int list, int first, int last) {
        queues[ends(list)] = (long) first << 32 | last & LOW;
    }

    int length(int list) {
        long lengths = queues[(list >> 1) * QUEUE + LENGTHS];
        return (int) ((list & 1) == 0 ? lengths >> 32 : lengths);
    }

    private void lengthen(int list, int by) {
        queues[(list >> 1) * QUEUE + LENGTHS] += (list & 1) == 0 ? (long) by << 32 : by;
    }

    long decided(int queue) {
        return queues[queue * QUEUE + DECIDED];
    }

    void decided(int queue, long cycle) {
        queues[queue * QUEUE + DECIDED] = cycle;
    }

    int inUse() {
        return inUse;
    }

    long word(int header) {
        return headers[header * HEADER + WORD];
    }

    /** Negative if there is no such header. */
    long number(int header) {
        return headers[header * HEADER + NUMBER];
    }

    /** Headers of a queue are placed on the banks in turn. */
    long place(int header) {
        return headers[header * HEADER + PLACE];
    }

    long notBefore(int header) {
        return headers[header * HEADER + NOT_BEFORE];
    }

    void notBefore(int header, long cycle) {
        headers[header * HEADER + NOT_BEFORE] = cycle;
    }

    int next(int header) {
        return (int) (headers[header * HEADER + LINKS] >> 32);
    }

    private int previous(int header) {
        return (int) headers[header * HEADER + LINKS];
    }

    private void links(int header, int next, int previous) {
        headers[header * HEADER + LINKS] = (long) next << 32 | previous & LOW;
    }

    int id(int header) {
        return (int) headers[header * HEADER + ID];
    }

    int marks(int header) {
        return (int) (headers[header * HEADER + ID] >> MARKS) & 0xFF;
    }

    void mark(int header, int marks) {
        headers[header * HEADER + ID] |= (long) marks << MARKS;
    }

    void unmark(int header, int marks) {
        headers[header * HEADER + ID] &= ~((long) marks << MARKS);
    }

    private int list(int header) {
        return (int) (headers[header * HEADER + ID] >> LIST);
    }

    int append(int list, long word, int id, long number, long cycle, int marks) {
        int header = free;
        if (header >= 0) {
            free = next(header);
        } else {
            header = made++;
            if (made * HEADER > headers.length) {
                headers = Arrays.copyOf(headers, 2 * headers.length);
            }
        }
        inUse++;
        int at = header * HEADER;
        headers[at + WORD] = word;
        headers[at + NUMBER] = number;
        headers[at + NOT_BEFORE] = cycle;
        headers[at + PLACE] = (list >> 1) + queues[(list >> 1) * QUEUE + COUNT]++;
        headers[at + ID] = (long) list << LIST | (long) marks << MARKS | id & LOW;
        int last = last(list);
        links(header, NONE, last);
        if (last >= 0) {
            links(last, header, previous(last));
        }
        ends(list, last < 0 ? header : first(list), header);
        lengthen(list, 1);
        return header;
    }

    void remove(int header) {
        unlink(header);
        headers[header * HEADER + NUMBER] = NONE;
        links(header, free, NONE);
        free = header;
        inUse--;
    }

    private void unlink(int header) {
        int list = list(header);
        int before = previous(header);
        int after = next(header);
        if (before >= 0) {
            links(before, after, previous(before));
        }
        if (after >= 0) {
            links(after, next(after), before);
        }
        ends(list, before < 0 ? after : first(list), after < 0 ? before : last(list));
        lengthen(list, -1);
    }

    /** Moves the headers of several lists, every second from the first, into the first, in order. */
    int merge(int first, int lists) {
        int moved = 0;
        int merged = NONE;
        int end = NONE;
        while (true) {
            int best = NONE;
            for (int i = 0, list = first; i < lists; i++, list += 2) {
                int head = first(list);
                best = head >= 0 && (best < 0 || number(head) < number(best)) ? head : best;
            }
            if (best < 0) {
                break;
            }
            unlink(best);
            links(best, NONE, end);
            headers[best * HEADER + ID] = (long) first << LIST | headers[best * HEADER + ID] & (1L << LIST) - 1;
            if (end < 0) {
                merged = best;
            } else {
                links(end, best, previous(end));
            }
            end = best;
            moved++;
        }
        ends(first, merged, end);
        lengthen(first, moved);
        return moved;
    }
}
