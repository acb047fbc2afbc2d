package io.rankwire.type;

/** A value that cannot be encoded, or bytes that do not hold the value asked for. The message names both sides. */
public final class FormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public FormatException(String message) {
        super(message);
    }

    public FormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
