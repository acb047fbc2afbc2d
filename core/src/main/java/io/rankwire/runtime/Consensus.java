package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.agree.Agreed;
import io.rankwire.device.agree.Vote;
import io.rankwire.launch.Replacements;
import io.rankwire.memory.VotingLines;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * Calls that end alike at all live members of a communicator though some die meanwhile: agreements, shrinking, and the
 * revocation of communicators. The device makes them ({@link io.rankwire.device.agree.Agreements}); this class votes
 * and reads what was decided. A vote has the number of dead members, in the order of the failure log, that the voter
 * knows of (most) and that its program has acknowledged (least). So all members know the same dead ones afterwards.
 *
 * <p>Members may disagree about what to do next: one has had an error and repairs the communicator, another one has had
 * none and agrees. Then the call that agrees ends with 0, and the repair begins anew until all members make that call.
 */
public final class Consensus {
    private static final long ALL = -1;
    /** What kind of call a member makes, for {@link Vote#ANY}. */
    private static final int AGREES = 1;
    private static final int SHRINKS = 2;
    private static final int REPLACES = 4;
    private static final long PAUSE_NS = 1_000_000;

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

    /** The key of the memory in which the members of a communicator vote: above those of collective calls. */
    private static long key(int context) {
        return 1L << 33 | context & 0xFFFF_FFFFL;
    }

    /** A context has ended for all its ranks. */
    void end(int context) {
        host.device.memory().endCommon(key(context));
    }

