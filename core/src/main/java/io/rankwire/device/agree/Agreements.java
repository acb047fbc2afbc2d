package io.rankwire.device.agree;

import io.rankwire.device.Violation;
import io.rankwire.memory.VotingLines;
import io.rankwire.wire.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * The calls of one rank that its groups agree on, and the groups that were revoked. A group is named by its context and
 * by how often the number of that context was used before. Frames of a group that is not known here yet, or of a call
 * that has not begun, are kept. A call that is over is kept, too, and answered without the program, until all members
 * are known to have decided it: each vote says which calls its member has decided.
 */
public final class Agreements {
    /** Frames of a peer that are kept for groups that are not known, and calls that have not begun. */
    private static final int MOST_KEPT = 1 << 16;

    /** A vote for a call that has not begun. */
    private record Early(int from, int ballot, int accepted, long[] value) {}

    /** What has come for a group before its time: votes by number of the call, and by rank. */
    private static final class Ahead {
        final TreeMap<Integer, Map<Integer, Early>> votes = new TreeMap<>();
        int revokedBy = -1;
    }

    private final Outbox out;
    private final long[] scratch = new long[2 + Vote.ALL];
    private final Map<Long, Members> groups = new HashMap<>();
    private final Map<Long, Ahead> ahead = new HashMap<>();
    private final Map<Integer, Integer> kept = new HashMap<>();
    /** By context: the last use of it that was joined. */
    private final Map<Integer, Integer> uses = new HashMap<>();
    private final Set<Integer> lost = new HashSet<>();
    /** Groups with calls in shared memory that are not decided. */
    private final List<SharedCalls> pending = new ArrayList<>();
    private IntConsumer revocations = context -> {};

    public Agreements(Outbox out) {
        this.out = out;
    }

    /** The first word of a frame. */
    static long word(int use, int number) {
        return (long) use << 32 | number;
    }

    private static long key(int context, int use) {
        return (long) use << 32 | context & 0xFFFF_FFFFL;
    }

    // calls of the runtime

    /**
     * Makes a group known. From now on this rank takes part in spreading a revocation of it.
     *
     * @param use how often the number of the context was used before, the same at all members: from 0, and higher than
     *     that of any group with this context that was joined here before. All members of those have dropped them
     * @param ranks by position: ranks of the world, the same at all members; kept, and not to be changed
     * @param position of this rank
     */
    public void join(int context, int use, int[] ranks, int position) {
        Integer before = uses.put(context, use);
        if (use < 0 || before != null && before >= use) {
            throw new IllegalArgumentException("use " + use + " of context " + context + ", after " + before);
        }
        Members former = before == null ? null : groups.remove(key(context, before));
        if (former != null) {
            pending.remove(former.shared);
        }
        Members members = new Members(context, use, ranks, position, lost);
        groups.put(key(context, use), members);
        Ahead early = ahead.get(key(context, use));
        if (early != null && early.revokedBy >= 0) {
            int from = early.revokedBy;
            early.revokedBy = -1;
            kept.merge(from, -1, Integer::sum);
            revoke(members, members.position(from));
        }
    }

    /**
     * Has all calls on a group be made in shared memory; all members do so before the first one.
     *
     * @param lines memory that all members share
     */
    public void share(int context, VotingLines lines) {
        Members members = members(context);
        members.shared = new SharedCalls(members, lines);
    }

    /** Whether calls were made on a group in shared memory, and all of them are decided. */
    public boolean isSettledInMemory(int context) {
        Integer use = uses.get(context);
        Members found = use == null ? null : groups.get(key(context, use));
        return found != null && found.shared != null && found.shared.isSettled();
    }

    /** Goes on with the calls in shared memory; returns how many were decided. */
    public int poll() {
        int decided = 0;
        for (int i = pending.size() - 1; i >= 0; i--) {
            decided += pending.get(i).poll();
            if (!pending.get(i).isPending()) {
                pending.remove(i);
            }
        }
        return decided;
    }

    /** How many groups have calls in shared memory that are not decided: they need {@link #poll}. */
    public int polled() {
        return pending.size();
    }

    private Members members(int context) {
        Integer use = uses.get(context);
        Members found = use == null ? null : groups.get(key(context, use));
        if (found == null || found.dropped) {
            throw new IllegalArgumentException("no group has context " + context);
        }
        return found;
    }

