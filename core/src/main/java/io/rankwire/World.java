package io.rankwire;

import io.rankwire.device.DeviceConfig;
import io.rankwire.launch.Aborted;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.runtime.Session;
import java.lang.foreign.MemorySegment;

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

    private final Session session;
    private final Communicator communicator;
    private volatile Codec codec = Codec.records();

    private World(Session session) {
        this.session = session;
        this.communicator = new Communicator(this, session.all());
    }

    /**
     * Joins the job this program was started in. Close the world when done: every rank must. A rank that has closed its
     * world may join once more, as all others do; it then waits until they have closed the one before.
     */
    public static World join() {
        return new World(Session.join());
    }

    /** Runs ranks as threads of this program and returns when all have ended; the first failure is thrown. */
    public static void run(int ranks, Body body) {
        run(ranks, Session.config(), body);
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
                World world = new World(Session.join(job, config));
                try {
                    body.run(world);
                } catch (Throwable failure) {
                    world.session.closeFailed(failure);
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

    /**
     * The time in nanoseconds, from some moment on: to be compared with other times of the same rank. That of the
     * machine, and in a simulation that of the simulated one.
     */
    public long time() {
        return session.host().nowNs();
    }

    /**
     * Says that the program computes for so long. In a simulation this rank's time passes, and what is under way goes
     * on as the simulated machine can; everywhere else nothing happens: there the computing itself takes the time.
     */
    public void spend(long nanoseconds) {
        if (nanoseconds < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + session.worldRank()
                    + ": spend: argument nanoseconds: " + nanoseconds + " is below zero");
        }
        session.host().spend(nanoseconds);
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

    /**
     * Memory full of zeros, at a multiple of 64 bytes, that every rank of this host can reach: messages between such
     * memories are copied once, and windows over it need no help of their target. Any size: beyond 64 MiB, and where
     * ranks are processes, pages come into being at their first use. It ends with {@link #free}, and when all ranks
     * have closed their worlds.
     */
    public MemorySegment allocate(long bytes) {
        return session.allocate(bytes);
    }

    /** Ends memory that {@link #allocate} gave to this rank; no message or window may use it any more. */
    public void free(MemorySegment memory) {
        session.free(memory);
    }

    /**
     * A name that another part of this job can {@link Communicator#connect} to, while the ranks of a communicator with
     * this one as root {@link Communicator#accept}. How the name comes to the others is the program's business.
     */
    public String openPort() {
        return session.ports().open();
    }

    /** Ends a port that this rank has opened. */
    public void closePort(String port) {
        session.ports().close(port);
    }

    /**
     * Ends the whole job at once, from any thread: all ranks stop, and each exits with this status, of which systems
     * keep the lowest eight bits. Where ranks are threads of a program that goes on, its call of {@link #run} fails.
     */
    public void abort(int status, String reason) {
        String text = "abort with status " + status + (reason == null || reason.isEmpty() ? "" : ": " + reason);
        session.fail(new Aborted(text, status));
        throw new RankwireException(ErrorClass.ABORTED, "rank " + session.worldRank() + ": " + text);
    }

    /**
     * Ends this rank's part: nothing can be sent or received afterwards. Calls in which other threads of this rank wait
     * end with an error of the class {@link ErrorClass#CLOSED}.
     */
    @Override
    public void close() {
        session.close();
    }

    @Override
    public String toString() {
        return session.toString();
    }

    /**
     * Ends the whole job because of an error here, as if the program had let it out. Returns only where ranks are
     * threads of a program that goes on: the caller then throws it.
     */
    public void fail(Throwable error) {
        session.fail(error);
    }

    Session session() {
        return session;
    }

    byte[] encode(Object value) {
        return codec.encode(value);
    }

    <T> T decode(byte[] bytes, Class<T> type) {
        return codec.decode(bytes, 0, bytes.length, type);
    }
}
