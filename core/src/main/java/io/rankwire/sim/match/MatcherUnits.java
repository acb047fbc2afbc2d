package io.rankwire.sim.match;

import io.rankwire.wire.MatchWord;
import io.rankwire.wire.WordLayout;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

/**
 * The matcher units of a device. A request walks the list it is searched for in; a unit reads and compares one
 * header a cycle, if the header's bank is not read by an older request in the same cycle. Requests of different groups
 * run side by side, and so do those of one group, under three rules that keep the order of matching exact:
 *
 * <ol>
 *   <li>a search never passes an older one in the same list
 *   <li>a search that has come to the end of its list without a match ends only when it is the oldest of its queue, and
 *       until then looks at what older requests append
 *   <li>requests get their units in the order they were handed in
 * </ol>
 *
 * By these rules nothing that is handed in later changes the course of a request. So its course is settled, and its end
 * known, when it is handed in; no cycle is counted in which nothing happens.
 *
 * <p>A group (a rank and context) may spread its headers over several queues by source or tag. A receive that
 * leaves that field open waits until the group is at rest and makes its queues one, at a cycle for each header; when
 * that one is empty and at rest it is several again.
 */
public final class MatcherUnits {
    /** A receive: searched for in the unexpected messages, else appended to the posted receives. */
    public static final int POST = 0;

    /** A message: searched for in the posted receives, else appended to the unexpected messages. */
    public static final int ARRIVE = 1;

    /** Removes the posted receive with this id. */
    public static final int REMOVE = 2;

    /** No match, or too late to remove. */
    public static final int NONE = -1;

    /** No match, and no header left to append. */
    public static final int FULL = -2;

    private static final int TICKET_BITS = 24;

    private final MatcherConfig config;
    private final WordLayout words;
    private final long sourceMask;
    private final long tagMask;
    private final int claimCycles;
    private final HeaderLists lists = new HeaderLists();
    private final Banks banks;

    private int groups;
    private int queues;
    /** Whether groups have several queues; if none has, the number of a group is that of its queue. */
    private boolean several;
    // by group, where some have several queues
    private int[] first = {};
    private int[] parts = {};
    private boolean[] bySource = {};
    private boolean[] merged = {};
    private long[] begun = {};
    private long[] restFrom = {};

    /** When requests end that may still have units. */
    private long[] busy = new long[2];
    private int busyCount;
    private long lastEnd;

    private long number;

    // what came of the last search
    private int found;
    private long decidedAt;
    private int result;
    /** What making queues one takes the request that needs it. */
    private int mergeCycles;

    public MatcherUnits(MatcherConfig config, int groups) {
        this(config, groups, 0);
    }

    /**
     * @param groups to begin with
     * @param claimPs what fetching and setting the flag of a header takes that other devices have too
     */
    public MatcherUnits(MatcherConfig config, int groups, long claimPs) {
        this.config = config;
        this.words = config.words();
        this.sourceMask = words.sourceMask();
        this.tagMask = words.tagMask();
        this.claimCycles = Math.toIntExact(Math.ceilDiv(claimPs, config.cyclePs()));
        several = config.parts() > 1;
        banks = new Banks(config.banks());
        for (int i = 0; i < groups; i++) {
            open();
        }
    }

    /** Opens another group; returns its number. */
    public int open() {
        int group = groups++;
        if (several) {
            reach(groups);
            divide(group, config.by(), config.parts());
        } else {
            queues++;
        }
        lists.reach(queues);
        return group;
    }

    private void reach(int count) {
        if (count > first.length) {
            int length = 2 * count;
            first = Arrays.copyOf(first, length);
            parts = Arrays.copyOf(parts, length);
            bySource = Arrays.copyOf(bySource, length);
            merged = Arrays.copyOf(merged, length);
            begun = Arrays.copyOf(begun, length);
            restFrom = Arrays.copyOf(restFrom, length);
        }
    }

    private void divide(int group, MatcherConfig.By by, int count) {
        if (count > parts[group]) {
            first[group] = queues;
            queues += count;
        }
        parts[group] = count;
        bySource[group] = by == MatcherConfig.By.SOURCE;
        merged[group] = false;
    }

    /** Spreads the headers of a group over other queues; it must have none now. */
    public void spread(int group, MatcherConfig.By by, int count) {
        if (!several && count == 1) {
            return;
        }
        if (!several) {
            several = true;
            reach(groups);
            for (int i = 0; i < groups; i++) {
                first[i] = i;
                parts[i] = 1;
                bySource[i] = true;
                restFrom[i] = lastEnd;
            }
        }
        long decided = 0;
        for (int queue = first[group]; queue < first[group] + parts[group]; queue++) {
            decided = Math.max(decided, lists.decided(queue));
        }
        divide(group, by, count);
        lists.reach(queues);
        for (int queue = first[group]; queue < first[group] + parts[group]; queue++) {
            lists.decided(queue, decided);
        }
    }

