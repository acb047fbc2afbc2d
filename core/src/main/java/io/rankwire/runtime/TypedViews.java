package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.ElementType;
import io.rankwire.type.TypedBuffer;

/**
 * Views of buffers through datatypes: checks that buffer and datatype fit, and returns the memory that the device
 * copies from or to. Consecutive bytes are passed to the device as they are; for all other layouts a
 * {@link TypedBuffer} represents their packed stream. Every call with a datatype uses it.
 */
public final class TypedViews {
    private TypedViews() {}

    /** As {@link #source(Object, long, long, Layout)}; errors name the call and go to the handler of {@code on}. */
    public static Object source(CallChecks on, Object buffer, long offset, long count, Layout type) {
        try {
            return source(buffer, offset, count, type);
        } catch (RankwireException e) {
            throw on.located(e);
        }
    }

    /** As {@link #target(Object, long, long, Layout)}; errors name the call and go to the handler of {@code on}. */
    public static Object target(CallChecks on, Object buffer, long offset, long count, Layout type) {
        try {
            return target(buffer, offset, count, type);
        } catch (RankwireException e) {
            throw on.located(e);
        }
    }

    /** Returns the memory that the device sends from. */
    public static Object source(Object buffer, long offset, long count, Layout type) {
        return source(buffer, offset, 0, count, type);
    }

    /** As {@link #source(Object, long, long, Layout)}, some bytes further on. */
    public static Object source(Object buffer, long offset, long further, long count, Layout type) {
        ElementType kind = Buffers.type(buffer);
        if (type == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument type is null" + CallSite.find());
        }
        check(buffer, kind, offset, further, count, type);
        if (kind == ElementType.RAW) {
            Buffers.checkReachable(buffer);
        }
        if (type.isRun(count) && (count > 0 || type.trueLowerBound() == 0)) {
            return Buffers.base(buffer);
        }
        long origin = Buffers.start(buffer) + offset * kind.bytes() + further;
        return new TypedBuffer(Buffers.base(buffer), origin, type.repeated(count));
    }

    /** Returns the memory that the device receives into. */
    public static Object target(Object buffer, long offset, long count, Layout type) {
        return target(buffer, offset, 0, count, type);
    }

    /** As {@link #target(Object, long, long, Layout)}, some bytes further on. */
    public static Object target(Object buffer, long offset, long further, long count, Layout type) {
        Object view = source(buffer, offset, further, count, type);
        Buffers.checkWritable(buffer);
        if (view instanceof TypedBuffer && type.overlaps(count)) {
            throw new RankwireException(ErrorClass.TYPE, "argument type: " + count + " × " + type
                    + " names a byte twice, so nothing can be received into it" + CallSite.find());
        }
        return view;
    }

    /** Returns the byte of a view at which the elements begin. */
    public static long start(Object view, Object buffer, long offset, Layout type) {
        return view instanceof TypedBuffer
                ? 0
                : Buffers.start(buffer) + offset * Buffers.type(buffer).bytes() + type.trueLowerBound();
    }

    private static void check(Object buffer, ElementType kind, long offset, long further, long count, Layout type) {
        boolean memory = kind == ElementType.RAW || kind == ElementType.BYTE;
        if (!memory && kind != type.element() && type.size() > 0) {
            throw new RankwireException(ErrorClass.TYPE, "argument type: " + type + " is of " + type.elementTypes()
                    + ", the buffer a " + Buffers.describe(buffer) + CallSite.find());
        }
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer)) {
            throw new RankwireException(ErrorClass.COUNT, "arguments offset " + offset + " and count " + count
                    + " do not fit a " + Buffers.describe(buffer) + " of length " + Buffers.length(buffer)
                    + CallSite.find());
        }
        if (count == 0 || type.size() == 0) {
            return;
        }
        type.bytes(count);
        checkPlaces(buffer, kind, offset, further, count, type);
        boolean whole = type.program().isAligned(kind.bytes()) && (further & kind.bytes() - 1) == 0
                && (count == 1 || (type.extent() & kind.bytes() - 1) == 0);
        if (!whole) {
            throw new RankwireException(ErrorClass.TYPE, "argument type: " + type
                    + " does not lie at whole elements of a " + Buffers.describe(buffer) + CallSite.find());
        }
    }

    private static void checkPlaces(
            Object buffer, ElementType kind, long offset, long further, long count, Layout type) {
        long room = Buffers.length(buffer) * kind.bytes();
        long most = Long.MAX_VALUE / 4;
        long low = type.trueLowerBound();
        long high = low + type.trueExtent();
        boolean fits = Math.abs(low) < most && Math.abs(high) < most && Math.abs(further) < most;
        if (fits && count > 1) {
            long extent = type.extent();
            long over = (count - 1) * extent;
            fits = Math.abs(extent) < most && Math.abs(over) < most
                    && Math.multiplyHigh(count - 1, extent) == (over < 0 ? -1 : 0);
            low += Math.min(0, over);
            high += Math.max(0, over);
        }
        long origin = offset * kind.bytes() + further;
        if (!fits || origin + low < 0 || origin + high > room) {
            String bytes = further == 0 ? "" : " and " + further + " bytes";
            throw new RankwireException(ErrorClass.COUNT, "arguments offset " + offset + bytes + ", count " + count
                    + " and type: " + type + " touches bytes " + low + " to " + high + " from there, which do not lie"
                    + " within a " + Buffers.describe(buffer) + " of " + room + " bytes" + CallSite.find());
        }
    }
}
