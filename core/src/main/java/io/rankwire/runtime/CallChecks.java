package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.ElementType;
import java.util.function.Consumer;

/**
 * Checks the arguments of calls on one communicator or window, and hands errors to its error handler before they are
 * thrown.
 */
public abstract class CallChecks {
    private final Session session;
    private final int rank;
    /** Null for a handler that does nothing. */
    private volatile Consumer<RankwireException> handler;

    CallChecks(Session session, int rank) {
        this.session = session;
        this.rank = rank;
    }

    /** The joined world that calls here belong to. */
    public final Session session() {
        return session;
    }

    /** This rank, in the numbering of the communicator or window. */
    public final int rank() {
        return rank;
    }

    /** How reports name the communicator or window. */
    public abstract String name();

    /** Throws if it was freed or its world is closed. */
    public abstract void checkUsable();

    /** Sets the handler that hears of errors first, or null. It runs outside the device's lock and may make calls. */
    public final void handler(Consumer<RankwireException> other) {
        handler = other;
    }

    /** Hands an error to the handler, and returns it. */
    public final RankwireException raised(RankwireException error) {
        Consumer<RankwireException> hears = handler;
        if (hears != null) {
            hears.accept(error);
        }
        return error;
    }

    /** As {@link #raised}, for any exception: the handler hears of this library's errors, except that the job ended. */
    public final RuntimeException failed(RuntimeException e) {
        return e instanceof RankwireException error && error.errorClass() != ErrorClass.ABORTED ? raised(error) : e;
    }

    /** An error of a call; {@code what} names the argument and its value. */
    public final RankwireException error(ErrorClass errorClass, String what) {
        return raised(new RankwireException(errorClass, "rank " + rank + ": " + CallSite.tell(what)));
    }

    /** An error that was found where only the argument is known, with rank, call and line added. */
    public final RankwireException located(RankwireException e) {
        return raised(new RankwireException(
                e.errorClass(), "rank " + rank + ": " + CallSite.tell(e.getMessage()), e.getCause()));
    }

    /** The element type of a buffer that a call was given. */
    public final ElementType typeOf(Object buffer) {
        ElementType type = ElementType.ofBuffer(buffer);
        if (type == null) {
            throw located(Buffers.notABuffer(buffer));
        }
        if (type == ElementType.RAW) {
            checkReachable(buffer);
        }
        return type;
    }

    private void checkReachable(Object buffer) {
        try {
            Buffers.checkReachable(buffer);
        } catch (RankwireException e) {
            throw raised(e);
        }
    }

    /** The number of elements in a buffer that a call was given. */
    public final long lengthOf(Object buffer) {
        typeOf(buffer);
        return Buffers.length(buffer);
    }

    /** The number of elements of each block of a buffer that holds a number of blocks and nothing else. */
    public final long share(Object buffer, int blocks) {
        long length = lengthOf(buffer);
        if (length % blocks != 0) {
            throw error(ErrorClass.COUNT, "a " + Buffers.describe(buffer) + " of length " + length
                    + " cannot be cut into " + blocks + " blocks of one length");
        }
        return length / blocks;
    }

    public final void checkPart(Object buffer, long offset, long count) {
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw located(Buffers.outside(buffer, offset, count));
        }
    }

    public final void checkWritable(Object buffer) {
        try {
            Buffers.checkWritable(buffer);
        } catch (RankwireException e) {
            throw located(e);
        }
    }
}
