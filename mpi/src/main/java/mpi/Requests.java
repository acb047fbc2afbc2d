package mpi;

import java.util.Arrays;

/** Calls on several requests, in both dialects. Entries that are null, or null requests, are passed over. */
abstract class Requests {
    Requests() {}

    // Open MPI

    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        Status[] statuses = new Status[requests.length];
        awaitAll(requests, statuses);
        return statuses;
    }

    public static void waitAll(Request[] requests) throws MPIException {
        awaitAll(requests, null);
    }

    /** The status of one that is done, with its index; {@link MPI#UNDEFINED} if none is under way. */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        int place = any(requests, true);
        return place < 0 ? Status.empty().withIndex(MPI.UNDEFINED) : completed(requests, place);
    }

    public static int waitAny(Request[] requests) throws MPIException {
        return waitAnyStatus(requests).index;
    }

    /** As {@link #waitAnyStatus}, or null if those under way are not done. */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        int place = any(requests, false);
        if (place >= 0) {
            return completed(requests, place);
        }
        return anyActive(requests) ? null : Status.empty().withIndex(MPI.UNDEFINED);
    }

    /** The index of one that is done, or {@link MPI#UNDEFINED}. */
    public static int testAny(Request[] requests) throws MPIException {
        Status status = testAnyStatus(requests);
        return status == null ? MPI.UNDEFINED : status.index;
    }

    /** Null if not all are done. */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        for (Request request : requests) {
            if (request != null && !isComplete(request)) {
                return null;
            }
        }
        return waitAllStatus(requests);
    }

    public static boolean testAll(Request[] requests) throws MPIException {
        return testAllStatus(requests) != null;
    }

    /** Those that are done, at least one; null if none is under way. */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        return some(requests, true);
    }

    public static int[] waitSome(Request[] requests) throws MPIException {
        return indexes(some(requests, true));
    }

    /** Those that are done, perhaps none; null if none is under way. */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        return some(requests, false);
    }

    public static int[] testSome(Request[] requests) throws MPIException {
        return indexes(some(requests, false));
    }

    // mpiJava

    public static Status[] Waitall(Request[] array_of_request) throws MPIException {
        return waitAllStatus(array_of_request);
    }

    public static Status Waitany(Request[] array_of_request) throws MPIException {
        return waitAnyStatus(array_of_request);
    }

    /** As {@link #waitSomeStatus}, but empty if none is under way. */
    public static Status[] Waitsome(Request[] array_of_request) throws MPIException {
        Status[] done = some(array_of_request, true);
        return done == null ? new Status[0] : done;
    }

    public static Status[] Testall(Request[] array_of_request) throws MPIException {
        return testAllStatus(array_of_request);
    }

    public static Status Testany(Request[] array_of_request) throws MPIException {
        return testAnyStatus(array_of_request);
    }

    /** Those that are done, perhaps none; as in MPJ Express also when none is under way. */
    public static Status[] Testsome(Request[] array_of_request) throws MPIException {
        Status[] done = testSomeStatus(array_of_request);
        return done == null ? new Status[0] : done;
    }

    /** All are waited for, also when one fails; each communicator hears of its own, and the first is thrown. */
    private static void awaitAll(Request[] requests, Status[] statuses) {
        RuntimeException failure = null;
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            Status status = null;
            try {
                status = request == null ? Status.empty() : request.complete();
            } catch (RuntimeException e) {
                MPIException told = request.raised(e);
                failure = failure == null ? told : failure;
            }
            if (statuses != null && status != null) {
                statuses[i] = status.withIndex(i);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The index of one that is done and was under way, or below zero. */
    private static int any(Request[] requests, boolean wait) {
        io.rankwire.Request[] cores = new io.rankwire.Request[requests.length];
        int[] places = new int[requests.length];
        int count = 0;
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
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

    /** The one that has ended with this, which is null from now on. */
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

    private static Status[] some(Request[] requests, boolean wait) {
        if (!anyActive(requests)) {
            return null;
        }
        Status[] done = new Status[requests.length];
        int count = 0;
        if (wait) {
            done[count++] = waitAnyStatus(requests);
        }
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && request.isActive() && isComplete(request)) {
                done[count++] = request.waitStatus().withIndex(i);
            }
        }
        return Arrays.copyOf(done, count);
    }

    private static int[] indexes(Status[] statuses) {
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

    private static boolean isComplete(Request request) {
        try {
            return request.isComplete();
        } catch (RuntimeException e) {
            throw request.raised(e);
        }
    }
}
