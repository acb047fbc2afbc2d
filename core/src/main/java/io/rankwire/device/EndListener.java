package io.rankwire.device;

/** Notes the ends of operations. It is called by the thread that drives the device, in the middle of its work. */
public interface EndListener {
    /**
     * An operation has ended.
     *
     * @param place what the operation was given for it, see {@link Operation#noteEnd}
     */
    void ended(int place);
}
