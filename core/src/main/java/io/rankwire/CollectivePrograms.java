package io.rankwire;

import io.rankwire.collective.BinomialBroadcast;
import io.rankwire.collective.BinomialGather;
import io.rankwire.collective.BinomialReduce;
import io.rankwire.collective.BinomialScatter;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.BruckAlltoall;
import io.rankwire.collective.CirculantAllgather;
import io.rankwire.collective.CirculantAllreduce;
import io.rankwire.collective.CirculantReduce;
import io.rankwire.collective.CirculantReduceScatter;
import io.rankwire.collective.Cost;
import io.rankwire.collective.DisseminationBarrier;
import io.rankwire.collective.DoublingAllreduce;
import io.rankwire.collective.DoublingScan;
import io.rankwire.collective.LinearGather;
import io.rankwire.collective.LinearScatter;
import io.rankwire.collective.OrderedReduceScatter;
import io.rankwire.collective.PairwiseAlltoall;
import io.rankwire.collective.Schedule;
import io.rankwire.collective.ScatterAllgatherBroadcast;
import io.rankwire.type.ElementType;
import java.util.HashSet;
import java.util.Set;

/**
 * The collective calls of one communicator, compiled: the algorithm is chosen by cost at the first call of a shape, and
 * the program kept for the next.
 *
 * <p>The tag of its messages tells which call they belong to, and what sort of call it was, so that ranks that do not
 * make the same call can be told apart (see {@link CollectiveMismatch}):
 *
 * <pre>
 *   30 | 29         | 28 ...... 17 | 16 .. 12 | 11 ...... 0
 *   1  | persistent | sequence     | kind     | agreement
 * </pre>
 */
final class CollectivePrograms {
    static final int TAG_MARK = 1 << 30;
    static final int PERSISTENT = 1 << 29;
    static final int SEQUENCE_SHIFT = 17;
    static final int SEQUENCES = 1 << 12;
    static final int KIND_SHIFT = 12;
    private static final int KEPT = 64;
    /** Set by the launcher when it shall be told which algorithms are used. */
    private static final String EXPLAIN = "RANKWIRE_EXPLAIN";
    /** Byte offsets into arrays stay whole elements of every type when they are multiples of this. */
    private static final int WIDEST_ELEMENT = 8;

    private final Communicator on;
    private final int rank;
    private final int size;
    private final Cost cost;
    private final Collective[] kept = new Collective[KEPT];
    private final Set<String> explained;
    private int sequence;
    private int persistentSequence;

    CollectivePrograms(Communicator on) {
        this.on = on;
        this.rank = on.rank();
        this.size = on.size();
        boolean crowded = on.world().communicator().size() > Runtime.getRuntime().availableProcessors();
        this.cost = crowded ? Cost.CROWDED : Cost.NEAR;
        this.explained = rank == 0 && System.getenv(EXPLAIN) != null ? new HashSet<>() : null;
    }

    /** The tag of the next call, in the order that is the same on all ranks. */
    int nextTag(Collective call, boolean persistent) {
        int number = persistent ? persistentSequence++ : sequence++;
        return TAG_MARK | (persistent ? PERSISTENT : 0) | (number & SEQUENCES - 1) << SEQUENCE_SHIFT | call.agreement;
    }

    /** The sequence number the next call will have. */
    int sequence() {
        return sequence;
    }

    /** A program of this shape that is not running. A fresh one is the caller's own. */
    Collective find(CollectiveKind kind, int root, long bytes, ElementType type, Op op, boolean inPlace,
            boolean fresh) {
        int mixed = (int) (bytes ^ bytes >>> 32) * 31 + kind.ordinal() * 7 + root;
        mixed = (mixed * 0x9E3779B9 >>> 20) + type.code();
        int place = mixed & KEPT - 1;
        Collective found = kept[place];
        if (found != null && !fresh && found.shape.is(kind, root, bytes, type, op, inPlace)
                && !found.program.active()) {
            return found;
        }
        Collective made = compile(new Shape(kind, root, bytes, type, op, inPlace));
        if (!fresh && (found == null || !found.program.active())) {
            kept[place] = made;
        }
        return made;
    }

