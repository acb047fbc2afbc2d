package io.rankwire.runtime;

import io.rankwire.device.Code;
import io.rankwire.device.agree.Agreed;
import io.rankwire.device.agree.Vote;
import java.util.ArrayDeque;

/**
 * Calls that end alike at all live members of a communicator though some die meanwhile: agreements, shrinking, and the
 * revocation of communicators. The device makes them ({@link io.rankwire.device.agree.Agreements}); this class votes
 * and reads what was decided. A vote has the number of dead members, in the order of the failure log, that the voter
 * knows of (most) and that its program has acknowledged (least). So all members know the same dead ones afterwards.
 */
public final class Consensus {
    private static final long ALL = -1;

    private final Session session;
    private final Host host;
    /** Contexts that were revoked, which the device reports in the middle of its work. */
    private final ArrayDeque<Integer> revoked = new ArrayDeque<>();

    Consensus(Session session) {
        this.session = session;
        this.host = session.host();
    }

    /** Makes a communicator known to the device; the caller has the lock. */
    void join(Endpoint on) {
        if (!on.joined) {
            on.joined = true;
            host.device.agreements().onRevoked(revoked::add);
            host.device.agreements().join(on.context(), on.use(), on.everyone().members(),
                    on.everyone().rankOf(session.worldRank()));
        }
    }

    /** This rank has freed a communicator; the caller has the lock. */
    void drop(Endpoint on) {
        if (on.joined) {
            host.device.agreements().drop(on.context());
        }
    }

    /** Ends the calls of communicators that were revoked since the last time; returns how many were. */
    int settle() {
        int count = revoked.size();
        while (!revoked.isEmpty()) {
            Endpoint on = session.contexts().of(revoked.poll());
            if (on != null) {
                on.members().revoke();
            }
        }
        return count;
    }

    /** Revokes a communicator, here at once and at all members soon. */
    public void revoke(Endpoint on) {
        on.checkThere();
        host.lock();
        try {
            join(on);
            host.device.agreements().revoke(on.context());
            settle();
            host.progress();
        } catch (RuntimeException e) {
            throw host.translate(e, "revoke");
        } finally {
            host.unlock();
        }
    }

    /** A call of agree that has begun. */
    public record Pending(Endpoint on, Agreed agreed, int[] flags) {
        /** Writes the result; called when the operation has ended well. */
        void take() {
            flags[0] = result(agreed.value());
        }
    }

    /** A member that died and is not acknowledged by all counts as 0. */
    private static int result(long[] value) {
        return value[Vote.MOST] > value[Vote.LEAST] ? 0 : (int) value[Vote.FLAGS];
    }

    /** Starts to agree on flags; the result is written to the array. */
    public Pending start(Endpoint on, int[] flags) {
        on.checkThere();
        RuntimeException failure;
        host.lock();
        try {
            return new Pending(on, begin(on, flags[0], 0, "iagree"), flags);
        } catch (RuntimeException e) {
            failure = host.translate(e, "iagree");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** The bits that all members give, 0 if one of them is dead and not acknowledged by all. */
    public int agree(Endpoint on, int flags) {
        on.checkThere();
        return result(decide(on, flags, 0, "agree"));
    }

    /** A communicator of the live members, the same at all of them. */
    public Endpoint shrink(Endpoint on) {
        on.checkThere();
        long offer = session.contexts().allocate();
        long[] decided = decide(on, ALL, offer, "shrink");
        if (decided[Vote.HIGHEST] != offer) {
            session.contexts().release((int) offer);
        }
        RankSet live = on.group().difference(on.members().first((int) decided[Vote.MOST]));
        return session.contexts().add(new Endpoint(session, live, decided[Vote.HIGHEST], on.name() + ".shrink"));
    }

    /** Votes, and waits for the decision and until this rank knows of all deaths that any voter knew of. */
    private long[] decide(Endpoint on, long flags, long offer, String call) {
        RuntimeException failure;
        host.lock();
        try {
            Agreed agreed = begin(on, flags, offer, call);
            host.await(agreed.operation(), call, on);
            host.device.release(agreed.operation());
            long[] value = agreed.value();
            if (session.survivors() != null) {
                host.await(() -> on.members().dead().size() >= value[Vote.MOST],
                        () -> call + ", on " + on.name() + ", which waits for the report of a death" + CallSite.find());
            }
            return value;
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** Begins a call; first each peer that this rank has lost must be in the log, for others may not have lost it. */
    private Agreed begin(Endpoint on, long flags, long offer, String call) {
        if (session.survivors() != null) {
            host.await(session.survivors()::isSettled,
                    () -> call + ", on " + on.name() + ", which waits for the report of a death" + CallSite.find());
        }
        join(on);
        long[] vote = new long[Vote.WORDS];
        vote[Vote.FLAGS] = flags;
        vote[Vote.LEAST] = on.members().acknowledged();
        vote[Vote.MOST] = on.members().dead().size();
        vote[Vote.HIGHEST] = offer;
        return host.device.agreements().begin(on.context(), on.agreements++, vote);
    }

    /** The result of a call that {@link #start} has begun, when its operation is done. */
    public static Object outcome(Pending call, int code) {
        if (code == Code.OK) {
            call.take();
            return Received.NOTHING;
        }
        return Received.CANCELLED;
    }
}
