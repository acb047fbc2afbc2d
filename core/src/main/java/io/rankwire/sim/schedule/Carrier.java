package io.rankwire.sim.schedule;

/** Takes messages from rank to rank. What comes must come in order between two ranks. */
interface Carrier {
    /**
     * @param at when its sender has done its part, not before now
     * @param kind one of the kinds of {@link Ranks}; with first and second it is for the receiver
     * @param bytes what it carries
     */
    void carry(long at, int from, int to, int kind, long bytes, long first, long second);
}
