package io.rankwire.fabric;

/** A peer's memory cannot be reached any more: most likely its process has ended. */
public final class PeerLost extends FabricException {
    private static final long serialVersionUID = 1;

    public PeerLost(String message) {
        super(message, null);
    }
}
