package io.rankwire.sim.match;

import io.rankwire.wire.MatchWord;
import java.util.Arrays;

/**
 * What {@link MatcherUnits} is held against: the same rules, cycle by cycle, every request that has units looked at in
 * each. A request that must wait for its group does not keep units meanwhile, which only shows where queues become one.
 */
final class CycleUnits {
    /** A receive: searched for in the unexpected messages, else appended to the posted receives. */
    static final int POST = 0;

    /** A message: searched for in the posted receives, else appended to the unexpected messages. */
    static final int ARRIVE = 1;

    /** Removes the posted receive with this id. */
    static final int REMOVE = 2;

    /** No match, or too late to remove. */
    static final int NONE = -1;

    /** No match, and no header left to append. */
    static final int FULL = -2;

    /** Told the end of a request, in the order of time. */
    @FunctionalInterface
    interface Completion {
        /** @param result id of what the request met or removed, or {@link #NONE} or {@link #FULL} */
        void completed(int kind, int id, int result, long timePs);
    }

    private static final int SEARCHING = 0;
    private static final int FINISHING = 1;

    private final MatcherConfig config;
    private final Completion completion;
    private final CycleLists lists;
    private final boolean[] merged;
    private final int[] activeIn;

    // requests that wait for their turn, oldest first
    private final Waiting waiting = new Waiting();

    // requests that have units, oldest first
    private int active;
    private final int[] kinds;
    private final int[] groups;
    private final int[] queues;
    private final long[] words;
    private final int[] ids;
    private final long[] numbers;
    private final int[] cursors;
    private final int[] states;
    private final int[] results;
    /** The cycle of the first header, and that of the end. */
    private final long[] readyAt;

    private long cycle;
    private long number;
    private long examined;
    private long conflicts;
    /** Cycle in which a bank was read last. */
    private final long[] bankRead;

    CycleUnits(MatcherConfig config, int groups, Completion completion) {
        this.config = config;
        this.completion = completion;
        lists = new CycleLists(2 * groups * config.parts(), config.headers());
        merged = new boolean[groups];
        activeIn = new int[groups];
        int most = config.matchers() / config.together();
        kinds = new int[most];
        this.groups = new int[most];
        queues = new int[most];
        words = new long[most];
        ids = new int[most];
        numbers = new long[most];
        cursors = new int[most];
        states = new int[most];
        results = new int[most];
        readyAt = new long[most];
        bankRead = new long[config.banks()];
        Arrays.fill(bankRead, -1);
    }

    /** Hands in a request; times do not fall. The word of {@link #REMOVE} is that of the receive. */
    void submit(long timePs, int group, int kind, long word, int id) {
        waiting.add(Math.ceilDiv(timePs, config.cyclePs()), group, kind, word, id, number++);
    }

    /** Works up to this time; everything that ends until then is told. */
    void advance(long timePs) {
        long last = timePs / config.cyclePs();
        while (active + waiting.count() > 0) {
            if (active == 0) {
                cycle = Math.max(cycle, waiting.due(waiting.first()));
            }
            if (cycle > last) {
                return;
            }
            step();
            if (active + waiting.count() > 0) {
                cycle++;
            }
        }
    }

    /** Works until nothing is left to do; returns the time of the last end. */
    long finish() {
        advance(Long.MAX_VALUE);
        return cycle * config.cyclePs();
    }

    /** Whether a request is waiting or under way. */
    boolean isBusy() {
        return active + waiting.count() > 0;
    }

    /** Headers read and compared. */
    long examined() {
        return examined;
    }

    /** Reads that waited a cycle because their bank was taken. */
    long conflicts() {
        return conflicts;
    }

    int posted(int group) {
        return count(group, 0);
    }

    int unexpected(int group) {
        return count(group, 1);
    }

    private int count(int group, int side) {
        int count = 0;
        for (int part = 0; part < config.parts(); part++) {
            count += lists.length(2 * (group * config.parts() + part) + side);
        }
        return count;
    }

    private void step() {
        end();
        start();
        for (int i = 0; i < active; i++) {
            if (states[i] == SEARCHING && readyAt[i] <= cycle) {
                search(i);
            }
        }
    }

    /** Requests whose last cycle is over give their units back. */
    private void end() {
        int kept = 0;
        for (int i = 0; i < active; i++) {
            if (states[i] == FINISHING && readyAt[i] <= cycle) {
                activeIn[groups[i]]--;
                completion.completed(kinds[i], ids[i], results[i], cycle * config.cyclePs());
            } else {
                move(i, kept++);
            }
        }
        active = kept;
    }

    private void move(int from, int to) {
        if (from != to) {
            kinds[to] = kinds[from];
            groups[to] = groups[from];
            queues[to] = queues[from];
            words[to] = words[from];
            ids[to] = ids[from];
            numbers[to] = numbers[from];
            cursors[to] = cursors[from];
            states[to] = states[from];
            results[to] = results[from];
            readyAt[to] = readyAt[from];
        }
    }

