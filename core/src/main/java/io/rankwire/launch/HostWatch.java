package io.rankwire.launch;

import java.io.IOException;
import java.nio.file.Files;

/**
 * Watches over a rank without a launcher, from inside its process. It sends beats to the root, answers questions about
 * threads, and ends the process when the job is over. The lowest rank of the host that is still there also looks for
 * deadlocks and stalls. Where the job has several hosts, the board shows a part of the ranks, and stalls are reported
 * only.
 */
final class HostWatch extends Thread {
    private static final int GRACE_MS = 1000;

    private final NetworkJob job;
    private final Board board;
    private final ThreadCensus census;
    private final StallRule rule;
    private JobWatch watch;
    private long nextBeatNs;

    HostWatch(NetworkJob job, StallRule wanted) {
        super(OwnThread.group(), "rankwire-watch");
        this.job = job;
        this.board = job.board();
        this.census = new ThreadCensus(board, job.rank(), 1, job.directory());
        this.rule = job.hasOneHost() ? wanted : new StallRule(wanted.limitNs(), false);
        setDaemon(true);
    }

    @Override
    public void run() {
        board.enter(this);
        try {
            while (!board.aborted() && !job.hasEnded()) {
                long now = System.nanoTime();
                if (now - nextBeatNs >= 0) {
                    nextBeatNs = now + job.settings().beatNs();
                    job.beat();
                }
                board.showCalls();
                census.answer();
                job.suspects();
                if (isLowest()) {
                    check(now);
                }
                Thread.sleep(DeadlockWatch.INTERVAL_MS);
            }
            if (board.aborted() && job.endsProcess()) {
                endProcess();
            }
        } catch (InterruptedException e) {
            // Only the end of the process interrupts this thread.
        }
    }

    private boolean isLowest() {
        for (int rank = 0; rank < job.rank(); rank++) {
            if (job.isInside(rank) && board.endedAt(rank) == 0 && !board.failures().isDead(rank)) {
                return false;
            }
        }
        return true;
    }

    private void check(long now) {
        if (watch == null) {
            watch = new JobWatch(board, rule, rank -> ProcessIdentity.of(job.process(rank)).start() == 0, this::stacks);
        }
        JobWatch.Finding found = watch.check(now);
        if (found == null) {
            return;
        }
        if (found.ends()) {
            job.endJob(DeadlockWatch.EXIT_STATUS, found.text());
        } else {
            System.err.println("rankwire: " + found.text());
        }
    }

    private String stacks(int rank) {
        try {
            return Files.readString(job.directory().stacks(rank));
        } catch (IOException e) {
            return "";
        }
    }

    /** Waiting calls end by themselves, and the program has some time to end in order. */
    private void endProcess() throws InterruptedException {
        int status = board.abortStatus();
        Thread.sleep(GRACE_MS);
        if (!job.hasFailed()) {
            sayWhy(job);
        }
        Thread exit = new Thread(() -> System.exit(status));
        exit.setDaemon(true);
        exit.start();
        Thread.sleep(2 * GRACE_MS);
        board.left(job.rank());
        job.leaveDirectory();
        Runtime.getRuntime().halt(status);
    }

    private static void sayWhy(NetworkJob job) {
        System.err.println("rankwire: rank " + job.rank() + " ends: " + job.board().abortReason());
    }

    /**
     * Ends the process of a rank that fails after the end of its job, most likely because of that. The launcher of an
     * agent reports the end of the job once for all ranks.
     */
    static void exit(NetworkJob job) {
        if (!AgentRank.isPresent()) {
            sayWhy(job);
        }
        System.exit(job.board().abortStatus());
    }
}
