package mpi;

import java.nio.Buffer;

/** Collective calls as Open MPI names them. */
abstract class OpenMpiCollectives extends CommCollectives {
    OpenMpiCollectives() {}

    public final void barrier() throws MPIException {
        meet();
    }

    public final Request iBarrier() throws MPIException {
        return startMeeting();
    }

    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        broadcast(buf, 0, count, type, root);
    }

    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return startBroadcast(buf, 0, count, type, root);
    }
}
