package io.rankwire.fabric.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What some providers do themselves beyond messages and plain accesses: matching by tags, and atomic accesses.
 * Functions are those of the {@link Engine}'s endpoint, and return what the library returns.
 */
final class Offload {
    private final Engine engine;
    private final long endpoint;
    private final MemorySegment taggedReceive;
    private final MemorySegment taggedSend;
    private final MemorySegment taggedInject;
    private final MemorySegment update;
    private final MemorySegment fetch;
    private final MemorySegment compare;
    private final MemorySegment query;

    Offload(Engine engine) {
        this.engine = engine;
        Fid fid = engine.endpoint;
        endpoint = fid.address;
        taggedReceive = fid.function(Abi.EP_TAGGED, Abi.MSG_RECV);
        taggedSend = fid.function(Abi.EP_TAGGED, Abi.MSG_SEND);
        taggedInject = fid.function(Abi.EP_TAGGED, Abi.MSG_INJECT);
        update = fid.function(Abi.EP_ATOMIC, Abi.ATOMIC_WRITE);
        fetch = fid.function(Abi.EP_ATOMIC, Abi.ATOMIC_READWRITE);
        compare = fid.function(Abi.EP_ATOMIC, Abi.ATOMIC_COMPWRITE);
        query = engine.domain.function(Abi.OBJECT_OPS, Abi.DOMAIN_QUERY_ATOMIC);
    }

    boolean matchesTags() {
        return engine.provider.has(Abi.FI_TAGGED) && taggedReceive != null && taggedSend != null
                && taggedInject != null;
    }

    /** Whether this operation on elements of this type is made by the provider, in one step. */
    boolean isAtomic(int type, int operation, boolean fetches) {
        if (!engine.provider.has(Abi.FI_ATOMIC) || query == null || update == null || fetch == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            long attributes = Raw.allocate(arena, 2 * Long.BYTES);
            long flags = fetches ? Abi.FI_FETCH_ATOMIC : 0;
            return (int) Calls.call(query, engine.domain.address, type, operation, attributes, flags) == 0;
        }
    }

    /**
     * @param ignored bits of the tag that do not matter
     */
    long receive(long peer, long to, long bytes, long desc, long tag, long ignored, long context) {
        return Calls.call(taggedReceive, endpoint, to, bytes, desc, peer, tag, ignored, context, 0);
    }

    long send(long peer, long from, long bytes, long desc, long tag, long context) {
        return Calls.call(taggedSend, endpoint, from, bytes, desc, peer, tag, context, 0, 0);
    }

    long inject(long peer, long from, long bytes, long tag) {
        return Calls.call(taggedInject, endpoint, from, bytes, peer, tag, 0);
    }

    /** Combines elements with those at a peer. */
    long update(long peer, long from, long count, long desc, long to, long key, int type, int operation,
            long context) {
        return Calls.call(update, endpoint, from, count, desc, peer, to, key, type, operation, context, 0, 0, 0, 0);
    }

    /** As {@link #update}; what was there before comes to {@code result}. */
    long fetch(long peer, long from, long count, long desc, long result, long resultDesc, long to, long key, int type,
            int operation, long context) {
        return Calls.call(fetch, endpoint, from, count, desc, result, resultDesc, peer, to, key, type, operation,
                context, 0, 0);
    }

    /** Writes elements where those at the peer compare as the operation says; {@code result} gets what was there. */
    long compare(long peer, long from, long count, long desc, long expected, long expectedDesc, long result,
            long resultDesc, long to, long key, int type, int operation, long context) {
        return Calls.call(compare, endpoint, from, count, desc, expected, expectedDesc, result, resultDesc, peer, to,
                key, type, operation, context);
    }
}
