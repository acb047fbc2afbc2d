package io.rankwire.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A whole message on its way in, in pieces. If its receive is there at the first piece, and there is nothing to decide,
 * each piece goes straight into the user's buffer; otherwise they are gathered, and the message counts as arrived with
 * the last.
 */
final class Pieces {
    /** Where the pieces are gathered. */
    final MemorySegment gathered;
    int bytes;
    int got;
    /** The receive that has been met, or null. */
    Operation operation;
    boolean direct;

    Pieces(int mostBytes) {
        gathered = Arena.ofAuto().allocate(mostBytes, 64);
    }
}
