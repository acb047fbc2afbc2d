package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Operation;
import io.rankwire.device.Operation.Mode;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.PointToPoint;
import io.rankwire.runtime.RankSet;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The calls that begin and end the epochs of a window, and those that wait for accesses within them. */
public final class Synchronisation {
    static final int FENCE = 1;
    private static final int POST = 2;
    private static final int COMPLETE = 3;

    /** What the messages between ranks of a window say, by tag. */
    static final Endpoint.Meaning[] MEANINGS = {
        null,
        null,
        new Endpoint.Meaning("start, which waits for post by ", "post, without start here, by "),
        new Endpoint.Meaning("await, which waits for complete by ", "complete, without await here, by ")
    };

    private static final byte[] NOTHING = {};

    private final WindowEndpoint window;
    private final Endpoint on;
    private final Host host;
    private final PointToPoint messages;
    private final Epochs epochs;
    /** The receives of what the ranks of the last post send when they complete. */
    private Operation[] completions = {};

    Epochs epochs() {
        return epochs;
    }

    Synchronisation(WindowEndpoint window, Endpoint on, Epochs epochs) {
        this.window = window;
        this.on = on;
        this.host = on.host();
        this.messages = new PointToPoint(on);
        this.epochs = epochs;
    }

    /** An epoch may have ended; one of a fence does when another begins. */
    void epochClosed() {
        if (epochs.isClaimed()) {
            host.lock();
            try {
                host.device.epochClosed();
            } finally {
                host.unlock();
            }
        }
    }

    // all ranks together

    public void fence() {
        checkIdle("fence");
        meet("fence");
        epochs.fence();
    }

    private void checkIdle(String call) {
        window.checkUsable(call);
        epochs.checkIdle(call);
    }

    /** Throws if this rank is in an epoch of a lock or of a group; after a death or a revocation it may be. */
    public void checkFree() {
        window.checkThere("free");
        on.members().look();
        if (!on.members().isInterrupted()) {
            epochs.checkIdle("free");
        }
    }

    /**
     * The window ends, maybe in an epoch, since a member is dead or it was revoked. Ends what other ranks wait for, and
     * does not wait for what they do.
     */
    void leave() {
        if (epochs.isStarted()) {
            leaveBy(this::complete);
        }
        if (epochs.isAll()) {
            leaveBy(this::unlockAll);
        }
        for (int at = 0; at < on.size(); at++) {
            if (epochs.isLocked(at)) {
                int locked = at;
                leaveBy(() -> unlock(locked));
            }
        }
        host.lock();
        try {
            RankwireException why = on.members().interruption("free");
            for (Operation completion : completions) {
                completion.keepOutOfReports();
                host.abandon(completion, why);
            }
        } finally {
            host.unlock();
        }
        completions = new Operation[0];
    }

    /** Ends an epoch; the program has got the error of that by another call. */
    private void leaveBy(Runnable end) {
        try {
            end.run();
        } catch (RankwireException e) {
            assert on.members().isInterrupted();
        }
    }

    /**
     * Returns when all ranks have come here and all accesses are done, in as many steps as their number has bits. The
     * device ends the receives of this if a rank dies.
     */
    void meet(String call) {
        checkAlive(call);
        flushTargets(call);
        VarHandle.fullFence();
        int size = on.size();
        for (int step = 1; step < size; step *= 2) {
            messages.sendReceive(NOTHING, 0, 0, (on.rank() + step) % size, FENCE, NOTHING, 0, 0,
                    (on.rank() + size - step) % size, FENCE);
        }
        VarHandle.fullFence();
    }

    private void checkAlive(String call) {
        if (on.members().isInterrupted()) {
            throw window.interruption(call);
        }
    }

    // groups of ranks; if one of a group is dead, the epoch is one with the others, and each call reports the death

    public void post(RankSet origins) {
        checkGroup("post", origins);
        epochs.post(origins);
        epochClosed();
        VarHandle.fullFence();
        completions = new Operation[origins.size()];
        for (int i = 0; i < completions.length; i++) {
            int origin = on.rankOf(origins.worldRank(i));
            completions[i] = messages.irecv(NOTHING, 0, 0, origin, COMPLETE, false);
        }
        forEach(origins, origin -> messages.send(Mode.STANDARD, NOTHING, origin, POST));
    }

    public void start(RankSet ranks) {
        checkGroup("start", ranks);
        epochs.start(ranks);
        epochClosed();
        forEach(ranks, rank -> messages.receive(NOTHING, rank, POST));
    }

    public void complete() {
        window.checkThere("complete");
        RankSet ranks = epochs.started();
        try {
            forEach(ranks, to -> {
                window.target(to).flush("complete");
                messages.send(Mode.STANDARD, NOTHING, to, COMPLETE);
            });
        } finally {
            epochs.completed();
            epochClosed();
        }
    }

