package io.rankwire;

import io.rankwire.type.Growing;

/**
 * Takes a message of any size, without asking beforehand how large it will be: a receive into a parcel is posted like
 * any other and makes room when it meets its message. One parcel is for one receive at a time.
 */
public final class Parcel {
    private final Growing room = new Growing();

    /** The room of a parcel that a call was given; null for none. */
    static Growing room(Parcel given) {
        return given == null ? null : given.room;
    }

    /** The content of the message received last, of which a new array was made; null before. */
    public byte[] bytes() {
        return room.bytes();
    }
}
