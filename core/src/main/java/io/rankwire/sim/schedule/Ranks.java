package io.rankwire.sim.schedule;

import io.rankwire.sim.Events;
import java.util.Arrays;

/**
 * Ranks that go through their schedules, in columns. A rank's driver has a clock that may be ahead of the event that
 * moves it: it does what it can do at once, and what comes meanwhile waits for it.
 *
 * <pre>
 *   SEND      o + (s − 1)·O of the driver, then the ports send it when they are free; over at once, or (above S)
 *             when it was asked for
 *   RECEIVE   nothing, and o + (s − 1)·O of the driver when the ports have a message for it
 *   WAIT      until a send or receive is over
 * </pre>
 */
final class Ranks {
    static final int START = 0;
    static final int MESSAGE = 1;
    /** There is a message above S: its bytes, its sender's id. */
    static final int ANNOUNCEMENT = 2;
    /** The receive is there: the sender's id, and behind it the receiver's step. */
    static final int CLEARANCE = 3;
    /** What was announced: the sender's id, and behind it the receiver's step. */
    static final int CONTENT = 4;
    /** The first kind that carriers may use. */
    static final int OTHERS = 8;

    /** Marks the id of an announced message that waits for its receive. */
    private static final int ANNOUNCED = 1 << 31;

    private final Pattern pattern;
    private final Setting setting;
    private final Events events;
    private final Watcher watcher;
    private final int from;
    private final int count;
    private final int actor;
    private final long gapPs;
    private Carrier carrier;

    private final Steps common;
    private final Steps[] own;
    private final int words;
    /** Bits of transfers that are over, so many words a rank. */
    private final long[] over;
    private final int[] at;
    /** Transfers that are not over, and calls to come, which begins with the one that runs. */
    private final int[] open;
    private final int[] calls;
    /** Of whoever drives, and of the host when the device drives. */
    private final long[] clock;
    private final long[] host;
    private final long[] outFree;
    private final long[] inFree;
    private final Waiting receives;
    private final Waiting messages;
    private final long[] hashes;

    /** When the last of these ranks ended a call, so far. */
    long lastEnd;
    int running;

    /**
     * @param from the first rank here
     * @param to behind the last
     * @param actor the number rank 0 has among the actors of the events
     */
    Ranks(Pattern pattern, Setting setting, Events events, int from, int to, int actor, Watcher watcher) {
        this.pattern = pattern;
        this.setting = setting;
        this.events = events;
        this.watcher = watcher;
        this.from = from;
        this.count = to - from;
        this.actor = actor;
        this.gapPs = setting.costs().gapPs() / setting.ports();
        boolean alike = pattern.symmetry() != Pattern.Symmetry.NONE;
        common = alike ? new Steps(pattern.of(0), pattern.unitBytes()) : null;
        own = alike ? null : new Steps[count];
        int most = alike ? common.transfers : 0;
        for (int i = 0; i < count && !alike; i++) {
            own[i] = new Steps(pattern.of(from + i), pattern.unitBytes());
            most = Math.max(most, own[i].transfers);
        }
        words = Math.max(1, (most + 63) / 64);
        over = new long[Math.multiplyExact(count, words)];
        at = new int[count];
        open = new int[count];
        calls = new int[count];
        clock = new long[count];
        host = setting.driver().device() ? new long[count] : null;
        outFree = new long[count];
        inFree = new long[count];
        receives = new Waiting(count);
        messages = new Waiting(count);
        hashes = new long[count];
    }

    /** All ranks make their first call at time 0; there are no messages yet. */
    void start(Carrier by) {
        carrier = by;
        running = count;
        Arrays.fill(at, -1);
        Arrays.fill(calls, setting.load().calls());
        for (int i = 0; i < count; i++) {
            begin(from + i, i);
            advance(from + i, i);
        }
    }

    /** Deals with the event at hand, which is of a kind below {@link #OTHERS}. */
    void happen() {
        int rank = events.target() - actor;
        int source = events.source() - actor;
        int kind = events.kind();
        long first = events.first();
        long second = events.second();
        int i = rank - from;
        note(i, events.now());
        note(i, (long) source << 32 | kind);
        note(i, first);
        switch (kind) {
            case START -> begin(rank, i);
            case MESSAGE, ANNOUNCEMENT -> {
                int id = (int) second | (kind == ANNOUNCEMENT ? ANNOUNCED : 0);
                int receive = receives.take(i, source);
                if (receive < 0) {
                    messages.add(i, source, id, first);
                    return;
                }
                meet(rank, i, receives.what(receive), source, id, first);
            }
            case CLEARANCE -> cleared(rank, i, source, (int) second, (int) (second >>> 32), first);
            default -> received(rank, i, (int) (second >>> 32), source, (int) second, first);
        }
        advance(rank, i);
    }

    /** Reads what {@link #happen} of an event that is to come will read; the result means nothing, but must be used. */
    long touch() {
        int i = events.target() - actor - from;
        return hashes[i] + over[i * words] + at[i] + open[i] + clock[i] + outFree[i] + inFree[i] + receives.touch(i)
                + messages.touch(i);
    }

    private void note(int i, long what) {
        long mixed = (hashes[i] ^ what) * 0x9E3779B97F4A7C15L;
        hashes[i] = mixed ^ mixed >>> 29;
    }

    private Steps steps(int i) {
        return common != null ? common : own[i];
    }

    private void begin(int rank, int i) {
        Steps steps = steps(i);
        at[i] = 0;
        open[i] = steps.transfers;
        for (int word = 0; word < words; word++) {
            over[i * words + word] = 0;
        }
        long now = Math.max(clock[i], events.now());
        if (setting.driver().device()) {
            long posted = setting.noise().end(rank, events.now(), setting.costs().overheadPs());
            Load load = setting.load();
            host[i] = load.overlap() ? setting.noise().end(rank, posted, load.computePs()) : posted;
            now = Math.max(clock[i], posted);
        }
        clock[i] = now;
    }

