package io.rankwire.sim.fault;

import io.rankwire.memory.Rand;
import java.util.Arrays;

/** What a seed decides about a run of agreements: groups, calls, delays, and who dies when and how. */
final class AgreePlan {
    static final int GROUPS = 2;
    private static final int[] CONTEXTS = {0, 4097};
    private static final int MOST_SENDS = 40;

    final int ranks;
    /** By group: ranks by position. */
    final int[][] members = new int[GROUPS][];
    /** By group: how often its context is used, one group after another, and the calls of each use. */
    final int[] uses = new int[GROUPS];
    final int[] calls = new int[GROUPS];
    /** Whether a member waits for a call before it makes the next one. */
    final boolean blocking;
    final int mostDelay;
    /** One frame in this number takes ten times as long; 0 if none does. */
    final int slow;
    final int mostGap;
    final int mostNotice;
    /** Whether ranks go on for a while after they were declared dead. */
    final boolean lingering;
    /** Whether frames of a rank that is known to be dead are handed up. */
    final boolean late;
    /** By rank: when it dies, or is declared dead; the largest number if it does not. */
    final long[] dies;
    /** By rank: the frame in the middle of whose sending it dies, counted from 0; -1 if it does not. */
    final int[] diesAtSend;
    /** Who revokes a group and when, or -1. */
    final int revoker;
    final int revokes;
    final long revokesAt;

    AgreePlan(Rand rand) {
        // The first two ranks take each other for dead, go on, and both try to lead the others.
        boolean feud = rand.chance(1, 10);
        ranks = feud ? rand.between(3, 4)
                : rand.chance(1, 200) ? rand.between(41, 300) : rand.between(1, rand.chance(1, 8) ? 40 : 12);
        members[0] = new int[ranks];
        Arrays.setAll(members[0], i -> i);
        members[1] = some(rand);
        for (int g = 0; g < GROUPS; g++) {
            uses[g] = g == 0 ? 1 : rand.between(1, 2);
            calls[g] = ranks > 40 ? 1 : rand.between(g == 0 ? 1 : 0, 4);
        }
        blocking = rand.chance(1, 2);
        mostDelay = pick(rand, 1, 10, 100);
        slow = rand.chance(1, 3) ? rand.between(2, 20) : 0;
        mostGap = pick(rand, 1, 20, 400);
        mostNotice = pick(rand, 1, 30, 1_000);
        lingering = feud || rand.chance(1, 3);
        late = rand.chance(1, 2);
        dies = new long[ranks];
        diesAtSend = new int[ranks];
        Arrays.fill(dies, Long.MAX_VALUE);
        Arrays.fill(diesAtSend, -1);
        if (feud) {
            dies[0] = rand.below(4 * mostDelay);
            dies[1] = rand.below(4 * mostDelay);
        } else {
            drawDeaths(rand);
        }
        boolean hasRevoker = rand.chance(1, 2);
        revokes = rand.below(GROUPS);
        int from = members[revokes][rand.below(members[revokes].length)];
        revoker = hasRevoker ? from : -1;
        revokesAt = rand.below(1 + 30 * mostDelay);
    }

    private int[] some(Rand rand) {
        int[] all = members[0].clone();
        for (int i = ranks - 1; i > 0; i--) {
            int j = rand.below(i + 1);
            int swap = all[i];
            all[i] = all[j];
            all[j] = swap;
        }
        return Arrays.copyOf(all, rand.between(1, ranks));
    }

    private void drawDeaths(Rand rand) {
        if (ranks == 1 || rand.chance(1, 6)) {
            return;
        }
        int most = rand.chance(1, 3) ? ranks - 1 : Math.min(ranks - 1, 3);
        int victims = rand.between(1, most);
        // The lowest are the roots; a burst dies at one time.
        boolean roots = rand.chance(1, 3);
        boolean burst = rand.chance(1, 4);
        int span = rand.chance(1, 2) ? 30 * mostDelay : 4 * mostDelay + mostGap;
        long together = rand.below(span);
        int spared = rand.below(ranks);
        for (int i = 0; i < victims; i++) {
            int victim = roots ? i : rand.below(ranks);
            if (victim == spared) {
                continue;
            }
            if (!burst && !lingering && rand.chance(1, 2)) {
                diesAtSend[victim] = rand.below(rand.chance(1, 2) ? MOST_SENDS : 6);
            } else {
                dies[victim] = burst ? together : rand.below(span);
            }
        }
    }

    static int context(int group) {
        return CONTEXTS[group];
    }

    /** Whether a rank lives to the end. */
    boolean survives(int rank) {
        return dies[rank] == Long.MAX_VALUE && diesAtSend[rank] < 0;
    }

    private static int pick(Rand rand, int... choices) {
        return choices[rand.below(choices.length)];
    }

    @Override
    public String toString() {
        StringBuilder deaths = new StringBuilder();
        for (int rank = 0; rank < ranks; rank++) {
            if (!survives(rank)) {
                deaths.append(" rank ").append(rank)
                        .append(diesAtSend[rank] >= 0 ? " at frame " + diesAtSend[rank] : " at " + dies[rank]);
            }
        }
        return "groups  " + Arrays.toString(members[0]) + ", " + Arrays.toString(members[1]) + ", used "
                + Arrays.toString(uses) + " times for " + Arrays.toString(calls) + " calls"
                + (blocking ? ", one after another" : "") + "\n"
                + "times   delay " + mostDelay + (slow > 0 ? ", one of " + slow + " slow" : "") + ", gap " + mostGap
                + ", notice " + mostNotice + (late ? ", late frames come" : "") + "\n"
                + "deaths " + deaths + (lingering ? ", lingering" : "")
                + (revoker < 0 ? "" : "\nrevoked group " + revokes + " by rank " + revoker + " at " + revokesAt);
    }
}
