package io.rankwire.tools.options;

/**
 * The command line is wrong, or the command cannot run as it was given. The message is one sentence for the user; the
 * status is the exit status of the command.
 */
public class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    public UsageException(String message) {
        this(message, 2);
    }

    public UsageException(String message, int status) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
