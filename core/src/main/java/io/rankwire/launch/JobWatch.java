package io.rankwire.launch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Watches over the board of a job: finds deadlocks that are proven and stalls that may be one. One thread calls
 * {@link #check} every {@link DeadlockWatch#INTERVAL_MS} or so.
 */
public final class JobWatch {
    private static final long STACKS_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 10_000_000;

    private final Board board;
    private final StallRule rule;
    private final IntFunction<String> stacks;
    private final DeadlockWatch deadlocks;
    private final StallWatch stalls;
    /** When the ranks were asked for their stacks; 0 while no stall is to be reported. */
    private long askedNs;
    /** How long the stall had lasted then. */
    private long seconds;
    private long request;

    /**
     * What was found.
     *
     * @param ends whether the job is to be ended
     */
    public record Finding(boolean ends, String text) {}

    /**
     * A watch over a job.
     *
     * @param gone whether a rank that has said it leaves is gone indeed
     * @param stacks gives the description of threads that a rank has left after it was asked for it
     */
    public JobWatch(Board board, StallRule rule, IntPredicate gone, IntFunction<String> stacks) {
        this.board = board;
        this.rule = rule;
        this.stacks = stacks;
        deadlocks = new DeadlockWatch(board, gone);
        stalls = new StallWatch(board, rule.limitNs(), JobWatch::processorNs);
    }

    /** A deadlock, a stall that is reported once, or null. */
    public Finding check(long nowNs) {
        if (deadlocks.check()) {
            return new Finding(true, deadlocks.report());
        }
        if (stalls.check(nowNs)) {
            askedNs = nowNs;
            seconds = stalls.seconds(nowNs);
            board.wantStacks(++request);
        }
        if (askedNs == 0 || !allWritten() && nowNs - askedNs < STACKS_NS) {
            return null;
        }
        askedNs = 0;
        String heading = "no progress for " + seconds + " s, maybe a deadlock"
                + (rule.ends() ? "" : "; the job goes on");
        return new Finding(rule.ends(), deadlocks.report(heading, stacks));
    }

    /** What every rank does now; the ranks are given some seconds to describe the threads that are in no call. */
    public String describe(String heading) {
        board.wantStacks(++request);
        for (long start = System.nanoTime(); !allWritten() && System.nanoTime() - start < STACKS_NS; ) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        return deadlocks.report(heading, stacks);
    }

    private static long processorNs(long process) {
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toNanos();
    }

    private boolean allWritten() {
        for (int rank = 0; rank < board.size(); rank++) {
            Board.State state = board.state(rank);
            boolean alive = state != Board.State.ABSENT && state != Board.State.LEFT;
            if (alive && board.stacksWritten(rank) != request) {
                return false;
            }
        }
        return true;
    }
}
