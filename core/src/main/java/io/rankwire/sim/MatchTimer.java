package io.rankwire.sim;

import io.rankwire.device.Code;
import io.rankwire.device.DeviceFault;
import io.rankwire.device.Unexpected;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.QueueHints;
import io.rankwire.device.match.WatchedQueue;
import io.rankwire.sim.match.MatcherConfig;
import io.rankwire.sim.match.MatcherConfig.By;
import io.rankwire.sim.match.MatcherUnits;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import io.rankwire.wire.WordLayout;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * What matching takes a rank. The rank's device matches as it does in the real world, at no cost; beside it the same
 * receives and messages stand in the lists of the modelled hardware, by all devices that serve the rank, and are
 * searched there in the time that takes. A frame is handed over when the search for its receive is over, and behind
 * those that came from the same source before it. A receive that finds its message shows that when its search is over
 * and the message is copied.
 */
final class MatchTimer implements MatchWatch {
    private final SimFabric fabric;
    private final NodeDevices devices;
    private final SimPort port;
    private final long generation;
    private final MatcherUnits[] units;
    private final int ways;
    private final long softwarePs;
    private long softwareFrom;
    /** Whether software had the last message, and when the units were done with the last frame. */
    private boolean software;
    private long decided;

    private final WordLayout words;
    /** A table of rows: context, whether software has it, its group in the units of each way plus one, its number. */
    private int[] contexts;
    private final int row;
    private int contextCount;
    private int lastRow = -1;
    /** The groups of the last row: of all rows, if contexts are told apart by words. */
    private final int[] shared;

    /** By handle and way: the header of a receive, plus one. By entry: that of a message. */
    private int[] receives;
    private int[] messages = {};
    /** By entry: the stored bytes of a message, negative if they lie in host memory. */
    private long[] stored = {};
    private long bufferLeft;

    /** Receives that were posted by a host which is ahead of the events: in the lists when its time has come. */
    private final PostsAhead postponed = new PostsAhead();

    /** Receives that have met their message and do not show it yet; a queue is set to null when one does. */
    private WatchedQueue[] metIn = {};
    private long[] met = {};
    private int metFree = -1;
    private int metCount;
    private int[] due = {};
    private int dueCount;

    /** Sources of which a frame is held, and until when, in pairs. */
    private long[] held = new long[8];
    private int heldCount;

    MatchTimer(SimFabric fabric, SimPort port, long generation) {
        this.fabric = fabric;
        this.devices = fabric.devices;
        this.port = port;
        this.generation = generation;
        this.softwarePs = fabric.model.softwarePs();
        this.bufferLeft = fabric.model.policies().spillBytes();
        ways = devices.ways();
        units = new MatcherUnits[ways];
        receives = new int[8 * ways];
        shared = new int[ways];
        row = 3 + ways;
        words = fabric.model.matcher().words();
        contexts = new int[4 * row];
        for (int way = 0; way < ways; way++) {
            units[way] = devices.units(port.number(), way);
        }
    }

    long generation() {
        return generation;
    }

    private long now() {
        return fabric.events.now();
    }

    /** Where the row of a context is; it is made at the first question. */
    private int rowOf(int context) {
        if (lastRow >= 0 && contexts[lastRow] == context) {
            return lastRow;
        }
        int at = find(context);
        if (contexts[at + 2] == 0) {
            if (2 * (contextCount + 1) * row > contexts.length) {
                grow();
                at = find(context);
            }
            contexts[at] = context;
            contexts[at + row - 1] = contextCount++;
            for (int way = 0; way < ways; way++) {
                if (shared[way] == 0 || words.contextBits() == 0) {
                    shared[way] = units[way].open() + 1;
                }
                contexts[at + 2 + way] = shared[way];
            }
        }
        lastRow = at;
        return at;
    }

    private int find(int context) {
        int mask = contexts.length / row - 1;
        int place = context * 0x9E3779B9 >>> 7 & mask;
        while (contexts[place * row + 2] != 0 && contexts[place * row] != context) {
            place = place + 1 & mask;
        }
        return place * row;
    }

