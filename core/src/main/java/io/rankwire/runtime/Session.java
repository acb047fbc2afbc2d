package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.Counter;
import io.rankwire.device.DeviceConfig;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import io.rankwire.launch.Board;
import io.rankwire.launch.FailureLog;
import io.rankwire.launch.Job;
import io.rankwire.launch.NetworkCost;
import io.rankwire.launch.Progress;
import io.rankwire.launch.Replacements;
import io.rankwire.trace.Trace;
import io.rankwire.wire.WordLayout;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One world that this rank has joined: its device, its communicators by context, and its end. The facade of the world
 * creates and closes it.
 */
public final class Session {
    /** Small buffers, since a process may hold thousands of ranks; no memory that other processes map. */
    private static final DeviceConfig SIMULATED = new DeviceConfig(
            16 << 10, 64L << 20, 64, 16, 16, 1 << 20, DeviceConfig.Overflow.GROW, DeviceConfig.Truncation.DELIVER,
            64L << 20, 1024, DeviceConfig.Large.AUTO, 64L << 20);

    private final Job job;
    private final Board board;
    /** How many worlds this rank had closed before it joined this one; the same on all ranks. */
    private final int number;
    /** What this rank had counted in those worlds. */
    private final long[] countedBefore;
    private final Host host;
    private final OpenWork open = new OpenWork(this);
    private final Contexts contexts;
    /** What this rank has joined as one that replaces another; null for a rank of the world at the start. */
    private final Replacements.Part part;
    private Endpoint all;
    /** Null in a job that ends with its first lost rank. */
    private final Survivors survivors;
    private final Consensus consensus;
    /** Null until the program uses ports. */
    private Ports ports;
    /** Drives the device beside the program; null if no thread does, and after {@link #close}. */
    private ProgressThread progress;
    /** Ids of memory that belongs to windows; guarded by the host's lock. */
    private final Set<Long> windowMemory = new HashSet<>();
    /** The handles that have attributes, in the order in which they got their first one. */
    private final Set<Attributes> attributed = new LinkedHashSet<>();
    /** Made at the first question, and again where ranks may have come since. */
    private int[] hostNumbers;
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Whether close has ended calls of other threads: other ranks may then have made different collective calls. */
    private boolean gaveUpCalls;
    private volatile boolean closed;

