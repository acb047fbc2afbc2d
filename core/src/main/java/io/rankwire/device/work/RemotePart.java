package io.rankwire.device.work;

import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/**
 * One rank's part of a window, as entries of programs access it. Where the part is mapped, an access is done when the
 * call returns; otherwise the engine sends frames to the peer's device, by the key of the region there.
 */
public interface RemotePart {
    /** The world rank that the part belongs to. */
    int peer();

    /** The key of the region there, for frames. */
    int key();

    /** Why no access is allowed now; null if one is. */
    String obstacle();

    /** An access is about to be made, which is allowed. */
    void used();

    /**
     * As {@link #obstacle}. If an access is allowed, the device learns when that ends ({@link WorkEngine#epochClosed}),
     * until {@link #release} is called.
     */
    String claim();

    /** Ends what {@link #claim} began. */
    void release();

    /** Whether the calls below can be used. They throw an {@link IllegalStateException} if the part {@link #isGone}. */
    boolean isMapped();

    /** Whether the owner has freed a part that was mapped here. */
    boolean isGone();

    void put(Object base, long offset, long bytes, ElementType type, long at);

    void get(Object base, long offset, long bytes, ElementType type, long at);

    /**
     * Combines elements with those of the part; what was there before goes into the result, if that is not null. False
     * if another rank changes elements at this moment: nothing was done.
     */
    boolean fetch(Reduction op, Object base, long offset, Object result, long resultOffset, long bytes,
            ElementType type, long at);

    /** Replaces one element, its bits in the lowest of each word, if it has the expected bits. False as above. */
    boolean compareAndSwap(long expected, long value, Object result, long resultOffset, ElementType type, long at);
}
