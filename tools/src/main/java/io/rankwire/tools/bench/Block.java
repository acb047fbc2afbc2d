package io.rankwire.tools.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Memory that messages are sent from or received into. A program uses one sort of it, so that what it loads is what its
 * loops are compiled for.
 */
abstract sealed class Block {
    /** Memory that was never written may be one page of zeros seen many times, which no real data is. */
    static final byte FILL = 0x11;

    /** What is given to the calls of the library. */
    abstract Object buffer();

    abstract long word(int at);

    abstract void word(int at, long value);

    abstract void fill(byte value);

    /** On the heap. */
    static Block of(byte[] array) {
        return new Heap(array);
    }

    /** Outside it. */
    static Block of(MemorySegment segment) {
        return new Outside(segment);
    }

    /** How many words of a message change: one of a small message, eight spread over a large one. */
    static int words(int bytes) {
        return bytes < 8 ? 0 : bytes < 64 ? 1 : bytes < 2048 ? 2 : 8;
    }

    static int stride(int bytes) {
        int count = words(bytes);
        return count < 2 ? 0 : (bytes - 8) / (count - 1) / 8 * 8;
    }

    /** A loop of one turn costs a small message more than the word; hence one word is a case of its own. */
    final void stamp(int at, int count, int step, long value) {
        if (count == 1) {
            word(at, value);
            return;
        }
        for (int i = 0; i < count; i++) {
            word(at + i * step, value + i);
        }
    }

    final boolean isStamped(int at, int count, int step, long value) {
        if (count == 1) {
            return word(at) == value;
        }
        for (int i = 0; i < count; i++) {
            if (word(at + i * step) != value + i) {
                return false;
            }
        }
        return true;
    }

    private static final class Heap extends Block {
        private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(
                long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

        private final byte[] array;

        Heap(byte[] array) {
            this.array = array;
            fill(FILL);
        }

        @Override
        void fill(byte value) {
            Arrays.fill(array, value);
        }

        @Override
        Object buffer() {
            return array;
        }

        @Override
        long word(int at) {
            return (long) WORD.get(array, at);
        }

        @Override
        void word(int at, long value) {
            WORD.set(array, at, value);
        }
    }

    private static final class Outside extends Block {
        private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

        private final MemorySegment segment;

        Outside(MemorySegment segment) {
            this.segment = segment;
            fill(FILL);
        }

        @Override
        void fill(byte value) {
            segment.fill(value);
        }

        @Override
        Object buffer() {
            return segment;
        }

        @Override
        long word(int at) {
            return segment.get(WORD, at);
        }

        @Override
        void word(int at, long value) {
            segment.set(WORD, at, value);
        }
    }
}
