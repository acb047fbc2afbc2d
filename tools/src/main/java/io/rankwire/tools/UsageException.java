package io.rankwire.tools;

/**
 * The command was given wrongly, or cannot be carried out as given: one sentence, and the exit status that goes with
 * it.
 */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    UsageException(String message) {
        this(message, 2);
    }

    UsageException(String message, int status) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
