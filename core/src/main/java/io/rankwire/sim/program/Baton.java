package io.rankwire.sim.program;

import io.rankwire.launch.Aborted;
import io.rankwire.memory.Rand;
import io.rankwire.sim.Events;
import io.rankwire.sim.SimFabric;
import io.rankwire.sim.fault.Faults;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one rank run at a time. The rank that runs has the baton; when it waits or ends, its own thread goes on with the
 * events until they make a rank ready, and hands the baton to that one, or keeps it. Of several that are ready at the
 * same moment the seed chooses.
 */
final class Baton {
    /** The time that a rank waits for has come. These events go from the rank to itself. */
    static final int TIMER = SimFabric.OTHERS;
    /** The device of a rank may have frames to repeat. */
    static final int ALARM = SimFabric.OTHERS + 1;
    /** A fault has kept a rank from going on until now. */
    private static final int RESUME = SimFabric.OTHERS + 2;

    /** Called when no rank can go on. It ends the process, or aborts the job on the board and the baton. */
    @FunctionalInterface
    interface OnDeadlock {
        void proven();
    }

    final Events events;
    final SimFabric fabric;
    /** Between two looks whether the rank that was given the baton has taken it, and how many are too many. */
    private static final long LOOK_NS = 250_000_000;
    private static final int MOST_LOOKS = 20;

    private final OnDeadlock onDeadlock;
    /** Which of the messages that could arrive do; null when that is left to time. */
    private final ArrivalOrder order;
    private final Thread caller = Thread.currentThread();
    private final Rand rand;
    /** What goes wrong with ranks; null when nothing does. */
    private final Faults faults;
    /** What starts ranks and declares them dead; null where none dies. */
    private SimulatedLauncher launcher;
    private RankTime[] ranks = {};
    private RankTime[] ready = {};
    private int readyCount;
    private int live;
    /** By job: the ranks that have not ended, and those of them that wait for the others to close their world. */
    private final int[] running;
    private final int[] closing;
    private volatile RankTime holder;
    /** Who had it, and has taken it, last; for the watch over both. */
    private volatile RankTime giver;
    private volatile RankTime taker;
    private volatile long handed;
    private volatile boolean over;
    private volatile boolean aborting;
    /** Changes whenever a rank goes on for another reason than a question. */
    private long round;
    private long picks;
    /** By job: when a rank of it was last chosen, and how many were at that moment before that one. */
    private final long[] pickedAt;
    private final int[] ties;
    private volatile Throwable broken;

    Baton(Events events, SimFabric fabric, long seed, ArrivalOrder order, Faults faults, OnDeadlock onDeadlock) {
        this.faults = faults;
        this.events = events;
        this.fabric = fabric;
        this.rand = new Rand(seed);
        this.order = order;
        this.onDeadlock = onDeadlock;
        int jobs = fabric.placement().jobs();
        running = new int[jobs];
        closing = new int[jobs];
        pickedAt = new long[jobs];
        ties = new int[jobs];
        Arrays.fill(pickedAt, -1);
    }

    /** Has ranks die and be started by this launcher. */
    void launcher(SimulatedLauncher by) {
        launcher = by;
    }

    /** Runs ranks until the last has ended; all are ready but those that the launcher starts later. */
    void run(RankTime[] all) {
        run(all, null);
    }

    /**
     * The same.
     *
     * @param watch looks after them from the calling thread; null for none
     */
    void run(RankTime[] all, CallerWatch watch) {
        ranks = all;
        ready = new RankTime[all.length];
        for (RankTime rank : all) {
            if (launcher == null || launcher.startsAtOnce(rank.place)) {
                begins(rank);
                makeReady(rank);
            }
        }
        give(choose());
        long given = -1;
        for (int looks = 0; !over; looks++) {
            LockSupport.parkNanos(this, LOOK_NS);
            if (watch != null) {
                watch.look();
            }
            RankTime waiting = holder;
            if (waiting == null || waiting == taker || handed != given) {
                given = handed;
                looks = 0;
            } else if (looks >= MOST_LOOKS) {
                throw new Aborted(waiting + " is to run and cannot: " + giver
                        + " waits inside a static initializer or native code, and keeps the one thread that carries"
                        + " all ranks. Call Rankwire from main, or give the ranks more of those threads: --jvm"
                        + " -Djdk.virtualThreadScheduler.parallelism=" + (ranks.length + 1), 1);
            }
        }
        if (watch != null) {
            watch.end();
        }
        if (broken != null) {
            throw new IllegalStateException("the simulation failed: " + broken, broken);
        }
    }

