package io.rankwire.fabric;

/**
 * What a port does by itself when one of its counters has come to a value, without the thread that drives it: it sends
 * frames, and counts. A network that does this runs the entries of a work program in hardware, or by threads of its
 * own. Used, like its {@link Port}, by one thread at a time.
 */
public interface TriggeredWork {
    /** For fabrics that have nothing of this kind. */
    TriggeredWork NONE = new NoTriggeredWork("the fabric has no deferred work");

    /** Why nothing can be given to the port, for {@code --explain}; null if something can. */
    String obstacle();

    /** Why no frames can be sent to this rank in this way; null if they can. */
    String obstacle(int rank);

    /** Most bytes of memory of this rank that one frame may carry behind its lead; 0 if a frame has one part. */
    int mostBytes();

    /** What runs the entries, for {@code --explain}. */
    String name();

    /**
     * Takes counters, which are 0, and room for entries.
     *
     * @return null if there is not enough of both
     */
    TriggeredProgram program(int counters, int entries);
}
