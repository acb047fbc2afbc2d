package io.rankwire.runtime;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import io.rankwire.type.ElementType;
import java.util.function.Consumer;

/**
 * Checks the arguments of calls on one communicator or window, and passes errors to its error handler before the call
 * throws them. {@link Endpoint} and the windows extend it.
 */
public abstract class CallChecks {
    private final Session session;
    private final int rank;
    /** The program's error handler, or null. */
    private volatile Consumer<RankwireException> handler;

    /**
     * @param rank this rank, in the numbering of the communicator or window
     */
    protected CallChecks(Session session, int rank) {
        this.session = session;
        this.rank = rank;
    }

    /** Returns the joined world of the communicator or window. */
    public final Session session() {
        return session;
    }

    /** Returns this rank, in the numbering of the communicator or window. */
    public final int rank() {
        return rank;
    }

    /** Returns the name of the communicator or window in reports. */
    public abstract String name();

    /** Throws if the communicator or window was freed, or if the world is closed. */
    public abstract void checkUsable();

    /** Sets the error handler, or null. It runs outside the device's lock and may make calls. */
    public final void handler(Consumer<RankwireException> other) {
        handler = other;
    }

    /** Runs a call whose errors do not go to the handler: the caller may end well in spite of them. */
    public final void withoutHandler(Runnable call) {
        Consumer<RankwireException> kept = handler;
        handler = null;
        try {
            call.run();
        } finally {
            handler = kept;
        }
    }

    /** Passes an error to the handler, and returns it. */
    public final RankwireException raised(RankwireException error) {
        Consumer<RankwireException> current = handler;
        if (current != null) {
            current.accept(error);
        }
        return error;
    }

    /**
     * As {@link #raised}, for any exception. The handler receives errors of this library only, and not the error that
     * the job was aborted.
     */
    public final RuntimeException failed(RuntimeException e) {
        return e instanceof RankwireException error && error.errorClass() != ErrorClass.ABORTED ? raised(error) : e;
    }

    /** Returns an error of the program's call; {@code what} names the argument and its value. */
    public final RankwireException error(ErrorClass errorClass, String what) {
        return raised(new RankwireException(errorClass, "rank " + rank + ": " + CallSite.describe(what)));
    }

    /** Adds rank, call and program line to an error whose message names the argument only. */
    public final RankwireException located(RankwireException e) {
        return raised(new RankwireException(
                e.errorClass(), "rank " + rank + ": " + CallSite.describe(e.getMessage()), e.getCause()));
    }

    /** Returns the element type of a buffer; throws if the object is no buffer of this thread. */
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
            throw located(e);
        }
    }

    /** Returns the number of elements in a buffer; throws as {@link #typeOf} does. */
    public final long lengthOf(Object buffer) {
        typeOf(buffer);
        return Buffers.length(buffer);
    }

    /** Returns the length of each block when a buffer is cut into blocks of one length; throws if it cannot be. */
    public final long share(Object buffer, int blocks) {
        long length = lengthOf(buffer);
        if (length % blocks != 0) {
            throw error(ErrorClass.COUNT, "a " + Buffers.describe(buffer) + " of length " + length
                    + " cannot be cut into " + blocks + " blocks of one length");
        }
        return length / blocks;
    }

    /** Throws if a part does not lie within the buffer. */
    public final void checkPart(Object buffer, long offset, long count) {
        if (offset < 0 || count < 0 || offset > Buffers.length(buffer) - count) {
            throw located(Buffers.outside(buffer, offset, count));
        }
    }

    /** Throws if the buffer is read-only. */
    public final void checkWritable(Object buffer) {
        try {
            Buffers.checkWritable(buffer);
        } catch (RankwireException e) {
            throw located(e);
        }
    }
}
