package io.rankwire.launch;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.local.LocalFabric;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A rank that is a thread, together with the threads it starts. */
final class ThreadJob extends Job {
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
