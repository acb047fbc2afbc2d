package io.rankwire;

import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.launch.Aborted;
import io.rankwire.launch.Board;
import io.rankwire.launch.Job;
import io.rankwire.launch.Progress;
import io.rankwire.launch.ThreadRanks;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

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

    /** Little of everything, since there may be thousands in a process; nothing is memory that others can map. */
    private static final DeviceConfig SIMULATED = new DeviceConfig(
            16 << 10, 64L << 20, 64, 16, 16, 1 << 20, DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER,
            64L << 20, 64, DeviceConfig.Large.TWO_ENDED, 64L << 20);

    private final Job job;
    private final Board board;
    /** How many worlds this rank has closed before it joined this one; the same for all ranks. */
    private final int number;
    private final Host host;
    private final Contexts contexts;
    /** Null until one is asked for. */
    private Ports ports;
    private final Communicator communicator;
    /** Drives the device beside the program; null when nobody does, and at the end. */
    private ProgressThread progress;
    /** Ids of memory that belongs to windows; guarded by the host's lock. */
    private final Set<Long> windowMemory = new HashSet<>();
    /** In the order they got their first attribute; those that have none any more are gone. */
    private final Set<Attributed> attributed = new LinkedHashSet<>();
    private volatile Codec codec = Codec.records();
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Whether close has ended calls of other threads: then other ranks need not have made the same ones. */
    private boolean gaveUpCalls;
    private volatile boolean closed;

    private World(Job job, DeviceConfig config) {
        this.job = job;
        this.board = job.board();
        this.number = board.closedWorlds(job.rank());
        try {
            this.host = new Host(job.openDevice(config, number), board, job.rank(), job.size(),
                    job.virtualTime());
        } catch (FabricException e) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + job.rank() + ": join: " + e.getMessage(), e);
        }
        this.contexts = new Contexts(this);
        this.communicator = new Communicator(this, Group.world(job.size()), Contexts.WORLD, "world");
        contexts.add(communicator);
        host.showCollectives(() -> contexts.calls(number));
    }

    /**
     * Joins the job this program was started in. Close the world when done: every rank must. A rank that has closed its
     * world may join once more, as all others do; it then waits until they have closed the one before.
     */
    public static World join() {
        Job job = Job.current();
        return join(job, job.virtualTime() == null ? config() : SIMULATED);
    }

    /** As system properties say, for trying out what is best here, or a device smaller than this one. */
    private static DeviceConfig config() {
        return System.getProperty("rankwire.large") == null && System.getProperty("rankwire.match") == null
                ? DeviceConfig.DEFAULT
                : DeviceProperties.read(DeviceConfig.DEFAULT);
    }

    private static World join(Job job, DeviceConfig config) {
        if (job.board().stillOpen(job.rank())) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + job.rank() + " has joined its world already");
        }
        Progress how = job.virtualTime() == null ? Progress.chosen() : Progress.NONE;
        job.runEndings();
        World world = new World(job, config);
        world.board.joined(job.rank(), ProcessHandle.current().pid());
        world.progress = ProgressThread.serve(world.host, how, job.rank(), job.size());
        if (world.progress != null) {
            world.board.enter(world.progress);
        }
        return world;
    }

    /** Runs ranks as threads of this program and returns when all have ended; the first failure is thrown. */
    public static void run(int ranks, Body body) {
        run(ranks, config(), body);
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

    /**
     * The time in nanoseconds, from some moment on: to be compared with other times of the same rank. That of the
     * machine, and in a simulation that of the simulated one.
     */
    public long time() {
        return host.nowNs();
    }

    /**
     * Says that the program computes for so long. In a simulation this rank's time passes, and what is under way goes
     * on as the simulated machine can; everywhere else nothing happens: there the computing itself takes the time.
     */
    public void spend(long nanoseconds) {
        if (nanoseconds < 0) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + job.rank()
                    + ": spend: argument nanoseconds: " + nanoseconds + " is below zero");
        }
        host.spend(nanoseconds);
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
        communicator.checkOpen();
        if (bytes < 0) {
            throw new RankwireException(ErrorClass.COUNT, "rank " + job.rank() + ": allocate: argument bytes: " + bytes
                    + " is below zero");
        }
        host.lock();
        try {
            return host.device.memory().allocate(bytes).memory();
        } catch (RuntimeException e) {
            throw host.translate(e, "allocate");
        } finally {
            host.unlock();
        }
    }

    /** Ends memory that {@link #allocate} gave to this rank; no message or window may use it any more. */
    public void free(MemorySegment memory) {
        communicator.checkOpen();
        if (memory == null) {
            throw new RankwireException(ErrorClass.BUFFER, "argument memory is null");
        }
        host.lock();
        try {
            SharedMemory shared = host.device.memory();
            Shared found = shared.find(memory, 0, memory.byteSize());
            if (found == null || found.memory().address() != memory.address()
                    || found.memory().byteSize() != memory.byteSize()) {
                throw new RankwireException(ErrorClass.BUFFER, "rank " + job.rank() + ": free: argument memory: "
                        + memory + " is nothing that allocate gave to this rank, or was freed");
            }
            if (windowMemory.contains(found.id())) {
                throw new RankwireException(ErrorClass.WINDOW, "rank " + job.rank()
                        + ": free: argument memory belongs to a window and ends with it");
            }
            shared.free(found);
        } finally {
            host.unlock();
        }
    }

    /**
     * A name that another part of this job can {@link Communicator#connect} to, while the ranks of a communicator with
     * this one as root {@link Communicator#accept}. How the name comes to the others is the program's business.
     */
    public String openPort() {
        return ports().open();
    }

    /** Ends a port that this rank has opened. */
    public void closePort(String port) {
        ports().close(port);
    }

    /**
     * Ends the whole job at once, from any thread: all ranks stop, and each exits with this status, of which systems
     * keep the lowest eight bits. Where ranks are threads of a program that goes on, its call of {@link #run} fails.
     */
    public void abort(int status, String reason) {
        String text = "abort with status " + status + (reason == null || reason.isEmpty() ? "" : ": " + reason);
        job.fail(new Aborted(text, status));
        throw new RankwireException(ErrorClass.ABORTED, "rank " + job.rank() + ": " + text);
    }

    /**
     * Ends this rank's part: nothing can be sent or received afterwards. Calls in which other threads of this rank wait
     * end with an error of the class {@link ErrorClass#CLOSED}.
     */
    @Override
    public void close() {
        if (closed || !closing.compareAndSet(false, true)) {
            return;
        }
        try {
            deleteAttributes();
            gaveUpCalls = host.endWaits();
            endProgress();
            if (!board.aborted()) {
                Closing.flush(this);
            }
            closed = true;
        } finally {
            closing.set(closed);
        }
        contexts.worldClosed();
        board.show(job.rank(), gaveUpCalls ? "" : contexts.calls(number));
        board.closed(job.rank());
        if (job.size() == 1) {
            Closing.drain(this, board, number);
        } else {
            job.atEnd(() -> Closing.drain(this, board, number));
        }
    }

    /** Those of communicators and windows that were never freed, the last made first; the world's own last of all. */
    private void deleteAttributes() {
        Attributed[] left;
        synchronized (attributed) {
            left = attributed.toArray(new Attributed[0]);
        }
        for (int i = left.length - 1; i >= 0; i--) {
            if (left[i] != communicator) {
                left[i].deleteAttributes();
            }
        }
        communicator.deleteAttributes();
    }

    /** It has attributes, or is about to. */
    void attributed(Attributed one) {
        synchronized (attributed) {
            attributed.add(one);
        }
    }

    /** All its attributes are deleted. */
    void unattributed(Attributed one) {
        synchronized (attributed) {
            attributed.remove(one);
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

    /**
     * Ends the whole job because of an error here, as if the program had let it out. Returns only where ranks are
     * threads of a program that goes on: the caller then throws it.
     */
    public void fail(Throwable error) {
        job.fail(error);
    }

    boolean isClosed() {
        return closed;
    }

    /** Worlds that this rank had joined before. */
    int number() {
        return number;
    }

    int worldRank() {
        return job.rank();
    }

    Host host() {
        return host;
    }

    int node() {
        return job.node();
    }

    Set<Long> windowMemory() {
        return windowMemory;
    }

    boolean gaveUpCalls() {
        return gaveUpCalls;
    }

    Contexts contexts() {
        return contexts;
    }

    synchronized Ports ports() {
        if (ports == null) {
            ports = new Ports(this);
        }
        return ports;
    }

    byte[] encode(Object value) {
        return codec.encode(value);
    }

    <T> T decode(byte[] bytes, Class<T> type) {
        return codec.decode(bytes, 0, bytes.length, type);
    }
}
