package io.rankwire.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;

/**
 * Chooses which rank takes which place of a grid, so that neighbours in the grid are near each other in the machine.
 * Several orders are tried, and the one with the fewest links between all neighbours is taken; the order of ranks if no
 * other is better. All ranks come to the same result without messages.
 */
final class Placement {
    private final int[] dims;
    /** Neighbours in the grid, in twos. */
    private final int[] edges;
    private final IntBinaryOperator distance;
    private int[] best;
    private long least;

    private Placement(Grid grid, IntBinaryOperator distance) {
        this.dims = grid.dims();
        this.distance = distance;
        int[] found = new int[2 * grid.size() * dims.length];
        int count = 0;
        for (int place = 0; place < grid.size(); place++) {
            for (int d = 0; d < dims.length; d++) {
                int next = grid.neighbour(place, d, 1);
                if (next >= 0 && next != place) {
                    found[count++] = place;
                    found[count++] = next;
                }
            }
        }
        edges = Arrays.copyOf(found, count);
        best = new int[grid.size()];
        Arrays.setAll(best, place -> place);
        least = cost(best);
    }

    /**
     * Returns the rank at each place, from the first ranks, as many as there are places.
     *
     * @param coordinates of the node of each rank; ranks have the same exactly if they are on one node
     * @param distance between the nodes of two ranks; 0 for one node
     */
    static int[] of(Grid grid, IntFunction<int[]> coordinates, IntBinaryOperator distance) {
        Placement placement = new Placement(grid, distance);
        if (placement.least > 0) {
            placement.search(coordinates);
        }
        return placement.best;
    }

    private long cost(int[] order) {
        long cost = 0;
        for (int i = 0; i < edges.length; i += 2) {
            cost += distance.applyAsInt(order[edges[i]], order[edges[i + 1]]);
        }
        return cost;
    }

