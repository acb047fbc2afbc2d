package io.rankwire.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The algorithms between two groups, run symbolically: each contribution once, in its place, in order. */
class CrossScheduleTest {
    private static final int MOST = 9;

    /** The schedule of a rank of one of the sides. */
    private interface Maker {
        Schedule of(int side, int rank, int near, int far);
    }

    /** The expected word of a unit of a rank's output; null if it is undefined. */
    private interface Expected {
        String word(int side, int rank, int unit);
    }

    private static String own(int side, int rank, int unit) {
        return (side == 0 ? "a" : "b") + rank + "." + unit;
    }

    /** The contributions of all ranks of a side, in order. */
    private static String all(int side, int size, int unit) {
        List<String> words = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            words.add(own(side, rank, unit));
        }
        return String.join(",", words);
    }

    private static String sorted(String words, boolean ordered) {
        if (ordered || words == null) {
            return words;
        }
        String[] parts = words.split(",");
        Arrays.sort(parts);
        return String.join(",", parts);
    }

    private static void check(int[] sizes, int[] input, int[][] output, Maker maker, Expected expected,
            boolean ordered) {
        int total = sizes[0] + sizes[1];
        List<Schedule> schedules = new ArrayList<>();
        for (int i = 0; i < total; i++) {
            int side = i < sizes[0] ? 0 : 1;
            int[] numbers = new int[total];
            // A rank numbers its own side first; the run numbers the first side first.
            Arrays.setAll(numbers, n -> side == 0 ? n : n < sizes[1] ? sizes[0] + n : n - sizes[1]);
            schedules.add(maker.of(side, i - side * sizes[0], sizes[side], sizes[1 - side]).among(numbers));
        }
        for (boolean cut : new boolean[] {false, true}) {
            for (boolean sendsWait : new boolean[] {false, true}) {
                String[][] inputs = new String[total][];
                String[][] outputs = new String[total][];
                for (int i = 0; i < total; i++) {
                    int side = i < sizes[0] ? 0 : 1;
                    int rank = i - side * sizes[0];
                    inputs[i] = new String[input[side]];
                    Arrays.setAll(inputs[i], unit -> own(side, rank, unit));
                    outputs[i] = new String[output[side][rank]];
                }
                new ScheduleRun(cut ? schedules.stream().map(s -> s.cut(2)).toList() : schedules, inputs, outputs,
                        sendsWait).run();
                for (int i = 0; i < total; i++) {
                    int side = i < sizes[0] ? 0 : 1;
                    int rank = i - side * sizes[0];
                    for (int unit = 0; unit < outputs[i].length; unit++) {
                        assertEquals(sorted(expected.word(side, rank, unit), ordered),
                                sorted(outputs[i][unit], ordered), schedules.get(i).algorithm() + ", side " + side
                                        + ", rank " + rank + " of " + Arrays.toString(sizes) + ", unit " + unit);
                    }
                }
            }
        }
    }

    private interface Sizes {
        void with(int first, int second);
    }

    private static void everySize(Sizes body) {
        for (int first = 1; first <= MOST; first++) {
            for (int second = 1; second <= MOST; second++) {
                body.with(first, second);
            }
        }
        body.with(1, 40);
        body.with(33, 20);
    }

    private static int[][] lengths(int[] sizes, int first, int second) {
        int[][] lengths = {new int[sizes[0]], new int[sizes[1]]};
        Arrays.fill(lengths[0], first);
        Arrays.fill(lengths[1], second);
        return lengths;
    }

    @Test
    void shouldExchangeAllToAll() {
        everySize((first, second) -> {
            int[] sizes = {first, second};
            // The first side contributes blocks of 2 units, the second of 3.
            check(sizes, new int[] {2 * second, 3 * first}, lengths(sizes, 3 * second, 2 * first),
                    (side, rank, near, far) -> CrossAlltoall.of(rank, near, far,
                            Blocks.even(far, 2 + side).parts(Schedule.INPUT),
                            Blocks.even(far, 3 - side).parts(Schedule.OUTPUT)),
                    (side, rank, unit) -> {
                        int block = 3 - side;
                        return own(1 - side, unit / block, rank * block + unit % block);
                    }, true);
        });
    }

    @Test
    void shouldReduceToAll() {
        everySize((first, second) -> {
            int[] sizes = {first, second};
            for (boolean tree : new boolean[] {true, false}) {
                for (int units : new int[] {1, 7, 24}) {
                    check(sizes, new int[] {units, units}, lengths(sizes, units, units),
                            (side, rank, near, far) -> CrossAllreduce.of(rank, near, far, units, tree),
                            (side, rank, unit) -> all(1 - side, sizes[1 - side], unit), tree);
                }
            }
        });
    }

    @Test
    void shouldReduceToARankOfTheOtherSide() {
        everySize((first, second) -> {
            int[] sizes = {first, second};
            int root = first / 2;
            int[][] outputs = lengths(sizes, 0, 0);
            outputs[0][root] = 5;
            for (boolean tree : new boolean[] {true, false}) {
                check(sizes, new int[] {5, 5}, outputs,
                        (side, rank, near, far) -> side == 1 ? CrossReduce.of(rank, near, root, 5, tree)
                                : rank == root ? CrossReduce.root(near, far, 5, tree)
                                        : new Schedule.Builder().build("nothing"),
                        (side, rank, unit) -> all(1, second, unit), tree);
            }
        });
    }

    @Test
    void shouldReduceAndScatter() {
        everySize((first, second) -> {
            int[] sizes = {first, second};
            int total = first * second;
            Blocks[] even = {Blocks.even(first, second), Blocks.even(second, first)};
            long[] heap = new long[second];
            heap[second / 2] = total;
            Blocks[] uneven = {Blocks.cut(first, total), Blocks.row(heap)};
            for (Blocks[] blocks : List.of(even, uneven)) {
                int[][] outputs = new int[2][];
                for (int side = 0; side < 2; side++) {
                    outputs[side] = Arrays.stream(blocks[side].units()).mapToInt(units -> (int) units).toArray();
                }
                for (boolean commutes : new boolean[] {true, false}) {
                    check(sizes, new int[] {total, total}, outputs,
                            (side, rank, near, far) -> CrossReduceScatter.of(rank, near, far, blocks[side], commutes),
                            (side, rank, unit) -> all(1 - side, sizes[1 - side],
                                    (int) blocks[side].offset(rank) + unit), !commutes);
                }
            }
        });
    }
}
