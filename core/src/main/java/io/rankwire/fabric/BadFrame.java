package io.rankwire.fabric;

/** A peer has sent what no peer of this version sends: none of its frames is read any more. */
public final class BadFrame extends PeerLost {
    private static final long serialVersionUID = 1;

    /**
     * @param frame the kind of frame
     * @param wrong what is wrong with it
     */
    public BadFrame(int rank, String frame, String wrong) {
        super(rank, "rank " + rank + " has sent a damaged frame, " + frame + ": " + wrong);
    }
}
