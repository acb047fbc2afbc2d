package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceFault;
import io.rankwire.device.Operation;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.PeerLost;
import io.rankwire.launch.Board;
import io.rankwire.launch.VirtualTime;
import io.rankwire.memory.Rand;
import io.rankwire.trace.SleepEvent;
import io.rankwire.trace.Trace;
import io.rankwire.type.Copy;
import io.rankwire.wire.MatchWord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Drives a device: the only class that takes its lock, reads the clock and idles. Every call of the program runs
 * through it. A waiting thread keeps the lock and polls; it releases the lock when another thread wants it. It first
 * spins, then yields, then sleeps; a sleeping thread shows on the board what it waits for, so that a deadlock can be
 * proven. While no thread of the program makes a call, a {@link ProgressThread} may visit the device and drive it.
 */
public final class Host {
    /** Describes what a call waits for; used only when it has waited long. */
    public interface Waiting {
        /** Returns the call, its peer and the program's line. */
        String describe();

        /** Returns the world rank that could end the wait, or -1. */
        default int peer() {
            return -1;
        }

        /** Names the program's messages that could end the wait. */
        default void name(VirtualTime.Wishes to) {
            to.message(VirtualTime.OTHER, MatchWord.ANY, MatchWord.ANY);
        }

        /** Called from time to time in a long wait: throws if the wait can never end. */
        default void suspect() {}
    }

    /** A receive of this size may need several steps, on both sides. */
    static final int LARGE_BYTES = 16 << 10;

    private static final int CLOCK_MASK = 63;
    /** Polls before the first yield: tens of microseconds. Longer would keep the cores from the JVM's own compiler. */
    private static final int MOST_SPINS = 8_000;
    /** Reads of lines of shared memory between two polls. */
    private static final int LOOKS = 16;
    /** Polls before the first yield while other threads need the core: longer than most waits for a running rank. */
    private static final int LEAST_SPINS = 32;
    /** The same where there are more ranks than processors: the wait may be for one of those threads. */
    private static final int LEAST_SPINS_CROWDED = 8;
    /** The same while a poll takes longer than a yield, because it is not compiled yet. */
    private static final int LEAST_SPINS_COLD = 4;
    /** A compiled poll takes less, in shared memory and with a system call. */
    private static final long COLD_POLL_NS = 250;
    private static final long COLD_CALL_NS = 1_500;
    /** Yields after which polls count as compiled even if they take longer. */
    private static final int MOST_COLD_YIELDS = 20_000;
    /** A yield that takes longer has let another thread run. */
    private static final long SWITCH_NS = 1_500;
    /** Polls before the first sleep, most of them with a yield each: some milliseconds. */
    private static final int POLLS = 18_000;
    /** The same in time, for a busy machine on which each yield lets others run. */
    private static final long MOST_YIELDED_NS = 50_000_000;
    /** The same for a network, which ends a sleep when something comes, but not a yield. */
    private static final long MOST_YIELDED_TO_NETWORK_NS = 200_000;
    /** What {@link #rest} returns if it is time to sleep. */
    private static final long TO_SLEEP = -1;
    private static final long FIRST_SLEEP_NS = 20_000;
    private static final long LONGEST_SLEEP_NS = 1_000_000;
    /** The longest sleep grows with the ranks that share a processor, at most this many times. */
    private static final int MOST_CROWD = 16;
    /** Sleeps before the board shows the wait: some milliseconds. */
    private static final int SLEEPS_BEFORE_REPORT = 8;

