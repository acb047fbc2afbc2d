package io.rankwire.runtime.window;

import io.rankwire.ErrorClass;
import io.rankwire.device.Operation;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Layout;
import io.rankwire.runtime.Operator;
import io.rankwire.runtime.TypedViews;
import io.rankwire.type.Copy;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;
import io.rankwire.type.TypedBuffer;
import java.lang.foreign.MemorySegment;

/**
 * An access to a window with datatypes on both sides. Mapped memory is reached by one copy program from each side;
 * elsewhere each row of bytes at the target is an access of its own.
 */
public final class TypedAccess implements CopyProgram.RunVisitor {
    private static final int STEP = 16 << 10;

    private Target target;
    /** Whether the buffer is written. */
    private final boolean get;
    private final Object view;
    private final long start;
    private final long bytes;
    private final long at;
    private final CopyProgram places;
    private final ElementType element;
    private Operator op;
    /** What a fetch combines with; null for others. */
    private Object operand;
    private long operandStart;
    private Operation operation;
    private long done;

    private TypedAccess(Target target, boolean get, Object view, long start, long bytes, long at, CopyProgram places,
            ElementType element) {
        this.target = target;
        this.get = get;
        this.view = view;
        this.start = start;
        this.bytes = bytes;
        this.at = at;
        this.places = places;
        this.element = element;
    }

    /** Checks an access; null if there is nothing to be done. */
    private static TypedAccess of(WindowEndpoint window, String call, boolean get, Object buffer, long offset,
            long count, Layout type, int to, long displacement, long targetCount, Layout targetType) {
        window.checkUsable(call);
        Object view = view(window, get, buffer, offset, count, type);
        if (targetType == null || targetCount < 0) {
            throw targetType == null
                    ? window.wrong(ErrorClass.ARGUMENT, call + ": argument targetType is null")
                    : window.wrong(ErrorClass.COUNT, call + ": argument targetCount: " + targetCount
                            + " is below zero");
        }
        checkSame(window, call, to, count, type, targetCount, targetType);
        if (!get) {
            checkWritten(window, call, targetCount, targetType);
        }
        CopyProgram places = targetType.repeated(targetCount);
        Target target = window.access().target(call, type.element(), places, to, displacement);
        return target == null ? null : new TypedAccess(target, get, view, TypedViews.start(view, buffer, offset, type),
                type.bytes(count), window.access().at(to, displacement), places, type.element());
    }

    private static Object view(
            WindowEndpoint window, boolean written, Object buffer, long offset, long count, Layout type) {
        Endpoint on = window.communicator();
        return written
                ? TypedViews.target(on, buffer, offset, count, type)
                : TypedViews.source(on, buffer, offset, count, type);
    }

    public static Operation put(WindowEndpoint window, String call, Object origin, long offset, long count, Layout type,
            int to, long displacement, long targetCount, Layout targetType, boolean request) {
        TypedAccess access =
                of(window, call, false, origin, offset, count, type, to, displacement, targetCount, targetType);
        return access == null ? null : access.move(request);
    }

    public static Operation get(WindowEndpoint window, String call, Object into, long offset, long count, Layout type,
            int from, long displacement, long targetCount, Layout targetType, boolean request) {
        TypedAccess access =
                of(window, call, true, into, offset, count, type, from, displacement, targetCount, targetType);
        return access == null ? null : access.move(request);
    }

    public static Operation accumulate(WindowEndpoint window, String call, Object origin, long offset, long count,
            Layout type, int to, long displacement, long targetCount, Layout targetType, Operator op, boolean request) {
        TypedAccess access =
                of(window, call, false, origin, offset, count, type, to, displacement, targetCount, targetType);
        checkOp(window, call, op, access, to);
        if (access == null) {
            return null;
        }
        access.op = op;
        return access.visit(request);
    }

    public static Operation fetch(WindowEndpoint window, String call, Object origin, long offset, long count,
            Layout type, Object result, long resultOffset, long resultCount, Layout resultType, int to,
            long displacement, long targetCount, Layout targetType, Operator op, boolean request) {
        TypedAccess access = of(window, call, true, result, resultOffset, resultCount, resultType, to, displacement,
                targetCount, targetType);
        checkOp(window, call, op, access, to);
        checkWritten(window, call, targetCount, targetType);
        if (access == null) {
            return null;
        }
        access.op = op;
        if (op.reduction() == Reduction.NO_OP) {
            // Nothing is combined, but something has to be sent.
            access.operand = access.view;
            access.operandStart = access.start;
        } else {
            access.operand = view(window, false, origin, offset, count, type);
            access.operandStart = TypedViews.start(access.operand, origin, offset, type);
            checkSame(window, call, to, count, type, resultCount, resultType);
        }
        return access.visit(request);
    }

