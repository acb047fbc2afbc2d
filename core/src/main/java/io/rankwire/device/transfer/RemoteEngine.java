package io.rankwire.device.transfer;

import io.rankwire.fabric.Port;
import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;
import io.rankwire.fabric.SharedMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/**
 * The accesses of this rank that its network makes. An allocation of this rank that one of them uses, or that the
 * network sends by itself, is freed when that is over, and not before: the network would access memory that is
 * something else by then.
 */
public final class RemoteEngine {
    private final RemoteMemory remote;
    private final SharedMemory memory;
    private final Runnable addChore;
    private final ArrayList<RemoteAccess> open = new ArrayList<>();
    private final ArrayList<RemoteAccess> spare = new ArrayList<>();
    /** Allocations that the network may read by itself at any time, one for each message that it is to send. */
    private final ArrayList<Shared> lent = new ArrayList<>();
    /** Allocations that the program has freed. */
    private final ArrayList<Shared> leaving = new ArrayList<>();

    public RemoteEngine(Port port, Runnable addChore) {
        this.remote = port.remoteMemory();
        this.memory = port.memory();
        this.addChore = addChore;
    }

    /** Whether memory of a peer can be reached, which this rank cannot map. */
    public boolean reaches(int rank) {
        return remote.reaches(rank) && !memory.reaches(rank);
    }

    /** Whether an access of this length is over sooner than frames would be. */
    public boolean pays(int rank, long bytes) {
        return bytes >= remote.worthFrom(rank);
    }

    /** The allocation of this rank that holds the bytes, or null. */
    public Shared home(Object buffer, long offset, long bytes) {
        return buffer instanceof MemorySegment segment ? memory.find(segment, offset, bytes) : null;
    }

    /** An access to an allocation of a peer, of which nothing is started. */
    public RemoteAccess open(boolean write, int rank, long place, long offset, Shared home, Object buffer,
            long bufferOffset, long bytes) {
        RemoteAccess access = spare.isEmpty() ? new RemoteAccess(remote) : spare.removeLast();
        long at = ((MemorySegment) buffer).address() + bufferOffset - home.memory().address();
        access.open(write, rank, place, offset, home, at, bytes);
        open.add(access);
        return access;
    }

    /** Nothing of the access is under way any more. */
    public void close(RemoteAccess access) {
        open.remove(access);
        access.home = null;
        spare.add(access);
        freeLeaving();
    }

    private void freeLeaving() {
        for (int i = leaving.size() - 1; i >= 0; i--) {
            Shared shared = leaving.get(i);
            if (!isUsed(shared)) {
                leaving.remove(i);
                memory.free(shared);
            }
        }
    }

    /** Frees an allocation of this rank, as soon as no access of this rank uses it. */
    public void free(Shared shared) {
        if (!isUsed(shared)) {
            memory.free(shared);
        } else if (!leaving.contains(shared)) {
            leaving.add(shared);
            addChore.run();
        }
    }

    /** The network may read an allocation of this rank from now on. */
    public void lend(Shared shared) {
        lent.add(shared);
    }

    public void takeBack(Shared shared) {
        lent.remove(shared);
        freeLeaving();
    }

    public boolean isLent(Shared shared) {
        return lent.contains(shared);
    }

    /** Whether an allocation is freed, and only waits for its last access. */
    public boolean isLeaving(Shared shared) {
        return leaving.contains(shared);
    }

    private boolean isUsed(Shared shared) {
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).home == shared) {
                return true;
            }
        }
        return lent.contains(shared);
    }
}
