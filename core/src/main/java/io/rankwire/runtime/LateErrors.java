package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.device.Code;
import io.rankwire.device.Device;
import io.rankwire.device.Refusal;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Errors of messages whose call has returned. The call of this rank that waits now throws one, or the next call that
 * the rank makes.
 */
final class LateErrors implements Consumer<Refusal> {
    /** An error on its way to a call, with the communicator whose handler is to see it; that may be freed: null. */
    static final class LateError extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Endpoint on;
        private final ErrorClass errorClass;

        private LateError(Endpoint on, ErrorClass errorClass, String text) {
            super(text);
            this.on = on;
            this.errorClass = errorClass;
        }

        /** The exception for the call that runs now. */
        RankwireException error() {
            return new RankwireException(errorClass, getMessage() + "; reported by the call" + CallSite.find());
        }

        /** As {@link #error}, of a call that has not begun and does not have the lock. */
        RuntimeException failed() {
            return on == null ? error() : on.failed(error());
        }
    }

    private final DeviceLock lock;
    private Session session;
    /** Calls under way during which errors wait. */
    private int holders;
    private final ArrayDeque<RuntimeException> held = new ArrayDeque<>();

    LateErrors(DeviceLock lock) {
        this.lock = lock;
    }

    /** Errors of this device come here from now on. */
    void begin(Session of, Device device) {
        session = of;
        device.onRefusal(this);
    }

    @Override
    public void accept(Refusal refusal) {
        Endpoint on = session.contexts().of(refusal.context());
        int peer = on == null ? refusal.peer() : on.rankOf(refusal.peer());
        String tag = ", tag " + refusal.tag() + ", on " + (on == null ? "a communicator that is freed" : on.name());
        String text = refusal.sent()
                ? call(refusal.code()) + " to rank " + peer + tag + why(refusal.code(), peer, refusal.bytes(),
                        refusal.room())
                : "rank " + peer + " has called rsend" + tag + ": no receive was posted when the message of "
                        + refusal.bytes() + " bytes came, so it was refused";
        LateError error = new LateError(on, classOf(refusal.code()), "rank " + session.worldRank() + ": " + text);
        if (holders > 0) {
            held.add(error);
        } else {
            lock.fail(error);
        }
    }

    /** Errors wait until {@link #deliver} was called as often as this; the caller has the lock. */
    void hold() {
        holders++;
        for (RuntimeException each = lock.takeFailure(); each != null; each = lock.takeFailure()) {
            held.add(each);
        }
    }

    void deliver() {
        if (--holders == 0) {
            held.forEach(lock::fail);
            held.clear();
        }
    }

    private static String call(int code) {
        return code == Code.NOT_POSTED ? "rsend" : "send";
    }

    /** Why a rank has refused a message. */
    static String why(int code, int rank, long bytes, long room) {
        return ": rank " + rank + " refused the message: " + switch (code) {
            case Code.TRUNCATED -> "it has " + bytes + " bytes, the buffer there only " + room;
            case Code.NOT_READY -> "it had no room for it, and " + room + " more tries were in vain";
            case Code.NOT_POSTED -> "no receive was posted there when it came, as rsend requires";
            default -> "the buffer there is of another type";
        };
    }

    static ErrorClass classOf(int code) {
        return switch (code) {
            case Code.TRUNCATED -> ErrorClass.TRUNCATE;
            case Code.NOT_POSTED -> ErrorClass.REQUEST;
            case Code.NOT_READY -> ErrorClass.RESOURCE;
            default -> ErrorClass.TYPE;
        };
    }
}
