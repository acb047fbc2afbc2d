package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** What the buffers of one rank hold, in one piece of memory: how many there are, the size of each, their bytes. */
public final class CheckpointState {
    private CheckpointState() {}

    /** Memory that ends when it is not used any more. */
    public static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    private static long bytes(Object buffer) {
        return Buffers.length(buffer) * Buffers.type(buffer).bytes();
    }

    public static MemorySegment pack(Object... buffers) {
        long at = Long.BYTES * (1L + buffers.length);
        long all = at;
        for (Object each : buffers) {
            all += bytes(each);
        }
        MemorySegment state = allocate(all);
        state.set(ValueLayout.JAVA_LONG, 0, buffers.length);
        for (int i = 0; i < buffers.length; i++) {
            long bytes = bytes(buffers[i]);
            state.setAtIndex(ValueLayout.JAVA_LONG, 1 + i, bytes);
            MemorySegment part = state.asSlice(at, bytes);
            if (buffers[i] instanceof boolean[] flags) {
                for (int j = 0; j < flags.length; j++) {
                    part.set(ValueLayout.JAVA_BOOLEAN, j, flags[j]);
                }
            } else {
                part.copyFrom(view(buffers[i]));
            }
            at += bytes;
        }
        return state;
    }

    /** Throws unless a state fits these buffers. */
    public static void check(Endpoint on, String call, MemorySegment state, Object... buffers) {
        long count = state.get(ValueLayout.JAVA_LONG, 0);
        if (count != buffers.length) {
            throw on.error(ErrorClass.COUNT, call + ": " + buffers.length + " buffers for a state of " + count);
        }
        for (int i = 0; i < buffers.length; i++) {
            long bytes = state.getAtIndex(ValueLayout.JAVA_LONG, 1 + i);
            if (bytes != bytes(buffers[i])) {
                throw on.error(ErrorClass.COUNT, call + ": buffer " + i + " has " + bytes(buffers[i])
                        + " bytes, and was saved with " + bytes);
            }
        }
    }

    /** Whether a state has all the bytes that it says it has: that of a file may have lost some. */
    static boolean isWhole(MemorySegment state) {
        long bytes = state.byteSize();
        long count = bytes < Long.BYTES ? -1 : state.get(ValueLayout.JAVA_LONG, 0);
        if (count < 0 || count >= bytes / Long.BYTES) {
            return false;
        }
        long rest = bytes - Long.BYTES * (1 + count);
        for (long i = 1; rest >= 0 && i <= count; i++) {
            long part = state.getAtIndex(ValueLayout.JAVA_LONG, i);
            rest = part < 0 || part > rest ? -1 : rest - part;
        }
        return rest == 0;
    }

    /** Writes a state to buffers that fit. */
    public static void unpack(MemorySegment state, Object... buffers) {
        long at = Long.BYTES * (1L + buffers.length);
        for (Object each : buffers) {
            MemorySegment part = state.asSlice(at, bytes(each));
            if (each instanceof boolean[] flags) {
                for (int j = 0; j < flags.length; j++) {
                    flags[j] = part.get(ValueLayout.JAVA_BOOLEAN, j);
                }
            } else {
                view(each).copyFrom(part);
            }
            at += part.byteSize();
        }
    }

    private static MemorySegment view(Object buffer) {
        return switch (buffer) {
            case byte[] a -> MemorySegment.ofArray(a);
            case char[] a -> MemorySegment.ofArray(a);
            case short[] a -> MemorySegment.ofArray(a);
            case int[] a -> MemorySegment.ofArray(a);
            case long[] a -> MemorySegment.ofArray(a);
            case float[] a -> MemorySegment.ofArray(a);
            case double[] a -> MemorySegment.ofArray(a);
            case ByteBuffer b -> MemorySegment.ofBuffer(b);
            case MemorySegment s -> s;
            default -> throw Buffers.notABuffer(buffer);
        };
    }
}
