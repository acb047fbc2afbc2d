package io.rankwire.fabric;

/**
 * A peer does not answer any more, or its memory cannot be reached: most likely its process has ended. Or it has sent a
 * {@link BadFrame}.
 */
public class PeerLost extends FabricException {
    private static final long serialVersionUID = 1;
    private final int rank;

    /**
     * @param rank the peer
     * @param message what was seen of it, with its rank in the text
     */
    public PeerLost(int rank, String message) {
        super(message, null);
        this.rank = rank;
    }

    public int rank() {
        return rank;
    }
}
