package mpi;

/** A handle that a program gives back when it needs it no longer. */
public interface Freeable {
    /** Ends the handle, which is null afterwards. */
    void free() throws MPIException;
}
