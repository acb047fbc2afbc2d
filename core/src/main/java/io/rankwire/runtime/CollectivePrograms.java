package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
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
 *
 * <p>The agreement is of this call and of all before it: should two ranks differ in a call in a way that it does not
 * show, it will with the next one, or the next.
 */
public class CollectivePrograms {
    public static final int TAG_MARK = 1 << 30;
    public static final int PERSISTENT = 1 << 29;
    public static final int SEQUENCE_SHIFT = 17;
    public static final int SEQUENCES = 1 << 12;
    public static final int KIND_SHIFT = 12;
    private static final int KEPT = 64;
    /** Set by the launcher when it shall be told which algorithms are used. */
    private static final String EXPLAIN = "RANKWIRE_EXPLAIN";
    /** What messages cost, told by the launcher: {@link Cost#text}. */
    private static final String COST = "RANKWIRE_COST";
    /** Byte offsets into arrays stay whole elements of every type when they are multiples of this. */
    private static final int WIDEST_ELEMENT = 8;

    private final Endpoint on;
    public final int rank;
    public final int size;
    public final Cost cost;
    private final Collective[] kept = new Collective[KEPT];
    private final Set<String> explained;
    public CollectivePrograms(Endpoint on) {
        this.on = on;
        this.rank = on.rank();
        this.size = on.size();
        this.cost = cost(on.session().size());
        this.explained = rank == 0 && System.getenv(EXPLAIN) != null ? new HashSet<>() : null;
    }

