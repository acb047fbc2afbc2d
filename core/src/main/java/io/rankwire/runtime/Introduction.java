package io.rankwire.runtime;

import io.rankwire.RankwireException;
import io.rankwire.wire.MatchWord;
import java.util.Arrays;

/**
 * How the leaders of two sides exchange their groups for a new intercommunicator. One asks, and the other one answers:
 *
 * <pre>
 *   asks                                    answers
 *     | request: rank, number, group   --&gt;    |  waits for a request
 *     |                                &lt;--    |  offer: context, group
 *     | taken, or withdrawn            --&gt;    |  if withdrawn, waits for the next request
 * </pre>
 *
 * A leader gives up when a member of its own side is dead or its communicator was revoked, and may come again with
 * another group. So all that follows a request has a tag with its number, and a request that is given up is withdrawn.
 */
final class Introduction {
    /** In place of a context: some rank is on both sides. */
    static final int COMMON = -1;
    private static final int OFFER = 1 << 27;
    private static final int MOST_NUMBER = OFFER - 1;
    private static final long TAKEN = 1;
    private static final long WITHDRAWN = 0;

    private final Endpoint local;
    private final String call;
    /** Sends what the other leader waits for, also if a death or a revocation has ended the call on this side. */
    private final Messenger replies;
    /** Waits for the other leader, until a death or a revocation ends the call on this side. */
    private final Messenger messages;
    private int peer = MatchWord.ANY;

    /**
     * A call of this leader.
     *
     * @param between carries the rows
     */
    Introduction(Endpoint local, Messenger between, String call) {
        this.local = local;
        this.call = call;
        replies = between.quiet();
        messages = replies.until(local);
    }

    /** The world rank of the other leader, or {@link MatchWord#ANY} while that is not known. */
    int peer() {
        return peer;
    }

    /** Asks a world rank; returns the context and the other group, or {@link #COMMON} and a rank. */
    long[] ask(int to, int tag) {
        peer = to;
        int number = local.session().contexts().nextRequest() & MOST_NUMBER;
        boolean taken = false;
        send(messages, tag, group(local.session().worldRank(), number));
        try {
            long[] offer = receive(Contexts.LEADER_TAGS | OFFER | number);
            taken = true;
            send(replies, Contexts.LEADER_TAGS | number, TAKEN);
            return result(offer[0], Agreement.toInts(offer, 1));
        } finally {
            if (!taken) {
                withdraw(Contexts.LEADER_TAGS | number);
            }
        }
    }

    private void withdraw(int tag) {
        try {
            send(replies, tag, WITHDRAWN);
        } catch (RankwireException e) {
            // The other leader is dead, or what connects the two was revoked: no rank waits for this.
            return;
        }
    }

    /** Answers a world rank, or the first rank that asks; returns the same. */
    long[] answer(int from, int tag) {
        Contexts contexts = local.session().contexts();
        long context = contexts.allocate();
        long[] result = null;
        boolean mayBeTaken = false;
        try {
            while (!mayBeTaken) {
                peer = from;
                long[] request = receive(tag);
                peer = (int) request[0];
                int number = (int) request[1];
                result = result(context, Agreement.toInts(request, 2));
                mayBeTaken = true;
                send(replies, Contexts.LEADER_TAGS | OFFER | number, group(result[0]));
                mayBeTaken = receive(Contexts.LEADER_TAGS | number)[0] == TAKEN;
            }
            return result;
        } finally {
            if (!mayBeTaken || result[0] == COMMON) {
                contexts.release((int) context);
            }
        }
    }

    private long[] result(long context, int[] theirs) {
        RankSet common = RankSet.of(theirs).intersection(local.group());
        return common.size() > 0 ? new long[] {COMMON, common.worldRank(0)} : row(theirs, context);
    }

    /** Returns some numbers and, behind them, the members of the own side. */
    private long[] group(long... first) {
        return row(local.group().members(), first);
    }

    private static long[] row(int[] members, long... first) {
        long[] row = Arrays.copyOf(first, first.length + members.length);
        System.arraycopy(Agreement.toLongs(members), 0, row, first.length, members.length);
        return row;
    }

    private void send(Messenger by, int tag, long... row) {
        by.sendRow(row, peer, tag, RankSet.of(peer), call);
    }

    private long[] receive(int tag) {
        return messages.receiveRow(peer, tag, peer == MatchWord.ANY ? local.group() : RankSet.of(peer), call);
    }
}
