package io.rankwire.device;

/**
 * The way from this rank to one region of a peer: what is under way on it and what was refused. Its state belongs to
 * the thread that drives the device; only {@link io.rankwire.device.onesided.OneSided} changes it.
 */
public final class Channel {
    private final int id;
    private final int peer;
    private final int key;

    /** Requests that are not yet written, or only in part. */
    private int unsent;
    /** Accesses whose answer has not come, or only in part. */
    private int unanswered;
    /** Something was sent that no flush has covered. */
    private boolean dirty;
    private int flushes;
    private int flushed;
    private boolean lockAsked;
    private boolean granted;
    /** Where the region lies in an allocation of the peer, if the network reaches that. */
    private boolean byEngine;
    private long place;
    private long placeOffset;
    private int refusal;
    private long refusedOffset;
    private long refusedBytes;

    public Channel(int id, int peer, int key) {
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

    /** Whether no frame of the peer can name this channel any more, unless something more is sent. */
    public boolean isSettled() {
        return !dirty && !lockAsked && flushed();
    }

    /** Whether the lock asked for is held, or was refused. */
    public boolean lockAnswered() {
        return granted || refusal < 0;
    }

    public int id() {
        return id;
    }

    public int peer() {
        return peer;
    }

    /** The key of the region there. */
    public int key() {
        return key;
    }

    /** The network reaches the region: it begins at this byte of an allocation of the peer. */
    public void byEngine(long allocation, long offset) {
        byEngine = true;
        place = allocation;
        placeOffset = offset;
    }

    /** The peer has refused that: its device is asked in frames from now on. */
    public void byFrames() {
        byEngine = false;
    }

    public boolean isByEngine() {
        return byEngine;
    }

    /** The allocation of the peer that the region lies in. */
    public long place() {
        return place;
    }

    public long placeOffset() {
        return placeOffset;
    }

    /** A request is to be sent, which may change memory there. */
    public void requested(boolean change) {
        unsent++;
        dirty |= change;
    }

    /** A request is written, or ended. */
    public void sent() {
        unsent--;
    }

    /** An access waits for its answer. */
    public void awaits() {
        unanswered++;
    }

    /** An access has its answer. */
    public void answered() {
        unanswered--;
    }

    /** Whether something was sent that no flush has covered. */
    public boolean isDirty() {
        return dirty;
    }

    public void flushSent() {
        flushes++;
        dirty = false;
    }

    public void flushAnswered() {
        if (flushed == flushes) {
            throw new Violation("no flush is under way");
        }
        flushed++;
    }

    /** The lock is asked for. */
    public void askLock() {
        lockAsked = true;
    }

    /** The lock that was asked for is held. */
    public void lockGranted() {
        if (!lockAsked) {
            throw new Violation("no lock was asked for");
        }
        lockAsked = false;
        granted = true;
    }

    /** The lock is given back. */
    public void unlock() {
        granted = false;
    }

    /** Notes the first refusal since {@link #takeRefusal}. */
    public void refused(int code, long offset, long bytes) {
        if (refusal == Code.OK) {
            refusal = code;
            refusedOffset = offset;
            refusedBytes = bytes;
        }
    }

    /** The peer is lost: no answer comes, and no lock there is held. */
    public void lose() {
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