    /** It has ended for this rank; others may still look for the votes of calls that are not decided here. */
    void endAlone(Endpoint on) {
        host.lock();
        try {
            if (on.joined && host.device.agreements().isSettledInMemory(on.context())) {
                end(on.context());
            }
        } finally {
            host.unlock();
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

    /**
     * A call of agree that has begun.
     *
     * @param ofLive whether a death is an error and not a 0
     */
    public record Pending(Endpoint on, Agreed agreed, int[] flags, boolean ofLive) {
        /** Writes the result, and returns the error of the call or null; called when the operation has ended well. */
        RankwireException take() {
            long[] value = agreed.value();
            flags[0] = ofLive ? bitsOfLive(on, value) : result(value);
            return ofLive ? death(on, value, "iagreeOfLive") : null;
        }
    }

    /** The flags in a vote: in the high half those of the second side of an intercommunicator, else in the low half. */
    private static long halves(Endpoint on, int flags) {
        long mine = Integer.toUnsignedLong(flags);
        return on.isFirstSide() ? mine | ALL << Integer.SIZE : mine << Integer.SIZE | ALL >>> Integer.SIZE;
    }

    /** A member that died and is not acknowledged by all counts as 0, and so does one that repairs. */
    private static int result(long[] value) {
        return value[Vote.MOST] > value[Vote.LEAST] || value[Vote.ANY] != AGREES ? 0
                : (int) (value[Vote.FLAGS] & value[Vote.FLAGS] >>> Integer.SIZE);
    }

    /** The bits that all live members have given, or those of the other side; 0 if a member repairs. */
    private static int bitsOfLive(Endpoint on, long[] value) {
        boolean isHigh = on.isBetweenGroups() && on.isFirstSide();
        return value[Vote.ANY] != AGREES ? 0 : (int) (value[Vote.FLAGS] >>> (isHigh ? Integer.SIZE : 0));
    }

    /** The error of an agreement if not all members have acknowledged a death, else null; the caller has the lock. */
    private static RankwireException death(Endpoint on, long[] value, String call) {
        int least = (int) value[Vote.LEAST];
        if (value[Vote.MOST] <= least) {
            return null;
        }
        // An operation may end before this rank has looked for the death that others know of.
        if (on.session().survivors() != null) {
            on.session().survivors().look();
        }
        String what = call + ", on " + on.name() + CallSite.find();
        return least < on.members().dead().size() ? on.host().lost(what, on.members().dead().get(least))
                : new RankwireException(ErrorClass.PEER, "rank " + on.rank() + ": " + what
                        + ": a member is dead, of which this rank has no report yet");
    }

    /**
     * Starts to agree on flags; the result is written to the array.
     *
     * @param ofLive as {@link #agreeOfLive}
     */
    public Pending start(Endpoint on, int[] flags, boolean ofLive) {
        String call = ofLive ? "iagreeOfLive" : "iagree";
        checkFlags(on, call, flags);
        return new Pending(on, host.withoutLateErrors(() -> vote(on, halves(on, flags[0]), call)), flags, ofLive);
    }

    private Agreed vote(Endpoint on, long flags, String call) {
        RuntimeException failure;
        host.lock();
        try {
            return begin(on, AGREES, flags, 0, call);
        } catch (RuntimeException e) {
            failure = host.translate(e, call);
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    private static void checkFlags(Endpoint on, String call, int[] flags) {
        on.checkThere();
        if (flags == null || flags.length == 0) {
            throw on.error(flags == null ? ErrorClass.ARGUMENT : ErrorClass.COUNT,
                    call + ": argument flags " + (flags == null ? "is null" : "has no element"));
        }
    }

    /** The bits that all members give, 0 if one of them is dead and not acknowledged by all. */
    public int agree(Endpoint on, int flags) {
        on.checkThere();
        return result(host.withoutLateErrors(() -> decide(on, AGREES, halves(on, flags), 0, "agree")));
    }

    /** Writes the bits that all live members give, and throws if one is dead and not acknowledged by all. */
    public void agreeOfLive(Endpoint on, int[] flags) {
        checkFlags(on, "agreeOfLive", flags);
        RankwireException error = host.withoutLateErrors(() -> decideOfLive(on, flags));
        if (error != null) {
            throw on.raised(error);
        }
    }

    private RankwireException decideOfLive(Endpoint on, int[] flags) {
        long[] value = decide(on, AGREES, halves(on, flags[0]), 0, "agreeOfLive");
        flags[0] = bitsOfLive(on, value);
        host.lock();
        try {
            return death(on, value, "agreeOfLive");
        } finally {
            host.unlock();
        }
    }

    /** A communicator of the live members, the same at all of them. */
    public Endpoint shrink(Endpoint on) {
        on.checkThere();
        return host.withoutLateErrors(() -> shrinkOnce(on));
    }

    private Endpoint shrinkOnce(Endpoint on) {
        long offer = session.contexts().allocateIfAny();
        long[] decided = repair(on, SHRINKS, offer, "shrink");
        long context = decided[Vote.HIGHEST];
        RankSet dead = on.members().first((int) decided[Vote.MOST]);
        RankSet live = on.group().difference(dead);
        RankSet peers = on.peers().difference(dead);
        if (peers.size() == 0) {
            releaseIf(context == offer, offer);
            throw on.error(ErrorClass.PEER, "shrink: no rank of the other side of " + on.name() + " is alive");
        }
        String name = on.name() + ".shrink";
        return session.contexts().add(on.isBetweenGroups()
                ? Endpoint.between(session, live, peers, on.isFirstSide(), context, name)
                : new Endpoint(session, live, context, name));
    }

    /**
     * A communicator with the same ranks, in which new ranks have the places of dead members; the same at all members.
     * All of them are alive when they agree on it at last.
     */
    public Endpoint replace(Endpoint on) {
        on.checkThere();
        return host.withoutLateErrors(() -> complete(replaceOnce(on)));
    }

    /** Agrees with the other members of a new communicator that it is made; replaces those that have died meanwhile. */
    Endpoint complete(Endpoint made) {
        Endpoint last = made;
        while (decide(last, REPLACES, ALL, 0, "replace")[Vote.MOST] > 0) {
            Endpoint incomplete = last;
            try {
                last = replaceOnce(incomplete);
            } finally {
                incomplete.free();
            }
        }
        return last;
    }

    private Endpoint replaceOnce(Endpoint on) {
        long offer = session.contexts().allocateIfAny();
        long[] decided = repair(on, REPLACES, offer, "replace");
        long context = decided[Vote.HIGHEST];
        List<Integer> members = ranks(on.group());
        List<Integer> dead = ranks(on.members().first((int) decided[Vote.MOST]));
        Replacements.Answer answer = dead.isEmpty() ? new Replacements.Answer(members, null)
                : ask(on, new Replacements.Request(on.context() + "." + on.use() + "." + on.agreements,
                        session.number(), context, on.name(), members, dead));
        long found = answer.members() == null ? 0 : 1L << Integer.SIZE | answer.members().hashCode() & ALL >>> 32;
        long[] same = decide(on, REPLACES, found, found, "replace");
        if (found == 0 || same[Vote.FLAGS] != same[Vote.HIGHEST]) {
            // If some member has an answer, new ranks may have the context.
            releaseIf(context == offer && same[Vote.HIGHEST] == 0, offer);
            throw on.failed(on.error(ErrorClass.RESOURCE, "replace, on " + on.name() + ": "
                    + (found == 0 ? answer.reason() : "another member got no answer from the launcher")));
        }
        awaitAll(on, answer.members());
        RankSet group = RankSet.of(answer.members().stream().mapToInt(Integer::intValue).toArray());
        return session.contexts().add(new Endpoint(session, group, context, on.name()));
    }

    private static List<Integer> ranks(RankSet set) {
        return Arrays.stream(set.members()).boxed().toList();
    }

    /** Asks for new ranks. Each member asks, and all get the same answer. */
    private Replacements.Answer ask(Endpoint on, Replacements.Request request) {
        Replacements replacements = session.replacements();
        if (replacements == null) {
            return new Replacements.Answer(null, "this job cannot start new ranks: call shrink() to go on with fewer");
        }
        try {
            int number = replacements.ask(request);
            Replacements.Answer[] answer = new Replacements.Answer[1];
            await(on, "which waits for the launcher", () -> {
                answer[0] = replacements.answer(number);
                return answer[0] != null;
            });
            return answer[0];
        } catch (IOException e) {
            return new Replacements.Answer(null, "cannot ask the launcher for new ranks: " + e);
        }
    }

    private void awaitAll(Endpoint on, List<Integer> members) {
        Replacements replacements = session.replacements();
        if (replacements == null) {
            return;
        }
        try {
            await(on, "which waits for new ranks to join", () -> replacements.areThere(members));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What becomes true outside this process, and takes long to find out. */
    private interface Outside {
        boolean holds() throws IOException;
    }

    private void await(Endpoint on, String what, Outside condition) throws IOException {
        IOException[] failure = new IOException[1];
        long[] lookedNs = {System.nanoTime() - PAUSE_NS};
        host.lock();
        try {
            host.await(() -> {
                long now = System.nanoTime();
                if (now - lookedNs[0] < PAUSE_NS && !session.isSimulated()) {
                    return false;
                }
                lookedNs[0] = now;
                try {
                    return condition.holds();
                } catch (IOException e) {
                    failure[0] = e;
                    return true;
                }
            }, () -> "replace, on " + on.name() + ", " + what + CallSite.find());
        } catch (RuntimeException e) {
            throw host.translate(e, "replace");
        } finally {
            host.unlock();
        }
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    /** Votes for a repair with the offer of a context, until all members make the same call. */
    private long[] repair(Endpoint on, int kind, long offer, String call) {
        long[] decided = decide(on, kind, ALL, offer, call);
        while ((decided[Vote.ANY] & AGREES) != 0) {
            decided = decide(on, kind, ALL, offer, call);
        }
        boolean isOfOneKind = decided[Vote.ANY] == kind;
        releaseIf(decided[Vote.HIGHEST] != offer || !isOfOneKind, offer);
        if (!isOfOneKind) {
            throw on.failed(on.error(ErrorClass.COMMUNICATOR, call + ": of the members of " + on.name()
                    + " some call shrink and others replace"));
        }
        if (decided[Vote.HIGHEST] == Contexts.NONE) {
            throw on.failed(on.error(ErrorClass.RESOURCE, call + ": no member of " + on.name()
                    + " can make a further communicator: free() those no longer needed"));
        }
        return decided;
    }

    /** Gives back an offer that no member uses. */
    private void releaseIf(boolean isUnused, long offer) {
        if (isUnused && offer != Contexts.NONE) {
            session.contexts().release((int) offer);
        }
    }

    /** Votes, and waits for the decision and until this rank knows of all deaths that any voter knew of. */
    private long[] decide(Endpoint on, int kind, long flags, long offer, String call) {
        RuntimeException failure;
        host.lock();
        try {
            Agreed agreed = begin(on, kind, flags, offer, call);
            // The call alone waits for it, and the program cannot if the call ends with an error.
            agreed.operation().keepOutOfReports();
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
    private Agreed begin(Endpoint on, int kind, long flags, long offer, String call) {
        if (session.survivors() != null) {
            host.await(session.survivors()::isSettled,
                    () -> call + ", on " + on.name() + ", which waits for the report of a death" + CallSite.find());
        }
        join(on);
        if (on.agreements == 0 && on.allShareMemory()) {
            host.device.agreements().share(on.context(), new VotingLines(
                    host.device.memory().common(key(on.context()), VotingLines.bytes(on.everyone().size()))));
        }
        long[] vote = new long[Vote.WORDS];
        vote[Vote.FLAGS] = flags;
        vote[Vote.LEAST] = on.members().acknowledged();
        vote[Vote.MOST] = on.members().dead().size();
        vote[Vote.HIGHEST] = offer;
        vote[Vote.ANY] = kind;
        return host.device.agreements().begin(on.context(), on.agreements++, vote);
    }

    /** The result of a call that {@link #start} has begun, when its operation is done. */
    public static Object outcome(Pending call, int code) {
        if (code == Code.OK) {
            RankwireException error = call.take();
            return error == null ? Received.NOTHING : error;
        }
        return Received.CANCELLED;
    }
}
