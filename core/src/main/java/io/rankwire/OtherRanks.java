package io.rankwire;

import io.rankwire.launch.Board;

/** What a rank knows of the others from the job's board, for reports. */
final class OtherRanks {
    /** Looks before another rank is accused though it says nothing: about half a second. */
    private static final int SUSPICIONS = 500;

    private final Board board;
    private int suspicions;

    OtherRanks(Board board) {
        this.board = board;
    }

    /** Whether it is known what another rank does, or that was waited for in vain for long. */
    boolean settled(int worldRank) {
        return hasStopped(worldRank) || ++suspicions % SUSPICIONS == 0;
    }

    /** Whether another rank waits in a call, or has ended: then what it shows is up to date. */
    boolean hasStopped(int worldRank) {
        return board.state(worldRank) != Board.State.RUNNING;
    }

    /** Whether another rank has closed its world and not joined the next. */
    boolean hasClosed(int worldRank) {
        return board.state(worldRank) == Board.State.CLOSED
                || board.state(worldRank) == Board.State.LEFT && !board.stillOpen(worldRank);
    }

    /** What another rank has shown of its collective calls. */
    String shown(int worldRank) {
        return board.shown(worldRank);
    }

    /** What another rank is known to wait for, behind these words; else nothing. */
    String doing(int worldRank, String before) {
        return board.state(worldRank) == Board.State.BLOCKED ? before + board.doing(worldRank) : "";
    }
}
