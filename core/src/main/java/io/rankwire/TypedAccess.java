package io.rankwire;

import io.rankwire.type.Copy;
import io.rankwire.type.CopyProgram;
import io.rankwire.type.ElementType;
import io.rankwire.type.TypedBuffer;
import java.lang.foreign.MemorySegment;

/**
 * An access to a window with datatypes on both sides. Mapped memory is reached by one copy program from each side;
 * elsewhere each row of bytes at the target is an access of its own.
 */
final class TypedAccess implements CopyProgram.RunVisitor {
    private static final int STEP = 16 << 10;

    private final Target target;
    private final Object view;
    private final long start;
    private final long bytes;
    private final long at;
    private final CopyProgram places;
    private final ElementType element;
    private boolean get;
    private Op op;
    private long done;

    private TypedAccess(Target target, Object view, long start, long bytes, long at, CopyProgram places,
            ElementType element) {
        this.target = target;
        this.view = view;
        this.start = start;
        this.bytes = bytes;
        this.at = at;
        this.places = places;
        this.element = element;
    }

    /** Checks an access; null if there is nothing to be done. */
    private static TypedAccess of(WindowAccess window, String call, boolean get, Object buffer, long offset, long count,
            Datatype type, int to, long displacement, long targetCount, Datatype targetType) {
        window.checkUsable(call);
        Object view = window.typed(get, buffer, offset, count, type);
        if (targetType == null || targetCount < 0) {
            throw targetType == null
                    ? window.error(ErrorClass.ARGUMENT, call + ": argument targetType is null")
                    : window.error(ErrorClass.COUNT, call + ": argument targetCount: " + targetCount
                            + " is below zero");
        }
        if (!type.elementTypes().repeated(count).matches(targetType.elementTypes().repeated(targetCount))) {
            throw window.error(ErrorClass.TYPE, call + " at rank " + to + ": " + count + " × " + type + " is "
                    + type.elementTypes().repeated(count) + ", but " + targetCount + " × " + targetType + " is "
                    + targetType.elementTypes().repeated(targetCount));
        }
        if (!get && targetType.overlaps(targetCount)) {
            throw window.error(ErrorClass.TYPE, call + ": argument targetType: " + targetCount + " × " + targetType
                    + " names a byte twice, so nothing can be put there");
        }
        CopyProgram places = targetType.repeated(targetCount);
        Target target = window.target(call, type.element(), places, to, displacement);
        return target == null ? null : new TypedAccess(target, view, Typed.start(view, buffer, offset, type),
                type.bytes(count), window.at(to, displacement), places, type.element());
    }

    static void put(WindowAccess window, Object origin, long offset, long count, Datatype type, int to,
            long displacement, long targetCount, Datatype targetType) {
        TypedAccess access =
                of(window, "put", false, origin, offset, count, type, to, displacement, targetCount, targetType);
        if (access != null) {
            access.move();
        }
    }

    static void get(WindowAccess window, Object into, long offset, long count, Datatype type, int from,
            long displacement, long targetCount, Datatype targetType) {
        TypedAccess access =
                of(window, "get", true, into, offset, count, type, from, displacement, targetCount, targetType);
        if (access != null) {
            access.get = true;
            access.move();
        }
    }

    static void accumulate(WindowAccess window, Object origin, long offset, long count, Datatype type, int to,
            long displacement, long targetCount, Datatype targetType, Op op) {
        TypedAccess access = of(
                window, "accumulate", false, origin, offset, count, type, to, displacement, targetCount, targetType);
        if (op == null || access != null && !op.supports(access.element)) {
            throw op == null ? window.error(ErrorClass.ARGUMENT, "accumulate: argument op is null")
                    : window.error(ErrorClass.TYPE, "accumulate at rank " + to + ": argument op: " + op
                            + " does not combine " + access.element);
        }
        if (access != null) {
            access.op = op;
            access.places.visit(access.at, access);
        }
    }

    private void move() {
        if (target instanceof MappedTarget mapped) {
            moveMapped(mapped.memory());
        } else {
            places.visit(at, this);
        }
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
        if (op != null) {
            target.accumulate(op.reduction(), view, start + done, length, element, place, null);
        } else if (get) {
            target.get(view, start + done, length, element, place, null);
        } else {
            target.put(view, start + done, length, element, place, null);
        }
        done += length;
    }
}