    /**
     * A request, from its search to the change of a list; {@link #result} is what it met. Times do not fall. The
     * word of {@link #REMOVE} is that of the receive.
     *
     * @return when it ends
     */
    public long submit(long timePs, int group, int kind, long word, int id) {
        long end = search(timePs, group, kind, word, id);
        if (found >= 0) {
            result = lists.id(found);
            lists.remove(found);
        } else if (kind == REMOVE) {
            result = NONE;
        } else {
            result = lists.inUse() == config.headers() ? FULL : NONE;
            if (result == NONE) {
                append(group, kind, word, id, false);
            }
        }
        return end;
    }

    /** Id of what the last request met or removed, or {@link #NONE} or {@link #FULL}. */
    public int result() {
        return result;
    }

    /** When the last request ends. */
    public long endPs() {
        return lastEnd * config.cyclePs();
    }

    /**
     * A search alone; {@link #found} is the header it met, or {@link #NONE}, and nothing was removed or appended.
     *
     * @param id looked for by {@link #REMOVE}
     * @return when it ends
     */
    public long search(long timePs, int group, int kind, long word, int id) {
        long due = Math.ceilDiv(timePs, config.cyclePs());
        long begin = begin(group, word, due);
        number++;
        int queue = queue(group, word);
        walk(searched(queue, kind), kind, word, id, begin + config.startCycles() + mergeCycles, due);
        long decided = lists.decided(queue);
        int following = found < 0 ? NONE : lists.next(found);
        if (found < 0) {
            decidedAt = Math.max(decidedAt, decided);
        } else if (following >= 0) {
            lists.notBefore(following, Math.max(lists.notBefore(following), decidedAt));
        }
        lists.decided(queue, Math.max(decided, decidedAt));
        long end = decidedAt + 1 + config.finishCycles();
        hold(end);
        if (several) {
            begun[group] = Math.max(begun[group], begin);
            restFrom[group] = Math.max(restFrom[group], end);
        }
        return end * config.cyclePs();
    }

    /** When a search would end that has units and banks for itself; it leaves no trace. */
    public long alone(long timePs, int group, int kind, long word, int id) {
        int walked = 0;
        int claims = 0;
        int header = lists.first(searched(queue(group, word), kind));
        for (boolean met = false; header >= 0 && !met; header = lists.next(header)) {
            int marks = lists.marks(header);
            if ((marks & HeaderLists.TAKEN) == 0) {
                walked++;
                boolean meets = meets(kind, word, id, header);
                claims += meets && marks != 0 ? 1 : 0;
                met = meets && (marks & HeaderLists.STALE) == 0;
            }
        }
        return timePs + config.searchPs(walked) + claims * claimCycles * config.cyclePs();
    }

    private static int searched(int queue, int kind) {
        return 2 * queue + (kind == POST ? 1 : 0);
    }

    /** The cycle in which a request gets its units; its group's queues are one, or several, as it needs them. */
    private long begin(int group, long word, long due) {
        mergeCycles = 0;
        if (!several) {
            return unitsFrom(due);
        }
        boolean open = isOpen(group, word);
        long from = Math.max(due, begun[group]);
        long begin = unitsFrom(open && !merged[group] ? Math.max(from, restFrom[group]) : from);
        int list = 2 * first[group];
        if (begin >= restFrom[group] && lists.length(list) + lists.length(list + 1) == 0) {
            merged[group] = false;
        }
        if (open && !merged[group]) {
            merged[group] = true;
            mergeCycles = lists.merge(list, parts[group]) + lists.merge(list + 1, parts[group]);
        }
        return begin;
    }

    /** The first cycle from one on in which there are units for a request; if all were taken, one's are given back. */
    private long unitsFrom(long due) {
        if (due >= lastEnd) {
            busyCount = 0;
        }
        int most = config.matchers() / config.together();
        if (busyCount < most) {
            return due;
        }
        int kept = 0;
        int earliest = 0;
        for (int i = 0; i < busyCount; i++) {
            if (busy[i] > due) {
                busy[kept] = busy[i];
                earliest = busy[kept] < busy[earliest] ? kept : earliest;
                kept++;
            }
        }
        busyCount = kept;
        if (kept < most) {
            return due;
        }
        long free = busy[earliest];
        busy[earliest] = busy[--busyCount];
        return free;
    }

    private void hold(long end) {
        if (busyCount == busy.length) {
            busy = Arrays.copyOf(busy, 2 * busyCount);
        }
        busy[busyCount++] = end;
        lastEnd = Math.max(lastEnd, end);
    }

