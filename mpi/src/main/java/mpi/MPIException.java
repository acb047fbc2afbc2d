package mpi;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.World;

/** The error of a call. It is unchecked: a program that does not catch it ends its job. */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** One of the constants of {@link MPI}. */
    private final int errorClass;
    /** Whether the message is complete: it names rank, call and line, or is the program's own. */
    private boolean complete;
    /** Null for the message of the superclass. */
    private String message;

    /** Makes an exception of the program. */
    public MPIException() {
        this((String) null);
    }

    /** Makes an exception of the program. */
    public MPIException(String message) {
        this(MPI.ERR_OTHER, message, null);
        complete = true;
    }

    /** Makes an exception of the program. */
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
     * Adds this rank, the program's call and its source line to the message, unless it is complete.
     *
     * @param inCore the rank that the text of core names
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

    /** Returns the error code, which is the error class (MPI_Error_class). */
    public int getErrorCode() {
        return errorClass;
    }

    /** Returns the error class, one of the constants of {@link MPI}. */
    public int getErrorClass() {
        return errorClass;
    }

    /** Returns an error as the exception that a call throws. */
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
            case PEER -> MPI.ERR_PROC_FAILED;
            case REVOKED -> MPI.ERR_REVOKED;
            case ABORTED -> MPI.ERR_PROC_ABORTED;
            case ARGUMENT -> MPI.ERR_ARG;
            case DATAGRAM, CLOSED -> MPI.ERR_OTHER;
        };
    }

    /** As {@link #of(RuntimeException)}, with another error class of MPI for one class of core. */
    static MPIException of(RankwireException e, ErrorClass from, int to) {
        return new MPIException(e.errorClass() == from ? to : classOf(e), e.getMessage(), e);
    }
}
