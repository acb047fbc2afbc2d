package io.rankwire;

import io.rankwire.runtime.Endpoint;

/**
 * What a rank says in advance about its receives on a communicator. A rank may give hints at any time by {@link
 * AnyCommunicator#hints(Hints)}; they concern this rank alone, and other ranks may give others. Hints never change
 * which message a receive gets.
 *
 * <p>A promise that is broken later is an error: a receive or probe with a wildcard that was promised away throws an
 * exception of class {@link ErrorClass#RANK} or {@link ErrorClass#TAG}, and receives nothing. Receives that were posted
 * before the promise stay.
 *
 * <p>A communicator that is made out of another one starts without hints, also by {@link Communicator#duplicate}: a
 * library that works on a duplicate need not keep the promises of the program, as with the info of MPI 4.
 *
 * <pre>{@code
 * Communicator halo = all.duplicate();
 * halo.hints(Hints.NONE.withoutAnySource().withoutAnyTag());
 * }</pre>
 *
 * @param noAnySource whether no receive or probe leaves its source open
 * @param noAnyTag whether no receive or probe leaves its tag open
 */
public record Hints(boolean noAnySource, boolean noAnyTag) {
    /** No hints: nothing is promised or expected. Communicators start with these. */
    public static final Hints NONE = new Hints(false, false);

    /**
     * The same hints, and the promise that no receive or probe uses {@link AnyCommunicator#ANY_SOURCE}.
     *
     * @return other hints; these stay as they are
     */
    public Hints withoutAnySource() {
        return new Hints(true, noAnyTag);
    }

    /**
     * The same hints, and the promise that no receive or probe uses {@link AnyCommunicator#ANY_TAG}.
     *
     * @return other hints; these stay as they are
     */
    public Hints withoutAnyTag() {
        return new Hints(noAnySource, true);
    }

    static Hints of(Endpoint endpoint) {
        return new Hints(endpoint.promisesSource(), endpoint.promisesTag());
    }

    static void give(Endpoint endpoint, Hints hints) {
        endpoint.checkUsable();
        if (hints == null) {
            throw endpoint.error(ErrorClass.ARGUMENT, "argument hints is null");
        }
        endpoint.promise(hints.noAnySource, hints.noAnyTag);
    }
}
