package mpi;

import io.rankwire.Intercommunicator;

/** A communicator between two groups, in both dialects. */
public final class Intercomm extends Comm {
    /** One that is null. */
    private Intercomm() {}

    Intercomm(Intercommunicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    @Override
    public Intercomm clone() {
        return dup();
    }

    @Override
    public Intercomm dup() throws MPIException {
        try {
            return new Intercomm(inter().duplicate(), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    @Override
    public Intercomm iDup() throws MPIException {
        return (Intercomm) super.iDup();
    }

    @Override
    public Intercomm dupWithInfo(Info info) throws MPIException {
        return (Intercomm) super.dupWithInfo(info);
    }

    public int getRemoteSize() throws MPIException {
        try {
            return inter().remoteSize();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public Group getRemoteGroup() throws MPIException {
        try {
            return new Group(inter().remoteGroup());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** One group out of two, the side that is not high first. */
    public Intracomm merge(boolean high) throws MPIException {
        try {
            return new Intracomm(inter().merge(high), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** The job that started this one: null, as programs cannot start others yet. */
    public static Intercomm getParent() throws MPIException {
        return new Intercomm();
    }

    // mpiJava

    public int Remote_size() throws MPIException {
        return getRemoteSize();
    }

    public Group Remote_group() throws MPIException {
        return getRemoteGroup();
    }

    public Intracomm Merge(boolean high) throws MPIException {
        return merge(high);
    }
}
