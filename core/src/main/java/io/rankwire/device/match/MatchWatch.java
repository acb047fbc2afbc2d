package io.rankwire.device.match;

/**
 * Takes reports of what happens to the receives and messages in the queues of a device, in the order in which it
 * happens. So a model of other hardware can keep lists of its own and charge for walking them; it decides nothing.
 */
public interface MatchWatch {
    /** A receive is about to be posted. Throws if there is no way to do that. */
    void posting(long word);

    /** A receive that no waiting message met is in its queue. */
    void posted(int context, long word, int handle);

    /** A receive has met a waiting message. The watch calls {@link WatchedQueue#complete} when the receive may end. */
    void met(WatchedQueue queue, int context, long word, int handle, int entry);

    /** A message has come and met this receive, or none. */
    void arrived(int context, long word, int handle);

    /** A message that no receive met waits now; its description is that of {@link Matching#append}. */
    void waits(int context, long word, long description, int entry);

    /** A waiting message was taken off its queue. */
    void taken(long word, int entry);

    /** A posted receive was cancelled. */
    void cancelled(int context, int handle);

    /** Completes all receives of this queue that have met a message. */
    void settle(WatchedQueue queue);

    /** Software takes the queue, which is not reported any more; or the device has it again, empty. */
    void software(int context, boolean taken);

    /** The hints of a context whose queue is about to be made, and is empty. */
    void hinted(int context, QueueHints hints);
}
