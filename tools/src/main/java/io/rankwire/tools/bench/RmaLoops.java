package io.rankwire.tools.bench;

import io.rankwire.Window;
import io.rankwire.World;

/**
 * One-sided calls of rank 0 on memory of rank 1, which waits in the library. What was put is read back at the end of
 * each piece; what is got was put before. C libraries do not have the loop of locks.
 */
final class RmaLoops extends Loops {
    private Window window;
    private long pieces;

    RmaLoops(World world, String kind) {
        super(world, kind);
    }

    /** With a depth, the rate of that number of puts to a flush is measured; without, the time of one. */
    @Override
    void run(Cell cell) {
        int bytes = cell.bytes();
        Block out = block(bytes * WINDOW);
        Block in = block(bytes * WINDOW);
        window = all.allocateWindow((long) bytes * WINDOW, 1);
        window.memory().fill(Block.FILL);
        window.lockAll();
        agree(true);
        if (cell.depth() == 0) {
            measure("put", cell, turns -> puts(out, in, bytes, turns));
            measure("get", cell, turns -> gets(out, in, bytes, turns));
        } else {
            measure("rate", cell, turns -> windows(out, in, bytes, turns));
        }
        window.unlockAll();
        window.free();
        if (cell.depth() == 0 && bytes == Long.BYTES) {
            window = all.allocateWindow(bytes, 1);
            measure("lock", cell, this::locks);
            window.free();
        }
    }

    private void locks(int iterations) {
        for (int i = 0; i < iterations; i++) {
            window.lock(Window.Lock.EXCLUSIVE, other);
            window.unlock(other);
        }
    }

    private void measure(String part, Cell cell, Loop loop) {
        Loop ours = turns -> {
            if (rank == 0) {
                loop.run(turns);
            }
        };
        warmUp(ours, cell);
        if (cell.iterations() > 0) {
            double ns = turnNs(ours, cell.iterations());
            Cell plain = new Cell(cell.bytes(), 0, cell.warmup(), cell.iterations());
            report(part, plain, cell.depth() == 0 ? ns / 1e3 : WINDOW / ns * 1e3);
        }
    }

    private void puts(Block out, Block in, int bytes, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object buffer = out.buffer();
        for (int i = 0; i < iterations; i++) {
            out.stamp(0, count, step, (long) i << 4);
            window.put(buffer, 0, bytes, other, 0);
            window.flush(other);
        }
        window.get(in.buffer(), 0, bytes, other, 0);
        window.flush(other);
        check(in, 0, count, step, (long) (iterations - 1) << 4);
    }

    private void gets(Block out, Block in, int bytes, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object buffer = in.buffer();
        long value = ++pieces << 4;
        out.stamp(0, count, step, value);
        window.put(out.buffer(), 0, bytes, other, 0);
        window.flush(other);
        for (int i = 0; i < iterations; i++) {
            in.stamp(0, count, step, 0);
            window.get(buffer, 0, bytes, other, 0);
            window.flush(other);
            check(in, 0, count, step, value);
        }
    }

    private void windows(Block out, Block in, int bytes, int iterations) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object buffer = out.buffer();
        for (int i = 0; i < iterations; i++) {
            long first = (long) i * WINDOW << 4;
            for (int w = 0; w < WINDOW; w++) {
                int at = w * bytes;
                out.stamp(at, count, step, first + (w << 4));
                window.put(buffer, at, bytes, other, at);
            }
            window.flush(other);
        }
        window.get(in.buffer(), 0, (long) bytes * WINDOW, other, 0);
        window.flush(other);
        for (int w = 0; w < WINDOW; w++) {
            check(in, w * bytes, count, step, ((long) (iterations - 1) * WINDOW << 4) + (w << 4));
        }
    }
}
