package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.device.Operation;
import io.rankwire.runtime.Buffers;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Operator;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/**
 * Accesses to a window with elements in a row, and the checks of every access. A call that asks for a request gets the
 * operation to wait for, or null if the access is done already.
 */
public final class PlainAccess {
    private final WindowEndpoint window;
    private final Endpoint on;
    private final Part[] parts;
    private final Epochs epochs;

    PlainAccess(WindowEndpoint window, Endpoint on, Part[] parts, Epochs epochs) {
        this.window = window;
        this.on = on;
        this.parts = parts;
        this.epochs = epochs;
    }

    /** A whole buffer. */
    public void put(String call, Object origin, int to, long displacement) {
        ElementType type = on.typeOf(origin);
        window.checkUsable(call);
        put(call, origin, type, 0, Buffers.length(origin), to, displacement, false);
    }

    public Operation put(
            String call, Object origin, long offset, long count, int to, long displacement, boolean request) {
        ElementType type = on.typeOf(origin);
        checkPart(call, origin, offset, count);
        return put(call, origin, type, offset, count, to, displacement, request);
    }

    private Operation put(String call, Object origin, ElementType type, long offset, long count, int to,
            long displacement, boolean request) {
        Target target = target(call, type, count, to, displacement);
        if (target == null) {
            return null;
        }
        long bytes = count * type.bytes();
        Operation operation = request ? target.begin(bytes) : null;
        target.put(base(origin, type), start(origin, type) + offset * type.bytes(), bytes, type, at(to, displacement),
                operation);
        return operation;
    }

    /** Into a whole buffer. */
    public void get(String call, Object into, int from, long displacement) {
        ElementType type = on.typeOf(into);
        window.checkUsable(call);
        get(call, into, type, 0, Buffers.length(into), from, displacement, false);
    }

    public Operation get(
            String call, Object into, long offset, long count, int from, long displacement, boolean request) {
        ElementType type = on.typeOf(into);
        checkPart(call, into, offset, count);
        return get(call, into, type, offset, count, from, displacement, request);
    }

    private Operation get(String call, Object into, ElementType type, long offset, long count, int from,
            long displacement, boolean request) {
        Target target = target(call, type, count, from, displacement);
        if (type == ElementType.RAW) {
            on.checkWritable(into);
        }
        if (target == null) {
            return null;
        }
        long bytes = count * type.bytes();
        Operation operation = request ? target.begin(bytes) : null;
        target.get(base(into, type), start(into, type) + offset * type.bytes(), bytes, type, at(from, displacement),
                operation);
        return operation;
    }

    /** Arrays, which most buffers are, hold themselves. */
    private static Object base(Object buffer, ElementType type) {
        return type == ElementType.RAW ? Buffers.base(buffer) : buffer;
    }

    private static long start(Object buffer, ElementType type) {
        return type == ElementType.RAW ? Buffers.start(buffer) : 0;
    }

    public Operation accumulate(String call, Object origin, long offset, long count, int to, long displacement,
            Operator op, boolean request) {
        ElementType type = on.typeOf(origin);
        checkPart(call, origin, offset, count);
        Target target = target(call, type, count, to, displacement);
        ElementType combined = combined(call, type, to, op);
        if (target == null) {
            return null;
        }
        long bytes = count * type.bytes();
        Operation operation = request ? target.begin(bytes) : null;
        target.accumulate(op.reduction(), Buffers.base(origin), Buffers.start(origin) + offset * type.bytes(), bytes,
                combined, at(to, displacement), operation);
        return operation;
    }

    /** As {@link #accumulate}; what was there before goes into the result. */
    public Operation fetch(String call, Object origin, long offset, Object result, long resultOffset, long count,
            int to, long displacement, Operator op, boolean request) {
        ElementType type = on.typeOf(origin);
        checkPart(call, origin, offset, count);
        Target target = target(call, type, count, to, displacement);
        ElementType combined = combined(call, type, to, op);
        checkLike(call, "result", type, result, resultOffset, count);
        if (target == null) {
            return null;
        }
        long bytes = count * type.bytes();
        Operation operation = request ? target.begin(bytes) : null;
        target.fetch(op.reduction(), Buffers.base(origin), Buffers.start(origin) + offset * type.bytes(),
                Buffers.base(result), Buffers.start(result) + resultOffset * type.bytes(), bytes, combined,
                at(to, displacement), operation);
        return operation;
    }

    public void compareAndSwap(Object origin, Object expected, Object result, int to, long displacement) {
        String call = "compareAndSwap";
        ElementType type = on.typeOf(origin);
        checkPart(call, origin, 0, 1);
        Target target = target(call, type, 1, to, displacement);
        if (!Reduction.BAND.supports(type)) {
            throw window.wrong(ErrorClass.TYPE, call + " at rank " + to + ": argument origin: a "
                    + Buffers.describe(origin) + " does not hold whole numbers or booleans");
        }
        checkLike(call, "expected", type, expected, 0, 1);
        checkLike(call, "result", type, result, 0, 1);
        if (target != null) {
            target.compareAndSwap(first(expected, type), first(origin, type), result, 0, type, at(to, displacement));
        }
    }

