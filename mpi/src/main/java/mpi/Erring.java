package mpi;

/** A handle on which calls fail. */
abstract class Erring {
    Erring() {}

    /** For every error of a call on this: what the call throws, if the handler lets it come to that. */
    abstract MPIException raised(RuntimeException e);
}
