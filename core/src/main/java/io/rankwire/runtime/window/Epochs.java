package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.runtime.CallName;
import io.rankwire.runtime.HostCounts;
import io.rankwire.runtime.RankSet;

/**
 * Which accesses a rank may make on a window now, and what may be opened or closed. Accesses need an epoch towards
 * their target: between fences, between start and complete, or under a lock. An epoch that a fence has opened and no
 * access has used gives way to any other.
 */
final class Epochs {
    private static final byte FREE = 0;
    private static final byte SHARED = 1;
    private static final byte EXCLUSIVE = 2;

    private final WindowEndpoint window;
    private final HostCounts counts;
    /** Lock held at each rank. */
    private final byte[] locks;
    private int locked;
    private boolean all;
    private boolean fence;
    private volatile boolean fenceUsed;
    private RankSet started;
    private RankSet posted;
    private volatile int claims;
    private final CallName startCall = new CallName("start", "start");
    private final CallName postCall = new CallName("post", "post");

    Epochs(WindowEndpoint window, int size, HostCounts counts) {
        this.window = window;
        this.counts = counts;
        this.locks = new byte[size];
    }

    /** An access to a rank is about to be made. */
    void access(String call, int rank) {
        // One access in 256 takes in deaths; what ends an epoch does so in any case.
        if (--counts.untilGrant < 0) {
            counts.grant();
            window.look();
        }
        if (fence) {
            if (!fenceUsed) {
                fenceUsed = true;
            }
        } else if (!all && locks[rank] == FREE && (started == null || !holds(started, rank))) {
            if (started != null) {
                throw window.wrong(ErrorClass.WINDOW, call + " at rank " + rank + ": the " + line(startCall)
                        + " does not name it");
            }
            throw window.wrong(ErrorClass.WINDOW, call + " at rank " + rank
                    + ": no epoch is open towards it; call fence, start, lock or lockAll first");
        }
    }

    /** Whether an access to a rank is allowed now. */
    boolean isOpen(int rank) {
        return fence || all || locks[rank] != FREE || started != null && holds(started, rank);
    }

    /** An access that is allowed is about to be made. */
    void used() {
        if (fence && !fenceUsed) {
            fenceUsed = true;
        }
    }

    /** As {@link #isOpen}. If so, {@link #isClaimed} until {@link #release}: what ends an epoch reports that. */
    synchronized boolean claim(int rank) {
        boolean isOpen = isOpen(rank);
        if (isOpen) {
            claims++;
        }
        return isOpen;
    }

    synchronized void release() {
        claims--;
    }

    /** Whether accesses that the network makes whenever it likes rely on an epoch. */
    boolean isClaimed() {
        return claims > 0;
    }

    private boolean holds(RankSet group, int rank) {
        return group.rankOf(window.worldRank(rank)) >= 0;
    }

    synchronized void fence() {
        checkNoLock("fence");
        checkNoGroup("fence");
        fence = true;
        fenceUsed = false;
    }

    synchronized void start(RankSet group) {
        checkNoFence("start");
        checkNoLock("start");
        checkNoStart("start");
        startCall.used();
        started = group;
    }

    /** The ranks of the epoch that ends. */
    synchronized RankSet started() {
        if (started == null) {
            throw missing("complete", startCall, "completed");
        }
        return started;
    }

    synchronized boolean isStarted() {
        return started != null;
    }

    synchronized void completed() {
        started = null;
    }

    synchronized void post(RankSet group) {
        checkNoFence("post");
        checkNoPost("post");
        postCall.used();
        posted = group;
    }

    synchronized void checkPosted(String call) {
        if (posted == null) {
            throw missing(call, postCall, "awaited");
        }
    }

    synchronized void awaited() {
        posted = null;
    }

    synchronized void lock(int rank, boolean exclusive) {
        checkNoFence("lock");
        checkNoStart("lock");
        if (all || locks[rank] != FREE) {
            throw window.wrong(ErrorClass.WINDOW, "lock: rank " + rank + " is locked already by this rank");
        }
        locks[rank] = exclusive ? EXCLUSIVE : SHARED;
        locked++;
    }

    /**
     * Whether the lock that ends was exclusive. Unsynchronized, like accesses: the program calls unlock after its lock
     * has returned.
     */
    boolean exclusive(int rank) {
        if (locks[rank] == FREE) {
            throw window.wrong(ErrorClass.WINDOW, "unlock: rank " + rank + " is not locked by this rank"
                    + (all ? " alone, but with lockAll: call unlockAll" : ""));
        }
        return locks[rank] == EXCLUSIVE;
    }

    synchronized void unlocked(int rank) {
        locks[rank] = FREE;
        locked--;
    }

    synchronized boolean isLocked(int rank) {
        return locks[rank] != FREE;
    }

    synchronized boolean isAll() {
        return all;
    }

    synchronized void lockAll() {
        checkNoFence("lockAll");
        checkNoStart("lockAll");
        checkNoLock("lockAll");
        all = true;
    }

    synchronized void checkAll() {
        if (!all) {
            throw window.wrong(ErrorClass.WINDOW, "unlockAll without lockAll");
        }
    }

    synchronized void unlockedAll() {
        all = false;
    }

    /** Flushes only make sense under a lock. */
    synchronized void checkLocked(String call, int rank) {
        if (!all && (rank < 0 ? locked == 0 : locks[rank] == FREE)) {
            throw window.wrong(ErrorClass.WINDOW, call + (rank < 0 ? ": nothing" : ": rank " + rank)
                    + " is locked by this rank; call lock or lockAll first");
        }
    }

    synchronized void checkIdle(String call) {
        checkNoLock(call);
        checkNoGroup(call);
    }

    private static String line(CallName call) {
        return call.describe(CallName.Form.BLOCKING);
    }

    /** What should have been begun by an earlier call was not, or has ended already. */
    private RankwireException missing(String call, CallName begins, String ended) {
        return window.wrong(ErrorClass.WINDOW, call + " without " + begins.name(CallName.Form.BLOCKING)
                + (begins.isUsed() ? ": the " + line(begins) + " has been " + ended + " already" : ""));
    }

    private void checkNoFence(String call) {
        if (fence && fenceUsed) {
            throw window.wrong(ErrorClass.WINDOW, call + ": accesses were made since the last fence; call fence first");
        }
        fence = false;
    }

    private void checkNoLock(String call) {
        if (all) {
            throw window.wrong(ErrorClass.WINDOW, call + ": this rank has locked all; call unlockAll first");
        }
        for (int rank = 0; locked > 0 && rank < locks.length; rank++) {
            if (locks[rank] != FREE) {
                throw window.wrong(ErrorClass.WINDOW, call + ": this rank has locked rank " + rank
                        + "; call unlock first");
            }
        }
    }

    private void checkNoStart(String call) {
        if (started != null) {
            throw window.wrong(ErrorClass.WINDOW, call + ": the " + line(startCall)
                    + " has not been completed; call complete first");
        }
    }

    private void checkNoGroup(String call) {
        checkNoStart(call);
        checkNoPost(call);
    }

    private void checkNoPost(String call) {
        if (posted != null) {
            throw window.wrong(ErrorClass.WINDOW, call + ": the " + line(postCall)
                    + " has not been awaited; call await first");
        }
    }
}
