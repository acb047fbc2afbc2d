package io.rankwire.launch;

/** Watches over a job from inside its own process, for worlds without a launcher. One thread uses it. */
final class SelfWatch {
    private final Board board;
    private final ThreadCensus census;
    private final JobWatch watch;

    SelfWatch(Board board) {
        this(board, StallRule.ofProperties());
    }

    SelfWatch(Board board, StallRule rule) {
        this.board = board;
        census = new ThreadCensus(board, 0, board.size(), null);
        // A rank has left when its thread has; any other thread of it is one of this process and counted as such.
        watch = new JobWatch(board, rule, rank -> true, census::description);
    }

    /** Reports a stall on standard error; ends the job for a deadlock, or for a stall if that is wanted. */
    void check() {
        board.showCalls();
        census.answer();
        JobWatch.Finding found = board.aborted() ? null : watch.check(System.nanoTime());
        if (found == null) {
            return;
        }
        if (found.ends()) {
            board.abort(DeadlockWatch.EXIT_STATUS, found.text());
        } else {
            System.err.println("rankwire: " + found.text());
        }
    }
}
