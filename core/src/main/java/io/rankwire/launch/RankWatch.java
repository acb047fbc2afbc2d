package io.rankwire.launch;

/**
 * Ends a process of ranks when the launcher is gone or requests it, whatever the program does. Shows the launcher that
 * the program makes calls, and answers its questions about the threads of this process.
 */
final class RankWatch extends Thread {
    private static final int INTERVAL_MS = 100;
    private static final int GRACE_MS = 1000;

    private final JobDirectory directory;
    private final Board board;
    private final ThreadCensus census;
    private final long launcher;
    /** Whether the launcher has started this process itself, and not a script that it has started. */
    private final boolean child;
    /** Whether a debugger can attach to this process, since a rank has failed. */
    private boolean listens;

    RankWatch(ProcessJob job) {
        this(job.directory(), job.board(), new ThreadCensus(job.board(), job.rank(), 1, job.directory()));
    }

    /** For a process whose ranks are threads. */
    RankWatch(JobDirectory directory, Board board) {
        this(directory, board, new ThreadCensus(board, 0, board.size(), directory));
    }

    private RankWatch(JobDirectory directory, Board board, ThreadCensus census) {
        super(OwnThread.group(), "rankwire-watch");
        this.directory = directory;
        this.board = board;
        this.census = census;
        String text = System.getenv(ProcessJob.LAUNCHER);
        launcher = text == null ? 0 : Long.parseLong(text);
        child = launcher != 0 && launcher == parent();
        setDaemon(true);
    }

    @Override
    public void run() {
        board.enter(this);
        try {
            while (true) {
                if (launcherGone()) {
                    directory.delete();
                    Runtime.getRuntime().halt(1);
                }
                if (board.aborted()) {
                    // The launcher has asked nicely by signal and will kill soon; this is for when it cannot.
                    Thread.sleep(GRACE_MS);
                    Runtime.getRuntime().halt(board.abortStatus());
                }
                if (board.paused() && !listens) {
                    listens = true;
                    Debugger.listen();
                }
                board.showCalls();
                census.answer();
                Thread.sleep(INTERVAL_MS);
            }
        } catch (InterruptedException e) {
            // Only the end of the process interrupts this thread.
        }
    }

    private boolean launcherGone() {
        if (launcher == 0) {
            return false;
        }
        return child ? parent() != launcher : ProcessHandle.of(launcher).isEmpty();
    }

    private static long parent() {
        ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
        return parent == null ? -1 : parent.pid();
    }
}
