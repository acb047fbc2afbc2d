package io.rankwire.runtime;

import io.rankwire.launch.OwnThread;
import io.rankwire.launch.Progress;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that drives devices while their programs are outside any call; {@link Session} starts it. The helper of a
 * process serves all its ranks and sleeps most of the time. It visits a device only if the program has not made a call
 * since the last check and a check without the lock shows work. A dedicated thread serves one rank, never sleeps, and
 * drives the device until the program makes a call.
 */
final class ProgressThread extends Thread {
    private static final long SHORTEST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;
    /** While the program makes calls: a thread that wakes may take a processor from it for longer than it runs. */
    private static final long BUSY_PAUSE_NS = 20_000_000;
    private static final int MOST_CALLS_TO_SKIP = 1023;
    /** Checks of an operation that makes no progress, about a tenth of a second, before checks become rare. */
    private static final int VAIN_CHECKS = 250;
    private static final int FIRST_ROUNDS = 100;
    /** Rounds without work before the helper ends a visit: some tens of microseconds. */
    private static final int ROUNDS = 4_000;
    /** Visits after which the fence of the operating system is worth its preparation. */
    private static final int VISITS_BY_HANDSHAKE = 200;
    /** Spins of a dedicated thread between two visits. */
    private static final int SHORTEST_AWAY = 32;
    private static final int LONGEST_AWAY = 1024;

    private static ProgressThread helper;

    private final boolean dedicated;
    private volatile Watch[] watches = {};
    private volatile boolean over;
    private int visits;

    private ProgressThread(String name, boolean dedicated) {
        // In the top group and without inherited thread locals, because the thread may serve several ranks.
        super(OwnThread.group(), null, name, 0, false);
        this.dedicated = dedicated;
        setDaemon(true);
        setContextClassLoader(null);
    }

    /** The state of one served device. */
    private static final class Watch {
        final Host host;
        final long shortest;
        final long longest;
        final int rounds;
        long pause = BUSY_PAUSE_NS;
        /** The uses of the device at the last check. */
        int seen;
        /** Whether a call has woken the thread for this device. */
        boolean awake;
        /** Calls that will not wake the thread after its next long sleep. */
        int skip;
        /** Checks since the last work while an operation was under way. */
        int inVain;
        /** Whether the service has ended; guarded by the watch's monitor. */
        boolean gone;

        Watch(Host host, int ranksHere) {
            this.host = host;
            boolean crowded = ranksHere > Runtime.getRuntime().availableProcessors();
            shortest = crowded ? LONGEST_PAUSE_NS : SHORTEST_PAUSE_NS;
            longest = crowded ? 10 * LONGEST_PAUSE_NS : LONGEST_PAUSE_NS;
            rounds = crowded ? FIRST_ROUNDS : ROUNDS;
        }
    }

    /** Starts to serve a host's device in the way that the job has chosen; returns null if it has chosen none. */
    static ProgressThread serve(Host host, Progress how, int rank, int size, int ranksHere) {
        if (how == Progress.NONE || size == 1) {
            return null;
        }
        Watch watch = new Watch(host, ranksHere);
        if (how == Progress.THREAD) {
            return start("rankwire-progress-".concat(Integer.toString(rank)), true, watch);
        }
        synchronized (ProgressThread.class) {
            if (helper == null) {
                helper = start("rankwire-progress-".concat(Integer.toString(rank)), false, watch);
            } else {
                Watch[] more = Arrays.copyOf(helper.watches, helper.watches.length + 1);
                more[more.length - 1] = watch;
                helper.watches = more;
            }
            host.visits.visitor(helper);
            return helper;
        }
    }

    private static ProgressThread start(String name, boolean dedicated, Watch watch) {
        ProgressThread thread = new ProgressThread(name, dedicated);
        thread.watches = new Watch[] {watch};
        thread.start();
        return thread;
    }

    /** Ends the service of a device, and the thread with its last device. Throws the exception of a failed visit. */
    void leave(Host host) {
        try {
            host.visits.end();
        } finally {
            remove(host);
        }
    }

