package io.rankwire.launch;

import io.rankwire.fabric.Port;

/** A program started plainly: a world of one, with no file and no process that watches it. */
final class SoloJob extends Job {
    private final Fabrics fabrics = new Fabrics(1);

    SoloJob() {
        super(0, Board.inMemory(1));
        Thread watch = new Thread(OwnThread.group(), this::watch, "rankwire-watch");
        watch.setDaemon(true);
        watch.start();
    }

    @Override
    public void fail(Throwable thrown) {
        if (thrown instanceof Aborted) {
            System.err.println("rankwire: ".concat(thrown.getMessage()));
        } else {
            thrown.printStackTrace();
        }
        System.exit(Aborted.status(thrown));
    }

    @Override
    Port openPort(int world) {
        return fabrics.open(world, rank());
    }

    /** Even one rank can wait for itself for ever; its blocked call then fails with the report. */
    private void watch() {
        Board board = board();
        board.enter(Thread.currentThread());
        SelfWatch watch = new SelfWatch(board);
        try {
            while (!board.aborted()) {
                Thread.sleep(DeadlockWatch.INTERVAL_MS);
                watch.check();
            }
        } catch (InterruptedException e) {
            // Only the end of the process interrupts this thread.
        }
    }
}
