package mpi;

import java.util.Arrays;

/** Waits for several requests and tests them. Entries that are null and null requests are passed over. */
final class Requests {
    private Requests() {}

    /** Returns the status of a complete request, with its index; {@link MPI#UNDEFINED} if no request is active. */
    static Status waitAny(Request[] requests) {
        int place = any(requests, true);
        return place < 0 ? Status.empty().withIndex(MPI.UNDEFINED) : completed(requests, place);
    }

    /** As {@link #waitAny}; null if no active request is complete. */
    static Status testAny(Request[] requests) {
        int place = any(requests, false);
        if (place >= 0) {
            return completed(requests, place);
        }
        return anyActive(requests) ? null : Status.empty().withIndex(MPI.UNDEFINED);
    }

    static Status[] waitAll(Request[] requests) {
        Status[] statuses = new Status[requests.length];
        awaitAll(requests, statuses);
        return statuses;
    }

    /** Returns null if a request is not complete. */
    static Status[] testAll(Request[] requests) {
        for (Request request : requests) {
            if (request != null && !isComplete(request)) {
                return null;
            }
        }
        return waitAll(requests);
    }

    /** Waits for all requests, even if one fails. Each error goes to its own handler, and the first is thrown. */
    static void awaitAll(Request[] requests, Status[] statuses) {
        RuntimeException failure = null;
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            Status status = null;
            try {
                status = request == null ? Status.empty() : request.complete();
            } catch (RuntimeException e) {
                MPIException error = request.raised(e);
                failure = failure == null ? error : failure;
            }
            if (statuses != null && status != null) {
                statuses[i] = status.withIndex(i);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the index of an active request that is complete; a negative number if there is none. */
    private static int any(Request[] requests, boolean wait) {
        io.rankwire.Request[] cores = new io.rankwire.Request[requests.length];
        int[] places = new int[requests.length];
        int count = 0;
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            resume(request);
            if (request != null && request.core != null) {
                cores[count] = request.core;
                places[count++] = i;
            } else if (request != null && request.isActive()) {
                return i;
            }
        }
        if (count == 0) {
            return -1;
        }
        cores = Arrays.copyOf(cores, count);
        try {
            int found = wait ? io.rankwire.Request.awaitAny(cores) : io.rankwire.Request.testAny(cores);
            return found < 0 ? -1 : places[found];
        } catch (RuntimeException e) {
            Request failed = failed(requests, e);
            throw (failed == null ? requests[places[0]] : failed).raised(e);
        }
    }

    /** Returns the request that ended with an error, and makes it null. */
    private static Request failed(Request[] requests, RuntimeException with) {
        for (Request request : requests) {
            if (request != null && request.core != null && request.core.error().orElse(null) == with) {
                request.core = null;
                return request;
            }
        }
        return null;
    }

    private static Status completed(Request[] requests, int place) {
        try {
            return requests[place].completeAwaited().withIndex(place);
        } catch (RuntimeException e) {
            throw requests[place].raised(e);
        }
    }

    static Status[] some(Request[] requests, boolean wait) {
        if (!anyActive(requests)) {
            return null;
        }
        Status[] done = new Status[requests.length];
        int count = 0;
        if (wait) {
            done[count++] = waitAny(requests);
        }
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && request.isActive() && isComplete(request)) {
                done[count++] = request.waitStatus().withIndex(i);
            }
        }
        return Arrays.copyOf(done, count);
    }

    static int[] indexes(Status[] statuses) {
        if (statuses == null) {
            return null;
        }
        int[] indexes = new int[statuses.length];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = statuses[i].index;
        }
        return indexes;
    }

    private static boolean anyActive(Request[] requests) {
        for (Request request : requests) {
            if (request != null && request.isActive()) {
                return true;
            }
        }
        return false;
    }

    private static void resume(Request request) {
        try {
            if (request != null) {
                request.resume();
            }
        } catch (RuntimeException e) {
            throw request.raised(e);
        }
    }

    private static boolean isComplete(Request request) {
        try {
            return request.isComplete();
        } catch (RuntimeException e) {
            throw request.raised(e);
        }
    }
}
