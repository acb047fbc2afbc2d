package io.rankwire.fabric.ofi;

/** A read or write of memory of a peer, which goes in parts. */
final class Access {
    final int index;
    /** How often this object was used before; part of the ticket. */
    int uses;
    int state;
    OfiPeer peer;
    boolean isWrite;
    Offered local;
    Remote remote;
    long here;
    long desc;
    long there;
    long bytes;
    long posted;
    long completed;
    /** Parts that the provider has. */
    int parts;
    /** The number of a write among those to its peer, from 1. */
    long number;
    /** Whether the caller has been given the result; the object is free when no part is under way. */
    boolean isTaken;

    Access(int index) {
        this.index = index;
    }

    long ticket() {
        return (long) uses << 16 | index;
    }

    boolean isPosted() {
        return posted == bytes;
    }
}
