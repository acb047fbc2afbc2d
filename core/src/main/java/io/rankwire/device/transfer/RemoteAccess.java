package io.rankwire.device.transfer;

import io.rankwire.fabric.RemoteMemory;
import io.rankwire.fabric.Shared;

/**
 * Bytes that the network moves between an allocation of this rank and one of a peer, in pieces, from the back. Pieces
 * may end in any order; the memory at this end is in use until all of them have ended.
 */
public final class RemoteAccess {
    /** Long enough for the network to be busy with one, short enough that the first ones end early. */
    static final long PIECE = 512 << 10;
    private static final int MOST_UNDER_WAY = 4;

    private final RemoteMemory memory;
    private final long[] tickets = new long[MOST_UNDER_WAY];
    private int count;

    private boolean write;
    private int rank;
    private long place;
    private long placeOffset;
    Shared home;
    private long homeOffset;
    /** The bytes from here on were started. */
    private long back;
    private boolean refused;
    private boolean lost;

    RemoteAccess(RemoteMemory memory) {
        this.memory = memory;
    }

    void open(boolean isWrite, int ofRank, long allocation, long offset, Shared here, long hereOffset, long bytes) {
        write = isWrite;
        rank = ofRank;
        place = allocation;
        placeOffset = offset;
        home = here;
        homeOffset = hereOffset;
        back = bytes;
        refused = false;
        lost = false;
    }

    /** Starts the next piece, but nothing before a byte; false if there is none, or no room for one. */
    public boolean start(long floor) {
        if (count == MOST_UNDER_WAY || back <= floor || hasFailed()) {
            return false;
        }
        long at = Math.max(floor, back - PIECE);
        long ticket = write
                ? memory.write(rank, place, placeOffset + at, home, homeOffset + at, back - at)
                : memory.read(rank, place, placeOffset + at, home, homeOffset + at, back - at);
        if (ticket == RemoteMemory.FULL) {
            return false;
        }
        tickets[count++] = ticket;
        back = at;
        return true;
    }

    /** Looks after the pieces that are under way; returns how many have ended. */
    public int poll() {
        int ended = 0;
        for (int i = count - 1; i >= 0; i--) {
            int state = memory.state(tickets[i]);
            if (state != RemoteMemory.PENDING) {
                refused |= state == RemoteMemory.REFUSED;
                lost |= state == RemoteMemory.LOST;
                tickets[i] = tickets[--count];
                ended++;
            }
        }
        return ended;
    }

    /** Where the bytes begin that were started. */
    public long back() {
        return back;
    }

    /** Whether the network still uses the memory at this end. */
    public boolean isUnderWay() {
        return count > 0;
    }

    /** The peer has no such memory. */
    public boolean isRefused() {
        return refused;
    }

    /** Whether no other piece has to be started. */
    public boolean hasFailed() {
        return refused || lost;
    }
}
