package io.rankwire.runtime;

import io.rankwire.launch.Board;
import java.util.HashMap;
import java.util.Map;

/** What a rank knows of the others from the job's board, for reports. */
public final class OtherRanks {
    /** So long another rank may say nothing of what it does before it is accused all the same. */
    private static final long PATIENCE_NS = 2_000_000_000;

    private final Board board;
    /** Since when they are suspected. */
    private final Map<Integer, Long> suspects = new HashMap<>();

    public OtherRanks(Board board) {
        this.board = board;
    }

    /** Whether it is known what another rank does, or that was waited for in vain for long. */
    public boolean settled(int worldRank, long nowNs) {
        if (hasStopped(worldRank)) {
            return true;
        }
        Long since = suspects.putIfAbsent(worldRank, nowNs);
        return since != null && nowNs - since > PATIENCE_NS;
    }

    /** Whether another rank waits in a call, or has ended: then what it shows is up to date. */
    public boolean hasStopped(int worldRank) {
        return board.state(worldRank) != Board.State.RUNNING;
    }

    /** Whether another rank has closed its world and not joined the next. */
    public boolean hasClosed(int worldRank) {
        return board.state(worldRank) == Board.State.CLOSED
                || board.state(worldRank) == Board.State.LEFT && !board.stillOpen(worldRank);
    }

    /** What another rank has shown of its collective calls. */
    public String shown(int worldRank) {
        return board.shown(worldRank);
    }

    /** What another rank is known to wait for, behind these words; else nothing. */
    public String doing(int worldRank, String before) {
        return board.state(worldRank) == Board.State.BLOCKED ? before + board.doing(worldRank) : "";
    }
}