    private void grow() {
        int[] old = contexts;
        contexts = new int[2 * old.length];
        for (int at = 0; at < old.length; at += row) {
            if (old[at + 2] != 0) {
                System.arraycopy(old, at, contexts, find(old[at]), row);
            }
        }
    }

    /** The word of a receive or message as the modelled units compare it. */
    private long packed(int rowAt, long word) {
        return words.pack(word, contexts[rowAt + row - 1]);
    }

    private int group(int rowAt, int way) {
        return contexts[rowAt + 2 + way] - 1;
    }

    /** Receives that are not in the lists yet, because their host is ahead of the events. */
    int postponed() {
        return postponed.count();
    }

    private boolean isForAll(long word) {
        return ways > 1 && (word & MatchWord.ANY_SOURCE_BIT) != 0;
    }

    /**
     * When a frame that has been taken in may be handed over; the time that is now if at once, and then nothing of its
     * source is held.
     */
    long handOver(int frame, int from, int meta, long header) {
        int kind = Frame.kind(meta);
        boolean message = kind == Frame.EAGER || kind == Frame.REQUEST_TO_SEND || kind == Frame.EAGER_SYNC
                || kind == Frame.READY || kind == Frame.TRY;
        devices.ticket(frame, 0);
        long at = message ? arrive(frame, from, header, kind != Frame.TRY) : now();
        decided = message && software ? now() : at;
        int kept = 0;
        for (int i = 0; i < 2 * heldCount; i += 2) {
            // What is held until now goes by an event that may be behind this one.
            if (held[i + 1] >= now()) {
                held[kept] = held[i];
                held[kept + 1] = held[i + 1];
                kept += 2;
            }
        }
        heldCount = kept / 2;
        for (int i = 0; i < kept; i += 2) {
            if (held[i] == from) {
                held[i + 1] = Math.max(held[i + 1], Math.max(at, now() + 1));
                return held[i + 1];
            }
        }
        if (message) {
            if (kept == held.length) {
                held = Arrays.copyOf(held, 2 * kept);
            }
            held[kept] = from;
            held[kept + 1] = at;
            heldCount++;
        }
        return at;
    }

    /** When the units are done with the frame of the last {@link #handOver}, which may have to wait for others then. */
    long decided() {
        return decided;
    }

    private long arrive(int frame, int from, long header, boolean taken) {
        int at = rowOf(Frame.high(header));
        software = contexts[at + 1] != 0;
        if (software) {
            softwareFrom = Math.max(softwareFrom, now()) + softwarePs;
            return softwareFrom;
        }
        catchUp();
        int way = devices.way(from);
        MatcherUnits matchers = units[way];
        long word = MatchWord.exact(from, Frame.low(header));
        long end = matchers.search(now(), group(at, way), MatcherUnits.ARRIVE, packed(at, word), 0);
        int found = matchers.found();
        if (found >= 0 && taken) {
            int handle = matchers.id(found);
            devices.ticket(frame, matchers.take(found));
            for (int other = 0; ways > 1 && other < ways; other++) {
                int copy = other == way ? -1 : header(other, handle);
                if (copy >= 0) {
                    units[other].claimElsewhere(copy);
                }
            }
        }
        return end;
    }

    private int header(int way, int handle) {
        int at = handle * ways + way;
        return at < receives.length ? receives[at] - 1 : -1;
    }

    @Override
    public void posting(long word) {
        if (isForAll(word) && devices.model.sharing() == Sharing.BY_SOURCE) {
            throw new DeviceFault(Code.NOT_OFFERED, "a receive from any source cannot be posted: the "
                    + devices.model.devices() + " devices of the node are divided by source, and none of them sees all"
                    + " messages; node.sharing = claimed or pinned has devices that do");
        }
    }

    @Override
    public void posted(int context, long word, int handle) {
        if (port.clockPs() > now()) {
            postponed.add(port.clockPs(), context, word, handle);
        } else {
            catchUp();
            post(now(), rowOf(context), word, handle);
        }
    }

