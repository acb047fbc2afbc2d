package io.rankwire.device;

/**
 * The way from this rank to one region of a peer: what is under way on it and what was refused. Fields belong to the
 * thread that drives the device.
 */
public final class Channel {
    final int id;
    final int peer;
    final int key;

    /** Frames not yet written, by access. */
    int unsent;
    /** Accesses whose answer has not come, or not wholly. */
    int unanswered;
    /** Something was sent that no flush has covered. */
    boolean dirty;
    private int flushes;
    private int flushed;
    private boolean granted;
    private int refusal;
    private long refusedOffset;
    private long refusedBytes;

    Channel(int id, int peer, int key) {
        this.id = id;
        this.peer = peer;
        this.key = key;
    }

    /** Whether all buffers of this rank may be used again. */
    public boolean localDone() {
        return unsent == 0 && unanswered == 0;
    }

    /** Whether all is done at the peer that was sent before the last flush. */
    public boolean flushed() {
        return flushed == flushes && localDone();
    }

    /** Whether the lock asked for is held, or was refused. */
    public boolean lockAnswered() {
        return granted || refusal < 0;
    }

    void flushSent() {
        flushes++;
        dirty = false;
    }

    void flushAnswered() {
        flushed++;
    }

    void granted(boolean now) {
        granted = now;
    }

    void refused(int code, long offset, long bytes) {
        if (refusal == Code.OK) {
            refusal = code;
            refusedOffset = offset;
            refusedBytes = bytes;
        }
    }

    /** The peer is lost: nothing that was asked of it comes, and no lock there is held. */
    void lose() {
        flushed = flushes;
        granted = false;
        dirty = false;
        refused(Code.PEER_DEAD, 0, 0);
    }

    /** The first {@link Code} of a refusal since the last call, or {@link Code#OK}. */
    public int takeRefusal() {
        int code = refusal;
        refusal = Code.OK;
        return code;
    }

    /** Where the access began that was refused first. */
    public long refusedOffset() {
        return refusedOffset;
    }

    public long refusedBytes() {
        return refusedBytes;
    }
}