    public final Device device;
    public final ConfinedMemory confined;
    final Visits visits;
    public final Actions actions;
    final LateErrors late;
    private final DeviceLock lock;
    private final Board board;
    public final OtherRanks others;
    public final PeerLosses losses;
    /** Null in real time. */
    private final VirtualTime virtual;
    /** Rounds of progress between two reads of the clock, less one. */
    private final int clockMask;
    private final int rank;
    private final int leastSpins;
    private final long longestSleepNs;
    /** What an empty poll counts among the spins: those of a network take longer. */
    private final int pollCost;
    /** Polls before the first yield, adapted to how long the last yields took. */
    private int spins;
    /**
     * Yields before polls count as compiled; 0 after a quick poll. To spin before would keep the compiler from a
     * processor, and would have it compile the poll that finds nothing ahead of everything else.
     */
    private int coldYields = MOST_COLD_YIELDS;

    /** Chooses which of several requests is checked first, so that no pattern of calls can starve one of them. */
    private final Rand turns;

    private final BlockedWaits blocked;
    public final HostCounts counts = new HostCounts();
    /** Threads that sleep inside calls. They poll when they wake, so no visitor drives the device meanwhile. */
    private int sleepers;
    private long nowNs;
    /** Operations of calls that have ended with an exception, which could not be withdrawn. */
    private final List<Operation> abandoned = new ArrayList<>();
    long rounds;
    /** Threads inside a waiting call that have released the lock for a moment. */
    private int resting;
    /** The thread that closes the world, and its program line; null before. */
    private Thread closer;
    private String closedAt;

    /**
     * @param ranksHere ranks of the job on this host
     * @param virtual the clock of a simulation, or null for real time
     */
    Host(Device device, Board board, int rank, int ranksHere, VirtualTime virtual) {
        this.device = device;
        this.board = board;
        this.others = new OtherRanks(board);
        this.losses = new PeerLosses(device, board, rank, virtual != null);
        this.rank = rank;
        this.virtual = virtual;
        this.turns = new Rand(rank);
        this.clockMask = virtual == null ? CLOCK_MASK : 0;
        this.lock = new DeviceLock(virtual != null);
        this.blocked = new BlockedWaits(device, board, rank);
        int processors = Runtime.getRuntime().availableProcessors();
        boolean crowded = ranksHere > processors;
        this.longestSleepNs = Math.clamp(ranksHere / processors, 1, MOST_CROWD) * LONGEST_SLEEP_NS;
        this.pollCost = virtual != null ? 1 : device.pollCost();
        // A wait for a running rank takes as many polls of a network as of shared memory: a message takes longer, too.
        this.leastSpins = crowded ? LEAST_SPINS_CROWDED : LEAST_SPINS * pollCost;
        this.spins = virtual != null ? 1 : LEAST_SPINS_COLD;
        this.confined = new ConfinedMemory(lock, device, rank);
        this.visits = new Visits(this, lock, rank);
        this.actions = new Actions(lock, device, rank);
        this.late = new LateErrors(lock);
        if (virtual != null) {
            virtual.device(new DrivenDevice(this));
        }
    }

    /** Takes the lock for a call of the program. */
    public void lock() {
        lock.lock();
        counts.calls++;
    }

    /** Runs a part of the end of the world, or of a call that fails, with the lock. Does not run the lock's guard. */
    void lockedAtEnd(Runnable part) {
        try {
            lock.lockAgain();
            part.run();
        } finally {
            unlock();
        }
    }

    /** Releases the lock at the end of a call, and runs the program's actions that are due. */
    public void unlock() {
        lock.unlock();
        actions.runDue();
    }

    /** Runs a call that other ranks take part in: errors of earlier messages do not end it, but wait for its end. */
    public <T> T withoutLateErrors(Supplier<T> call) {
        lock.lockOnly();
        late.hold();
        try {
            unlock();
            return call.get();
        } finally {
            lock.lockOnly();
            late.deliver();
            unlock();
        }
    }

    /** Runs one round of progress; the caller has the lock. */
    public int progress() {
        return (++rounds & clockMask) == 0 ? progressByClock(false) : device.progress(nowNs);
    }

    /** Runs one round of progress for a call that does not wait and looks for a message with this source and tag. */
    public int progress(int context, int source, int tag) {
        if (virtual != null) {
            virtual.looks(context, source, tag);
        } else {
            losses.look();
        }
        return progress();
    }

