package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.fabric.PeerLost;
import io.rankwire.wire.MatchWord;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * The dead members of one communicator, and whether it was revoked. Collective calls need all members: those that wait
 * when one dies end, and later ones are refused. The program may acknowledge deaths; receives from any source need
 * that. Written with the device's lock.
 */
public final class MemberLosses {
    /** How much later than another member this one may learn of a death or a revocation. */
    private static final long LATER_NS = 5_000_000_000L;

    private final Endpoint on;
    /** In the order of their deaths, which is the same at all members. Calls read it without the lock. */
    private final List<PeerLost> dead = new CopyOnWriteArrayList<>();
    /** How many of them the program has acknowledged. */
    private int acknowledged;
    /** Whether deaths need no acknowledgement of the program. */
    private boolean needsNone;
    /** The tag of messages that all ranks exchange together, or {@link MatchWord#ANY}. */
    private int together = MatchWord.ANY;
    /** Whether a member is dead or the communicator was revoked: each collective call reads it. */
    private boolean interrupted;
    private volatile boolean revoked;
    /** The communicator whose revocation revokes this one; null for none. */
    private Endpoint origin;

    /** Called with each death. */
    private Consumer<PeerLost> listener = cause -> { };
    /** Called when the communicator is revoked. */
    private Runnable revocationListener = () -> { };

    MemberLosses(Endpoint on) {
        this.on = on;
    }

    /** Receives from any source go on: the library acknowledges each death by itself. */
    public void acknowledgeAll() {
        needsNone = true;
        acknowledge();
    }

    /** Messages of this tag are of calls that all ranks make together. */
    public void together(int tag) {
        together = tag;
        failed();
    }

    /** Calls this with the death of each member, those of the past first; the caller of it has the lock. */
    public void onDeath(Consumer<PeerLost> to) {
        Host host = on.host();
        host.lock();
        try {
            dead.forEach(to);
            listener = to;
        } finally {
            host.unlock();
        }
    }

    /** Calls this when the communicator is revoked, or now if it was; the caller of it has the lock. */
    public void onRevocation(Runnable to) {
        Host host = on.host();
        host.lock();
        try {
            if (revoked) {
                to.run();
            }
            revocationListener = to;
        } finally {
            host.unlock();
        }
    }

    /** A rank has died; nothing changes if it is no member or is known to be dead. */
    void lose(PeerLost cause) {
        if (on.everyone().rankOf(cause.rank()) < 0 || isDead(cause.rank())) {
            return;
        }
        dead.add(cause);
        interrupted = true;
        listener.accept(cause);
        Device device = on.host().device;
        device.interruptions.endPrograms(on.context() | Contexts.HIDDEN, Code.PEER_DEAD, cause.rank());
        if (needsNone) {
            acknowledged = dead.size();
        }
        interruptReceives();
    }

    /** Only deaths of ranks that messages come from concern receives from any source. */
    private void interruptReceives() {
        PeerLost unheard = null;
        for (int i = dead.size() - 1; i >= acknowledged; i--) {
            unheard = on.rankOf(dead.get(i).rank()) >= 0 ? dead.get(i) : unheard;
        }
        if (unheard != null || together != MatchWord.ANY) {
            on.host().device.interruptions.begin(on.context(), unheard != null ? unheard : dead.getFirst(), together);
        } else {
            on.host().device.interruptions.end(on.context());
        }
    }

    /** Whether a member is known to be dead. */
    public boolean isDead(int worldRank) {
        for (PeerLost each : dead) {
            if (each.rank() == worldRank) {
                return true;
            }
        }
        return false;
    }

    /** The first death of a member of a set, or null. */
    PeerLost firstOf(RankSet ranks) {
        return firstOf(ranks, dead);
    }

    /** The first of some deaths that is one of a member of a set, or null. */
    static PeerLost firstOf(RankSet ranks, List<PeerLost> dead) {
        for (PeerLost each : dead) {
            if (ranks.rankOf(each.rank()) >= 0) {
                return each;
            }
        }
        return null;
    }

    /** Whether the communicator was revoked that this one is revoked with. */
    boolean isOriginRevoked() {
        return origin != null && origin.members().revoked;
    }

    public boolean isRevoked() {
        return revoked;
    }

    /** Whether collective calls end with an error here. */
    public boolean isInterrupted() {
        return interrupted;
    }

    /**
     * Whether collective calls end with an error here now, or will soon. In a job that goes on, a member that has
     * learned of a death or a revocation withdraws what it has not sent yet of a call, and the rest does not fit
     * together here. So this waits some time for the reason; the caller has the lock. In virtual time there is no
     * limit: if there is no reason, the simulation proves a deadlock.
     *
     * @param what does not fit
     */
    public boolean isInterruptedSoon(String what) {
        if (!on.session().goesOn()) {
            return false;
        }
        boolean isLimited = !on.session().isSimulated();
        long startNs = System.nanoTime();
        on.host().await(() -> interrupted || isLimited && System.nanoTime() - startNs >= LATER_NS,
                () -> what + ", or a death or revocation that this rank does not know of yet");
        return interrupted;
    }