    private Session(Job job, DeviceConfig config, Replacements.Part part) {
        this.job = job;
        this.part = part;
        this.board = job.board();
        Trace.look();
        this.number = part == null ? board.closedWorlds(job.rank()) : part.world();
        this.countedBefore = board.counters(job.rank());
        try {
            this.host = new Host(job.openDevice(config, number), board, job.rank(), ranksOnHost(job),
                    job.virtualTime());
        } catch (FabricException e) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + job.rank() + ": join: " + e.getMessage(), e);
        }
        WordLayout words = host.device.config().words();
        if (job.size() > words.mostRanks()) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + job.rank() + ": join: match words with "
                    + words.sourceBits() + " bits for the source are for " + words.mostRanks() + " ranks, and the job"
                    + " has " + job.size());
        }
        host.losses.onLoss(lost -> job.lost(lost.rank(), lost.getMessage()));
        this.contexts = new Contexts(this);
        this.all = part == null ? new Endpoint(this, RankSet.world(job.worldSize()), Contexts.WORLD, "world")
                : new Endpoint(this, RankSet.of(part.members().stream().mapToInt(Integer::intValue).toArray()),
                        part.context(), part.name());
        this.consensus = new Consensus(this);
        FailureLog failures = board.failures();
        this.survivors = failures.goesOn() ? new Survivors(this, failures) : null;
        host.losses.goOn(survivors, consensus);
        contexts.add(all);
        host.late.begin(this, host.device);
        host.showCollectives(() -> contexts.calls(number));
        if (!isSimulated()) {
            board.countCalls(job.rank(), open);
        } else if ("1".equals(System.getenv(Board.STATS))) {
            // No thread looks at simulated ranks from time to time, and one that waits may never end its world.
            host.showCollectives(() -> {
                board.showCounters(job.rank(), open);
                return contexts.calls(number);
            });
        }
    }

    /** Joins the job that this program was started in, with a device configured by the system properties. */
    public static Session join() {
        Job job = Job.current();
        return join(job, job.virtualTime() == null ? config() : SIMULATED);
    }

    /** Returns the configuration that the system properties ask for. */
    public static DeviceConfig config() {
        return System.getProperty("rankwire.large") == null && System.getProperty("rankwire.match") == null
                && System.getProperty("rankwire.headers") == null && System.getProperty("rankwire.spread") == null
                && System.getProperty("rankwire.words") == null && System.getProperty("rankwire.tags") == null
                && System.getProperty("rankwire.truncation") == null
                ? DeviceConfig.DEFAULT
                : DeviceProperties.read(DeviceConfig.DEFAULT);
    }

    /** Joins a job with a configuration. */
    public static Session join(Job job, DeviceConfig config) {
        if (job.board().stillOpen(job.rank())) {
            throw new RankwireException(ErrorClass.ARGUMENT, "rank " + job.rank() + " has joined its world already");
        }
        Progress how = job.virtualTime() == null ? Progress.chosen() : Progress.NONE;
        job.runEndings();
        if (job.rank() >= job.worldSize() && job.board().closedWorlds(job.rank()) > 0) {
            throw new RankwireException(ErrorClass.RESOURCE, "rank " + job.rank() + ": join: a rank that has replaced"
                    + " another one joins no second world");
        }
        Replacements.Part part = job.awaitPart();
        Session session = new Session(job, config, part);
        for (int before = 0; part != null && before < part.world(); before++) {
            // This is the number of worlds that the replaced rank had closed.
            session.board.closed(job.rank());
        }
        session.board.joined(job.rank(), ProcessHandle.current().pid());
        session.progress = ProgressThread.serve(session.host, how, job.rank(), job.size(),
                session.ranksOnHost());
        if (session.progress != null) {
            session.board.enter(session.progress);
            job.serve(session::leaveProgress);
        }
        if (part != null) {
            session.all = session.consensus.complete(session.all);
        }
        return session;
    }

    /** Allocates memory that ranks of this machine can share. */
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

    /** Frees memory that {@link #allocate} has returned. */
    public void free(MemorySegment memory) {
        all.checkOpen();
        if (memory == null) {
            throw new RankwireException(ErrorClass.BUFFER, "argument memory is null");
        }
        host.lock();
        try {
            SharedMemory shared = host.device.memory();
            Shared found = shared.find(memory, 0, memory.byteSize());
            if (found == null || host.device.remote().isLeaving(found) || found.memory().address() != memory.address()
                    || found.memory().byteSize() != memory.byteSize()) {
                throw new RankwireException(ErrorClass.BUFFER, "rank " + job.rank() + ": free: argument memory: "
                        + memory + " is nothing that allocate gave to this rank, or was freed");
            }
            if (windowMemory.contains(found.id())) {
                throw new RankwireException(ErrorClass.WINDOW, "rank " + job.rank()
                        + ": free: argument memory belongs to a window and ends with it");
            }
            host.device.remote().free(found);
        } finally {
            host.unlock();
        }
    }

    /** Returns what this rank has counted in this world, by {@link Counter}; after its end, as it was then. */
    public long[] counters() {
        long[] now = new long[Counter.COUNT];
        if (closed) {
            host.counts.read(host, now);
            return now;
        }
        host.lock();
        try {
            host.counts.read(host, now);
            return now;
        } finally {
            host.unlock();
        }
    }

    /** Writes what this rank has counted in all its worlds; any thread may call this. */
    void count(long[] into) {
        host.counts.read(host, into);
        for (Counter counter : Counter.LIST) {
            into[counter.ordinal()] = counter.add(countedBefore[counter.ordinal()], into[counter.ordinal()]);
        }
    }

    /** Closes the world on this rank; see {@link WorldShutdown}. */
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
        board.showCounters(job.rank(), open);
        board.show(job.rank(), gaveUpCalls ? "" : contexts.calls(number));
        job.closed();
        if (job.size() == 1) {
            WorldShutdown.drain(this, board, number);
        } else {
            job.atEnd(() -> WorldShutdown.drain(this, board, number));
        }
    }

    /** Closes the world of a program that has failed, without the wait for messages that are still to be sent. */
    public void closeFailed(Throwable failure) {
        closed = true;
        board.showCounters(job.rank(), open);
        try {
            endProgress();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Deletes the attributes of all handles that were not freed, in reverse order; those of the world last. */
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

    /** Called when a handle gets an attribute. */
    void attributed(Attributes one) {
        synchronized (attributed) {
            attributed.add(one);
        }
    }

    /** Called when the attributes of a handle are deleted. */
    void unattributed(Attributes one) {
        synchronized (attributed) {
            attributed.remove(one);
        }
    }

    /** The rank has failed with its world open. What a visit of its device threw is no news then. */
    private void leaveProgress() {
        try {
            endProgress();
        } catch (RuntimeException e) {
            progress = null;
        }
    }

    private void endProgress() {
        ProgressThread ending = progress;
        progress = null;
        if (ending != null) {
            ending.leave(host);
        }
    }

    /** Ends this rank, which was declared dead; returns only where it is a thread. */
    void declaredDead(String text) {
        job.declaredDead(text);
    }

    /** Returns the calls that end alike at all live members of a communicator. */
    public Consensus consensus() {
        return consensus;
    }

    /** Returns what goes on without dead ranks; null in a job that ends with its first lost rank. */
    public Survivors survivors() {
        return survivors;
    }

    /** Returns whether the job goes on without ranks that have failed. */
    public boolean goesOn() {
        return survivors != null;
    }

    /** Returns whether this rank replaces another one. */
    public boolean isReplacement() {
        return part != null;
    }

    /** Returns by what this rank asks for ranks that replace dead ones; null where there can be none. */
    Replacements replacements() {
        return job.replacements();
    }

    /** Returns the number of ranks that the job may have, those that join later included. */
    int places() {
        return job.size();
    }

    /** Ends the whole job because of an error on this rank. */
    public void fail(Throwable error) {
        job.fail(error);
    }

    public boolean isClosed() {
        return closed;
    }

    /** Returns how many worlds this rank had closed before it joined this one. */
    public int number() {
        return number;
    }

    public int worldRank() {
        return job.rank();
    }

    /** Returns the number of ranks of the job. */
    public int size() {
        return job.size();
    }

    /** Returns the largest tag of messages. */
    public int maxTag() {
        return host.device.config().words().mostTag();
    }

    /** Returns the communicator of all ranks of the world at the start, or the repaired one that this rank joined. */
    public Endpoint all() {
        return all;
    }

    public Host host() {
        return host;
    }

    /** Makes a communicator of this rank alone. */
    public Endpoint self() {
        all.checkOpen();
        return contexts.add(new Endpoint(this, RankSet.of(job.rank()), contexts.allocate(), "self"));
    }

    /** Returns whether this rank lives in virtual time. */
    public boolean isSimulated() {
        return job.virtualTime() != null;
    }

    /** Returns the number of ranks that share a machine with this one, itself among them. */
    public int ranksOnHost() {
        return ranksOnHost(job);
    }

    private static int ranksOnHost(Job job) {
        int count = 0;
        for (int rank = 0; rank < job.worldSize(); rank++) {
            count += job.virtualTime() != null || job.node(rank) == job.node(job.rank()) ? 1 : 0;
        }
        return count;
    }

    /** Returns what the network between ranks costs, the same on all of them; null if that was not measured. */
    public NetworkCost networkCost() {
        return job.networkCost();
    }

    /** Returns the network for collectives that the hardware has; null in every real run. */
    public CombiningNetwork tree() {
        return job.tree();
    }

    /** Returns the number of the node that a rank of the world runs on. */
    public int node(int worldRank) {
        return job.node(worldRank);
    }

    /** Returns where the node of a rank is: its coordinates in a network, or else the number of its host. */
    public int[] coordinates(int worldRank) {
        int[] known = job.coordinates(worldRank);
        return known != null ? known : new int[] {hostNumbers()[worldRank]};
    }

    /** Returns how far the node of one rank is from that of another; 0 for one node. */
    public int hops(int from, int to) {
        return job.hops(from, to);
    }

    /** The host of each rank, by a number; hosts are numbered in the order of their first ranks. */
    private int[] hostNumbers() {
        if (hostNumbers == null || job.size() != job.worldSize()) {
            Map<Integer, Integer> found = new HashMap<>();
            int[] numbers = new int[job.size()];
            for (int rank = 0; rank < numbers.length; rank++) {
                Integer known = found.putIfAbsent(job.node(rank), found.size());
                numbers[rank] = known == null ? found.size() - 1 : known;
            }
            hostNumbers = numbers;
        }
        return hostNumbers;
    }

    /** Returns the ids of memory that belongs to windows; guarded by the host's lock. */
    public Set<Long> windowMemory() {
        return windowMemory;
    }

    boolean gaveUpCalls() {
        return gaveUpCalls;
    }

    OpenWork open() {
        return open;
    }

    Contexts contexts() {
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
