package io.rankwire;

import io.rankwire.device.Operation;
import io.rankwire.type.ElementType;

/** The accesses of a {@link Window} that return a request each; the epoch's end and flushes cover them too. */
abstract sealed class WindowRequests extends TypedWindow permits Window {
    /** As {@link #put}; the request is done when the buffer may be used again. */
    public Request rput(Object origin, long offset, long count, int to, long displacement) {
        Target target = access().target("rput", origin, offset, count, to, displacement);
        Operation operation = null;
        if (target != null) {
            ElementType type = typeOf(origin);
            operation = target.begin(count * type.bytes());
            target.put(Buffers.base(origin), WindowAccess.start(origin, offset), count * type.bytes(), type,
                    access().at(to, displacement), operation);
        }
        return new Request(on(), "rput", operation, Status.SENT);
    }

    /** As {@link #get}; the request is done when the bytes are here. */
    public Request rget(Object into, long offset, long count, int from, long displacement) {
        Target target = access().target("rget", into, offset, count, from, displacement);
        checkWritable(into);
        Operation operation = null;
        if (target != null) {
            ElementType type = typeOf(into);
            operation = target.begin(count * type.bytes());
            target.get(Buffers.base(into), WindowAccess.start(into, offset), count * type.bytes(), type,
                    access().at(from, displacement), operation);
        }
        return new Request(on(), "rget", operation, Status.SENT);
    }

    /** As {@link #accumulate}; the request is done when the buffer may be used again. */
    public Request raccumulate(Object origin, long offset, long count, int to, long displacement, Op op) {
        Target target = access().target("raccumulate", origin, offset, count, to, displacement);
        ElementType type = access().combined("raccumulate", origin, to, op);
        Operation operation = null;
        if (target != null) {
            operation = target.begin(count * type.bytes());
            target.accumulate(op.reduction(), Buffers.base(origin), WindowAccess.start(origin, offset),
                    WindowAccess.bytes(origin, count), type, access().at(to, displacement), operation);
        }
        return new Request(on(), "raccumulate", operation, Status.SENT);
    }

    /** As {@link #getAccumulate}; the request is done when the result is here. */
    public Request rgetAccumulate(Object origin, long offset, Object result, long resultOffset, long count, int to,
            long displacement, Op op) {
        Operation operation =
                fetch("rgetAccumulate", origin, offset, result, resultOffset, count, to, displacement, op, true);
        return new Request(on(), "rgetAccumulate", operation, Status.SENT);
    }

    final Operation fetch(String call, Object origin, long offset, Object result, long resultOffset, long count,
            int to, long displacement, Op op, boolean request) {
        Target target = access().target(call, origin, offset, count, to, displacement);
        ElementType type = access().combined(call, origin, to, op);
        access().checkLike(call, "result", origin, result, resultOffset, count);
        if (target == null) {
            return null;
        }
        long bytes = WindowAccess.bytes(origin, count);
        Operation operation = request ? target.begin(bytes) : null;
        target.fetch(op.reduction(), Buffers.base(origin), WindowAccess.start(origin, offset),
                Buffers.base(result), WindowAccess.start(result, resultOffset), bytes, type,
                access().at(to, displacement), operation);
        return operation;
    }
}
