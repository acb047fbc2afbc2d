package io.rankwire.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How much of each work is done. Ours warms up longer than the peers, since its loops are compiled while they run.
 * Peers search lists, milliseconds for a message at the largest depths, so they turn less often there.
 *
 * @param effort scales all counts; 1 but for tests
 * @param ranks the numbers of ranks that collective calls are measured with at every size; none for the usual ones
 */
record Plan(boolean quick, double effort, List<Integer> ranks) {
    static final int[] SIZES = {0, 8, 48, 64, 128, 512, 2048, 8192, 32768, 131072, 524288, 1 << 20, 2097152};
    static final int[] STREAM_SIZES = {4 << 10, 64 << 10, 1 << 20};
    static final int[] OVERLAP_SIZES = {64 << 10, 1 << 20};
    static final int[] CALL_SIZES = {8, 4 << 10, 32 << 10, 64 << 10, 96 << 10, 128 << 10, 256 << 10, 2 << 20};
    static final int SMALLEST_OF_CURVE = 1 << 10;
    static final int LARGEST_OF_CURVE = 4 << 20;
    static final int[] DEPTHS = {0, 1000, 10_000, 100_000};
    static final int STARTS_PER_ROUND = 3;
    /** How many ranks are killed in a job, one after another. */
    static final int DEATHS = 5;

    private static final int FULL = 4;
    private static final int OURS_DEEP = 100_000;
    private static final int WINDOWS = 10_000;
    private static final int SMALL = 512;
    private static final int MIDDLING = 128 << 10;
    private static final int SMALLEST_ALLOCATED = 8192;
    private static final int STREAMED = 16 << 20;
    private static final int PEERS_QUICK_DEPTH = 10_000;

    private static final List<String> CALLS =
            List.of("barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall");
    private static final int COLD = 50;
    private static final int WARM_MS = 4000;
    private static final int LEAST_WARM_MS = 100;

    Plan(boolean quick, double effort) {
        this(quick, effort, List.of());
    }

    /** The kinds of a work, each a program of its own in every round. */
    List<String> kinds(Work work, boolean ours) {
        if (work != Work.COLL || ranks.isEmpty()) {
            return ours ? work.ours : work.theirs();
        }
        // Few ranks first: a library that spins where ranks outnumber the cores may not end at all.
        return ranks.stream().sorted().flatMap(count -> CALLS.stream().map(call -> "coll." + call + ".x" + count))
                .toList();
    }

    /** The first calls of a fresh process, for each size that is measured. */
    List<Cell> coldCells(Work work, String kind) {
        return cells(work, kind, false).stream().map(cell -> new Cell(cell.bytes(), 0, 0, COLD)).toList();
    }

    /** The measurements of one run of a kind of work. */
    List<Cell> cells(Work work, String kind, boolean ours) {
        List<Cell> cells = new ArrayList<>();
        switch (work) {
            case LAT -> {
                for (int bytes : SIZES) {
                    if (work.part(kind).isEmpty() || bytes >= SMALLEST_ALLOCATED) {
                        cells.add(cell(bytes, 0, latencyCount(bytes)));
                    }
                }
            }
            case CURVE -> {
                for (int bytes = SMALLEST_OF_CURVE; bytes <= LARGEST_OF_CURVE; bytes *= 2) {
                    cells.add(cell(bytes, 0, latencyCount(bytes)));
                }
            }
            case RATE -> cells.add(cell(8, 0, WINDOWS));
            case BW, BIBW -> {
                for (int bytes : STREAM_SIZES) {
                    cells.add(cell(bytes, 0, Math.clamp(STREAMED / bytes, 10, 1000)));
                }
            }
            case OVERLAP -> {
                for (int bytes : OVERLAP_SIZES) {
                    cells.add(cell(bytes, 0, latencyCount(bytes) / 8));
                }
            }
            case RMA -> {
                cells.add(cell(8, 0, latencyCount(8)));
                cells.add(cell(64 << 10, 0, latencyCount(64 << 10)));
                cells.add(cell(8, Loops.WINDOW, WINDOWS));
            }
            case ACTIVE -> {
                cells.add(cell(8, 0, latencyCount(8)));
                cells.add(cell(1 << 10, 0, latencyCount(1 << 10)));
            }
            case PRQ, UEQ -> {
                for (int depth : DEPTHS) {
                    if (ours || !quick || depth <= PEERS_QUICK_DEPTH) {
                        cells.add(cell(8, depth, ours ? OURS_DEEP : searchCount(depth)));
                    }
                }
            }
            case COLL -> {
                if (kind.equals("coll.persistent")) {
                    return List.of(new Cell(8, 0, scaled(200_000), scaled(100_000)));
                }
                if (!ranks.isEmpty()) {
                    return sweep(kind, ours);
                }
                for (int bytes : callSizes(work.part(kind))) {
                    cells.add(cell(bytes, 0, latencyCount(bytes) / (kind.equals("coll.overlap") ? 8 : 1)));
                }
            }
            case ALLOC -> {
                return List.of(new Cell(8, 0, scaled(200_000), scaled(100_000)));
            }
            case DEATHS -> {
                return List.of(kind.startsWith("deaths.agree") ? new Cell(0, 0, scaled(100_000), scaled(10_000))
                        : new Cell(0, 0, 0, DEATHS));
            }
            case WARM -> {
                int bytes = kind.equals("warm.large") ? 32 << 10 : 8;
                int turnsOrMs = kind.equals("warm.first")
                        ? scaled(10_000) : (int) Math.max(LEAST_WARM_MS, WARM_MS * effort);
                return List.of(new Cell(bytes, 0, 0, turnsOrMs));
            }
            case START, FLOOR -> {
                // No loop of messages.
            }
        }
        return ours ? settled(cells, work == Work.COLL) : cells;
    }

