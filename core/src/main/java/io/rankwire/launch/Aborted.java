package io.rankwire.launch;

/** The program has ended its job on purpose; the message says all there is to say. */
public final class Aborted extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    public Aborted(String message, int status) {
        super(message, null, false, false);
        this.status = status;
    }

    /** What a process exits with because of what was thrown. */
    static int status(Throwable thrown) {
        return thrown instanceof Aborted aborted ? aborted.status
                : thrown instanceof ProgramClock.Exited exited ? exited.status : 1;
    }
}
