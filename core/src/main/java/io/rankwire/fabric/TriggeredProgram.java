package io.rankwire.fabric;

/**
 * Counters of a port, and entries that the port carries out when a counter has come to a value. Of the entries that
 * wait for one counter, those for smaller values begin first, and those for the same value in the order in which they
 * were added. Frames of entries arrive like those of the {@link Outlet}, whole and once; those of one rank arrive in
 * the order in which they began. Nothing is promised about their order with frames of the outlet that the port has not
 * sent when the entry begins.
 */
public interface TriggeredProgram {
    /** Most words that a frame has before its bytes. */
    int MOST_LEAD = 3;

    /**
     * Adds an entry that sends a frame when a counter has come to a value. The bytes are read when it begins; their
     * allocation must stay until the program is settled.
     *
     * @param ended the counter that advances when the bytes may be changed again
     * @param lead the first words of the payload
     * @param from an allocation of this rank; null if there are no bytes
     * @return false if the port does not take it: nothing was added
     */
    boolean send(int counter, long value, int ended, int rank, int meta, long header, long[] lead, Shared from,
            long offset, int bytes);

    /** Adds an entry that advances another counter by one; false as above. */
    boolean add(int counter, long value, int advanced);

    /** Advances a counter now. */
    void advance(int counter);

    /** The value of a counter. */
    long count(int counter);

    /**
     * Replaces a frame, unless it has begun: in its place, the port will send one of the same length with this meta.
     *
     * @param entry of a frame; entries are numbered from 0 in the order in which they were added
     */
    void replace(int entry, int meta);

    /** Ends the program before its time: all entries begin, whatever the counters are. */
    void beginAll();

    /** Whether all entries are over. While a peer of an entry is lost, it may never be. */
    boolean isSettled();

    /** Gives counters and room back; the program is settled. */
    void close();
}
