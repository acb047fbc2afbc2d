package io.rankwire.device.match;

/**
 * Hears what becomes of the receives and messages in the queues of a device, in the order it happens. So a model of
 * other hardware can keep lists of its own, and say what walking them takes; it decides nothing.
 */
public interface MatchWatch {
    /** A receive is about to be posted. Throws if there is no way to do that. */
    void posting(long word);

    /** A receive that no waiting message met is in its queue. */
    void posted(int context, long word, int handle);

    /** A receive has met a waiting message. {@link WatchedQueue#complete} is to be called when that shows. */
    void met(WatchedQueue queue, int context, long word, int handle, int entry);

    /** A message has come and met this receive, or none. */
    void arrived(int context, long word, int handle);

    /** A message that no receive met waits now. */
    void waits(int context, long word, int entry);

    /** A waiting message was taken off its queue. */
    void taken(long word, int entry);

    /** A posted receive was cancelled. */
    void cancelled(int context, int handle);

    /** All that this queue's receives have met is to show now. */
    void settle(WatchedQueue queue);

    /** From now on software has the queue, and it is heard of no more; or the device has it again, empty. */
    void software(int context, boolean taken);
}