    /**
     * Begins a call on a group. All members make the same calls, with rising numbers; several may be under way.
     *
     * @param number from 0
     * @param vote {@link Vote#WORDS} words
     */
    public Agreed begin(int context, int number, long[] vote) {
        Members members = members(context);
        if (number <= members.lastBegun) {
            throw new IllegalArgumentException("call " + number + " after call " + members.lastBegun);
        }
        members.lastBegun = number;
        long[] words = new long[Vote.ALL];
        System.arraycopy(vote, 0, words, 0, Vote.WORDS);
        words[Vote.DECIDED] = decidedUpTo(members, number);
        Agreed agreed = new Agreed(out.operation(context));
        if (members.shared != null) {
            beginShared(members.shared, number, words, agreed);
            return agreed;
        }
        Instance instance = new Instance(members, number, words, agreed, out, scratch);
        members.calls.put(number, instance);
        Ahead early = ahead.get(key(context, members.use));
        Map<Integer, Early> votes = early == null ? null : early.votes.remove(number);
        if (votes != null) {
            for (Early each : votes.values()) {
                kept.merge(each.from, -1, Integer::sum);
                int position = members.position(each.from);
                if (position > members.self && each.ballot < members.count()) {
                    instance.voted(position, each.ballot, each.accepted, each.value, 0);
                }
            }
        }
        instance.goOn();
        forgetDecided(members, instance);
        return agreed;
    }

    private void beginShared(SharedCalls shared, int number, long[] vote, Agreed agreed) {
        boolean isNew = !shared.isPending();
        shared.begin(number, vote, agreed);
        if (isNew && shared.isPending()) {
            pending.add(shared);
            out.pending();
        }
    }

    private static int decidedUpTo(Members members, int number) {
        for (Map.Entry<Integer, Instance> call : members.calls.entrySet()) {
            if (!call.getValue().isDecided()) {
                return call.getKey() - 1;
            }
        }
        return number - 1;
    }

    /** Drops what all members have decided. */
    private static void forgetDecided(Members members, Instance instance) {
        if (instance.isDecided()) {
            int upTo = (int) instance.decision()[Vote.DECIDED];
            members.calls.headMap(upTo, true).values().removeIf(Instance::isDecided);
        }
    }

    /** Interrupts a group: every member gets to know of it, unless all that know of it die. */
    public void revoke(int context) {
        revoke(members(context), Members.NONE);
    }

    /** Whether a group with this context was joined here and is not dropped. */
    public boolean isKnown(int context) {
        Integer use = uses.get(context);
        Members found = use == null ? null : groups.get(key(context, use));
        return found != null && !found.dropped;
    }

    /** Whether a group was revoked, as far as is known here. */
    public boolean isRevoked(int context) {
        Integer use = uses.get(context);
        Members found = use == null ? null : groups.get(key(context, use));
        return found != null && !found.dropped && found.revoked;
    }

    /** From now on gets the contexts of groups that are revoked, each once, in the middle of any call. */
    public void onRevoked(IntConsumer listener) {
        revocations = listener;
    }

    /**
     * This rank makes no more calls on a group; those under way end as cancelled. What other members may still ask
     * about is kept until the context is used again.
     */
    public void drop(int context) {
        Integer use = uses.get(context);
        Members members = use == null ? null : groups.get(key(context, use));
        if (members == null || members.dropped) {
            return;
        }
        members.dropped = true;
        members.calls.values().forEach(call -> call.agreed().dropped());
        if (members.shared != null) {
            members.shared.drop();
        }
        Ahead early = ahead.remove(key(context, members.use));
        if (early != null) {
            early.votes.values().forEach(votes -> votes.keySet().forEach(from -> kept.merge(from, -1, Integer::sum)));
        }
    }

    // what the device passes on

    /** A rank is dead: its frames do not count any more. */
    public void lose(int rank) {
        lost.add(rank);
        kept.remove(rank);
        for (Iterator<Ahead> each = ahead.values().iterator(); each.hasNext();) {
            Ahead early = each.next();
            early.votes.values().forEach(votes -> votes.remove(rank));
            early.votes.values().removeIf(Map::isEmpty);
            if (early.votes.isEmpty() && early.revokedBy < 0) {
                each.remove();
            }
        }
        for (Members members : List.copyOf(groups.values())) {
            if (members.lose(members.position(rank))) {
                for (Instance call : List.copyOf(members.calls.values())) {
                    call.goOn();
                    forgetDecided(members, call);
                }
                if (members.revoked) {
                    spread(members);
                }
            }
        }
        poll();
    }

