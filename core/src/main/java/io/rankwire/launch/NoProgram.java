package io.rankwire.launch;

/** The class to run is not there or cannot be run; the message says all there is to say. */
final class NoProgram extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoProgram(String message, Throwable cause) {
        super(message, cause);
    }

    NoProgram(String message) {
        super(message);
    }
}
