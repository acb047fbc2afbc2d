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
import io.rankwire.type.Copy;
import io.rankwire.wire.MatchWord;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Drives a device: the only place that locks, reads the clock and idles. A waiting thread keeps the device and polls;
 * it gives it up when another thread wants it. Waiting is spinning at first, then yielding, then sleeping; a sleeper
 * says on the board what it waits for, so that a deadlock can be proven. While no thread of the program calls, a
 * {@link ProgressThread} may visit the device and drive it.
 */
public final class Host implements Board.Caller {
    /** Says what a waiting call waits for; asked only when it has waited long. */
    public interface Waiting {
        String describe();

        /** The world rank that could end the wait, or -1. */
        int peer();

        /** Names the program's messages that could end the wait. */
        default void name(VirtualTime.Wishes to) {
            to.message(VirtualTime.OTHER, MatchWord.ANY, MatchWord.ANY);
        }

        /** Called now and then when it has waited long: throws if it can be known that the wait is in vain. */
        default void suspect() {}
    }

    /** A receive of that size may need several steps, on both sides. */
    public static final int LARGE_BYTES = 16 << 10;

    private static final int CLOCK_MASK = 63;
    /** Polls before the first yield: tens of microseconds. Longer would keep the cores from the JVM's own compiler. */
    private static final int MOST_SPINS = 8_000;
    /** Looks at lines of shared memory between two polls. */
    private static final int LOOKS = 16;
    /** As long as others need the core: whoever is waited for may be one of them. */
    private static final int LEAST_SPINS = 8;
    /** A yield that takes longer has let someone else run. */
    private static final long SWITCH_NS = 1_500;
    /** Polls before the first sleep, most of them with a yield each: some milliseconds. */
    private static final int POLLS = 18_000;
    private static final long FIRST_SLEEP_NS = 20_000;
    private static final long LONGEST_SLEEP_NS = 1_000_000;
    /** Sleeps before the board is told: some milliseconds. */
    private static final int SLEEPS_BEFORE_TELLING = 8;
    private static final long VERDICT_NS = 2_000_000_000;

    public final Device device;
    public final ConfinedMemory confined;
    public final Visits visits;
    private final DeviceLock lock;
    private final Board board;
    public final OtherRanks others;
    /** Null where time is the machine's own. */
    private final VirtualTime virtual;
    /** Rounds of progress between two looks at the clock, less one. */
    private final int clockMask;
    private final int rank;
    /** Polls before the first yield, by what the last yields have shown. */
    private int spins;

    /** Which of several requests is looked at first: no pattern of calls keeps one of them from its turn. */
    private final Rand turns;

    private final BlockedWaits blocked;
    private int calls;
    /** Threads that sleep inside calls. They poll when they wake, so the device is not visited meanwhile. */
    private int sleepers;
    private long nowNs;
    private int rounds;
    /** Threads that let others have the lock for a moment inside a call that waits. */
    private int resting;
    /** The thread that closes the world, and its line; null before. */
    private Thread closer;
    private String closedAt;
    /** The peer that was lost last, and whether some call has told of it. */
    private PeerLost lost;
    private boolean toldLost;

    public Host(Device device, Board board, int rank, int size, VirtualTime virtual) {
        this.device = device;
        this.board = board;
        this.others = new OtherRanks(board);
        this.rank = rank;
        this.virtual = virtual;
        this.turns = new Rand(rank);
        this.clockMask = virtual == null ? CLOCK_MASK : 0;
        this.lock = new DeviceLock(virtual != null);
        this.blocked = new BlockedWaits(device, board, rank);
        boolean crowded = size > Runtime.getRuntime().availableProcessors();
        this.spins = virtual != null ? 1 : crowded ? LEAST_SPINS : MOST_SPINS;
        this.confined = new ConfinedMemory(lock, device, rank);
        this.visits = new Visits(this, lock, rank);
        if (virtual != null) {
            virtual.device(new DrivenDevice());
        } else {
            board.countCalls(rank, this);
        }
    }

    /** What whoever keeps the time may know of the device. */
    private final class DrivenDevice implements VirtualTime.Driven {
        @Override
        public int progress() {
            return progressAll();
        }

        @Override
        public void posted(VirtualTime.Wishes to) {
            device.forEachPosted(receive -> to.message(receive.context(), receive.peer(), receive.tag()));
        }
    }

    /** Begins a call of the program. */
    public void lock() {
        lock.lock();
        calls++;
    }

    @Override
    public int calls() {
        return calls;
    }

    /** As {@link #lock}, for the thread that ends the world: also when it is closed. */
    public void lockAtEnd() {
        lock.lockAgain();
    }

    public void unlock() {
        lock.unlock();
    }

    /** One round of progress; the caller has the lock. */
    public int progress() {
        return (++rounds & clockMask) == 0 ? progressByClock() : device.progress(nowNs);
    }

    /** One round of progress for a call that does not wait, and looks for such a message or receive. */
    public int progress(int context, int source, int tag) {
        if (virtual != null) {
            virtual.looks(context, source, tag);
        }
        return progress();
    }

