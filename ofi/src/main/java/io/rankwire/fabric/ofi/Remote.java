package io.rankwire.fabric.ofi;

/** Memory of a peer, as the peer has described it. */
final class Remote {
    final long place;
    final long base;
    final long key;
    final long bytes;
    /** Accesses under way. */
    int users;
    /** Whether the peer ends it: no further access begins. */
    boolean isEnding;

    Remote(long place, long base, long key, long bytes) {
        this.place = place;
        this.base = base;
        this.key = key;
        this.bytes = bytes;
    }
}
