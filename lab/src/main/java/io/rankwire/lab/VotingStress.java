package io.rankwire.lab;

import io.rankwire.memory.VotingLines;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Two members vote and propose. Each that reads a decision reads the same one, whole, and it is the sum of both votes.
 * The third number is what is read when both have ended.
 * Run: {@code java -cp lab/target/classes:core/target/classes:… org.openjdk.jcstress.Main -t VotingStress}.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "each looked too early for the vote of the other")
@Outcome(id = "3, 0, 3", expect = Expect.ACCEPTABLE, desc = "the first has decided")
@Outcome(id = "0, 3, 3", expect = Expect.ACCEPTABLE, desc = "the second has decided")
@Outcome(id = "3, 3, 3", expect = Expect.ACCEPTABLE, desc = "both have read one decision")
@Outcome(expect = Expect.FORBIDDEN, desc = "two decisions, or a part of one")
@State
public class VotingStress {
    private static final int CALL = 0;

    private final VotingLines lines = new VotingLines(Arena.ofAuto().allocate(VotingLines.bytes(2), 128));

    @Actor
    public void first(LLL_Result result) {
        result.r1 = agree(0, 1);
    }

    @Actor
    public void second(LLL_Result result) {
        result.r2 = agree(1, 2);
    }

    @Arbiter
    public void later(LLL_Result result) {
        result.r3 = decision();
    }

    private long agree(int self, long vote) {
        lines.vote(self, CALL, words(vote));
        if (lines.decider(CALL) == VotingLines.NONE && lines.hasVoted(1 - self, CALL)) {
            long[] other = new long[VotingLines.WORDS];
            lines.readVote(1 - self, CALL, other);
            lines.propose(self, CALL, words(vote + whole(other)));
        }
        return decision();
    }

    private long decision() {
        int decider = lines.decider(CALL);
        if (decider == VotingLines.NONE) {
            return 0;
        }
        long[] value = new long[VotingLines.WORDS];
        lines.readDecision(decider, CALL, value);
        return lines.isOver(CALL) ? -1 : whole(value);
    }

    private static long[] words(long value) {
        long[] words = new long[VotingLines.WORDS];
        Arrays.fill(words, value);
        return words;
    }

    /** The value of all words; -2 if they differ. */
    private static long whole(long[] words) {
        for (long word : words) {
            if (word != words[0]) {
                return -2;
            }
        }
        return words[0];
    }
}
