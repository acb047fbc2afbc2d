package io.rankwire.runtime;

import io.rankwire.launch.Progress;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives devices while their programs are outside any call. As a helper it serves all ranks of its process, sleeps most
 * of the time, and visits a device only when its program has not come since the last look and a look from outside shows
 * something to do. Dedicated, it serves one rank, sleeps never and stays with the device until the program comes.
 */
public final class ProgressThread extends Thread {
    private static final long SHORTEST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;
    /** While the program makes calls: waking a thread may cost it a processor for longer than that thread runs. */
    private static final long BUSY_PAUSE_NS = 20_000_000;
    private static final int MOST_CALLS_TO_SKIP = 1023;
    /** Looks at something under way that does not move, about a tenth of a second, before they become seldom. */
    private static final int LOOKS_IN_VAIN = 250;
    private static final int FIRST_ROUNDS = 100;
    /** Rounds without work before a helper leaves a transfer: some tens of microseconds. */
    private static final int ROUNDS = 4_000;
    /** For fewer of them the operating system's fence is not worth its preparation. */
    private static final int VISITS_BY_HANDSHAKE = 200;
    private static final int SHORTEST_AWAY = 32;
    private static final int LONGEST_AWAY = 1024;

    private static ProgressThread helper;

    private final boolean dedicated;
    private volatile Watch[] watches = {};
    private volatile boolean over;
    private int visits;

    private ProgressThread(String name, boolean dedicated) {
        // Of no rank's group and with no rank's values: it may serve several.
        super(topGroup(), null, name, 0, false);
        this.dedicated = dedicated;
        setDaemon(true);
        setContextClassLoader(null);
    }

    /** What the thread knows of one device. */
    private static final class Watch {
        final Host host;
        final long shortest;
        final long longest;
        final int rounds;
        long pause = BUSY_PAUSE_NS;
        int seen;
        boolean alert;
        int skip;
        int inVain;
        boolean gone;

        Watch(Host host, int size) {
            this.host = host;
            boolean crowded = size > Runtime.getRuntime().availableProcessors();
            shortest = crowded ? LONGEST_PAUSE_NS : SHORTEST_PAUSE_NS;
            longest = crowded ? 10 * LONGEST_PAUSE_NS : LONGEST_PAUSE_NS;
            rounds = crowded ? FIRST_ROUNDS : ROUNDS;
        }
    }

    /** Has a host's device driven, as its job wants it; null when nobody is to do it. */
    public static ProgressThread serve(Host host, Progress how, int rank, int size) {
        if (how == Progress.NONE || size == 1) {
            return null;
        }
        Watch watch = new Watch(host, size);
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
            host.visits.wake(helper);
            return helper;
        }
    }

    private static ProgressThread start(String name, boolean dedicated, Watch watch) {
        ProgressThread thread = new ProgressThread(name, dedicated);
        thread.watches = new Watch[] {watch};
        thread.start();
        return thread;
    }

    private static ThreadGroup topGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** Ends the service; the thread is gone when it was the last. Throws what a visit failed with, if no call has. */
    public void leave(Host host) {
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
        joinWhateverComes();
    }

    private void joinWhateverComes() {
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
        // A program that is only starting needs its processor more than a helper.
        LockSupport.parkNanos(this, BUSY_PAUSE_NS);
        while (!over) {
            long pause = Long.MAX_VALUE;
            for (Watch watch : watches) {
                pause = Math.min(pause, look(watch));
            }
            LockSupport.parkNanos(this, pause);
            Thread.interrupted();
        }
    }

    /** Looks at a device, visits it if need be, and returns when to look again. */
    private long look(Watch watch) {
        // Its memory must not go away meanwhile.
        synchronized (watch) {
            return watch.gone ? BUSY_PAUSE_NS : lookNow(watch);
        }
    }

    private long lookNow(Watch watch) {
        Host host = watch.host;
        int uses = host.visits.uses();
        boolean came = uses != watch.seen;
        watch.seen = uses;
        boolean inside = host.visits.inUse();
        boolean underWay = host.device.hasOperations();
        if (host.visits.alert() && !watch.alert) {
            watch.alert = true;
            watch.pause = watch.shortest;
        } else if (came || inside) {
            busy(watch);
            // It may have gone off to compute just now.
            return underWay && !inside ? watch.shortest : watch.pause;
        } else if (host.visits.needed() && visit(host, FIRST_ROUNDS, watch.rounds)) {
            watch.pause = SHORTEST_PAUSE_NS;
            watch.skip = 0;
            watch.inVain = 0;
        } else {
            boolean soon = underWay && ++watch.inVain < LOOKS_IN_VAIN;
            watch.pause = Math.min(2 * watch.pause, soon ? 4 * watch.shortest : watch.longest);
        }
        return watch.pause;
    }

    /** The program makes calls and drives its device itself. */
    private static void busy(Watch watch) {
        watch.pause = Math.min(4 * watch.pause, BUSY_PAUSE_NS);
        watch.inVain = 0;
        if (watch.alert && watch.pause == BUSY_PAUSE_NS) {
            watch.alert = false;
            watch.host.visits.sleep(watch.skip);
            watch.skip = Math.min(2 * watch.skip + 1, MOST_CALLS_TO_SKIP);
        }
    }

    private boolean visit(Host host, int first, int more) {
        if (++visits == VISITS_BY_HANDSHAKE) {
            ProcessFence.prepare();
        }
        return host.visits.visit(first, more);
    }

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
            // Coming costs the program a moment. A visit that it ends at once was too early.
            away = visit(host, Integer.MAX_VALUE, Integer.MAX_VALUE) ? SHORTEST_AWAY : Math.min(2 * away, LONGEST_AWAY);
        }
    }
}
