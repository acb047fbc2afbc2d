package io.rankwire.sim.program;

import io.rankwire.launch.Aborted;
import io.rankwire.launch.Board;
import io.rankwire.launch.Ending;
import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Replacements;
import io.rankwire.launch.Replacing;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.SimFabric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The launcher of a simulated job, in virtual time: it notices that ranks have died, declares them dead in one order,
 * and gives places to new ranks. Each rank learns of each declaration at its own time, in the order of all. What it
 * does are events, of the kinds from {@link #FIRST} on, with the rank that they concern as their target.
 */
final class SimulatedLauncher implements Replacing.Crew {
    /** The first kind of its events. */
    static final int FIRST = SimFabric.OTHERS + 3;
    /** A rank is killed: as planned, or because another rank could not reach it, whose number + 1 the event has. */
    private static final int KILL = FIRST;
    private static final int DECLARE = FIRST + 1;
    /** A rank learns of the first deaths, as many as the event has, or looks again for what it waits for. */
    private static final int HEAR = FIRST + 2;
    private static final int ANSWER = FIRST + 3;
    private static final int START = FIRST + 4;
    /** What a process ends with after SIGKILL. */
    static final int KILLED_STATUS = 128 + 9;

    /** Called when a rank is declared dead, with how it has died. */
    @FunctionalInterface
    interface OnDeath {
        void declared(int rank, Throwable how);
    }

    private final Events events;
    private final SimFabric fabric;
    private final Baton baton;
    private final Board board;
    private final FailureLog log;
    private final LauncherModel model;
    private final Rand rand;
    private final OnDeath onDeath;
    private final Adversity adversity;
    /** Stops what a rank has besides its thread. */
    private final IntConsumer stop;
    private final RankTime[] ranks;
    /** By rank: how many deaths it has heard of, and when it has heard, or will hear, of the last one. */
    private final int[] heard;
    private final long[] hearsAt;
    /** How ranks have died that are not declared dead yet, and those that are, in their order. */
    private final Map<Integer, Throwable> undeclared = new HashMap<>();
    private final Map<Integer, Throwable> declared = new LinkedHashMap<>();
    /** By rank: what it has asked for, and the answers so far. */
    private final List<List<Replacements.Request>> asked = new ArrayList<>();
    private final List<List<Replacements.Answer>> answers = new ArrayList<>();
    private final Replacing replacing;
    private final Replacements.Part[] parts;
    /** Ranks that wait for others to join. */
    private final BitSet waiting = new BitSet();
    /** The ranks that were started, or are about to be. */
    private int count;
    private int plannedKills;

    /**
     * @param ranks a clock for each place of the board, filled by the caller later
     * @param spares ranks besides those of the world that are started with it
     */
    SimulatedLauncher(Events events, SimFabric fabric, Baton baton, Board board, Settings settings,
            Adversity adversity, RankTime[] ranks, int spares, IntConsumer stop, OnDeath onDeath) {
        this.events = events;
        this.fabric = fabric;
        this.baton = baton;
        this.board = board;
        this.log = board.failures();
        this.model = settings.host().launcher();
        this.rand = new Rand(settings.seed() ^ 0x3C6E_F372_FE94_F82BL);
        this.adversity = adversity;
        this.ranks = ranks;
        this.stop = stop;
        this.onDeath = onDeath;
        int places = ranks.length;
        count = board.worldSize() + spares;
        heard = new int[places];
        hearsAt = new long[places];
        replacing = new Replacing(places, this);
        parts = new Replacements.Part[places];
        for (int rank = 0; rank < places; rank++) {
            asked.add(new ArrayList<>());
            answers.add(new ArrayList<>());
        }
        for (Kill each : adversity.kills()) {
            events.add(each.atPs(), fabric.actor(each.rank()), fabric.actor(each.rank()), KILL, 0, 0);
            plannedKills++;
        }
    }

    /** Kills that have not happened. */
    int plannedKills() {
        return plannedKills;
    }

    /** Whether a rank is there from the start. */
    boolean startsAtOnce(int rank) {
        return rank < count;
    }

    /** The board as a rank sees it. */
    Board boardOf(int rank) {
        return board.heardBy(new FailureLog.News() {
            @Override
            public int heard() {
                return heard[rank];
            }

            @Override
            public void suspect(int suspect) {
                later(suspect, 0, KILL, rank + 1);
            }
        });
    }

    /** Returns what a rank uses to ask for new ones. */
    Replacements replacementsOf(int rank) {
        return new SimulatedReplacements(rank, this);
    }

    /** How ranks have died, in the order of their declarations. */
    Map<Integer, Throwable> deaths() {
        return Collections.unmodifiableMap(declared);
    }

    private void later(int rank, long ps, int kind, long first) {
        events.add(events.now() + ps, fabric.actor(rank), fabric.actor(rank), kind, first, 0);
    }

    /** Deals with the event at hand; true if the rank can go on now. */
    boolean happen(RankTime rank) {
        int place = rank.place;
        switch (events.kind()) {
            case KILL -> kill(rank, (int) events.first() - 1);
            case DECLARE -> declare(place);
            case HEAR -> {
                heard[place] = Math.max(heard[place], (int) events.first());
                return rank.learns();
            }
            case ANSWER -> {
                List<Replacements.Answer> before = answers.get(place);
                before.add(answer(asked.get(place).get(before.size())));
                return rank.learns();
            }
            case START -> {
                heard[place] = log.count();
                return rank.begins();
            }
            default -> throw new IllegalStateException("no event of a launcher: " + events.kind());
        }
        return false;
    }

    /** @param by the rank that could not reach this one; -1 if it is killed by plan */
    private void kill(RankTime rank, int by) {
        plannedKills -= by < 0 ? 1 : 0;
        if (baton.die(rank)) {
            stop.accept(rank.place);
            adversity.faults().killed();
            died(rank.place, new Aborted(by < 0
                    ? "it was killed at " + Units.time(events.now()) + " of virtual time"
                    : "it was ended: rank " + by + " could not reach it", by < 0 ? KILLED_STATUS : 1), events.now());
        } else if (by < 0) {
            adversity.plan(rank.place, events.now());
        }
    }

    /** A rank has died at this time, which is not before now. */
    void died(int rank, Throwable how, long atPs) {
        undeclared.put(rank, how);
        later(rank, atPs - events.now() + model.noticePs(), DECLARE, 0);
    }

    /** Whether a rank is dead, declared or not. */
    boolean hasDied(int rank) {
        return declared.containsKey(rank) || undeclared.containsKey(rank);
    }

    /** Whether a rank is dead and not declared yet. */
    boolean isUndeclared() {
        return !undeclared.isEmpty();
    }

    /** Declares a rank that is dead, before its time. */
    void declareFirst() {
        declare(Collections.min(undeclared.keySet()));
    }

    private void declare(int dead) {
        Throwable how = undeclared.remove(dead);
        if (how == null) {
            // It was declared before its time.
            return;
        }
        declared.put(dead, how);
        onDeath.declared(dead, how);
        if (!log.goesOn()) {
            baton.giveUp();
            return;
        }
        log.declare(dead, Ending.cause(dead, how));
        for (int rank = 0; rank < count; rank++) {
            hearsAt[rank] = Math.max(hearsAt[rank], events.now()
                    + Math.floorMod(rand.nextLong(), model.latestPs() - model.noticePs() + 1));
            later(rank, hearsAt[rank] - events.now(), HEAR, log.count());
        }
    }

    /** A rank asks for new ones; returns the number of the request. */
    int ask(int rank, Replacements.Request request) {
        asked.get(rank).add(request);
        later(rank, model.answerPs(), ANSWER, 0);
        return asked.get(rank).size();
    }

    /** The answer to a request of a rank; null until there is one. */
    Replacements.Answer answer(int rank, int number) {
        return number > answers.get(rank).size() ? null : answers.get(rank).get(number - 1);
    }

    private Replacements.Answer answer(Replacements.Request request) {
        try {
            return replacing.answer(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Integer> spares(int dead) {
        return IntStream.range(board.worldSize(), count)
                .filter(rank -> parts[rank] == null && ranks[rank].isSpare()).boxed().toList();
    }

    @Override
    public int next() {
        return count;
    }

    /** The new rank begins when it is given its part. */
    @Override
    public void start(int rank, int like, int dead) {
        count++;
    }

    @Override
    public void give(int rank, Replacements.Part part) {
        parts[rank] = part;
        log.give(rank);
        fabric.placement().take(rank, replacing.origin(rank));
        later(rank, ranks[rank].isSpare() ? 0 : model.startPs(), START, 0);
    }

    /** What came of the ranks. */
    ThreadRanks.Outcome outcome() {
        return new ThreadRanks.Outcome(deaths(), replacing::origin);
    }

    /** What a rank is to join; null for a spare that is not needed yet. */
    Replacements.Part part(int rank) {
        return parts[rank];
    }

    /** Whether a rank waits for others to join: then it goes on when one more has. */
    void waits(int rank, boolean isWaiting) {
        waiting.set(rank, isWaiting);
    }

    /** A rank opens its port, and joins. */
    void opens(int rank) {
        for (int other = waiting.nextSetBit(0); other >= 0; other = waiting.nextSetBit(other + 1)) {
            if (other != rank) {
                later(other, 0, HEAR, 0);
            }
        }
    }
}
