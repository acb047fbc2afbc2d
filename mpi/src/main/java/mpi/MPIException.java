package mpi;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.World;

/** What went wrong in a call. Nothing has to be declared or caught: a program that lets it out ends its job. */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int errorClass;
    /** Whether the message has all that it is to have: rank, call and line, unless the program has made it. */
    private boolean complete;
    /** Null if it is that of the superclass. */
    private String message;

    public MPIException() {
        this((String) null);
    }

    public MPIException(String message) {
        this(MPI.ERR_OTHER, message, null);
        complete = true;
    }

    public MPIException(Throwable cause) {
        this(classOf(cause), cause == null ? null : cause.getMessage(), cause);
        complete = true;
    }

    MPIException(int errorClass, String message) {
        this(errorClass, message, null);
    }

    private MPIException(int errorClass, String message, Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    @Override
    public String getMessage() {
        return message == null ? super.getMessage() : message;
    }

    /**
     * Adds this rank, the call that the program has made and its line, if they are not there.
     *
     * @param inCore this rank, as core has called it in the text
     */
    MPIException placed(int inCore) {
        if (!complete) {
            complete = true;
            World world = RankState.mine().world;
            int rank = world == null ? -1 : world.communicator().rank();
            message = CallSite.find().around(rank, inCore, super.getMessage());
        }
        return this;
    }

    public int getErrorCode() {
        return errorClass;
    }

    public int getErrorClass() {
        return errorClass;
    }

    /** Whatever a call has ended with, as what it throws. */
    static MPIException of(RuntimeException e) {
        return e instanceof MPIException ours ? ours : new MPIException(classOf(e), e.getMessage(), e);
    }

    private static int classOf(Throwable cause) {
        if (!(cause instanceof RankwireException e)) {
            return MPI.ERR_OTHER;
        }
        if (CallSite.isOfNull(e.getMessage())) {
            return MPI.ERR_BUFFER;
        }
        return switch (e.errorClass()) {
            case RANK -> MPI.ERR_RANK;
            case TAG -> MPI.ERR_TAG;
            case BUFFER -> MPI.ERR_BUFFER;
            case COUNT -> MPI.ERR_COUNT;
            case COMMUNICATOR -> MPI.ERR_COMM;
            case TOPOLOGY -> MPI.ERR_TOPOLOGY;
            case REQUEST -> MPI.ERR_REQUEST;
            case TRUNCATE -> MPI.ERR_TRUNCATE;
            case TYPE -> MPI.ERR_TYPE;
            case COLLECTIVE -> MPI.ERR_NOT_SAME;
            case CODEC -> MPI.ERR_CONVERSION;
            case RESOURCE -> MPI.ERR_SYSRESOURCE;
            case WINDOW -> MPI.ERR_RMA_SYNC;
            case DISPLACEMENT -> MPI.ERR_DISP;
            case ABORTED, PEER -> MPI.ERR_PROC_ABORTED;
            case ARGUMENT -> MPI.ERR_ARG;
            case DATAGRAM, CLOSED -> MPI.ERR_OTHER;
        };
    }

    /** For errors that another class of the standard names better than ours does. */
    static MPIException of(RankwireException e, ErrorClass from, int to) {
        return new MPIException(e.errorClass() == from ? to : classOf(e), e.getMessage(), e);
    }
}