    /**
     * Takes a frame in.
     *
     * @param words its payload
     */
    public void frame(int kind, int from, long header, long[] words) {
        if (lost.contains(from)) {
            return;
        }
        int context = Frame.high(header);
        int ballot = Frame.low(header);
        boolean isRevoke = kind == Frame.REVOKE;
        int use = isRevoke ? ballot : (int) (words[0] >>> 32);
        int number = isRevoke ? 0 : (int) words[0];
        check(kind, ballot, use, number, words);
        Members members = groups.get(key(context, use));
        if (members == null) {
            if (use > uses.getOrDefault(context, -1)) {
                keep(kind, from, context, use, number, ballot, words);
            }
            return;
        }
        int position = members.position(from);
        boolean isUpwards = kind == Frame.AGREE_VOTE || kind == Frame.AGREE_ACK;
        if (position < 0 || position == members.self || ballot >= members.count() && !isRevoke
                || isUpwards && position < members.self || kind == Frame.AGREE_PREPARE && position > members.self) {
            throw new Violation("ballot " + ballot + " of place " + position + " of " + members.count()
                    + " in context " + context + ", where this rank has place " + members.self);
        }
        if (isRevoke) {
            revoke(members, position);
            return;
        }
        Instance instance = members.calls.get(number);
        if (instance == null) {
            if (number > members.lastBegun && !members.dropped) {
                keep(kind, from, context, use, number, ballot, words);
            }
            return;
        }
        switch (kind) {
            case Frame.AGREE_VOTE -> instance.voted(position, ballot, (int) words[1], words, 2);
            case Frame.AGREE_PREPARE -> instance.proposed(ballot, words, 1);
            case Frame.AGREE_ACK -> instance.acknowledged(position, ballot);
            default -> instance.committed(position, words, 1);
        }
        forgetDecided(members, instance);
    }

    private static void check(int kind, int ballot, int use, int number, long[] words) {
        if (ballot < 0 || use < 0 || number < 0) {
            throw new Violation("ballot " + ballot + ", call " + number + ", use " + use);
        }
        if (kind == Frame.AGREE_VOTE && (words[1] < -1 || words[1] > ballot)) {
            throw new Violation("a vote of ballot " + ballot + " that reports ballot " + words[1]);
        }
    }

    /** Only votes and revocations: before this rank has voted there is no proposal, unless it is taken for dead. */
    private void keep(int kind, int from, int context, int use, int number, int ballot, long[] words) {
        boolean isVote = kind == Frame.AGREE_VOTE;
        if (!isVote && kind != Frame.REVOKE) {
            return;
        }
        if (kept.getOrDefault(from, 0) >= MOST_KEPT) {
            throw new Violation("more than " + MOST_KEPT + " votes for calls that have not begun here");
        }
        Ahead early = ahead.computeIfAbsent(key(context, use), key -> new Ahead());
        if (!isVote) {
            if (early.revokedBy < 0) {
                early.revokedBy = from;
                kept.merge(from, 1, Integer::sum);
            }
            return;
        }
        long[] value = new long[Vote.ALL];
        System.arraycopy(words, 2, value, 0, Vote.ALL);
        Map<Integer, Early> votes = early.votes.computeIfAbsent(number, key -> new HashMap<>());
        if (votes.put(from, new Early(from, ballot, (int) words[1], value)) == null) {
            kept.merge(from, 1, Integer::sum);
        }
    }

    private void revoke(Members members, int from) {
        if (from != Members.NONE) {
            members.informed.set(from);
        }
        if (!members.revoked) {
            members.revoked = true;
            spread(members);
            if (!members.dropped) {
                revocations.accept(members.context);
            }
        }
    }

    /** Passes a revocation on along the edges of the tree that are new since the last time. */
    private void spread(Members members) {
        for (int child : members.children()) {
            inform(members, child);
        }
        if (members.parent() != Members.NONE) {
            inform(members, members.parent());
        }
    }

    private void inform(Members members, int position) {
        if (!members.informed.get(position)) {
            members.informed.set(position);
            out.send(members.rank(position), Frame.REVOKE, Frame.header(members.context, members.use), scratch, 0);
        }
    }

    // for audits

    /** Calls that are kept, decided or not. */
    public int calls() {
        return groups.values().stream().mapToInt(members -> members.calls.size()).sum() + pendingCalls();
    }

    private int pendingCalls() {
        return pending.stream().mapToInt(SharedCalls::pending).sum();
    }

    /** Calls that are not decided. */
    public int undecided() {
        return (int) groups.values().stream().flatMap(members -> members.calls.values().stream())
                .filter(call -> !call.isDecided()).count() + pendingCalls();
    }

    /** Votes that are kept for calls that have not begun. */
    public int early() {
        return ahead.values().stream().flatMap(each -> each.votes.values().stream()).mapToInt(Map::size).sum();
    }
}
