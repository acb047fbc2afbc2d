package io.rankwire.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rankwire.collective.Step.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every algorithm, run symbolically with 1 to 64 ranks: each contribution once, in its place, in order. */
@Execution(ExecutionMode.CONCURRENT)
class ScheduleTest {
    private static final int MOST = 64;

    /** The expected output of a rank after the run; null where it is undefined. */
    private interface Expected {
        String word(int rank, int unit);
    }

    private static String own(int rank, int unit) {
        return rank + "." + unit;
    }

    private static String range(int from, int to, int unit) {
        List<String> words = new ArrayList<>();
        for (int rank = from; rank < to; rank++) {
            words.add(own(rank, unit));
        }
        return String.join(",", words);
    }

    private static String[] vector(int rank, int units) {
        String[] words = new String[units];
        Arrays.setAll(words, unit -> own(rank, unit));
        return words;
    }

    private static void check(int size, IntFunction<Schedule> schedule, IntFunction<String[]> input,
            IntFunction<String[]> output, Expected expected, boolean ordered) {
        List<Schedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            schedules.add(schedule.apply(rank));
        }
        run(size, schedules, input, output, expected, ordered);
        if (size <= 16) {
            run(size, schedules.stream().map(whole -> whole.cut(2)).toList(), input, output, expected, ordered);
        }
    }

    private static void run(int size, List<Schedule> schedules, IntFunction<String[]> input,
            IntFunction<String[]> output, Expected expected, boolean ordered) {
        for (boolean sendsWait : new boolean[] {false, true}) {
            String[][] inputs = new String[size][];
            String[][] outputs = new String[size][];
            for (int rank = 0; rank < size; rank++) {
                inputs[rank] = input.apply(rank);
                outputs[rank] = output.apply(rank);
            }
            new ScheduleRun(schedules, inputs, outputs, sendsWait).run();
            for (int rank = 0; rank < size; rank++) {
                for (int unit = 0; outputs[rank] != null && unit < outputs[rank].length; unit++) {
                    String want = expected.word(rank, unit);
                    if (want != null && !want.equals(outputs[rank][unit])) {
                        assertEquals(sorted(want, ordered), sorted(outputs[rank][unit], ordered),
                                schedules.get(rank).algorithm() + ", rank " + rank + " of " + size + ", " + unit);
                    }
                }
            }
        }
    }

    private static String sorted(String words, boolean ordered) {
        if (ordered || words == null) {
            return words;
        }
        String[] parts = words.split(",");
        Arrays.sort(parts);
        return String.join(",", parts);
    }

    private static int[] roots(int size) {
        return size == 1 ? new int[] {0} : size == 2 ? new int[] {0, 1} : new int[] {0, size / 2, size - 1};
    }

    /** Out of place and in place; in place the output initially has the input. */
    private static void checkBoth(int size, int units, BiFunction<Integer, Boolean, Schedule> schedule,
            Expected expected, boolean ordered) {
        check(size, rank -> schedule.apply(rank, false), rank -> vector(rank, units), rank -> new String[units],
                expected, ordered);
        check(size, rank -> schedule.apply(rank, true), rank -> null, rank -> vector(rank, units), expected, ordered);
    }

    @Test
    void shouldSynchronise() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            check(size, rank -> DisseminationBarrier.of(rank, size), r -> null, r -> null, null, true);
        }
    }

    @Test
    void shouldBroadcast() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            for (int root : roots(size)) {
                for (int units : new int[] {1, 5, 64}) {
                    IntFunction<String[]> output = rank -> rank == root ? vector(rank, units) : new String[units];
                    Expected all = (rank, unit) -> own(root, unit);
                    check(size, r -> BinomialBroadcast.of(r, size, root, units), r -> null, output, all, true);
                    check(size, r -> ScatterAllgatherBroadcast.of(r, size, root, units), r -> null, output, all, true);
                    check(size, r -> ChainBroadcast.of(r, size, root, units), r -> null, output, all, true);
                    check(size, r -> ChainBroadcast.of(r, size, root, units).cut(3), r -> null, output, all, true);
                }
            }
        }
    }

    @Test
    void shouldGather() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            Part[] even = Blocks.even(size, 2).parts(Schedule.OUTPUT);
            Part own = new Part(Schedule.INPUT, 0, 2);
            for (int root : roots(size)) {
                IntFunction<String[]> fresh = rank -> rank == root ? new String[2 * size] : null;
                IntFunction<String[]> filled = rank -> {
                    if (rank != root) {
                        return null;
                    }
                    String[] all = new String[2 * size];
                    all[2 * root] = own(root, 0);
                    all[2 * root + 1] = own(root, 1);
                    return all;
                };
                Expected all = (rank, unit) -> own(unit / 2, unit % 2);
                check(size, r -> BinomialGather.of(r, size, root, 2, false), r -> vector(r, 2), fresh, all, true);
                check(size, r -> BinomialGather.of(r, size, root, 2, r == root),
                        r -> r == root ? null : vector(r, 2), filled, all, true);
                check(size, r -> LinearGather.of(r, size, root, even, own), r -> vector(r, 2), fresh, all, true);
                check(size, r -> LinearGather.of(r, size, root, even, r == root ? null : own),
                        r -> r == root ? null : vector(r, 2), filled, all, true);
            }
        }
    }

    @Test
    void shouldScatter() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            Part[] even = Blocks.even(size, 2).parts(Schedule.INPUT);
            Part own = new Part(Schedule.OUTPUT, 0, 2);
            for (int root : roots(size)) {
                IntFunction<String[]> input = rank -> rank == root ? vector(root, 2 * size) : null;
                Expected block = (rank, unit) -> own(root, 2 * rank + unit);
                IntFunction<String[]> output = r -> new String[2];
                check(size, r -> BinomialScatter.of(r, size, root, 2, false), input, output, block, true);
                check(size, r -> LinearScatter.of(r, size, root, even, own), input, output, block, true);
                IntFunction<String[]> others = r -> r == root ? null : new String[2];
                check(size, r -> BinomialScatter.of(r, size, root, 2, r == root), input, others, block, true);
                check(size, r -> LinearScatter.of(r, size, root, even, r == root ? null : own), input, others, block,
                        true);
            }
        }
    }

    @Test
    void shouldAllgather() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            long[] lengths = new long[size];
            Arrays.setAll(lengths, i -> i * 7 % 4);
            for (Blocks blocks : List.of(Blocks.even(size, 2), Blocks.row(lengths))) {
                Expected all = (rank, unit) -> {
                    int block = 0;
                    while (unit >= blocks.offset(block) + blocks.units(block)) {
                        block++;
                    }
                    return own(block, unit - (int) blocks.offset(block));
                };
                IntFunction<String[]> input = r -> vector(r, (int) blocks.units(r));
                IntFunction<String[]> output = r -> new String[(int) blocks.total()];
                check(size, r -> CirculantAllgather.of(r, size, blocks, false), input, output, all, true);
                Part[] places = blocks.parts(Schedule.OUTPUT);
                check(size, r -> RingAllgather.of(r, size, places, new Part(Schedule.INPUT, 0, blocks.units(r))), input,
                        output, all, true);
                IntFunction<String[]> filled = r -> {
                    String[] words = new String[(int) blocks.total()];
                    for (int i = 0; i < blocks.units(r); i++) {
                        words[(int) blocks.offset(r) + i] = own(r, i);
                    }
                    return words;
                };
                check(size, r -> CirculantAllgather.of(r, size, blocks, true), r -> null, filled, all, true);
                check(size, r -> RingAllgather.of(r, size, places, null), r -> null, filled, all, true);
            }
        }
    }

    @Test
    void shouldExchangeAllToAll() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            Part[] from = Blocks.even(size, 2).parts(Schedule.INPUT);
            Part[] to = Blocks.even(size, 2).parts(Schedule.OUTPUT);
            Expected turned = (rank, unit) -> own(unit / 2, 2 * rank + unit % 2);
            IntFunction<String[]> input = r -> vector(r, 2 * size);
            IntFunction<String[]> output = r -> new String[2 * size];
            check(size, r -> BruckAlltoall.of(r, size, 2), input, output, turned, true);
            check(size, r -> PairwiseAlltoall.of(r, size, from, to), input, output, turned, true);
            check(size, r -> PairwiseAlltoall.inPlace(r, size, to), r -> null, input, turned, true);
        }
    }

    /** Each rank sends to itself and the next two ranks, which may be the same. */
    @Test
    void shouldExchangeWithSome() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            check(size, rank -> {
                List<Exchange.End> out = new ArrayList<>();
                List<Exchange.End> in = new ArrayList<>();
                for (int far = 0; far < 3; far++) {
                    out.add(new Exchange.End((rank + far) % size, new Part(Schedule.INPUT, 2 * far, 2)));
                    in.add(new Exchange.End(
                            Math.floorMod(rank - far, size), new Part(Schedule.OUTPUT, 2 * far, 2)));
                }
                in.add(new Exchange.End(-2, new Part(Schedule.OUTPUT, 6, 1)));
                return Exchange.of(rank, out, in);
            }, r -> vector(r, 6), r -> new String[] {"", "", "", "", "", "", "untouched"}, (rank, unit) ->
                    unit == 6 ? "untouched" : own(Math.floorMod(rank - unit / 2, size), unit), true);
        }
    }

    @Test
    void shouldKeepApartWhatIsGivenAndWhatIsTemporary() {
        Part[] places = {new Part(Schedule.GIVEN, 0, 9), new Part(Schedule.GIVEN - 1, 0, 9)};
        Schedule cut = PairwiseAlltoall.inPlace(0, 2, places).cut(2);
        assertEquals("[9]", Arrays.toString(cut.temporaries()));
        assertEquals(10, cut.transfers());
        assertEquals(Set.of(Schedule.TEMPORARY, Schedule.GIVEN - 1), cut.steps().stream()
                .filter(step -> step.target() != null).map(step -> step.target().buffer()).collect(Collectors.toSet()));
    }

    @Test
    void shouldReduceToOne() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            for (int root : roots(size)) {
                for (boolean commutes : new boolean[] {false, true}) {
                    Expected all = (rank, unit) -> range(0, size, unit);
                    IntFunction<String[]> fresh = r -> r == root ? new String[3] : null;
                    IntFunction<String[]> filled = r -> r == root ? vector(r, 3) : null;
                    IntFunction<String[]> input = r -> vector(r, 3);
                    IntFunction<String[]> others = r -> r == root ? null : vector(r, 3);
                    check(size, r -> BinomialReduce.of(r, size, root, 3, commutes, false), input, fresh, all,
                            !commutes);
                    check(size, r -> BinomialReduce.of(r, size, root, 3, commutes, r == root), others, filled, all,
                            !commutes);
                    check(size, r -> CirculantReduce.of(r, size, root, 3, false), input, fresh, all, false);
                    check(size, r -> CirculantReduce.of(r, size, root, 3, r == root), others, filled, all, false);
                }
            }
        }
    }

    @Test
    void shouldReduceToAll() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            for (int units : size <= 16 ? new int[] {1, 7, 66} : new int[] {3}) {
                Expected all = (rank, unit) -> range(0, size, unit);
                checkBoth(size, units, (r, here) -> DoublingAllreduce.of(r, size, units, here), all, true);
                checkBoth(size, units, (r, here) -> CirculantAllreduce.of(r, size, units, here), all, false);
            }
        }
    }

    @Test
    void shouldReduceAndScatter() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            long[] lengths = new long[size];
            Arrays.setAll(lengths, i -> i * 5 % 3);
            for (Blocks blocks : List.of(Blocks.even(size, 2), Blocks.row(lengths))) {
                int total = (int) blocks.total();
                Expected block = (rank, unit) ->
                        unit >= blocks.units(rank) ? null : range(0, size, (int) blocks.offset(rank) + unit);
                checkBoth(size, total, (r, here) -> CirculantReduceScatter.of(r, size, blocks, here), block, false);
                checkBoth(size, total, (r, here) -> OrderedReduceScatter.of(r, size, blocks, here), block, true);
            }
        }
    }

    @Test
    void shouldScan() {
        for (int p = 1; p <= MOST; p++) {
            int size = p;
            checkBoth(size, 2, (r, here) -> DoublingScan.inclusive(r, size, 2, here),
                    (rank, unit) -> range(0, rank + 1, unit), true);
            checkBoth(size, 2, (r, here) -> DoublingScan.exclusive(r, size, 2, here),
                    (rank, unit) -> rank == 0 ? null : range(0, rank, unit), true);
        }
    }

    // Tests of the symbolic run itself, on errors that it must find.

    @Test
    void shouldFindADeadlock() {
        AssertionError seen = assertThrows(AssertionError.class, () -> check(2, rank -> {
            Schedule.Builder steps = new Schedule.Builder();
            steps.hear(1 - rank);
            steps.signal(1 - rank);
            return steps.build("deadlock");
        }, r -> null, r -> null, null, true));
        assertFalse(seen.getMessage().isEmpty());
        assertEquals(true, seen.getMessage().contains("deadlock: rank 0"));
    }

    @Test
    void shouldWaitBeforeAPartIsUsed() {
        Schedule.Builder steps = new Schedule.Builder();
        steps.receive(1, Schedule.OUTPUT, 0, 4);
        steps.send(1, Schedule.OUTPUT, 2, 4);
        steps.copy(Schedule.INPUT, 0, Schedule.OUTPUT, 5, 1);
        List<Step.Kind> kinds = steps.build("").steps().stream().map(Step::kind).toList();
        assertEquals(List.of(Step.Kind.RECEIVE, Step.Kind.WAIT, Step.Kind.SEND, Step.Kind.WAIT, Step.Kind.COPY), kinds);
    }
}
