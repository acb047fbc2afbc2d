package mpi;

import io.rankwire.Communicator;
import java.util.Optional;

/** A communicator of one group, in both dialects. */
public class Intracomm extends Processes {
    /** One that is null, until it is opened. */
    Intracomm() {}

    Intracomm(Communicator core, Errhandler errhandler) {
        super(core, errhandler);
    }

    @Override
    public Intracomm clone() {
        return dup();
    }

    @Override
    public Intracomm dup() throws MPIException {
        try {
            return new Intracomm(intra().duplicate(), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    @Override
    public Intracomm iDup() throws MPIException {
        return (Intracomm) super.iDup();
    }

    @Override
    public Intracomm dupWithInfo(Info info) throws MPIException {
        return (Intracomm) super.dupWithInfo(info);
    }

    // Open MPI: who takes no part gets a communicator that is null

    /** One communicator for each colour, ordered by key; {@link MPI#UNDEFINED} takes no part. */
    public final Intracomm split(int colour, int key) throws MPIException {
        Intracomm part = Split(colour, key);
        return part == null ? new Intracomm() : part;
    }

    /** One for all ranks that share memory. */
    public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        try {
            if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED) {
                throw new MPIException(MPI.ERR_ARG, "splitType: argument splitType: " + splitType);
            }
            return splitType == TYPE_SHARED
                    ? new Intracomm(intra().splitShared(key), getErrhandler()) : split(MPI.UNDEFINED, key);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Intracomm create(Group group) throws MPIException {
        Intracomm part = Create(group);
        return part == null ? new Intracomm() : part;
    }

    /** As {@link #create}, called by the members alone. */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        try {
            return new Intracomm(intra().createGroup(Group.core(group), tag), getErrhandler());
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    // mpiJava: who takes no part gets null

    public final Intracomm Split(int colour, int key) throws MPIException {
        try {
            if (colour < 0 && colour != MPI.UNDEFINED) {
                throw new MPIException(MPI.ERR_ARG, "split: argument colour: " + colour + " is below zero");
            }
            return made(intra().split(colour, key));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final Intracomm Create(Group group) throws MPIException {
        try {
            return made(intra().create(Group.core(group)));
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** As {@link #Create}, which an earlier version misspelt. */
    public final Intracomm Creat(Group group) throws MPIException {
        return Create(group);
    }

    private Intracomm made(Optional<Communicator> part) {
        return part.isPresent() ? new Intracomm(part.get(), getErrhandler()) : null;
    }
}
