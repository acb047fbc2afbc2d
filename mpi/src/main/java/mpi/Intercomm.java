package mpi;

import io.rankwire.ErrorClass;
import io.rankwire.Intercommunicator;
import io.rankwire.RankwireException;

/** A communicator between two groups, in both dialects. */
public final class Intercomm extends Comm {
    Intercomm(Intercommunicator core, Errhandler errhandler) {
        super(new CommHandle(core, errhandler));
    }

    /** {@inheritDoc} */
    @Override
    public Intercomm clone() {
        return dup();
    }

    /** {@inheritDoc} */
    @Override
    public Intercomm dup() throws MPIException {
        return on.get(() -> new Intercomm(on.inter().duplicate(), getErrhandler()));
    }

    /** {@inheritDoc} */
    @Override
    public Intercomm iDup() throws MPIException {
        return (Intercomm) super.iDup();
    }

    /** Makes a communicator of the ranks that live, or a null communicator if the remote group has none. */
    @Override
    public Intercomm shrink() throws MPIException {
        return on.get(() -> new Intercomm(live(), getErrhandler()));
    }

    private Intercommunicator live() {
        try {
            return on.inter().shrink();
        } catch (RankwireException e) {
            if (e.errorClass() == ErrorClass.PEER) {
                return null;
            }
            throw e;
        }
    }

    /** {@inheritDoc} */
    @Override
    public Intercomm iShrink() throws MPIException {
        return (Intercomm) super.iShrink();
    }

    /** As {@link #shrink}. */
    public Intercomm Shrink() throws MPIException {
        return shrink();
    }

    /** {@inheritDoc} */
    @Override
    public Intercomm dupWithInfo(Info info) throws MPIException {
        return (Intercomm) super.dupWithInfo(info);
    }

    /** Returns the number of ranks of the remote group (MPI_Comm_remote_size). */
    public int getRemoteSize() throws MPIException {
        return on.get(() -> on.inter().remoteSize());
    }

    /** Returns the remote group (MPI_Comm_remote_group). */
    public Group getRemoteGroup() throws MPIException {
        return on.get(() -> new Group(on.inter().remoteGroup()));
    }

    /** Makes one group of the two; the ranks of the side that is not high come first (MPI_Intercomm_merge). */
    public Intracomm merge(boolean high) throws MPIException {
        return on.get(() -> new Intracomm(on.inter().merge(high), getErrhandler()));
    }

    /** Returns a null communicator: no program has started this one (MPI_Comm_get_parent). */
    public static Intercomm getParent() throws MPIException {
        return new Intercomm(null, MPI.ERRORS_RETURN);
    }

    // mpiJava

    /** As {@link #getRemoteSize}. */
    public int Remote_size() throws MPIException {
        return getRemoteSize();
    }

    /** As {@link #getRemoteGroup}. */
    public Group Remote_group() throws MPIException {
        return getRemoteGroup();
    }

    /** As {@link #merge}. */
    public Intracomm Merge(boolean high) throws MPIException {
        return merge(high);
    }
}
