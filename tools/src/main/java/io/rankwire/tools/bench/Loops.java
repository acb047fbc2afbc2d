package io.rankwire.tools.bench;

import io.rankwire.Communicator;
import io.rankwire.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** What the loops of messages have in common; most are between two ranks. */
abstract class Loops {
    static final int WINDOW = 64;
    static final int TAG_BALL = 1;
    static final int TAG_STREAM = 2;
    static final int TAG_ACK = 3;
    static final int TAG_COUNT = 4;
    static final int TAG_MARK = 5;
    static final int TAG_AGREE = 6;
    static final int TAG_OTHERS = 1000;
    /** A loop runs in pieces, and ends early when it has taken too long, as on a busy machine. */
    private static final int PIECES = 10;
    private static final int MAX_PIECE = 500;
    private static final long LIMIT_NS = 2_000_000_000;
    static final long WARM_NS = 400_000_000;
    static final int MOST_WARM_UPS = 30;
    /** For the hand-off of a line, and for the first one, in which its loop is compiled. */
    private static final long LINE_NS = 3_000_000;
    private static final long LINE_WARM_NS = 100_000_000;

    /** A loop of messages that does a number of turns, and allocates nothing itself. */
    @FunctionalInterface
    interface Loop {
        void run(int turns);
    }

    final Communicator all;
    final int rank;
    final int other;
    private final World world;
    private final String kind;
    private final byte[] answer = new byte[1];
    /** Null with more ranks than processors. */
    private final HandOff line;
    private boolean isLineWarm;
    /** Before what is measured next. */
    private double handOffNs = Double.NaN;
    /** Time that a loop has spent on other things than messages. */
    long asideNs;

    Loops(World world, String kind) {
        this.world = world;
        this.all = world.communicator();
        this.kind = kind;
        this.rank = all.rank();
        this.other = 1 - rank;
        this.line = all.size() > Runtime.getRuntime().availableProcessors() ? null : openLine();
    }

    private static HandOff openLine() {
        try {
            return new HandOff(Path.of(System.getenv("RANKWIRE_JOB")).resolve("line"), Arena.global());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    abstract void run(Cell cell);

    /** Runs a cell; where a fresh process is what counts, nothing runs before. */
    final void measure(Cell cell) {
        handOffNs = cell.warmup() == 0 || cell.iterations() == 0 || Work.WARM.has(kind) ? Double.NaN : handOffNs();
        run(cell);
    }

    /** Memory of the sort that the kind asks for. */
    final Block block(int bytes) {
        return isAllocated() ? Block.of(world.allocate(bytes)) : Block.of(new byte[bytes]);
    }

    final Vector vector(int length) {
        return isAllocated() ? Vector.of(world.allocate(8L * length)) : Vector.of(new double[length]);
    }

    final boolean isAllocated() {
        return kind.endsWith(".alloc");
    }

    /**
     * Turns before those that count. A change of size has parts of the way compiled anew, which takes longer on busy
     * cores than a short warm-up does: it goes on for a while, but not for ever. Without any turns it only waits until
     * all ranks are there.
     */
    final void warmUp(Loop loop, Cell cell) {
        if (cell.warmup() == 0) {
            all.barrier();
            return;
        }
        long start = System.nanoTime();
        turnNs(loop, cell.warmup());
        if (cell.iterations() > 0) {
            for (int i = 1; i < MOST_WARM_UPS && agree(System.nanoTime() - start < WARM_NS); i++) {
                turnNs(loop, cell.warmup());
            }
        }
    }

    /** Mean time of a turn. */
    final double turnNs(Loop loop, int turns) {
        int piece = Math.clamp(turns / PIECES, 1, MAX_PIECE);
        int done = 0;
        long taken = 0;
        do {
            asideNs = 0;
            long start = System.nanoTime();
            loop.run(piece);
            taken += System.nanoTime() - start - asideNs;
            done += piece;
        } while (agree(done < turns && taken < LIMIT_NS));
        return (double) taken / done;
    }

    /**
     * Runs a loop from cold for as many milliseconds as the cell has iterations, and reports when it was steady.
     *
     * @param calls calls in a turn
     */
    final void warming(Cell cell, Loop loop, int piece, int calls) {
        WarmUp warmUp = new WarmUp();
        all.barrier();
        long start = System.nanoTime();
        long now = start;
        do {
            asideNs = 0;
            long before = now;
            loop.run(piece);
            now = System.nanoTime();
            warmUp.add(before - start, now - start, now - before - asideNs, (long) piece * calls);
        } while (agree(now - start < cell.iterations() * 1_000_000L));
        report(cell, warmUp.seconds());
        report("steady", cell, warmUp.steadyNs() / 1e3);
    }

    /** Whether rank 0 wants to go on; both know when it returns. */
    final boolean agree(boolean goOn) {
        answer[0] = (byte) (goOn ? 1 : 0);
        if (rank == 0) {
            all.send(answer, other, TAG_AGREE);
            all.receive(answer, other, TAG_AGREE);
        } else {
            all.receive(answer, other, TAG_AGREE);
            all.send(answer, other, TAG_AGREE);
        }
        return answer[0] != 0;
    }

    final void check(Block block, int at, int count, int step, long value) {
        if (!block.isStamped(at, count, step, value)) {
            throw wrong("message", value);
        }
    }

    final IllegalStateException wrong(String what, long at) {
        return new IllegalStateException("rank " + rank + ": wrong data: " + what + " " + at);
    }

    /** All ranks have measured a cell: rank 0 prints its value. */
    final void report(Cell cell, double value) {
        report("", cell, value);
    }

    /** The same for a part of the work. */
    final void report(String part, Cell cell, double value) {
        double before = handOffNs;
        handOffNs = handOffNs();
        if (rank == 0) {
            String whole = part.isEmpty() ? kind : kind + "." + part;
            System.out.println(new Point(whole, cell.bytes(), cell.depth()).line(value, before, handOffNs));
        }
    }

    /** The line hand-off between ranks 0 and 1 now; NaN if other ranks need their cores. */
    private double handOffNs() {
        if (line == null) {
            return Double.NaN;
        }
        long limitNs = isLineWarm ? LINE_NS : LINE_WARM_NS;
        isLineWarm = true;
        if (rank > 1) {
            return Double.NaN;
        }
        if (rank == 1) {
            line.answer();
            return Double.NaN;
        }
        return line.measure(limitNs);
    }
}
