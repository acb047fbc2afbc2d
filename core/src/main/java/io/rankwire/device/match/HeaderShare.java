package io.rankwire.device.match;

/**
 * The headers of a {@link HeaderStore} that some lists may use, and no others. The store begins with one share for all
 * lists; it is divided further, and divided again while it is in use, by {@link HeaderStore#divide} and {@link
 * HeaderStore#redivide}. Only counts are divided: any header of the store can serve any share.
 */
public final class HeaderShare {
    int inUse;
    /** Of those in use, how many are only counted: their queue keeps the receive elsewhere. */
    int reserved;
    int limit;
    private int guaranteed;

    HeaderShare(int limit) {
        this.limit = limit;
    }

    /** Counts one header more without giving it. False at the limit. */
    boolean reserve() {
        if (inUse == limit) {
            return false;
        }
        inUse++;
        reserved++;
        return true;
    }

    /** Headers that were only counted are no longer needed. */
    void restore(int headers) {
        assert reserved >= headers;
        inUse -= headers;
        reserved -= headers;
    }

    public int inUse() {
        return inUse;
    }

    /** Most headers in use. */
    public int limit() {
        return limit;
    }

    public boolean isFull() {
        return inUse == limit;
    }

    /** Headers that no other share gets while these have no use for them. */
    public int guaranteed() {
        return guaranteed;
    }

    /** Guarantees headers, as far as this share has them. */
    public void guarantee(int headers) {
        guaranteed = Math.min(headers, limit);
    }

    /** How many headers another share may get. */
    int spare() {
        return limit - Math.max(inUse, guaranteed);
    }
}
