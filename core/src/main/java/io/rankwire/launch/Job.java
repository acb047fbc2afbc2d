package io.rankwire.launch;

import io.rankwire.device.CombiningNetwork;
import io.rankwire.device.Device;
import io.rankwire.device.DeviceConfig;
import io.rankwire.device.Hardware;
import io.rankwire.device.flow.FlowConfig;
import io.rankwire.device.flow.FlowPort;
import io.rankwire.fabric.FabricException;
import io.rankwire.fabric.Port;
import io.rankwire.fabric.Secret;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Who this rank is and what it shares with the others of its job. There are five kinds: a process started by the
 * launcher, a process that finds the others over the network, a thread of a process that runs all ranks, a rank of a
 * simulation, and a program started plainly, which is a world of one.
 */
public abstract sealed class Job permits ProcessJob, NetworkJob, ThreadJob, SoloJob {
    /** How often a spare looks whether it is needed. */
    private static final long PART_NS = 1_000_000;
    private static final InheritableThreadLocal<Job> OF_THREAD = new InheritableThreadLocal<>();
    /** Read without the lock, which a rank holds while it waits for the others. */
    private static volatile Job ofProcess;
    /** Why this process cannot be a rank of its job, whatever it tries; else null. */
    private static IllegalStateException unable;
    /** Set when this whole process is one job, so that a thread without a rank is a mistake and not a world of one. */
    private static volatile boolean everywhere;

    private final int rank;
    private final Board board;
    /** The job whose rank has started this one inside itself; null for none. */
    private final Job outer = ofThread();
    private final List<Runnable> endings = new ArrayList<>();
    /** Whether a program that exits ends this rank alone, and not the process. */
    private volatile boolean exitsAlone;
    /** Null until there is one: most jobs have none. */
    private Map<RankLocal<?>, Object> locals;
    /** Ends what the library does for this rank beside its program. */
    private volatile Runnable service = () -> { };

    Job(int rank, Board board) {
        this.rank = rank;
        this.board = board;
    }

