package io.rankwire.device.agree;

import io.rankwire.wire.Frame;
import java.util.HashMap;
import java.util.Map;

/**
 * One call of agree at one member: four sweeps over the tree of {@link Members}. Votes go up and are combined; the root
 * proposes the result, which goes down; that all have accepted it goes up; that it is decided goes down. The name of a
 * proposal, its ballot, is the position of the root.
 *
 * <p>If the root dies, the next one has all members vote again, with its own ballot. Such a vote is also a promise to
 * accept no proposal of an earlier ballot, and it reports the last one that was accepted; the new root proposes the
 * last of these again. Decision 53 has the proof.
 */
final class Instance {
    private static final int NONE = -1;

    /** What has passed between this member and another one. */
    private static final class Neighbour {
        final int position;
        /** The ballot of its vote, the last proposal that the vote reports, and that or the combined votes. */
        int voted = NONE;
        int accepted = NONE;
        final long[] value = new long[Vote.ALL];
        /** The last proposal that it has accepted with all behind it. */
        int acknowledged = NONE;
        // the ballots of what was sent to it
        int sentVote = NONE;
        int sentPrepare = NONE;
        int sentAck = NONE;
        /** It has decided, or a COMMIT is on its way to it. */
        boolean committed;

        Neighbour(int position) {
            this.position = position;
        }
    }

    private final Members members;
    private final int number;
    private final Outbox out;
    private final long[] scratch;
    private final Map<Integer, Neighbour> neighbours = new HashMap<>();
    private final long[] vote;
    /** The ballot of the last proposal that was accepted. */
    private int accepted = NONE;
    private long[] value;
    private boolean decided;
    private final Agreed agreed;

    Instance(Members members, int number, long[] vote, Agreed agreed, Outbox out, long[] scratch) {
        this.members = members;
        this.number = number;
        this.vote = vote;
        this.agreed = agreed;
        this.out = out;
        this.scratch = scratch;
    }

    boolean isDecided() {
        return decided;
    }

    /** What was decided, or null. */
    long[] decision() {
        return decided ? value : null;
    }

    Agreed agreed() {
        return agreed;
    }

    private Neighbour neighbour(int position) {
        return neighbours.computeIfAbsent(position, Neighbour::new);
    }

    /** No proposal below this ballot is accepted any more. */
    private int promised() {
        return Math.max(members.root(), accepted);
    }

    void voted(int from, int ballot, int reported, long[] words, int at) {
        Neighbour sender = neighbour(from);
        if (ballot >= sender.voted) {
            sender.voted = ballot;
            sender.accepted = reported;
            System.arraycopy(words, at, sender.value, 0, Vote.ALL);
        }
        goOn();
    }

    void proposed(int ballot, long[] words, int at) {
        if (!decided && ballot >= members.root() && ballot > accepted) {
            accept(ballot, copy(words, at));
        }
        goOn();
    }

    void acknowledged(int from, int ballot) {
        Neighbour sender = neighbour(from);
        sender.acknowledged = Math.max(sender.acknowledged, ballot);
        goOn();
    }

    void committed(int from, long[] words, int at) {
        neighbour(from).committed = true;
        if (!decided) {
            decide(copy(words, at));
        }
    }

    private static long[] copy(long[] words, int at) {
        long[] copy = new long[Vote.ALL];
        System.arraycopy(words, at, copy, 0, Vote.ALL);
        return copy;
    }

    /** Does what can be done: when the call begins, when a frame has come, and when a member was lost. */
    void goOn() {
        if (decided) {
            spread();
            return;
        }
        collect();
        if (accepted >= members.root()) {
            propagate();
        }
    }

    private void accept(int ballot, long[] what) {
        accepted = ballot;
        value = what;
    }

    /** When all votes of this ballot are here from the members behind this one: passes them on, or proposes. */
    private void collect() {
        int ballot = promised();
        boolean isRoot = members.parent() == NONE;
        Neighbour parent = isRoot ? null : neighbour(members.parent());
        if (isRoot ? accepted >= members.self : parent.sentVote >= ballot) {
            return;
        }
        for (int child : members.children()) {
            if (neighbour(child).voted < ballot) {
                return;
            }
        }
        long[] result = vote.clone();
        // Only the vote of a dead member can be missing, and the member that goes on without it counts that death.
        result[Vote.MOST] = Math.max(result[Vote.MOST], members.deaths());
        int last = NONE;
        for (int child : members.children()) {
            Neighbour from = neighbour(child);
            if (from.accepted > last) {
                last = from.accepted;
                System.arraycopy(from.value, 0, result, 0, Vote.ALL);
            } else if (last == NONE) {
                Vote.combine(result, from.value);
            }
        }
        if (accepted > last) {
            last = accepted;
            result = value;
        }
        if (isRoot) {
            accept(members.self, result);
        } else {
            parent.sentVote = ballot;
            scratch[1] = last;
            System.arraycopy(result, 0, scratch, 2, Vote.ALL);
            send(parent, Frame.AGREE_VOTE, ballot, 2 + Vote.ALL);
        }
    }

    /** Passes the proposal that was accepted last on, and back that all behind this member have accepted it. */
    private void propagate() {
        boolean all = true;
        for (int child : members.children()) {
            Neighbour to = neighbour(child);
            if (to.sentPrepare < accepted) {
                to.sentPrepare = accepted;
                System.arraycopy(value, 0, scratch, 1, Vote.ALL);
                send(to, Frame.AGREE_PREPARE, accepted, 1 + Vote.ALL);
            }
            all &= to.acknowledged == accepted;
        }
        if (!all) {
            return;
        }
        if (accepted == members.self) {
            decide(value);
        } else if (members.parent() != NONE && neighbour(members.parent()).sentAck < accepted) {
            Neighbour parent = neighbour(members.parent());
            parent.sentAck = accepted;
            send(parent, Frame.AGREE_ACK, accepted, 1);
        }
    }

    private void decide(long[] what) {
        value = what;
        decided = true;
        spread();
        agreed.decided(what);
    }

    private void spread() {
        for (int child : members.children()) {
            commit(neighbour(child));
        }
        if (members.parent() != NONE) {
            commit(neighbour(members.parent()));
        }
    }

    private void commit(Neighbour to) {
        if (!to.committed) {
            to.committed = true;
            System.arraycopy(value, 0, scratch, 1, Vote.ALL);
            send(to, Frame.AGREE_COMMIT, 0, 1 + Vote.ALL);
        }
    }

    private void send(Neighbour to, int kind, int ballot, int words) {
        scratch[0] = Agreements.word(members.use, number);
        out.send(members.rank(to.position), kind, Frame.header(members.context, ballot), scratch, words);
    }
}
