package io.rankwire;

import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.FabricException;
import io.rankwire.launch.Board;
import io.rankwire.launch.Job;
import io.rankwire.launch.Progress;
import io.rankwire.launch.ThreadRanks;

/**
 * This rank's part in a job. {@code rankwire run -n 4 Program} starts four of them; a program started plainly is a
 * world of one; {@link #run} makes a world of threads inside a program.
 *
 * <pre>{@code
 * try (World world = World.join()) {
 *     Communicator all = world.communicator();
 *     …
 * }
 * }</pre>
 */
public final class World implements AutoCloseable {
    /** What one rank of an embedded world does. */
    @FunctionalInterface
    public interface Body {
        void run(World world) throws Exception;
    }

    private final Job job;
    private final Board board;
    private final Host host;
    private final Contexts contexts;
    private final Communicator communicator;
    /** Drives the device beside the program; null when nobody does, and at the end. */
    private ProgressThread progress;
    private volatile Codec codec = Codec.records();
    private volatile boolean closed;

    private World(Job job, DeviceConfig config) {
        this.job = job;
        this.board = job.board();
        try {
            this.host = new Host(new Device(config, job.openPort()), board, job.rank(), job.size());
        } catch (FabricException e) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + job.rank() + ": join: " + e.getMessage(), e);
        }
        this.contexts = new Contexts(this);
        this.communicator = new Communicator(this, Group.world(job.size()), Contexts.WORLD, "world");
        contexts.add(communicator);
    }

    /** Joins the job this program was started in. Close the world when done: every rank must. */
    public static World join() {
        return join(Job.current(), DeviceConfig.DEFAULT);
    }

    private static World join(Job job, DeviceConfig config) {
        if (job.board().stillOpen(job.rank())) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + job.rank() + " has joined its world already");
        }
        if (job.size() > 1 && job.board().state(job.rank()) == Board.State.CLOSED) {
            throw new RankwireException(ErrorClass.CLOSED, "rank " + job.rank()
                    + " has closed its world; joining once more in the same job is not possible");
        }
        Progress how = Progress.chosen();
        World world = new World(job, config);
        world.board.joined(job.rank(), ProcessHandle.current().pid());
        world.progress = ProgressThread.serve(world.host, how, job.rank(), job.size());
        return world;
    }

    /** Runs ranks as threads of this program and returns when all have ended; the first failure is thrown. */
    public static void run(int ranks, Body body) {
        run(ranks, DeviceConfig.DEFAULT, body);
    }

    static void run(int ranks, DeviceConfig config, Body body) {
        if (ranks < 1) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument ranks: " + ranks + " is below one");
        }
        if (body == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument body is null");
        }
        try {
            ThreadRanks.run(ranks, job -> {
                World world = join(job, config);
                try {
                    body.run(world);
                } catch (Throwable failure) {
                    // The job ends now: what still waits to be sent must not hold the failure up.
                    world.closed = true;
                    world.endProgress(failure);
                    throw failure;
                }
                world.close();
            });
        } catch (ThreadRanks.Failed e) {
            throw e.getCause() instanceof RankwireException ours
                    ? new RankwireException(ours.errorClass(), e.getMessage(), ours)
                    : new RankwireException(ErrorClass.ABORTED, e.getMessage(), e.getCause());
        }
    }

    /** All ranks of the job. */
    public Communicator communicator() {
        return communicator;
    }

    /** How objects become bytes from now on; all ranks need the same. */
    public void codec(Codec other) {
        if (other == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument other is null");
        }
        codec = other;
    }

    /** Ends this rank's part: nothing can be sent or received afterwards. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        endProgress();
        if (!board.aborted()) {
            Closing.flush(this);
        }
        closed = true;
        contexts.worldClosed();
        board.closed(job.rank());
        if (job.size() == 1) {
            Closing.drain(this, board);
            host.device.close();
        } else {
            job.atEnd(() -> {
                Closing.drain(this, board);
                host.device.close();
            });
        }
    }

    private void endProgress() {
        ProgressThread ending = progress;
        progress = null;
        if (ending != null) {
            ending.leave(host);
        }
    }

    private void endProgress(Throwable failure) {
        try {
            endProgress();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public String toString() {
        return "world of " + job.size() + ", rank " + job.rank() + (closed ? ", closed" : "");
    }

    boolean isClosed() {
        return closed;
    }

    int worldRank() {
        return job.rank();
    }

    Host host() {
        return host;
    }

    Contexts contexts() {
        return contexts;
    }

    byte[] encode(Object value) {
        return codec.encode(value);
    }

    <T> T decode(byte[] bytes, Class<T> type) {
        return codec.decode(bytes, 0, bytes.length, type);
    }
}