    /** Runs one round of progress for a call that does not wait and tests an operation. */
    public int progress(Operation operation) {
        if (operation.isReceive()) {
            return progress(operation.context(), operation.peer(), operation.tag());
        }
        losses.look();
        return progress();
    }

    /** Polls every peer; the caller has the lock. Returns 0 if no frame has arrived and none can be sent. */
    int progressAll() {
        return progressByClock(true);
    }

    private int progressByClock(boolean all) {
        nowNs = virtual == null ? System.nanoTime() : virtual.drive(!all);
        if (!abandoned.isEmpty()) {
            releaseAbandoned();
        }
        try {
            return losses.advance(nowNs) + (all ? device.progressAll(nowNs) : device.progress(nowNs));
        } finally {
            if (virtual != null) {
                virtual.driven(device.dueNs());
            }
        }
    }

    private void releaseAbandoned() {
        for (int i = abandoned.size() - 1; i >= 0; i--) {
            if (abandoned.get(i).isDone()) {
                device.release(abandoned.remove(i));
            }
        }
    }

    /** Lets virtual time pass for a computation of the program; no effect in real time. Called without the lock. */
    public void spend(long ns) {
        if (virtual == null) {
            return;
        }
        lock();
        try {
            virtual.spend(ns);
        } finally {
            unlock();
        }
    }

    /** Called when a collective call that uses messages begins; the caller has the lock. */
    public void beginsCollective() {
        if (virtual != null) {
            virtual.collective();
        }
    }

    /** Returns the real or virtual time. */
    public long nowNs() {
        return virtual == null ? System.nanoTime() : virtual.nowNs();
    }

    /** Waits some time, or in virtual time for a frame, without the lock; true if all other ranks have ended too. */
    boolean restAtEnd(long ns) {
        if (virtual != null) {
            return virtual.pauseAtEnd();
        }
        LockSupport.parkNanos(ns);
        return false;
    }

    /** Returns a random number below the given one. */
    public int oneOf(int places) {
        return turns.below(places);
    }

    /** Whether a thread sleeps inside a call; an estimate for threads without the lock. */
    public boolean sleeping() {
        return sleepers != 0;
    }

    /** Whether a thread waits inside a call and has released the lock for a moment; an estimate like the above. */
    boolean waiting() {
        return resting + sleepers != 0;
    }

    /** Waits until the operation is done; the caller has the lock, which is released for moments. */
    public void await(Operation operation, String call, Endpoint on) {
        if (!operation.isDone()) {
            poll(operation, operation, null, call, on);
        }
    }

    /** Waits until the condition holds. It is not evaluated again after that, because it may have side effects. */
    public void await(BooleanSupplier condition, Waiting what) {
        if (!condition.getAsBoolean()) {
            poll(null, condition, what, null, null);
        }
    }

    /**
     * Polls until the wait is over: the one loop in which calls wait.
     *
     * @param operation the operation to wait for, which then is the condition too and is faster to check; else null
     * @param what describes the wait; null for an operation, whose description is created when it is needed
     */
    private void poll(Operation operation, BooleanSupplier condition, Waiting what, String call, Endpoint on) {
        counts.waits++;
        TracedWait traced = Trace.on ? TracedWait.begin(counts) : null;
        try {
            pollUntilOver(operation, condition, what, call, on);
        } finally {
            if (traced != null) {
                traced.end(rank, what != null ? what : new OperationWait(operation, call, on));
            }
        }
    }

    private void pollUntilOver(
            Operation operation, BooleanSupplier condition, Waiting what, String call, Endpoint on) {
        int idle = 0;
        long yielded = 0;
        do {
            if (progress() != 0) {
                idle = 0;
                yielded = 0;
                actions.handleInside();
            } else if ((idle += pollCost) >= spins || lock.wanted()) {
                long ns = rest(idle, yielded);
                yielded += ns;
                if (ns == TO_SLEEP) {
                    if (sleep(condition, what != null ? what : new OperationWait(operation, call, on))) {
                        return;
                    }
                    idle = 0;
                    yielded = 0;
                    actions.handleInside();
                } else if (closer != null) {
                    checkClosed(what != null ? what : new OperationWait(operation, call, on));
                }
            }
        } while (operation != null ? !operation.isDone() : !condition.getAsBoolean());
    }

