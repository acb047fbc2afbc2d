package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.launch.Board;
import io.rankwire.launch.Job;
import io.rankwire.launch.Progress;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** One world that this rank has joined: its device, its communicators by context, and how it ends. */
public final class Session {
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
    private final Endpoint all;
    /** Null until one is asked for. */
    private Ports ports;
    /** Drives the device beside the program; null when no thread does, and at the end. */
    private ProgressThread progress;
    /** Ids of memory that belongs to windows; guarded by the host's lock. */
    private final Set<Long> windowMemory = new HashSet<>();
    /** In the order they got their first attribute; those that have none any more are gone. */
    private final Set<Attributes> attributed = new LinkedHashSet<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Whether close has ended calls of other threads: then other ranks need not have made the same ones. */
    private boolean gaveUpCalls;
    private volatile boolean closed;

    private Session(Job job, DeviceConfig config) {
        this.job = job;
        this.board = job.board();
        this.number = board.closedWorlds(job.rank());
        try {
            this.host = new Host(
                    job.openDevice(config, number), board, job.rank(), job.size(), job.virtualTime());
        } catch (FabricException e) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + job.rank() + ": join: " + e.getMessage(), e);
        }
        this.contexts = new Contexts(this);
        this.all = new Endpoint(this, RankSet.world(job.size()), Contexts.WORLD, "world");
        contexts.add(all);
        host.showCollectives(() -> contexts.calls(number));
    }

    /** Joins the job that this program was started in, with a device as the system properties say. */
    public static Session join() {
        Job job = Job.current();
        return join(job, job.virtualTime() == null ? config() : SIMULATED);
    }

    /** The device that the system properties ask for. */
    public static DeviceConfig config() {
        return System.getProperty("rankwire.large") == null && System.getProperty("rankwire.match") == null
                ? DeviceConfig.DEFAULT
                : DeviceProperties.read(DeviceConfig.DEFAULT);
    }

    public static Session join(Job job, DeviceConfig config) {
        if (job.board().stillOpen(job.rank())) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + job.rank() + " has joined its world already");
        }
        Progress how = job.virtualTime() == null ? Progress.chosen() : Progress.NONE;
        job.runEndings();
        Session session = new Session(job, config);
        session.board.joined(job.rank(), ProcessHandle.current().pid());
        session.progress = ProgressThread.serve(session.host, how, job.rank(), job.size());
        if (session.progress != null) {
            session.board.enter(session.progress);
        }
        return session;
    }

    public MemorySegment allocate(long bytes) {
        all.checkOpen();
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

    public void free(MemorySegment memory) {
        all.checkOpen();
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

    /** Ends this rank's part; see {@link WorldShutdown}. */
    public void close() {
        if (closed || !closing.compareAndSet(false, true)) {
            return;
        }
        try {
            deleteAttributes();
            gaveUpCalls = host.endWaits();
            endProgress();
            if (!board.aborted()) {
                WorldShutdown.flush(this);
            }
            closed = true;
        } finally {
            closing.set(closed);
        }
        contexts.worldClosed();
        board.show(job.rank(), gaveUpCalls ? "" : contexts.calls(number));
        board.closed(job.rank());
        if (job.size() == 1) {
            WorldShutdown.drain(this, board, number);
        } else {
            job.atEnd(() -> WorldShutdown.drain(this, board, number));
        }
    }

    /** The program of this rank has failed and its job ends now: what still waits to be sent must not delay that. */
    public void closeFailed(Throwable failure) {
        closed = true;
        try {
            endProgress();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Those of communicators and windows that were never freed, the last made first; the world's own last of all. */
    private void deleteAttributes() {
        Attributes[] left;
        synchronized (attributed) {
            left = attributed.toArray(new Attributes[0]);
        }
        for (int i = left.length - 1; i >= 0; i--) {
            if (!left[i].isOf(all)) {
                left[i].deleteAll();
            }
        }
        for (Attributes each : left) {
            if (each.isOf(all)) {
                each.deleteAll();
            }
        }
    }

    void attributed(Attributes one) {
        synchronized (attributed) {
            attributed.add(one);
        }
    }

    void unattributed(Attributes one) {
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

    /** Ends the whole job because of an error here. */
    public void fail(Throwable error) {
        job.fail(error);
    }

    public boolean isClosed() {
        return closed;
    }

    /** Worlds that this rank had joined before. */
    public int number() {
        return number;
    }

    public int worldRank() {
        return job.rank();
    }

    /** Ranks of the job. */
    public int size() {
        return job.size();
    }

    /** The communicator of all ranks. */
    public Endpoint all() {
        return all;
    }

    public Host host() {
        return host;
    }

    /** The number of the node that this rank runs on. */
    public int node() {
        return job.node();
    }

    public Set<Long> windowMemory() {
        return windowMemory;
    }

    public boolean gaveUpCalls() {
        return gaveUpCalls;
    }

    public Contexts contexts() {
        return contexts;
    }

    public synchronized Ports ports() {
        if (ports == null) {
            ports = new Ports(this);
        }
        return ports;
    }

    @Override
    public String toString() {
        return "world of " + job.size() + ", rank " + job.rank() + (closed ? ", closed" : "");
    }
}
