package io.rankwire.device.match;

import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * The posted receives and unexpected messages of one context. An arrival takes the earliest posted receive that
 * matches; a receive takes the earliest arrived message that matches. Words are those of {@link
 * io.rankwire.wire.MatchWord}; handles are the caller's, not negative; entries name headers and mean nothing once the
 * header is gone.
 *
 * <p>There are three matchers: {@link MatchQueue}, whose cost does not depend on depth and which its store bounds;
 * {@link ListMatcher}, which takes over when the store overflows, if that is the policy; and {@link SplitMatcher}, for
 * a device that holds few receives. A {@link WatchedQueue} is a {@code MatchQueue} that reports to a {@link
 * MatchWatch}.
 */
public sealed interface Matching permits MatchQueue, ListMatcher, SplitMatcher {
    /** No match. */
    int NONE = -1;

    /** The store has no header left; nothing has changed. */
    int FULL = Integer.MIN_VALUE;

    /**
     * Posts a receive. If a message is waiting for it, the message's entry (not negative), unlinked: the caller reads
     * its words and calls {@link #release}. Otherwise {@code ~entry} of the posted receive, or {@link #FULL}.
     */
    int post(long word, int handle);

    /** The handle of the earliest posted receive the message meets, which is removed; or {@link #NONE}. */
    int arrive(long exactWord);

    /** The handle that {@link #arrive} would give if nothing were on its way inside the matcher; left in place. */
    int earliestPosted(long exactWord);

    /** A guess at the handle that {@link #arrive} would give now, which changes nothing; or {@link #NONE}. */
    default int foresee(long exactWord) {
        return NONE;
    }

    /**
     * How many messages of this word, one after another, would meet the receives that {@link #ready(int)} gives; 0 if
     * that is not known.
     */
    default int ready(long exactWord) {
        return 0;
    }

    /** The handle that a message would meet after some others, or {@link #NONE} if it was cancelled. */
    default int ready(int after) {
        return NONE;
    }

    /** So many messages have arrived and met the receives that {@link #ready(int)} gave. */
    default void meetReady(int messages) {
        HeaderStore.check(messages == 0, "nothing was ready");
    }

    /** Appends a message that {@link #arrive} found no receive for; its entry, or {@link #FULL}. */
    int append(long exactWord, long description, long payload);

    /**
     * The entry of the earliest waiting message that a receive with this word would take, left in place; or {@link
     * #NONE}.
     */
    int search(long word);

    /** Unlinks a waiting message. The caller reads it and calls {@link #release}. */
    void take(int entry);

    /**
     * Cancels a posted receive; false if it is too late: the entry is no posted receive of this handle here any more.
     */
    boolean removePosted(int entry, int handle);

    /** Gives back an entry that {@link #post} or {@link #take} has unlinked. */
    void release(int entry);

    /** The word of a message, waiting or unlinked. */
    long word(int entry);

    /** The first of the two words that {@link #append} was given; the matcher does not read them. */
    long description(int entry);

    /** The second of them. */
    long payload(int entry);

    int posted();

    int unexpected();

    /** The message that arrived first, or {@link #NONE}. */
    int firstUnexpected();

    /** The message that arrived after this one, or {@link #NONE}. */
    int nextUnexpected(int entry);

    /** Passes on every posted handle in post order. Costs a walk and a sort: for closing and for reports. */
    void forEachPosted(IntConsumer handle);

    /** Passes on the words of the posted receives in no order, each at least once. */
    void forEachWord(LongConsumer word);

    /** Completes what is on its way inside the matcher. */
    default void settle() {}

    void checkInvariants();

    /** Takes a receive together with a message that had come before and that it has met after its post. */
    @FunctionalInterface
    interface Met {
        void met(int handle, long word, long description, long payload);
    }

    /** Takes the new entry of a posted receive after its queue was moved. */
    @FunctionalInterface
    interface Moved {
        void posted(int handle, int entry);
    }
}