    /** Returns how often to check a condition in shared memory between two rounds of progress. */
    public int looks() {
        return spins <= leastSpins ? 1 : LOOKS;
    }

    /** Yields, and returns for how long, in ns; or {@link #TO_SLEEP} if it is time to sleep instead. */
    private long rest(int idle, long yielded) {
        device.rest();
        Trace.look();
        if (actions.ranInside()) {
            return 0;
        }
        if (virtual != null) {
            return progressAll() == 0 && pause() != VirtualTime.Wake.LOOK ? TO_SLEEP : 0;
        }
        if (idle >= POLLS || yielded >= (pollCost > 1 ? MOST_YIELDED_TO_NETWORK_NS : MOST_YIELDED_NS)) {
            return TO_SLEEP;
        }
        if (coldYields > 0 && pollCold() != 0) {
            return 0;
        }
        resting++;
        lock.unlock();
        long before = System.nanoTime();
        Thread.yield();
        long ns = System.nanoTime() - before;
        try {
            lock.lockAgain();
        } finally {
            resting--;
        }
        counts.waitNs += ns;
        spins = coldYields > 0 ? LEAST_SPINS_COLD : ns > SWITCH_NS ? leastSpins : Math.min(2 * spins, MOST_SPINS);
        return ns;
    }

    /** Runs one round of progress and finds out whether it is compiled. */
    private int pollCold() {
        long before = System.nanoTime();
        int work = progress();
        long took = System.nanoTime() - before;
        coldYields = took < (pollCost > 1 ? COLD_CALL_NS : COLD_POLL_NS) ? 0 : coldYields - 1;
        return work;
    }

