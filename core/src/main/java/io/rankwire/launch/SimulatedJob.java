package io.rankwire.launch;

import io.rankwire.fabric.Port;
import java.util.function.Consumer;

/** A rank of a simulation: its thread runs only when the simulation lets it, and its clock is the simulation's. */
public final class SimulatedJob extends Job {
    private final int node;
    private final Board board;
    private final Port port;
    private final VirtualTime time;
    private final Consumer<Throwable> failed;

    /**
     * @param port used in all worlds of the job: what is left of one is gone before the next begins
     * @param failed hears of a failure, on the rank's thread
     */
    public SimulatedJob(int rank, int node, Board board, Port port, VirtualTime time, Consumer<Throwable> failed) {
        super(rank, board.size());
        this.node = node;
        this.board = board;
        this.port = port;
        this.time = time;
        this.failed = failed;
    }

    /** Runs the calling thread as this rank, to its end. */
    public void run(ThreadRanks.Body body) {
        enter();
        try {
            body.run(this);
            runEndings();
            if (board.stillOpen(rank())) {
                throw new IllegalStateException("rank " + rank() + " ended but never closed its World: call"
                        + " close(), or open it with try (World world = World.join())");
            }
        } catch (Throwable thrown) {
            failed.accept(thrown);
        } finally {
            board.left(rank());
        }
    }

    @Override
    public VirtualTime virtualTime() {
        return time;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public Board board() {
        return board;
    }

    @Override
    public void fail(Throwable thrown) {
        failed.accept(thrown);
    }

    @Override
    public Port openPort(int world) {
        return port;
    }
}
