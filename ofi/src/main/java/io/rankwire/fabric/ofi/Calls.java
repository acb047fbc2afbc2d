package io.rankwire.fabric.ofi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Calls of C functions by their addresses. Every parameter and result here is a word: on 64-bit systems an {@code int}
 * or a pointer travels in one, and a function reads as many as it has parameters. So there are three ways to call, by
 * number of words, and each is made at its first use. The calls are plain ones: a critical call would save 2 ns and
 * delay the garbage collector while a provider waits for the system.
 */
final class Calls {
    private Calls() {}

    /** For all functions but a few. */
    private static final class Six {
        static final MethodHandle HANDLE = handle(6);
    }

    private static final class Nine {
        static final MethodHandle HANDLE = handle(9);
    }

    /** For atomic accesses. */
    private static final class Fourteen {
        static final MethodHandle HANDLE = handle(14);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(int words) {
        MemoryLayout[] parameters = new MemoryLayout[words];
        Arrays.fill(parameters, JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_LONG, parameters));
    }

    /** A function of the C library. */
    static MemorySegment system(String name) {
        return Linker.nativeLinker().defaultLookup().findOrThrow(name);
    }

    static long call(MemorySegment function, long a) {
        return call(function, a, 0, 0, 0, 0, 0);
    }

    static long call(MemorySegment function, long a, long b) {
        return call(function, a, b, 0, 0, 0, 0);
    }

    static long call(MemorySegment function, long a, long b, long c) {
        return call(function, a, b, c, 0, 0, 0);
    }

    static long call(MemorySegment function, long a, long b, long c, long d) {
        return call(function, a, b, c, d, 0, 0);
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e) {
        return call(function, a, b, c, d, e, 0);
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) Six.HANDLE.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h, long i) {
        try {
            return (long) Nine.HANDLE.invokeExact(function, a, b, c, d, e, f, g, h, i);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    static long call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h, long i,
            long j, long k, long l, long m, long n) {
        try {
            return (long) Fourteen.HANDLE.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