    private static long first(Object array, ElementType type) {
        return MappedTarget.element(MappedTarget.view(array, 0, type.bytes()), type, 0);
    }

    /** Waits until the results of accesses to a rank are here. */
    public void finish(String call, int to) {
        if (to != Endpoint.NONE) {
            window.target(to).flushLocal(call);
        }
    }

    // checks

    /** Checks the part of a buffer, and that the window may be used at all. */
    private void checkPart(String call, Object buffer, long offset, long count) {
        window.checkUsable(call);
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw window.wrong(ErrorClass.COUNT, call + ": arguments offset " + offset + " and count " + count
                    + " do not fit a " + Buffers.describe(buffer) + " of length " + Buffers.length(buffer));
        }
    }

    /** Checks an access to elements of a buffer and finds its target; null if there is nothing to be done. */
    private Target target(String call, ElementType type, long count, int to, long displacement) {
        if (to == Endpoint.NONE) {
            return null;
        }
        window.checkRank(call, to);
        long bytes = count * type.bytes();
        checkPlace(call, type, bytes, to, displacement);
        epochs.access(call, to);
        return bytes == 0 ? null : window.accessed(to);
    }

    /** As above for places at the target that a datatype names. */
    Target target(String call, ElementType type, CopyProgram places, int to, long displacement) {
        if (to == Endpoint.NONE) {
            return null;
        }
        window.checkRank(call, to);
        if (places.size() > 0) {
            checkPlaces(call, type, places, to, displacement);
        }
        epochs.access(call, to);
        return places.size() == 0 ? null : window.accessed(to);
    }

    /** Checks where an access of a work program will be, and returns its first byte. */
    public long check(String call, ElementType type, long bytes, int to, long displacement) {
        window.checkUsable(call);
        checkPlace(call, type, bytes, to, displacement);
        return at(to, displacement);
    }

    private void checkPlaces(String call, ElementType type, CopyProgram places, int to, long displacement) {
        checkPlace(call, type, 0, to, displacement);
        long at = at(to, displacement);
        if (places.low() < -at || places.high() > parts[to].bytes() - at) {
            throw window.wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument targetType: bytes "
                    + places.low() + " to " + places.high() + " from displacement " + displacement
                    + " are outside the " + parts[to].bytes() + " bytes of that rank's part");
        }
        if (!places.isAligned(parts[to].type().bytes())) {
            throw window.wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to
                    + ": argument targetType: its places are not whole elements of " + parts[to].type());
        }
    }

    private void checkPlace(String call, ElementType type, long bytes, int to, long displacement) {
        long unit = parts[to].unit();
        long room = parts[to].bytes();
        long at = displacement * unit;
        if (displacement < 0 || Math.multiplyHigh(displacement, unit) != 0 || at < 0 || at > room - bytes) {
            throw window.wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument displacement: "
                    + displacement + " of " + unit + " bytes, with " + bytes + " bytes from there, is outside the "
                    + room + " bytes of that rank's part");
        }
        ElementType there = parts[to].type();
        if (!ElementType.compatible(type.code(), there.code())) {
            throw window.wrong(ErrorClass.TYPE, call + " at rank " + to + ": the buffer is of " + type
                    + ", that rank's part of " + there);
        }
        // Sizes of elements are powers of two.
        if (((at | bytes) & there.bytes() - 1) != 0) {
            throw window.wrong(ErrorClass.DISPLACEMENT, call + " at rank " + to + ": argument displacement: "
                    + displacement + " of " + unit + " bytes, with " + bytes
                    + " bytes from there, is not whole elements of " + there);
        }
    }

    /** The type in which elements of a buffer are combined. */
    public ElementType combined(String call, ElementType ofBuffer, int to, Operator op) {
        if (op == null) {
            throw window.wrong(ErrorClass.ARGUMENT, call + ": argument op is null");
        }
        if (to == Endpoint.NONE) {
            return ofBuffer;
        }
        ElementType type = ofBuffer == ElementType.RAW ? parts[to].type() : ofBuffer;
        if (op.reduction() == null || !op.supports(type)) {
            throw window.wrong(ErrorClass.TYPE, call + " at rank " + to + ": argument op: " + op
                    + " does not combine " + type + (type == ElementType.RAW ? "; give a primitive array" : ""));
        }
        return type;
    }

    private void checkLike(String call, String argument, ElementType origin, Object buffer, long offset, long count) {
        ElementType type = on.typeOf(buffer);
        if (type != origin) {
            throw window.wrong(ErrorClass.TYPE,
                    call + ": argument " + argument + " is of " + type + ", origin of " + origin);
        }
        if (offset < 0 || offset > Buffers.length(buffer) - count) {
            throw window.wrong(ErrorClass.COUNT, call + ": argument " + argument + ": offset " + offset
                    + " and count " + count + " do not fit a " + Buffers.describe(buffer) + " of length "
                    + Buffers.length(buffer));
        }
        on.checkWritable(buffer);
    }

    /** The byte of a rank's part that a displacement means. */
    long at(int to, long displacement) {
        return displacement * parts[to].unit();
    }
}
