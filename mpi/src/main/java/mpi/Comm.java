package mpi;

import io.rankwire.AnyCommunicator;

/**
 * A communicator, in both dialects. Its methods are those of its superclasses, one for each family of calls and
 * dialect.
 */
public class Comm extends MpiJavaCollectives implements Freeable, Cloneable {
    public static final int TYPE_SHARED = 0;

    private Request request = MPI.REQUEST_NULL;

    Comm() {}

    /** One that was made out of another, and has its handler. */
    Comm(AnyCommunicator core, Errhandler errhandler) {
        open(core, errhandler);
    }

    /** A communicator of the same ranks, with messages of its own. */
    @Override
    public Comm clone() {
        return dup();
    }

    public Comm dup() throws MPIException {
        throw raised(new MPIException(MPI.ERR_COMM, "the communicator is null"));
    }

    /** As {@link #dup}; {@link #getRequest} of the new one says when it can be used, which is at once. */
    public Comm iDup() throws MPIException {
        Comm copy = dup();
        copy.request = Request.done(copy, Status.empty());
        return copy;
    }

    public Comm dupWithInfo(Info info) throws MPIException {
        Comm copy = dup();
        copy.setInfo(info);
        return copy;
    }

    public final Request getRequest() {
        return request;
    }

    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        try {
            comm1.core();
            comm2.core();
            if (comm1.intra != null && comm2.intra != null) {
                return Group.code(comm1.intra.compare(comm2.intra));
            }
            return comm1.inter == null || comm2.inter == null ? MPI.UNEQUAL
                    : Group.code(comm1.inter.compare(comm2.inter));
        } catch (RuntimeException e) {
            throw comm1.raised(e);
        }
    }

    @Override
    public final void free() throws MPIException {
        try {
            if (core() == inter) {
                inter.free();
            } else {
                intra.free();
            }
            core = null;
            intra = null;
            inter = null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** As {@link #free}, when all messages are through: here they are, or never will be. */
    public final void disconnect() throws MPIException {
        free();
    }

    /**
     * Joins two communicators that have no rank in common; called on one that both leaders are in.
     *
     * @param localComm this rank's side
     * @param localLeader a rank of it
     * @param remoteLeader the other side's leader, by its rank here
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
            throws MPIException {
        try {
            return new Intercomm(localComm.intra().intercommunicator(localLeader, intra, remoteLeader, tag),
                    getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    // mpiJava

    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare(comm1, comm2);
    }

    public final void Free() throws MPIException {
        free();
    }

    public final Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
            throws MPIException {
        return createIntercomm(local_comm, local_leader, remote_leader, tag);
    }
}
