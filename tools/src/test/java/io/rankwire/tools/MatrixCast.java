package io.rankwire.tools;

import io.rankwire.Communicator;
import io.rankwire.Intercommunicator;
import io.rankwire.TopologyCommunicator;
import java.util.stream.IntStream;

/**
 * A rank in collective calls: on what it makes them, from whom it gets values, and to whom it gives some.
 *
 * @param on a communicator of one of the three kinds; a class while methods are looked up
 * @param me the number that others know this rank by
 * @param side 0, and 1 for the second group of an intercommunicator
 * @param local the number of ranks in its own group
 * @param sources from whom values come, by their numbers
 * @param dests to whom values go
 * @param root the argument of calls that have a root
 * @param isRoot whether this rank is that
 * @param takesPart whether it gives to the root or takes from it; not so the others of a root's own group
 */
record MatrixCast(Object on, int me, int side, int local, int[] sources, int[] dests, int root, boolean isRoot,
        boolean takesPart) {
    static MatrixCast group(MatrixStage stage) {
        int root = (int) Long.remainderUnsigned(stage.seed >>> 8, stage.size);
        int[] all = IntStream.range(0, stage.size).toArray();
        return new MatrixCast(stage.on, stage.rank, 0, stage.size, all, all, root, stage.rank == root, true);
    }

    /** The root is the second of the even ranks. */
    static MatrixCast twoGroups(MatrixStage stage) {
        Intercommunicator on = stage.intercommunicator();
        int side = MatrixStage.side(stage.rank);
        int[] others = IntStream.range(0, on.remoteSize()).toArray();
        boolean isRoot = side == 0 && on.rank() == 1;
        int root = side == 1 ? 1 : isRoot ? Intercommunicator.ROOT : Communicator.NONE;
        return new MatrixCast(on, on.rank(), side, on.size(), others, others, root, isRoot, side == 1 || isRoot);
    }

    /** A ring, as a grid or a graph of either kind. */
    static MatrixCast neighbours(MatrixStage stage) {
        int left = (stage.rank + stage.size - 1) % stage.size;
        int right = (stage.rank + 1) % stage.size;
        int[] both = {left, right};
        TopologyCommunicator on = switch ((int) Long.remainderUnsigned(stage.seed >>> 8, 3)) {
            case 0 -> stage.on.cartesian(new int[] {stage.size}, new boolean[] {true}).orElseThrow();
            case 1 -> stage.on.graph(ring(stage.size)).orElseThrow();
            default -> stage.on.adjacentGraph(both, both);
        };
        stage.atEnd(on::free);
        return new MatrixCast(on, stage.rank, 0, stage.size, both, both, 0, false, true);
    }

    static int[][] ring(int size) {
        return IntStream.range(0, size).mapToObj(each -> new int[] {(each + size - 1) % size, (each + 1) % size})
                .toArray(int[][]::new);
    }

    boolean isBetweenGroups() {
        return on instanceof Intercommunicator || on == Intercommunicator.class;
    }

    /** What this rank gives in a round. */
    int given(int round) {
        return value(round, side, me);
    }

    /** What another rank gives to this one. */
    int givenBy(int round, int source) {
        return value(round, isBetweenGroups() ? 1 - side : side, source);
    }

    private static int value(int round, int side, int rank) {
        return 1000 * (round % 1000) + 100 * side + rank + 1;
    }

    /** The sum of what all give from whom this rank gets something, up to one of them. */
    int sum(int round, int most) {
        return IntStream.of(sources).filter(each -> each <= most).map(each -> givenBy(round, each)).sum();
    }

    int sum(int round) {
        return sum(round, Integer.MAX_VALUE);
    }
}
