package io.rankwire.device;

/** What a frame says cannot be true. The device names the peer and the kind of frame, and does without that peer. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Violation(String message) {
        super(message, null, false, false);
    }
}
