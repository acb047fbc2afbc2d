package io.rankwire;

/**
 * Is called with the errors of calls on a communicator or a window, before the program gets the exception. A failed
 * call has nothing to return, so it throws in any case; a handler may throw another exception in its place. A
 * communicator or window that is made out of another communicator starts with its handler.
 *
 * <pre>{@code
 * all.errorHandler((on, error) -> log.println(on.name() + ": " + error.getMessage()));
 * }</pre>
 */
@FunctionalInterface
public interface ErrorHandler {
    /** Does nothing: the call throws its error. Communicators start with this handler. */
    ErrorHandler THROW = (on, error) -> {};

    /** Ends the whole job at once, with the error as its reason, even if the program would catch it. */
    ErrorHandler ABORT = ErrorHandler::abort;

    /**
     * Runs on the thread whose call failed, once for each error.
     *
     * @param on the communicator or window that the call was made on
     * @param error the error that the call is about to throw
     */
    void failed(Handle on, RankwireException error);

    private static void abort(Handle on, RankwireException error) {
        switch (on) {
            case Communicator one -> one.endpoint().session().fail(error);
            case Intercommunicator one -> one.endpoint().session().fail(error);
            case Window one -> one.endpoint().session().fail(error);
        }
    }
}
