package mpi;

/** An operation of the program's own, as mpiJava has it. */
public abstract class User_function {
    /** Combines {@code count} elements of a type: {@code inoutvec[i] = invec[i] op inoutvec[i]}. */
    public abstract void Call(
            Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
            throws MPIException;
}