    /** Sleeps in growing steps. Returns false when progress has found work, and true when the condition holds. */
    private boolean sleep(BooleanSupplier condition, Waiting what) {
        if (virtual != null) {
            sleepInVirtualTime(what);
            return false;
        }
        boolean interrupted = false;
        boolean shown = false;
        long round = -1;
        long pause = FIRST_SLEEP_NS;
        long before = System.nanoTime();
        SleepEvent event = Trace.on ? TracedWait.sleep() : null;
        int sleeps = 0;
        sleepers++;
        try {
            for (; !condition.getAsBoolean(); sleeps++) {
                if (sleeps == SLEEPS_BEFORE_REPORT && !(what instanceof TimedWait)) {
                    shown = true;
                    blocked.begin(what.peer(), what.describe());
                }
                checkAborted(what);
                if (shown) {
                    what.suspect();
                }
                lock.unlock();
                device.sleep(pause);
                interrupted |= Thread.interrupted();
                lock.lockAgain();
                if (progressAll() != 0 || actions.isDue()) {
                    board.stir(rank);
                    return false;
                }
                device.rest();
                if (shown) {
                    round = blocked.countPoll(round);
                }
                pause = Math.min(2 * pause, longestSleepNs);
            }
            return true;
        } finally {
            sleepers--;
            counts.sleeps++;
            counts.waitNs += System.nanoTime() - before;
            if (event != null) {
                TracedWait.awake(event, rank, what.peer(), sleeps + 1);
            }
            if (shown) {
                blocked.end();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private VirtualTime.Wake pause() {
        long before = virtual.readNs();
        VirtualTime.Wake wake = virtual.pause(device.dueNs());
        counts.waitNs += virtual.readNs() - before;
        return wake;
    }

    /** Shows the wait on the board, and waits until virtual time has brought something or the job is aborted. */
    private void sleepInVirtualTime(Waiting what) {
        blocked.begin(what.peer(), what.describe());
        try {
            checkAborted(what);
            what.name(virtual.waits());
            for (VirtualTime.Wake wake = pause(); wake != VirtualTime.Wake.LOOK; wake = pause()) {
                checkAborted(what);
                if (wake == VirtualTime.Wake.DOUBT) {
                    what.suspect();
                }
            }
            checkAborted(what);
        } finally {
            blocked.end();
        }
    }

    /** Wakes the progress thread, because a nonblocking call has left an operation that needs progress to end. */
    public void wakeProgress() {
        visits.wakeVisitor();
    }

    /** Sets what the board shows of the collective calls of this rank in long waits. */
    void showCollectives(Supplier<String> calls) {
        blocked.showCalls(calls);
    }

    /** Waits some time for another rank to show what it does, for a report; the caller has the lock. */
    public void awaitStopped(int worldRank, String what) {
        if (virtual != null) {
            return;
        }
        blocked.begin(worldRank, what);
        OtherRanks.holdsSoon(() -> others.hasStopped(worldRank) || board.isElsewhere(worldRank) || board.aborted());
        blocked.end();
    }

    private void checkAborted(Waiting what) {
        if (board.aborted()) {
            throw losses.givenUp(what.describe());
        }
        lock.checkFailed();
        checkClosed(what);
    }

    private void checkClosed(Waiting what) {
        if (closer != null && closer != Thread.currentThread()) {
            throw new RankwireException(ErrorClass.CLOSED, "rank " + rank + ": " + what.describe()
                    + " was given up: thread " + closer.getName() + " has closed the world" + closedAt);
        }
    }

    /** Ends the calls in which other threads wait, and waits until they have ended; returns whether there were any. */
    boolean endWaits() {
        try {
            lock.lockAgain();
            closer = Thread.currentThread();
            boolean any = resting + sleepers > 0;
            // Finding the line takes a tenth of the time of a short program.
            closedAt = any ? CallSite.find() : "";
            while (resting + sleepers > 0) {
                lock.unlock();
                LockSupport.parkNanos(FIRST_SLEEP_NS);
                lock.lockAgain();
            }
            return any;
        } finally {
            unlock();
        }
    }

    /** Closes the device and makes every later call fail; the caller has the lock. */
    void shut() {
        device.close();
        lock.guardFromAll(() -> {
            throw new RankwireException(ErrorClass.CLOSED, "rank " + rank + ": the world is closed" + CallSite.find());
        });
    }

    /** Gives up an operation whose call ends with an exception; the caller has the lock. */
    public void abandon(Operation operation, RuntimeException why) {
        try {
            if (!device.giveUp(operation)) {
                operation.abandon();
                abandoned.add(operation);
            }
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    /** As {@link #translate(RuntimeException, String)}, for a call whose buffer another thread may have closed. */
    public RuntimeException translate(RuntimeException e, String call, Object base) {
        return e instanceof IllegalStateException && Copy.hasEnded(base)
                ? new RankwireException(ErrorClass.BUFFER, "rank " + rank + ": " + call
                        + ": the memory of its buffer was closed while it was under way" + CallSite.find(), e)
                : translate(e, call);
    }

    /** As {@link PeerLosses#error}. */
    public RankwireException lost(String what, PeerLost cause) {
        return losses.error(what, cause);
    }

    /** Turns exceptions of the device and the fabric into exceptions of the API; other exceptions stay as they are. */
    public RuntimeException translate(RuntimeException e, String call) {
        if (e instanceof PeerLost lost) {
            return losses.unreachable(lost, call);
        } else if (e instanceof LateErrors.LateError late) {
            return late.error();
        }
        boolean ofALayer = e instanceof DeviceFault || e instanceof FabricException;
        return ofALayer
                ? new RankwireException(ErrorClass.RESOURCE, "rank " + rank + ": " + call + ": " + e.getMessage(), e)
                : e;
    }
}
