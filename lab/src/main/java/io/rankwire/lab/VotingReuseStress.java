package io.rankwire.lab;

import io.rankwire.memory.VotingLines;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A member that the others take for dead reads a decision late, while they make the next calls, which use its place
 * again. It reads the decision whole, or sees that they have gone on.
 * Run: {@code java -cp lab/target/classes:core/target/classes:… org.openjdk.jcstress.Main -t VotingReuseStress}.
 */
@JCStressTest
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "the decision, whole")
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "the others have gone on")
@Outcome(expect = Expect.FORBIDDEN, desc = "words of another call")
@State
public class VotingReuseStress {
    private final VotingLines lines = new VotingLines(Arena.ofAuto().allocate(VotingLines.bytes(2), 128));

    public VotingReuseStress() {
        propose(0, 7);
    }

    private void propose(int call, long value) {
        long[] words = new long[VotingLines.WORDS];
        Arrays.fill(words, value);
        lines.vote(0, call, words);
        lines.propose(0, call, words);
    }

    @Actor
    public void goOn() {
        propose(1, 8);
        propose(2, 9);
    }

    @Actor
    public void readLate(L_Result result) {
        int decider = lines.decider(0);
        if (decider == VotingLines.NONE) {
            result.r1 = -1L;
            return;
        }
        long[] words = new long[VotingLines.WORDS];
        lines.readDecision(decider, 0, words);
        long last = words[VotingLines.WORDS - 1];
        boolean whole = Arrays.stream(words).allMatch(word -> word == last);
        result.r1 = lines.isOver(0) ? -1L : whole ? last : -2L;
    }
}
