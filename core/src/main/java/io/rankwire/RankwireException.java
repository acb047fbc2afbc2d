package io.rankwire;

import io.rankwire.runtime.CallChecks;
import io.rankwire.runtime.CallSite;

/** The one exception of this library. */
public final class RankwireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorClass errorClass;
    /** An error handler has heard of it. */
    private transient boolean heard;

    public RankwireException(ErrorClass errorClass, String message) {
        this(errorClass, message, null);
    }

    public RankwireException(ErrorClass errorClass, String message, Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    public ErrorClass errorClass() {
        return errorClass;
    }

    /** Whether nobody asked before. */
    boolean firstHeard() {
        boolean first = !heard;
        heard = true;
        return first;
    }

    /** Has a handler hear of errors of calls on a handle, of each error once. */
    static void handle(CallChecks calls, Handle on, ErrorHandler handler) {
        if (handler == null) {
            throw calls.raised(new RankwireException(ErrorClass.ARGUMENT,
                    on.name() + ": errorHandler: argument handler is null" + CallSite.find()));
        }
        calls.handler(handler == ErrorHandler.THROW ? null : error -> {
            if (error.firstHeard()) {
                handler.failed(on, error);
            }
        });
    }
}
