package io.rankwire.tools.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Doubles that ranks add up, on the heap or outside; a program uses one sort, as with {@link Block}. */
abstract sealed class Vector {
    /** What is given to the calls of the library. */
    abstract Object buffer();

    abstract int length();

    abstract double get(int at);

    abstract void set(int at, double value);

    abstract void fill(double value);

    static Vector of(double[] array) {
        return new Heap(array);
    }

    static Vector of(MemorySegment segment) {
        return new Outside(segment);
    }

    private static final class Heap extends Vector {
        private final double[] array;

        Heap(double[] array) {
            this.array = array;
            fill(1);
        }

        @Override
        Object buffer() {
            return array;
        }

        @Override
        int length() {
            return array.length;
        }

        @Override
        double get(int at) {
            return array[at];
        }

        @Override
        void set(int at, double value) {
            array[at] = value;
        }

        @Override
        void fill(double value) {
            Arrays.fill(array, value);
        }
    }

    private static final class Outside extends Vector {
        private final MemorySegment segment;
        private final int length;

        Outside(MemorySegment segment) {
            this.segment = segment;
            this.length = (int) (segment.byteSize() / Double.BYTES);
            fill(1);
        }

        @Override
        Object buffer() {
            return segment;
        }

        @Override
        int length() {
            return length;
        }

        @Override
        double get(int at) {
            return segment.getAtIndex(ValueLayout.JAVA_DOUBLE, at);
        }

        @Override
        void set(int at, double value) {
            segment.setAtIndex(ValueLayout.JAVA_DOUBLE, at, value);
        }

        @Override
        void fill(double value) {
            for (int i = 0; i < length; i++) {
                segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
            }
        }
    }
}
