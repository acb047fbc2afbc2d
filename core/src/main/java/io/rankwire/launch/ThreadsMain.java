package io.rankwire.launch;

import java.util.Arrays;

/**
 * Main class of a job whose ranks are threads of one process. The arguments are whether to tag output ({@code tag} or
 * {@code plain}), the user's main class and its arguments; the launcher that started it watches over the board as it
 * does for processes.
 */
public final class ThreadsMain {
    private ThreadsMain() {}

    public static void main(String[] args) {
        ProgramProcess process =
                ProgramProcess.start(args[0].equals("tag"), args[1], Arrays.copyOfRange(args, 2, args.length));
        Board board = process.board();
        ThreadRanks ranks = new ThreadRanks(
                board.worldSize(), board, new Fabrics(board.size(), board.worldSize()));
        ProgramExit.listen((rank, status) -> {
            String why = status != 0 ? "it exited with status " + status
                    : Replacements.isMissing(board, rank) ? FailureWatch.NEVER_JOINED
                    : board.stillOpen(rank) ? Ending.NEVER_CLOSED : null;
            if (why != null && board.failures().goesOn()) {
                int failure = Math.max(1, status);
                process.died(rank, new Aborted(why, failure));
                throw new ProgramClock.Exited(failure);
            } else if (status == 0) {
                ranks.awaitOthers(rank);
            }
            process.exits(rank, status);
        });
        process.atExit(() -> {
            if (!process.hasFailed()) {
                ranks.reportWhoExits();
            }
            return -1;
        });
        ranks.start(process::run, process::fail, process::died);
        ranks.awaitAll();
        if (ranks.awaitThreads()) {
            System.exit(0);
        }
    }
}