    /** The same for an operation. */
    public int progress(Operation operation) {
        return operation.isReceive() ? progress(operation.context(), operation.peer(), operation.tag()) : progress();
    }

    private int progressByClock() {
        if (virtual == null) {
            nowNs = System.nanoTime();
            return advance() + device.progress(nowNs);
        }
        nowNs = virtual.drive(true);
        try {
            return advance() + device.progress(nowNs);
        } finally {
            virtual.driven();
        }
    }

    /** Looks at every peer; the caller has the lock. 0 means that nothing is here and nothing can be moved. */
    public int progressAll() {
        if (virtual == null) {
            nowNs = System.nanoTime();
            return advance() + device.progressAll(nowNs);
        }
        nowNs = virtual.drive(false);
        try {
            return advance() + device.progressAll(nowNs);
        } finally {
            virtual.driven();
        }
    }

    /** A fabric that repeats frames has to know the time, and may have given up a peer: then what waited is done. */
    private int advance() {
        PeerLost now = device.advance(nowNs);
        if (now == null) {
            return 0;
        }
        lost = now;
        toldLost = false;
        return 1;
    }

    /**
     * What a call throws that waits for a lost peer; the caller has the lock.
     *
     * @param what the call, its peer and the program's line
     * @param cause null for that of the last one lost
     */
    public RankwireException lost(String what, PeerLost cause) {
        toldLost = true;
        if (virtual == null) {
            awaitVerdict(what);
        }
        return new RankwireException(ErrorClass.PEER,
                "rank " + rank + ": " + what + ": " + (cause == null ? lost : cause).getMessage());
    }

    public boolean hasLost() {
        return lost != null;
    }

    /** Throws if a peer was lost and no call has told of it: what was sent there may not have arrived. */
    public void checkLost(String call) {
        if (lost != null && !toldLost) {
            throw lost(call + ": what was sent to rank " + lost.rank() + " may not have arrived", lost);
        }
    }

    /** The program computes for so long: time passes only where it is virtual. The caller does not have the lock. */
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

    /** A collective call begins that is made by messages; the caller has the lock. */
    public void beginsCollective() {
        if (virtual != null) {
            virtual.collective();
        }
    }

    public long nowNs() {
        return virtual == null ? System.nanoTime() : virtual.nowNs();
    }

    /**
     * This rank has ended its part and waits for the others, a while or until something has come; the caller does not
     * have the lock. Returns whether it is known that they have ended theirs.
     */
    public boolean restAtEnd(long ns) {
        if (virtual != null) {
            return virtual.pauseAtEnd();
        }
        LockSupport.parkNanos(ns);
        return false;
    }

    /** A place below the given number, another one each time. */
    public int oneOf(int places) {
        return turns.below(places);
    }

    /** Whether a thread sleeps inside a call; without the lock a guess. */
    public boolean sleeping() {
        return sleepers != 0;
    }

    public boolean isVirtual() {
        return virtual != null;
    }

    /** Returns when the operation is done; the caller has the lock and keeps it, save for moments. */
    public void await(Operation operation, String call, Endpoint on) {
        if (!operation.isDone()) {
            poll(operation, operation, null, call, on);
        }
    }

    /** Returns when the condition holds. It is not asked again once it did: asking may be taking. */
    public void await(BooleanSupplier condition, Waiting what) {
        poll(null, condition, what, null, null);
    }

    /**
     * The loop in which every call waits.
     *
     * @param operation what is waited for, or null for another condition; it is the condition then, and one look at it
     *     is fast
     * @param what describes the wait; null for an operation, of which a description is made when it is needed
     */
    private void poll(Operation operation, BooleanSupplier condition, Waiting what, String call, Endpoint on) {
        int idle = 0;
        while (operation != null ? !operation.isDone() : !condition.getAsBoolean()) {
            if (progress() != 0) {
                idle = 0;
            } else if (++idle >= spins || lock.wanted()) {
                if (rest(idle)) {
                    if (sleep(condition, what != null ? what : new OperationWait(operation, call, on))) {
                        return;
                    }
                    idle = 0;
                } else if (closer != null) {
                    checkClosed(what != null ? what : new OperationWait(operation, call, on));
                }
            }
        }
    }

    /** How often a condition in shared memory should be looked at between two rounds of progress. */
    public int looks() {
        return spins == LEAST_SPINS ? 1 : LOOKS;
    }

    /** Yields, or says that it is time to sleep. */
    private boolean rest(int idle) {
        device.rest();
        if (virtual != null) {
            return progressAll() == 0 && pause() != VirtualTime.Wake.LOOK;
        }
        if (idle >= POLLS) {
            return true;
        }
        resting++;
        unlock();
        long before = System.nanoTime();
        Thread.yield();
        boolean switched = System.nanoTime() - before > SWITCH_NS;
        try {
            lock.lockAgain();
        } finally {
            resting--;
        }
        spins = switched ? LEAST_SPINS : Math.min(2 * spins, MOST_SPINS);
        return false;
    }

