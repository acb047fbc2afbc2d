package io.rankwire.fabric.ofi;

/** Memory of one message that is written, waits, or is on its way. */
final class Slot {
    /** Where the message begins, for how many bytes there is room, and how many are there. */
    final long address;
    final int capacity;
    int used;
    final long desc;
    final long context;
    final boolean isLarge;
    /** Writes to the peer that were started before the last frame of the message was committed. */
    long fence;
    /** Whom it is for, while it is on its way. */
    OfiPeer peer;
    /** The next one in a list. */
    Slot next;

    Slot(long address, int capacity, long desc, long context, boolean isLarge) {
        this.address = address;
        this.capacity = capacity;
        this.desc = desc;
        this.context = context;
        this.isLarge = isLarge;
        this.used = Message.HEAD;
    }

    boolean isEmpty() {
        return used == Message.HEAD;
    }

    boolean fits(int payloadBytes) {
        return used + Message.size(payloadBytes) <= capacity;
    }
}
