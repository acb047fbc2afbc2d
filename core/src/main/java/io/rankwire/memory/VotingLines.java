package io.rankwire.memory;

import java.lang.foreign.MemorySegment;

/**
 * Where members of a group that share memory vote, and decide on one of their proposals, call by call. Each member has
 * a row, which it alone writes and all read. The decision is one word, which any member may set, once for each call:
 * it names the member whose proposal was taken. Calls are numbered from 0. A member votes in call c when it has read
 * the decision on call c - 1, and a call is decided when all members have voted that are not dead. So when call c is
 * decided, no live member needs anything of call c - 1, whose places are used again for call c + 1. Nothing is reset.
 *
 * <pre>
 *      0  last call decided + 1, 32 bits | the member whose proposal was taken, 32 bits
 *   place of member m and call c: 128 + (2 * m + c % 2) * 128
 *      0  c + 1: the vote is written
 *      8  vote, 6 words
 *     64  proposal, 6 words
 * </pre>
 */
public class VotingLines {
    /** Words of a vote or proposal. */
    public static final int WORDS = 6;
    /** What {@link #decider} returns for a call that is not decided. */
    public static final int NONE = -1;

    private static final int WORD = 8;
    private static final int LINE = 64;
    private static final int DECISION = 0;
    private static final int ROWS = 2 * LINE;
    private static final int PLACE = 2 * LINE;
    private static final int VOTE = 8;
    private static final int PROPOSAL = LINE;

    private final MemorySegment owner;
    private final MemorySegment memory;
    private final long origin;

    public VotingLines(MemorySegment memory) {
        this.owner = memory;
        this.memory = Words.reach(memory);
        this.origin = Words.origin(memory);
    }

    public static long bytes(int members) {
        return ROWS + 2L * members * PLACE;
    }

    /** Writes the vote of this member, which has read the decision on the call before. */
    public void vote(int self, int call, long[] words) {
        write(place(self, call) + VOTE, words);
        store(place(self, call), call + 1L);
    }

    public boolean hasVoted(int member, int call) {
        return load(place(member, call)) == call + 1L;
    }

    /** Reads the vote of a member that has voted. */
    public void readVote(int member, int call, long[] into) {
        read(place(member, call) + VOTE, into);
    }

    /** Proposes a decision; the first proposal is taken. */
    public void propose(int self, int call, long[] words) {
        write(place(self, call) + PROPOSAL, words);
        long before = load(DECISION);
        if (number(before) < call + 1) {
            compareAndSet(DECISION, before, (call + 1L) << Integer.SIZE | self);
        }
    }

    /** The member whose proposal was taken, or {@link #NONE}. */
    public int decider(int call) {
        long seen = load(DECISION);
        return number(seen) == call + 1 ? (int) seen : NONE;
    }

    /** Reads the proposal that was taken; it is not that of the call if {@link #isOver} afterwards. */
    public void readDecision(int decider, int call, long[] into) {
        read(place(decider, call) + PROPOSAL, into);
    }

    /** Whether the next call is decided: the others have gone on without a member that is still in this one. */
    public boolean isOver(int call) {
        return number(load(DECISION)) > call + 1;
    }

    private static int number(long decision) {
        return (int) (decision >>> Integer.SIZE);
    }

    /** Where the row of a member for a call lies. */
    protected long place(int member, int call) {
        return ROWS + (2L * member + (call & 1)) * PLACE;
    }

    private void write(long at, long[] words) {
        for (int i = 0; i < WORDS; i++) {
            store(at + i * WORD, words[i]);
        }
    }

    private void read(long at, long[] into) {
        for (int i = 0; i < WORDS; i++) {
            into[i] = load(at + i * WORD);
        }
    }

    // Each word in the order of the program: a member that has seen a word sees all that was written before it.

    protected long load(long at) {
        return Words.acquire(memory, origin + at);
    }

    protected void store(long at, long value) {
        Words.release(memory, origin + at, value);
    }

    protected boolean compareAndSet(long at, long expected, long value) {
        return Words.compareAndSet(memory, origin + at, expected, value);
    }

    @Override
    public String toString() {
        return "voting lines in " + owner;
    }
}
