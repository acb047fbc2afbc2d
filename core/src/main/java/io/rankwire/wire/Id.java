package io.rankwire.wire;

/**
 * A number by which frames name an operation, an access or a channel of the rank that gave it: its place in a table,
 * and how often the place was used before. A number that is kept too long so names nothing. Never negative, but for
 * places beyond {@link #PLACES}, whose uses are not counted.
 */
public final class Id {
    /** Places that have their uses counted. */
    public static final int PLACES = 1 << 24;
    private static final int USES = 1 << 7;

    private Id() {}

    public static int of(int place, int uses) {
        return place < PLACES ? (uses & USES - 1) * PLACES + place : Integer.MIN_VALUE | place;
    }

    public static int place(int id) {
        return id & (id >= 0 ? PLACES - 1 : Integer.MAX_VALUE);
    }
}