    /** Whether a rank whose clock is at this time must let others go first. */
    boolean isAhead(long clockPs) {
        if (readyCount > 0 || order != null && order.kept() > 0) {
            return true;
        }
        long next = events.nextTime();
        return next >= 0 && next <= clockPs;
    }

    /** Whether a rank is killed before its clock comes to this time. */
    boolean isDead(int rank, long clockPs) {
        return faults != null && faults.diesBy(rank, clockPs);
    }

    /** Whether it is decided, and not left to time, which messages arrive. */
    boolean isOrdered() {
        return order != null;
    }

    boolean aborting() {
        return aborting;
    }

    /** From now on every rank that waits goes on at once, with an error. */
    void abort() {
        aborting = true;
    }

    RankTime holder() {
        return holder;
    }

    /** The rank that has the baton waits; returns when it has it again. */
    void pass(RankTime from) {
        if (faults != null) {
            from.freeAt = events.now() + faults.turnPs(from.rank);
        }
        closing[from.job] += from.state == RankTime.State.ENDING ? 1 : 0;
        RankTime next = next();
        if (next == from) {
            return;
        }
        giver = from;
        give(next);
        boolean interrupted = false;
        while (holder != from) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        taker = from;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A rank begins, with the baton. */
    void begin(RankTime rank) {
        taker = rank;
    }

    /** A rank counts from now on: there is something that it has to do. */
    void begins(RankTime rank) {
        live++;
        running[rank.job]++;
    }

    /** A rank does not count any more. */
    void ends(RankTime rank) {
        live--;
        running[rank.job]--;
        round++;
    }

    /** The rank that has the baton has ended, and no longer counts. */
    void leave() {
        give(next());
    }

    /** A rank stops for good, if it is there and the program is not over; it does not have the baton. */
    boolean die(RankTime rank) {
        if (!rank.isThere() || haveAllClosed()) {
            return false;
        }
        for (int i = 0; i < readyCount; i++) {
            if (ready[i] == rank) {
                ready[i] = ready[--readyCount];
                ready[readyCount] = null;
            }
        }
        closing[rank.job] -= rank.state == RankTime.State.ENDING ? 1 : 0;
        if (rank.state != RankTime.State.SPARE) {
            ends(rank);
        }
        rank.die();
        return true;
    }

    private RankTime next() {
        try {
            return choose();
        } catch (RuntimeException | Error e) {
            broken = e;
            return null;
        }
    }

    private void give(RankTime next) {
        handed = handed + 1;
        holder = next;
        if (next == null) {
            over = true;
            LockSupport.unpark(caller);
        } else {
            next.wake();
        }
    }

    private void makeReady(RankTime rank) {
        closing[rank.job] -= rank.state == RankTime.State.ENDING ? 1 : 0;
        rank.state = RankTime.State.READY;
        ready[readyCount++] = rank;
    }

    /** The next to run; null when all have ended. */
    private RankTime choose() {
        while (true) {
            boolean moreNow = events.nextTime() == events.now() && !events.isEmpty();
            endClosed(moreNow);
            if (readyCount > 0 && !moreNow) {
                return pick();
            }
            if (!isQuiet() && !onlyKillsAreLeft() && events.next()) {
                happen();
            } else if (live == 0) {
                return null;
            } else {
                RankTime asked = calm();
                if (asked != null) {
                    return asked;
                }
            }
        }
    }

    /** Whether nothing will happen until a message that is kept back arrives, but that ranks look for one. */
    private boolean isQuiet() {
        if (order == null || order.kept() == 0) {
            return false;
        }
        int looking = 0;
        for (RankTime rank : ranks) {
            looking += rank.isLooking() ? 1 : 0;
        }
        return events.pending() == looking;
    }

    /** Whether all ranks have closed their world, and nothing would happen any more but that some are killed. */
    private boolean onlyKillsAreLeft() {
        return launcher != null && launcher.plannedKills() > 0 && events.pending() == launcher.plannedKills()
                && haveAllClosed();
    }

    /** Whether all ranks have closed their world: what happens now is none of the program's. */
    private boolean haveAllClosed() {
        for (RankTime rank : ranks) {
            if (rank.isThere() && rank.state != RankTime.State.ENDING && rank.state != RankTime.State.SPARE) {
                return false;
            }
        }
        return true;
    }

    private RankTime pick() {
        int place = readyCount == 1 ? 0 : rand.below(readyCount);
        RankTime rank = ready[place];
        ready[place] = ready[--readyCount];
        ready[readyCount] = null;
        ties[rank.job] = pickedAt[rank.job] == events.now() ? ties[rank.job] + 1 : 0;
        pickedAt[rank.job] = events.now();
        events.note(fabric.actor(rank.place), ++picks);
        rank.picked(ties[rank.job]);
        return rank;
    }

    private void happen() {
        if (!SimFabric.isOwn(events.kind())) {
            RankTime rank = ranks[events.target() - fabric.actor(0)];
            boolean goesOn = switch (events.kind()) {
                case TIMER -> rank.rings(events.first());
                case ALARM -> rank.isAlarmed();
                case RESUME -> rank.resumes();
                default -> launcher.happen(rank);
            };
            if (goesOn) {
                admit(rank);
            }
            return;
        }
        int moved = fabric.happen();
        if (moved >= 0 && ranks[moved].listens()) {
            admit(ranks[moved]);
        }
    }

    /** A rank can go on, unless a fault keeps it from that. */
    private void admit(RankTime rank) {
        if (faults != null) {
            long from = Math.max(faults.turnAt(rank.rank), rank.freeAt);
            if (from > events.now()) {
                if (rank.defer()) {
                    events.add(from, fabric.actor(rank.place), fabric.actor(rank.place), RESUME, 0, 0);
                }
                return;
            }
        }
        round++;
        makeReady(rank);
    }

    /**
     * Of several jobs, lets those go on whose ranks have all closed their world and have nothing on its way: they need
     * not wait for what happens to other jobs.
     *
     * @param moreNow whether more happens at this moment
     */
    private void endClosed(boolean moreNow) {
        for (int job = 0; closing.length > 1 && !moreNow && job < closing.length; job++) {
            if (closing[job] > 0 && closing[job] == running[job] && fabric.underWay(job) == 0 && !hasAlarm(job)) {
                for (RankTime rank : ranks) {
                    if (rank.job == job && rank.state == RankTime.State.ENDING) {
                        rank.allEnd = true;
                        makeReady(rank);
                    }
                }
                round++;
            }
        }
    }

    private boolean hasAlarm(int job) {
        for (RankTime rank : ranks) {
            if (rank.job == job && rank.hasAlarm()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the job. */
    void giveUp() {
        onDeadlock.proven();
        if (!aborting) {
            throw new IllegalStateException("no rank can go on");
        }
    }

    /**
     * Nothing is pending and no rank is ready: asks a rank, or lets those go on that wait for the end; or it is one.
     */
    private RankTime calm() {
        RankTime unasked = null;
        RankTime undoubted = null;
        boolean paused = false;
        for (RankTime rank : ranks) {
            if (rank.state == RankTime.State.PAUSED) {
                paused = true;
                unasked = unasked == null && !rank.asked ? rank : unasked;
                undoubted = undoubted == null && rank.doubted != round ? rank : undoubted;
            }
        }
        if (unasked != null) {
            unasked.ask(false);
            return unasked;
        }
        if (order != null && order.kept() > 0) {
            List<Integer> moved = order.next(ranks);
            for (int rank : moved) {
                if (ranks[rank].listens()) {
                    round++;
                    makeReady(ranks[rank]);
                }
            }
            if (!moved.isEmpty()) {
                return null;
            }
            giveUp();
        }
        if (undoubted != null && !aborting) {
            undoubted.doubted = round;
            undoubted.ask(true);
            return undoubted;
        }
        if (paused && !aborting) {
            giveUp();
        }
        for (RankTime rank : ranks) {
            if (rank.state == RankTime.State.PAUSED || rank.state == RankTime.State.ENDING) {
                rank.allEnd = !paused;
                makeReady(rank);
            }
        }
        round++;
        return null;
    }
}
