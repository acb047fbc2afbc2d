package io.rankwire;

/** The one exception of this library. */
public final class RankwireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorClass errorClass;

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
}
