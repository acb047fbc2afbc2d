package mpi;

/** Something that was started, in both dialects. It is null once it was found to be done, unless it is persistent. */
public class Request extends Requests implements Freeable {
    /** Makes a status of what core says of a request that is done, and finishes what is left to do. */
    @FunctionalInterface
    interface Arrival {
        Status done(io.rankwire.Status status);
    }

    private final Erring on;
    /** Under way; null before and after. */
    io.rankwire.Request core;
    /** What is to be done when core is; null for nothing. */
    Arrival arrival;
    /** Of a request that was done when it was made; null otherwise. */
    private Status ready;
    /** Of the elements that it receives; null for all else. */
    private Datatype type;
    private boolean receive;

    Request(Erring on, io.rankwire.Request core, Arrival arrival) {
        this.on = on;
        this.core = core;
        this.arrival = arrival;
    }

    static Request ofReceive(Erring on, io.rankwire.Request core, Datatype type, Arrival arrival) {
        Request request = new Request(on, core, arrival);
        request.receives(type);
        return request;
    }

    final void receives(Datatype of) {
        receive = true;
        type = of;
    }

    final boolean isReceive() {
        return receive;
    }

    static Request done(Erring on, Status status) {
        Request request = new Request(on, null, null);
        request.ready = status;
        return request;
    }

    final MPIException raised(RuntimeException e) {
        return on == null ? MPI.failed(e) : on.raised(e);
    }

    /** Whether there is something to wait for. */
    final boolean isActive() {
        return core != null || ready != null;
    }

    /** Becomes another one that was just started. */
    final void take(Request started) {
        core = started.core;
        arrival = started.arrival;
        ready = started.ready;
    }

    /** Waits; throws what core throws. */
    final Status complete() {
        io.rankwire.Request waited = core;
        if (waited == null) {
            return completeAtOnce();
        }
        core = null;
        return told(waited.await());
    }

    private Status completeAtOnce() {
        Status status = ready == null ? Status.empty() : ready;
        ready = null;
        return status;
    }

    /** For one whose core has been awaited. */
    final Status completeAwaited() {
        io.rankwire.Request waited = core;
        if (waited == null) {
            return completeAtOnce();
        }
        core = null;
        return told(waited.status());
    }

    private Status told(io.rankwire.Status status) {
        Arrival finish = arrival;
        return finish == null ? new Status(status, type) : finish.done(status);
    }

    final boolean isComplete() {
        return core == null || core.test();
    }

    // Open MPI

    public final Status waitStatus() throws MPIException {
        try {
            return complete();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final void waitFor() throws MPIException {
        waitStatus();
    }

    /** Null if it is not done. */
    public final Status testStatus() throws MPIException {
        try {
            return isComplete() ? complete() : null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final boolean test() throws MPIException {
        return testStatus() != null;
    }

    /** As {@link #testStatus}, but the request stays what it is. */
    public final Status getStatus() throws MPIException {
        try {
            if (core == null) {
                return ready == null ? Status.empty() : ready;
            }
            if (!core.test()) {
                return null;
            }
            if (arrival != null) {
                ready = complete();
                return ready;
            }
            return new Status(core.status(), type);
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    public final void cancel() throws MPIException {
        try {
            if (!isActive()) {
                throw new MPIException(MPI.ERR_REQUEST, "cancel of a request that is not under way");
            }
            if (core != null) {
                core.cancel();
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Nothing has to be given back; the JVM does not keep track of objects for an empty method. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    public boolean isNull() {
        return !isActive();
    }

    /** The program does not want to hear of it again; what is under way goes on. */
    @Override
    public void free() throws MPIException {
        if (core != null) {
            MPI.leave(receive ? ofReceive(on, core, type, null) : new Request(on, core, null));
        }
        core = null;
        ready = null;
    }

    // mpiJava

    public final Status Wait() throws MPIException {
        return waitStatus();
    }

    /** Null if it is not done. */
    public final Status Test() throws MPIException {
        return testStatus();
    }

    public final boolean Is_null() throws MPIException {
        return isNull();
    }

    public final void Cancel() throws MPIException {
        cancel();
    }

    public final void Free() throws MPIException {
        free();
    }
}
