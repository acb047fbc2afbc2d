package io.rankwire.fabric.ofi;

import java.lang.foreign.Arena;

/**
 * Operations that the provider starts by itself when a counter has reached a value, and that count up another counter
 * when they end. Each entry has a place, which keeps its structures until it has ended. Its context is the entry
 * itself, which providers check. An addition to a counter counts up the counter that it adds to, and no other.
 */
final class DeferredWork implements AutoCloseable {
    /** The entry, its operation with all parts, the vectors that it points to, and room for the head of a message. */
    private static final int WORK = 0;
    private static final int OP = 128;
    private static final int VECTORS = 192;
    private static final int DESCS = 240;
    private static final int HEAD = 264;
    private static final int FILLING = 328;
    private static final int BYTES = 384;
    private static final int MOST_PARTS = 3;
    private static final int TRIES = 100_000;

    private final Engine engine;
    private final Arena arena = Arena.ofShared();
    private final long[] free;
    private int count;

    /**
     * @param most entries at a time
     */
    DeferredWork(Engine engine, int most) {
        this.engine = engine;
        this.free = new long[most];
        long block = Raw.allocate(arena, (long) most * BYTES);
        for (int i = 0; i < most; i++) {
            give(block + (long) i * BYTES);
        }
    }

    /** Whether the provider takes deferred work at all, by trying an addition. */
    static boolean isTaken(Engine engine) {
        Counter counter = engine.counter();
        Counter target = counter == null ? null : engine.counter();
        boolean isTaken = false;
        try (DeferredWork work = new DeferredWork(engine, 1)) {
            if (target != null && work.add(work.take(), counter, 1, target) == 0) {
                counter.add(1);
                for (int i = 0; i < TRIES && target.value() == 0; i++) {
                    engine.readCompletions(0);
                    Thread.onSpinWait();
                }
                isTaken = target.value() == 1;
            }
        } finally {
            if (counter != null) {
                counter.close();
            }
            if (target != null) {
                target.close();
            }
        }
        return isTaken;
    }

    /** Places that are free. */
    int left() {
        return count;
    }

    /** A place for one entry. */
    long take() {
        return free[--count];
    }

    /** The entry has ended. */
    void give(long place) {
        free[count++] = place;
    }

    /** Where the head of a message is written: 64 bytes. */
    static long head(long place) {
        return place + HEAD;
    }

    /** Once the counter has this value, adds one to another. Returns 0, or an error of the library. */
    int add(long place, Counter when, long value, Counter to) {
        begin(place, when, value, null, Abi.WORK_CNTR_ADD);
        Raw.word(place + OP + Abi.OP_CNTR, to.fid.address);
        Raw.word(place + OP + Abi.OP_CNTR_VALUE, 1);
        return engine.domain.control(Abi.FI_QUEUE_WORK, place + WORK);
    }

    /**
     * Once the counter has this value, sends a message: its head, bytes from memory, and zeros up to the next word.
     *
     * @param ended counts when the message has gone
     */
    int send(long place, Counter when, long value, Counter ended, long peer, int headBytes, long from, long bytes) {
        begin(place, when, value, ended, Abi.WORK_SEND);
        part(place, 0, place + HEAD, headBytes);
        long filling = -bytes & Long.BYTES - 1;
        if (bytes > 0) {
            part(place, 1, from, bytes);
            part(place, 2, place + FILLING, filling);
        }
        long message = place + OP + Abi.OP_MSG;
        Raw.word(place + OP + Abi.OP_EP, engine.endpoint.address);
        Raw.word(message + Abi.MSG_IOV, place + VECTORS);
        Raw.word(message + Abi.MSG_DESC, place + DESCS);
        Raw.word(message + Abi.MSG_IOV_COUNT, bytes == 0 ? 1 : filling == 0 ? 2 : MOST_PARTS);
        Raw.word(message + Abi.MSG_ADDR, peer);
        Raw.word(message + Abi.MSG_CONTEXT, place + WORK);
        Raw.word(message + Abi.MSG_DATA, 0);
        Raw.word(place + OP + Abi.OP_MSG_FLAGS, 0);
        return engine.domain.control(Abi.FI_QUEUE_WORK, place + WORK);
    }

    private void begin(long place, Counter when, long value, Counter ended, int type) {
        Raw.clear(place, HEAD);
        Raw.word(place + Abi.WORK_THRESHOLD, value);
        Raw.word(place + Abi.WORK_TRIGGERING, when.fid.address);
        Raw.word(place + Abi.WORK_COMPLETION, ended == null ? 0 : ended.fid.address);
        Raw.half(place + Abi.WORK_TYPE, type);
        Raw.word(place + Abi.WORK_OP, place + OP);
    }

    private static void part(long place, int number, long from, long bytes) {
        Raw.word(place + VECTORS + (long) number * Abi.IOVEC, from);
        Raw.word(place + VECTORS + (long) number * Abi.IOVEC + Long.BYTES, bytes);
    }

    @Override
    public void close() {
        arena.close();
    }
}
