package io.rankwire;

import io.rankwire.device.Operation;

/**
 * The accesses of a {@link Window} with datatypes: one says which elements of a buffer take part, another where they
 * are at the target. The elements must be the same; offsets are in elements of the buffer.
 */
abstract sealed class TypedWindow extends WindowValues permits WindowRequests {
    abstract Communicator on();

    abstract WindowAccess access();

    /** Writes elements of a datatype to places at a target that another names. */
    public void put(Object origin, long offset, long count, Datatype type, int to, long displacement, long targetCount,
            Datatype targetType) {
        TypedAccess.put(access(), "put", origin, offset, count, type, to, displacement, targetCount, targetType, false);
    }

    /** As {@link #put}; the request is done when the buffer may be used again. */
    public Request rput(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType) {
        return started("rput", TypedAccess.put(
                access(), "rput", origin, offset, count, type, to, displacement, targetCount, targetType, true));
    }

    /** Reads elements from places at a target that a datatype names. */
    public void get(Object into, long offset, long count, Datatype type, int from, long displacement, long targetCount,
            Datatype targetType) {
        TypedAccess.get(access(), "get", into, offset, count, type, from, displacement, targetCount, targetType, false);
    }

    /** As {@link #get}; the request is done when the elements are here. */
    public Request rget(Object into, long offset, long count, Datatype type, int from, long displacement,
            long targetCount, Datatype targetType) {
        return started("rget", TypedAccess.get(
                access(), "rget", into, offset, count, type, from, displacement, targetCount, targetType, true));
    }

    /** Combines elements with those at a target. */
    public void accumulate(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType, Op op) {
        TypedAccess.accumulate(access(), "accumulate", origin, offset, count, type, to, displacement, targetCount,
                targetType, op, false);
    }

    /** As {@link #accumulate}; the request is done when the buffer may be used again. */
    public Request raccumulate(Object origin, long offset, long count, Datatype type, int to, long displacement,
            long targetCount, Datatype targetType, Op op) {
        return started("raccumulate", TypedAccess.accumulate(access(), "raccumulate", origin, offset, count, type, to,
                displacement, targetCount, targetType, op, true));
    }

    /** As {@link #accumulate}, and reads what was there before. With {@link Op#NO_OP} there is no origin. */
    public void getAccumulate(Object origin, long offset, long count, Datatype type, Object result, long resultOffset,
            long resultCount, Datatype resultType, int to, long displacement, long targetCount, Datatype targetType,
            Op op) {
        TypedAccess.fetch(access(), "getAccumulate", origin, offset, count, type, result, resultOffset, resultCount,
                resultType, to, displacement, targetCount, targetType, op, false);
    }

    /** As {@link #getAccumulate}; the request is done when the result is here. */
    public Request rgetAccumulate(Object origin, long offset, long count, Datatype type, Object result,
            long resultOffset, long resultCount, Datatype resultType, int to, long displacement, long targetCount,
            Datatype targetType, Op op) {
        return started("rgetAccumulate", TypedAccess.fetch(access(), "rgetAccumulate", origin, offset, count, type,
                result, resultOffset, resultCount, resultType, to, displacement, targetCount, targetType, op, true));
    }

    /**
     * Replaces the element at a target by one of a buffer if it equals an expected one, and reads what was there
     * before. The datatype is one of a single element, a whole number or {@code boolean}.
     */
    public void compareAndSwap(Object origin, long offset, Object expected, long expectedOffset, Object result,
            long resultOffset, Datatype type, int to, long displacement) {
        TypedAccess.compareAndSwap(access(), origin, offset, expected, expectedOffset, result, resultOffset, type, to,
                displacement);
    }

    private Request started(String call, Operation operation) {
        return new Request(on(), call, operation, Status.SENT);
    }
}
