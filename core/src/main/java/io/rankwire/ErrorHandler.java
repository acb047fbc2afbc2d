package io.rankwire;

/**
 * Hears of errors that calls on a communicator or a window end with, before the program does. A failed call has nothing
 * to return, so it throws in any case; a handler may throw something else in its place. What is made out of a
 * communicator starts with its handler.
 */
@FunctionalInterface
public interface ErrorHandler {
    /** Leaves it at the exception; communicators start with this one. */
    ErrorHandler THROW = (on, error) -> {};

    /** Ends the whole job at once, with the error as its reason, even if the program would catch it. */
    ErrorHandler ABORT = ErrorHandler::abort;

    /**
     * Runs on the thread whose call failed, once for each error.
     *
     * @param on what the call was made on
     * @param error its {@link RankwireException#errorClass} is the code, its message the story
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
