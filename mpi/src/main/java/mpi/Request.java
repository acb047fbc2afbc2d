package mpi;

import io.rankwire.ErrorClass;
import io.rankwire.RankwireException;
import java.util.function.Supplier;

/** An operation that was started, in both dialects. A request is null once it is known to be complete. */
public class Request implements Freeable {
    /** Finishes a request that is complete in core, and makes its status. */
    @FunctionalInterface
    interface Arrival {
        Status done(io.rankwire.Status status);
    }

    private final HandleState on;
    /** Null unless the operation is active in core. */
    io.rankwire.Request core;
    /** Finishes the request; null if nothing is left to do. */
    Arrival arrival;
    /** The status of a request that was complete when it was made; null otherwise. */
    private Status ready;
    /** The datatype of a receive; null otherwise. */
    private Datatype type;
    private boolean receive;
    /** Posts a receive from any source once more; null for all others. */
    private Supplier<io.rankwire.Request> again;
    /** Whether such a receive was interrupted because a rank is dead; the next call posts it once more. */
    private boolean isPending;

    Request(HandleState on, io.rankwire.Request core) {
        this(on, core, null);
    }

    Request(HandleState on, io.rankwire.Request core, Arrival arrival) {
        this.on = on;
        this.core = core;
        this.arrival = arrival;
    }

