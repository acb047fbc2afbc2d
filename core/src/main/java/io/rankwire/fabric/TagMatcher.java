package io.rankwire.fabric;

import java.lang.foreign.MemorySegment;

/**
 * The matcher of a network: frames that carry a tag of 64 bits meet receives that were posted for it, in the order of
 * posting, and wait in the network if there is none. Used, like its {@link Port}, by one thread at a time.
 *
 * <p>Frames of one sender meet the receives of one tag in the order of their commits. They are not ordered with the
 * frames of an {@link Outlet}. What was posted is reported in {@link Port#poll}, in any order.
 */
public interface TagMatcher {
    /** Nothing was changed; the caller tries again after a poll. */
    long FULL = -1;

    /** Where the network does not match. */
    TagMatcher NONE = new NoTagMatcher();

    /** Gets what has become of each receive that was posted, once. */
    interface Sink {
        /** A frame has met the receive. Its payload lies there until the next post of that place. */
        void matched(int place, int from, int meta, long header, MemorySegment memory, long payload, int bytes);

        /** The receive was withdrawn, and has met nothing. */
        void cancelled(int place);
    }

    /** Receives that can be posted at a time; 0 if the network does not match. Places are numbered from 0. */
    int places();

    /** Frames of one sender that may wait in the network for a receive, without holding up any others. */
    int window();

    /** Whether tagged frames can go to this rank and come from it. */
    boolean reaches(int rank);

    /** Says where reports go, before the first receive is posted. */
    void open(Sink sink);

    /**
     * Posts a receive with a buffer of its own, for the largest frame.
     *
     * @param place one that is not posted
     * @param tag the tag of a frame, but for the bits that are ignored
     * @return false if the network takes none at the moment
     */
    boolean post(int place, long tag, long ignored);

    /** Asks for a posted receive back; it is {@linkplain Sink#cancelled cancelled} or {@link Sink#matched}. */
    void cancel(int place);

    /** As {@link Outlet#claim(int)}, for a frame to this rank. */
    long claim(int rank, int payloadBytes);

    /** As {@link Outlet#memory}. */
    MemorySegment memory();

    /** As {@link Outlet#commit}, with the tag of the frame. */
    void commit(int rank, long at, int payloadBytes, int meta, long header, long tag);
}