    /** Sleeps in growing steps until something was done, or the condition holds: then it returns true. */
    private boolean sleep(BooleanSupplier condition, Waiting what) {
        if (virtual != null) {
            tell(what);
            return false;
        }
        boolean interrupted = false;
        boolean known = false;
        long polled = -1;
        long pause = FIRST_SLEEP_NS;
        sleepers++;
        try {
            for (int sleeps = 0; !condition.getAsBoolean(); sleeps++) {
                if (sleeps == SLEEPS_BEFORE_TELLING) {
                    known = true;
                    blocked.begin(what.peer(), what.describe());
                }
                checkAborted(what);
                if (sleeps >= SLEEPS_BEFORE_TELLING) {
                    what.suspect();
                }
                unlock();
                LockSupport.parkNanos(pause);
                interrupted |= Thread.interrupted();
                lock.lockAgain();
                if (progressAll() != 0) {
                    board.stir(rank);
                    return false;
                }
                device.rest();
                if (known) {
                    polled = blocked.polled(polled);
                }
                pause = Math.min(2 * pause, LONGEST_SLEEP_NS);
            }
            return true;
        } finally {
            sleepers--;
            if (known) {
                blocked.end();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private VirtualTime.Wake pause() {
        return virtual.pause(device.dueNs());
    }

    /** It seems that nothing will come: says so, and waits on until it is proven or wrong. */
    private void tell(Waiting what) {
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

    /** The program may now go and compute while something of it is under way that cannot end by itself. */
    public void leaveBehind() {
        visits.leaveBehind();
    }

    /** Has the last collective calls of this rank shown to others when it waits long. */
    public void showCollectives(Supplier<String> shown) {
        blocked.show(shown);
    }

    /**
     * A report needs to know what another rank does: waits a while for it to say so, and says here what this one does;
     * the caller has the lock.
     */
    public void awaitWord(int worldRank, String what) {
        if (virtual != null) {
            return;
        }
        blocked.begin(worldRank, what);
        for (long until = System.nanoTime() + VERDICT_NS;
                !others.hasStopped(worldRank) && !board.aborted() && System.nanoTime() < until; ) {
            LockSupport.parkNanos(LONGEST_SLEEP_NS);
        }
        blocked.end();
    }

    private void checkAborted(Waiting what) {
        if (board.aborted()) {
            throw givenUp(what.describe());
        }
        checkClosed(what);
    }

    private void checkClosed(Waiting what) {
        if (closer != null && closer != Thread.currentThread()) {
            throw new RankwireException(ErrorClass.CLOSED, "rank " + rank + ": " + what.describe()
                    + " was given up: thread " + closer.getName() + " has closed the world" + closedAt);
        }
    }

    /** Ends the calls in which other threads wait, and returns when they have: whether there were any. */
    public boolean endWaits() {
        try {
            lock.lockAgain();
            closer = Thread.currentThread();
            boolean any = resting + sleepers > 0;
            // Finding the line costs a short program a tenth of its time.
            closedAt = any ? CallSite.find() : "";
            while (resting + sleepers > 0) {
                unlock();
                LockSupport.parkNanos(FIRST_SLEEP_NS);
                lock.lockAgain();
            }
            return any;
        } finally {
            unlock();
        }
    }

    /** After this no thread that comes touches the device; the caller has the lock. */
    public void shut() {
        device.close();
        lock.guardFromAll(() -> {
            throw new RankwireException(ErrorClass.CLOSED, "rank " + rank + ": the world is closed" + CallSite.find());
        });
    }

    /** A call of one operation ends without its outcome; the caller has the lock. */
    public void abandon(Operation operation, RuntimeException why) {
        try {
            if (!device.giveUp(operation)) {
                operation.abandon();
            }
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    private RankwireException givenUp(String what) {
        return new RankwireException(ErrorClass.ABORTED,
                "rank " + rank + ": " + what + " was given up: " + board.abortReason());
    }

    /** Who watches the job will have seen why a peer is gone, and says it better than the call that missed it. */
    private void awaitVerdict(String call) {
        for (long until = System.nanoTime() + VERDICT_NS; System.nanoTime() < until; ) {
            if (board.aborted()) {
                throw givenUp(call);
            }
            LockSupport.parkNanos(LONGEST_SLEEP_NS);
        }
    }

    /** As the one below, for a call whose buffer's memory may have been closed by another thread. */
    public RuntimeException translate(RuntimeException e, String call, Object base) {
        return e instanceof IllegalStateException && Copy.hasEnded(base)
                ? new RankwireException(ErrorClass.BUFFER, "rank " + rank + ": " + call
                        + ": the memory of its buffer was closed while it was under way" + CallSite.find(), e)
                : translate(e, call);
    }

    /** Turns what the layers below throw into the one exception of this library. */
    public RuntimeException translate(RuntimeException e, String call) {
        if (e instanceof PeerLost) {
            awaitVerdict(call);
        }
        boolean ofALayer = e instanceof DeviceFault || e instanceof FabricException;
        return ofALayer
                ? new RankwireException(ErrorClass.RESOURCE, "rank " + rank + ": " + call + ": " + e.getMessage(), e)
                : e;
    }
}
