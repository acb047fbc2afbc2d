package io.rankwire.sim.program;

import io.rankwire.launch.Board;
import io.rankwire.launch.Replacements;
import java.util.List;

/** Passes the requests of a simulated rank to the launcher of its job. */
final class SimulatedReplacements implements Replacements {
    private final Board board;
    private final int rank;
    private final SimulatedLauncher launcher;

    SimulatedReplacements(int rank, SimulatedLauncher launcher) {
        this.board = launcher.boardOf(rank);
        this.rank = rank;
        this.launcher = launcher;
    }

    @Override
    public int ask(Request request) {
        return launcher.ask(rank, request);
    }

    @Override
    public Answer answer(int number) {
        return launcher.answer(rank, number);
    }

    @Override
    public boolean areThere(List<Integer> ranks) {
        boolean all = Replacements.areThere(board, ranks);
        launcher.waits(rank, !all);
        return all;
    }

    @Override
    public Part part() {
        return launcher.part(rank);
    }
}
