package io.rankwire;

import io.rankwire.type.Growing;

/**
 * Takes a message of any size that is not known beforehand: a receive into a parcel is posted like any other and makes
 * room when it meets its message. One parcel is for one receive at a time.
 *
 * <pre>{@code
 * Parcel parcel = new Parcel();
 * Status status = all.receive(parcel, Datatype.INT, AnyCommunicator.ANY_SOURCE, 7);
 * byte[] content = parcel.bytes();
 * }</pre>
 */
public final class Parcel {
    private final Growing room = new Growing();

    /** Makes an empty parcel. */
    public Parcel() {}

    /** The room of a parcel that a call was given; null for none. */
    static Growing room(Parcel given) {
        return given == null ? null : given.room;
    }

    /**
     * Returns the content of the message that was received last.
     *
     * @return a new array for each message; null before the first
     */
    public byte[] bytes() {
        return room.bytes();
    }
}
