package io.rankwire.launch;

import io.rankwire.launch.Board.State;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Proves deadlocks from a board. The proof has three parts, and nothing may change on the board from its beginning to
 * its end:
 *
 * <ol>
 *   <li>Every rank is blocked, closed or gone, and each waiting thread has polled everything that can reach it twice:
 *       the second of those polls began after the first look, so what was sent before has been found.
 *   <li>The process of each rank answers that none of its threads could act but those inside blocking calls
 *       ({@link ThreadCensus}).
 *   <li>Each waiting thread has polled twice again: what another rank sent until it gave its answer has been found too.
 * </ol>
 *
 * Nothing is proven from a board that does not show all ranks of the job.
 *
 * <p>One watcher thread calls {@link #check()} every {@link #INTERVAL_MS} or so.
 */
public final class DeadlockWatch {
    public static final int INTERVAL_MS = 50;
    /** The status a deadlocked job ends with. */
    public static final int EXIT_STATUS = 35;

    /** Checks without a change before the ranks are asked: a second. The question costs each rank a thread dump. */
    private static final int FIRST_REST = 20;
    /** The rest doubles up to this, half a minute, while ranks answer that a thread could act. */
    private static final int LONGEST_REST = 600;

    /** Ranks of which a report says what they do. */
    private static final int MOST_LINES = 64;

    private final Board board;
    /** Whether a rank that has said it leaves is gone indeed. */
    private final IntPredicate gone;
    private final long[] epochs;
    private final long[] beats;
    /** How many ranks were dead: those that wait for one of them are about to be ended. */
    private int deaths;
    private boolean armed;
    private boolean asked;
    private boolean answered;
    private long question;
    private int rest;
    private int nextRest = FIRST_REST;

    public DeadlockWatch(Board board, IntPredicate gone) {
        this.board = board;
        this.gone = gone;
        epochs = new long[board.size()];
        beats = new long[board.size()];
    }

    /** True when the job is deadlocked. */
    public boolean check() {
        if (!allStuck()) {
            armed = false;
            nextRest = FIRST_REST;
            return false;
        }
        if (!armed || changed()) {
            arm();
            return false;
        }
        if (rest > 0) {
            rest--;
            return false;
        }
        if (!polledTwice()) {
            return false;
        }
        if (!asked) {
            asked = true;
            board.ask(++question);
            return false;
        }
        if (answered) {
            return allStuck() && !changed();
        }
        if (noneCanAct()) {
            answered = true;
            noteBeats();
        }
        return false;
    }

    private void arm() {
        noteBeats();
        for (int rank = 0; rank < epochs.length; rank++) {
            epochs[rank] = board.epoch(rank);
        }
        deaths = board.failures().count();
        // A rank may have moved on between the look at its state and the look at its epoch.
        armed = allStuck() && !changed();
        asked = false;
        answered = false;
        rest = nextRest;
    }

    private void noteBeats() {
        for (int rank = 0; rank < beats.length; rank++) {
            beats[rank] = board.beats(rank);
        }
    }

    private boolean allStuck() {
        if (board.isPartial()) {
            return false;
        }
        boolean anyBlocked = false;
        for (int rank = 0; rank < epochs.length; rank++) {
            State state = board.state(rank);
            anyBlocked |= state == State.BLOCKED;
            boolean stuck = state == State.BLOCKED || state == State.CLOSED || state == State.LEFT && gone.test(rank)
                    || board.isIdle(rank);
            if (!stuck) {
                return false;
            }
        }
        return anyBlocked;
    }

    private boolean changed() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.epoch(rank) != epochs[rank]) {
                return true;
            }
        }
        return board.failures().count() != deaths;
    }

    private boolean polledTwice() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.state(rank) == State.BLOCKED && board.beats(rank) - beats[rank] < 2) {
                return false;
            }
        }
        return !changed();
    }

    private boolean noneCanAct() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.state(rank) == State.LEFT || board.isIdle(rank)) {
                continue;
            }
            long answer = board.answer(rank);
            if (answer >>> 1 != question) {
                return false;
            }
            if ((answer & 1) == 0) {
                asked = false;
                nextRest = Math.min(2 * nextRest, LONGEST_REST);
                rest = nextRest;
                return false;
            }
        }
        return !changed();
    }

    /** What every rank does, and why none can go on: only for boards of which that is known. */
    public String report() {
        return report("deadlock: every rank waits and nothing is on its way", rank -> "");
    }

    /**
     * The same of jobs that run side by side and share a board: of each that has a rank which waits.
     *
     * @param sizes the number of ranks of each job
     */
    public static String report(Board board, int... sizes) {
        if (sizes.length == 1) {
            return new DeadlockWatch(board, rank -> true).report();
        }
        StringJoiner text = new StringJoiner("\n");
        int first = 0;
        for (int job = 0; job < sizes.length; job++) {
            Board part = board.part(first, sizes[job]);
            first += sizes[job];
            if (part.anyBlocked()) {
                text.add("job " + (job + 1) + ": " + new DeadlockWatch(part, rank -> true).report());
            }
        }
        return text.toString();
    }

    /**
     * What every rank does.
     *
     * @param threads describes the threads of a rank's process, in whole lines
     */
    String report(String heading, IntFunction<String> threads) {
        return report(heading, "other threads in the process of rank ", threads);
    }

    /**
     * What every rank does.
     *
     * @param label what stands before the rank whose threads are described
     * @param threads describes threads of a rank, in whole lines
     */
    String report(String heading, String label, IntFunction<String> threads) {
        StringBuilder text = new StringBuilder(heading).append('\n');
        for (int rank = 0; rank < Math.min(epochs.length, MOST_LINES); rank++) {
            if (board.isIdle(rank)) {
                continue;
            }
            text.append("  rank ").append(rank).append(": ").append(board.doing(rank)).append('\n');
        }
        if (board.worldSize() > MOST_LINES) {
            text.append("  and ").append(board.worldSize() - MOST_LINES).append(" more\n");
        }
        text.append("  ").append(cause());
        for (int rank = 0; rank < Math.min(epochs.length, MOST_LINES); rank++) {
            String stacks = threads.apply(rank);
            if (!stacks.isEmpty()) {
                text.append("\n  ").append(label).append(rank).append(":\n");
                text.append(stacks, 0, stacks.length() - 1);
            }
        }
        return text.toString();
    }

    /** Follows the edges from each rank: a cycle, or the first rank that waits for one that is not blocked. */
    private String cause() {
        int[] seenFrom = new int[epochs.length];
        for (int start = 0; start < epochs.length; start++) {
            int rank = start;
            while (isBlocked(rank) && seenFrom[rank] == 0) {
                seenFrom[rank] = start + 1;
                rank = board.waitsFor(rank);
            }
            if (isBlocked(rank) && seenFrom[rank] == start + 1) {
                return cycle(rank);
            }
        }
        for (int rank = 0; rank < epochs.length; rank++) {
            int other = board.waitsFor(rank);
            if (isBlocked(rank) && other >= 0 && other < epochs.length && !isBlocked(other)) {
                return "rank " + rank + " waits for rank " + other + ", which " + switch (board.state(other)) {
                    case ABSENT -> board.isElsewhere(other) ? "is on another host" : "has not joined";
                    case RUNNING, BLOCKED -> "is in no blocking call";
                    case CLOSED, LEFT -> "has ended";
                };
            }
        }
        for (int rank = 0; rank < epochs.length; rank++) {
            if (isBlocked(rank) && !isBlocked(board.waitsFor(rank))) {
                String call = board.doing(rank);
                // Other calls need several ranks, or no message.
                return "rank " + rank + (call.contains(" any rank") ? " waits for any rank, and none sends"
                        : " waits in " + call + ", and no rank ends that");
            }
        }
        return "no rank waits in a call now";
    }

    private boolean isBlocked(int rank) {
        return rank >= 0 && rank < epochs.length && board.state(rank) == State.BLOCKED;
    }

    private String cycle(int first) {
        StringBuilder text = new StringBuilder("cycle: ").append(first);
        int rank = first;
        do {
            rank = board.waitsFor(rank);
            text.append(" -> ").append(rank);
        } while (rank != first && isBlocked(rank));
        return text.toString();
    }
}
