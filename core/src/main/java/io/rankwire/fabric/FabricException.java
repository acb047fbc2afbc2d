package io.rankwire.fabric;

/** A fabric could not be opened, or a way to a peer could not be made; the message says what to do. */
public class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FabricException(String message, Throwable cause) {
        super(message, cause);
    }
}
