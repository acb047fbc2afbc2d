package io.rankwire.fabric.ofi;

import java.lang.foreign.Arena;

/**
 * Operations that the provider starts by itself when a counter has reached a value, and that count up another counter
 * when they end. Each entry keeps its structures until it has ended; its context is the entry itself, which providers
 * check. An addition to a counter counts up the counter that it adds to, and no other.
 */
final class DeferredWork implements AutoCloseable {
    /** The entry, its operation with all parts, and the vectors that the operation points to. */
    private static final int WORK = 0;
    private static final int OP = 128;
    private static final int VECTOR = 256;
    private static final int REMOTE = 272;
    private static final int DESC = 304;
    private static final int BYTES = 320;

    private final Engine engine;
    private final Arena arena = Arena.ofShared();
    private final long[] places;
    private int used;

    /**
     * @param most entries, until {@link #reset}
     */
    DeferredWork(Engine engine, int most) {
        this.engine = engine;
        this.places = new long[most];
        for (int i = 0; i < most; i++) {
            places[i] = Raw.allocate(arena, BYTES);
        }
    }

    /** Whether the provider takes deferred work at all, by trying an addition of nothing. */
    static boolean isTaken(Engine engine) {
        Counter counter = engine.counter();
        if (counter == null) {
            return false;
        }
        Counter target = engine.counter();
        boolean isTaken = false;
        try (DeferredWork work = new DeferredWork(engine, 1)) {
            isTaken = target != null && work.add(counter, 1, target, 1) == 0;
            if (isTaken) {
                counter.add(1);
                for (int i = 0; i < 100_000 && target.value() == 0; i++) {
                    engine.readCompletions(0);
                    Thread.onSpinWait();
                }
                isTaken = target.value() == 1;
                work.flush();
            }
        } finally {
            counter.close();
            if (target != null) {
                target.close();
            }
        }
        return isTaken;
    }

    /** Once the counter has this value, adds to another. Returns 0, or an error of the library. */
    int add(Counter when, long value, Counter to, long amount) {
        long place = next(when, value, null, Abi.WORK_CNTR_ADD);
        Raw.word(place + OP + Abi.OP_CNTR, to.fid.address);
        Raw.word(place + OP + Abi.OP_CNTR_VALUE, amount);
        return queue(place);
    }

    /** Once the counter has this value, sends a message; {@code ended} counts when it has gone. */
    int send(Counter when, long value, Counter ended, long peer, long from, long bytes, long desc) {
        long place = next(when, value, ended, Abi.WORK_SEND);
        message(place, peer, from, bytes, desc);
        Raw.word(place + OP + Abi.OP_MSG + Abi.MSG_CONTEXT, place + WORK);
        Raw.word(place + OP + Abi.OP_MSG_FLAGS, 0);
        return queue(place);
    }

    int taggedSend(Counter when, long value, Counter ended, long peer, long from, long bytes, long desc, long tag) {
        long place = next(when, value, ended, Abi.WORK_TSEND);
        message(place, peer, from, bytes, desc);
        Raw.word(place + OP + Abi.OP_MSG + Abi.TAGGED_TAG, tag);
        Raw.word(place + OP + Abi.OP_MSG + Abi.TAGGED_CONTEXT, place + WORK);
        Raw.word(place + OP + Abi.OP_TAGGED_FLAGS, 0);
        return queue(place);
    }

    /** Once the counter has this value, writes to memory of a peer. */
    int write(Counter when, long value, Counter ended, long peer, long from, long bytes, long desc, long to,
            long key) {
        return access(Abi.WORK_WRITE, when, value, ended, peer, from, bytes, desc, to, key);
    }

    /** Once the counter has this value, reads from memory of a peer. */
    int read(Counter when, long value, Counter ended, long peer, long to, long bytes, long desc, long from,
            long key) {
        return access(Abi.WORK_READ, when, value, ended, peer, to, bytes, desc, from, key);
    }

    private int access(int type, Counter when, long value, Counter ended, long peer, long here, long bytes, long desc,
            long there, long key) {
        long place = next(when, value, ended, type);
        message(place, peer, here, bytes, desc);
        Raw.word(place + REMOTE + Abi.RMA_IOVEC_ADDR, there);
        Raw.word(place + REMOTE + Abi.RMA_IOVEC_LEN, bytes);
        Raw.word(place + REMOTE + Abi.RMA_IOVEC_KEY, key);
        Raw.word(place + OP + Abi.OP_MSG + Abi.RMA_IOV, place + REMOTE);
        Raw.word(place + OP + Abi.OP_MSG + Abi.RMA_IOV_COUNT, 1);
        Raw.word(place + OP + Abi.OP_MSG + Abi.RMA_CONTEXT, place + WORK);
        Raw.word(place + OP + Abi.OP_RMA_FLAGS, 0);
        return queue(place);
    }

    private long next(Counter when, long value, Counter ended, int type) {
        if (used == places.length) {
            throw new IllegalStateException("all " + places.length + " entries are in use");
        }
        long place = places[used++];
        Raw.clear(place, BYTES);
        Raw.word(place + Abi.WORK_THRESHOLD, value);
        Raw.word(place + Abi.WORK_TRIGGERING, when.fid.address);
        Raw.word(place + Abi.WORK_COMPLETION, ended == null ? 0 : ended.fid.address);
        Raw.half(place + Abi.WORK_TYPE, type);
        Raw.word(place + Abi.WORK_OP, place + OP);
        return place;
    }

    private void message(long place, long peer, long here, long bytes, long desc) {
        Raw.word(place + VECTOR, here);
        Raw.word(place + VECTOR + Long.BYTES, bytes);
        Raw.word(place + DESC, desc);
        long message = place + OP + Abi.OP_MSG;
        Raw.word(place + OP + Abi.OP_EP, engine.endpoint.address);
        Raw.word(message + Abi.MSG_IOV, place + VECTOR);
        Raw.word(message + Abi.MSG_DESC, place + DESC);
        Raw.word(message + Abi.MSG_IOV_COUNT, 1);
        Raw.word(message + Abi.MSG_ADDR, peer);
    }

    private int queue(long place) {
        return engine.domain.control(Abi.FI_QUEUE_WORK, place + WORK);
    }

    /** Cancels all work of the domain that has not begun. */
    int flush() {
        return engine.domain.control(Abi.FI_FLUSH_WORK, 0);
    }

    /** The entries may be used again; all work has ended. */
    void reset() {
        used = 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