    private void walk(int list, int kind, long word, int id, long from, long floor) {
        HeaderLists all = lists;
        long cycle = from;
        long free = 0;
        int reads = 0;
        found = NONE;
        for (int header = all.first(list), following; header >= 0; header = following) {
            following = all.next(header);
            free = Math.max(free, all.notBefore(header));
            if ((all.marks(header) & HeaderLists.TAKEN) != 0) {
                continue;
            }
            long next = Math.max(free, reads == config.together() ? cycle + 1 : cycle);
            reads = next == cycle ? reads : 0;
            cycle = next;
            while (!banks.read(all.place(header), cycle, floor)) {
                cycle++;
                reads = 0;
            }
            reads++;
            all.notBefore(header, cycle);
            if (meets(kind, word, id, header)) {
                int marks = all.marks(header);
                cycle += marks == 0 ? 0 : claimCycles;
                if ((marks & HeaderLists.STALE) == 0) {
                    found = header;
                    all.notBefore(header, cycle);
                    break;
                }
                if ((marks & HeaderLists.DETACHED) != 0) {
                    all.remove(header);
                } else {
                    all.mark(header, HeaderLists.TAKEN);
                }
            }
        }
        decidedAt = cycle;
    }

    private boolean meets(int kind, long word, int id, int header) {
        return switch (kind) {
            case POST -> matches(word, lists.word(header));
            case ARRIVE -> matches(lists.word(header), word);
            default -> lists.id(header) == id;
        };
    }

    /** Whether the word of a message meets that of a receive: the masks leave out what wildcards leave open. */
    private boolean matches(long posted, long exactWord) {
        long compared = (posted & MatchWord.ANY_SOURCE_BIT) != 0 ? ~sourceMask : -1;
        if ((posted & MatchWord.ANY_TAG_BIT) != 0) {
            compared &= ~tagMask;
        }
        return ((posted ^ exactWord) & compared & ~MatchWord.WILD_MASK) == 0;
    }

    /** Whether the word leaves the field open that picks the queue. */
    private boolean isOpen(int group, long word) {
        return parts[group] > 1
                && (word & (bySource[group] ? MatchWord.ANY_SOURCE_BIT : MatchWord.ANY_TAG_BIT)) != 0;
    }

    private int queue(int group, long word) {
        if (!several) {
            return group;
        }
        if (merged[group] || parts[group] == 1) {
            return first[group];
        }
        int field = bySource[group] ? words.source(word) : words.tag(word);
        return first[group] + (field * 0x9E3779B9 >>> 8) % parts[group];
    }

    /** The header that the last search has met, or {@link #NONE}. */
    public int found() {
        return found;
    }

    public int id(int header) {
        return lists.id(header);
    }

    public long word(int header) {
        return lists.word(header);
    }

    /**
     * Appends what the last search, of this kind, has found nothing for.
     *
     * @param shared whether other devices get copies
     * @return its header
     */
    public int append(int group, int kind, long word, int id, boolean shared) {
        int list = 2 * queue(group, word) + (kind == POST ? 0 : 1);
        return lists.append(list, word, id, number - 1, decidedAt, shared ? HeaderLists.SHARED : 0);
    }

    /** Appends a message whose search is over for some time; returns its header. */
    public int appendLate(int group, long word, int id) {
        return lists.append(2 * queue(group, word) + 1, word, id, number++, 0, 0);
    }

    public void remove(int header) {
        lists.remove(header);
    }

    /**
     * Removes all receives or all messages of a group whose words pass a test, and passes on their ids where they still
     * mean anything.
     */
    public void clear(int group, int kind, LongPredicate word, IntConsumer id) {
        int from = several ? first[group] : group;
        for (int queue = from; queue < from + (several ? parts[group] : 1); queue++) {
            int list = 2 * queue + (kind == POST ? 0 : 1);
            int next;
            for (int header = lists.first(list); header >= 0; header = next) {
                next = lists.next(header);
                if (word.test(lists.word(header))) {
                    if ((lists.marks(header) & HeaderLists.DETACHED) == 0) {
                        id.accept(lists.id(header));
                    }
                    lists.remove(header);
                }
            }
        }
    }

    /** The flag of a copy was set by another device. */
    public void claimElsewhere(int header) {
        lists.mark(header, HeaderLists.STALE);
    }

    /** As {@link #claimElsewhere}, and for good: the copy is removed as soon as a search comes across it. */
    public void leaveStale(int header) {
        if ((lists.marks(header) & HeaderLists.TAKEN) != 0) {
            lists.remove(header);
        } else {
            lists.mark(header, HeaderLists.STALE | HeaderLists.DETACHED);
        }
    }

    /** Hides a header from later searches, until {@link #remove}; returns the ticket that {@link #taken} needs. */
    public long take(int header) {
        lists.mark(header, HeaderLists.TAKEN);
        return lists.number(header) + 1 << TICKET_BITS | header;
    }

    /** The header that was taken, if it is still there; else {@link #NONE}. */
    public int taken(long ticket) {
        int header = (int) ticket & (1 << TICKET_BITS) - 1;
        return ticket != 0 && lists.number(header) + 1 == ticket >>> TICKET_BITS ? header : NONE;
    }

    /** The header that was taken is there again, for all searches. */
    public void leave(int header) {
        lists.unmark(header, HeaderLists.TAKEN | HeaderLists.STALE);
    }

    /** Headers in all lists. */
    public int headers() {
        return lists.inUse();
    }
}
