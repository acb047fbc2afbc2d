package io.rankwire.device;

import io.rankwire.type.Copy;

/** Buffered sends whose bytes the device holds, up to a bound, until they have gone. */
public final class BufferedSends {
    private final Operations operations;
    private final long most;
    private long held;

    BufferedSends(Operations operations, long most) {
        this.operations = operations;
        this.most = most;
    }

    /** Whether there is room for this number of bytes more. */
    boolean admits(long bytes) {
        return held + bytes <= most;
    }

    long held() {
        return held;
    }

    /** Copies the bytes of a buffered send, after which it is done for its caller; does nothing for other sends. */
    public void hold(Operation operation) {
        if (operation.mode != Operation.Mode.BUFFERED || operation.heldBuffer) {
            return;
        }
        byte[] copy = new byte[(int) operation.bytes];
        try {
            Copy.toBytes(operation.buffer, operation.offset, copy);
        } catch (IllegalStateException e) {
            operation.checkEnded(e);
            return;
        }
        operation.buffer = copy;
        operation.offset = 0;
        operation.heldBuffer = true;
        held += copy.length;
    }

    /** Ends a send of any mode; one that is held here is released too. */
    public void finish(Operation operation, int code) {
        if (operation.heldBuffer) {
            held -= operation.bytes;
            operation.buffer = null;
            operation.finish(code);
            operations.give(operation);
        } else {
            operation.finish(code);
        }
    }
}
