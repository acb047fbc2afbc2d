package io.rankwire.sim;

import io.rankwire.device.Code;
import io.rankwire.device.DeviceFault;
import io.rankwire.device.match.MatchWatch;
import io.rankwire.device.match.WatchedQueue;
import io.rankwire.sim.match.MatcherUnits;
import io.rankwire.sim.share.SharedDevices.Sharing;
import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;
import java.util.Arrays;

/**
 * What matching takes a rank. The rank's device matches as it does in the real world, at no cost; beside it the same
 * receives and messages stand in the lists of the modelled hardware, by all devices that serve the rank, and are
 * searched there in the time that takes. A frame is handed over when the search for its receive is over, and behind
 * those that came from the same source before it. A receive that finds its message shows that when its search is over.
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

    /** Contexts in a table, and for each its group in the units of each way. */
    private int[] contexts = new int[8];
    private int[] groups;
    private boolean[] inSoftware = new boolean[8];
    private int contextCount;
    private int lastPlace = -1;

    /** By way and handle: the header of a receive, plus one. By entry: that of a message. */
    private final int[][] receives;
    private int[] messages = new int[8];

    /** Receives that were posted by a host which is ahead of the events: in the lists when its time has come. */
    private final Postponed postponed = new Postponed();

    /** Receives that have met their message and do not show it yet; a queue is gone when it does. */
    private WatchedQueue[] metIn = new WatchedQueue[4];
    private long[] met = new long[4];
    private int metFree = -1;
    private int metCount;
    private int[] due = new int[4];
    private int dueCount;

    /** Sources of which a frame is held, and until when. */
    private int[] heldFrom = new int[4];
    private long[] heldUntil = new long[4];
    private int held;

    MatchTimer(SimFabric fabric, SimPort port, long generation) {
        this.fabric = fabric;
        this.devices = fabric.devices;
        this.port = port;
        this.generation = generation;
        this.softwarePs = fabric.model.softwarePs();
        ways = devices.ways();
        units = new MatcherUnits[ways];
        receives = new int[ways][8];
        groups = new int[8 * ways];
        Arrays.fill(groups, -1);
        for (int way = 0; way < ways; way++) {
            units[way] = devices.units(port.self(), way);
        }
    }

    long generation() {
        return generation;
    }

    private long now() {
        return fabric.events.now();
    }

    private int place(int context) {
        if (lastPlace >= 0 && contexts[lastPlace] == context) {
            return lastPlace;
        }
        int mask = contexts.length - 1;
        int place = context * 0x9E3779B9 >>> 7 & mask;
        while (groups[place * ways] >= 0 && contexts[place] != context) {
            place = place + 1 & mask;
        }
        if (groups[place * ways] < 0) {
            if (2 * ++contextCount > contexts.length) {
                grow();
                contextCount--;
                return place(context);
            }
            contexts[place] = context;
            for (int way = 0; way < ways; way++) {
                groups[place * ways + way] = units[way].open();
            }
        }
        lastPlace = place;
        return place;
    }

    private void grow() {
        int[] oldContexts = contexts;
        int[] oldGroups = groups;
        boolean[] oldSoftware = inSoftware;
        int mask = 2 * oldContexts.length - 1;
        contexts = new int[mask + 1];
        groups = new int[ways * contexts.length];
        inSoftware = new boolean[contexts.length];
        Arrays.fill(groups, -1);
        lastPlace = -1;
        for (int old = 0; old < oldContexts.length; old++) {
            if (oldGroups[old * ways] >= 0) {
                int place = oldContexts[old] * 0x9E3779B9 >>> 7 & mask;
                while (groups[place * ways] >= 0) {
                    place = place + 1 & mask;
                }
                contexts[place] = oldContexts[old];
                inSoftware[place] = oldSoftware[old];
                System.arraycopy(oldGroups, old * ways, groups, place * ways, ways);
            }
        }
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
                || kind == Frame.EAGER_FIRST;
        long at = message ? arrive(frame, from, header) : now();
        int place = 0;
        for (int i = 0; i < held; i++) {
            // What is held until now goes by an event that may be behind this one.
            if (heldUntil[i] >= now()) {
                heldFrom[place] = heldFrom[i];
                heldUntil[place++] = heldUntil[i];
            }
        }
        held = place;
        for (int i = 0; i < held; i++) {
            if (heldFrom[i] == from) {
                heldUntil[i] = Math.max(heldUntil[i], Math.max(at, now() + 1));
                return heldUntil[i];
            }
        }
        if (message) {
            hold(from, at);
        }
        return at;
    }

    private void hold(int from, long until) {
        if (held == heldFrom.length) {
            heldFrom = Arrays.copyOf(heldFrom, 2 * held);
            heldUntil = Arrays.copyOf(heldUntil, 2 * held);
        }
        heldFrom[held] = from;
        heldUntil[held++] = until;
    }

    private long arrive(int frame, int from, long header) {
        int place = place(Frame.high(header));
        if (inSoftware[place]) {
            softwareFrom = Math.max(softwareFrom, now()) + softwarePs;
            return softwareFrom;
        }
        catchUp();
        int way = devices.way(from);
        MatcherUnits matchers = units[way];
        long word = MatchWord.exact(from, Frame.low(header));
        long end = matchers.search(now(), groups[place * ways + way], MatcherUnits.ARRIVE, word, 0);
        int found = matchers.found();
        if (found >= 0) {
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
        return handle < receives[way].length ? receives[way][handle] - 1 : -1;
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
        int place = place(context);
        if (port.clockPs() > now()) {
            postponed.add(port.clockPs(), context, word, handle);
        } else {
            catchUp();
            post(now(), place, word, handle);
        }
    }

    /** Posts what hosts that were ahead have posted before now. */
    private void catchUp() {
        while (postponed.isDue(now())) {
            int handle = postponed.handle();
            if (handle >= 0) {
                post(postponed.at(), place(postponed.context()), postponed.word(), handle);
            }
            postponed.drop();
        }
    }

    private void post(long at, int place, long word, int handle) {
        boolean forAll = isForAll(word);
        int only = forAll ? -1 : devices.way(Math.max(0, MatchWord.source(word)));
        for (int way = forAll ? 0 : only; way < ways && (forAll || way == only); way++) {
            int group = groups[place * ways + way];
            units[way].search(at, group, MatcherUnits.POST, word, handle);
            int header = units[way].append(group, MatcherUnits.POST, word, handle, forAll);
            if (handle >= receives[way].length) {
                receives[way] = Arrays.copyOf(receives[way], 2 * handle);
            }
            receives[way][handle] = header + 1;
        }
    }

    @Override
    public void met(WatchedQueue queue, int context, long word, int handle, int entry) {
        int place = place(context);
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
                int group = groups[place * ways + way];
                long ends = ahead ? units[way].alone(clock, group, MatcherUnits.POST, word, handle)
                        : units[way].search(clock, group, MatcherUnits.POST, word, handle);
                end = way == holder ? ends : end;
            }
        }
        taken(message, entry);
        end += isForAll(word) ? devices.model.claimPs() : 0;
        fabric.tellMet(port.self(), end, defer(queue, handle, entry), generation);
    }

    private int defer(WatchedQueue queue, int handle, int entry) {
        int number = metFree;
        if (number >= 0) {
            metFree = (int) met[number];
        } else {
            number = metCount++;
            if (number == metIn.length) {
                metIn = Arrays.copyOf(metIn, 2 * number);
                met = Arrays.copyOf(met, 2 * number);
            }
        }
        metIn[number] = queue;
        met[number] = (long) handle << 32 | entry;
        return number;
    }

    /** What a receive has met is to show at the next poll. */
    void metIsDue(int number) {
        if (dueCount == due.length) {
            due = Arrays.copyOf(due, 2 * dueCount);
        }
        due[dueCount++] = number;
    }

    boolean hasDue() {
        return dueCount > 0;
    }

    /** Lets all show that is due; returns how much. */
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
            int group = groups[place(context) * ways + way];
            long clock = port.clockPs();
            long end = clock > now() ? units[way].alone(clock, group, MatcherUnits.ARRIVE, word, 0)
                    : units[way].search(clock, group, MatcherUnits.ARRIVE, word, 0);
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

    /** A receive is gone, and a device has taken it off its list; others find that out. */
    private void forget(int handle, int by) {
        boolean was = false;
        for (int way = 0; way < ways; way++) {
            int header = header(way, handle);
            if (header >= 0) {
                was = true;
                receives[way][handle] = 0;
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
    public void waits(int context, long word, int entry) {
        int way = devices.way(MatchWord.source(word));
        if (entry >= messages.length) {
            messages = Arrays.copyOf(messages, 2 * entry);
        }
        messages[entry] = units[way].appendLate(groups[place(context) * ways + way], word, entry) + 1;
    }

    @Override
    public void taken(long word, int entry) {
        units[devices.way(MatchWord.source(word))].remove(messages[entry] - 1);
        messages[entry] = 0;
    }

    @Override
    public void cancelled(int context, int handle) {
        int place = place(context);
        for (int way = 0; way < ways; way++) {
            int header = header(way, handle);
            if (header >= 0 && port.clockPs() <= now()) {
                catchUp();
                units[way].search(now(), groups[place * ways + way], MatcherUnits.REMOVE, units[way].word(header),
                        handle);
            }
        }
        forget(handle, -1);
    }

    @Override
    public void software(int context, boolean taken) {
        int place = place(context);
        inSoftware[place] = taken;
        if (taken) {
            postponed.removeAll(context);
            for (int way = 0; way < ways; way++) {
                int group = groups[place * ways + way];
                int[] ofWay = receives[way];
                units[way].clear(group, MatcherUnits.POST, handle -> ofWay[handle] = 0);
                units[way].clear(group, MatcherUnits.ARRIVE, entry -> messages[entry] = 0);
            }
        }
    }

    /** Its device is no more. */
    void end() {
        for (int place = 0; place < contexts.length; place++) {
            if (groups[place * ways] >= 0) {
                software(contexts[place], true);
            }
        }
    }
}
