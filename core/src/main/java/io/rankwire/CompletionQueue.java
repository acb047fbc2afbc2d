package io.rankwire;

import io.rankwire.device.CompletionTable;
import io.rankwire.runtime.CallSite;
import io.rankwire.runtime.Host;
import io.rankwire.runtime.OperationWait;
import io.rankwire.runtime.OperationsWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    private final CompletionTable<Completion<T>> requests;

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
        requests = new CompletionTable<>(capacity);
    }

    /**
     * Adds a request that is under way or done. Only the queue can await it from now on; a persistent request can be
     * started and added again when the queue has returned it.
     *
     * @param request the request
     * @param id returned with the request; may be null
     * @throws RankwireException of class {@link ErrorClass#REQUEST} if the request was awaited, was never started, is
     *     in a queue or belongs to another world; of class {@link ErrorClass#RESOURCE} if the queue is full
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
            if (requests.isFull()) {
                throw misuse(ErrorClass.RESOURCE, "the queue is full: it was made for " + requests.places()
                        + " requests, and the program has taken none of them: " + request);
            }
            request.leaveTo(requests, new Completion<>(id, request));
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
            if (!requests.hasEnded()) {
                host.progress();
            }
            next = requests.hasEnded() ? take() : null;
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
            if (!requests.hasEnded()) {
                host.await(requests::hasEnded, new OperationsWait("await of a completion queue with", this::open));
            }
            next = take();
        } catch (RuntimeException e) {
            requests.forEach(one -> one.request.failed(e));
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
            return requests.size();
        } finally {
            host.unlock();
        }
    }

    /**
     * Returns how many requests of this queue have been done since it was made: the queue's producer index. A work
     * program can wait for it, see {@link WorkQueue#await(CompletionQueue, long)}.
     *
     * @return their number, with those that the queue has returned
     */
    public long produced() {
        host.lock();
        try {
            return requests.produced();
        } finally {
            host.unlock();
        }
    }

    Host host() {
        return host;
    }

    CompletionTable<?> table() {
        return requests;
    }

    /** Takes the first request unless its result cannot be read by this thread, which throws. */
    private Completion<T> take() {
        requests.first().request.taken();
        return requests.take();
    }

    private List<OperationWait> open() {
        List<OperationWait> open = new ArrayList<>();
        requests.forEach(one -> one.request.waiting().forEach(open::add));
        return open;
    }

    /** Calls the error handler of a request that ended with an error, without the lock. */
    private static <T> Completion<T> raised(Completion<T> taken) {
        if (taken != null && taken.request.error().isPresent()) {
            taken.request.on().raised(taken.request.error().get());
        }
        return taken;
    }

    private RankwireException misuse(ErrorClass kind, String what) {
        return new RankwireException(kind, "rank " + rank + ": " + what + CallSite.find());
    }

    @Override
    public String toString() {
        return "completion queue of rank " + rank + " with room for " + requests.places() + " requests";
    }
}
