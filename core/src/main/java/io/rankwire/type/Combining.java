package io.rankwire.type;

import java.lang.foreign.MemorySegment;

/**
 * A buffer that combines what is written to it: bytes that arrive for a place are combined with those of a local buffer
 * there, and the result goes into the target. So a reduction needs no pass of its own over a message.
 */
public final class Combining {
    private final Combination combination;
    private final boolean comingFirst;
    private Object target;
    private Object local;
    private long localFromTarget;
    /** What the operation has thrown; nothing is combined any more. */
    private Throwable thrown;

    public Combining(Combination combination, boolean comingFirst) {
        this.combination = combination;
        this.comingFirst = comingFirst;
    }

    /** Says where; offsets are those of the target, and the local part lies so much further in its own buffer. */
    public void bind(Object intoTarget, Object withLocal, long further) {
        if (target != intoTarget) {
            target = intoTarget;
        }
        if (local != withLocal) {
            local = withLocal;
        }
        localFromTarget = further;
        thrown = null;
    }

    boolean hasEnded() {
        return Copy.hasEnded(target) || Copy.hasEnded(local);
    }

    /** What the operation has thrown since this was bound, or null. */
    public Throwable thrown() {
        return thrown;
    }

    /** An operation of the program's own may throw anything; the message is taken in all the same. */
    void take(MemorySegment from, long fromByte, long toByte, int bytes) {
        if (thrown != null) {
            return;
        }
        try {
            if (comingFirst) {
                combination.combine(from, fromByte, local, toByte + localFromTarget, target, toByte, bytes);
            } else {
                combination.combine(local, toByte + localFromTarget, from, fromByte, target, toByte, bytes);
            }
        } catch (RuntimeException | Error e) {
            if (hasEnded()) {
                throw e;
            }
            thrown = e;
        }
    }
}