    /** Calls at many sizes: fewer of each, and warm-up by number, since what one size compiles serves the next. */
    private List<Cell> sweep(String kind, boolean ours) {
        List<Cell> warmups = new ArrayList<>();
        List<Cell> cells = new ArrayList<>();
        for (int bytes : kind.startsWith("coll.barrier") ? new int[] {0} : CALL_SIZES) {
            int count = latencyCount(bytes) / (quick ? 2 : 1);
            warmups.addFirst(new Cell(bytes, 0, scaled(Math.max(5000, 3 * count)), 0));
            cells.add(new Cell(bytes, 0, scaled(count / 5), scaled(count)));
        }
        if (ours) {
            cells.addAll(0, warmups);
        }
        return cells;
    }

    private Cell cell(int bytes, int depth, int count) {
        boolean deepest = depth > PEERS_QUICK_DEPTH && count < 1000;
        return new Cell(bytes, depth, scaled(count / 5), scaled(count * (quick || deepest ? 1 : FULL)));
    }

    /**
     * Ours goes through all sizes or depths once without measuring: the compiler optimises for what it has seen, and
     * would otherwise begin anew at each. It ends with what is measured first, since coming back from the largest sizes
     * is such a beginning too. Small messages are so fast that many are needed to give it a second or two.
     */
    private List<Cell> settled(List<Cell> cells, boolean calls) {
        List<Cell> all = new ArrayList<>();
        for (Cell cell : cells.reversed()) {
            int times = cell.bytes() <= SMALL ? 30 : cell.bytes() <= MIDDLING ? 25 : 5;
            // Calls are warmed up by time: the loop's limit ends it.
            int warmup = calls ? scaled(10_000_000) : cell.warmup() * times;
            all.add(new Cell(cell.bytes(), cell.depth(), warmup, 0));
        }
        all.addAll(cells);
        return all;
    }

    private static int[] callSizes(String call) {
        return switch (call) {
            case "barrier", "barrier.x4", "barrier.x8" -> new int[] {0};
            case "bcast", "allreduce" -> new int[] {8, 32 << 10, 2 << 20};
            case "bcast.alloc", "allreduce.alloc" -> new int[] {32 << 10, 2 << 20};
            case "reduce", "allreduce.x4", "allreduce.x8" -> new int[] {8, 32 << 10};
            case "reduce.alloc" -> new int[] {32 << 10};
            case "bcast.x4", "bcast.x8" -> new int[] {8};
            case "allgather", "alltoall" -> new int[] {8, 4 << 10, 256 << 10};
            case "allgather.alloc", "alltoall.alloc" -> new int[] {256 << 10};
            case "overlap" -> new int[] {1 << 20};
            default -> throw new IllegalArgumentException(call);
        };
    }

    private int scaled(int count) {
        return (int) Math.max(5, count * effort);
    }

    private static int latencyCount(int bytes) {
        return bytes <= 512 ? 100_000 : bytes <= 8192 ? 20_000 : bytes <= 131072 ? 4000 : 400;
    }

    private static int searchCount(int depth) {
        return depth == 0 ? 100_000 : depth <= 1000 ? 5000 : depth <= PEERS_QUICK_DEPTH ? 400 : 40;
    }

    /** A run that takes longer hangs. */
    double limitSeconds() {
        return quick ? 90 : 180;
    }

    /** The same for a peer whose ranks outnumber the cores: some libraries spin there for minutes. */
    double crowdedSeconds() {
        return 20;
    }

    /** What the header of the tables says about it. */
    String describe(int rounds, Set<Work> works) {
        String all = rounds + " interleaved round" + (rounds == 1 ? "" : "s") + ", each in fresh processes";
        if (works.equals(Set.of(Work.WARM))) {
            return all + " without warm-up";
        }
        return all + "; warm-up: " + (quick || !ranks.isEmpty() ? "a fifth" : "a twentieth")
                + " of the turns at each size or depth, ours up to thirty times that, and at length through all of"
                + " them once before; no loop longer than 2 s, or 4 s to warm up";
    }
}
