package io.rankwire.launch;

import io.rankwire.launch.Board.State;

/**
 * Proves deadlocks from a board. Every rank is blocked or has ended, and between two looks no rank's epoch has changed
 * while each blocked rank has polled everything it can be reached by at least twice: the second of those polls began
 * after the first look, so a message sent before it would have been found, and nobody has sent one since. What polling
 * cannot show is another thread of a blocked rank that computes or sleeps and may send later, or a rank between two
 * worlds, so each rank is then asked whether its threads are quiet; only if all are, and nothing has changed meanwhile,
 * is it a deadlock.
 *
 * <p>One watcher thread calls {@link #check()} every {@link #INTERVAL_MS} or so.
 */
public final class DeadlockWatch {
    public static final int INTERVAL_MS = 50;
    /** The status a deadlocked job ends with. */
    public static final int EXIT_STATUS = 35;

    private static final int CHECKS_BEFORE_ASKING_AGAIN = 20;
    /** A rank that has closed its world may be on its way into the next, which can take a while. */
    private static final int CALM_CHECKS_WITH_CLOSED = 20;

    /** Ranks of which a report says what they do. */
    private static final int MOST_LINES = 64;

    private final Board board;
    private final long[] epochs;
    private final long[] beats;
    private boolean armed;
    private boolean proven;
    private boolean asked;
    private long question;
    private int rest;
    private int calm;

    public DeadlockWatch(Board board) {
        this.board = board;
        epochs = new long[board.size()];
        beats = new long[board.size()];
    }

    /** A report in several lines when the job is deadlocked, otherwise null. */
    public String check() {
        if (!allStuck()) {
            armed = false;
            return null;
        }
        if (!armed || changed()) {
            arm();
            return null;
        }
        proven = proven || polledTwice();
        if (!proven || rest > 0 && rest-- > 0) {
            return null;
        }
        if (!asked) {
            asked = true;
            board.ask(++question);
            return null;
        }
        return quiet() && ++calm >= (anyClosed() ? CALM_CHECKS_WITH_CLOSED : 1) ? report() : null;
    }

    private void arm() {
        for (int rank = 0; rank < epochs.length; rank++) {
            beats[rank] = board.beats(rank);
            epochs[rank] = board.epoch(rank);
        }
        // A rank may have moved on between the look at its state and the look at its epoch.
        armed = allStuck() && !changed();
        proven = false;
        asked = false;
        rest = 0;
        calm = 0;
    }

    private boolean allStuck() {
        boolean anyBlocked = false;
        for (int rank = 0; rank < epochs.length; rank++) {
            switch (board.state(rank)) {
                case BLOCKED -> anyBlocked = true;
                case CLOSED, LEFT -> {}
                default -> {
                    return false;
                }
            }
        }
        return anyBlocked;
    }

    private boolean anyClosed() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.state(rank) == State.CLOSED) {
                return true;
            }
        }
        return false;
    }

    private boolean changed() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.epoch(rank) != epochs[rank]) {
                return true;
            }
        }
        return false;
    }

    private boolean polledTwice() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.state(rank) == State.BLOCKED && board.beats(rank) - beats[rank] < 2) {
                return false;
            }
        }
        return !changed();
    }

    private boolean quiet() {
        for (int rank = 0; rank < epochs.length; rank++) {
            if (board.state(rank) == State.LEFT) {
                continue;
            }
            long answer = board.answer(rank);
            if (answer >>> 1 != question) {
                return false;
            }
            if ((answer & 1) == 0) {
                asked = false;
                rest = CHECKS_BEFORE_ASKING_AGAIN;
                return false;
            }
        }
        return !changed();
    }

    /** What every rank does, and why none can go on: only for boards of which that is known. */
    public String report() {
        StringBuilder text = new StringBuilder("deadlock: every rank waits and nothing is on its way\n");
        for (int rank = 0; rank < Math.min(epochs.length, MOST_LINES); rank++) {
            text.append("  rank ").append(rank).append(": ").append(board.doing(rank)).append('\n');
        }
        if (epochs.length > MOST_LINES) {
            text.append("  and ").append(epochs.length - MOST_LINES).append(" more\n");
        }
        return text.append("  ").append(cause()).toString();
    }

    /** Follows the edges from each rank: a cycle, or the first rank that waits for one that cannot answer. */
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
            if (isBlocked(rank) && other >= 0 && other < epochs.length) {
                if (!isBlocked(other)) {
                    return "rank " + rank + " waits for rank " + other + ", which has ended";
                }
            }
        }
        for (int rank = 0; rank < epochs.length; rank++) {
            if (isBlocked(rank)) {
                return "rank " + rank + " waits for any rank, and none will send";
            }
        }
        throw new AssertionError("a deadlock without a blocked rank");
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
        } while (rank != first);
        return text.toString();
    }
}