    /**
     * Throws if collective calls end with an error here.
     *
     * @param call a call of all members
     */
    public void checkInterrupted(String call) {
        if (interrupted) {
            throw interruption(call);
        }
    }

    /** The same when a call begins: a member that only sends never waits, and would learn of a death late. */
    public void checkAtBegin(String call) {
        Survivors survivors = on.session().survivors();
        if (survivors != null) {
            survivors.look();
        }
        checkInterrupted(call);
    }

    /** Takes in new deaths, for calls that may neither wait nor move messages. */
    public void look() {
        Survivors survivors = on.session().survivors();
        if (survivors != null && survivors.hasNews()) {
            Host host = on.host();
            host.lock();
            try {
                survivors.look();
            } finally {
                host.unlock();
            }
        }
    }

    /**
     * The error of a collective call that ends because a member is dead, or because the communicator was revoked.
     *
     * @param call its name, or the description of a wait, which ends with communicator and line
     */
    public RankwireException interruption(String call) {
        // Another member may have refused a message before this one gets to know of the revocation.
        return revoked || dead.isEmpty() ? revocation(call)
                : on.host().lost(hasLine(call) ? call : call + ", on " + on.name() + CallSite.find(), dead.getFirst());
    }

    private static boolean hasLine(String call) {
        String line = CallSite.find();
        return !line.isEmpty() && call.endsWith(line);
    }

    /** The error of a call of all members that has ended because one of them is dead; null if none is. */
    public RankwireException death(String call) {
        Host host = on.host();
        host.lock();
        try {
            host.progressAll();
            return dead.isEmpty() ? null
                    : host.lost(call + ", on " + on.name() + CallSite.find(), dead.getFirst());
        } finally {
            host.unlock();
        }
    }

    /** The error of a call on a communicator that was revoked, here or at another rank. */
    RankwireException revocation(String call) {
        String line = CallSite.find();
        String what = hasLine(call) ? call.substring(0, call.length() - line.length()) : call;
        return new RankwireException(ErrorClass.REVOKED,
                "rank " + on.rank() + ": " + what + ": " + on.name() + " was revoked" + line);
    }

    /** The same for the call that the program makes. */
    RankwireException revocation() {
        return new RankwireException(
                ErrorClass.REVOKED, "rank " + on.rank() + ": " + CallSite.describe(on.name() + " was revoked"));
    }

    /** The communicator was revoked: everything on it ends. */
    void revoke() {
        if (revoked) {
            return;
        }
        revoked = true;
        interrupted = true;
        revocationListener.run();
        on.interrupted();
        on.host().device.revoke(on.context());
        on.host().device.revoke(on.context() | Contexts.HIDDEN);
        for (Endpoint each : on.session().contexts().live()) {
            if (each.members().origin == on) {
                each.members().revoke();
            }
        }
    }

    /** This communicator is a part of what was made of another one, and is revoked with that. */
    public void revokedWith(Endpoint other) {
        Host host = on.host();
        host.lock();
        try {
            origin = other;
            if (other.members().revoked) {
                revoke();
            }
        } finally {
            host.unlock();
        }
    }

    /** Returns the dead members of this group in the order of their deaths, as far as this rank knows. */
    public RankSet failed() {
        return locked(dead::size);
    }

    /** Returns the members that died first, in that order. */
    RankSet first(int count) {
        return locked(() -> count);
    }

    /** Returns whether the communicator was revoked, after a look at what has come. */
    public boolean lookRevoked() {
        failed();
        return revoked;
    }

    /** Has receives from any source go on without the members that are dead now; returns them as above. */
    public RankSet acknowledge() {
        return acknowledge(Integer.MAX_VALUE);
    }

    /** The same without the members that died first; returns all whose deaths are acknowledged. */
    public RankSet acknowledge(int count) {
        return locked(() -> {
            acknowledged = Math.max(acknowledged, Math.min(count, dead.size()));
            interruptReceives();
            return acknowledged;
        });
    }

    /** How many deaths are acknowledged; the caller has the lock. */
    int acknowledged() {
        return acknowledged;
    }

    /** The deaths so far; the caller has the lock. */
    List<PeerLost> dead() {
        return dead;
    }

    private RankSet locked(IntSupplier count) {
        Host host = on.host();
        host.lock();
        try {
            host.progressAll();
            if (!dead.isEmpty()) {
                interruptReceives();
            }
            return RankSet.of(dead.subList(0, count.getAsInt()).stream().mapToInt(PeerLost::rank).toArray());
        } catch (RuntimeException e) {
            throw host.translate(e, "failed");
        } finally {
            host.unlock();
        }
    }
}
