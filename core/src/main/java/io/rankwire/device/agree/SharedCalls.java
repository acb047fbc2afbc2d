package io.rankwire.device.agree;

import io.rankwire.device.Violation;
import io.rankwire.memory.VotingLines;
import java.util.ArrayDeque;

/**
 * The calls of a group whose members share memory, at one member. It needs no messages: each member writes its vote
 * where all can read it. One that sees the votes of all members that it does not know to be dead combines them into a
 * proposal, and the first proposal is the decision. Memory outlives those who wrote it, so whatever they die of, and
 * when, all others read the same. Calls are made one after another; decision 62 has the proof.
 */
final class SharedCalls {
    private record Call(int number, long[] vote, Agreed agreed) {}

    private final Members members;
    private final VotingLines lines;
    private final ArrayDeque<Call> calls = new ArrayDeque<>();
    private final long[] scratch = new long[Vote.ALL];
    /** Whether this member has voted in the first of the calls. */
    private boolean voted;
    /** The members before this one have voted in it, or are dead. */
    private int next;
    private int last = -1;

    SharedCalls(Members members, VotingLines lines) {
        this.members = members;
        this.lines = lines;
    }

    /** Begins the next call. */
    void begin(int number, long[] vote, Agreed agreed) {
        if (number != last + 1) {
            throw new IllegalArgumentException("call " + number + " after call " + last);
        }
        last = number;
        calls.add(new Call(number, vote, agreed));
        poll();
    }

    /** Whether a call is not decided. */
    boolean isPending() {
        return !calls.isEmpty();
    }

    int pending() {
        return calls.size();
    }

    /** Whether there were calls, and all are decided: then every live member has found the memory. */
    boolean isSettled() {
        return last >= 0 && calls.isEmpty();
    }

    /** The program does not wait any more. This member goes on voting. */
    void drop() {
        calls.forEach(call -> call.agreed.dropped());
    }

    /** Does what can be done; returns how many calls were decided. */
    int poll() {
        int decided = 0;
        while (!calls.isEmpty() && goOn(calls.peek())) {
            calls.remove();
            voted = false;
            next = 0;
            decided++;
        }
        return decided;
    }

    private boolean goOn(Call call) {
        if (!voted) {
            lines.vote(members.self, call.number, call.vote);
            voted = true;
        }
        int decider = lines.decider(call.number);
        if (decider == VotingLines.NONE) {
            if (!haveVoted(call.number)) {
                return false;
            }
            lines.propose(members.self, call.number, combined(call));
            decider = lines.decider(call.number);
        }
        if (decider == VotingLines.NONE) {
            // The others have gone on: they take this member for dead.
            return false;
        }
        if (decider < 0 || decider >= members.count()) {
            throw new Violation("a decision of place " + decider + " of " + members.count() + " in context "
                    + members.context);
        }
        long[] value = new long[Vote.ALL];
        lines.readDecision(decider, call.number, value);
        if (lines.isOver(call.number)) {
            return false;
        }
        call.agreed.decided(value);
        return true;
    }

    private boolean haveVoted(int number) {
        while (next < members.count() && (members.isDead(next) || lines.hasVoted(next, number))) {
            next++;
        }
        return next == members.count();
    }

    private long[] combined(Call call) {
        long[] result = call.vote.clone();
        // Only the vote of a dead member can be missing, and the member that goes on without it counts that death.
        result[Vote.MOST] = Math.max(result[Vote.MOST], members.deaths());
        for (int member = 0; member < members.count(); member++) {
            if (member != members.self && !members.isDead(member)) {
                lines.readVote(member, call.number, scratch);
                Vote.combine(result, scratch);
            }
        }
        return result;
    }
}
