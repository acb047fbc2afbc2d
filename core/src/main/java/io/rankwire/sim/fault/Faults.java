package io.rankwire.sim.fault;

import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.Frames;
import io.rankwire.sim.Interference;
import io.rankwire.sim.SimFabric;
import java.util.Arrays;
import java.util.StringJoiner;

/** Applies a {@link FaultPlan} to a fabric and to the drivers of its devices. */
public final class Faults implements Interference {
    private static final int META_BITS = 16;
    private static final int HEADER_BITS = 64;
    /** ln 2, in 1/1024. */
    private static final int LN2 = 710;
    private static final long RETRY_PS = 200_000;

    private final FaultPlan plan;
    private final Rand rand;
    private final Events events;
    private final int ranks;
    private SimFabric fabric;
    private boolean over;
    private boolean systemsLive;
    private final long[] next = new long[Fault.values().length];
    private final int[] happened = new int[Fault.values().length];

    // by pair
    private final long[] last;
    private final long[] clogged;
    private final long[] parted;
    private final boolean[] throttled;
    /** When a direction with little bandwidth is free again. */
    private final long[] freeAt;
    // by rank
    private final long[] paused;
    private final boolean[] slow;
    private final boolean[] dead;
    /** When each will be killed, as far as that is planned. */
    private final long[] diesAt;

    public Faults(FaultPlan plan, Rand rand, Events events, int ranks) {
        this.plan = plan;
        this.rand = rand;
        this.events = events;
        this.ranks = ranks;
        last = new long[ranks * ranks];
        clogged = new long[ranks * ranks];
        parted = new long[ranks * ranks];
        throttled = new boolean[ranks * ranks];
        freeAt = new long[ranks * ranks];
        paused = new long[ranks];
        slow = new boolean[ranks];
        dead = new boolean[ranks];
        diesAt = new long[ranks];
        Arrays.fill(diesAt, Long.MAX_VALUE);
        for (Fault fault : Fault.values()) {
            next[fault.ordinal()] = fault == Fault.KILL ? plan.everyPs(fault) : spread(plan.everyPs(fault));
        }
        if (plan.has(Fault.THROTTLE)) {
            for (int pair = 0; pair < throttled.length; pair++) {
                throttled[pair] = rand.chance(1, 3);
            }
        }
        if (plan.has(Fault.SLOW)) {
            slow[rand.below(ranks)] = true;
            slow[rand.below(ranks)] = true;
        }
    }

    /** The fabric that things go wrong on from now on; it has given no port away yet. */
    public void on(SimFabric on) {
        fabric = on;
        on.interfere(this);
    }

    /** From now on a rank that is killed is a process, whose system goes on: frames still come there. */
    public void killProcesses() {
        systemsLive = true;
    }

    /** Ends all faults, but for ranks that were killed. */
    void stop() {
        over = true;
        Arrays.fill(clogged, 0);
        Arrays.fill(parted, 0);
        Arrays.fill(paused, 0);
        Arrays.fill(throttled, false);
        Arrays.fill(slow, false);
    }

    /** Plans the death of a rank of a program; {@link Long#MAX_VALUE} for none. */
    public void diesAt(int rank, long at) {
        diesAt[rank] = at;
    }

    /** Whether a rank of a program is dead when its clock has come to that time. */
    public boolean diesBy(int rank, long at) {
        return at >= diesAt[rank];
    }

    /** A rank has died: it takes nothing in and sends nothing from now on. */
    public void die(int rank) {
        dead[rank] = true;
    }

    /** A rank was killed. */
    public void killed() {
        happened[Fault.KILL.ordinal()]++;
    }

    public int happened(Fault fault) {
        return happened[fault.ordinal()];
    }

    public boolean isDead(int rank) {
        return dead[rank];
    }

    public boolean anyDead() {
        return happened(Fault.KILL) > 0;
    }

    /** What has happened, and how often. */
    public String counts() {
        StringJoiner text = new StringJoiner(", ");
        for (Fault fault : Fault.values()) {
            if (happened(fault) > 0) {
                text.add(fault.words() + " " + happened(fault));
            }
        }
        return text.length() == 0 ? "none happened" : text.toString();
    }

    private boolean strikes(Fault fault) {
        if (over || !plan.has(fault) || !rand.chance(plan.rate(fault), 1_000)) {
            return false;
        }
        happened[fault.ordinal()]++;
        return true;
    }

    /** A time with this mean and an exponential distribution, near enough: the logarithm is taken piece by piece. */
    private long spread(long mean) {
        long bits = rand.nextLong() | 1;
        int zeros = Long.numberOfLeadingZeros(bits);
        long fraction = bits << zeros << 1 >>> 48;
        long log2 = (zeros + 1L << 16) - fraction;
        return (mean >> 10) * LN2 * log2 >> 16;
    }

