package mpi;

/** What becomes of an error: it is thrown in any case, and with a fatal handler the job ends before. */
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