    private void remove(Host host) {
        synchronized (ProgressThread.class) {
            Watch[] all = watches;
            Watch[] fewer = new Watch[all.length - 1];
            int kept = 0;
            for (Watch watch : all) {
                if (watch.host != host) {
                    fewer[kept++] = watch;
                } else {
                    synchronized (watch) {
                        watch.gone = true;
                    }
                }
            }
            watches = fewer;
            if (kept > 0) {
                return;
            }
            over = true;
            if (helper == this) {
                helper = null;
            }
        }
        LockSupport.unpark(this);
        joinUninterruptibly();
    }

    private void joinUninterruptibly() {
        boolean interrupted = false;
        while (isAlive()) {
            try {
                join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        if (dedicated) {
            drive(watches[0]);
            return;
        }
        // A program that is starting needs the processor more than the helper does.
        LockSupport.parkNanos(this, BUSY_PAUSE_NS);
        while (!over) {
            long pause = Long.MAX_VALUE;
            for (Watch watch : watches) {
                pause = Math.min(pause, check(watch));
            }
            LockSupport.parkNanos(this, pause);
            Thread.interrupted();
        }
    }

    /** Checks a device, visits it if there is work, and returns the pause until the next check. */
    private long check(Watch watch) {
        // The device's memory must not be released meanwhile.
        synchronized (watch) {
            return watch.gone ? BUSY_PAUSE_NS : checkNow(watch);
        }
    }

    private long checkNow(Watch watch) {
        Host host = watch.host;
        int uses = host.visits.uses();
        boolean used = uses != watch.seen;
        watch.seen = uses;
        boolean inside = host.visits.inUse();
        boolean underWay = host.device.hasOperations();
        if (host.visits.woken() && !watch.awake) {
            watch.awake = true;
            watch.pause = watch.shortest;
        } else if (used || inside) {
            busy(watch);
            // The program may have begun to compute just now.
            return underWay && !inside ? watch.shortest : watch.pause;
        } else if (host.visits.needed() && visit(host, FIRST_ROUNDS, watch.rounds)) {
            watch.pause = SHORTEST_PAUSE_NS;
            watch.skip = 0;
            watch.inVain = 0;
        } else {
            boolean soon = underWay && ++watch.inVain < VAIN_CHECKS;
            watch.pause = Math.min(2 * watch.pause, soon ? 4 * watch.shortest : watch.longest);
        }
        return watch.pause;
    }

    /** Lengthens the pause, because the program makes calls and drives its device itself. */
    private static void busy(Watch watch) {
        watch.pause = Math.min(4 * watch.pause, BUSY_PAUSE_NS);
        watch.inVain = 0;
        if (watch.awake && watch.pause == BUSY_PAUSE_NS) {
            watch.awake = false;
            watch.host.visits.sleepThrough(watch.skip);
            watch.skip = Math.min(2 * watch.skip + 1, MOST_CALLS_TO_SKIP);
        }
    }

    private boolean visit(Host host, int first, int more) {
        if (++visits == VISITS_BY_HANDSHAKE) {
            ProcessFence.prepare();
        }
        return host.visits.visit(first, more);
    }

    /** The loop of a dedicated thread. */
    private void drive(Watch watch) {
        Host host = watch.host;
        ProcessFence.prepare();
        int away = SHORTEST_AWAY;
        while (!over) {
            if (host.sleeping()) {
                LockSupport.parkNanos(this, watch.shortest);
            }
            int uses = host.visits.uses();
            for (int i = 0; i < away; i++) {
                Thread.onSpinWait();
            }
            if (host.visits.inUse() || host.visits.uses() != uses) {
                continue;
            }
            // The start of a visit delays the program. A visit that the program ends at once was too early.
            away = visit(host, Integer.MAX_VALUE, Integer.MAX_VALUE) ? SHORTEST_AWAY : Math.min(2 * away, LONGEST_AWAY);
        }
    }
}
