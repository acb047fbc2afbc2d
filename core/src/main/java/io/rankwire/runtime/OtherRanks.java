package io.rankwire.runtime;

import io.rankwire.launch.Board;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Reads from the job's board what other ranks do, for reports about collective calls that do not match. */
public final class OtherRanks {
    /** How long a report waits for what other ranks or the launcher show on the board. */
    private static final long PATIENCE_NS = 2_000_000_000;
    private static final long PAUSE_NS = 1_000_000;

    private final Board board;
    /** The times at which {@link #settled} was first asked about ranks that had not stopped. */
    private final Map<Integer, Long> suspects = new HashMap<>();

    OtherRanks(Board board) {
        this.board = board;
    }

    /** Whether the board shows what another rank does, or the time to wait for that is over. */
    public boolean settled(int worldRank, long nowNs) {
        if (hasStopped(worldRank)) {
            return true;
        }
        Long since = suspects.putIfAbsent(worldRank, nowNs);
        return since != null && nowNs - since > PATIENCE_NS;
    }

    /** Waits some time for a condition; returns whether it holds. */
    static boolean holdsSoon(BooleanSupplier condition) {
        for (long until = System.nanoTime() + PATIENCE_NS; !condition.getAsBoolean(); ) {
            if (System.nanoTime() >= until) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return true;
    }

    /** Whether another rank waits in a call or has ended: what the board shows of it is up to date then. */
    public boolean hasStopped(int worldRank) {
        return board.state(worldRank) != Board.State.RUNNING && !board.isElsewhere(worldRank);
    }

    /** Whether another rank has closed its world and not joined the next. */
    public boolean hasClosed(int worldRank) {
        return board.state(worldRank) == Board.State.CLOSED
                || board.state(worldRank) == Board.State.LEFT && !board.stillOpen(worldRank);
    }

    /** Returns the collective calls that another rank has shown on the board. */
    public String shown(int worldRank) {
        return board.shown(worldRank);
    }

    /** Returns what another rank waits for, behind a prefix; an empty string if it does not wait. */
    public String doing(int worldRank, String before) {
        return board.state(worldRank) == Board.State.BLOCKED ? before + board.doing(worldRank) : "";
    }
}
