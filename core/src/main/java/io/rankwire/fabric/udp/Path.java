package io.rankwire.fabric.udp;

/**
 * What is known of the way to a peer: whether it carries datagrams of the full size. Where that is not known, they go
 * in pieces that every path carries, and probes of the full size go beside them. A probe that is answered shows that
 * the path is wide enough; while it is in use for such datagrams, a probe a second shows that it still is.
 */
final class Path {
    private static final long FIRST_NS = 10_000_000;
    private static final long SECOND_NS = 1_000_000_000;
    private static final int MOST_UNANSWERED = 3;

    private boolean isWide;
    /** Whether it is wide without any probe: the peer is on this host. */
    private boolean isTrusted;
    private int unanswered;
    private boolean hasProbed;
    private long nextProbe;
    private long pause = FIRST_NS;

    /**
     * @param isTrusted whether probes are needed only after a datagram was refused
     */
    Path(boolean isTrusted) {
        this.isTrusted = isTrusted;
        this.isWide = isTrusted;
    }

    boolean isWide() {
        return isWide;
    }

    /** A datagram of more than the safe size is about to be sent: whether a probe goes with it. */
    boolean probes(long now) {
        if (isTrusted || hasProbed && now - nextProbe < 0) {
            return false;
        }
        hasProbed = true;
        if (unanswered >= MOST_UNANSWERED) {
            isWide = false;
        }
        unanswered++;
        pause = isWide ? SECOND_NS : Math.min(2 * pause, SECOND_NS);
        nextProbe = now + pause;
        return true;
    }

    /** A probe has arrived at the peer. */
    void answered() {
        isWide = true;
        unanswered = 0;
    }

    /** This system has refused a datagram for its length. */
    void refused() {
        isWide = false;
        isTrusted = false;
        pause = FIRST_NS;
    }
}