    /** Posts what hosts that were ahead have posted before now. */
    private void catchUp() {
        while (postponed.isDue(now())) {
            int handle = postponed.handle();
            if (handle >= 0) {
                post(postponed.at(), rowOf(postponed.context()), postponed.word(), handle);
            }
            postponed.drop();
        }
    }

    private void post(long at, int rowAt, long word, int handle) {
        if ((handle + 1) * ways > receives.length) {
            receives = Arrays.copyOf(receives, 2 * (handle + 1) * ways);
        }
        boolean forAll = isForAll(word);
        long packed = packed(rowAt, word);
        int only = forAll ? -1 : devices.way(Math.max(0, MatchWord.source(word)));
        for (int way = forAll ? 0 : only; way < ways && (forAll || way == only); way++) {
            units[way].search(at, group(rowAt, way), MatcherUnits.POST, packed, handle);
            receives[handle * ways + way] =
                    units[way].append(group(rowAt, way), MatcherUnits.POST, packed, handle, forAll) + 1;
        }
    }

    @Override
    public void met(WatchedQueue queue, int context, long word, int handle, int entry) {
        int at = rowOf(context);
        long clock = port.clockPs();
        boolean ahead = clock > now();
        if (!ahead) {
            catchUp();
        }
        long message = queue.word(entry);
        int holder = devices.way(MatchWord.source(message));
        long end = clock;
        for (int way = 0; way < ways; way++) {
            if (way == holder || isForAll(word) && !ahead) {
                int group = group(at, way);
                long ends = ahead ? units[way].alone(clock, group, MatcherUnits.POST, packed(at, word), handle)
                        : units[way].search(clock, group, MatcherUnits.POST, packed(at, word), handle);
                end = way == holder ? ends : end;
            }
        }
        end += port.copyPs(stored[entry] < 0 ? -2 * stored[entry] : stored[entry]);
        taken(message, entry);
        end += isForAll(word) ? devices.model.claimPs() : 0;
        fabric.showAt(port.number(), end, defer(queue, handle, entry), generation);
    }

    private int defer(WatchedQueue queue, int handle, int entry) {
        int number = metFree;
        if (number >= 0) {
            metFree = (int) met[number];
        } else {
            number = metCount++;
            if (number == metIn.length) {
                metIn = Arrays.copyOf(metIn, 2 * number + 4);
                met = Arrays.copyOf(met, 2 * number + 4);
            }
        }
        metIn[number] = queue;
        met[number] = (long) handle << 32 | entry;
        return number;
    }

    /** What a receive has met is to show at the next poll. */
    void metIsDue(int number) {
        if (dueCount == due.length) {
            due = Arrays.copyOf(due, 2 * dueCount + 4);
        }
        due[dueCount++] = number;
    }

    boolean hasDue() {
        return dueCount > 0;
    }

    /** Shows the receives that are due; returns how many. */
    int showDue() {
        int count = dueCount;
        dueCount = 0;
        for (int i = 0; i < count; i++) {
            show(due[i]);
        }
        return count;
    }

    private void show(int number) {
        WatchedQueue queue = metIn[number];
        long what = met[number];
        metIn[number] = null;
        met[number] = metFree;
        metFree = number;
        if (what >= 0) {
            queue.complete((int) (what >>> 32), (int) what);
        }
    }

    @Override
    public void settle(WatchedQueue queue) {
        for (int number = 0; number < metCount; number++) {
            if (metIn[number] == queue && met[number] >= 0) {
                long what = met[number];
                met[number] = -1;
                queue.complete((int) (what >>> 32), (int) what);
            }
        }
    }

