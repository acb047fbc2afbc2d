package io.rankwire.device.match;

/**
 * How matching is divided when the device is too small for all of it: the head of the posted receives stays in the
 * device, software keeps a shadow of all of them and the whole unexpected queue.
 *
 * @param posted most posted receives in the device, of all contexts together
 * @param closing how a receive on its way down is kept from missing a message on its way up
 * @param recent unexpected messages the device remembers, to check an optimistic post against
 * @param crossing entries that fit on the way between device and software, each direction and context
 * @param crossingNs time an entry takes; 0 is the next round of progress
 * @param softwareNs time that software needs for a message that the device has passed to it
 */
public record Split(int posted, Closing closing, int recent, int crossing, long crossingNs, long softwareNs) {
    public Split {
        if (posted < 1 || recent < 0 || crossing < 2 || crossingNs < 0 || softwareNs < 0) {
            throw new IllegalArgumentException("split: posted " + posted + ", recent " + recent + ", crossing "
                    + crossing + " entries of " + crossingNs + " ns, software " + softwareNs + " ns");
        }
    }

    /** Software that needs no time of its own. */
    public Split(int posted, Closing closing, int recent, int crossing, long crossingNs) {
        this(posted, closing, recent, crossing, crossingNs, 0);
    }

    /** Ways to close the race between a receive on its way down and a message on its way up. */
    public enum Closing {
        /** Stop the device's unexpected messages, check those that came meanwhile, post and go on. */
        HANDSHAKE,
        /** Post with the number of the last message seen; the device refuses if a later one may match. */
        OPTIMISTIC
    }
}
