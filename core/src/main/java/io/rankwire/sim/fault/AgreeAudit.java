package io.rankwire.sim.fault;

import static io.rankwire.sim.fault.Violation.check;

import io.rankwire.device.agree.Vote;
import io.rankwire.memory.Rand;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The votes and decisions of one call, and what must hold between them. */
final class AgreeAudit {
    private static final int BITS = 60;

    private final String name;
    /** By position: whether the member lives to the end. */
    private final IntPredicate survives;
    private final long[][] votes;
    private long[] decision;
    private int decider;
    /**
     * Whether all decisions must be the same. Ranks that go on after they were declared dead may decide what they like
     * if no member is left.
     */
    private final boolean uniform;

    AgreeAudit(String name, int members, IntPredicate survives, boolean uniform) {
        this.name = name;
        this.survives = survives;
        this.votes = new long[members][];
        this.uniform = uniform;
    }

    /** The vote of a member, with a bit of its own in the word that is combined by OR. */
    long[] vote(int position, Rand rand) {
        long[] vote = new long[Vote.WORDS];
        vote[Vote.FLAGS] = ~(1L << rand.below(BITS));
        vote[Vote.LEAST] = rand.nextLong();
        vote[Vote.MOST] = rand.below(2);
        vote[Vote.HIGHEST] = rand.nextLong();
        vote[Vote.ANY] = 1L << position % BITS;
        votes[position] = vote;
        return vote;
    }

    void decided(int position, long[] value) {
        if (decision == null) {
            decision = value.clone();
            decider = position;
            checkValid();
        }
        check(!uniform || Arrays.equals(value, decision), name + ": place " + position + " has decided "
                + Arrays.toString(value) + ", and place " + decider + " " + Arrays.toString(decision));
    }

    /** The decision combines the votes of members that have voted, among them all that survive. */
    private void checkValid() {
        long[] sum = null;
        for (int i = 0; i < votes.length; i++) {
            boolean counts = (decision[Vote.ANY] >>> i % BITS & 1) != 0;
            check(counts || !survives.test(i), name + ": the vote of place " + i + " is not counted");
            if (votes.length <= BITS && counts) {
                check(votes[i] != null, name + ": place " + i + " has not voted and is counted");
                sum = sum == null ? votes[i].clone() : combine(sum, votes[i]);
            } else if (survives.test(i)) {
                check(votes[i] != null && decision[Vote.LEAST] <= votes[i][Vote.LEAST]
                        && decision[Vote.MOST] >= votes[i][Vote.MOST], name + ": place " + i + " is not counted");
            }
        }
        if (votes.length <= BITS) {
            boolean isMissing = Long.bitCount(decision[Vote.ANY]) < votes.length;
            check(decision[Vote.MOST] > 0 || !isMissing, name + ": a vote is missing, and no death is counted");
            check(sum != null && decision[Vote.MOST] >= sum[Vote.MOST], name + ": too few deaths are counted");
            sum[Vote.MOST] = decision[Vote.MOST];
            check(Arrays.equals(sum, Arrays.copyOf(decision, Vote.WORDS)),
                    name + ": " + Arrays.toString(decision) + " is no combination of votes");
        }
    }

    private static long[] combine(long[] sum, long[] vote) {
        sum[Vote.FLAGS] &= vote[Vote.FLAGS];
        sum[Vote.LEAST] = Math.min(sum[Vote.LEAST], vote[Vote.LEAST]);
        sum[Vote.MOST] = Math.max(sum[Vote.MOST], vote[Vote.MOST]);
        sum[Vote.HIGHEST] = Math.max(sum[Vote.HIGHEST], vote[Vote.HIGHEST]);
        sum[Vote.ANY] |= vote[Vote.ANY];
        return sum;
    }
}
