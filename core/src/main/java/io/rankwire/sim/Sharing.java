package io.rankwire.sim;

/** Which device of a node serves a frame of one of the node's ranks. */
public enum Sharing {
    /** All that is for a rank comes in by the rank's own device. */
    PINNED,
    /** What comes from a source comes in by the source's device. There is no receive from any source. */
    BY_SOURCE,
    /**
     * As by source. A receive from any source is posted to all devices, and the first device that sets its flag has it;
     * the others delete their copies when they come across them, and search on.
     */
    CLAIMED
}