    private void search(IntFunction<int[]> coordinates) {
        Map<List<Integer>, List<Integer>> nodes = new LinkedHashMap<>();
        int[][] ofRanks = new int[best.length][];
        for (int rank = 0; rank < best.length; rank++) {
            ofRanks[rank] = coordinates.apply(rank);
            nodes.computeIfAbsent(Arrays.stream(ofRanks[rank]).boxed().toList(), at -> new ArrayList<>()).add(rank);
        }
        int[] ones = new int[dims.length];
        Arrays.fill(ones, 1);
        int[][] alone = new int[best.length][];
        Arrays.setAll(alone, rank -> new int[] {rank});
        arrange(ones, ofRanks, alone);
        int each = nodes.values().iterator().next().size();
        if (each == 1 || nodes.values().stream().anyMatch(ranks -> ranks.size() != each)) {
            return;
        }
        int[][] ofNodes = nodes.keySet().stream().map(Placement::array).toArray(int[][]::new);
        int[][] ranks = nodes.values().stream().map(Placement::array).toArray(int[][]::new);
        for (int[] block : blocks(0, each, ones)) {
            arrange(block, ofNodes, ranks);
        }
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The blocks of so many places that the grid can be divided into. */
    private List<int[]> blocks(int dimension, int places, int[] begun) {
        if (dimension == dims.length) {
            return places == 1 ? List.of(begun.clone()) : List.of();
        }
        List<int[]> found = new ArrayList<>();
        for (int side = 1; side <= places; side++) {
            if (places % side == 0 && dims[dimension] % side == 0) {
                int[] next = begun.clone();
                next[dimension] = side;
                found.addAll(blocks(dimension + 1, places / side, next));
            }
        }
        return found;
    }

    /** Tries orders of nodes, each of which takes a block of the grid with its ranks. */
    private void arrange(int[] block, int[][] coordinates, int[][] ranks) {
        int[] outer = new int[dims.length];
        Arrays.setAll(outer, d -> dims[d] / block[d]);
        for (int[] order : orders(outer, coordinates)) {
            int[] candidate = new int[best.length];
            for (int place = 0; place < candidate.length; place++) {
                int node = 0;
                int inside = 0;
                int stride = candidate.length;
                for (int d = 0; d < dims.length; d++) {
                    stride /= dims[d];
                    int at = place / stride % dims[d];
                    node = node * outer[d] + at / block[d];
                    inside = inside * block[d] + at % block[d];
                }
                candidate[place] = ranks[order[node]][inside];
            }
            long cost = cost(candidate);
            if (cost < least) {
                least = cost;
                best = candidate;
            }
        }
    }

    private static List<int[]> orders(int[] dims, int[][] coordinates) {
        List<int[]> orders = new ArrayList<>();
        Integer[] units = new Integer[coordinates.length];
        Arrays.setAll(units, i -> i);
        Arrays.sort(units, (a, b) -> Arrays.compare(coordinates[a], coordinates[b]));
        orders.add(Arrays.stream(units).mapToInt(Integer::intValue).toArray());
        for (boolean byWidest : new boolean[] {true, false}) {
            int[] order = new int[units.length];
            halve(dims, new int[dims.length], dims.clone(), units.clone(), coordinates, byWidest, order);
            orders.add(order);
        }
        addFits(dims, coordinates, orders);
        return orders;
    }

    /** Halves a part of the grid along its longest side, and the nodes for it where they lie farthest apart. */
    private static void halve(int[] dims, int[] low, int[] high, Integer[] units, int[][] coordinates,
            boolean byWidest, int[] order) {
        int longest = 0;
        for (int d = 1; d < dims.length; d++) {
            longest = high[d] - low[d] > high[longest] - low[longest] ? d : longest;
        }
        int side = high[longest] - low[longest];
        if (side == 1) {
            int place = 0;
            for (int d = 0; d < dims.length; d++) {
                place = place * dims[d] + low[d];
            }
            order[place] = units[0];
            return;
        }
        if (byWidest) {
            int widest = widest(units, coordinates);
            Arrays.sort(units, (a, b) -> coordinates[a][widest] != coordinates[b][widest]
                    ? Integer.compare(coordinates[a][widest], coordinates[b][widest])
                    : Arrays.compare(coordinates[a], coordinates[b]));
        }
        int middle = low[longest] + side / 2;
        int first = units.length / side * (side / 2);
        int[] end = high.clone();
        end[longest] = middle;
        halve(dims, low, end, Arrays.copyOf(units, first), coordinates, byWidest, order);
        int[] begin = low.clone();
        begin[longest] = middle;
        halve(dims, begin, high, Arrays.copyOfRange(units, first, units.length), coordinates, byWidest, order);
    }

    private static int widest(Integer[] units, int[][] coordinates) {
        int widest = 0;
        int most = -1;
        for (int d = 0; d < coordinates[0].length; d++) {
            int low = Integer.MAX_VALUE;
            int high = Integer.MIN_VALUE;
            for (int unit : units) {
                low = Math.min(low, coordinates[unit][d]);
                high = Math.max(high, coordinates[unit][d]);
            }
            if (high - low > most) {
                most = high - low;
                widest = d;
            }
        }
        return widest;
    }

    /**
     * Adds orders for nodes that fill a box. Each side of the box lies along one dimension of the grid; if a dimension
     * has several sides, it goes through them to and fro.
     */
    private static void addFits(int[] dims, int[][] coordinates, List<int[]> orders) {
        int sides = coordinates[0].length;
        List<List<Integer>> values = new ArrayList<>();
        long box = 1;
        for (int side = 0; side < sides; side++) {
            TreeSet<Integer> found = new TreeSet<>();
            for (int[] at : coordinates) {
                found.add(at[side]);
            }
            values.add(List.copyOf(found));
            box = Math.min(box * found.size(), Integer.MAX_VALUE);
        }
        Map<List<Integer>, Integer> units = new HashMap<>();
        for (int unit = 0; unit < coordinates.length; unit++) {
            units.put(Arrays.stream(coordinates[unit]).boxed().toList(), unit);
        }
        if (box != coordinates.length || units.size() != coordinates.length) {
            return;
        }
        int[] along = new int[sides];
        int choices = (int) Math.pow(dims.length, sides);
        for (int choice = 0; choice < choices; choice++) {
            int[] product = new int[dims.length];
            Arrays.fill(product, 1);
            for (int side = 0, rest = choice; side < sides; side++, rest /= dims.length) {
                along[side] = rest % dims.length;
                product[along[side]] *= values.get(side).size();
            }
            if (Arrays.equals(product, dims)) {
                orders.add(fit(dims, along, values, units, false));
                orders.add(fit(dims, along, values, units, true));
            }
        }
    }

    private static int[] fit(int[] dims, int[] along, List<List<Integer>> values, Map<List<Integer>, Integer> units,
            boolean backwards) {
        int[] order = new int[units.size()];
        Integer[] at = new Integer[along.length];
        for (int place = 0; place < order.length; place++) {
            int stride = order.length;
            for (int d = 0; d < dims.length; d++) {
                stride /= dims[d];
                int rest = place / stride % dims[d];
                int span = dims[d];
                for (int i = 0; i < along.length; i++) {
                    int side = backwards ? along.length - 1 - i : i;
                    if (along[side] == d) {
                        int length = values.get(side).size();
                        span /= length;
                        int digit = rest / span;
                        rest %= span;
                        // To and fro: what is faster turns round with each step.
                        rest = (digit & 1) == 1 ? span - 1 - rest : rest;
                        at[side] = values.get(side).get(digit);
                    }
                }
            }
            order[place] = units.get(List.of(at));
        }
        return order;
    }
}
