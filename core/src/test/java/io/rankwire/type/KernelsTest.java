package io.rankwire.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rankwire.memory.Rand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Reductions of every operation and type, compared with {@link KernelTwin}, in arrays and memory of every kind, at odd
 * places and of odd lengths: compiled with vectors, compiled without vectors, and interpreted.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class KernelsTest {
    private static final List<ElementType> TYPES = List.of(ElementType.BYTE, ElementType.BOOLEAN, ElementType.CHAR,
            ElementType.SHORT, ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);
    private static final int MOST = 400;
    private static final int ROOM = 16;
    private static final String DONE = "all alike";

    /** An operation: a predefined one, or one of the two with a location. */
    private record Case(ElementType type, Reduction op, boolean located, boolean least) {
        static List<Case> all() {
            List<Case> cases = new ArrayList<>();
            for (ElementType type : TYPES) {
                for (Reduction op : Reduction.values()) {
                    if (op.supports(type)) {
                        cases.add(new Case(type, op, false, false));
                    }
                }
                if (type != ElementType.BOOLEAN) {
                    cases.add(new Case(type, null, true, true));
                    cases.add(new Case(type, null, true, false));
                }
            }
            return cases;
        }

        Combination combination() {
            return located ? Combination.located(least, type) : Combination.of(op, type);
        }

        long[] expected(Object left, int l, Object right, int r, int count) {
            long[] expected = new long[count];
            for (int i = 0; i < count; i++) {
                long x = KernelTwin.get(type, left, l + i);
                long y = KernelTwin.get(type, right, r + i);
                if (!located) {
                    expected[i] = KernelTwin.combine(op, type, x, y);
                } else if (i % 2 == 0) {
                    long xPlace = KernelTwin.get(type, left, l + i + 1);
                    long yPlace = KernelTwin.get(type, right, r + i + 1);
                    boolean wins = KernelTwin.leftWins(least, type, x, xPlace, y, yPlace);
                    expected[i] = wins ? x : y;
                    expected[i + 1] = wins ? xPlace : yPlace;
                }
            }
            return expected;
        }
    }

    /** Entry point of the separate processes; the first argument is the number of rounds. */
    static final class Rounds {
        private Rounds() {}

        public static void main(String[] arguments) {
            int rounds = Integer.parseInt(arguments[0]);
            for (Case each : Case.all()) {
                Combination combination = each.combination();
                Combinations combinations = new Combinations();
                for (int seed = 1; seed <= rounds; seed++) {
                    round(each, combination, combinations, seed);
                }
            }
            System.out.println(DONE);
        }
    }

    private static void round(Case each, Combination combination, Combinations combinations, long seed) {
        Rand rand = new Rand(seed);
        int count = rand.chance(1, 4) ? rand.below(40) : rand.below(MOST);
        if (each.located) {
            count &= -2;
        }
        ElementType type = each.type;
        Object left = filled(type, rand);
        Object right = filled(type, rand);
        Object target = filled(type, rand);
        int l = rand.below(ROOM);
        int r = rand.below(ROOM);
        int t = rand.below(ROOM);
        int way = rand.below(6);
        if (way < 2) {
            l = r = t;
        }
        if (way == 1 || way == 2) {
            target = left;
            t = l;
        } else if (way == 3) {
            target = right;
            t = r;
        }
        long[] expected = each.expected(left, l, right, r, count);
        long[] before = bits(type, target);
        int size = type.bytes();
        long bytes = (long) count * size;
        if (way < 4) {
            combination.combine(left, (long) l * size, right, (long) r * size, target, (long) t * size, bytes);
        } else {
            combineInMemory(each, combination, combinations, rand, left, l, right, r, target, t, bytes);
        }
        String told = each + ", seed " + seed + ", " + count + " elements";
        for (int i = 0; i < before.length; i++) {
            boolean inside = i >= t && i < t + count;
            long wanted = inside ? expected[i - t] : before[i];
            long seen = KernelTwin.get(type, target, i);
            if (!KernelTwin.same(type, wanted, seen)) {
                throw new AssertionError(told + ", element " + (i - t) + ": " + Long.toHexString(seen) + " instead of "
                        + Long.toHexString(wanted));
            }
        }
    }

    /** The same, with some operands in native memory or arrays of bytes, at odd addresses. */
    private static void combineInMemory(Case each, Combination combination, Combinations combinations, Rand rand,
            Object left, int l, Object right, int r, Object target, int t, long bytes) {
        int size = each.type.bytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = rand.chance(1, 2)
                    ? arena.allocate(bytes + ROOM, 64) : MemorySegment.ofArray(new byte[(int) bytes + ROOM]);
            MemorySegment b = rand.chance(1, 2)
                    ? arena.allocate(bytes + ROOM, 64) : MemorySegment.ofArray(new byte[(int) bytes + ROOM]);
            int aAt = rand.below(ROOM);
            int bAt = rand.below(ROOM);
            Copy.between(left, (long) l * size, a, aAt, bytes);
            Copy.between(right, (long) r * size, b, bAt, bytes);
            switch (rand.below(each.located ? 3 : 4)) {
                case 0 -> combination.combine(
                        a, aAt, right, (long) r * size, target, (long) t * size, bytes);
                case 1 -> combination.combine(
                        left, (long) l * size, b, bAt, target, (long) t * size, bytes);
                case 2 -> {
                    combination.combine(a, aAt, b, bAt, b, bAt, bytes);
                    Copy.between(b, bAt, target, (long) t * size, bytes);
                }
                default -> {
                    combinations.apply(each.op, each.type, a, aAt, b, bAt, bytes / size);
                    Copy.between(a, aAt, target, (long) t * size, bytes);
                }
            }
        }
    }

    private static Object filled(ElementType type, Rand rand) {
        Object array = type.newArray(MOST + ROOM);
        for (int i = 0; i < MOST + ROOM; i++) {
            KernelTwin.set(type, array, i, KernelTwin.random(type, rand));
        }
        return array;
    }

    private static long[] bits(ElementType type, Object array) {
        long[] bits = new long[MOST + ROOM];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = KernelTwin.get(type, array, i);
        }
        return bits;
    }

    private static void fork(int rounds, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Rounds.class.getName(), Integer.toString(rounds)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        assertEquals(DONE + "\n", said, options[0]);
    }

    /** Compiles in the foreground, with enough rounds that each loop is compiled. */
    @Test
    void shouldDoTheSameAsTheirTwinsInVectors() throws Exception {
        fork(100, "-Xbatch", "-XX:CompileThresholdScaling=0.1");
    }

    @Test
    void shouldDoTheSameAsTheirTwinsWithoutVectors() throws Exception {
        fork(100, "-XX:-UseSuperWord", "-Xbatch", "-XX:CompileThresholdScaling=0.1");
    }

    @Test
    void shouldDoTheSameAsTheirTwinsInterpreted() throws Exception {
        fork(8, "-Xint");
    }

    /** Tests the check itself: it detects a wrong result. */
    @Test
    void shouldSeeARowThatDiffers() {
        Case sum = new Case(ElementType.BYTE, Reduction.SUM, false, false);
        Combination wrong = Combination.of(Reduction.BXOR, ElementType.BYTE);
        assertThrows(AssertionError.class, () -> {
            for (int seed = 1; seed < 9; seed++) {
                round(sum, wrong, new Combinations(), seed);
            }
        });
    }
}
