package mpi;

/** Collective calls as mpiJava names them. */
abstract class MpiJavaCollectives extends OpenMpiCollectives {
    MpiJavaCollectives() {}

    public final void Barrier() throws MPIException {
        meet();
    }

    public final void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        broadcast(buf, offset, count, type, root);
    }
}
