package io.rankwire;

import io.rankwire.device.CompletionTable;
import io.rankwire.device.Operation;
import io.rankwire.runtime.Actions;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Consensus;
import io.rankwire.runtime.Endpoint;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.Messenger;
import io.rankwire.runtime.OperationWait;
import io.rankwire.runtime.OperationsWait;
import io.rankwire.runtime.Received;
import io.rankwire.runtime.WorkBuilder;
import io.rankwire.runtime.collective.Collective;
import io.rankwire.runtime.collective.Mismatch;
import io.rankwire.type.OwnedBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * An operation that was started: a message, a collective call, an access to a window or a work program. Await it, or
 * test it until it is done; a request that is never awaited is reported when its world closes. Any thread may use a
 * request, one at a time.
 *
 * <p>A persistent request (made by {@code sendInit} and its like) is started again and again with {@link #start}.
 *
 * <pre>{@code
 * Request received = all.irecv(from, left, TAG);
 * Request sent = all.isend(to, right, TAG);
 * compute();
 * Request.awaitAll(received, sent);
 * }</pre>
 */
public final class Request {
    private record Persistent(Object what, Supplier<Operation> starter) {}

    private final Endpoint on;
    /** The name of the call, a {@link Collective}, a work program or an agreement, or a {@link Persistent} of these. */
    private final Object origin;
    /** Under way; null before and after. */
    private Operation operation;
    /** Once done: a {@link Received}, or the {@link RankwireException} it ended with. */
    private Object outcome;
    private boolean started;
    /** Awaited, or left to a {@link CompletionTable}. */
    private boolean awaited;

    /**
     * A request under way; without an operation it is done already.
     *
     * @param what the name of the call, a {@link Collective} or a {@link WorkBuilder}
     */
    Request(Endpoint on, Object what, Operation operation) {
        this.on = on;
        this.origin = what;
        this.operation = operation;
        this.outcome = Received.NOTHING;
        this.started = true;
    }

    /** A persistent request, not started. */
    Request(Endpoint on, Object what, Supplier<Operation> starter) {
        this.on = on;
        this.origin = new Persistent(what, starter);
    }

    /**
     * Starts a persistent request once more.
     *
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the request is not persistent, or is under way
     */
    public void start() {
        if (!(origin instanceof Persistent persistent)) {
            throw misuse("start of a request that is not persistent");
        }
        if (started && !awaited || operation != null) {
            throw misuse("start of a persistent request that is still under way");
        }
        on.checkUsable();
        operation = persistent.starter.get();
        started = true;
        awaited = false;
        outcome = Received.NOTHING;
    }

    /**
     * Starts several persistent requests in order.
     *
     * @param requests the requests
     * @throws RankwireException as {@link #start}; the requests before the one that failed are started
     */
    public static void startAll(Request... requests) {
        for (Request request : requests) {
            request.start();
        }
    }

    /**
     * Waits until the operation is done. A second await of the same start is an error.
     *
     * @return for a receive, source, tag and size of its message
     * @throws RankwireException if the operation failed, or the request was awaited before or never started
     */
    public Status await() {
        checkAwaitable();
        if (operation != null) {
            on.checkOpen();
            Host host = on.host();
            host.lock();
            RuntimeException failure = null;
            try {
                host.await(operation, call(), on);
                complete(operation);
            } catch (RuntimeException e) {
                failed(e);
                failure = host.translate(e, call());
            } finally {
                host.unlock();
            }
            if (failure != null) {
                throw on.failed(failure);
            }
        }
        awaited = true;
        if (outcome instanceof RankwireException error) {
            throw on.raised(error);
        }
        return Status.of((Received) outcome);
    }

    /**
     * Whether the operation is done; {@link #await} returns at once then. This call also moves messages that are under
     * way.
     *
     * @return true once it is done
     */
    public boolean test() {
        if (operation == null) {
            return started;
        }
        on.checkOpen();
        Host host = on.host();
        RuntimeException failure;
        host.lock();
        try {
            if (!operation.isDone()) {
                host.progress(operation);
            }
            if (operation.isDone()) {
                complete(operation);
                return true;
            }
            return false;
        } catch (RuntimeException e) {
            failure = host.translate(e, call());
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /**
     * The result of a request that is done.
     *
     * @return for a receive, source, tag and size of its message
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if it is not done
     */
    public Status status() {
        if (operation != null || !started) {
            throw misuse("status of a request that is not done");
        }
        return Status.of(outcome instanceof Received received ? received : Received.NOTHING);
    }

    /**
     * The error that a request ended with, also after {@link #awaitAny} has thrown it.
     *
     * @return nothing if it is not done or ended well
     */
    public Optional<RankwireException> error() {
        return outcome instanceof RankwireException error ? Optional.of(error) : Optional.empty();
    }

    /**
     * Runs an action when the operation is done, well or not; the request then counts as awaited. The action runs
     * without any lock of the library, on the thread whose call finds the operation done, when that call ends or while
     * it waits; if no thread makes a call, on a virtual thread. Two threads may run two actions at the same time. An
     * action may make calls, but should not wait for other ranks: until it returns, the call in which it runs does not
     * return either. What the action throws goes to the uncaught exception handler of that thread.
     *
     * @param action is given this request
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the request was awaited or never started, or if
     *     only one thread can use the memory of its buffer
     */
    public void whenDone(Consumer<? super Request> action) {
        if (action == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument action is null");
        }
        checkAwaitable();
        if (operation != null && operation.buffer() instanceof OwnedBuffer) {
            throw misuse("an action for a request whose memory of Arena.ofConfined() only one thread can use");
        }
        on.checkOpen();
        Host host = on.host();
        host.lock();
        try {
            leaveTo(host.actions.table(), new DoneAction(this, action));
            host.wakeProgress();
        } finally {
            host.unlock();
        }
    }

    private record DoneAction(Request request, Consumer<? super Request> action) implements Actions.Action {
        @Override
        public void taken() {
            request.taken();
        }

        @Override
        public void run() {
            if (request.outcome instanceof RankwireException error) {
                request.on.raised(error);
            }
            action.accept(request);
        }
    }

    /**
     * Returns a future for this request, which then counts as awaited. Stages that depend on the future run as actions
     * of {@link #whenDone} do. To cancel the future does not {@link #cancel} the request.
     *
     * @return a new future, completed with the status or with the error of the request
     * @throws RankwireException as {@link #whenDone}
     */
    public CompletableFuture<Status> toFuture() {
        CompletableFuture<Status> future = new CompletableFuture<>();
        whenDone(request -> {
            if (request.outcome instanceof RankwireException error) {
                future.completeExceptionally(error);
            } else {
                future.complete(request.status());
            }
        });
        return future;
    }

    /**
     * Asks to withdraw the operation. Await the request afterwards: its status says whether it was cancelled or had met
     * its counterpart before. Calls of all members, such as collective ones, are not withdrawn and go on.
     *
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if it is not under way
     */
    public void cancel() {
        if (operation == null) {
            if (!started || awaited) {
                throw misuse("cancel of a request that is not under way");
            }
            return;
        }
        on.checkOpen();
        Host host = on.host();
        host.lock();
        try {
            host.device.cancel(operation);
        } finally {
            host.unlock();
        }
    }

    /**
     * Waits for all of several requests. If some fail, the first error is thrown when all are done; the others are
     * suppressed exceptions of it.
     *
     * @param requests the requests
     * @throws RankwireException the first error
     */
    public static void awaitAll(Request... requests) {
        Host host = null;
        boolean good = true;
        Request request = null;
        RuntimeException failure = null;
        try {
            for (int i = 0; i < requests.length; i++) {
                request = at(requests, i);
                request.checkAwaitable();
                Operation operation = request.operation;
                if (operation != null) {
                    host = holding(request.on.host(), host);
                    if (!operation.isDone()) {
                        host.await(operation, request.call(), request.on);
                    }
                    request.complete(operation);
                }
                request.awaited = true;
                good &= request.outcome.getClass() == Received.class;
            }
        } catch (RuntimeException e) {
            if (host != null) {
                failed(e, host, requests);
            }
            failure = host == null ? e : host.translate(e, request.call());
        } finally {
            if (host != null) {
                host.unlock();
            }
        }
        if (failure != null) {
            throw request == null ? failure : request.on.failed(failure);
        }
        if (!good) {
            throwFirst(requests);
        }
    }

    /** Swaps one lock for another; requests of several worlds are rare, but allowed. */
    private static Host holding(Host wanted, Host held) {
        if (wanted != held) {
            if (held != null) {
                held.unlock();
            }
            wanted.lock();
        }
        return wanted;
    }

    private static void throwFirst(Request[] requests) {
        RankwireException first = null;
        for (Request request : requests) {
            if (request.outcome instanceof RankwireException error) {
                request.on.raised(error);
                if (first == null) {
                    first = error;
                } else if (first != error) {
                    first.addSuppressed(error);
                }
            }
        }
        throw first;
    }

    /**
     * Waits for one of several requests, which then counts as awaited. Of several that are done any one may be taken:
     * over many calls each gets its turn.
     *
     * @param requests the requests
     * @return the place of the request, or -1 if none is under way
     * @throws RankwireException the error of the request that was taken
     */
    public static int awaitAny(Request... requests) {
        int start = startOf(requests);
        int done = takeDone(requests, start);
        Request open = firstOpen(requests);
        if (done >= 0 || open == null) {
            return done;
        }
        open.awaitOneOf(requests);
        return takeDone(requests, start);
    }

    /**
     * Waits until some of several requests are done; these then count as awaited.
     *
     * @param requests the requests
     * @return the places of all that are done, in their order; none if none is under way
     */
    public static int[] awaitSome(Request... requests) {
        int[] places = testSome(requests);
        Request open = firstOpen(requests);
        if (places.length > 0 || open == null) {
            return places;
        }
        open.awaitOneOf(requests);
        return testSome(requests);
    }

    /**
     * Whether all of several requests are done. If so they count as awaited.
     *
     * @param requests the requests
     * @return true if all are done
     */
    public static boolean testAll(Request... requests) {
        for (int i = 0; i < requests.length; i++) {
            if (!at(requests, i).test()) {
                return false;
            }
        }
        for (Request request : requests) {
            if (!request.awaited) {
                request.await();
            }
        }
        return true;
    }

    /**
     * Takes one of several requests that is done and was not awaited; it then counts as awaited. Of several any one may
     * be taken, as with {@link #awaitAny}.
     *
     * @param requests the requests
     * @return the place of the request, or -1 if none is done
     */
    public static int testAny(Request... requests) {
        return takeDone(requests, startOf(requests));
    }

    private static int startOf(Request[] requests) {
        return requests.length < 2 ? 0 : at(requests, 0).on.host().oneOf(requests.length);
    }

    /** The first that is done, from a place on and round. */
    private static int takeDone(Request[] requests, int start) {
        for (int i = 0; i < requests.length; i++) {
            int place = i < requests.length - start ? start + i : start + i - requests.length;
            Request request = at(requests, place);
            if (!request.awaited && request.test()) {
                request.await();
                return place;
            }
        }
        return -1;
    }

    /**
     * Takes all of several requests that are done and were not awaited; they then count as awaited.
     *
     * @param requests the requests
     * @return the places of these requests, in their order
     */
    public static int[] testSome(Request... requests) {
        int[] places = new int[requests.length];
        int count = 0;
        for (int i = 0; i < requests.length; i++) {
            Request request = at(requests, i);
            if (!request.awaited && request.test()) {
                request.await();
                places[count++] = i;
            }
        }
        return Arrays.copyOf(places, count);
    }

    /** Leaves this request to a completion table. The caller has the lock of its world. */
    <E> void leaveTo(CompletionTable<E> table, E entry) {
        awaited = true;
        table.add(entry, operation);
    }

    /** This request is done, and a completion table returns it. The caller has the lock of its world. */
    void taken() {
        if (operation != null) {
            complete(operation);
        }
    }

    Endpoint on() {
        return on;
    }

    private void awaitOneOf(Request[] requests) {
        Host host = on.host();
        RuntimeException failure;
        host.lock();
        try {
            host.await(() -> anyDone(requests), new OperationsWait("awaitAny of",
                    () -> Arrays.stream(requests).flatMap(Request::waiting).toList()));
            return;
        } catch (RuntimeException e) {
            failed(e, host, requests);
            failure = host.translate(e, "awaitAny");
        } finally {
            host.unlock();
        }
        throw on.failed(failure);
    }

    /** It was awaited in vain: when the world is closed it is over, and no report calls it forgotten. */
    void failed(RuntimeException failure) {
        if (operation != null) {
            operation.keepOutOfReports();
            if (failure instanceof RankwireException error && error.errorClass() == ErrorClass.CLOSED) {
                giveUpNow(error);
            }
        }
    }

    private static void failed(RuntimeException failure, Host host, Request[] requests) {
        for (Request request : requests) {
            if (request != null && request.on.host() == host) {
                request.failed(failure);
            }
        }
    }

    private void giveUpNow(RankwireException error) {
        if (operation == null) {
            return;
        }
        operation.keepOutOfReports();
        if (what() instanceof Collective collective) {
            collective.stop();
        } else if (operation.peer() != Endpoint.NONE) {
            on.host().abandon(operation, error);
        }
        operation = null;
        outcome = error;
        awaited = true;
    }

    /** Describes the wait for this request while it is under way. */
    Stream<OperationWait> waiting() {
        return operation == null ? Stream.empty() : Stream.of(new OperationWait(operation, call(), on));
    }

    private static boolean anyDone(Request[] requests) {
        for (Request request : requests) {
            Operation operation = request.operation;
            if (operation != null && operation.isDone()) {
                return true;
            }
        }
        return false;
    }

    private static Request firstOpen(Request[] requests) {
        for (Request request : requests) {
            if (request.operation != null) {
                return request;
            }
        }
        return null;
    }

    private static Request at(Request[] requests, int i) {
        if (requests[i] == null) {
            throw new RankwireException(ErrorClass.REQUEST, "argument requests[" + i + "] is null");
        }
        return requests[i];
    }

    private void complete(Operation done) {
        if (done.buffer() instanceof OwnedBuffer owned) {
            if (!owned.canSettle()) {
                throw misuse("a message that was taken in for memory of Arena.ofConfined() can be brought there only by"
                        + " the thread it belongs to, which has to await the request");
            }
            Messenger.settle(done);
        }
        operation = null;
        if (done.peer() == Endpoint.NONE) {
            outcome = Mismatch.outcome(on, what(), done);
            return;
        }
        outcome = done.isReceived() ? on.messages().received(done) : on.messages().finish(done, call());
    }

    void checkAwaitable() {
        if (!started) {
            throw misuse("await of a persistent request that was not started");
        }
        if (awaited) {
            throw misuse(operation == null ? "second await of a request"
                    : "await of a request that was left to a completion queue or to an action");
        }
    }

    private String call() {
        Object what = what();
        return what instanceof Collective collective ? collective.call
                : what instanceof WorkBuilder ? "work program"
                : what instanceof Consensus.Pending ? "iagree" : (String) what;
    }

    private Object what() {
        return origin instanceof Persistent persistent ? persistent.what : origin;
    }

    private String about() {
        return operation == null ? call() + " on " + on.name() : OperationWait.about(operation, call(), on);
    }

    private RankwireException misuse(String what) {
        return on.raised(new RankwireException(
                ErrorClass.REQUEST, "rank " + on.rank() + ": " + what + ": " + about() + CallSite.find()));
    }

    @Override
    public String toString() {
        String state = operation != null ? "under way" : awaited ? "awaited" : started ? "done" : "not started";
        return about() + ", " + state;
    }
}