    @Override
    public void arrived(int context, long word, int handle) {
        int way = devices.way(MatchWord.source(word));
        int frame = port.current();
        if (frame >= 0) {
            int header = units[way].taken(devices.ticket(frame));
            if (header >= 0) {
                leave(header, way);
            }
        } else {
            int at = rowOf(context);
            int group = group(at, way);
            long packed = packed(at, word);
            long clock = port.clockPs();
            long end = clock > now() ? units[way].alone(clock, group, MatcherUnits.ARRIVE, packed, 0)
                    : units[way].search(clock, group, MatcherUnits.ARRIVE, packed, 0);
            port.spend(end - clock);
        }
        if (handle >= 0) {
            forget(handle, way);
        }
    }

    private void leave(int header, int way) {
        units[way].leave(header);
        int handle = units[way].id(header);
        for (int other = 0; ways > 1 && other < ways; other++) {
            int copy = header(other, handle);
            if (copy >= 0) {
                units[other].leave(copy);
            }
        }
    }

    /** Forgets a receive that is gone. One device has taken it off its list; the others find that out. */
    private void forget(int handle, int by) {
        boolean was = false;
        for (int way = 0; way < ways; way++) {
            int header = header(way, handle);
            if (header >= 0) {
                was = true;
                receives[handle * ways + way] = 0;
                if (by < 0 || way == by) {
                    units[way].remove(header);
                } else {
                    units[way].leaveStale(header);
                }
            }
        }
        if (!was) {
            postponed.remove(handle);
        }
    }

    @Override
    public void waits(int context, long word, long description, int entry) {
        int way = devices.way(MatchWord.source(word));
        if (entry >= messages.length) {
            messages = Arrays.copyOf(messages, 2 * entry + 8);
            stored = Arrays.copyOf(stored, 2 * entry + 8);
        }
        long bytes = Unexpected.storedBytes(description);
        stored[entry] = bytes > bufferLeft ? -bytes : bytes;
        bufferLeft -= Math.max(0, stored[entry]);
        int at = rowOf(context);
        messages[entry] = units[way].appendLate(group(at, way), packed(at, word), entry) + 1;
    }

    @Override
    public void taken(long word, int entry) {
        units[devices.way(MatchWord.source(word))].remove(messages[entry] - 1);
        gone(entry);
    }

    private void gone(int entry) {
        messages[entry] = 0;
        bufferLeft += Math.max(0, stored[entry]);
        stored[entry] = 0;
    }

    @Override
    public void cancelled(int context, int handle) {
        int at = rowOf(context);
        for (int way = 0; way < ways; way++) {
            int header = header(way, handle);
            if (header >= 0 && port.clockPs() <= now()) {
                catchUp();
                units[way].search(now(), group(at, way), MatcherUnits.REMOVE, units[way].word(header), handle);
            }
        }
        forget(handle, -1);
    }

    @Override
    public void software(int context, boolean taken) {
        int at = rowOf(context);
        contexts[at + 1] = taken ? 1 : 0;
        if (taken) {
            postponed.removeAll(context);
            clear(at);
        }
    }

    /** Spreads the headers of a context as its hints ask; where one group serves all contexts, that stays as it is. */
    @Override
    public void hinted(int context, QueueHints hints) {
        int at = rowOf(context);
        MatcherConfig matcher = fabric.model.matcher();
        boolean own = hints.isSpread();
        By by = !own ? matcher.by() : hints.by() == QueueHints.By.SOURCE ? By.SOURCE : By.TAG;
        for (int way = 0; way < ways && words.contextBits() == 0; way++) {
            units[way].spread(group(at, way), by, own ? hints.queues() : matcher.parts());
        }
    }

    private void clear(int at) {
        int number = words.context(packed(at, 0));
        LongPredicate ours = word -> words.contextBits() == 0 || words.context(word) == number;
        for (int i = 0; i < ways; i++) {
            int way = i;
            units[way].clear(group(at, way), MatcherUnits.POST, ours, handle -> receives[handle * ways + way] = 0);
            units[way].clear(group(at, way), MatcherUnits.ARRIVE, ours, this::gone);
        }
    }

    /** Clears the lists, because the device is gone. */
    void end() {
        for (int at = 0; at < contexts.length; at += row) {
            if (contexts[at + 2] != 0) {
                clear(at);
            }
        }
    }
}