    public static void compareAndSwap(WindowEndpoint window, Object origin, long offset, Object expected,
            long expectedOffset, Object result, long resultOffset, Layout type, int to, long displacement) {
        String call = "compareAndSwap";
        if (type == null || !Reduction.BAND.supports(type.element()) || type.elements() != 1) {
            throw window.wrong(type == null ? ErrorClass.ARGUMENT : ErrorClass.TYPE, call + " at rank " + to
                    + ": argument type: " + type + " is not one whole number or boolean");
        }
        TypedAccess access = of(window, call, true, result, resultOffset, 1, type, to, displacement, 1, type);
        long value = first(view(window, false, origin, offset, 1, type), origin, offset, type);
        long known = first(view(window, false, expected, expectedOffset, 1, type), expected, expectedOffset, type);
        if (access != null) {
            access.target.compareAndSwap(known, value, access.view, access.start, access.element,
                    access.at + access.places.low());
        }
    }

    private static long first(Object view, Object buffer, long offset, Layout type) {
        byte[] bytes = new byte[Math.toIntExact(type.size())];
        Copy.toBytes(view, TypedViews.start(view, buffer, offset, type), bytes);
        return MappedTarget.element(MemorySegment.ofArray(bytes), type.element(), 0);
    }

    private static void checkOp(WindowEndpoint window, String call, Operator op, TypedAccess access, int to) {
        if (op == null) {
            throw window.wrong(ErrorClass.ARGUMENT, call + ": argument op is null");
        }
        if (access != null && (op.reduction() == null || !op.supports(access.element))) {
            throw window.wrong(ErrorClass.TYPE, call + " at rank " + to + ": argument op: " + op
                    + " does not combine " + access.element);
        }
    }

    private static void checkSame(WindowEndpoint window, String call, int to, long count, Layout type,
            long otherCount, Layout otherType) {
        if (!type.elementTypes().repeated(count).matches(otherType.elementTypes().repeated(otherCount))) {
            throw window.wrong(ErrorClass.TYPE, call + " at rank " + to + ": " + count + " × " + type + " is "
                    + type.elementTypes().repeated(count) + ", but " + otherCount + " × " + otherType + " is "
                    + otherType.elementTypes().repeated(otherCount));
        }
    }

    private static void checkWritten(WindowEndpoint window, String call, long targetCount, Layout targetType) {
        if (targetType.overlaps(targetCount)) {
            throw window.wrong(ErrorClass.TYPE, call + ": argument targetType: " + targetCount + " × " + targetType
                    + " names a byte twice, so nothing can be put there");
        }
    }

    private Operation move(boolean request) {
        if (target instanceof MappedTarget mapped) {
            moveMapped(mapped.memory());
            return null;
        }
        return visit(request);
    }

    /** Rows of a request are done in order: when the last is, all are. */
    private Operation visit(boolean request) {
        if (request && op == null) {
            target = target.inOrder();
        }
        operation = request ? target.begin(bytes) : null;
        places.visit(at, this);
        return operation;
    }

    private void moveMapped(MemorySegment memory) {
        TypedBuffer there = new TypedBuffer(memory, at, places);
        MemorySegment between = MemorySegment.ofArray(new byte[(int) Math.min(STEP, bytes)]);
        Object from = get ? there : view;
        Object to = get ? view : there;
        long fromStart = get ? 0 : start;
        long toStart = get ? start : 0;
        for (long moved = 0; moved < bytes; moved += STEP) {
            int part = (int) Math.min(STEP, bytes - moved);
            Copy.out(from, fromStart + moved, between, 0, part);
            Copy.in(between, 0, to, toStart + moved, part);
        }
    }

    @Override
    public void run(long place, long length) {
        Operation last = done + length == bytes ? operation : null;
        if (operand != null) {
            target.fetch(op.reduction(), operand, operandStart + done, view, start + done, length, element, place,
                    last);
        } else if (op != null) {
            target.accumulate(op.reduction(), view, start + done, length, element, place, last);
        } else if (get) {
            target.get(view, start + done, length, element, place, last);
        } else {
            target.put(view, start + done, length, element, place, last);
        }
        done += length;
    }
}