    /** Does something with each rank of a group; the first error is thrown at the end. */
    private void forEach(RankSet group, IntConsumer part) {
        RankwireException first = null;
        for (int i = 0; i < group.size(); i++) {
            try {
                part.accept(on.rankOf(group.worldRank(i)));
            } catch (RankwireException e) {
                first = join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static RankwireException join(RankwireException first, RankwireException next) {
        if (first != null && first != next) {
            first.addSuppressed(next);
        }
        return first == null ? next : first;
    }

    /** Waits for all ranks of the post; the first error is thrown when all are over, and the epoch with them. */
    public void await() {
        window.checkThere("await");
        epochs.checkPosted("await");
        RankwireException first = null;
        for (Operation completion : completions) {
            try {
                on.messages().await(completion, "await");
            } catch (RankwireException e) {
                first = join(first, e);
            }
        }
        completions = new Operation[0];
        VarHandle.fullFence();
        epochs.awaited();
        if (first != null) {
            throw first;
        }
    }

    /** Whether all ranks of the post have completed; if so, this counts as {@link #await}. */
    public boolean test() {
        window.checkThere("test");
        epochs.checkPosted("test");
        for (Operation completion : completions) {
            if (!on.messages().test(completion, "test")) {
                return false;
            }
        }
        await();
        return true;
    }

    private void checkGroup(String call, RankSet group) {
        window.checkUsable(call);
        for (int i = 0; i < group.size(); i++) {
            if (on.rankOf(group.worldRank(i)) < 0) {
                throw window.wrong(ErrorClass.RANK, call + ": argument group: world rank " + group.worldRank(i)
                        + " is not of the window");
            }
        }
    }

    // the origin alone; after a revocation, what ends an epoch does so and reports the revocation

    public void lock(boolean exclusive, int at) {
        window.checkUsable("lock");
        window.checkRank("lock", at);
        epochs.lock(at, exclusive);
        epochClosed();
        try {
            window.target(at).lock(exclusive, "lock");
        } catch (RuntimeException e) {
            epochs.unlocked(at);
            throw e;
        }
    }

    public void unlock(int at) {
        window.checkThere("unlock");
        window.checkRank("unlock", at);
        boolean exclusive = epochs.exclusive(at);
        try {
            window.target(at).flush("unlock");
            window.checkUsable("unlock");
        } finally {
            window.accessed(at).unlock(exclusive);
            epochs.unlocked(at);
            epochClosed();
        }
    }

    public void lockAll() {
        window.checkUsable("lockAll");
        epochs.lockAll();
        epochClosed();
        int at = 0;
        try {
            for (; at < on.size(); at++) {
                window.target(at).lock(false, "lockAll");
            }
        } catch (RuntimeException e) {
            while (--at >= 0) {
                window.target(at).unlock(false);
            }
            epochs.unlockedAll();
            throw e;
        }
    }

    public void unlockAll() {
        window.checkThere("unlockAll");
        epochs.checkAll();
        try {
            flushTargets("unlockAll");
            window.checkUsable("unlockAll");
        } finally {
            for (Target target : window.targets()) {
                target.unlock(false);
            }
            epochs.unlockedAll();
            epochClosed();
        }
    }

    public void flush(int at) {
        locked("flush", at).flush("flush");
    }

    public void flushLocal(int at) {
        locked("flushLocal", at).flushLocal("flushLocal");
    }

    private Target locked(String call, int at) {
        window.checkUsable(call);
        window.checkRank(call, at);
        epochs.checkLocked(call, at);
        return window.target(at);
    }

    public void flushAll() {
        window.checkUsable("flushAll");
        epochs.checkLocked("flushAll", -1);
        flushTargets("flushAll");
    }

    public void flushLocalAll() {
        window.checkUsable("flushLocalAll");
        epochs.checkLocked("flushLocalAll", -1);
        forEachTarget(target -> target.flushLocal("flushLocalAll"));
    }

    private void flushTargets(String call) {
        forEachTarget(target -> target.flush(call));
    }

    /** Does something with each part in use; the first error is thrown at the end. */
    private void forEachTarget(Consumer<Target> part) {
        RankwireException first = null;
        for (Target target : window.targets()) {
            try {
                if (target != null) {
                    part.accept(target);
                }
            } catch (RankwireException e) {
                first = join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Orders this rank's own loads and stores with the accesses of others to its part. */
    public void sync() {
        window.checkUsable("sync");
        VarHandle.fullFence();
        host.lock();
        try {
            host.progress();
        } catch (RuntimeException e) {
            throw host.translate(e, "sync");
        } finally {
            host.unlock();
        }
    }
}
