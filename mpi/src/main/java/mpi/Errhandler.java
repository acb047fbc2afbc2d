package mpi;

/** The treatment of errors: every error is thrown, and a fatal error handler ends the job first. */
public final class Errhandler {
    private final String name;
    private final boolean fatal;

    Errhandler(String name, boolean fatal) {
        this.name = name;
        this.fatal = fatal;
    }

    boolean isFatal() {
        return fatal;
    }

    @Override
    public String toString() {
        return name;
    }
}
