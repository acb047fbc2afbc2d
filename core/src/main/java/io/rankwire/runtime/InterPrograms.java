package io.rankwire.runtime;

import io.rankwire.collective.BinomialBroadcast;
import io.rankwire.collective.Blocks;
import io.rankwire.collective.CrossAllreduce;
import io.rankwire.collective.CrossReduce;
import io.rankwire.collective.CrossReduceScatter;
import io.rankwire.collective.DisseminationBarrier;
import io.rankwire.collective.LinearGather;
import io.rankwire.collective.LinearScatter;
import io.rankwire.collective.ScatterAllgatherBroadcast;
import io.rankwire.collective.Schedule;

/**
 * Collective calls between two groups, compiled. The root of a shape is a place in both groups together, in the order
 * that is the same for all; below zero it is another rank of this side, and there is nothing to do here. Schedules
 * number the ranks of this side first, as {@link Endpoint#team} does.
 */
public final class InterPrograms extends CollectivePrograms {
    private static final int SOMEONE_ELSE = -1;

    private final RankSet everyone;
    private final RankSet team;
    /** This rank among all. */
    private final int place;
    private final int far;

    public InterPrograms(Endpoint on) {
        super(on);
        this.everyone = on.everyone();
        this.team = on.team();
        this.place = everyone.rankOf(on.session().worldRank());
        this.far = on.peers().size();
    }

    /** The place of the root among all, by what the call was given for it. */
    public int placeOf(int root) {
        return root == Endpoint.ROOT ? place
                : root < 0 ? SOMEONE_ELSE : everyone.rankOf(team.worldRank(size + root));
    }

    @Override
    public int ranks() {
        return everyone.size();
    }

    @Override
    public Collective compile(Shape shape) {
        if (shape.kind().hasRoot() && shape.root() == SOMEONE_ELSE) {
            return make(shape, new Schedule.Builder().build("nothing to do"), 1, 0, 0);
        }
        long bytes = shape.bytes();
        return switch (shape.kind()) {
            case BARRIER -> make(shape, DisseminationBarrier.of(place, everyone.size()).among(numbers(everyone)),
                    1, 0, 0);
            case BROADCAST -> broadcast(shape);
            case GATHER -> gather(shape, Blocks.even(far, bytes), bytes);
            case SCATTER -> scatter(shape, Blocks.even(far, bytes), bytes);
            case REDUCE -> reduce(shape);
            case ALLREDUCE -> {
                int unit = unit(shape);
                double tree = CrossAllreduce.treeCost(cost, size, far, bytes);
                Choice choice = shape.op().commutes() ? Choice.between(CrossAllreduce.TREE, tree,
                        CrossAllreduce.SCATTER, CrossAllreduce.scatterCost(cost, size, far, bytes)) : Choice.only(tree);
                yield make(shape, choice, CrossAllreduce.of(rank, size, far, bytes / unit, choice.first()),
                        unit, bytes, bytes);
            }
            case REDUCE_SCATTER_BLOCK -> reduceScatter(shape, Blocks.even(size, bytes / unit(shape) / size));
            default -> throw new AssertionError(shape);
        };
    }

    private Collective broadcast(Shape shape) {
        long bytes = shape.bytes();
        long unit = bytes == 0 ? 1 : Math.min(Long.BYTES, Long.lowestOneBit(bytes));
        int ranks = others(shape) + 1;
        int seat = isRoot(shape) ? 0 : rank + 1;
        Choice choice = broadcastChoice(ranks, bytes);
        Schedule schedule = choice.first() ? BinomialBroadcast.of(seat, ranks, 0, bytes / unit)
                : ScatterAllgatherBroadcast.of(seat, ranks, 0, bytes / unit);
        return make(shape, choice, schedule.among(rootAndOthers(shape)), unit, 0, bytes);
    }

    /** Blocks of the root; others need only their own length. */
    public Collective gather(Shape shape, Blocks blocks, long own) {
        boolean root = isRoot(shape);
        Schedule schedule = LinearGather.of(root ? 0 : rank + 1, others(shape) + 1, 0, root ? behindRoot(blocks) : null,
                own, root);
        return make(shape, schedule.among(rootAndOthers(shape)), 1, root ? 0 : own,
                root ? CollectiveCalls.extent(blocks) : 0);
    }

    /** As {@link #gather}, the other way. */
    public Collective scatter(Shape shape, Blocks blocks, long own) {
        boolean root = isRoot(shape);
        Schedule schedule = LinearScatter.of(root ? 0 : rank + 1, others(shape) + 1, 0,
                root ? behindRoot(blocks) : null, own, root);
        return make(shape, schedule.among(rootAndOthers(shape)), 1, root ? CollectiveCalls.extent(blocks) : 0,
                root ? 0 : own);
    }

    private Collective reduce(Shape shape) {
        int unit = unit(shape);
        long bytes = shape.bytes();
        boolean root = isRoot(shape);
        double tree = CrossReduce.treeCost(cost, others(shape), bytes);
        Choice choice = shape.op().commutes() ? Choice.between(CrossReduce.TREE, tree,
                CrossReduce.SCATTER, CrossReduce.scatterCost(cost, others(shape), bytes)) : Choice.only(tree);
        Schedule schedule = root ? CrossReduce.root(size, far, bytes / unit, choice.first())
                : CrossReduce.of(rank, size, rootThere(shape), bytes / unit, choice.first());
        return make(shape, choice, schedule, unit, root ? 0 : bytes, root ? bytes : 0);
    }

    @Override
    public Collective reduceScatter(Shape shape, Blocks blocks) {
        int unit = unit(shape);
        Schedule schedule = CrossReduceScatter.of(rank, size, far, blocks, shape.op().commutes());
        return make(shape, schedule, unit, blocks.total() * unit, blocks.units(rank) * unit);
    }

    private boolean isRoot(Shape shape) {
        return shape.root() == place;
    }

    /** Ranks of the side that the root is not on. */
    private int others(Shape shape) {
        return isRoot(shape) ? far : size;
    }

    private int rootThere(Shape shape) {
        return team.rankOf(everyone.worldRank(shape.root())) - size;
    }

    /** The root, and behind it the ranks of the side that it is not on. */
    private int[] rootAndOthers(Shape shape) {
        int[] ranks = new int[others(shape) + 1];
        ranks[0] = team.rankOf(everyone.worldRank(shape.root()));
        for (int i = 1; i < ranks.length; i++) {
            ranks[i] = isRoot(shape) ? size + i - 1 : i - 1;
        }
        return ranks;
    }

    private static Blocks behindRoot(Blocks blocks) {
        Blocks all = new Blocks(new long[blocks.size() + 1], new long[blocks.size() + 1]);
        System.arraycopy(blocks.offsets(), 0, all.offsets(), 1, blocks.size());
        System.arraycopy(blocks.units(), 0, all.units(), 1, blocks.size());
        return all;
    }

    private int[] numbers(RankSet ranks) {
        int[] numbers = new int[ranks.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = team.rankOf(ranks.worldRank(i));
        }
        return numbers;
    }

    @Override
    public String describe(Shape shape) {
        return shape.describe("", shape.root() == SOMEONE_ELSE ? "root is another rank of this side"
                : isRoot(shape) ? "root is this rank" : "root " + rootThere(shape) + " of the other side");
    }
}
