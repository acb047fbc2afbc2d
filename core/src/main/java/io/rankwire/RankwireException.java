package io.rankwire;

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
}
