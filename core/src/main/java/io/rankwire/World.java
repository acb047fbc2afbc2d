package io.rankwire;

import io.rankwire.device.DeviceConfig;
import io.rankwire.launch.Aborted;
import io.rankwire.launch.Job;
import io.rankwire.launch.ThreadRanks;
import io.rankwire.runtime.Session;
import java.lang.foreign.MemorySegment;

/**
 * This rank's part in a job. {@code rankwire run -n 4 Program} starts a job of four ranks; a program that is started
 * plainly is a world of one; {@link #run} makes a world of threads inside a program, and {@link Ranks} one of any
 * kind; {@link #join(Membership)} makes one of processes that another framework has started. Launchers of clusters are
 * found by the environment.
 *
 * <pre>{@code
 * try (World world = World.join()) {
 *     Communicator all = world.communicator();
 *     IO.println("rank " + all.rank() + " of " + all.size());
 * }
 * }</pre>
 */
public final class World implements AutoCloseable {
    /** The program of one rank of a world that {@link World#run} makes. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs on a thread of its own.
         *
         * @param world the world of this rank, which is closed when this method returns
         * @throws Exception to end the whole world
         */
        void run(World world) throws Exception;
    }

    private final Session session;
    private final Communicator communicator;
    /** Null until the program asks for it. */
    private Communicator self;
    /** What is left to do when this world was closed in a process that goes on. */
    private final Runnable release;
    private volatile Codec codec = Codec.records();

    private World(Session session) {
        this(session, () -> { });
    }

    private World(Session session, Runnable release) {
        this.session = session;
        this.release = release;
        this.communicator = new Communicator(this, session.all());
    }

    /**
     * Joins the job that this program was started in. Every rank must join, and close its world when done. A rank that
     * has closed its world may join again, as all others do; it then waits until they have closed the world before.
     *
     * <p>A process that replaces a rank that has died joins, too: the call then returns when it is a member of the
     * communicator that {@link Communicator#replace} repairs.
     *
     * @return this rank's part in the job
     * @throws RankwireException if this rank has not closed the world it joined before
     */
    public static World join() {
        return new World(Session.join());
    }

    /**
     * Joins a job as a worker of another framework, or of a program that starts its processes by itself. Returns when
     * all ranks have joined. A process can be one rank at a time; when it has closed its world it can join another job.
     *
     * <p>The process goes on whatever happens in the job: if a rank fails or is lost, calls of the others throw an
     * exception with the reason. A rank that cannot go on must call {@link #fail} or {@link #abort} before it closes
     * its world, otherwise the others wait for it. The environment variables of docs/NETWORK.md that choose a fabric,
     * a network or a time limit apply.
     *
     * @param place the rank of this process, and how it finds the others
     * @return this rank's part in the job
     * @throws RankwireException of class {@link ErrorClass#RESOURCE} if the ranks do not find each other
     */
    public static World join(Membership place) {
        if (place == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument place is null");
        }
        Job job = place.join();
        try {
            Session session = Session.join(job, Session.config());
            return new World(session, () -> release(session, job));
        } catch (RuntimeException e) {
            job.fail(e);
            job.release();
            throw e;
        }
    }

    private static void release(Session session, Job job) {
        try {
            // Once more if the job has ended in the midst of it.
            session.close();
        } catch (RuntimeException e) {
            // The caller gets the first one.
        } finally {
            job.release();
        }
    }

    /**
     * Runs ranks as threads of this program and returns when all have ended.
     *
     * @param ranks how many, at least 1
     * @param body what each of them does
     * @throws RankwireException with the first failure of a rank as its cause
     */
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
            ThreadRanks.run(ranks, rank(config, body));
        } catch (ThreadRanks.Failed e) {
            throw failure(e);
        }
    }

    /** What a rank does that runs a body. */
    static ThreadRanks.Body rank(DeviceConfig config, Body body) {
        return job -> {
            World world = new World(Session.join(job, config));
            try {
                body.run(world);
            } catch (Throwable failure) {
                world.session.closeFailed(failure);
                throw failure;
            }
            world.close();
        };
    }

    static RankwireException failure(ThreadRanks.Failed failed) {
        return failed.getCause() instanceof RankwireException ours
                ? new RankwireException(ours.errorClass(), failed.getMessage(), ours)
                : new RankwireException(ErrorClass.ABORTED, failed.getMessage(), failed.getCause());
    }

    /**
     * Returns the time of this rank, to be compared with other times of the same rank. In a simulation it is the time
     * of the simulated machine.
     *
     * @return nanoseconds from an arbitrary moment on
     */
    public long time() {
        return session.host().nowNs();
    }

    /**
     * Says that the program computes for a time. In a simulation this rank's time passes, and what is under way goes on
     * as the simulated machine can; everywhere else the call does nothing, since the computing itself takes the time.
     *
     * @param nanoseconds the time, at least 0
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the time is below zero
     */
    public void spend(long nanoseconds) {
        if (nanoseconds < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + session.worldRank()
                    + ": spend: argument nanoseconds: " + nanoseconds + " is below zero");
        }
        session.host().spend(nanoseconds);
    }

    /**
     * Returns what this rank has counted since it joined: frames, messages, matches, waits and more. Counting is always
     * on. The call takes some microseconds, and may also be made after {@link #close}.
     *
     * @return the numbers of this moment
     */
    public Counters counters() {
        return new Counters(session.counters());
    }

    /**
     * Returns where the node of a rank is in the network. Ranks with the same coordinates are on one node. In a
     * simulation these are the coordinates in the simulated network: x, y and z in a torus or mesh; in a fat tree the
     * group at each level from the top on and at last the node of its switch; in a crossbar the number of the node. In
     * a real run the network is not known, and there is one coordinate: the number of the rank's host, where hosts are
     * numbered in the order of their first ranks.
     *
     * @param rank a rank of {@link #communicator()}
     * @return the coordinates, as many for each rank; the caller may change the array
     * @throws RankwireException of class {@link ErrorClass#RANK} if there is no such rank
     */
    public int[] coordinates(int rank) {
        communicator.endpoint().checkRank("coordinates: argument rank", rank);
        return session.coordinates(communicator.endpoint().group().worldRank(rank));
    }

    /**
     * Returns the communicator of all ranks of the job; in a process that replaces a rank that has died, the repaired
     * communicator.
     *
     * @return the same communicator each time
     */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Returns a communicator of this rank alone. It does not depend on {@link #communicator()}, which others may have
     * revoked.
     *
     * @return the same communicator each time
     */
    public synchronized Communicator self() {
        if (self == null) {
            self = new Communicator(this, session.self());
        }
        return self;
    }

    /**
     * Returns whether this rank replaces one that has died. Its {@link #communicator()} is then the communicator that
     * {@link Communicator#replace} returns at the other ranks. It has no data of the dead rank: the others send it
     * what it needs, or all ranks call {@link Checkpoint#restore}.
     *
     * @return false for all ranks that have begun with the job
     */
    public boolean isReplacement() {
        return session.isReplacement();
    }

    /**
     * The largest tag of a message. It is 2,147,483,647 unless the job runs on a device whose match words have fewer
     * bits for tags: property {@code rankwire.words}, or {@code matcher.tag-bits} in a simulation.
     *
     * @return at least 32,767
     */
    public int maxTag() {
        return session.maxTag();
    }

    /**
     * Sets how objects become bytes from now on. All ranks need the same codec.
     *
     * @param other the codec; {@link Codec#records} is in use before
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the codec is null
     */
    public void codec(Codec other) {
        if (other == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument other is null");
        }
        codec = other;
    }

    /**
     * Allocates memory that every rank of this host can reach: messages between such memories are copied once, and
     * windows over it need no help of their target. It is full of zeros and begins at a multiple of 64 bytes. Beyond 64
     * MiB, and where ranks are processes, the system provides its pages at their first use. The memory ends with {@link
     * #free}, and when all ranks have closed their worlds.
     *
     * @param bytes the size
     * @return the memory
     * @throws RankwireException of class {@link ErrorClass#RESOURCE} if there is no such memory left
     */
    public MemorySegment allocate(long bytes) {
        return session.allocate(bytes);
    }

    /**
     * Frees memory that {@link #allocate} gave to this rank. No message or window may use it any more.
     *
     * @param memory the memory
     */
    public void free(MemorySegment memory) {
        session.free(memory);
    }

    /**
     * Opens a port: a name that another part of this job can {@link Communicator#connect} to, while the ranks of a
     * communicator with this rank as root {@link Communicator#accept}. The program has to send the name to the others.
     *
     * @return the name
     */
    public String openPort() {
        return session.ports().open();
    }

    /**
     * Closes a port that this rank has opened.
     *
     * @param port the name
     */
    public void closePort(String port) {
        session.ports().close(port);
    }

    /**
     * Ends the whole job at once, from any thread: all ranks stop, and each exits with a status. Where ranks are
     * threads of a program that goes on, its call of {@link #run} fails; in a world of a {@link Membership} calls of
     * all ranks fail, and the processes go on.
     *
     * @param status the exit status, of which systems keep the lowest eight bits
     * @param reason the reason for the report, or null
     * @throws RankwireException of class {@link ErrorClass#ABORTED} where the process of this rank goes on
     */
    public void abort(int status, String reason) {
        String text = "abort with status " + status + (reason == null || reason.isEmpty() ? "" : ": " + reason);
        session.fail(new Aborted(text, status));
        throw new RankwireException(ErrorClass.ABORTED, "rank " + session.worldRank() + ": " + text);
    }

    /**
     * Closes this rank's part in the job: nothing can be sent or received afterwards. Calls in which other threads of
     * this rank wait end with an error of class {@link ErrorClass#CLOSED}.
     */
    @Override
    public void close() {
        try {
            session.close();
        } finally {
            release.run();
        }
    }

    @Override
    public String toString() {
        return session.toString();
    }

    /**
     * Ends the whole job because of an error of this rank, as if the program had not caught it. The call returns only
     * where ranks are parts of programs that go on; the caller then throws the error.
     *
     * @param error the error
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
