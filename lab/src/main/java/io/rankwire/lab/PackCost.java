package io.rankwire.lab;

import io.rankwire.Datatype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The cost of packing compared with a hand-written loop: columns of doubles out of an array or native memory and back.
 * All kinds of memory are used before anything is measured, as in a program that has run for some time.
 * Run: {@code java -XX:+UseParallelGC -cp lab/target/classes:core/target/classes io.rankwire.lab.PackCost}.
 */
public final class PackCost {
    private static final int ELEMENTS = 1_000_000;
    private static final int ROUNDS = 120;

    private PackCost() {}

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(8L * ELEMENTS, 64);
            mixKinds(out);
            for (int stride : new int[] {2, 3, 8, 64}) {
                int length = stride * ELEMENTS;
                double[] array = new double[length];
                Arrays.setAll(array, i -> i);
                MemorySegment memory = arena.allocate(8L * length, 64);
                Datatype column = Datatype.vector(ELEMENTS, 1, stride, Datatype.DOUBLE);
                tell("array, stride " + stride + ", pack", () -> packByHand(array, stride, out),
                        () -> column.pack(array, 0, 1, out, 0));
                tell("array, stride " + stride + ", unpack", () -> unpackByHand(out, array, stride),
                        () -> column.unpack(out, 0, array, 0, 1));
                tell("memory, stride " + stride + ", pack", () -> packByHand(memory, stride, out),
                        () -> column.pack(memory, 0, 1, out, 0));
            }
            double[] cube = new double[100 * 100 * 200];
            Datatype face = Datatype.subarray(new int[] {100, 100, 200}, new int[] {100, 100, 3}, new int[] {0, 0, 1},
                    Datatype.Order.C, Datatype.DOUBLE);
            tell("face of three planes, pack", () -> faceByHand(cube, out), () -> face.pack(cube, 0, 1, out, 0));
            byte[] particles = new byte[29 * 100_000];
            Datatype place = Datatype.resized(0, 29, Datatype.struct(new int[] {1, 3}, new long[] {0, 5},
                    new Datatype[] {Datatype.INT, Datatype.DOUBLE}));
            tell("fields of 100,000 particles, pack", () -> fieldsByHand(particles, out),
                    () -> place.pack(particles, 0, 100_000, out, 0));
        }
    }

    private static void mixKinds(MemorySegment out) {
        MemorySegment heap = MemorySegment.ofArray(new byte[80_000]);
        MemorySegment longs = MemorySegment.ofArray(new long[10_000]);
        Object[] bases = {new double[20_000], new byte[200_000], longs, heap, out};
        for (int round = 0; round < 2_000; round++) {
            for (Object base : bases) {
                Datatype type = Datatype.vector(100, 1, 2, base instanceof byte[] ? Datatype.BYTE : Datatype.DOUBLE);
                for (MemorySegment to : new MemorySegment[] {heap, out, longs}) {
                    type.pack(base, 0, 1, to, 0);
                    type.unpack(to, 0, base, 0, 1);
                }
            }
        }
    }

    private static void packByHand(double[] from, int stride, MemorySegment to) {
        for (int i = 0; i < ELEMENTS; i++) {
            to.set(ValueLayout.JAVA_DOUBLE, 8L * i, from[i * stride]);
        }
    }

    private static void unpackByHand(MemorySegment from, double[] to, int stride) {
        for (int i = 0; i < ELEMENTS; i++) {
            to[i * stride] = from.get(ValueLayout.JAVA_DOUBLE, 8L * i);
        }
    }

    private static void packByHand(MemorySegment from, int stride, MemorySegment to) {
        for (int i = 0; i < ELEMENTS; i++) {
            to.set(ValueLayout.JAVA_DOUBLE, 8L * i, from.get(ValueLayout.JAVA_DOUBLE, 8L * i * stride));
        }
    }

    private static void faceByHand(double[] cube, MemorySegment to) {
        long at = 0;
        for (int row = 0; row < 10_000; row++) {
            for (int k = 1; k < 4; k++) {
                to.set(ValueLayout.JAVA_DOUBLE, at, cube[row * 200 + k]);
                at += 8;
            }
        }
    }

    private static void fieldsByHand(byte[] particles, MemorySegment to) {
        MemorySegment from = MemorySegment.ofArray(particles);
        for (int i = 0; i < 100_000; i++) {
            to.set(ValueLayout.JAVA_INT_UNALIGNED, 28L * i, from.get(ValueLayout.JAVA_INT_UNALIGNED, 29L * i));
            for (int k = 0; k < 3; k++) {
                to.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 28L * i + 4 + 8 * k,
                        from.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 29L * i + 5 + 8 * k));
            }
        }
    }

    /** Alternates between the two, so that other load on the machine affects both. */
    private static void tell(String what, Runnable byHand, Runnable program) {
        long hand = Long.MAX_VALUE;
        long ours = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            hand = Math.min(hand, time(byHand));
            ours = Math.min(ours, time(program));
        }
        System.out.printf("%-36s by hand %8.1f µs, datatype %8.1f µs, ratio %.2f%n", what, hand / 1e3, ours / 1e3,
                (double) ours / hand);
    }

    private static long time(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return System.nanoTime() - start;
    }
}