    /**
     * The job of the calling thread: that of the rank it belongs to when ranks are threads, otherwise that of the
     * process.
     *
     * @throws IllegalStateException when the environment names a job that makes no sense, or when ranks are threads and
     *     the caller belongs to none of them
     */
    public static Job current() {
        Job mine = ofThread();
        if (mine != null) {
            return mine;
        }
        if (everywhere) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName()
                    + " belongs to no rank: with ranks as threads, use Rankwire from threads that a rank has started");
        }
        return ofProcess();
    }

    /** The job whose rank the calling thread is, or was started by; else null. */
    static Job ofThread() {
        return OF_THREAD.get();
    }

    static void claimProcess() {
        everywhere = true;
    }

    /** Makes the calling thread, and all it starts from now on, this rank. */
    final void enter() {
        OF_THREAD.set(this);
    }

    final void exitsAlone() {
        exitsAlone = true;
    }

    /** Ends the rank of the calling thread, if only that is to end when its program exits. */
    static void exit(int status) {
        Job job = ofThread();
        if (job != null && job.exitsAlone) {
            throw new ProgramClock.Exited(status);
        }
    }

    /** The clock this rank lives by when it is not the machine's; else null. */
    public VirtualTime virtualTime() {
        return null;
    }

    /** The node that a rank is on; ranks of one node could use the same memory. */
    public int node(int of) {
        return 0;
    }

    public final int rank() {
        return rank;
    }

    /** The number of places: of the ranks at the start, and behind them of those that may come later. */
    public final int size() {
        return board.size();
    }

    /** The number of ranks of the world at the start. */
    public final int worldSize() {
        return board.worldSize();
    }

    /** What this rank is to join, once it is needed; null for a rank of the world at the start. */
    public Replacements.Part awaitPart() {
        try {
            while (rank >= worldSize()) {
                Replacements.Part part = replacements().part();
                if (part != null) {
                    return part;
                }
                if (board.aborted()) {
                    throw new IllegalStateException("given up while it waited as a spare: " + board.abortReason());
                }
                LockSupport.parkNanos(PART_NS);
            }
            return null;
        } catch (IOException e) {
            throw new FabricException("cannot find out what to join: " + e.getMessage(), e);
        }
    }

    /** By which this rank asks for ranks that replace dead ones; null where there can be none. */
    public Replacements replacements() {
        return null;
    }

    /** The rank of the process's own job that this one is, or was started by, on the board of the process. */
    final int outermostRank() {
        Job job = this;
        while (job.outer != null) {
            job = job.outer;
        }
        return job.board.place(job.rank);
    }

    /** What this rank has in the place of one value for all; its first value if it has none yet. */
    final Object local(RankLocal<?> of) {
        synchronized (endings) {
            Object value = locals == null ? null : locals.get(of);
            if (value != null) {
                return value;
            }
        }
        Object made = of.first();
        synchronized (endings) {
            locals = locals == null ? new IdentityHashMap<>() : locals;
            Object before = locals.putIfAbsent(of, made);
            return before == null ? made : before;
        }
    }

    public final Board board() {
        return board;
    }

    /** This rank has closed its world. */
    public void closed() {
        board.closed(rank);
    }

    /**
     * Ends the whole job because of what was thrown here, as if the program had let it out. Returns only where ranks
     * are threads of a program that goes on after the job.
     */
    public abstract void fail(Throwable thrown);

    /**
     * This rank was declared dead, and the others go on without it. Ends it at once; returns only where ranks are
     * threads.
     *
     * @param text what is printed
     */
    public void declaredDead(String text) {
        System.err.println(text);
        Runtime.getRuntime().halt(1);
    }

    /**
     * Opens this rank's device in the job's first, second … world, counted from zero; each world does so once. A flow
     * layer lies between the device and a fabric that promises too little.
     */
    public final Device openDevice(DeviceConfig config, int world) {
        Port port = FlowPort.over(openPort(world), FlowConfig.DEFAULT, world + 1, System.nanoTime());
        try {
            opened(port, world);
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
        return new Device(config, port, hardware());
    }

    /** The port of a world is open, and carries nothing yet; returns when the device may use it. */
    void opened(Port port, int world) {}

    /**
     * This rank has lost another one: what it has sent there may not have arrived, whether or not a call of it waits.
     *
     * @param peer the other rank
     * @param what its name and the reason
     */
    public void lost(int peer, String what) {}

    /** Where the node of a rank is in the network; null where that is not known. */
    public int[] coordinates(int worldRank) {
        return null;
    }

    /** Links between the nodes of two ranks; 1 between hosts of which nothing else is known. */
    public int hops(int from, int to) {
        return node(from) == node(to) ? 0 : 1;
    }

    /** What the network between ranks costs, the same on all of them; null if that was not measured. */
    public NetworkCost networkCost() {
        return null;
    }

    /** From now on the library works for this rank beside its program, until this ends it. */
    public final void serve(Runnable ending) {
        service = ending;
    }

    /** The rank has failed, and other ranks of its process may go on: no thread works for it any more. */
    final void endService() {
        service.run();
    }

    /** Opens this rank's port on the fabric of a world. */
    abstract Port openPort(int world);

    /** The hardware that this rank's devices stand for where it is modelled, else null. */
    Hardware hardware() {
        return null;
    }

    /** The network for collectives that this rank's hardware has, or null. */
    public final CombiningNetwork tree() {
        return hardware() == null ? null : hardware().tree();
    }

    /** Has {@code ending} run after the program's main method has returned normally, or before it joins once more. */
    public final void atEnd(Runnable ending) {
        synchronized (endings) {
            endings.add(ending);
        }
    }

    /** What is left of the world before is dealt with: the rank is to join another. */
    public final void runEndings() {
        List<Runnable> due;
        synchronized (endings) {
            due = List.copyOf(endings);
            endings.clear();
        }
        for (Runnable ending : due) {
            ending.run();
        }
    }

    /**
     * Joins a job as a part of a program that goes on after it.
     *
     * @param root {@code host:port} of rank 0
     * @param secret what all ranks know, and no other process
     * @param encrypted whether messages are sealed; the environment may ask for it too
     * @throws IllegalStateException if the ranks do not find each other
     */
    public static Job member(int rank, int size, String root, byte[] secret, boolean encrypted) {
        NetworkSettings settings = member(rank, size, encrypted);
        return NetworkStart.member(settings.at(root, new Secret(secret)), null);
    }

    /**
     * Joins a job as a part of a program that goes on after it, through cards that the program passes on.
     *
     * @param encrypted whether messages are sealed; the environment may ask for it too
     * @throws IllegalStateException if the ranks do not find each other
     */
    public static Job member(int rank, int size, Cards cards, boolean encrypted) {
        return NetworkStart.member(member(rank, size, encrypted), cards);
    }

    private static NetworkSettings member(int rank, int size, boolean encrypted) {
        NetworkSettings settings = NetworkSettings.of(System.getenv(), rank, size);
        return encrypted ? settings.sealed() : settings;
    }

    /** Passes a card from rank 0 to all ranks. */
    public interface Cards {
        /**
         * @param card the card on rank 0, null on all others
         * @return the card of rank 0
         * @throws Exception if that is not possible
         */
        byte[] share(byte[] card) throws Exception;
    }

    /** The program goes on after this job: what is left to do in it is done now. Does nothing in other jobs. */
    public void release() {}

    /** The job of this process, or null if it has joined none yet. */
    static Job joined() {
        return ofProcess;
    }

    static synchronized void ofProcess(Job job) {
        ofProcess = job;
    }

    /** Found at the first question, so that a plain program that asks nothing pays nothing. */
    private static synchronized Job ofProcess() {
        if (unable != null) {
            throw new IllegalStateException(unable.getMessage(), unable);
        }
        if (ofProcess == null) {
            Map<String, String> environment = System.getenv();
            Detection found = Detection.of(environment);
            try {
                ofProcess = found.join(environment);
            } catch (IllegalStateException e) {
                unable = found.canBeAskedAgain() ? null : e;
                throw e;
            }
        }
        return ofProcess;
    }
}
