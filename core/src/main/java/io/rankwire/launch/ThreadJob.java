package io.rankwire.launch;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A rank that is a thread, together with the threads it starts. */
final class ThreadJob extends Job {
    private static final InheritableThreadLocal<ThreadJob> CURRENT = new InheritableThreadLocal<>();
    /** Set when this whole process is one job, so that a thread without a rank is a mistake and not a world of one. */
    private static volatile boolean everywhere;

    private final IntFunction<LocalFabric> fabrics;
    private final Board board;
    private final Consumer<Throwable> failed;

    ThreadJob(
            int rank, int size, IntFunction<LocalFabric> fabrics, Board board, Consumer<Throwable> failed) {
        super(rank, size);
        this.failed = failed;
        this.fabrics = fabrics;
        this.board = board;
    }

    static ThreadJob ofThread() {
        return CURRENT.get();
    }

    static boolean everywhere() {
        return everywhere;
    }

    static void claimProcess() {
        everywhere = true;
    }

    /** Makes the calling thread, and all it starts from now on, this rank. */
    void enter() {
        CURRENT.set(this);
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
        return fabrics.apply(world).open(rank());
    }
}
