package io.rankwire.launch;

import io.rankwire.launch.Board.State;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Notices that a job makes no progress, which may be a deadlock that cannot be proven. There is no progress while a
 * rank waits in a call, and no rank begins or ends a call, finds a message, joins or leaves. A rank that computes, in
 * whatever thread, may need long for it, so the limit is six times as long while one does, or
 * while there are ranks on other hosts, which may.
 */
final class StallWatch {
    private static final int WHILE_COMPUTING = 6;
    private static final long LONGEST_SAMPLE_NS = 1_000_000_000;
    /** The share of a processor from which on a process computes: polling and the JVM itself need less. */
    private static final double COMPUTES = 0.2;

    private final Board board;
    private final LongUnaryOperator processorNs;
    private final long limitNs;
    /** For this long before the limit it is measured how much processor time the ranks use. */
    private final long sampleNs;
    private final long[] seen;
    private boolean started;
    private long sinceNs;
    private boolean noticed;
    /** When processor time was first looked at in this stall; 0 before. */
    private long sampledNs;
    /** By process. */
    private Map<Long, Long> used;
    private boolean computes;

    /**
     * A watch that notices nothing when the limit is 0.
     *
     * @param processorNs how much processor time a process has used
     */
    StallWatch(Board board, long limitNs, LongUnaryOperator processorNs) {
        this.board = board;
        this.processorNs = processorNs;
        this.limitNs = limitNs;
        sampleNs = Math.min(LONGEST_SAMPLE_NS, limitNs / 2);
        seen = new long[board.size()];
    }

    /** True once for each stall, when it has lasted for the limit. */
    boolean check(long nowNs) {
        if (limitNs == 0) {
            return false;
        }
        if (moved() || !started) {
            started = true;
            sinceNs = nowNs;
            noticed = false;
            sampledNs = 0;
            computes = false;
            return false;
        }
        if (noticed || nowNs - sinceNs < limitNs - sampleNs) {
            return false;
        }
        if (sampledNs == 0) {
            sampledNs = nowNs;
            used = processorTimes();
        }
        if (nowNs - sinceNs < limitNs) {
            return false;
        }
        computes = computes || board.isPartial() || anyUsed((long) (COMPUTES * (nowNs - sampledNs)));
        noticed = !computes || nowNs - sinceNs >= WHILE_COMPUTING * limitNs;
        return noticed;
    }

    /** How long the stall has lasted, in whole seconds. */
    long seconds(long nowNs) {
        return (nowNs - sinceNs) / 1_000_000_000;
    }

    private boolean moved() {
        boolean moved = false;
        boolean waits = false;
        for (int rank = 0; rank < seen.length; rank++) {
            State state = board.state(rank);
            // A rank that has closed its world only takes in what still comes.
            boolean calls = state == State.RUNNING || state == State.BLOCKED;
            long now = board.epoch(rank) * 31 + (calls ? board.calls(rank) : 0);
            moved |= now != seen[rank];
            seen[rank] = now;
            waits |= state == State.BLOCKED;
        }
        return moved || !waits;
    }

    private boolean anyUsed(long ns) {
        for (Map.Entry<Long, Long> now : processorTimes().entrySet()) {
            if (now.getValue() - used.getOrDefault(now.getKey(), now.getValue()) > ns) {
                return true;
            }
        }
        return false;
    }

    /** Of all ranks: one whose main thread waits may compute in another. */
    private Map<Long, Long> processorTimes() {
        Map<Long, Long> times = new HashMap<>();
        for (int rank = 0; rank < seen.length; rank++) {
            State state = board.state(rank);
            if (state == State.RUNNING || state == State.BLOCKED) {
                times.computeIfAbsent(board.pid(rank), processorNs::applyAsLong);
            }
        }
        return times;
    }
}