    static Request ofReceive(HandleState on, io.rankwire.Request core, Datatype type, Arrival arrival) {
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

    static Request done(HandleState on, Status status) {
        Request request = new Request(on, null);
        request.ready = status;
        return request;
    }

    final void again(Supplier<io.rankwire.Request> post) {
        again = post;
    }

    final MPIException raised(RuntimeException e) {
        if (again != null && e instanceof RankwireException error && error.errorClass() == ErrorClass.PEER) {
            isPending = true;
            return on.raised(MPIException.of(error, ErrorClass.PEER, MPI.ERR_PROC_FAILED_PENDING));
        }
        return on == null ? MPI.failed(e) : on.raised(e);
    }

    /** Posts a receive once more that was interrupted. */
    final void resume() {
        if (isPending) {
            isPending = false;
            core = again.get();
        }
    }

    /** Returns whether the operation is started and not yet waited for. */
    final boolean isActive() {
        return core != null || ready != null || isPending;
    }

    /** Takes over a request that was just started. */
    final void take(Request started) {
        core = started.core;
        arrival = started.arrival;
        ready = started.ready;
        again = started.again;
    }

    /** Waits and throws errors of core unchanged. */
    final Status complete() {
        resume();
        io.rankwire.Request waited = core;
        if (waited == null) {
            return completeAtOnce();
        }
        core = null;
        return status(waited.await());
    }

    private Status completeAtOnce() {
        Status status = ready == null ? Status.empty() : ready;
        ready = null;
        return status;
    }

    /** As {@link #complete}, for a request that is complete in core. */
    final Status completeAwaited() {
        io.rankwire.Request waited = core;
        if (waited == null) {
            return completeAtOnce();
        }
        core = null;
        return status(waited.status());
    }

    private Status status(io.rankwire.Status status) {
        Arrival finish = arrival;
        return finish == null ? new Status(status, type) : finish.done(status);
    }

    final boolean isComplete() {
        resume();
        return core == null || core.test();
    }

    // Open MPI

    /** Waits for completion and returns the status (MPI_Wait). */
    public final Status waitStatus() throws MPIException {
        try {
            return complete();
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Waits for completion (MPI_Wait). */
    public final void waitFor() throws MPIException {
        waitStatus();
    }

    /** Returns the status if the request is complete, else null (MPI_Test). */
    public final Status testStatus() throws MPIException {
        try {
            return isComplete() ? complete() : null;
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Returns whether the request is complete (MPI_Test). */
    public final boolean test() throws MPIException {
        return testStatus() != null;
    }

    /** As {@link #testStatus}, but keeps the request (MPI_Request_get_status). */
    public final Status getStatus() throws MPIException {
        try {
            resume();
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

    /** Withdraws a receive that has no message yet (MPI_Cancel). */
    public final void cancel() throws MPIException {
        try {
            if (!isActive()) {
                throw new MPIException(MPI.ERR_REQUEST, "cancel of a request that is not under way");
            }
            if (core != null) {
                core.cancel();
            } else if (isPending) {
                isPending = false;
                ready = Status.empty();
                ready.setCancelled(true);
            }
        } catch (RuntimeException e) {
            throw raised(e);
        }
    }

    /** Does nothing; the JVM ignores a finalizer that is empty. */
    @Override
    @SuppressWarnings("removal")
    public void finalize() throws MPIException {}

    /** Returns whether the request is not active. */
    public boolean isNull() {
        return !isActive();
    }

    /** Makes the request null; its operation continues (MPI_Request_free). */
    @Override
    public void free() throws MPIException {
        if (core != null) {
            RankState.mine().leave(receive ? ofReceive(on, core, type, null) : new Request(on, core));
        }
        core = null;
        ready = null;
        isPending = false;
    }

    /** Waits for all requests and returns their statuses (MPI_Waitall). */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        return Requests.waitAll(requests);
    }

    /** Waits for all requests (MPI_Waitall). */
    public static void waitAll(Request[] requests) throws MPIException {
        Requests.awaitAll(requests, null);
    }

    /** Waits for one request; the index of its status is {@link MPI#UNDEFINED} if none is active (MPI_Waitany). */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        return Requests.waitAny(requests);
    }

    /** Waits for one request and returns its index, or {@link MPI#UNDEFINED} (MPI_Waitany). */
    public static int waitAny(Request[] requests) throws MPIException {
        return Requests.waitAny(requests).index;
    }

    /** As {@link #waitAnyStatus}; returns null if no active request is complete (MPI_Testany). */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        return Requests.testAny(requests);
    }

    /** Returns the index of a request that is complete, or {@link MPI#UNDEFINED} (MPI_Testany). */
    public static int testAny(Request[] requests) throws MPIException {
        Status status = Requests.testAny(requests);
        return status == null ? MPI.UNDEFINED : status.index;
    }

    /** Returns the statuses of all requests, or null if one is not complete (MPI_Testall). */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        return Requests.testAll(requests);
    }

    /** Returns whether all requests are complete (MPI_Testall). */
    public static boolean testAll(Request[] requests) throws MPIException {
        return Requests.testAll(requests) != null;
    }

    /** Waits for at least one request; returns null if none is active (MPI_Waitsome). */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        return Requests.some(requests, true);
    }

    /** Waits for at least one request and returns the indexes; null if none is active (MPI_Waitsome). */
    public static int[] waitSome(Request[] requests) throws MPIException {
        return Requests.indexes(Requests.some(requests, true));
    }

    /** Returns the statuses of the complete requests; null if none is active (MPI_Testsome). */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        return Requests.some(requests, false);
    }

    /** Returns the indexes of the complete requests; null if none is active (MPI_Testsome). */
    public static int[] testSome(Request[] requests) throws MPIException {
        return Requests.indexes(Requests.some(requests, false));
    }

    // mpiJava

    /** As {@link #waitStatus}. */
    public final Status Wait() throws MPIException {
        return waitStatus();
    }

    /** As {@link #testStatus}. */
    public final Status Test() throws MPIException {
        return testStatus();
    }

    /** As {@link #isNull}. */
    public final boolean Is_null() throws MPIException {
        return isNull();
    }

    /** As {@link #cancel}. */
    public final void Cancel() throws MPIException {
        cancel();
    }

    /** As {@link #free}. */
    public final void Free() throws MPIException {
        free();
    }

    /** As {@link #waitAllStatus}. */
    public static Status[] Waitall(Request[] array_of_request) throws MPIException {
        return waitAllStatus(array_of_request);
    }

    /** As {@link #waitAnyStatus}. */
    public static Status Waitany(Request[] array_of_request) throws MPIException {
        return waitAnyStatus(array_of_request);
    }

    /** As {@link #waitSomeStatus}; returns an empty array if no request is active. */
    public static Status[] Waitsome(Request[] array_of_request) throws MPIException {
        Status[] done = waitSomeStatus(array_of_request);
        return done == null ? new Status[0] : done;
    }

    /** As {@link #testAllStatus}. */
    public static Status[] Testall(Request[] array_of_request) throws MPIException {
        return testAllStatus(array_of_request);
    }

    /** As {@link #testAnyStatus}. */
    public static Status Testany(Request[] array_of_request) throws MPIException {
        return testAnyStatus(array_of_request);
    }

    /** As {@link #testSomeStatus}; returns an empty array if no request is active, as in MPJ Express. */
    public static Status[] Testsome(Request[] array_of_request) throws MPIException {
        Status[] done = testSomeStatus(array_of_request);
        return done == null ? new Status[0] : done;
    }
}
