package io.rankwire;

import io.rankwire.device.CompletionRing;
import io.rankwire.device.Operation;
import io.rankwire.launch.VirtualTime;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.OperationWait;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Returns requests in the order in which they are done: messages, collective calls, accesses to windows and work
 * programs, from all communicators of a world. Finding the next one takes the same time with one request in the queue
 * as with thousands, where {@link Request#awaitAny} looks at each. A request goes into the queue with an id, which can
 * be any object of the program.
 *
 * <pre>{@code
 * var queue = new CompletionQueue<Worker>(world, workers.size());
 * for (Worker worker : workers) {
 *     queue.add(all.irecv(worker.answer, worker.rank, ANSWER), worker);
 * }
 * while (queue.size() > 0) {
 *     Worker worker = queue.await().id();
 *     …
 * }
 * }</pre>
 *
 * <p>Any thread may use a queue at any time.
 *
 * @param <T> the type of the ids
 */
public final class CompletionQueue<T> {
    /**
     * A request that is done, and counts as awaited.
     *
     * @param id the id that it was added with
     * @param request the request
     * @param <T> the type of the id
     */
    public record Completion<T>(T id, Request request) {
        /**
         * Returns the result of the request.
         *
         * @return for a receive, source, tag and size of its message
         */
        public Status status() {
            return request.status();
        }

        /**
         * Returns the error that the request ended with.
         *
         * @return nothing if it ended well
         */
        public Optional<RankwireException> error() {
            return request.error();
        }
    }

    private final Host host;
    private final int rank;
    private final CompletionRing done;
    private final Request[] requests;
    private final Object[] ids;
    /** Places without a request; those from {@link #freeCount} up are stale. */
    private final int[] free;
    private int freeCount;

    /**
     * Makes a queue without requests.
     *
     * @param world the world of the requests
     * @param capacity how many requests can be in the queue, at least 1
     * @throws RankwireException of class {@link ErrorClass#ARGUMENT} if the world is null or the capacity is below 1
     */
    public CompletionQueue(World world, int capacity) {
        if (world == null) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument world is null");
        }
        if (capacity < 1) {
            throw new RankwireException(ErrorClass.ARGUMENT, "argument capacity: " + capacity + " is below 1");
        }
        host = world.session().host();
        rank = world.session().worldRank();
        done = new CompletionRing(capacity);
        requests = new Request[capacity];
        ids = new Object[capacity];
        free = new int[capacity];
        Arrays.setAll(free, i -> capacity - 1 - i);
        freeCount = capacity;
    }

    /**
     * Adds a request that is under way or done. Only the queue can await it from now on; a persistent request can be
     * started and added again when the queue has returned it.
     *
     * @param request the request
     * @param id returned with the request; may be null
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the request was awaited, was never started, is in
     *     a queue or belongs to another world; of class {@link ErrorClass#RESOURCE} if the queue is full
     */
    public void add(Request request, T id) {
        if (request == null) {
            throw new RankwireException(ErrorClass.REQUEST, "argument request is null");
        }
        if (request.on().host() != host) {
            throw misuse(ErrorClass.REQUEST, "the request belongs to another world: " + request);
        }
        request.checkAwaitable();
        host.lock();
        try {
            if (freeCount == 0) {
                throw misuse(ErrorClass.RESOURCE, "the queue is full: it was made for " + requests.length
                        + " requests, and the program has taken none of them: " + request);
            }
            int place = free[freeCount - 1];
            request.leaveTo(done, place);
            freeCount--;
            requests[place] = request;
            ids[place] = id;
        } finally {
            host.unlock();
        }
    }

    /**
     * Takes the request that was done first, if one is done. This call also moves messages that are under way.
     *
     * @return null if no request in the queue is done
     */
    public Completion<T> poll() {
        Completion<T> next;
        host.lock();
        try {
            if (done.isEmpty()) {
                host.progress();
            }
            next = done.isEmpty() ? null : take();
        } catch (RuntimeException e) {
            throw host.translate(e, "poll of a completion queue");
        } finally {
            host.unlock();
        }
        return raised(next);
    }

    /**
     * Waits until a request in the queue is done, and takes it. If the queue is empty, the call waits for a request
     * that another thread adds.
     *
     * @return the request that was done first; it may have ended with an error
     * @throws RankwireException of class {@link ErrorClass#CLOSED} if the world is closed, and of class
     *     {@link ErrorClass#ABORTED} if the job has ended
     */
    public Completion<T> await() {
        Completion<T> next;
        host.lock();
        try {
            if (done.isEmpty()) {
                host.await(() -> !done.isEmpty(), new Wait());
            }
            next = take();
        } catch (RuntimeException e) {
            forEach(request -> request.failed(e));
            throw host.translate(e, "await of a completion queue");
        } finally {
            host.unlock();
        }
        return raised(next);
    }

    /**
     * Returns the number of requests in the queue.
     *
     * @return those that were added and that the queue has not returned, whether they are done or not
     */
    public int size() {
        host.lock();
        try {
            return requests.length - freeCount;
        } finally {
            host.unlock();
        }
    }

    private Completion<T> take() {
        int place = done.take();
        Request request = requests[place];
        try {
            request.taken();
        } catch (RuntimeException e) {
            // The thread that owns the memory of its buffer can take it still.
            done.add(place);
            throw e;
        }
        @SuppressWarnings("unchecked") // add puts nothing else there
        T id = (T) ids[place];
        requests[place] = null;
        ids[place] = null;
        free[freeCount++] = place;
        return new Completion<>(id, request);
    }

    /** Calls the error handler of a request that ended with an error, without the lock. */
    private static <T> Completion<T> raised(Completion<T> taken) {
        if (taken != null && taken.request.error().isPresent()) {
            taken.request.on().raised(taken.request.error().get());
        }
        return taken;
    }

    private void forEach(Consumer<Request> action) {
        for (Request request : requests) {
            if (request != null) {
                action.accept(request);
            }
        }
    }

    private RankwireException misuse(ErrorClass kind, String what) {
        return new RankwireException(kind, "rank " + rank + ": " + what + CallSite.find());
    }

    /** Describes the wait for the next request. */
    private final class Wait implements Host.Waiting {
        @Override
        public String describe() {
            Request some = Arrays.stream(requests).filter(request -> request != null).findFirst().orElse(null);
            return "await of a completion queue with " + (requests.length - freeCount) + " requests"
                    + (some == null ? "" : ", one of them " + some.about()) + CallSite.find();
        }

        @Override
        public int peer() {
            if (requests.length - freeCount != 1) {
                return -1;
            }
            int[] peer = {-1};
            forEach(request -> peer[0] = request.operation() == null ? -1 : Math.max(-1, request.operation().peer()));
            return peer[0];
        }

        @Override
        public void name(VirtualTime.Wishes to) {
            forEach(request -> {
                Operation operation = request.operation();
                if (operation != null) {
                    OperationWait.name(operation, to);
                }
            });
        }

        @Override
        public void suspect() {
            forEach(Request::suspect);
        }
    }

    @Override
    public String toString() {
        return "completion queue of rank " + rank + " with room for " + requests.length + " requests";
    }
}