    private static Cost cost(int ranks) {
        String told = System.getenv(COST);
        if (told == null) {
            return ranks > Runtime.getRuntime().availableProcessors() ? Cost.CROWDED : Cost.NEAR;
        }
        Cost cost = Cost.parse(told);
        if (cost == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "variable " + COST + ": \"" + told
                    + "\" is not six plausible costs in picoseconds");
        }
        return cost;
    }

    /** The tag of the next call, in the order that is the same on all ranks. */
    public int nextTag(Collective call, CallLog.Form form) {
        boolean persistent = form == CallLog.Form.PERSISTENT;
        CallLog log = persistent ? on.collectives().persistentCalls : on.collectives().calls;
        int number = log.made();
        long before = log.history();
        log.add(call.name, form, call.remembered);
        int kind = call.agreement & -1 << KIND_SHIFT;
        int agreement = call.agreement + (int) (before >>> 52) & (1 << KIND_SHIFT) - 1;
        return TAG_MARK | (persistent ? PERSISTENT : 0) | (number & SEQUENCES - 1) << SEQUENCE_SHIFT | kind | agreement;
    }

    /** Which call a tag is of, without its arguments. */
    public static String kindOf(int tag) {
        int kind = tag >>> KIND_SHIFT & (1 << SEQUENCE_SHIFT - KIND_SHIFT) - 1;
        CollectiveKind[] kinds = CollectiveKind.values();
        return kind < kinds.length ? kinds[kind].call : "unknown call";
    }

    /** A program of this shape that is not running. A fresh one is the caller's own. */
    public Collective find(CollectiveKind kind, int root, long bytes, ElementType type, Operator op, boolean inPlace,
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

    public Collective compile(Shape shape) {
        long bytes = shape.bytes();
        boolean here = shape.inPlace();
        return switch (shape.kind()) {
            case BARRIER -> make(shape, Choice.only(DisseminationBarrier.cost(cost, size)),
                    DisseminationBarrier.of(rank, size), 1, 0, 0);
            case BROADCAST -> broadcast(shape);
            case GATHER -> {
                Choice choice = Choice.between(LinearGather.NAME, LinearGather.cost(cost, size, bytes),
                        BinomialGather.NAME, BinomialGather.cost(cost, size, bytes));
                yield make(shape, choice, choice.first()
                        ? LinearGather.of(rank, size, shape.root(), Blocks.even(size, bytes), bytes, here)
                        : BinomialGather.of(rank, size, shape.root(), bytes, here), 1, bytes, bytes * size);
            }
            case SCATTER -> {
                Choice choice = Choice.between(LinearScatter.NAME, LinearScatter.cost(cost, size, bytes),
                        BinomialScatter.NAME, BinomialScatter.cost(cost, size, bytes));
                yield make(shape, choice, choice.first()
                        ? LinearScatter.of(rank, size, shape.root(), Blocks.even(size, bytes), bytes, here)
                        : BinomialScatter.of(rank, size, shape.root(), bytes, here), 1, bytes * size, bytes);
            }
            case ALLGATHER -> make(shape, Choice.only(CirculantAllgather.cost(cost, size, bytes * size)),
                    CirculantAllgather.of(rank, size, Blocks.even(size, bytes), here), 1, bytes, bytes * size);
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
                yield make(shape, Choice.only(DoublingScan.cost(cost, size, bytes)), shape.kind() == CollectiveKind.SCAN
                        ? DoublingScan.inclusive(rank, size, units, here)
                        : DoublingScan.exclusive(rank, size, units, here), unit, bytes, bytes);
            }
            case NEIGHBOUR_ALLGATHER, NEIGHBOUR_ALLTOALL -> neighbours(shape);
            default -> throw new AssertionError(shape);
        };
    }

    /** All that take part. */
    public int ranks() {
        return size;
    }

    private Collective neighbours(Shape shape) {
        Neighbourhood around = on.collectives().neighbourhood();
        boolean gathers = shape.kind() == CollectiveKind.NEIGHBOUR_ALLGATHER;
        Schedule schedule = NeighbourCalls.schedule(rank, around, gathers, shape.bytes());
        return make(shape, schedule, 1, gathers ? shape.bytes() : shape.bytes() * around.destinations().length,
                shape.bytes() * around.sources().length);
    }

    /** Of calls that can be made in one way only. */
    public Collective make(Shape shape, Schedule schedule, long unit, long input, long output) {
        return make(shape, Choice.NONE, schedule, unit, input, output);
    }

    public Collective make(Shape shape, Choice choice, Schedule schedule, long unit, long input, long output) {
        Schedule cut = inPieces(shape, schedule, unit);
        boolean mayMeet = !on.isBetweenGroups() && on.host().device.memory().isMappable();
        double linesNs = mayMeet ? LineCalls.costNs(shape, size, cost) : Double.POSITIVE_INFINITY;
        Collective made = Collective.compile(on, shape, choice.isAbove(linesNs), cut, unit, input, output, null,
                describe(shape));
        explain(made, choice, linesNs);
        return made;
    }

    /** Of buffers that are given one by one, with messages of the types of each. */
    public Collective make(Shape shape, Schedule schedule, ElementType[] types) {
        Collective made = Collective.compile(on, shape, false, schedule, 1, 0, 0, types, describe(shape));
        explain(made, Choice.NONE, Double.POSITIVE_INFINITY);
        return made;
    }

    /** Long messages cut into pieces, as all ranks cut them, where what comes is used before the rest is there. */
    public Schedule inPieces(Shape shape, Schedule schedule, long unit) {
        if (shape.op() == null && (ranks() == 2 || !shape.kind().passesOn())) {
            return schedule;
        }
        long piece = on.host().device.eagerBytes() / WIDEST_ELEMENT * WIDEST_ELEMENT;
        return schedule.cut(Math.max(1, piece / unit));
    }

    private void explain(Collective made, Choice choice, double linesNs) {
        if (explained != null && explained.add(made.call)) {
            System.err.println("rankwire: " + made.call + ", on " + on.name() + " of " + size + ": "
                    + choice.describe(made.algorithm, linesNs));
        }
    }

    public String describe(Shape shape) {
        return shape.describe("");
    }

    public static int unit(Shape shape) {
        return shape.type().bytes() * shape.op().group();
    }

    private Collective broadcast(Shape shape) {
        long bytes = shape.bytes();
        long unit = bytes == 0 ? 1 : Math.min(WIDEST_ELEMENT, Long.lowestOneBit(bytes));
        Choice choice = broadcastChoice(size, bytes);
        Schedule schedule = choice.first()
                ? BinomialBroadcast.of(rank, size, shape.root(), bytes / unit)
                : ScatterAllgatherBroadcast.of(rank, size, shape.root(), bytes / unit);
        return make(shape, choice, schedule, unit, 0, bytes);
    }

    public final Choice broadcastChoice(int among, long bytes) {
        return Choice.between(BinomialBroadcast.NAME, BinomialBroadcast.cost(cost, among, bytes),
                ScatterAllgatherBroadcast.NAME, ScatterAllgatherBroadcast.cost(cost, among, bytes));
    }

    private Collective alltoall(Shape shape) {
        long bytes = shape.bytes();
        Blocks blocks = Blocks.even(size, bytes);
        double pairwise = PairwiseAlltoall.cost(cost, size, bytes);
        Choice choice = shape.inPlace() || size == 2 ? Choice.only(pairwise) : Choice.between(PairwiseAlltoall.NAME,
                pairwise, BruckAlltoall.NAME, BruckAlltoall.cost(cost, size, bytes));
        Schedule schedule;
        if (shape.inPlace()) {
            schedule = PairwiseAlltoall.inPlace(rank, size, blocks);
        } else if (choice.first()) {
            schedule = PairwiseAlltoall.of(rank, size, blocks, blocks);
        } else {
            schedule = BruckAlltoall.of(rank, size, bytes);
        }
        return make(shape, choice, schedule, 1, bytes * size, bytes * size);
    }

    private Collective reduce(Shape shape) {
        long bytes = shape.bytes();
        int unit = unit(shape);
        boolean commutes = shape.op().commutes();
        double tree = BinomialReduce.cost(cost, size, bytes);
        Choice choice = commutes ? Choice.between(BinomialReduce.NAME, tree,
                CirculantReduce.NAME, CirculantReduce.cost(cost, size, bytes)) : Choice.only(tree);
        Schedule schedule = choice.first()
                ? BinomialReduce.of(rank, size, shape.root(), bytes / unit, commutes, shape.inPlace())
                : CirculantReduce.of(rank, size, shape.root(), bytes / unit, shape.inPlace());
        return make(shape, choice, schedule, unit, bytes, bytes);
    }

    private Collective allreduce(Shape shape) {
        long bytes = shape.bytes();
        int unit = unit(shape);
        double doubling = DoublingAllreduce.cost(cost, size, bytes);
        Choice choice = shape.op().commutes() ? Choice.between(DoublingAllreduce.NAME, doubling,
                CirculantAllreduce.NAME, CirculantAllreduce.cost(cost, size, bytes)) : Choice.only(doubling);
        Schedule schedule = choice.first()
                ? DoublingAllreduce.of(rank, size, bytes / unit, shape.inPlace())
                : CirculantAllreduce.of(rank, size, bytes / unit, shape.inPlace());
        return make(shape, choice, schedule, unit, bytes, bytes);
    }

    public Collective reduceScatter(Shape shape, Blocks blocks) {
        int unit = unit(shape);
        long total = blocks.total() * unit;
        boolean commutes = shape.op().commutes();
        Choice choice = Choice.only(commutes ? CirculantReduceScatter.cost(cost, size, total)
                : OrderedReduceScatter.cost(cost, size, total));
        Schedule schedule = commutes
                ? CirculantReduceScatter.of(rank, size, blocks, shape.inPlace())
                : OrderedReduceScatter.of(rank, size, blocks, shape.inPlace());
        return make(shape, choice, schedule, unit, total, shape.inPlace() ? total : blocks.units(rank) * unit);
    }
}
