package mpi;

/** A function of the program that combines elements, as in mpiJava. */
public abstract class User_function {
    /** Makes a function. */
    public User_function() {}

    /** Combines {@code count} elements of a type: {@code inoutvec[i] = invec[i] op inoutvec[i]}. */
    public abstract void Call(
            Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
            throws MPIException;
}