    /** Starts the spells whose time has come. Those that no event has met may be over by now. */
    private void begin() {
        long now = events.now();
        for (long from = due(Fault.CLOG, now); from >= 0; from = due(Fault.CLOG, now)) {
            clog(from);
        }
        for (long from = due(Fault.PARTITION, now); from >= 0; from = due(Fault.PARTITION, now)) {
            partition(from, now);
        }
        for (long from = due(Fault.PAUSE, now); from >= 0; from = due(Fault.PAUSE, now)) {
            int rank = rand.below(ranks);
            paused[rank] = Math.max(paused[rank], from + spread(plan.lengthPs(Fault.PAUSE)));
        }
        if (plan.has(Fault.KILL) && !over && !dead[plan.victim()] && now >= next[Fault.KILL.ordinal()]) {
            die(plan.victim());
            killed();
        }
    }

    /** When the next spell of this fault has begun, or -1 if it has not. */
    private long due(Fault fault, long now) {
        long from = next[fault.ordinal()];
        if (over || !plan.has(fault) || now < from) {
            return -1;
        }
        next[fault.ordinal()] += 1 + spread(plan.everyPs(fault));
        happened[fault.ordinal()]++;
        return from;
    }

    private void clog(long from) {
        long length = plan.lengthPs(Fault.CLOG);
        int to = rand.below(ranks);
        if (rand.chance(1, 2)) {
            int pair = rand.below(ranks) * ranks + to;
            clogged[pair] = Math.max(clogged[pair], from + spread(length));
            return;
        }
        for (int sender = 0; sender < ranks; sender++) {
            int pair = sender * ranks + to;
            clogged[pair] = Math.max(clogged[pair], from + spread(length));
        }
    }

    private void partition(long from, long now) {
        long until = from + spread(plan.lengthPs(Fault.PARTITION));
        long side = rand.nextLong();
        for (int pair = 0; until > now && pair < parted.length; pair++) {
            boolean left = (side >>> pair / ranks & 1) != 0;
            boolean right = (side >>> pair % ranks & 1) != 0;
            if (left != right && (left || !plan.oneWay())) {
                parted[pair] = Math.max(parted[pair], until);
            }
        }
    }

    /** When the rank can have the turn it is due now; without an end if it is dead. */
    public long turnAt(int rank) {
        begin();
        return dead[rank] ? Long.MAX_VALUE : Math.max(paused[rank], events.now());
    }

    /** What a turn of the rank takes beside its work. */
    public long turnPs(int rank) {
        if (!slow[rank]) {
            return 0;
        }
        happened[Fault.SLOW.ordinal()]++;
        return plan.lengthPs(Fault.SLOW);
    }

    @Override
    public boolean isLossy() {
        return plan.lossy();
    }

    @Override
    public boolean refuses(int from, int to, int payloadBytes) {
        if (strikes(Fault.FULL)) {
            fabric.wake(from, events.now() + RETRY_PS);
            return true;
        }
        return false;
    }

    @Override
    public boolean hasNoMemory(int rank, long bytes) {
        return strikes(Fault.NO_MEMORY);
    }

    @Override
    public boolean isDeadAt(int rank, long at) {
        return !systemsLive && diesBy(rank, at);
    }

    @Override
    public void arrived(int frame, long at) {
        begin();
        Frames frames = fabric.frames;
        int pair = frames.from(frame) * ranks + frames.to(frame);
        if (dead[frames.to(frame)] && !systemsLive || plan.lossy() && (parted[pair] > at || strikes(Fault.DROP))) {
            frames.give(frame);
            return;
        }
        if (plan.lossy()) {
            if (strikes(Fault.DUPLICATE)) {
                fabric.handOver(frames.copy(frame), at + spread(plan.lengthPs(Fault.DUPLICATE)));
            }
            damage(frame);
        }
        long when = at;
        if (throttled[pair]) {
            happened[Fault.THROTTLE.ordinal()]++;
            when = Math.max(when, freeAt[pair]) + (frames.bytes(frame) + 1) * (plan.lengthPs(Fault.THROTTLE) >> 10);
            freeAt[pair] = when;
        }
        when = Math.max(when, Math.max(clogged[pair], parted[pair]));
        if (strikes(Fault.DELAY)) {
            when += spread(plan.lengthPs(Fault.DELAY));
        }
        if (plan.lossy() && strikes(Fault.REORDER)) {
            fabric.handOver(frame, when + spread(plan.lengthPs(Fault.REORDER)));
            return;
        }
        last[pair] = Math.max(last[pair], when);
        fabric.handOver(frame, last[pair]);
    }

    private void damage(int frame) {
        Frames frames = fabric.frames;
        int bytes = frames.bytes(frame);
        if (strikes(Fault.CORRUPT)) {
            int bits = META_BITS + HEADER_BITS + 8 * bytes;
            for (int flips = rand.between(1, 3); flips > 0; flips--) {
                frames.flip(frame, rand.below(rand.chance(1, 3) ? META_BITS + HEADER_BITS : bits));
            }
        }
        if (bytes > 0 && strikes(Fault.TRUNCATE)) {
            frames.cut(frame, rand.below(bytes));
        }
    }
}
