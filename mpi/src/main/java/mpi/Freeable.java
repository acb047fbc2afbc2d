package mpi;

/** A handle that a program can free. */
public interface Freeable {
    /** Frees the handle, which is null afterwards. */
    void free() throws MPIException;
}
