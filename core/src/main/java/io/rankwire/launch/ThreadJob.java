package io.rankwire.launch;

import io.rankwire.fabric.Port;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** A rank that is a thread, together with the threads it starts. */
sealed class ThreadJob extends Job permits SimulatedJob {
    private final IntUnaryOperator nodes;
    private final IntFunction<Port> ports;
    private final Consumer<Throwable> failed;
    private final Replacements replacements;

    /**
     * @param nodes the node of each rank
     * @param ports opens the rank's port in a world
     * @param failed receives a failure of the rank, on the thread that failed
     */
    ThreadJob(int rank, Board board, IntUnaryOperator nodes, IntFunction<Port> ports,
            Consumer<Throwable> failed) {
        this(rank, board, nodes, ports, failed, null);
    }

    /** The same with {@link #replacements}. */
    ThreadJob(int rank, Board board, IntUnaryOperator nodes, IntFunction<Port> ports,
            Consumer<Throwable> failed, Replacements replacements) {
        super(rank, board);
        this.nodes = nodes;
        this.ports = ports;
        this.failed = failed;
        this.replacements = replacements;
    }

    /** Runs the calling thread as this rank, to its end. */
    public final void run(ThreadRanks.Body body) {
        enter();
        try {
            body.run(this);
            runEndings();
            if (board().stillOpen(rank()) && !hasOtherThreads()) {
                throw new IllegalStateException("rank " + rank() + " ended but never closed its World: call"
                        + " close(), or open it with try (World world = World.join())");
            }
            if (Replacements.isMissing(board(), rank()) && !hasOtherThreads()) {
                throw new Aborted(FailureWatch.NEVER_JOINED, 1);
            }
        } catch (Throwable thrown) {
            failed.accept(thrown);
            endService();
        } finally {
            board().left(rank());
        }
    }

    @Override
    public Replacements replacements() {
        return replacements;
    }

    /** Whether the rank has left its work to threads that it has started. */
    boolean hasOtherThreads() {
        Thread[] some = new Thread[64];
        int count = Thread.currentThread().getThreadGroup().enumerate(some);
        for (int i = 0; i < count; i++) {
            if (some[i] != Thread.currentThread() && !some[i].isDaemon()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public final void fail(Throwable thrown) {
        board().endsJob(rank());
        failed.accept(thrown);
    }

    @Override
    public final void declaredDead(String text) {
        // The calls of the rank throw it.
    }

    @Override
    public final int node(int of) {
        return nodes.applyAsInt(of);
    }

    @Override
    final Port openPort(int world) {
        return ports.apply(world);
    }
}