    /** Gives free units to those whose turn it is; a request that must wait for its group holds up the group only. */
    private void start() {
        waiting.unblock();
        for (int i = waiting.first(); i >= 0 && active < kinds.length && waiting.due(i) <= cycle; ) {
            int following = waiting.next(i);
            int group = waiting.group(i);
            if (!waiting.blocked(group)) {
                if (mayStart(group, waiting.word(i))) {
                    begin(i);
                    waiting.remove(i);
                } else {
                    waiting.block(group);
                }
            }
            i = following;
        }
    }

    private boolean mayStart(int group, long word) {
        return activeIn[group] == 0 || merged[group] || !isOpen(word);
    }

    /** Whether the word leaves the field open that picks the queue. */
    private boolean isOpen(long word) {
        long bit = config.by() == MatcherConfig.By.SOURCE ? MatchWord.ANY_SOURCE_BIT : MatchWord.ANY_TAG_BIT;
        return config.parts() > 1 && (word & bit) != 0;
    }

    private void begin(int request) {
        int group = waiting.group(request);
        long word = waiting.word(request);
        int first = group * config.parts();
        long ready = cycle + config.startCycles();
        if (activeIn[group] == 0 && lists.length(2 * first) + lists.length(2 * first + 1) == 0) {
            merged[group] = false;
        }
        if (isOpen(word) && !merged[group]) {
            merged[group] = true;
            ready += lists.merge(2 * first, config.parts(), 2) + lists.merge(2 * first + 1, config.parts(), 2);
        }
        int i = active++;
        activeIn[group]++;
        kinds[i] = waiting.kind(request);
        groups[i] = group;
        queues[i] = first + (merged[group] ? 0 : part(word));
        words[i] = word;
        ids[i] = waiting.id(request);
        numbers[i] = waiting.number(request);
        states[i] = SEARCHING;
        readyAt[i] = ready;
        cursors[i] = lists.first(searched(i));
    }

    private int part(long word) {
        if (config.parts() == 1) {
            return 0;
        }
        int field = config.by() == MatcherConfig.By.SOURCE ? MatchWord.source(word) : MatchWord.tag(word);
        return (field * 0x9E3779B9 >>> 8) % config.parts();
    }

    /** The list a request walks: unexpected messages for a receive, posted receives else. */
    private int searched(int i) {
        return 2 * queues[i] + (kinds[i] == POST ? 1 : 0);
    }

    private void search(int i) {
        int list = searched(i);
        long limit = olderAt(i, list);
        for (int unit = 0; unit < config.together() && cursors[i] >= 0; unit++) {
            int header = cursors[i];
            if (lists.number(header) >= limit) {
                return;
            }
            int bank = (int) (lists.places[header] % bankRead.length);
            if (bankRead[bank] == cycle) {
                conflicts++;
                return;
            }
            bankRead[bank] = cycle;
            examined++;
            if (meets(i, header)) {
                results[i] = lists.ids[header];
                remove(list, header);
                decide(i);
                return;
            }
            cursors[i] = lists.next[header];
        }
        if (cursors[i] < 0 && isOldest(i)) {
            conclude(i);
        }
    }

    /** Where the nearest older search of the same list is; a younger one may look only at headers before that. */
    private long olderAt(int i, int list) {
        for (int older = i - 1; older >= 0; older--) {
            if (states[older] == SEARCHING && searched(older) == list) {
                return cursors[older] < 0 ? Long.MAX_VALUE : lists.number(cursors[older]);
            }
        }
        return Long.MAX_VALUE;
    }

    private boolean meets(int i, int header) {
        return switch (kinds[i]) {
            case POST -> MatchWord.matches(words[i], lists.words[header]);
            case ARRIVE -> MatchWord.matches(lists.words[header], words[i]);
            default -> lists.ids[header] == ids[i];
        };
    }

    /** Younger searches that were about to look at the header go to the next one. */
    private void remove(int list, int header) {
        int following = lists.next[header];
        for (int i = 0; i < active; i++) {
            if (states[i] == SEARCHING && cursors[i] == header) {
                cursors[i] = following;
            }
        }
        lists.remove(list, header);
    }

    private boolean isOldest(int i) {
        for (int older = 0; older < i; older++) {
            if (states[older] == SEARCHING && queues[older] == queues[i]) {
                return false;
            }
        }
        return true;
    }

    private void conclude(int i) {
        results[i] = NONE;
        if (kinds[i] != REMOVE) {
            int list = 2 * queues[i] + (kinds[i] == POST ? 0 : 1);
            int header = lists.append(list, words[i], ids[i], numbers[i]);
            if (header < 0) {
                results[i] = FULL;
            }
            for (int younger = i + 1; younger < active; younger++) {
                if (states[younger] == SEARCHING && searched(younger) == list && cursors[younger] < 0) {
                    cursors[younger] = header;
                }
            }
        }
        decide(i);
    }

    private void decide(int i) {
        states[i] = FINISHING;
        readyAt[i] = cycle + 1 + config.finishCycles();
    }
}
