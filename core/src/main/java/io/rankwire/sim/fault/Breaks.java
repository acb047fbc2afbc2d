package io.rankwire.sim.fault;

import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.tcp.SimTcp;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * What goes wrong with the connections of ranks, as drawn from a seed. The fabric that carries their segments has
 * faults of its own. All that happens here is shorter than the patience of a port: no peer that lives may be lost.
 */
public final class Breaks implements SimTcp.Trouble {
    /** A way in which connections fail. */
    public enum Kind {
        /** The system of one side drops a connection, and may or may not send word of it to the other. */
        RESET(50),
        /** Something on the way forgets a connection: nothing of it passes any more, without a word. */
        FORGET(10),
        /** A segment, and those of its connection behind it, is late; other connections pass it. */
        LATE(100),
        /** The cable of a host is cut, and mended after some time. */
        CUT(20),
        /** A read or write takes a part of what it could. */
        PART(500);

        /** Most of 1,000 segments, reads or writes that it happens to. */
        final int most;

        Kind(int most) {
            this.most = most;
        }
    }

    private static final int PARTS = 1_000;
    private static final long MS = 1_000_000_000;
    private static final int LONGEST_LATE_MS = 60;
    private static final int LONGEST_CUT_MS = 1_000;
    /** Times of a cut from its beginning to that of the next one. */
    private static final int CALM = 5;

    private final Rand rand;
    private final int[] rates = new int[Kind.values().length];
    private final int[] happened = new int[Kind.values().length];
    private final long latePs;
    private final long cutPs;
    private final long[] cutUntil;
    private long nextCut;
    private boolean over;
    private SimTcp tcp;
    private Events events;

    /** Draws what goes wrong; a seed switches some of it on. */
    public Breaks(long seed, int ranks) {
        rand = new Rand(seed);
        boolean calm = rand.chance(1, 12);
        for (Kind kind : Kind.values()) {
            boolean on = rand.chance(1, 2);
            int rate = 1 + rand.below(1 + rand.below(kind.most));
            rates[kind.ordinal()] = on && !calm ? rate : 0;
        }
        latePs = (1 + rand.below(1 + rand.below(LONGEST_LATE_MS))) * MS;
        cutPs = (1 + rand.below(1 + rand.below(LONGEST_CUT_MS))) * MS;
        cutUntil = new long[ranks];
    }

    /** Has these things go wrong from now on. */
    public void on(SimTcp of, Events at) {
        tcp = of;
        events = at;
        of.trouble(this);
    }

    /** Nothing goes wrong any more; connections that were forgotten stay so. */
    void stop() {
        over = true;
        Arrays.fill(cutUntil, 0);
    }

    public int happened(Kind kind) {
        return happened[kind.ordinal()];
    }

    private boolean strikes(Kind kind) {
        return !over && rates[kind.ordinal()] > 0 && rand.chance(rates[kind.ordinal()], PARTS);
    }

    private void count(Kind kind, boolean is) {
        happened[kind.ordinal()] += is ? 1 : 0;
    }

    /** From half of a time to twice as much. */
    private long about(long ps) {
        return ps / 2 + Math.floorMod(rand.nextLong(), ps * 3 / 2);
    }

    @Override
    public long late(int from, int to) {
        if (strikes(Kind.RESET)) {
            count(Kind.RESET, tcp.resetOne(rand));
        }
        if (strikes(Kind.FORGET)) {
            count(Kind.FORGET, tcp.forgetOne(rand));
        }
        long now = events.now();
        if (strikes(Kind.CUT) && now >= nextCut) {
            cutUntil[rand.below(cutUntil.length)] = now + about(cutPs);
            nextCut = now + CALM * cutPs;
            count(Kind.CUT, true);
        }
        long late = Math.max(0, Math.max(cutUntil[from], cutUntil[to]) - now);
        if (strikes(Kind.LATE)) {
            count(Kind.LATE, true);
            late += about(latePs);
        }
        return late;
    }

    @Override
    public int part(int bytes) {
        if (!strikes(Kind.PART)) {
            return bytes;
        }
        count(Kind.PART, true);
        return rand.below(bytes + 1);
    }

    /** The ways that were drawn, with their rates. */
    public String describe() {
        StringJoiner text = new StringJoiner(", ");
        for (Kind kind : Kind.values()) {
            int rate = rates[kind.ordinal()];
            if (rate > 0) {
                String length = kind == Kind.LATE ? ", " + latePs / MS + " ms later"
                        : kind == Kind.CUT ? " for " + cutPs / MS + " ms" : "";
                text.add(words(kind) + " " + rate + " of " + PARTS + length);
            }
        }
        return text.toString();
    }

    /** What has happened, and how often. */
    public String counts() {
        StringJoiner text = new StringJoiner(", ");
        for (Kind kind : Kind.values()) {
            if (happened(kind) > 0) {
                text.add(words(kind) + " " + happened(kind));
            }
        }
        return text.toString();
    }

    static String words(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
