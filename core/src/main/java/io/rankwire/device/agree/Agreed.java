package io.rankwire.device.agree;

import io.rankwire.device.Code;
import io.rankwire.device.Operation;

/** A call on which the members of a group agree. */
public final class Agreed {
    private final Operation operation;
    private long[] value;
    /** Decided, or dropped: then the operation may serve something else. */
    private boolean over;

    Agreed(Operation operation) {
        this.operation = operation;
    }

    /** Done when the call is decided; to be released by the caller. Ends as cancelled if the group is dropped. */
    public Operation operation() {
        return operation;
    }

    /** The {@link Vote} that was decided, the same at all members; null until then. */
    public long[] value() {
        return value;
    }

    void decided(long[] what) {
        if (!over) {
            value = what;
            end(Code.OK);
        }
    }

    void dropped() {
        if (!over) {
            end(Code.CANCELLED);
        }
    }

    private void end(int code) {
        over = true;
        if (operation != null && !operation.isDone()) {
            operation.finish(code);
        }
    }
}
