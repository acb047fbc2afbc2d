package io.rankwire.lab;

import io.rankwire.type.Combination;
import io.rankwire.type.Combinations;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Random;

/**
 * The speed of reductions of 16 KiB vectors, which stay in the cache, in billions of result bytes per second. "array":
 * two arrays into one of them; "apart": three arrays, each from a different index; "memory": from native memory at an
 * odd address into an array, as for an arriving message; "window": as for a one-sided accumulate.
 * Run: {@code java -cp lab/target/classes:core/target/classes io.rankwire.lab.KernelRate}; with {@code
 * -XX:-UseSuperWord} it shows the speed without the compiler's vectors.
 */
public final class KernelRate {
    private static final int BYTES = 16 << 10;
    private static final int BATCH = 50;
    private static final long WARM_NANOS = 40_000_000;
    private static final int BATCHES = 60;

    private KernelRate() {}

    public static void main(String[] arguments) {
        System.out.printf("%-8s%-8s%8s%8s%8s%8s   GB/s%n", "type", "op", "array", "apart", "memory", "window");
        for (ElementType type : ElementType.values()) {
            if (Arrays.asList(ElementType.RAW, ElementType.OBJECT, ElementType.MIXED).contains(type)) {
                continue;
            }
            for (Reduction op : Reduction.values()) {
                if (op != Reduction.REPLACE && op != Reduction.NO_OP && op.supports(type)) {
                    tell(type, op.name().toLowerCase(), Combination.of(op, type), op);
                }
            }
            if (type != ElementType.BOOLEAN) {
                tell(type, "minloc", Combination.located(true, type), null);
                tell(type, "maxloc", Combination.located(false, type), null);
            }
        }
    }

    private static void tell(ElementType type, String name, Combination combination, Reduction op) {
        int size = type.bytes();
        try (Arena arena = Arena.ofConfined()) {
            Object left = filled(type, 1);
            Object right = filled(type, 2);
            Object target = filled(type, 3);
            Combinations combinations = new Combinations();
            MemorySegment memory = arena.allocate(BYTES + 64, 64);
            MemorySegment window = arena.allocate(BYTES + 64, 64);
            double array = rate(() -> combination.combine(left, 0, right, 0, left, 0, BYTES));
            double apart = rate(() -> combination.combine(left, 2 * size, right, 6 * size, target, 0, BYTES));
            double coming = rate(() -> combination.combine(memory, 1, right, 0, right, 0, BYTES));
            double accumulated = op == null ? 0
                    : rate(() -> combinations.apply(op, type, window, 0, memory, 0, BYTES / size));
            System.out.printf("%-8s%-8s%8.1f%8.1f%8.1f%8.1f%n", type, name, array, apart, coming, accumulated);
        }
    }

    /** Numbers that stay normal: no overflow to infinity, no subnormal numbers, which are slow on the processor. */
    private static Object filled(ElementType type, long seed) {
        Object array = type.newArray(BYTES / type.bytes() + 64);
        Random random = new Random(seed);
        for (int i = 0; i < Array.getLength(array); i++) {
            boolean one = random.nextBoolean();
            switch (array) {
                case double[] a -> a[i] = one ? 1 : -1;
                case float[] a -> a[i] = one ? 1 : -1;
                case long[] a -> a[i] = one ? 1 : -1;
                case int[] a -> a[i] = one ? 1 : -1;
                case short[] a -> a[i] = (short) (one ? 1 : -1);
                case char[] a -> a[i] = (char) (one ? 1 : 0);
                case byte[] a -> a[i] = (byte) (one ? 1 : -1);
                default -> ((boolean[]) array)[i] = one;
            }
        }
        return array;
    }

    private static double rate(Runnable work) {
        long end = System.nanoTime() + WARM_NANOS;
        while (System.nanoTime() < end) {
            work.run();
        }
        long best = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long before = System.nanoTime();
            for (int i = 0; i < BATCH; i++) {
                work.run();
            }
            best = Math.min(best, System.nanoTime() - before);
        }
        return (double) BYTES * BATCH / best;
    }
}
