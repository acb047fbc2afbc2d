package io.rankwire.sim.program;

import io.rankwire.launch.Board;
import io.rankwire.launch.Patience;
import io.rankwire.launch.ThreadRanks;

/**
 * What the thread does that waits for simulated ranks: ends them when they take too long by the real clock, or when it
 * is interrupted.
 */
final class CallerWatch {
    private static final long GRACE_NS = 5_000_000_000L;
    private static final int MOST_FRAMES = 12;

    private final Board board;
    private final Baton baton;
    private final Patience patience;
    private final long start = System.nanoTime();
    private boolean interrupted;
    /** Since when the rank that runs should have ended, and which it is. */
    private long overNs;
    private RankTime last;
    private boolean over;

    CallerWatch(Board board, Baton baton, Patience patience) {
        this.board = board;
        this.baton = baton;
        this.patience = patience;
    }

    /** Called a few times a second. */
    void look() {
        long now = System.nanoTime();
        interrupted |= Thread.interrupted();
        boolean late = patience.timeoutNs() > 0 && now - start >= patience.timeoutNs();
        if (!interrupted && !late) {
            return;
        }
        RankTime running = baton.holder();
        if (!over && !board.aborted()) {
            board.abort(interrupted ? 1 : Patience.TIMEOUT_STATUS,
                    interrupted ? "interrupted" : patience.heading() + doing(running));
        }
        if (!over || running != last) {
            overNs = now;
        }
        over = true;
        last = running;
        baton.abort();
        if (running != null) {
            // It may sleep, or wait elsewhere than in a call.
            running.thread().interrupt();
        }
        if (patience.leaves() && now - overNs > GRACE_NS) {
            end();
            throw new ThreadRanks.Failed(-1, new IllegalStateException(
                    board.abortReason() + "\n  " + running + " could not be ended: its thread goes on"));
        }
    }

    /** The ranks have ended, or were left behind. */
    void end() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String doing(RankTime running) {
        if (running == null) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n  ").append(running).append(" runs, all others wait for their turn:");
        StackTraceElement[] stack = running.thread().getStackTrace();
        for (int i = 0; i < Math.min(stack.length, MOST_FRAMES); i++) {
            text.append("\n      at ").append(stack[i]);
        }
        return text.toString();
    }
}
