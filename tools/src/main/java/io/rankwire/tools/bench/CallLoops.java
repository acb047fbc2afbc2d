package io.rankwire.tools.bench;

import io.rankwire.Op;
import io.rankwire.World;

/**
 * A collective call, over and over. Roots take turns, so that each call needs the one before. From {@link #REWRITTEN}
 * bytes on all that a rank gives is written anew in every turn, by all ranks at the same time; that is not counted
 * where each has a core.
 */
class CallLoops extends Loops {
    private static final int REWRITTEN = 8192;
    private static final long PIECE_NS = 5_000_000;
    private static final long LIMIT_NS = 2_000_000_000;
    /** Large calls are fewer in the same time, and it is their number that has them compiled. */
    private static final long LONG_LIMIT_NS = 4_000_000_000L;

    final int size;
    private final String call;
    private final boolean warming;
    private final boolean apart;
    private final int[] next = new int[1];
    private final Op sum;
    private long asideSince;

    CallLoops(World world, String kind) {
        super(world, kind);
        this.size = all.size();
        this.warming = Work.WARM.has(kind);
        this.call = kind.split("\\.")[1];
        this.apart = size <= Runtime.getRuntime().availableProcessors();
        this.sum = isAllocated() ? Op.SUM.as(double.class) : Op.SUM;
    }

    @Override
    void run(Cell cell) {
        Loop loop = loop(cell.bytes());
        if (warming) {
            warming(cell, loop, 100, 1);
            return;
        }
        boolean cold = cell.warmup() == 0;
        if (cold) {
            all.barrier();
        } else {
            callNs(loop, cell.warmup(), cell.bytes() < REWRITTEN ? LIMIT_NS : LONG_LIMIT_NS);
        }
        if (cell.iterations() > 0) {
            if (!cold) {
                callNs(loop, MOST_WARM_UPS * cell.warmup(), WARM_NS);
            }
            report(cell, callNs(loop, cell.iterations()) / 1e3);
        }
    }

    private Loop loop(int bytes) {
        boolean large = bytes >= REWRITTEN;
        switch (call) {
            case "barrier" -> {
                return this::barriers;
            }
            case "bcast" -> {
                Block block = block(bytes);
                return turns -> broadcasts(block, bytes, large, turns);
            }
            case "allgather" -> {
                Block in = block(bytes);
                Block out = block(bytes * size);
                return turns -> allgathers(in, out, bytes, large, turns);
            }
            case "alltoall" -> {
                Block in = block(bytes * size);
                Block out = block(bytes * size);
                return turns -> alltoalls(in, out, bytes, large, turns);
            }
            case "reduce", "allreduce" -> {
                Vector in = vector(bytes / 8);
                Vector out = vector(bytes / 8);
                return call.equals("reduce")
                        ? turns -> reduces(in, out, large, turns) : turns -> allreduces(in, out, large, turns);
            }
            default -> throw new IllegalArgumentException("unknown call " + call);
        }
    }

    /** Mean time of a turn. Pieces grow until they take long enough to be timed; rank 0 says how long the next is. */
    final double callNs(Loop loop, int turns) {
        return callNs(loop, turns, LIMIT_NS);
    }

    private double callNs(Loop loop, int turns, long limitNs) {
        int piece = 1;
        int done = 0;
        long taken = 0;
        do {
            asideNs = 0;
            long start = System.nanoTime();
            loop.run(piece);
            long took = System.nanoTime() - start - asideNs;
            taken += took;
            done += piece;
            int longer = took < PIECE_NS ? 2 * piece : piece;
            next[0] = done < turns && taken < limitNs ? Math.min(longer, turns - done) : 0;
            all.broadcast(next, 0);
            all.barrier();
            piece = next[0];
        } while (piece > 0);
        return (double) taken / done;
    }

    private void asideFrom(boolean large) {
        if (large && apart) {
            asideSince = System.nanoTime();
        }
    }

    private void asideTo(boolean large) {
        if (large && apart) {
            asideNs += System.nanoTime() - asideSince;
        }
    }

    final void barriers(int turns) {
        for (int i = 0; i < turns; i++) {
            all.barrier();
        }
    }

    private void broadcasts(Block block, int bytes, boolean large, int turns) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object buffer = block.buffer();
        for (int i = 0; i < turns; i++) {
            int root = i % size;
            long value = (long) i << 4;
            asideFrom(large);
            if (large) {
                block.fill((byte) i);
            }
            block.stamp(0, count, step, rank == root ? value : -1);
            asideTo(large);
            all.broadcast(buffer, root);
            asideFrom(large);
            check(block, 0, count, step, value);
            asideTo(large);
        }
    }

    private void allgathers(Block in, Block out, int bytes, boolean large, int turns) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object from = in.buffer();
        Object to = out.buffer();
        for (int i = 0; i < turns; i++) {
            asideFrom(large);
            if (large) {
                in.fill((byte) i);
            }
            in.stamp(0, count, step, ((long) i * size + rank) << 4);
            asideTo(large);
            all.allgather(from, to);
            asideFrom(large);
            for (int r = 0; r < size; r++) {
                check(out, r * bytes, count, step, ((long) i * size + r) << 4);
            }
            asideTo(large);
        }
    }

    private void alltoalls(Block in, Block out, int bytes, boolean large, int turns) {
        int count = Block.words(bytes);
        int step = Block.stride(bytes);
        Object from = in.buffer();
        Object to = out.buffer();
        for (int i = 0; i < turns; i++) {
            asideFrom(large);
            if (large) {
                in.fill((byte) i);
            }
            for (int r = 0; r < size; r++) {
                in.stamp(r * bytes, count, step, (((long) i * size + rank) * size + r) << 4);
            }
            asideTo(large);
            all.alltoall(from, to);
            asideFrom(large);
            for (int r = 0; r < size; r++) {
                check(out, r * bytes, count, step, (((long) i * size + r) * size + rank) << 4);
            }
            asideTo(large);
        }
    }

    private void reduces(Vector in, Vector out, boolean large, int turns) {
        Object from = in.buffer();
        Object to = out.buffer();
        for (int i = 0; i < turns; i++) {
            int root = i % size;
            write(in, i, large);
            all.reduce(from, to, sum, root);
            if (rank == root) {
                check(out, i, large);
            }
        }
    }

    private void allreduces(Vector in, Vector out, boolean large, int turns) {
        Object from = in.buffer();
        Object to = out.buffer();
        for (int i = 0; i < turns; i++) {
            write(in, i, large);
            all.allreduce(from, to, sum);
            check(out, i, large);
        }
    }

    private void write(Vector in, int turn, boolean large) {
        if (large) {
            asideFrom(true);
            in.fill(turn + rank);
            asideTo(true);
        } else {
            in.set(0, turn + rank);
        }
    }

    private void check(Vector out, int turn, boolean large) {
        asideFrom(large);
        double expected = (double) turn * size + size * (size - 1) / 2;
        if (out.get(0) != expected || large && out.get(out.length() - 1) != expected) {
            throw wrong("sum", turn);
        }
        asideTo(large);
    }
}