    private Collective compile(Shape shape) {
        long bytes = shape.bytes();
        boolean here = shape.inPlace();
        return switch (shape.kind()) {
            case BARRIER -> make(shape, DisseminationBarrier.of(rank, size), 1, 0, 0);
            case BROADCAST -> broadcast(shape);
            case GATHER -> {
                boolean tree = BinomialGather.cost(cost, size, bytes) < LinearGather.cost(cost, size, bytes);
                yield make(shape, tree ? BinomialGather.of(rank, size, shape.root(), bytes, here)
                        : LinearGather.of(rank, size, shape.root(), Blocks.even(size, bytes), bytes, here),
                        1, bytes, bytes * size);
            }
            case SCATTER -> {
                boolean tree = BinomialScatter.cost(cost, size, bytes) < LinearScatter.cost(cost, size, bytes);
                yield make(shape, tree ? BinomialScatter.of(rank, size, shape.root(), bytes, here)
                        : LinearScatter.of(rank, size, shape.root(), Blocks.even(size, bytes), bytes, here),
                        1, bytes * size, bytes);
            }
            case ALLGATHER -> make(shape, CirculantAllgather.of(rank, size, Blocks.even(size, bytes), here),
                    1, bytes, bytes * size);
            case ALLTOALL -> alltoall(shape);
            case REDUCE -> reduce(shape);
            case ALLREDUCE -> allreduce(shape);
            case REDUCE_SCATTER_BLOCK -> {
                int unit = unit(shape);
                yield reduceScatter(shape, Blocks.even(size, bytes / unit));
            }
            case SCAN, EXSCAN -> {
                int unit = unit(shape);
                long units = bytes / unit;
                yield make(shape, shape.kind() == CollectiveKind.SCAN
                        ? DoublingScan.inclusive(rank, size, units, here)
                        : DoublingScan.exclusive(rank, size, units, here), unit, bytes, bytes);
            }
            default -> throw new AssertionError(shape);
        };
    }

    Collective make(Shape shape, Schedule schedule, long unit, long input, long output) {
        long piece = on.host().device.eagerBytes() / WIDEST_ELEMENT * WIDEST_ELEMENT;
        Schedule cut = schedule.cut(Math.max(1, piece / unit));
        boolean byLines = LineCalls.serves(shape, size, cost);
        Collective made = Collective.compile(
                on, on.context() | Contexts.HIDDEN, shape, byLines, cut, unit, input, output);
        if (explained != null && explained.add(made.call)) {
            System.err.println("rankwire: " + made.call + ", on " + on.name() + " of " + size + ": "
                    + (byLines ? "shared lines; if not blocking: " : "") + made.algorithm);
        }
        return made;
    }

    private static int unit(Shape shape) {
        return shape.type().bytes() * shape.op().group();
    }

    private Collective broadcast(Shape shape) {
        long bytes = shape.bytes();
        long unit = bytes == 0 ? 1 : Math.min(WIDEST_ELEMENT, Long.lowestOneBit(bytes));
        boolean tree = BinomialBroadcast.cost(cost, size, bytes) <= ScatterAllgatherBroadcast.cost(cost, size, bytes);
        Schedule schedule = tree
                ? BinomialBroadcast.of(rank, size, shape.root(), bytes / unit)
                : ScatterAllgatherBroadcast.of(rank, size, shape.root(), bytes / unit);
        return make(shape, schedule, unit, 0, bytes);
    }

    private Collective alltoall(Shape shape) {
        long bytes = shape.bytes();
        Blocks blocks = Blocks.even(size, bytes);
        Schedule schedule;
        if (shape.inPlace()) {
            schedule = PairwiseAlltoall.inPlace(rank, size, blocks);
        } else if (size > 2 && BruckAlltoall.cost(cost, size, bytes) < PairwiseAlltoall.cost(cost, size, bytes)) {
            schedule = BruckAlltoall.of(rank, size, bytes);
        } else {
            schedule = PairwiseAlltoall.of(rank, size, blocks, blocks);
        }
        return make(shape, schedule, 1, bytes * size, bytes * size);
    }

    private Collective reduce(Shape shape) {
        long bytes = shape.bytes();
        int unit = unit(shape);
        boolean commutes = shape.op().commutes();
        boolean tree = !commutes
                || BinomialReduce.cost(cost, size, bytes) <= CirculantReduce.cost(cost, size, bytes);
        Schedule schedule = tree
                ? BinomialReduce.of(rank, size, shape.root(), bytes / unit, commutes, shape.inPlace())
                : CirculantReduce.of(rank, size, shape.root(), bytes / unit, shape.inPlace());
        return make(shape, schedule, unit, bytes, bytes);
    }

    private Collective allreduce(Shape shape) {
        long bytes = shape.bytes();
        int unit = unit(shape);
        boolean doubling = !shape.op().commutes()
                || DoublingAllreduce.cost(cost, size, bytes) <= CirculantAllreduce.cost(cost, size, bytes);
        Schedule schedule = doubling
                ? DoublingAllreduce.of(rank, size, bytes / unit, shape.inPlace())
                : CirculantAllreduce.of(rank, size, bytes / unit, shape.inPlace());
        return make(shape, schedule, unit, bytes, bytes);
    }

    Collective reduceScatter(Shape shape, Blocks blocks) {
        int unit = unit(shape);
        Schedule schedule = shape.op().commutes()
                ? CirculantReduceScatter.of(rank, size, blocks, shape.inPlace())
                : OrderedReduceScatter.of(rank, size, blocks, shape.inPlace());
        long total = blocks.total() * unit;
        return make(shape, schedule, unit, total, shape.inPlace() ? total : blocks.units(rank) * unit);
    }
}