    /** Takes a rank as far as it comes. */
    private void advance(int rank, int i) {
        if (at[i] < 0) {
            return;
        }
        Steps steps = steps(i);
        int length = steps.kinds.length;
        int step = at[i];
        for (; step < length; step++) {
            byte kind = steps.kinds[step];
            if (kind == Steps.WAIT && !isOver(i, steps.ids[step])) {
                at[i] = step;
                return;
            }
            if (watcher != null) {
                watcher.passed(rank, step);
            }
            switch (kind) {
                case Steps.SEND -> send(rank, i, steps, step);
                case Steps.WAIT -> { }
                case Steps.LOCAL -> clock[i] = work(rank, clock[i], combinePs(steps.bytes[step]));
                default -> receive(rank, i, steps, step);
            }
        }
        at[i] = step;
        if (open[i] == 0) {
            end(rank, i);
        }
    }

    private void end(int rank, int i) {
        Load load = setting.load();
        long ended = clock[i];
        if (setting.driver().device()) {
            ended = setting.noise().end(rank, Math.max(host[i], ended), setting.costs().overheadPs());
        }
        lastEnd = Math.max(lastEnd, ended);
        note(i, ended);
        at[i] = -1;
        if (--calls[i] > 0) {
            boolean computes = !load.overlap() || !setting.driver().device();
            long next = computes ? setting.noise().end(rank, ended, load.computePs()) : ended;
            events.add(next, actor + rank, actor + rank, START, 0, 0);
            return;
        }
        running--;
        if (own != null) {
            own[i] = null;
        }
    }

    private void send(int rank, int i, Steps steps, int step) {
        long bytes = steps.bytes[step];
        int id = steps.ids[step];
        int peer = pattern.peer(rank, steps.peers[step]);
        if (bytes > setting.costs().eagerBytes()) {
            long sent = out(rank, i, 0);
            carrier.carry(sent, rank, peer, ANNOUNCEMENT, 0, bytes, id);
            return;
        }
        long sent = out(rank, i, bytes);
        complete(rank, i, id);
        carrier.carry(sent, rank, peer, MESSAGE, bytes, bytes, id);
    }

    private void receive(int rank, int i, Steps steps, int step) {
        int peer = pattern.peer(rank, steps.peers[step]);
        int message = messages.take(i, peer);
        if (message < 0) {
            receives.add(i, peer, step, 0);
        } else {
            meet(rank, i, step, peer, messages.what(message), messages.bytes(message));
        }
    }

    private void meet(int rank, int i, int step, int source, int id, long bytes) {
        if (id < 0) {
            in(rank, i, 0);
            carrier.carry(out(rank, i, 0), rank, source, CLEARANCE, 0, bytes, (long) step << 32 | id & ~ANNOUNCED);
        } else {
            received(rank, i, step, source, id, bytes);
        }
    }

    private void cleared(int rank, int i, int source, int id, int step, long bytes) {
        long sent = out(rank, i, bytes);
        complete(rank, i, id);
        carrier.carry(sent, rank, source, CONTENT, bytes, bytes, (long) step << 32 | id);
    }

    private void received(int rank, int i, int step, int source, int id, long bytes) {
        Steps steps = steps(i);
        in(rank, i, bytes);
        if (steps.kinds[step] == Steps.RECEIVE_COMBINE) {
            clock[i] = work(rank, clock[i], combinePs(bytes));
        }
        complete(rank, i, steps.ids[step]);
        if (watcher != null) {
            watcher.received(source, id, rank, steps.ids[step]);
        }
    }

    /** The driver hands a message to the ports; returns when they begin to send it. */
    private long out(int rank, int i, long bytes) {
        clock[i] = work(rank, Math.max(clock[i], events.now()), messagePs(bytes));
        long begun = Math.max(clock[i], outFree[i]);
        outFree[i] = begun + gapPs + setting.streamPs(bytes);
        return begun;
    }

    /** The driver gets a message from the ports. */
    private void in(int rank, int i, long bytes) {
        long there = Math.max(events.now(), inFree[i]);
        inFree[i] = there + gapPs + setting.streamPs(bytes);
        clock[i] = work(rank, Math.max(clock[i], there), messagePs(bytes));
    }

    private long messagePs(long bytes) {
        return setting.driver().device() ? setting.driver().entryPs()
                : setting.costs().overheadPs() + setting.costs().handlePs(bytes);
    }

    private long combinePs(long bytes) {
        return bytes * setting.driver().combinePsPerKib() + 1023 >> 10;
    }

    private long work(int rank, long begun, long ps) {
        return setting.driver().device() ? begun + ps : setting.noise().end(rank, begun, ps);
    }

    private boolean isOver(int i, int id) {
        return (over[i * words + (id >> 6)] & 1L << id) != 0;
    }

    private void complete(int rank, int i, int id) {
        assert !isOver(i, id) : "rank " + rank + ", transfer " + id;
        over[i * words + (id >> 6)] |= 1L << id;
        open[i]--;
    }

    /** Goes on from the hash of the ranks before. */
    long hash(long before) {
        long mixed = before;
        for (long hash : hashes) {
            mixed = (mixed ^ hash) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }

    /** The first rank that holds, for people, or null. */
    String stuck() {
        for (int i = 0; i < count; i++) {
            if (calls[i] > 0) {
                return "rank " + (from + i) + " holds at step " + at[i] + " of " + pattern.name();
            }
        }
        return null;
    }
}
