package io.rankwire;

import io.rankwire.runtime.CallChecks;
import io.rankwire.runtime.CallSite;

/**
 * The exception that calls of this library throw. Its message names the rank, the call, the value or peer that is at
 * fault, and the program's line; {@link #errorClass} says what kind of error it is.
 *
 * <pre>{@code
 * try {
 *     all.send(data, 99, 7);
 * } catch (RankwireException e) {
 *     IO.println(e.errorClass());      // RANK
 *     IO.println(e.getMessage());      // rank 0: send: argument dest: 99 is not a rank of world, …
 * }
 * }</pre>
 */
public final class RankwireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of the error. */
    private final ErrorClass errorClass;
    /** Whether an error handler has been called with it. */
    private transient boolean heard;

    /**
     * Makes an exception without a cause.
     *
     * @param errorClass the kind of the error
     * @param message the rank, the call and what is wrong
     */
    public RankwireException(ErrorClass errorClass, String message) {
        this(errorClass, message, null);
    }

    /**
     * Makes an exception.
     *
     * @param errorClass the kind of the error
     * @param message the rank, the call and what is wrong
     * @param cause the exception behind it, or null
     */
    public RankwireException(ErrorClass errorClass, String message, Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    /**
     * Returns the kind of the error.
     *
     * @return never null
     */
    public ErrorClass errorClass() {
        return errorClass;
    }

    /** Whether this is the first call of this method. */
    boolean firstHeard() {
        boolean first = !heard;
        heard = true;
        return first;
    }

    /** Sets the handler that is called with errors of calls on a handle, once for each error. */
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
